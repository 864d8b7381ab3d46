"""Tests of the attacks: the quick dozen of attacks has no success, and the watch would notice a success."""

import fcntl
import os
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.gradebook.course import tools_on_path
from autograder.grading.report import Outcome, Report
from autograder.problem_sets.source import load
from autograder.selftest.attack import class_of_attacks, stage
from autograder.selftest.attack.bank import BANK, MARK, PORTS, PWNED, QUICK, load_attacks, positive_controls
from autograder.selftest.attack.class_of_attacks import blind_judge
from autograder.selftest.attack.judge import Verdict, judge, others
from autograder.selftest.attack.pages import acting, formulas, holding
from autograder.selftest.demo.staging import page_of, read_standings
from tests.commands import autograder

ROOT = Path(__file__).resolve().parents[2]


# -- the bank ------------------------------------------------------------------------------------------


def test_the_bank_holds_every_family_and_each_attack_says_what_it_tries():
    attacks = load_attacks()
    assert len(attacks) >= 60
    assert {attack.family for attack in attacks} == {path.stem for path in BANK.glob("[a-z]*.py")}
    assert all(attack.tries.endswith(".") and attack.name == attack.name.strip() for attack in attacks)
    assert len({(attack.tries, attack.ps) for attack in attacks}) == len(attacks)


def test_attacks_are_found_by_name_family_and_part_of_a_name():
    def handles(name=None):
        return [attack.handle for attack in load_attacks(name)]

    first = load_attacks()[0]
    assert handles(first.name) == handles(first.handle) == [first.handle]
    assert handles(first.family) == [attack.handle for attack in load_attacks() if attack.family == first.family]
    assert first.handle in handles(first.name[2:-2]) and len(handles()) > len(handles(QUICK)) >= 12
    with pytest.raises(UserError, match="no attack is called 'nothing of the kind'"):
        load_attacks("nothing of the kind")


# -- a class of a dozen attackers ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def siege(whole_world: None, tmp_path_factory):
    """The quick part, in its own process: it adopts every process that its children leave behind."""
    room = tmp_path_factory.mktemp("siege")
    return room, autograder("attack", QUICK, "--no-around", "--room", room, stdin=subprocess.DEVNULL, timeout=None)


@pytest.mark.usefixtures("processes")
def test_a_dozen_attacks_come_to_nothing(siege):
    room, done = siege
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"attacks: {len(load_attacks(QUICK))} defeated, 0 succeeded"


@pytest.mark.usefixtures("processes")
def test_an_attack_that_got_something_has_succeeded(siege):
    """an attack that was defeated above counts as a success if more, or another result, is expected of it"""
    room, _ = siege
    tools_on_path()
    for attack in (quick for quick in load_attacks(QUICK) if quick.ps == "ps2_uct" and quick.listed):
        standings, page = read_standings(room / "course", attack.ps), page_of(room / "course", attack.ps)
        assert judge(room / "course", attack, standings, page).wrong == ()
        for other in (replace(attack, points=1.5), replace(attack, says="nothing of the kind"), replace(attack, student="nobody"),
                      replace(attack, remark="nothing of the kind"), replace(attack, silent=("outcome",)),
                      replace(attack, listed=False), replace(attack, challenge=(99.0, 100.0))):
            assert judge(room / "course", other, standings, page).wrong, other


@pytest.mark.usefixtures("processes")
def test_a_class_in_which_nobody_is_graded_is_no_class_without_a_success(siege, tmp_path):
    """every attack has 0 points where everybody has 0 points"""
    room, _ = siege
    tools_on_path()
    for folder in ("course", "honest"):
        shutil.copytree(room / folder, tmp_path / folder)
        for report in (tmp_path / folder).glob("reports/honest-*/ps2_uct.json"):
            nothing = Report.unjudged(load("ps2_uct"), "0" * 64, form="notebook", note="", outcome=Outcome.NOT_YET)
            report.write_text(nothing.to_json())
    faults = others(tmp_path / "course", tmp_path / "honest", "ps2_uct", (*load_attacks(QUICK), *positive_controls(["ps2_uct"])))
    assert [what for what in faults if what.startswith("honest-right in ps2_uct: lost")], faults


@pytest.mark.usefixtures("processes")
def test_the_judge_takes_all_points_and_a_found_secret_for_a_success(siege):
    room, _ = siege
    tools_on_path()
    standings, page = read_standings(room / "course", "ps2_uct"), page_of(room / "course", "ps2_uct")
    points, loot = (judge(room / "course", control, standings, page).wrong for control in positive_controls(["ps2_uct"]))
    assert points == ("100 points, not 0",) and any(what.startswith("it found something: LOOT [") for what in loot)


@pytest.mark.usefixtures("processes")
def test_a_blind_judge_is_named(siege, monkeypatch):
    room, _ = siege
    tools_on_path()
    assert blind_judge(room / "course", ("ps2_uct",)) == []
    monkeypatch.setattr(class_of_attacks, "judge", lambda course, attack, *_: Verdict(attack, "nothing", ()))
    assert [what[:48] for what in blind_judge(room / "course", ("ps2_uct",))] == [
        "the judge is blind: control all points of ps2_uc", "the judge is blind: control loot of ps2_uct coun"]


