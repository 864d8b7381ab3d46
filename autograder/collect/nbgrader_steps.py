"""nbgrader's own zip_collect carries out a plan, and sees no name that a stranger chose.

nbgrader changes names (it removes an ending and adds another one), and one file that it cannot write ends its run. So it gets
each submission by itself, and numbers in place of names. It copies the bytes and writes timestamp.txt by our clock. Then the
files get their names, and the result is compared with the plan, file by file.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from arena.errors import UserError
from arena.files import read_regular
from autograder.collect.archive import MOST_BYTES, unpack
from autograder.collect.rows import LEFT_OVER, WORK, Plan, Row, Submission
from autograder.gradebook.course import Records
from autograder.plain_text import plain_text
from autograder.submission.gate import TIMESTAMP

STUDENT = "student"  # nbgrader's name for the one student of a run
_OF_THE_MACHINE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ENOMEM, errno.EMFILE, errno.ENFILE})


class NumberedExtractor(ExtractorPlugin):
    """Writes the bytes of a submission's files, each under a number as its name."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Write all files. A file that cannot be read is left over; if it is a notebook or module, so is the whole submission."""
        app = self.parent
        for number, (path, row) in enumerate(app.submission.files.items()):
            row.sha256, why = unpack(app.archive, row.member, Path(extracted_path, str(number)))
            if why is not None:
                _leave(app.submission, path, row, why)


class NumberedCollector(FileNameCollectorPlugin):
    """Tells nbgrader that a number is the name of a file, and when it was handed in."""

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return student, name and time of one extracted file; None if it is not collected."""
        submission, number = self.parent.submission, Path(submitted_file).name
        if number not in _numbered(submission):
            return None
        fields = {"student_id": STUDENT, "file_id": number}
        return fields | ({"timestamp": submission.time.isoformat(" ")} if submission.time else {})


def _numbered(submission: Submission) -> dict[str, tuple[str, Row]]:
    """The files that are collected, by their numbers."""
    return {str(number): (path, row) for number, (path, row) in enumerate(submission.files.items()) if not row.outcome}


def _leave(submission: Submission, path: str, row: Row, why: str) -> None:
    row.end(LEFT_OVER, why)
    if path.lower().endswith(WORK):
        submission.leave(f"{PurePosixPath(path).name!r} of the same submission is {why}")


def of_the_machine(error: OSError) -> bool:
    """Whether an error affects everybody, such as a full disk; any other error affects one submission."""
    return error.errno in _OF_THE_MACHINE


def stage(archive: zipfile.ZipFile, plan: Plan, work: Path) -> Path:
    """Let nbgrader collect the submissions of a plan; return the folder that contains them, `<student>/<ps>/` each.

    A submission that cannot be written, or that is not there as planned, is left over.

    Args:
        work: a folder for this run alone, which the caller makes and deletes.

    Raises:
        UserError: nbgrader refuses; its reason is in the sentence.
        OSError: the machine refuses to write anything at all.
    """
    work = work.resolve()
    staged = work / "staged"
    for number, submission in enumerate(plan.submissions):
        place = staged / submission.student / plan.ps
        try:
            collected = _collect(archive, submission, plan.ps, work / str(number))
            if collected.is_dir():
                _name(collected, place, submission)
                if why := difference(place, submission):
                    submission.leave(why)
        except OSError as error:
            if of_the_machine(error):
                raise
            submission.leave(f"cannot be collected: {error.strerror or error}")
        shutil.rmtree(work / str(number), ignore_errors=True)
    return staged


def _collect(archive: zipfile.ZipFile, submission: Submission, ps: str, work: Path) -> Path:
    """Run nbgrader's zip_collect for one submission; return the folder with the numbered files, which exists if any do."""
    app = ZipCollectApp(log_level=logging.ERROR)
    records = Records()
    app.log.handlers[:] = [records]
    app.log.propagate = False
    app.coursedir = CourseDirectory(parent=app, root=str(work))
    app.coursedir.assignment_id = ps
    # nbgrader takes braces for the names of its own fields
    app.collect_directory_structure = str(work).replace("{", "{{").replace("}", "}}") + "/{collect_step}"
    app.extractor_plugin, app.collector_plugin = NumberedExtractor, NumberedCollector
    app.archive, app.submission = archive, submission
    for folder in (app.archive_directory, app.extracted_directory, app.coursedir.submitted_directory):
        (work / folder).mkdir(parents=True)
    try:
        app.init_plugins()
        app.extract_archive_files()
        app.process_extracted_files()
    except (OSError, UserError):
        raise
    except (Exception, SystemExit) as error:
        reason = records.lines[-1] if isinstance(error, SystemExit) and records.lines else f"{type(error).__name__}: {error}"
        raise UserError(f"nbgrader's zip_collect refuses: {plain_text(' '.join(reason.split()), 300)}") from error
    return Path(work, app.coursedir.submitted_directory, STUDENT, ps)


def _name(collected: Path, place: Path, submission: Submission) -> None:
    """Give the files of a submission their names. Any other file beside them is moved too, and `difference` finds it."""
    numbered = _numbered(submission)
    place.mkdir(parents=True)
    for entry in sorted(collected.iterdir()):
        target = place / (numbered[entry.name][0] if entry.name in numbered else entry.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, f"{target.relative_to(place).as_posix()!r} is there already")
        entry.rename(target)


def difference(place: Path, submission: Submission) -> str | None:
    """Compare a staged submission with its plan; return what is different, or None."""
    planned = submission.waiting
    folders = {parent.as_posix() for path in planned for parent in PurePosixPath(path).parents}
    present = {path: is_file for path, is_file in _entries(place) if path not in folders or is_file}
    stamp = {TIMESTAMP: submission.time.isoformat(" ").encode()} if submission.time else {}
    for path in sorted(present.keys() | planned.keys() | stamp.keys()):
        if path not in present:
            return f"{path!r} is not there after the collection"
        content = read_regular(place / path, MOST_BYTES) if present[path] else None
        if content is None:
            return f"{path!r} is not a file after the collection"
        if path in planned and path not in stamp:
            if (len(content), hashlib.sha256(content).digest()) != (planned[path].member.info.file_size, planned[path].sha256):
                return f"{path!r} has other bytes after the collection than in the zip"
        elif path in planned or stamp.get(path) != content:
            return f"{path!r} is there after the collection, but was not planned, or not with this content"
    return None


def _entries(top: Path, below: str = "") -> Iterator[tuple[str, bool]]:
    """Yield what is below a folder, with whether it is a regular file; no link is followed."""
    for entry in os.scandir(top / below):
        path = below + entry.name
        mode = entry.stat(follow_symlinks=False).st_mode
        yield path, stat.S_ISREG(mode)
        if stat.S_ISDIR(mode):
            yield from _entries(top, path + "/")
