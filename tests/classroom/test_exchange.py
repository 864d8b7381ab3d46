"""nbgrader's exchange with real Unix users: honest work is collected with its true time, all else is named, nothing leaks.

Students submit with nbgrader's own command, each under the own account. What is laid into the exchange by hand is laid in under
the account of a student. The collection is nbgrader's command, and the button of a real formgrader.
"""

import json
import os
import pwd
import shutil
import socket
import stat
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.apps import NbGraderApp
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeSubmit
from nbgrader.utils import parse_utc
from playwright.sync_api import sync_playwright
from unix_user import USERS, as_user

from autograder.gradebook.course import prepare, tools_on_path
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from scripts import chromium
from tests.commands import nbgrader, output_of
from tests.formgrader_server import TOKEN, jupyter_server

ROOT = Path(__file__).resolve().parents[2]
PS = "ps1_games"
LOOT = "the loot of this test"
HONEST, NEIGHBOUR, ATTACKER = USERS
EARLY, LATE = "2020-01-01 00:00:00.000000 UTC", "2099-01-01 00:00:00.000000 UTC"

pytestmark = [pytest.mark.skipif(os.geteuid() != 0, reason="three Unix users hand in, and only root can become each of them"),
              pytest.mark.usefixtures("whole_world")]


def apart(act: Callable[[], object], user: str = "root", output: Path | None = None) -> int:
    """Do something in a child process, with the rights of a user; its exit status."""
    account = pwd.getpwnam(user)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if user != "root":
                os.setgroups([])
                os.setgid(account.pw_gid)
                os.setuid(account.pw_uid)
            if output is not None:
                sys.stderr = sys.stdout = output.open("w", buffering=1)
            act()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        except BaseException:
            traceback.print_exc(file=sys.stderr)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def acting_as(user: str, act: Callable[[], object]) -> None:
    assert apart(act, user) == 0, (user, act)


def _cell(text: str) -> str:
    return json.dumps({"cell_type": "markdown", "id": "of-this-test", "metadata": {}, "source": text})


class Exchange:
    """A course with an exchange, three students with homes, and secrets that none of them may read."""

    def __init__(self, room: Path) -> None:
        self.room, self.course, self.root = room, room / "autumn", room / "exchange"
        self.inbound = self.root / "autumn" / "inbound"
        self.hidden = room / "hidden"

    def make(self) -> None:
        """Make all of it, and release the set with nbgrader."""
        prepare(self.course, PS)
        with (self.course / "nbgrader_config.py").open("a") as file:
            file.write(f"c.Exchange.root = {str(self.root)!r}\n")
        (self.course / "edition.secret").write_text(LOOT)
        (self.course / "edition.secret").chmod(0o600)
        self.hidden.mkdir(mode=0o700)
        (self.hidden / "test_suite.py").write_text(f"# {LOOT}\n")
        (self.hidden / "test_suite.py").chmod(0o600)
        self.root.mkdir()
        self.root.chmod(0o1777)
        for user in USERS:
            self.home(user).mkdir()
            (self.home(user) / "nbgrader_config.py").write_text(
                f"c = get_config()\nc.CourseDirectory.course_id = 'autumn'\nc.Exchange.root = {str(self.root)!r}\n"
                f"c.Exchange.cache = {str(self.home(user) / 'cache')!r}\n")
            shutil.chown(self.home(user), user)
        self.staff("release_assignment", PS)

    def home(self, user: str) -> Path:
        return self.room / user

    def staff(self, *arguments: str) -> str:
        """Run a command of nbgrader in the course folder, in a child process, and return what it prints."""
        def running() -> None:
            os.chdir(self.course)
            NbGraderApp.launch_instance(argv=list(arguments))
        tools_on_path()
        status, output = apart(running, output=self.room / "said"), (self.room / "said").read_text()
        assert status == 0, output
        return output

    def submit(self, user: str, text: str = "") -> Path:
        """Solve the set and submit it with nbgrader's own code, as the student; the hand-in in the exchange."""
        work = self.home(user) / PS
        work.mkdir(exist_ok=True)
        shutil.chown(work, user)
        notebook = build(load(PS), solution=True)[0].replace('"cells": [', f'"cells": [\n  {_cell(text)},', 1)
        (work / f"{PS}.ipynb").write_text(notebook)
        before = set(self.inbound.iterdir())

        def submitting() -> None:
            os.chdir(self.home(user))
            coursedir = CourseDirectory(course_id="autumn", assignment_id=PS, student_id="*")
            ExchangeSubmit(coursedir=coursedir, authenticator=Authenticator(), root=str(self.root),
                           cache=str(self.home(user) / "cache")).start()
        acting_as(user, submitting)
        (made,) = set(self.inbound.iterdir()) - before
        return made

    def lay_in(self, name: str, act: Callable[[Path], object] = lambda folder: None, user: str = ATTACKER) -> str:
        """Make a folder in the exchange by hand, with a notebook, and do something in it; the folder's name."""
        folder = self.inbound / name

        def laying() -> None:
            folder.mkdir()
            folder.chmod(0o777)
            (folder / f"{PS}.ipynb").write_text("{}")
            act(folder)
        acting_as(user, laying)
        return name

    def collected(self, student: str) -> Path:
        return self.course / "submitted" / student / PS

    def time_of(self, student: str) -> float:
        return (parse_utc((self.collected(student) / "timestamp.txt").read_text()) - datetime(1970, 1, 1)).total_seconds()

    def everything_collected(self) -> bytes:
        files = [path for path in self.course.rglob("*") if path.is_file() and path.name != "edition.secret"]
        assert not [path for path in self.course.rglob("*") if path.is_symlink()]
        return b"".join(path.read_bytes() for path in files)