@pytest.mark.usefixtures("processes")
def test_a_grade_that_somebody_moved_is_noticed(siege):
    room, _ = siege
    tools_on_path()
    attacks = load_attacks(QUICK)
    attacks += positive_controls(["ps2_uct"])
    assert others(room / "course", room / "honest", "ps2_uct", attacks) == []
    assert any("unknown student" in what for what in others(room / "course", room / "honest", "ps2_uct", attacks[:1]))
    report = room / "course" / "reports" / "honest-right" / "ps2_uct.json"
    text = report.read_text()
    try:
        report.write_text(text.replace("100.0", "99.0", 1))
        assert any("another report" in what for what in others(room / "course", room / "honest", "ps2_uct", attacks))
    finally:
        report.write_text(text)


# -- the watch -----------------------------------------------------------------------------------------


def test_the_watch_begins_when_setup_has_compiled_everything(tmp_path: Path) -> None:
    """or what setup still compiles in the background would be taken for the attacks' work"""
    lines, lock = [], tmp_path / "compiling.lock"
    stage.wait_for_setup(lines.append, lock)
    with lock.open("w") as compiling:
        fcntl.flock(compiling, fcntl.LOCK_SH)

        def say(line: str) -> None:
            lines.append(line)
            fcntl.flock(compiling, fcntl.LOCK_UN)  # as at the end of its process; else this test would wait for ever

        stage.wait_for_setup(say, lock)
        stage.wait_for_setup(lines.append, lock)
    assert len(lines) == 1 and "setup" in lines[0]
    assert stage.COMPILING_LOCK.name in (ROOT / "scripts" / "install.py").read_text()


def test_every_change_of_a_file_is_seen(tmp_path):
    (tmp_path / "build").mkdir()
    for name in ("one", "two", "three"):
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to("one")
    checksums = stage.Checksums(tmp_path, tmp_path / "build")
    (tmp_path / "build" / "anything").write_text("is free")
    os.utime(tmp_path / "two", (1, 1))
    os.link(tmp_path / "two", tmp_path / "build" / "of another environment")  # as uv does for what it installs there
    assert checksums.changed() == [] and len(checksums) == 4
    status = (tmp_path / "one").stat()
    (tmp_path / "one").write_text("eno")
    os.utime(tmp_path / "one", ns=(status.st_atime_ns, status.st_mtime_ns))
    (tmp_path / "two").unlink()
    (tmp_path / "three").chmod(0o777)
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("two")
    (tmp_path / "new").write_text("")
    assert [Path(path).name for path in checksums.changed()] == ["link", "new", "one", "three", "two"]


