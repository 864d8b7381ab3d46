"""nbgrader's own zip_collect carries out a plan: our extractor and collector plugins, and a run in a folder beside submitted/.

The extractor writes each file of the plan under a number, so that no name of a stranger is a path before it was looked at. The
collector tells nbgrader the student, the name and the time for each number. nbgrader then makes the folders of the submissions
and writes timestamp.txt.
"""

from __future__ import annotations

import logging
import zipfile
from pathlib import Path, PurePosixPath

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from arena.errors import UserError
from autograder.collect.archive import unpack
from autograder.collect.rows import LEFT_OVER, WORK, Plan, Row, Submission
from autograder.gradebook.course import Records
from autograder.plain_text import plain_text


class PlannedExtractor(ExtractorPlugin):
    """Writes the bytes of a plan's files, `<number><ending>` each."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Write all files; a file that cannot be read is left over, and with a notebook or module its whole submission."""
        run: _Run = self.parent.run
        for submission in run.plan.submissions:
            for path, row in submission.files.items():
                name = f"{len(run.numbered)}{PurePosixPath(path).suffix}"
                run.numbered[name] = (submission, path)
                why = unpack(run.archive, row.member, Path(extracted_path, name))
                if why is not None:
                    _leave(submission, path, row, why)


class PlannedCollector(FileNameCollectorPlugin):
    """Tells nbgrader whose file a number is."""

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return student, name and time of one extracted file; None if it is not collected."""
        submission, path = self.parent.run.numbered[Path(submitted_file).name]
        if submission.files[path].outcome:
            return None
        told = {"student_id": submission.student, "file_id": path}
        return told | ({"timestamp": submission.time.isoformat(" ")} if submission.time else {})


class _Run:
    """What the plugins of one run know. numbered: the submission and the path of each extracted file."""

    def __init__(self, archive: zipfile.ZipFile, plan: Plan) -> None:
        self.archive, self.plan = archive, plan
        self.numbered: dict[str, tuple[Submission, str]] = {}


def _leave(submission: Submission, path: str, row: Row, why: str) -> None:
    row.end(LEFT_OVER, why)
    if path.lower().endswith(WORK):
        for other in submission.files.values():
            other.end(LEFT_OVER, f"{PurePosixPath(path).name!r} of the same submission is {why}")


def run_zip_collect(archive: zipfile.ZipFile, plan: Plan, work: Path) -> Path:
    """Let nbgrader collect the submissions of a plan; return the folder in which they stand, `<student>/<ps>/` each.

    Args:
        work: a folder for this run alone, which the caller makes and deletes.

    Raises:
        UserError: nbgrader refuses; its reason is in the sentence.
        OSError: the machine refuses to write.
    """
    work = work.resolve()
    app = ZipCollectApp(log_level=logging.ERROR)
    records = Records()
    app.log.handlers[:] = [records]
    app.log.propagate = False
    app.coursedir = CourseDirectory(parent=app, root=str(work))
    app.coursedir.assignment_id = plan.ps
    # nbgrader takes braces for the names of its own fields
    app.collect_directory_structure = str(work).replace("{", "{{").replace("}", "}}") + "/{collect_step}"
    app.extractor_plugin, app.collector_plugin = PlannedExtractor, PlannedCollector
    app.run = _Run(archive, plan)
    for folder in (app.archive_directory, app.extracted_directory, app.coursedir.submitted_directory):
        (work / folder).mkdir(parents=True)
    try:
        app.init_plugins()
        app.extract_archive_files()
        app.process_extracted_files()
    except (OSError, UserError):
        raise
    except (Exception, SystemExit) as error:
        said = records.lines[-1] if isinstance(error, SystemExit) and records.lines else f"{type(error).__name__}: {error}"
        raise UserError(f"nbgrader's zip_collect refuses: {plain_text(' '.join(said.split()), 300)}") from error
    return Path(work, app.coursedir.submitted_directory)
