"""Reports -> gradebook: one serial pass of nbgrader's autograde over clean notebooks.

The recordings and the changes are planned first (see planning.py). A run may be killed at any point, or end at a full disk: the
next run records the rest and reports the changes of both runs.
"""
from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import MissingEntry
from nbgrader.preprocessors import AssignLatePenalties

from autograder.gradebook.course import LOG, WORK, Failures, open_course, stop_for_everybodys, taken_away
from autograder.gradebook.due_dates import settle
from autograder.gradebook.hand_ins import folder_of, side_files
from autograder.gradebook.nbgrader_patches import one_session
from autograder.gradebook.policy.teams_file import read_teams
from autograder.gradebook.recording.clean import REPLACED, clean_notebook, plain_notebook
from autograder.gradebook.recording.planning import Plan, planned
from autograder.gradebook.recording.recorder import Recorder
from autograder.gradebook.stamp import Job, Stamp, read_stamp
from autograder.gradebook.tables import Change, write_changes
from autograder.gradebook.team_marks import share_marks
from autograder.grading.report import Report
from autograder.json_files import read_state, write_state
from autograder.limited_child import failure_text
from autograder.submission.discover import NONE
from autograder.submission.payload import Payload, read_payload
from autograder.submission.read import read

Reported = tuple[str, Payload | None, Report]  # if the payload is None, the folder is read when it is needed


class NotReadAgain(Exception):
    """A submission that was read to be graded could not be read to be recorded, for example without memory for a process."""


def record(
    course: Path, ps: str, graded: Iterable[Reported], done: Callable[[str], None] = lambda student: None
) -> list[Change]:
    """Put reports into the gradebook and autograded/, and write changes.csv.

    Args:
        graded: (student, payload or None, report); for None the submission is read from submitted/ when it is needed.
        done: called with each student's name as soon as the student is recorded.

    Raises:
        CourseError: the gradebook does not fit the reports, or cannot be written.
    """
    with Recording(course, ps, done) as recording:
        recording.take(graded)
        changes = recording.finish()
    recording.forget()
    return changes


class Recording:
    """A recording that accepts reports in any number of parts.

    The planned changes are written to disk before the gradebook changes, and stay there until `forget`, at the end of the whole
    run: so the next run knows the changes of a run that did not reach its end, and writes them into its own changes.csv. If a
    student's notebook cannot be made or recorded, a plain notebook is recorded. A student who cannot be recorded at all is
    in `refused`. Both cases are in `failures`, and the next run tries them again.
    """

    def __init__(self, course: Path, ps: str, done: Callable[[str], None] = lambda student: None) -> None:
        self.course, self.ps, self.done = course.resolve(), ps, done
        self.app = open_course(self.course, ps)
        self.unfinished = self.course / WORK / f"recording-{ps}.json"
        self.planned = Plan()
        self.refused: set[str] = set()
        self.failures: Failures = defaultdict(list)
        self.remarks: list[str] = []  # sentences for staff
        self._earlier = _read_unfinished(self.unfinished)

    def __enter__(self) -> Recording:
        self._session = ExitStack()
        self._gradebook = self._session.enter_context(one_session(self.app))
        self._extensions, self.remarks = settle(self.course, self.app, self._gradebook)
        return self

    def __exit__(self, *exception: object) -> None:
        self._session.close()

    @cached_property
    def _release(self) -> NotebookNode:
        release: NotebookNode = nbformat.read(self.course / "release" / self.ps / f"{self.ps}.ipynb", as_version=4)
        return release

    def take(self, graded: Iterable[Reported]) -> None:
        """Record these reports, except those that are recorded already."""
        work = {student: (payload, report) for student, payload, report in graded}
        part, failed = planned(self.course, self.app, self._gradebook, {student: report for student, (_, report) in work.items()})
        for student, why in failed.items():
            self.refused.add(student)
            self.failures[student].append(f"it could not be recorded ({why})")
        self._earlier.join(part)
        self.planned.jobs |= part.jobs
        self.planned.before |= part.before
        self.planned.changes = self._earlier.real_changes()
        if part.jobs:
            _remember(self.unfinished, self._earlier)
            self._record(part.jobs, {student: work[student][0] for student in part.jobs})

    def _record(self, jobs: dict[str, Job], work: dict[str, Payload | None]) -> None:
        """Record all jobs; record failed jobs again with notebooks that contain nothing from the students."""
        def made(student: str, source: Path) -> NotebookNode:
            submission, report = read(work[student] or read_payload(source, self.ps)), jobs[student].report
            if submission.failure and report.form != NONE:
                raise NotReadAgain(submission.failure)
            if submission.sha256 == report.sha256:
                return clean_notebook(self._release, submission, report)
            self.planned.jobs[student] = jobs[student] = jobs[student].without_notebook()  # the next run records it again
            return clean_notebook(self._release, None, report, REPLACED)

        failed = self._run(jobs, made)
        plain = {student: jobs[student].without_notebook() for student in failed}
        self.planned.jobs |= plain
        refused = self._run(plain, lambda student, source: plain_notebook(self._release, jobs[student].report)) if plain else {}
        for student, why in failed.items():
            if student in refused:
                self.refused.add(student)
                self.failures[student].append(f"nbgrader could not record it ({refused[student]}): see {WORK}/{LOG}")
            else:
                self.failures[student].append(f"its notebook could not be shown ({why}); the points are recorded")

    def _run(self, jobs: dict[str, Job], make: Callable[[str, Path], NotebookNode]) -> dict[str, str]:
        """Write the notebooks from `make` and let nbgrader record them; return student -> reason for those not recorded.

        During this command, nbgrader takes these notebooks as the submissions.

        Raises:
            CourseError: no student can be recorded.
        """
        coursedir, clean = self.app.coursedir, self.course / WORK / "clean"
        shutil.rmtree(clean, ignore_errors=True)
        coursedir.submitted_directory = f"{WORK}/clean"
        why, teams = dict[str, str](), read_teams(self.course)
        for student in jobs:
            folder = Path(coursedir.format_path(coursedir.submitted_directory, student, self.ps))
            source = folder_of(self.course, student, self.ps, teams)
            try:
                _lay_out(folder, side_files(self.course, student, self.ps, teams), make(student, source))
            except Exception as error:
                stop_for_everybodys(error)
                why[student] = failure_text(error)
        ready = {student: job for student, job in jobs.items() if student not in why}
        recorder = Recorder(self.app, ready, self.done, self._extensions)
        try:
            recorder.run(self.course)
        finally:
            shutil.rmtree(clean, ignore_errors=True)
        missing = [student for student, job in ready.items() if not _is_recorded(self.course, self.ps, student, job)]
        return why | {student: recorder.why(student) for student in missing}

    def finish(self) -> list[Change]:
        """Write changes.csv and return the changes. A refused student's changes wait for the run that records the student."""
        self._renew_penalties([*taken_away(self.course, self.ps), *self._share_marks()])
        self._session.close()
        if self.failures:
            self.app.records.keep(self.course)
        changes = [change for change in self.planned.changes if change.student not in self.refused]
        write_changes(self.course, self.ps, changes)
        return sorted(changes)

    def _share_marks(self) -> list[str]:
        """Give the marks by hand of a team's hand-in to all members; return those whose marks have changed."""
        changed, remarks = share_marks(self.course, self._gradebook, self.ps)
        self.remarks += remarks
        return changed

    def _renew_penalties(self, students: Iterable[str]) -> None:
        """Compute the late penalties of those of whom nothing is recorded again, because their work is no longer there.

        A mark by hand, another due date or a dropped exercise may have changed them. The same goes for marks of a team.
        """
        penalties = AssignLatePenalties(parent=self.app)
        for student in students:
            about = {"notebook": self.ps, "assignment": self.ps, "student": student, "db_url": self.app.coursedir.db_url}
            try:
                penalties.preprocess(NotebookNode(cells=[]), {"nbgrader": about})
            except MissingEntry:
                continue  # a folder in autograded/ that this gradebook knows nothing of
            except Exception as error:
                stop_for_everybodys(error)
                self.failures[student].append(f"its late penalty could not be computed ({failure_text(error)})")

    def forget(self) -> None:
        """Remove the notes of the changes, at the end of a run that has reported them; those of refused students stay."""
        if self.refused:
            _remember(self.unfinished, self._earlier.of(self.refused))
        else:
            self.unfinished.unlink(missing_ok=True)


