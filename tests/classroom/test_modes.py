"""Who may read a course on a machine with other users: its owner, a group of staff if it was opened to one, and nobody else."""

import os
import shutil
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course.storage.lock import course_lock
from autograder.gradebook.course import open_course
from autograder.modes import close_to_others, for_students, in_course, umask_of
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from tests.commands import nbgrader, output_of
from tests.students import hand_in
from tests.unit.in_the_sandbox import as_ordinary_user

PS = "ps1_games"
STAFF = 54321  # a group without a name
# What students get: it holds nothing private, and whoever copies it to them need not open it first.
FOR_STUDENTS = ("release", "handout", "tournament/leaderboard")

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to other users")


def open_to(course: Path, bits: int) -> list[str]:
    """What in a course has one of these bits of its mode, but what is for students."""
    paths = (path for path in [course, *course.rglob("*")] if path.lstat().st_mode & bits and not path.is_symlink())
    names = (path.relative_to(course).as_posix() for path in paths)
    return sorted(name for name in names if not any(name == public or name.startswith(f"{public}/") for public in FOR_STUDENTS))


def hand_in_notebook(course: Path, student: str, work: str = "") -> None:
    with in_course(course):
        hand_in(course, student, PS, work or build(load(PS), solution=True)[0], f"{PS}.ipynb")


@pytest.fixture
def room() -> Iterator[Path]:
    """A folder that every user of the machine may enter; pytest's own is closed."""
    place = Path(tempfile.mkdtemp(prefix="modes-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


@pytest.mark.usefixtures("whole_world")
@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_nothing_in_a_course_is_open_to_others_whatever_the_umask(room: Path, umask: int) -> None:
    course, roster = room / "autumn", room / "people.csv"
    roster.write_text("id,first_name,last_name,email\nada,Ada,L,\nbob,Bob,N,\n")
    output_of("course", course, "--roster", roster, "--sets", PS, "--due", "2026-10-05 23:59", umask=umask)
    hand_in_notebook(course, "ada")
    hand_in_notebook(course, "bob", "no notebook")
    for words in (["staff", "extend", course, "ada", "--hours", "5", "--ps", PS], ["grade", course, "--workers", "1"],
                  ["similarity", course, "--ps", PS], ["export", course, "json"]):
        output_of(*words, umask=umask)
    done = nbgrader(course, "generate_feedback", PS, "--force", umask=umask)
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(course.stat().st_mode) == 0o700
    assert open_to(course, 0o077) == []
    there = {path.name for path in course.rglob("*") if path.is_file()}
    assert {f"{PS}.json", f"{PS}.staff.json", "gradebook.db", "final.csv", "edition.secret", "log.jsonl", f"{PS}.html",
            "roster.csv", "course.toml", "nbgrader_config.py", f"similarity-{PS}.html", "extensions.json"} <= there
    for path in (course / "release" / PS / f"{PS}.ipynb", course / "handout" / f"{PS}.zip"):
        assert path.stat().st_mode & 0o444 == 0o444 and path.parent.stat().st_mode & 0o555 == 0o555
    if os.geteuid() == 0:
        stranger = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        assert subprocess.run([*stranger, "ls", room], capture_output=True).returncode == 0
        for place in ("", "reports/ada", "grades.csv", f"submitted/ada/{PS}", f"feedback/ada/{PS}/{PS}.html"):
            assert (course / place).exists()
            refused = subprocess.run([*stranger, "ls", course / place], capture_output=True, text=True)
            assert "Permission denied" in refused.stderr, place


def test_a_course_that_stood_open_is_closed_and_told_once(tmp_path: Path) -> None:
    messages: list[str] = []
    for _ in range(2):
        with course_lock(tmp_path, messages.append):
            pass
    assert messages == []  # the folder is new: there is nothing to tell
    tmp_path.chmod(0o755)
    for _ in range(2):
        with course_lock(tmp_path, messages.append):
            assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    (message,) = messages
    assert message.startswith(f"{tmp_path} was open to others (mode 0755) and is closed now (0700); docs/instructors.md says")


@pytest.mark.parametrize("mode, group, closed, umask", [
    (0o755, None, 0o700, 0o077), (0o777, None, 0o700, 0o077), (0o775, None, 0o700, 0o077), (0o750, None, 0o700, 0o077),
    (0o2755, STAFF, 0o2700, 0o077), (0o755, STAFF, 0o700, 0o077), (0o775, STAFF, 0o700, 0o077),
    (0o2770, STAFF, 0o2770, 0o007), (0o2775, STAFF, 0o2770, 0o007), (0o770, STAFF, 0o770, 0o007), (0o2770, None, 0o2770, 0o007),
    (0o2750, STAFF, 0o2750, 0o027), (0o700, STAFF, 0o700, 0o077),
])
@only_root
def test_a_group_may_read_if_somebody_chose_it(tmp_path: Path, mode: int, group: int | None, closed: int, umask: int) -> None:
    course = tmp_path / "course"
    course.mkdir()
    os.chown(course, -1, -1 if group is None else group)
    course.chmod(mode)
    close_to_others(course)
    assert (stat.S_IMODE(course.stat().st_mode), umask_of(course)) == (closed, umask)


def test_the_umask_of_the_process_comes_back(tmp_path: Path, small_umask: int) -> None:
    with course_lock(tmp_path):
        (tmp_path / "ours").touch()
        with for_students():
            (tmp_path / "theirs").touch()
    (tmp_path / "elsewhere").touch()
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("ours", "theirs", "elsewhere")]
    assert modes == [0o600, 0o644, 0o666 & ~small_umask]


@pytest.fixture
def small_umask() -> Iterator[int]:
    before = os.umask(0o002)
    yield 0o002
    os.umask(before)


def test_opening_a_course_leaves_the_umask_alone(tmp_path: Path, small_umask: int) -> None:
    (tmp_path / "nbgrader_config.py").write_text(
        "from autograder.gradebook.settings import configure\nc = get_config()\nconfigure(c, __file__)\n")
    open_course(tmp_path, PS)
    assert os.umask(small_umask) == small_umask


@pytest.mark.usefixtures("whole_world")
@only_root
def test_two_members_of_a_staff_group_grade_in_turn_and_nobody_else_reads(room: Path) -> None:
    course = room / "autumn"
    course.mkdir()
    os.chown(course, 0, STAFF)
    course.chmod(0o2770)
    hand_in_notebook(course, "ada")
    for path in course.rglob("*"):
        os.chown(path, 1001, STAFF)
    for number, user in enumerate(("1001", "1002", "1001")):
        hand_in_notebook(course, f"student{number}", f"no notebook {number}")
        done = as_ordinary_user("-c", f"import os; os.umask(0o022); from autograder.cli.app import main; import sys;"
                                f"sys.argv = ['autograder', 'grade', {str(course)!r}, '--workers', '1']; main()",
                                user=user, groups=str(STAFF))
        assert done.returncode == 0 and f"graded {number + 2} of {number + 2} submissions, 0 grader faults" in done.stdout, (
            done.stdout + done.stderr)
    assert open_to(course, 0o007) == []
    assert {path.stat().st_gid for path in course.rglob("*")} == {STAFF}
    owners = {path.stat().st_uid for path in course.rglob("*") if path.is_file()}
    assert {1001, 1002} <= owners
    assert stat.S_IMODE((course / "gradebook.db").stat().st_mode) == 0o660
    with sqlite3.connect(course / "gradebook.db") as database:
        assert database.execute("select count(*) from submitted_assignment").fetchone() == (4,)