def test_a_marked_file_is_found(tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    path = tmp_path / "deep" / "er" / f"x{MARK}.txt"
    path.write_text("")
    assert str(path) in stage.marked_files(tmp_path)


def test_checksums_that_compare_nothing_are_noticed(tmp_path, monkeypatch):
    (tmp_path / "one").write_text("one")
    checksums = stage.Checksums(tmp_path, tmp_path / "build")
    assert os.listdir(tmp_path) == ["one"]
    assert checksums.changed() == [] and len(checksums) == 1
    monkeypatch.setattr(checksums, "_take", lambda: checksums.before)
    with pytest.raises(UserError, match="the checksums are blind"):
        checksums.changed()


def test_a_honeypot_that_is_read_says_so(tmp_path):
    honeypots = stage.Honeypots(tmp_path)
    assert honeypots.opened() == []
    honeypots.paths[1].read_text()
    honeypots.paths[2].unlink()
    opened = [str(honeypots.paths[number]) for number in ((1, 2) if honeypots.tells() else (2,))]
    assert honeypots.opened() == opened
    honeypots.paths[2].write_text("")
    honeypots.reset()
    assert honeypots.opened() == []


def test_a_call_is_heard_once_and_a_port_that_is_taken_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setattr(stage, "PORTS", (taken.getsockname()[1], *PORTS))
        listeners = stage.Listeners(tmp_path)
        assert f"tcp 127.0.0.1:{stage.PORTS[0]}" in listeners.unwatched
    with socket.socket(socket.AF_UNIX) as line:
        line.connect("listener")
    free = [port for port in PORTS if f"tcp 127.0.0.1:{port}" in listeners.sockets]
    for port in 2 * free[:1]:
        socket.create_connection(("127.0.0.1", port)).close()
    assert listeners.heard() == [*(f"tcp 127.0.0.1:{port}" for port in free[:1]), "unix, by its path"]
    assert listeners.heard() == []
    listeners.close()


DRILL = """
import os, sys
from pathlib import Path
from autograder.selftest.attack import drill, stage
from autograder.selftest.attack.bank import PASSWORD
stage.adopt_orphans()
stage.PORTS = ()
room = Path(sys.argv[1])
(room / "tmp").mkdir()
os.chdir(room)
honeypots, listeners = stage.Honeypots(room / "honey"), stage.Listeners(room)
for family, kind, name in ((2, 1, "tcp"), (2, 2, "udp")):  # whatever port is free: another class may be under attack
    listeners._open(f"{name} 127.0.0.1:0", family, kind, ("127.0.0.1", 0))
environment = {**os.environ, "TMPDIR": str(room / "tmp"), PASSWORD: honeypots.secret}
exec(sys.argv[2])
drill.drill(room, environment, room / "tmp", honeypots, listeners)
assert honeypots.opened() == listeners.heard() == stage.processes_left(0.0) == list((room / "tmp").iterdir()) == []
"""


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("broken, silent", [
    ("", ""),
    ("honeypots.opened = lambda: []", "the honeypot "),
    ("listeners.heard = lambda: []", "the listener at unix, by its path"),
    ("listeners.sockets.pop('udp 127.0.0.1:0')", "any listener at udp 127.0.0.1"),
    ("stage.processes_left = lambda grace_s=0: []", "the search for processes that are left"),
    ("environment['TMPDIR'] = str(room)", "the folder for temporary files"),
    ("stage.marked_files = lambda also: []", "the search for files with an attack's mark"),
    ("drill.acting_pages = lambda course: []", "the search of the outputs, of feedback/ada/ps/ps.html"),
    ("drill.formulas = lambda course: []", "the search of the outputs, of grades.csv"),
    ("drill.holding = lambda course, words: []", "the search of the outputs, of gradebook.db"),
])
def test_before_a_class_is_graded_every_alarm_has_rung(tmp_path, broken, silent):
    """a child process does what no attack may do; with one alarm switched off, the run stops and names it"""
    done = subprocess.run([sys.executable, "-c", DRILL, str(tmp_path), broken], cwd=ROOT, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)})
    if "honeypot" in silent and not stage.Honeypots(tmp_path / "other").tells():
        pytest.skip("this file system records no access times")
    assert (done.returncode == 0) == (not silent), done.stderr
    assert not silent or "nothing was tried, because the watch is blind" in done.stderr and silent in done.stderr, done.stderr


@pytest.mark.usefixtures("processes")
def test_a_process_that_is_left_is_seen(tmp_path):
    code = """
import subprocess, sys
from autograder.selftest.attack import stage
stage.adopt_orphans()
print(len(stage.processes_left(0.1)))
leave = "import os, time\\nif os.fork() == 0:\\n    os.setsid()\\n    time.sleep(60)"
subprocess.run([sys.executable, "-c", leave])
left = stage.processes_left(0.1)
print(len(left))
import os
os.kill(int(left[0].split()[0]), 9)
print(len(stage.processes_left(10)))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.stdout.split() == ["0", "1", "0"], done.stderr


@pytest.mark.parametrize("page", [
    f"<script>alert('{PWNED}')</script>", f"<img src=x onerror=alert('{PWNED}')>", f"<a href=\"javascript:{PWNED}\">x</a>",
    f"<iframe srcdoc='{PWNED}'></iframe>", f"<style>@import '{PWNED}'</style>", f"<div id={PWNED}>", f"<div class={PWNED}>",
    f"<svg><script>{PWNED}</script></svg>", f"<img src='https://192.0.2.1/{PWNED}'>", f"<p {PWNED}=1>", f"<meta content={PWNED}>",
])
def test_what_acts_in_a_page_is_seen(page):
    assert acting(f"<html><body><p>before</p>{page}<p>after</p>") and not acting(page.replace(PWNED, "x"))


@pytest.mark.parametrize("page", [
    f"<p>&lt;script&gt;alert('{PWNED}')&lt;/script&gt;</p>", f"<img alt='{PWNED}'>", f"<a href='https://x/{PWNED}'>x</a>",
    f"<script>1</script><p>{PWNED}</p>", f"<pre>{PWNED}</pre>",
])
def test_text_in_a_page_is_only_text(page):
    assert not acting(page)


def test_formulas_and_secrets_are_seen(tmp_path):
    (tmp_path / "grades.csv").write_text("student,total\n=1+1,3\nada,-3\n'=1,4\n")
    (tmp_path / "reports" / "ada").mkdir(parents=True)
    (tmp_path / "reports" / "ada" / "ps.json").write_text("the secret is here")
    (tmp_path / "submitted").mkdir()
    (tmp_path / "submitted" / "x").write_text("the secret is here")
    assert list(formulas(tmp_path)) == ["grades.csv: =1+1", "grades.csv: -3"]
    assert list(holding(tmp_path, {"it": b"secret"})) == ["reports/ada/ps.json holds it"]


@pytest.mark.parametrize("letter", ["\x1b", "\x9b", "\x00", "\u202e", "\u2066"])
def test_a_letter_that_acts_on_the_text_around_it_would_be_noticed(letter):
    assert acting(f"<p>{letter}</p>") and not acting("<p>\n\t zoë</p>")
