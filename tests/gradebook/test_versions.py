"""Another version of the project copies the gradebook before it writes into it, and a mark that it changes says so."""

import os
import resource
import sqlite3
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.gradebook import stamp, versions
from autograder.gradebook.course_python import FILE, NOTE
from autograder.gradebook.extension import extend
from autograder.gradebook.stamp import BY, cause_of
from autograder.gradebook.tables import Change
from autograder.gradebook.versions import KEPT, keep_gradebook, this_version
from autograder.grading.config import PYTHON
from autograder.grading.report import UNDECIDED
from autograder.json_files import read_state, write_state
from autograder.modes import in_course

OLDER = {**this_version(), "number": "0.0.1", "code": "other"}


class Course:
    """A folder with a gradebook in a file; `lines` has the sentences about copies."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.gradebook, self.lines = folder, folder / "gradebook.db", list[str]()

    def fill(self, *marks: int) -> None:
        with sqlite3.connect(self.gradebook) as connection:
            connection.execute("create table if not exists marks (mark integer, room blob)")
            connection.executemany("insert into marks values (?, zeroblob(20000))", [(mark,) for mark in marks])
        connection.close()

    def keep(self, before: dict[str, str] | None = OLDER, url: str = "") -> None:
        if before is not None:
            write_state(self.folder / FILE, before)
        keep_gradebook(self.folder, url or f"sqlite:///{self.gradebook}", self.lines.append)

    def copies(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir() if path.name not in (FILE, self.gradebook.name))


def marks(database: Path) -> list[int]:
    connection = sqlite3.connect(database)
    stored = [mark for (mark,) in connection.execute("select mark from marks")]
    connection.close()
    return stored


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


def test_a_new_course_has_nothing_to_copy_and_remembers_its_version(course: Course) -> None:
    course.gradebook.touch()
    course.keep(before=None)
    noted = read_state(course.folder / FILE)
    assert (course.copies(), course.lines, {**noted, NOTE: PYTHON}, NOTE in noted) == ([], [], this_version(), False)


def test_the_same_version_copies_nothing(course: Course) -> None:
    course.fill(1)
    course.keep(before=this_version())
    assert (course.copies(), course.lines) == ([], [])


@pytest.mark.parametrize("before", [OLDER, {**OLDER, "number": this_version()["number"]}, {}])
def test_another_version_and_an_unknown_one_copy_the_gradebook_and_say_where(course: Course, before: dict[str, str]) -> None:
    course.fill(1, 2)
    was = course.gradebook.read_bytes()
    course.keep(before)
    (name,), (line,) = course.copies(), course.lines
    assert name.startswith(f"gradebook.db.before-{this_version()['number']}-2") and line.endswith(name) and "\n" not in line
    assert marks(course.folder / name) == [1, 2] and course.gradebook.read_bytes() == was
    course.keep(before=None)
    assert len(course.lines) == 1


@pytest.mark.parametrize("before", [this_version(), OLDER])
def test_the_python_of_the_course_stays_and_copies_nothing_by_itself(course: Course, before: dict[str, str]) -> None:
    course.fill(1)
    course.keep({**before, NOTE: "3.9"})
    assert (len(course.copies()), read_state(course.folder / FILE)) == (before is OLDER, {**this_version(), NOTE: "3.9"})


def test_a_copy_is_never_overwritten_and_the_last_few_stay(course: Course) -> None:
    for mark in range(KEPT + 2):
        course.fill(mark)
        course.keep()
        os.utime(newest := Path(course.lines[-1].rpartition(" ")[2]), (mark, mark))
        assert marks(newest) == list(range(mark + 1))
    kept = [marks(course.folder / name) for name in course.copies()]
    assert sorted(map(len, kept)) == [3, 4, 5]


def test_the_copy_is_whole_while_formgrader_writes(course: Course) -> None:
    course.fill(1)
    writer = sqlite3.connect(course.gradebook)
    writer.execute("insert into marks values (2, null)")
    course.keep()
    writer.rollback()
    writer.close()
    assert marks(course.folder / course.copies()[0]) == [1]


def test_the_copy_is_for_those_who_may_read_the_course(course: Course) -> None:
    course.fill(1)
    course.folder.chmod(0o700)
    with in_course(course.folder):
        course.keep()
    assert (course.folder / course.copies()[0]).stat().st_mode & 0o777 == 0o600


def test_a_full_disk_is_one_sentence_and_changes_nothing(course: Course) -> None:
    """a limit of the size of files: the kernel refuses the copy's pages, as on a full disk"""
    course.fill(1, 2, 3)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    write_state(course.folder / FILE, OLDER)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, hard))
    try:
        with pytest.raises(UserError, match="the disk is full: there is no room for the copy of .*make room and run again"):
            course.keep(before=None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (course.copies(), course.lines, read_state(course.folder / FILE)) == ([], [], OLDER)
    course.keep(before=None)
    assert len(course.copies()) == 1


def test_a_damaged_gradebook_is_one_sentence(course: Course) -> None:
    course.gradebook.write_bytes(b"no database" * 1000)
    with pytest.raises(UserError, match="cannot be read .file is not a database."):
        course.keep()
    assert course.copies() == []


def test_of_a_gradebook_on_a_server_staff_read_the_command(course: Course) -> None:
    url = "postgresql+pg8000://grader:secret@host:5433/autumn"
    course.keep(url=url)
    assert course.lines == []  # nothing was graded in this folder yet
    (course.folder / "autograded").mkdir()
    course.keep(url=url)
    (line,) = course.lines
    assert line.endswith(f"pg_dump -h host -p 5433 -U grader autumn > gradebook.before-{this_version()['number']}.sql")
    assert "secret" not in line


def stamped(**by: str) -> dict[str, object]:
    return {"submission": "bytes", "edition": "secret", BY: {**this_version(), **by}}


@pytest.mark.parametrize("before, cause", [
    ({}, "submission"),
    ({**stamped(number="0.0.1"), "submission": "others"}, "submission"),
    ({**stamped(number="0.0.1"), "edition": "another"}, "edition"),
    (stamped(number="0.0.1", code="other", suite="other"), "suite"),
    (stamped(number="0.0.1"), "version"),
    (stamped(code="other"), "version"),
    ({"submission": "bytes", "edition": "secret"}, "version"),  # of a time when no version was noted
    (stamped(python="3.9"), "python"),
    (stamped(), "suite"),  # an excused check, another limit of time
])
def test_the_cause_of_a_change(before: dict[str, object], cause: str) -> None:
    assert cause_of(0.0, 10.0, before, stamped()) == cause
    assert cause_of(UNDECIDED, 10.0, before, stamped()) == "fault"


def test_a_change_by_another_version_is_recorded_as_that(small_class, monkeypatch) -> None:
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada", failed=("2.5",)))
    newer = {**this_version(), "number": "99.0"}
    monkeypatch.setattr(stamp, "this_version", lambda: newer)
    assert small_class.record(ada=small_class.report("ada", failed=("2.5",))) == []
    assert small_class.record(ada=small_class.report("ada")) == [Change("ada", "2.5", 0.0, 10.0, "version")]
    assert "ada,ps2_uct,2.5,0,10,version," in (small_class.folder / "changes.csv").read_text()


def test_a_course_is_copied_before_the_release_is_touched(small_class, capsys) -> None:
    from autograder.gradebook.course import prepare

    write_state(small_class.folder / FILE, OLDER)
    prepare(small_class.folder, "ps2_uct")
    output = capsys.readouterr().out
    assert output.startswith("version 0.0.1 of this project graded this course before. A copy") and output.count("\n") == 1
    assert len(versions._copies(small_class.folder / "gradebook.db")) == 1


def test_an_extension_is_written_after_the_copy_too(small_class, capsys) -> None:
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada"))
    write_state(small_class.folder / FILE, OLDER)
    assert extend(small_class.folder, "ps2_uct", {"ada": 1})
    assert "A copy of the gradebook as that version left it is now in" in capsys.readouterr().out
    (copy,) = versions._copies(small_class.folder / "gradebook.db")
    extensions = [sqlite3.connect(file).execute("select extension from submitted_assignment").fetchall()
                  for file in (copy, small_class.folder / "gradebook.db")]
    assert extensions[0] == [(None,)] != extensions[1]
