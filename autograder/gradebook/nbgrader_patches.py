"""The patches of nbgrader and nbconvert: for each patch, the replaced part and the reason.

While we run them:

    Gradebook.__init__, .close       one database engine for all openings, about ten for each submission: `one_session`
    api.get_alembic_version          the newest schema, without a process that takes a second: `one_session`
    nbconvert's html.BeautifulSoup   no second parsing of finished pages, two thirds of their time: `without_parsing`
    rfc3987_syntax, of jsonschema    no parser for international addresses; in this package's `__init__`

In every process that reads a course's nbgrader_config.py, nbgrader's own commands and formgrader too (`guard_commands`):

    Autograde.start                  reads submitted/ only through the gate, and copies no other file into autograded/
    CourseDirectory.get_existing_timestamp     follows no link, waits for no pipe, and one wrong time stops no page
    SubmissionFilesHandler           a file beside a notebook in autograded/ is shown without the rights of formgrader's pages
    SubmittedAssignment.duedate      an extension in a set without a due date is not an error
    GradeHandler.put                 a score by hand is a line of the course's log, with its author

Nothing else of nbgrader and nbconvert is changed in place. Our subclasses, which both libraries provide for, are in
`preprocessors.py` (two steps), `recording/recorder.py` (converters for a list of students, an exporter that validates once)
and `feedback/exporter.py` (the same for pages, and the grades of a page with two queries). `settings.py` chooses the steps, the
templates and the filters.
"""
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from nbconvert.exporters import html
from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.dbutil import ALEMBIC_DIR
from nbgrader.utils import parse_utc
from sqlalchemy.exc import SAWarning

from autograder.submission.gate import SUBMITTED, TIMESTAMP, opened

FORMGRADER = "nbgrader.server_extensions.formgrader"
# For a file that is shown by itself: no script, no form, and no origin that could send requests to formgrader.
ALONE = "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"


@contextmanager
def one_session(app: NbGrader) -> Iterator[Gradebook]:
    """Let all parts of nbgrader share one database engine inside this block.

    nbgrader opens the database about ten times for each submission and inspects all its tables each
    time. Here each opening is only a new session of one engine; nothing else is different.
    """
    with replaced(api, "get_alembic_version", _schema_version), warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # nbgrader's own way of adding a submission
        shared = Gradebook(app.coursedir.db_url, app.coursedir.course_id)

        def lend(self: Gradebook, *args: object, **kwargs: object) -> None:
            self.__dict__.update(shared.__dict__)

        try:
            with replaced(Gradebook, "__init__", lend), replaced(Gradebook, "close", lambda self: self.db.remove()):
                yield shared
        finally:
            shared.close()


def _schema_version() -> str | None:
    """The output of `alembic heads`; nbgrader needs it for a new database and starts a process for it, which takes a second."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


class _Unparsed(str):
    """A page as text instead of a parse tree; nbconvert may call its `select`."""

    def select(self, selector: str) -> list[object]:
        return []


def without_parsing() -> AbstractContextManager[None]:
    """Stop nbconvert from parsing every finished page again.

    nbconvert parses it to add missing descriptions of pictures and to number JupyterLab's cells. Our pictures have
    descriptions, and our pages have no such cells.
    """
    return replaced(html, "BeautifulSoup", lambda page, features: _Unparsed(page))


@contextmanager
def replaced(owner: object, name: str, value: object) -> Iterator[None]:
    """Replace an attribute of an object, a class or a module inside this block."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def guard_commands() -> None:
    """Replace the parts of nbgrader's own commands that would read or show whatever a student has put into a folder."""
    Autograde.start = _start_judged
    CourseDirectory.get_existing_timestamp = _existing_timestamp
    SubmittedAssignment.duedate = property(_due)
    # only in formgrader's own process, where both are imported before it reads a configuration
    pages, requests = (sys.modules.get(f"{FORMGRADER}.{name}") for name in ("handlers", "apihandlers"))
    if pages is not None and requests is not None:
        pages.SubmissionFilesHandler.set_extra_headers = _shown_alone
        requests.GradeHandler.put = _logged(requests.GradeHandler.put)