@pytest.fixture(scope="module")
def template() -> Iterator[Path]:
    room = Path(tempfile.mkdtemp(prefix="exchange-template-"))
    prepare(room / "autumn", PS)
    yield room / "autumn"
    shutil.rmtree(room)


@pytest.fixture
def exchange(template: Path) -> Iterator[Exchange]:
    room = Path(tempfile.mkdtemp(prefix="exchange-"))  # not in pytest's own folder, which other users may not enter
    room.chmod(0o755)
    try:
        shutil.copytree(template, room / "autumn")
        made = Exchange(room)
        made.make()
        yield made
    finally:
        shutil.rmtree(room)


def by_command(exchange: Exchange) -> str:
    done = nbgrader(exchange.course, "collect", PS, HOME=str(exchange.room))
    assert done.returncode == 0, done.stderr
    return done.stderr


def by_button(exchange: Exchange) -> str:
    """Press formgrader's button in a real browser, on a real server in the course folder; what the page then says."""
    with formgrader(exchange) as address, sync_playwright() as playwright:
        browser = chromium.started(playwright)
        page = browser.new_page()
        page.goto(f"{address}/formgrader/manage_assignments?token={TOKEN}")
        page.locator("tr", has_text=PS).locator("td.collect a").click(timeout=60_000)
        log = page.locator(".modal.in", has_text="Successfully collected").locator("pre").first
        log.wait_for(timeout=120_000)
        return log.inner_text()


@contextmanager
def formgrader(exchange: Exchange) -> Iterator[str]:
    hubs = exchange.room / "etc"  # as a hub starts it: with its own file for all servers, beside that of the course
    hubs.mkdir()
    text = (ROOT / "docs" / "jupyterhub" / "nbgrader_config.py").read_text()
    (hubs / "nbgrader_config.py").write_text(text.replace("/usr/local/share/nbgrader/exchange", str(exchange.root)))
    with jupyter_server(exchange.course, exchange.room / "grader", JUPYTER_CONFIG_PATH=str(hubs)) as address:
        yield address


