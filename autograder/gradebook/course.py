"""A folder as an nbgrader course: its configuration, the released problem set, and its gradebook.

    prepare(course, ps)          once per run, before anything is recorded; fast if nothing changed
    open_course(course, ps)      nbgrader's own application object with the course's configuration
"""
import errno
import hashlib
import json
import logging
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.api import Grade, MissingEntry
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import GenerateAssignment, NbGraderException
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DatabaseError, InternalError, OperationalError, SQLAlchemyError

from arena.errors import UserError, explain_os_error
from arena.files import read_regular, write_atomic, write_if_changed
from autograder.gradebook.nbgrader_patches import one_session
from autograder.gradebook.policy.course_file import read_course_file
from autograder.gradebook.policy.late_plugin import load_late_plugin
from autograder.gradebook.policy.teams_file import read_teams
from autograder.gradebook.settings import CONFIG_FILE, OURS
from autograder.gradebook.versions import is_full_disk, keep_gradebook
from autograder.grading.dropped_exercises import AUTOMATIC, BY_HAND, UNDONE, read_entries, write_entries
from autograder.grading.fingerprint import RECORDING, code_fingerprint
from autograder.json_files import read_decisions, read_state, write_decisions, write_state
from autograder.modes import for_students, unchanged
from autograder.plain_text import plain_text
from autograder.problem_sets import build
from autograder.problem_sets.assignments import pytest_ini
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import load
from autograder.submission.read import bare

GRADEBOOK = "gradebook.db"
DUE = "due_dates.json"  # by set: the due date that course.toml gave the gradebook, in UTC
WORK = ".work"  # temporary files; the folder may be deleted at any time
LOG = "nbgrader.log"
_IN_THE_GRADEBOOK = ("grade_id", "cell_type", "grade", "solution", "locked", "task", "points")  # of a cell, by nbgrader's names
Failures = defaultdict[str, list[str]]  # by student: sentences for staff about failures with this submission only
PREPARING = 0x6D637473  # the key of an advisory lock; any number that no other program on the server uses
LARGEST_NOTEBOOK_BYTES = 64 * 2**20


class CourseError(UserError):
    """A problem of the course folder that a person must correct; one line says what to do."""


# Errors of the whole machine: no space, no disk. Every other error concerns one file.
_EVERYBODYS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE})


class Records(logging.Handler):
    """nbgrader's messages: stored for error reports instead of printed."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Store a message."""
        self.lines.append(record.getMessage())

    def keep(self, course: Path) -> None:
        """Write nbgrader's messages to a file, for staff."""
        write_atomic(course / WORK / LOG, plain_text("\n".join(self.lines)) + "\n", mode=0o660)


def stop_for_everybodys(error: BaseException) -> None:
    """Return if an error concerns one submission only.

    Raises:
        CourseError: the error concerns the whole course, such as a full disk. The type of the error decides this, not its text,
            because the text may contain words of a student.
    """
    if isinstance(error, OSError) and error.errno in _EVERYBODYS:
        raise CourseError(explain_os_error(error)) from error
    if isinstance(error, OperationalError | InternalError) or type(error) is DatabaseError:
        reason = str(error.orig)
        raise CourseError(
            "the disk is full: make room and run again; all finished work is kept" if is_full_disk(reason)
            else f"the gradebook of the course cannot be brought up to date ({reason}); the reports are kept"
        ) from error
    if isinstance(error, UserError):
        raise error


def tools_on_path() -> None:
    """Put this interpreter's folder first on PATH: nbgrader's Gradebook runs `alembic` from there."""
    folder = str(Path(sys.executable).parent)
    others = [entry for entry in os.environ.get("PATH", "").split(os.pathsep) if entry and entry != folder]
    os.environ["PATH"] = os.pathsep.join([folder, *others])