@dataclass
class _Unfinished:
    """The changes and the earlier stamps, of this run so far and of a killed run before it."""

    changes: dict[tuple[str, str], Change] = field(default_factory=dict)
    before: dict[str, Stamp] = field(default_factory=dict)

    def join(self, part: Plan) -> None:
        """Add a part of this run. For changes that a killed run had begun, its old points and old stamps stay valid."""
        for change in part.changes:
            first = self.changes.get((change.student, change.exercise), change)
            self.changes[change.student, change.exercise] = Change(**{**asdict(change), "old": first.old})
        self.before = {**part.before, **self.before}
        for student, job in part.jobs.items():
            part.jobs[student] = Job(job.report, job.stamp, self.before.get(student, {}).get("answers"))

    def of(self, students: Collection[str]) -> _Unfinished:
        """Return the part that concerns these students."""
        changes = {key: change for key, change in self.changes.items() if key[0] in students}
        return _Unfinished(changes, {student: before for student, before in self.before.items() if student in students})

    def real_changes(self) -> list[Change]:
        return [change for change in self.changes.values() if change.old != change.new]


def _read_unfinished(path: Path) -> _Unfinished:
    earlier = read_state(path)
    try:
        changes = {(row["student"], row["exercise"]): Change(**row) for row in earlier["changes"]}
        return _Unfinished(changes, dict(earlier["before"]))
    except (ValueError, KeyError, TypeError):
        return _Unfinished()


def _remember(path: Path, unfinished: _Unfinished) -> None:
    content = {"changes": [asdict(change) for change in unfinished.real_changes()], "before": unfinished.before}
    write_state(path, content)


def _lay_out(folder: Path, files: dict[str, bytes], notebook: NotebookNode) -> None:
    """Write one student's notebook and nbgrader's own files into the folder where nbgrader looks for submissions."""
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / f"{folder.name}.ipynb").write_text(json.dumps(notebook))  # nbgrader, the only reader, validates it


def _is_recorded(course: Path, ps: str, student: str, job: Job) -> bool:
    """Whether the notebook has the stamp of this job."""
    stamp = read_stamp(course, student, ps)
    return all(stamp.get(key) == value for key, value in job.stamp.items())