def hostile(exchange: Exchange) -> dict[str, str]:
    """Lay in everything that is not an honest hand-in; its name, and a word of the reason that must be beside it."""
    suite, secret, inbound = exchange.hidden / "test_suite.py", exchange.course / "edition.secret", exchange.inbound
    theirs = next(path for path in inbound.iterdir() if path.name.startswith(f"{NEIGHBOUR}+"))
    mine = f"{ATTACKER}+{PS}+{LATE}"
    reasons: dict[str, str] = {}

    def lay(letters: str, act: Callable[[Path], object], why: str, name: str = mine) -> None:
        reasons[exchange.lay_in(f"{name}+{letters}", act)] = why

    lay("file", lambda folder: (folder / f"{PS}.py").symlink_to(suite), f"{PS}.py is a link")
    lay("secret", lambda folder: (folder / "a.txt").symlink_to(secret), "a.txt is a link")
    lay("neighbour", lambda folder: (folder / "b.py").symlink_to(theirs / f"{PS}.ipynb"), "b.py is a link")
    lay("folder", lambda folder: (folder / "inside").symlink_to(exchange.hidden), "inside is a link")
    lay("circle", lambda folder: (folder / "inside").symlink_to(folder), "inside is a link")
    lay("dangling", lambda folder: (folder / "gone").symlink_to("/no/such/file"), "gone is a link")
    lay("zero", lambda folder: (folder / "zero").symlink_to("/dev/zero"), "zero is a link")
    lay("deep", lambda folder: ((folder / "a" / "b").mkdir(parents=True), (folder / "a" / "b" / "c").symlink_to(suite)),
        "a/b/c is a link")
    lay("work", lambda folder: ((folder / f"{PS}.ipynb").unlink(), (folder / f"{PS}.ipynb").symlink_to(suite)),
        f"{PS}.ipynb is a link")
    lay("stamp", lambda folder: (folder / "submission_secret.txt").symlink_to(suite), "submission_secret.txt is a link")
    lay("pipe", lambda folder: os.mkfifo(folder / "pipe"), "pipe is a pipe")
    lay("pipe2", lambda folder: ((folder / f"{PS}.ipynb").unlink(), os.mkfifo(folder / f"{PS}.ipynb")), f"{PS}.ipynb is a pipe")
    lay("socket", lambda folder: (os.chdir(folder), socket.socket(socket.AF_UNIX).bind("s")), "s is a socket")
    lay("empty", lambda folder: (folder / f"{PS}.ipynb").unlink(), "nothing in it can be taken")
    lay("huge", lambda folder: os.truncate(folder / f"{PS}.ipynb", 65 * 2**20), "larger than 64 MiB")
    lay("another", lambda folder: None, f"belongs to '{ATTACKER}', not to '{HONEST}'", f"{HONEST}+{PS}+{LATE}")
    lay("nobodys", lambda folder: None, "no account is called", f"no-such-person+{PS}+{LATE}")
    lay("plus", lambda folder: None, "no account", f"{ATTACKER}+x+{PS}+{LATE}")
    lay("badly dated", lambda folder: None, "no time that can be read", f"{ATTACKER}+{PS}+yesterday")
    lay("two readings", lambda folder: None, "can be read as", f"{ATTACKER}+{PS}+{PS}")
    lay("root", lambda folder: None, "belongs to", f"root+{PS}+{LATE}")
    lay("script", lambda folder: None, "does not begin with a user name", f"<script>alert(1)<script>+{PS}+{LATE}")
    reasons[exchange.lay_in("no name at all")] = "its name is not"
    reasons[exchange.lay_in(f"{ATTACKER}+{PS}")] = "its name is not"

    def links() -> None:
        os.symlink(theirs, inbound / f"{mine}+itself a link")
        os.mkfifo(inbound / f"{mine}+itself a pipe")
        (inbound / f"{mine}+itself a file").write_text("x")
    acting_as(ATTACKER, links)
    reasons |= {f"{mine}+itself a {kind}": f"it is a {kind}" for kind in ("link", "pipe", "file")}
    # what a student can do only where the kernel protects less: done by root, in the student's folders
    sources = (("hard link", suite, "may not read it"), ("hard link 2", theirs / f"{PS}.ipynb", "belongs to user id"))
    for letters, source, why in sources:
        name = exchange.lay_in(f"{mine}+{letters}")
        os.link(source, inbound / name / f"{PS}.py")
        reasons[name] = why
    name = exchange.lay_in(f"{mine}+hard link without its first name")
    (exchange.room / "old").write_text(LOOT)
    (exchange.room / "old").chmod(0o600)
    os.link(exchange.room / "old", inbound / name / "old.py")
    (exchange.room / "old").unlink()
    reasons[name] = "may not read it"
    name = exchange.lay_in(f"{mine}+device")
    os.mknod(inbound / name / "zero", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    shutil.chown(inbound / name / "zero", ATTACKER)
    reasons[name] = "zero is a device"
    return reasons


@pytest.mark.parametrize("collect", [by_command, by_button])
def test_honest_work_is_collected_with_its_true_time_and_everything_else_is_named(exchange: Exchange, collect) -> None:
    begin = time.time()
    honest = {user: exchange.submit(user, f"of {user}") for user in USERS}
    bad = hostile(exchange)
    end = time.time()  # a second name for a file counts as a change of it
    output = collect(exchange)
    for user, record in honest.items():
        place = exchange.collected(user)
        assert (place / f"{PS}.ipynb").read_bytes() == (record / f"{PS}.ipynb").read_bytes(), user
        assert begin - 1 < exchange.time_of(user) < end + 1
        assert {path.stat().st_uid for path in (place, *place.iterdir())} == {0}
        assert {path.stat().st_mode & 0o777 for path in place.iterdir()} == {0o600} and place.stat().st_mode & 0o777 == 0o700
    assert {path.name for path in (exchange.course / "submitted").iterdir()} == set(USERS)
    lines = output.splitlines()
    for name, why in bad.items():
        (line,) = [line for line in lines if "not collected: " + " ".join(name.split()) + ": " in line]
        assert why in line, line
    assert sum("not collected: " in line for line in lines) == len(bad)
    assert LOOT.encode() not in exchange.everything_collected()
    assert not (exchange.course / "submitted" / "no-such-person").exists()


def test_from_submit_to_feedback_with_a_false_time_and_a_false_name_beside_it(exchange: Exchange) -> None:
    """the whole way: one student dates work back, one student's work is to be replaced by another's"""
    for user in (HONEST, NEIGHBOUR):
        exchange.submit(user)
    forged = exchange.inbound / f"{ATTACKER}+{PS}+{EARLY}+x"
    shutil.copytree(exchange.submit(ATTACKER), forged)

    def dated_back(path: Path) -> None:
        os.chown(path, pwd.getpwnam(ATTACKER).pw_uid, -1)
        acting_as(ATTACKER, lambda: os.utime(path, (1_577_836_800, 1_577_836_800)))
    for path in (*forged.iterdir(), forged):
        dated_back(path)
    (forged / "timestamp.txt").write_text(EARLY)
    exchange.lay_in(f"{HONEST}+{PS}+{LATE}+x")
    output = exchange.staff("collect", PS)
    assert f"not collected: {HONEST}+{PS}+{LATE}+x" in output and f"{ATTACKER}+{PS}+{EARLY}+x was last changed at" in output
    assert time.time() - exchange.time_of(ATTACKER) < 300
    assert "graded 3 of 3" in output_of("grade", exchange.course, "--ps", PS, "--workers", "1")
    exchange.staff("release_feedback", PS)
    for user in (HONEST, NEIGHBOUR):
        done = as_user(user, exchange.home(user), "-m", "nbgrader", "fetch_feedback", PS)
        assert done.returncode == 0, done.stderr
        (page,) = (exchange.home(user) / PS / "feedback").rglob("*.html")
        assert "passed" in page.read_text()


def test_a_later_hand_in_counts_the_earlier_one_is_kept_and_changed_rights_change_no_time(exchange: Exchange) -> None:
    first = exchange.submit(HONEST, "first")
    exchange.staff("collect", PS)
    before = exchange.time_of(HONEST)
    for path in (first, *first.iterdir()):  # as `chmod -R` of an administrator does
        path.chmod(path.stat().st_mode & 0o775)
    assert first.stat().st_ctime > before
    exchange.staff("collect", "--update", PS)
    assert exchange.time_of(HONEST) == before and not (exchange.course / "collected").joinpath("x").exists()
    second = exchange.submit(HONEST, "second")
    assert "Submission already exists" in exchange.staff("collect", PS)
    assert (exchange.collected(HONEST) / f"{PS}.ipynb").read_bytes() == (first / f"{PS}.ipynb").read_bytes()
    exchange.staff("collect", "--update", PS)
    assert (exchange.collected(HONEST) / f"{PS}.ipynb").read_bytes() == (second / f"{PS}.ipynb").read_bytes()
    (kept,) = (exchange.course / "collected").glob(f"*/{HONEST}/{PS}/{PS}.ipynb")
    assert kept.read_bytes() == (first / f"{PS}.ipynb").read_bytes() and exchange.time_of(HONEST) > before
    assert "No newer submission" in exchange.staff("collect", "--update", PS)


def test_work_that_nbgrader_itself_has_collected_gets_its_true_time(exchange: Exchange) -> None:
    record = exchange.submit(ATTACKER)
    shutil.copytree(record, exchange.collected(ATTACKER))  # as nbgrader's own step does, with the student's timestamp.txt
    (exchange.collected(ATTACKER) / "timestamp.txt").write_text(EARLY)
    exchange.staff("collect", "--update", PS)
    assert abs(exchange.time_of(ATTACKER) - record.stat().st_ctime) < 60


def test_many_and_large_files_cost_no_honest_work(exchange: Exchange) -> None:
    def many(folder: Path) -> None:
        for number in range(700):
            (folder / f"{number}.txt").write_text("x")
        (folder / "venv").mkdir()
        (folder / "weights.bin").touch()
        os.truncate(folder / "weights.bin", 10**12)
    exchange.lay_in(f"{ATTACKER}+{PS}+2026-01-01 00:00:00 UTC+x", many)
    output = exchange.staff("collect", PS)
    place = exchange.collected(ATTACKER)
    assert (place / f"{PS}.ipynb").read_text() == "{}" and len(list(place.iterdir())) <= 502
    assert "more than 500 files and folders" in output and not (place / "weights.bin").exists()


def test_a_link_in_the_course_is_not_written_through(exchange: Exchange) -> None:
    for user in (HONEST, NEIGHBOUR):
        exchange.submit(user)
    (exchange.course / "submitted").mkdir(exist_ok=True)
    elsewhere = exchange.room / "elsewhere"
    elsewhere.mkdir()
    (exchange.course / "submitted" / HONEST).symlink_to(elsewhere)
    output = exchange.staff("collect", PS)
    assert f"submitted/{HONEST} is a link" in output and list(elsewhere.iterdir()) == []
    assert exchange.collected(NEIGHBOUR).is_dir()


def test_files_that_change_places_all_the_time_never_bring_anything_out(exchange: Exchange) -> None:
    """a student swaps a file and a folder for links as fast as possible while the class is collected, again and again"""
    exchange.submit(HONEST)
    name = exchange.lay_in(f"{ATTACKER}+{PS}+2026-01-01 00:00:00 UTC+x", lambda folder: (folder / "d").mkdir())
    folder = exchange.inbound / name

    def swapping() -> None:
        end = time.monotonic() + 60
        parent = os.getppid()
        (folder / "d" / "test_suite.py").write_text("mine")
        (folder / "x.py").write_text("mine")
        (folder / "link").symlink_to(exchange.hidden / "test_suite.py")
        (folder / "folder-link").symlink_to(exchange.hidden)
        while time.monotonic() < end and os.getppid() == parent:
            for good, link in (("x.py", "link"), ("d", "folder-link")):
                os.rename(folder / good, folder / "aside")
                os.rename(folder / link, folder / good)
                os.rename(folder / good, folder / link)
                os.rename(folder / "aside", folder / good)
    child = os.fork()
    if child == 0:
        acting_as(ATTACKER, swapping)
        os._exit(0)
    try:
        for _ in range(6):
            output = exchange.staff("collect", "--update", PS)
            assert LOOT.encode() not in exchange.everything_collected()
            assert exchange.collected(HONEST).is_dir() and "not collected" in output
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def test_an_ordinary_user_collects_with_the_same_guards(exchange: Exchange) -> None:
    """as on a hub, where the account `grader` has the course and no rights beside"""
    grader = next((name for name in ("backup", "mail", "news", "bin") if _there(name)), None)
    if grader is None:
        pytest.skip("this system has no fourth account")
    if any(not place.stat().st_mode & 0o005 for place in (ROOT, ROOT / "autograder")):
        pytest.skip("another user may not read this working copy")
    for path in (exchange.course, *exchange.course.rglob("*"), exchange.root / "autumn", *(exchange.root / "autumn").rglob("*")):
        shutil.chown(path, grader)
    (exchange.room / "hidden" / "test_suite.py").chmod(0o600)
    honest = {user: exchange.submit(user, f"of {user}") for user in USERS}
    bad = hostile(exchange)
    done = as_user(grader, exchange.course, "-m", "nbgrader", "collect", PS, repository=ROOT)
    assert done.returncode == 0, done.stderr
    for user, record in honest.items():
        assert (exchange.collected(user) / f"{PS}.ipynb").read_bytes() == (record / f"{PS}.ipynb").read_bytes()
        assert abs(exchange.time_of(user) - record.stat().st_ctime) < 60
    for name in bad:
        assert "not collected: " + " ".join(name.split()) + ": " in done.stderr, name
    assert LOOT.encode() not in exchange.everything_collected()


def _there(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