def open_course(course: Path, ps: str) -> NbGrader:
    """Return nbgrader's application for a prepared course: `.coursedir`, `.config`, and `.records` of its messages.

    Raises:
        CourseError: nbgrader_config.py is broken, or does not let reports decide the scores.
        UserError: course.toml is broken.
    """
    read_course_file(course)  # first, because the configuration reads it too, and can only end the program
    tools_on_path()
    app = NbGrader(log_level=logging.ERROR)
    app.load_cwd_config = False  # the course's configuration counts, not the current folder's
    app.raise_config_file_errors = True
    search_path = list(sys.path)
    try:
        with unchanged():  # the configuration sets the umask of nbgrader's own commands
            app.initialize([], root=str(course.resolve()))
    except (Exception, SystemExit) as error:
        raise CourseError(f"{course}/nbgrader_config.py cannot be read: {type(error).__name__}: {error}") from error
    finally:
        sys.path[:] = search_path  # nbgrader adds the current folder
    if f"{OURS}.ApplyReport" not in app.config.Autograde.get("autograde_preprocessors", []):
        raise CourseError(
            f"{course}/nbgrader_config.py is not ours: add to it "
            "`from autograder.gradebook.settings import configure` and, at its end, `configure(c, __file__)`"
        )
    try:
        load_late_plugin(course.resolve(), app.config)
    except (Exception, SystemExit) as error:
        name = app.config.AssignLatePenalties.plugin_class
        raise CourseError(f"{course}/nbgrader_config.py names the late plugin {name}, which cannot be loaded: "
                          f"{type(error).__name__}: {error}") from error
    app.coursedir.root = str(course.resolve())
    app.coursedir.assignment_id = ps
    app.records = Records()
    app.log.handlers[:] = [app.records]
    app.log.propagate = False
    database = logging.getLogger("tornado.application")  # nbgrader's gradebook writes tracebacks to this logger
    database.handlers[:], database.propagate = [app.records], False
    return app


def prepare(course: Path, ps: str, say: Callable[[str], None] = print) -> None:
    """Make `course` an nbgrader course that has released `ps`, and bring both up to date.

    Writes nbgrader_config.py if there is none, and source/<ps>/ (the solution notebook, the stub module). Runs nbgrader's
    generate_assignment, which writes release/<ps>/ and adds the set to the gradebook. A due date in course.toml becomes the
    gradebook's; a date that is removed from course.toml is removed from the gradebook too. A date from formgrader stays.
    A dropped exercise has no points at most in the gradebook, and no scores by hand.
    Before the first run of another version of this project, the gradebook is copied.

    Args:
        say: gets a sentence about the copy.

    Raises:
        CourseError: the exercises of the set changed after submissions were graded, or nbgrader refuses it.
        UserError: course.toml is broken.
    """
    due = read_course_file(course).due_in_utc(ps)
    course.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (course / "nbgrader_config.py").exists():
        course_id = re.sub(r"[^\w.-]+", "-", course.resolve().name).strip("-.") or "course"
        write_atomic(course / "nbgrader_config.py", CONFIG_FILE.format(course_id=course_id))
    app = open_course(course, ps)
    if app.coursedir.db_url == f"sqlite:///{app.coursedir.root}/{GRADEBOOK}" and not (course / GRADEBOOK).exists():
        (course / GRADEBOOK).touch()  # SQLite itself would let no group write
    with _one_at_a_time(app.coursedir.db_url):
        keep_gradebook(course, app.coursedir.db_url, say)
        _release(course, app, ps)
        _set_due_date(course, app, ps, due)
        _set_dropped(course, app, ps)


