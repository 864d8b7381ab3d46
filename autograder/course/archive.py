"""An archive of a course that opens without this project: one zip with a README, an index, the marks as tables, and every file.

    README.txt        what this is, with which versions it was made, how to restore it, how to grade again
    index.html        everybody's marks, with links to the pages
    gradebook.csv     each score of the gradebook: automatic, by hand, extra, comment
    files.csv         path, size, sha256, time and mode of every file of the course
    restore.py        unpacks and checks it, with any Python
    course/           the course's folder, without its cache, its working files and older archives
    project.zip       the code of this project, if the course was archived from a git clone
"""

from __future__ import annotations

import csv
import hashlib
import io
import shutil
import sqlite3
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import platform, python_version

from arena.errors import UserError
from arena.version import number
from autograder.course.restore import AT_ONCE, COURSE, FILES, HEADER, WrongArchive, unpack
from autograder.course.roster import check_course, check_gradebook
from autograder.course.storage.lock import course_lock
from autograder.course.zips import entry_of
from autograder.csv_text import csv_text
from autograder.gradebook.course import GRADEBOOK, open_course
from autograder.gradebook.course_python import FILE as VERSION
from autograder.gradebook.ledger import GradebookEntry, read_ledger
from autograder.gradebook.marks.final_marks import FinalMarks, mark_text
from autograder.gradebook.marks.read_marks import read_marks
from autograder.gradebook.nbgrader_patches import one_session
from autograder.gradebook.policy.course_file import read_course_file
from autograder.gradebook.tables import points_text
from autograder.gradebook.versions import copy_gradebook
from autograder.json_files import read_state
from autograder.log import log
from autograder.pages.environment import environment
from autograder.paths import REPOSITORY

LEFT_OUT = (".cache", ".work", ".lock", ".ipynb_checkpoints", "__pycache__", ".git")  # made again, or of no course
PACKAGES = ("nbgrader", "nbconvert", "numpy", "torch", "SQLAlchemy", "pytest")
FOR_OWNER = 0o100600  # the mode of every member; files.csv has the modes and the times


@dataclass(frozen=True)
class Archived:
    """An archive: its place, and the number of files and bytes of the course in it. links: what was left out as a link."""

    path: Path
    files: int
    bytes: int
    links: tuple[str, ...]


def archive(course: Path, to: Path) -> Archived:
    """Write the archive of a course; nothing of the course changes but its log.

    Raises:
        UserError: `to` exists, is in the course, or cannot be written; the course has no gradebook.
        Busy: a grader is at work in the course.
    """
    check_course(course)
    check_gradebook(course)
    if to.exists() or to.resolve().is_relative_to(course.resolve()):
        raise UserError(f"{to} exists, or is in the course itself: name a new file that is in another folder")
    draft = to.with_name(f"{to.name}.tmp")
    with course_lock(course):
        log(course, "archive", to=to.name)
        try:
            made = _write(course, draft)
            draft.rename(to)
        except OSError as error:
            raise UserError(f"{to} cannot be written ({error.strerror})") from error
        finally:
            draft.unlink(missing_ok=True)
    return Archived(to, *made)


def restore(archive_path: Path, folder: Path) -> int:
    """Unpack an archive into a new folder and check each file; return the number of files.

    Raises:
        UserError: it is no archive of a course, it is damaged, or the folder is not empty.
    """
    try:
        return unpack(archive_path, folder)
    except WrongArchive as error:
        raise UserError(str(error)) from None


def _write(course: Path, draft: Path) -> tuple[int, int, tuple[str, ...]]:
    files, links = _files(course)
    rows, total = [], 0
    draft.touch(mode=0o600)
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as packed, tempfile.TemporaryDirectory() as folder:
        for path in files:
            about = path.stat()
            content = _consistent(path, Path(folder)) if path.name == GRADEBOOK and path.parent == course else path
            inside = path.relative_to(course).as_posix()
            sha256 = _add(packed, COURSE + inside, content)
            size = content.stat().st_size
            rows.append([inside, str(size), sha256, str(about.st_mtime_ns), f"{about.st_mode & 0o777:o}"])
            total += size
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows([HEADER, *rows])
        marks, scores = _marks(course)
        commit = _project(packed, Path(folder))
        texts = {
            FILES: table.getvalue(),
            "gradebook.csv": scores,
            "index.html": _index(course, marks),
            "restore.py": Path(__file__).with_name("restore.py").read_text(encoding="utf-8"),
            "README.txt": _readme(course, len(rows), commit, links),
        }
        for name, text in texts.items():
            packed.writestr(entry_of(name, FOR_OWNER), text.encode())
    return len(rows), total, links


def _files(course: Path) -> tuple[list[Path], tuple[str, ...]]:
    """The files of a course that are archived, in alphabetical order; and the links and others, which are not."""
    files, others = [], []
    for path in sorted(course.rglob("*")):
        inside = path.relative_to(course)
        if set(inside.parts) & set(LEFT_OUT) or path.name.endswith(".tmp"):
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            others.append(inside.as_posix())
        elif path.is_file():
            files.append(path)
    return files, tuple(others)


