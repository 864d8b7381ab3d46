"""Many submissions -> a class: reports, gradebook, feedback, exports and the class page."""

import time
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from autograder.build.source import load, names
from autograder.files import write_if_changed
from autograder.gradebook.course import prepare
from autograder.gradebook.feedback import feedback as write_feedback
from autograder.gradebook.record import record
from autograder.gradebook.tables import write_grades
from autograder.grading.cache import Cache, Remembered
from autograder.grading.crew import grade_all
from autograder.grading.edition import course_secret
from autograder.grading.grade import Settings, fingerprint
from autograder.grading.lock import course_lock
from autograder.grading.report import Report
from autograder.grading.roll import Entry, Roll, call_roll
from autograder.grading.shelf import Shelf
from autograder.grading.submission import raw_sha256
from autograder.pages import class_page
from autograder.trouble import Interrupted, Trouble


@dataclass
class Summary:
    """What one run over a class did, and where it put it."""

    course: Path
    ps: str
    reports: dict[str, Report] = field(default_factory=dict)  # by student, in alphabetical order
    remarks: list[str] = field(default_factory=list)
    graded_now: int = 0
    reports_changed: int = 0
    grade_changes: int = 0
    seconds: float = 0.0
    page: Path | None = None

    @property
    def faults(self) -> int:
        """Submissions in which the grader itself failed somewhere."""
        return sum(has_fault(report) for report in self.reports.values())

    @property
    def nothing_changed(self) -> bool:
        return self.reports_changed == 0 and self.grade_changes == 0


class Watcher:
    """Is told how the run goes; the command line's draws a progress bar. This one is silent."""

    def say(self, sentence: str) -> None: ...

    def start(self, what: str, total: int | None) -> None: ...

    def step(self, student: str) -> None: ...

    def end(self) -> None: ...


def has_fault(report: Report) -> bool:
    return any(exercise.outcome == "grader fault" for exercise in report.exercises)


def grade_course(
    course: Path, ps: str, workers: int, executor: Executor | None = None, watcher: Watcher | None = None
) -> Summary:
    """Grade everybody's `ps` in a course folder and bring gradebook, feedback, exports and page up to date.

    Args:
        course: an nbgrader course folder, `submitted/<student>/<ps>/` in it.
        workers: processes that grade side by side; the grades do not depend on it.
        executor: where to grade instead of in our own processes, for example a cluster's; it stays open.

    Whatever is finished is kept: a run that was stopped, or killed, goes on where it was.

    Raises:
        Trouble: something that a person must put right first. Interrupted: Ctrl-C. Busy: a second grader.
    """
    if ps not in names():
        raise Trouble(f"no such problem set: {ps!r} (there is {', '.join(names())})")
    begin = time.monotonic()
    call_roll(course, ps)  # a wrong path is said before anything is written
    with course_lock(course):
        roll = call_roll(course, ps)
        summary = Summary(course, ps, remarks=list(roll.remarks))
        watcher = watcher or Watcher()
        try:
            _make_reports(roll, summary, workers, executor, watcher)
            _bring_up_to_date(summary, watcher)
        except KeyboardInterrupt:
            done, total = len(summary.reports), len(roll.entries)
            raise Interrupted(
                f"stopped: {done} of {total} submissions have their report, nothing is lost; the same command goes on from here"
            ) from None
        finally:
            watcher.end()
    summary.seconds = time.monotonic() - begin
    return summary


def _make_reports(roll: Roll, summary: Summary, workers: int, executor: Executor | None, watcher: Watcher) -> None:
    """Take the reports that the cache has, grade the rest, write each as it comes."""
    settings = Settings(secret=course_secret(summary.course))
    cache = Cache(summary.course / ".cache", fingerprint(settings))
    shelf = Shelf(summary.course, summary.ps)
    raw = {entry: raw_sha256(entry.folder, summary.ps) for entry in roll.entries}
    waiting = []
    for entry in roll.entries:
        remembered = cache.load(summary.ps, raw[entry])
        if remembered is None:
            waiting.append(entry)
        else:
            _keep(summary, shelf, entry, remembered)
    known = len(roll.entries) - len(waiting)
    watcher.say(f"{len(roll.entries)} submissions, {known} of them known from before" if known else f"{len(waiting)} submissions")
    if not waiting:
        return
    watcher.start(f"grading with {workers} worker{'s' if workers > 1 else ''}", len(waiting))
    for entry, answer in grade_all(waiting, summary.ps, settings, workers, executor):
        if isinstance(answer, str):
            graded = Remembered(Report.fault(summary.ps, raw[entry]), {"grader fault": answer})
        else:
            graded = Remembered(answer.report, answer.staff)
            if answer.cacheable and not has_fault(answer.report):
                cache.store(summary.ps, raw[entry], graded)
        _keep(summary, shelf, entry, graded)
        summary.graded_now += 1
        watcher.step(entry.student)
    summary.reports = dict(sorted(summary.reports.items()))


def _keep(summary: Summary, shelf: Shelf, entry: Entry, graded: Remembered) -> None:
    summary.reports[entry.student] = graded.report
    summary.reports_changed += shelf.put(entry.student, graded)


def _bring_up_to_date(summary: Summary, watcher: Watcher) -> None:
    """The one serial pass over nbgrader's gradebook, then feedback, exports and the class page."""
    course, ps = summary.course, summary.ps
    watcher.start("gradebook", None)
    prepare(course, ps)
    changes = record(course, ps, [(student, None, report) for student, report in summary.reports.items()], watcher.step)
    write_grades(course, summary.reports)
    watcher.start("feedback", None)
    write_feedback(course, ps, watcher.step)
    summary.grade_changes = len(changes)
    summary.page = course / "report" / "index.html"
    write_if_changed(summary.page, class_page(course, ps, load(ps).title, summary.reports, summary.remarks))