def _start_judged(self: Autograde) -> None:
    """Run nbgrader's autograde over a folder in which each student has the released notebook and nbgrader's own two files.

    The steps of the autograde read the student's work itself, by the gate (`preprocessors.py`). nbgrader alone would open
    whatever is in submitted/, and copy all files of a student to autograded/, from where formgrader shows them.

    Raises:
        NbGraderException: the set is not released.
    """
    if hasattr(self, "jobs"):
        BaseConverter.start(self)  # the recording of a class: its notebooks are clean already
        return
    coursedir, ps = self.coursedir, self.coursedir.assignment_id
    root = Path(coursedir.root)
    release = root / "release" / ps / f"{ps}.ipynb"
    if not release.is_file():
        raise NbGraderException(f"{release} is missing: make the course with `make course`, or grade it with `make grade`")
    self.submitted_directory = before = coursedir.submitted_directory
    work = root / ".work"
    work.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="autograde-", dir=work) as room:
        _lay_out_judged(self, root / before, Path(room), release.read_bytes())
        coursedir.submitted_directory = os.path.relpath(room, root)
        try:
            BaseConverter.start(self)
        finally:
            coursedir.submitted_directory = before


def _lay_out_judged(autograde: Autograde, submitted: Path, room: Path, notebook: bytes) -> None:
    """Make a folder for each student who has handed in; warn about each whose folder is not a folder, or is a link."""
    from autograder.gradebook.stamp import read_side_files  # imported late: it imports the grader

    ps, students = autograde.coursedir.assignment_id, autograde.coursedir.student_id or "*"
    for name in sorted(os.listdir(submitted)) if submitted.is_dir() else ():
        folder = submitted / name / ps
        if not fnmatchcase(name, students) or not os.path.lexists(folder):
            continue
        try:
            with opened(folder):
                pass
        except OSError as error:
            autograde.log.warning(f"{SUBMITTED}/{name}/{ps} is not graded: not a folder, or behind a link ({error.strerror})")
            continue
        place = room / name / ps
        place.mkdir(parents=True)
        (place / f"{ps}.ipynb").write_bytes(notebook)
        for side, data in read_side_files(folder).items():
            (place / side).write_bytes(data)


def _existing_timestamp(self: CourseDirectory, dest_path: str) -> datetime | None:
    from autograder.gradebook.stamp import read_side_files

    data = read_side_files(Path(dest_path)).get(TIMESTAMP, b"")
    time: datetime | None = parse_utc(data.decode().strip() or None)
    return time


def _due(self: SubmittedAssignment) -> datetime | None:
    """Return when a submission is due, in UTC without a time zone; nbgrader adds an extension to a date that may be None."""
    due: datetime | None = self.assignment.duedate
    return due if due is None or self.extension is None else due + self.extension


def _shown_alone(self: Any, path: str) -> None:
    self.set_header("Content-Security-Policy", ALONE)
    self.set_header("X-Content-Type-Options", "nosniff")


def _logged(put: Any) -> Any:
    """Return formgrader's way of storing a score with a line in the course's log for each change.

    nbgrader's own function decides who may do so, and stores the score. If the line cannot be written, the earlier score is put
    back, and formgrader shows that nothing was stored: no decision counts without its line.
    """
    if hasattr(put, "logged"):  # the configuration is read again for each page
        return put

    def put_and_log(self: Any, grade_id: str) -> Any:
        from autograder.gradebook.markers import log_mark, scores, who_marks  # imported late: it imports the grader

        try:
            grade = self.gradebook.find_grade_by_id(grade_id)
        except MissingEntry:
            return put(self, grade_id)
        before, looked_at = scores(grade), grade.needs_manual_grade
        answer = put(self, grade_id)
        try:
            log_mark(Path(self.coursedir.root), grade, before, who_marks(self.current_user))
        except OSError:
            (grade.manual_score, grade.extra_credit), grade.needs_manual_grade = before, looked_at
            self.gradebook.db.commit()
            raise
        return answer

    put_and_log.logged = put  # type: ignore[attr-defined]
    return put_and_log