@contextmanager
def _one_at_a_time(db_url: str) -> Iterator[None]:
    """Hold a lock of a PostgreSQL server: graders who begin at once on a new gradebook would make its tables twice.

    For a gradebook in a file, the lock of the course folder is enough.

    Raises:
        CourseError: the server cannot be reached.
    """
    if not db_url.startswith("postgresql"):
        yield
        return
    try:
        engine = create_engine(db_url)
        connection = engine.connect()
    except (SQLAlchemyError, ImportError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise CourseError(f"the gradebook on the PostgreSQL server cannot be opened ({reason}): start the server, "
                          "correct db_url in nbgrader_config.py, or install pg8000") from error
    try:  # the lock ends with the connection, also after a kill
        with connection:
            connection.execute(text("select pg_advisory_lock(:key)"), {"key": PREPARING})
            yield
    finally:
        engine.dispose()


def _set_due_date(course: Path, app: NbGrader, ps: str, due: datetime | None) -> None:
    """Give the gradebook the due date of course.toml; without one, remove the one that course.toml gave it before."""
    path = course / DUE
    given = read_decisions(path)
    before = given.get(ps, {}).get("due")
    if due is None and before is None:
        return
    with one_session(app) as gradebook:
        assignment = gradebook.find_assignment(ps)
        is_ours = assignment.duedate is not None and assignment.duedate.isoformat() == before
        if assignment.duedate != due and (due is not None or is_ours):
            assignment.duedate = due
            gradebook.db.commit()
    now = None if due is None else due.isoformat()
    if now != before:
        write_decisions(path, {**given, ps: {"due": now}})


def taken_away(course: Path, ps: str) -> list[str]:
    """Return the students whose work was recorded here and is no longer in submitted/, in alphabetical order."""
    recorded, there = ({path.parent.name for path in (course / place).glob(f"*/{ps}")} for place in ("autograded", "submitted"))
    teams = read_teams(course)
    return sorted(recorded - {member for student in there for member in teams.members(student, ps)})


def _set_dropped(course: Path, app: NbGrader, ps: str) -> None:
    """Bring the gradebook up to date with the exercises that staff have dropped, or have brought back.

    The scores by hand of a dropped exercise are noted in dropped.json, and are the gradebook's again when it counts again. So
    are the automatic scores of students whose work is no longer in submitted/, because nobody grades it again; where they are
    not known, a person has to give a score.
    """
    entries, problem_set = read_entries(course, ps), load(ps)
    if not entries:
        return
    worth = {exercise.id: 0.0 if exercise.extra else float(exercise.points) for exercise in problem_set.exercises}
    worth[JOINT], gone = float(problem_set.joint_points), set(taken_away(course, ps))
    with one_session(app) as gradebook:
        cells = {id: gradebook.find_graded_cell(problem_set.grade_id(id), ps, ps) for id in entries}
        for id, entry in entries.items():
            is_first, undone = AUTOMATIC not in entry, bool(entry.get(UNDONE))
            by_hand, automatic = entry.setdefault(BY_HAND, {}), entry.setdefault(AUTOMATIC, {})
            for grade in cells[id].grades:
                student = grade.student.id
                if undone:
                    _bring_back(grade, by_hand.get(student), automatic, student in gone)
                    continue
                if grade.manual_score is not None or grade.extra_credit:
                    by_hand[student] = [grade.manual_score, grade.extra_credit]
                if student in gone and is_first:
                    automatic[student] = grade.auto_score
            cells[id].max_score = worth[id] if undone else 0.0
        write_entries(course, ps, entries)  # before the scores leave the gradebook, so that a kill loses none
        for id, entry in entries.items():
            for grade in () if entry.get(UNDONE) else cells[id].grades:
                grade.manual_score = grade.extra_credit = None
                grade.needs_manual_grade = False
                if grade.student.id in gone:
                    grade.auto_score = 0.0
        gradebook.db.commit()
    write_entries(course, ps, {id: entry for id, entry in entries.items() if not entry.get(UNDONE)})


def _bring_back(grade: Grade, by_hand: list[float | None] | None, automatic: dict[str, float | None], gone: bool) -> None:
    """Give a student the scores back that an exercise had before it was dropped, but for those that a run will give."""
    if by_hand and grade.manual_score is None:
        grade.manual_score, grade.extra_credit = by_hand
    if gone:
        grade.auto_score = automatic.get(grade.student.id)
        grade.needs_manual_grade = grade.auto_score is None and grade.manual_score is None


def _release(course: Path, app: NbGrader, ps: str) -> None:
    """Write source/<ps>/ and release/<ps>/, and add the set to the gradebook, if anything behind them has changed.

    What was handed out to a class that has handed in stays, also when a newer version has other words in it.
    """
    stamp_path = course / WORK / f"prepared-{ps}.json"
    before = read_state(stamp_path)
    known, submissions = _in_gradebook(app, ps)
    released = read_regular(course / "release" / ps / f"{ps}.ipynb", LARGEST_NOTEBOOK_BYTES)
    there = known and released is not None
    if there and before.get("code") == code_fingerprint(RECORDING):
        return  # nothing has changed that influences the build
    problem_set = load(ps)
    stub, module = build(problem_set, solution=False)
    solved, _ = build(problem_set, solution=True)
    # the module is the stub in source/ too, because nbgrader copies it to release/ unchanged
    files = {f"{ps}.ipynb": solved, f"{ps}.py": module, "pytest.ini": pytest_ini(module)}
    stamp = {"stub": _sha256(stub + module), "source": _sha256(json.dumps(files)), "code": code_fingerprint(RECORDING)}
    same = before["stub"] == stamp["stub"] if "stub" in before else released in (None, stub.encode())
    kept = bool(submissions) and not same and _same_work(released, stub)
    if submissions and not same and not kept:
        count = f"{submissions} submission{'s were' if submissions > 1 else ' was'}"
        raise CourseError(
            f"the exercises of {ps} changed after {count} graded in {course}: go back to the version of this repository that was "
            "released, or grade the new one in a new course folder"
        )
    for name, content in files.items():
        write_if_changed(course / "source" / ps / name, content)
    if not (there and (same or kept)):  # otherwise at most the solutions changed, and students never see them
        _generate(app, ps)
    write_state(stamp_path, stamp)


def _same_work(released: bytes | None, stub: str) -> bool:
    """Whether a newer notebook asks for the same as the released one: the same cells with points, and all its given code.

    Texts, experiments, visible checks, comments and docstrings may differ: no grade depends on them. A given cell may stand
    elsewhere, and there may be more of them, because grading adds given code that a submission lacks.
    """
    try:
        (asked, given), (asked_now, given_now) = _asked(json.loads(released or b"")), _asked(json.loads(stub))
    except (ValueError, KeyError, TypeError):
        return False
    return asked == asked_now and given <= given_now


def _asked(notebook: dict[str, Any]) -> tuple[list[object], Counter[str]]:
    """What of a notebook a grade depends on: the cells that the gradebook knows, with the code of a stub; and given cells."""
    asked: list[object] = []
    given: Counter[str] = Counter()
    for cell in notebook["cells"]:
        about = cell["metadata"].get("nbgrader", {})
        asked += [[about.get(key) for key in _IN_THE_GRADEBOOK]] if about else []
        if cell["cell_type"] == "code" and not about.get("locked") and "experiment" not in cell["metadata"].get("tags", ()):
            code = bare(["".join(cell["source"])])
            if about:
                asked += code
            else:
                given.update(code)
    return asked, given


def _generate(app: NbGrader, ps: str) -> None:
    """Run nbgrader's generate_assignment over source/<ps>/."""
    converter = GenerateAssignment(coursedir=app.coursedir, parent=app)
    converter.force = True
    try:
        with one_session(app), for_students():
            converter.start()
    except (NbGraderException, SystemExit) as error:
        message = next((line for line in app.records.lines if "Error" in line or "Cannot" in line), str(error))
        raise CourseError(f"nbgrader cannot release {ps}: {message.strip().splitlines()[-1]}") from error


def _in_gradebook(app: NbGrader, ps: str) -> tuple[bool, int]:
    """Whether the gradebook contains the problem set, and the number of its recorded submissions."""
    with one_session(app) as gradebook:
        try:
            notebook = gradebook.find_notebook(ps, ps)
        except MissingEntry:
            return False, 0
        return True, len(notebook.submissions)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