def _consistent(gradebook: Path, folder: Path) -> Path:
    """A copy of the gradebook that is one state of it."""
    copy = folder / GRADEBOOK
    try:
        copy_gradebook(gradebook, copy)
    except sqlite3.Error as error:
        raise UserError(f"{gradebook} cannot be read ({error}): put back an undamaged copy, for example a backup") from error
    return copy


def _add(packed: zipfile.ZipFile, name: str, path: Path) -> str:
    """Add a file in parts, and return its sha256."""
    digest = hashlib.sha256()
    with path.open("rb") as file, packed.open(entry_of(name, FOR_OWNER), "w", force_zip64=True) as member:
        for part in iter(lambda: file.read(AT_ONCE), b""):
            digest.update(part)
            member.write(part)
    return digest.hexdigest()


def _marks(course: Path) -> tuple[FinalMarks, str]:
    """The final marks, and each score of the gradebook as a table."""
    with one_session(open_course(course, read_course_file(course).sets[0])) as gradebook:
        marks = read_marks(course, gradebook)
        scores = [row for name in marks.assignments for row in _scores(name, read_ledger(gradebook, name))]
    header = ["student", "assignment", "cell", "automatic", "by_hand", "extra", "late_penalty_of_all", "comment"]
    return marks, csv_text(header, scores)


def _scores(name: str, ledger: dict[str, GradebookEntry]) -> Iterator[list[str]]:
    for student, entry in sorted(ledger.items()):
        for cell in sorted({*entry.auto, *entry.comments}):
            comment = entry.comments.get(cell, (None, None))[1] or ""
            if cell in entry.auto or comment:
                scores = (entry.auto.get(cell), entry.manual.get(cell), entry.extra.get(cell), entry.penalty)
                yield [student, name, cell, *map(points_text, scores), comment]


def _index(course: Path, marks: FinalMarks) -> str:
    """The page that leads to everything else; its links are relative to the archive."""
    def page(student: str, name: str) -> str:
        places = (f"feedback/{student}/{name}/{file}.html" for file in ("index", name))
        return next((f"{COURSE}{place}" for place in places if (course / place).is_file()), "")

    rows = [{"person": person, "total": points_text(round(marks.total(person.id), 6)), "most": points_text(marks.most(person.id)),
             "marks": [(mark_text(marks, person.id, name), page(person.id, name)) for name in marks.assignments]}
            for person in marks.people]
    return environment().get_template("archive.html").render(
        name=course.resolve().name, at=f"{datetime.now(UTC):%Y-%m-%d}", assignments=list(marks.assignments.items()), rows=rows,
        tables=[table for table in ("final.csv", "grades.csv", "changes.csv", "log.jsonl", "report/index.html")
                if (course / table).is_file()], course=COURSE)


def _project(packed: zipfile.ZipFile, folder: Path) -> str:
    """Add the code of this project, and return its commit; "" without git or without a clone."""
    made, git = folder / "project.zip", shutil.which("git")
    if git is None or not (REPOSITORY / ".git").exists():
        return ""
    def run(*words: str) -> str:
        return subprocess.run([git, *words], cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.strip()

    try:
        commit = run("rev-parse", "HEAD")
        run("archive", "--format=zip", f"--output={made}", commit)
    except (OSError, subprocess.CalledProcessError):
        return ""
    _add(packed, made.name, made)
    return commit


def _readme(course: Path, files: int, commit: str, links: tuple[str, ...]) -> str:
    noted = read_state(course / VERSION)
    graded_by = ", ".join(f"{key} {value}" for key, value in sorted(noted.items())) or "not noted"
    packages = ", ".join(f"{name} {found}" for name in PACKAGES if (found := _version(name)))
    name = course.resolve().name
    code = (f"project.zip is this project at commit {commit}." if commit else
            "The code of the project is not in this archive, because it was not made from a git clone.")
    left = f"\nLeft out, because they are links or no files: {', '.join(links)}\n" if links else ""
    return f"""Archive of the course {name}, made on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC.

Keep it where no student can read it: it has the hand-ins, the marks, and the secret of the course's hidden checks.

TO LOOK AT IT, unpack the zip with any program and open index.html in any browser: everybody's marks, with links to the feedback.
course/final.csv has the final marks, gradebook.csv every score and comment behind them, course/submitted/ the hand-ins as they
came, course/feedback/ the pages that students read, course/log.jsonl the decisions of staff.

TO RESTORE THE COURSE, take restore.py out of the zip and run it with any Python from 3.8 on:

    python restore.py NEW_FOLDER {name}.zip

It checks each of the {files} files with its sha256 (files.csv) and gives it its time and mode. With the project installed, the
same is `python -m autograder staff restore {name}.zip NEW_FOLDER`. Then `make export`, `make return` and formgrader work in the
new folder, under any Python that the project runs on. Under another Python nothing is graded again unless you say so.

TO GRADE AGAIN as then, use the code and the Python that graded last: {graded_by}.
{code}
Unpack it, run `PYTHON=python{noted.get("python", python_version().rpartition(".")[0])} make setup`, restore the course, and run
`make grade COURSE=NEW_FOLDER`. requirements.lock in the code has every package with its version and hash.

MADE WITH version {number()} of the project, Python {python_version()}, {packages}, on {platform()}.
{left}"""


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
