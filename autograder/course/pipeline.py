"""The grading of a class: reports, gradebook, feedback, exports and the class pages."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.challenge.report import ASSIGNMENT
from arena.errors import Interrupted, UserError
from autograder.course.change_texts import change_texts, write_change_texts
from autograder.course.class_report import lost_grades, write_class_report
from autograder.course.decisions import log_corrections, since_last_run
from autograder.course.grade_class import EXHAUSTED_KEY, Means, mark, not_what_was_asked_for
from autograder.course.published import Comparison
from autograder.course.roster import SubmissionList, list_submissions
from autograder.course.storage.lock import course_lock
from autograder.course.storage.report_store import ReportStore
from autograder.course.summary import Summary
from autograder.gradebook.course_python import check_python, note_python
from autograder.gradebook.marks.final_marks import forget_mark_changes, write_final
from autograder.gradebook.tables import Change, points_text, write_changes, write_grades
from autograder.grading.report import UNDECIDED, ExerciseReport
from autograder.log import log
from autograder.problem_sets.source import check_known, facts_of, load
from autograder.progress import Watcher
from autograder.submission.payload import Payload
from autograder.submission.read import READING

if TYPE_CHECKING:
    from autograder.course.challenge.class_exams import Challenge

MOST_NAMED = 20  # students in one sentence


def grade_course(
    course: Path,
    ps: str,
    workers: int,
    executor: Executor | None = None,
    watcher: Watcher | None = None,
    afresh: Collection[str] = (),
    feedback: bool = True,
    any_python: bool = False,
) -> Summary:
    """Grade all submissions of `ps` in a course folder and update gradebook, feedback, exports and the class pages.

    Args:
        course: an nbgrader course folder with `submitted/<student>/<ps>/`.
        workers: the number of parallel grading processes; the grades do not depend on it.
        executor: grades instead of our own processes, for example on a cluster; it stays open.
        afresh: students whose submission is graded again although its report is in the cache; unknown names change nothing.
        feedback: whether to write the students' pages; if not, a later run writes them.
        any_python: whether this Python may grade although another one graded the course before.

    All finished work is kept: after a stop or a kill, the next run continues where this run ended.

    Raises:
        UserError: a problem that a person must solve first. Interrupted: Ctrl-C. Busy: a second grader.
    """
    watcher = watcher or Watcher()
    if not any_python:
        check_python(course)
    with _at_work(course, ps, watcher) as listed:
        summary = Summary(course, ps, remarks=list(listed.remarks), missing=listed.missing, teams=listed.teams)
        with _readable_errors(summary, len(listed.entries)), ExitStack() as stack:
            pages = _Gradebook(summary, stack, len(listed.entries), watcher.say)
            means = Means(workers, executor, watcher, afresh, meanwhile=pages.open)
            comparison = Comparison(course, load(ps))
            _make_reports(listed, summary, means, pages, comparison)
            _hold_challenge(summary, means)
            if facts_of(ps).beside:  # a network's weights
                from autograder.course.challenge.near_weights import look_at_weights

                watcher.start("comparing the networks", None)
                summary.remarks += look_at_weights(course, listed.works)
            summary.identical = comparison.finish()
            _bring_up_to_date(summary, watcher, pages, feedback)
        summary.texts_at = write_change_texts(course, ps, summary.change_texts)  # before the log says that the run is done
        log_corrections(course, ps, summary.changes)
        log(course, "grade", ps=ps, submissions=len(summary.reports), faults=summary.faults,
            known_exercises=summary.known, reports_changed=summary.reports_changed, changes=summary.changes_of_points,
            final_marks_changed=len(summary.mark_changes), afresh=sorted(afresh),
            **({"teams": [list(members) for members, _ in summary.teams]} if summary.teams else {}))
        _forget_changes(summary, pages)
    return summary


def preview(course: Path, ps: str, workers: int, watcher: Watcher | None = None) -> list[Change]:
    """Return the changes of points that `grade_course` would make now, under any Python; only the cache is written.

    Raises:
        UserError: as in `grade_course`; also if the course has never been graded.
    """
    means = Means(workers, watcher=watcher or Watcher(), published=False)
    with _at_work(course, ps, means.watcher) as listed:
        if not (course / "gradebook.db").exists() or not (course / "nbgrader_config.py").exists():
            raise UserError(f"{course} has not been graded yet: all points would be new")
        from autograder.gradebook.recording.challenge import plan_challenge
        from autograder.gradebook.recording.planning import plan

        graded = {entry.student: kept.report for entry, _, kept in mark(course, ps, listed, means)}
        changes, failed = plan(course, ps, graded)
        for student, why in failed.items():
            means.watcher.say(f"{student} could not be recorded ({why})")
        from autograder.course.challenge.class_exams import hold_challenge

        challenge = hold_challenge(course, ps, graded, means)
        return sorted([*changes, *(plan_challenge(course, challenge.reports) if challenge.results else [])])


@contextmanager
def _at_work(course: Path, ps: str, watcher: Watcher) -> Iterator[SubmissionList]:
    """Hold the course's lock and list its submissions; a wrong path is reported before anything is written."""
    check_known(ps)
    list_submissions(course, ps)
    with course_lock(course, watcher.say):
        try:
            yield list_submissions(course, ps)
        finally:
            watcher.end()


@contextmanager
def _readable_errors(summary: Summary, total: int) -> Iterator[None]:
    """Raise a stop or an error of the gradebook again with a message about the state of the course; all reports are kept."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):  # nbgrader turns KeyboardInterrupt into SystemExit
        done = len(summary.reports)
        raise Interrupted(
            f"stopped: {done} of {total} submissions have their report, nothing is lost; the same command continues from here"
        ) from None
    except Exception as error:
        from sqlalchemy.exc import SQLAlchemyError

        if not isinstance(error, SQLAlchemyError):
            raise
        course, reason = summary.course, getattr(error, "orig", None) or error
        raise UserError(f"the gradebook of {course} cannot be brought up to date ({reason}); the reports are kept") from error


class _Gradebook:
    """The one serial pass over nbgrader's gradebook, in alphabetical order, while the workers grade the remaining submissions.

    The import of nbgrader takes most of a second, and so does the release of the set. Both happen during the first gradings.
    """

    PARTS = 16  # recordings of a large class, about; a small class records after every few submissions

    def __init__(self, summary: Summary, stack: ExitStack, students: int, say: Callable[[str], None]) -> None:
        self.summary, self.stack, self.say = summary, stack, say
        self.enough = max(2, students // self.PARTS)
        self.recording: Any = None
        self.recorded: set[str] = set()
        self.payloads: dict[str, Payload | None] = {}  # by student, for those not recorded yet

    def open(self) -> None:
        """Prepare the course, so that a set that changed after its release is reported before an hour of grading."""
        gc.disable()  # there is no garbage yet, and the search for it takes a seventh of the imports' time
        from autograder.gradebook.course import prepare
        from autograder.gradebook.recording.record import Recording

        gc.freeze()  # imported modules never become garbage
        gc.enable()
        course, ps = self.summary.course, self.summary.ps
        prepare(course, ps, self.say)
        note_python(course, self.say)
        self.recording = self.stack.enter_context(Recording(course, ps))

    def take(self, ready: list[str]) -> None:
        """Record the students in `ready` who are not recorded yet, if there are enough of them."""
        new = [student for student in ready if student not in self.recorded]
        if self.recording is not None and len(new) >= self.enough:
            self._record(new)

    def finish(self) -> None:
        """Record all remaining students."""
        self._record([student for student in self.summary.reports if student not in self.recorded])
        self.summary.changes = self.recording.finish()
        self.summary.failures |= self.recording.failures
        self.summary.remarks += self.recording.remarks

    def _record(self, students: list[str]) -> None:
        self.recording.take((student, self.payloads.pop(student, None), self.summary.reports[student]) for student in students)
        self.recorded.update(students)


def _make_reports(
    listed: SubmissionList, summary: Summary, means: Means, gradebook: _Gradebook, comparison: Comparison
) -> None:
    """Write every report as it is made; record students in alphabetical order as soon as all earlier reports are there."""
    store = ReportStore(summary.course, summary.ps)
    order = sorted(entry.student for entry in listed.entries)
    known: dict[ExerciseReport, ExerciseReport] = {}
    reached = 0
    for entry, payload, kept in mark(summary.course, summary.ps, listed, means):
        gradebook.payloads[entry.student] = payload
        report = kept.report.sharing(known)
        summary.reports[entry.student] = report
        summary.reports_changed += store.put(entry.student, report, kept.staff)
        comparison.look(entry, report.sha256, payload)
        summary.known += kept.known
        if kept.cpu_s:
            summary.cpu_s[entry.student] = kept.cpu_s
        if EXHAUSTED_KEY in kept.staff:
            summary.remarks.append(f"{entry.student!r} needs a look: {kept.staff[EXHAUSTED_KEY]}, but not with our own solution")
        if READING in kept.staff:
            summary.remarks.append(f"{entry.student!r}: this submission could not be read and got no points: "
                                   f"{kept.staff[READING]}; please look at it and tell us")
        while reached < len(order) and order[reached] in summary.reports:
            reached += 1
        gradebook.take(order[:reached])
    summary.reports = dict(sorted(summary.reports.items()))


def _hold_challenge(summary: Summary, means: Means) -> None:
    """Hold the challenge of the class, if the set contains a player."""
    if not facts_of(summary.ps).player:
        return
    from autograder.course.challenge.class_exams import hold_challenge, write_reports  # imported late: it imports the games

    challenge = hold_challenge(summary.course, summary.ps, summary.reports, means)
    if challenge.results:
        summary.challenge = challenge
        summary.reports_changed += write_reports(summary.course, challenge)


def _bring_up_to_date(summary: Summary, watcher: Watcher, gradebook: _Gradebook, feedback: bool) -> None:
    """Finish the gradebook, then write feedback, exports and the class pages."""
    from autograder.course.class_times import hand_in_days
    from autograder.course.feedback import feedback as write_feedback
    from autograder.gradebook.course import taken_away
    from autograder.gradebook.dealing import marking_of
    from autograder.gradebook.due_dates import DueDates, own_due_dates
    from autograder.gradebook.markers import disagreements
    from autograder.gradebook.marks.read_marks import read_marks
    from autograder.gradebook.nbgrader_patches import one_session
    from autograder.gradebook.policy.exemptions import read_exempt
    from autograder.gradebook.recording.planning import unfit

    course, ps = summary.course, summary.ps
    watcher.start("gradebook", None)
    gradebook.finish()
    if summary.challenge:
        _record_challenge(summary, summary.challenge)
    write_grades(course, summary.reports, summary.challenge.reports if summary.challenge else None, lost_grades(course, ps))
    with one_session(gradebook.recording.app) as book:
        marks = read_marks(course, book)
        summary.mark_changes = write_final(course, marks)
        summary.to_mark = marks.to_mark(ps)
        dates = DueDates(course, book)
        summary.due, summary.times = own_due_dates(dates, ps), hand_in_days(dates, ps, summary.reports)
        summary.exempt = tuple(read_exempt(course, ps))
        summary.marking = marking_of(course, book, ps)
        summary.change_texts = change_texts(summary, marks, since_last_run(course, ps))
        summary.remarks += marks.above
    summary.remarks += [sentence for name in (ps, *([ASSIGNMENT] if summary.challenge else []))
                        for sentence in disagreements(course, name)]
    if feedback:
        if summary.challenge:  # first, because the student's page of the set leads there
            watcher.start("pages of the challenge", None)
            from autograder.course.challenge.exam_pages import write_challenge_pages  # imported late: it imports the solver

            write_challenge_pages(course, summary.challenge, summary.failures)
        write_feedback(course, ps, watcher, summary.failures)
    summary.remarks += [remark for student, report in summary.reports.items() if not report.has_fault
                        for remark in not_what_was_asked_for(student, report.form, report.note)]
    summary.remarks += [*filter(None, map(unfit, summary.reports)), *_taken_away_remark(taken_away(course, ps), ps)]
    summary.remarks += [f"{student!r}: {'; '.join(reasons)}" for student, reasons in sorted(summary.failures.items())]
    summary.remarks += [
        f"{change.student!r} {change.exercise}: a manual score ({change.hidden_by:g}) hides {_new(change)}"
        for change in summary.changes
        if change.hidden_by is not None
    ]
    challenge = summary.challenge.reports if summary.challenge else {}
    summary.remarks += [f"{student!r} challenge: {line}" for student, report in challenge.items() for line in report.overruns]
    watcher.start("class pages", None)
    write_class_report(summary)


def _forget_changes(summary: Summary, gradebook: _Gradebook) -> None:
    """Forget the changes of points and marks: tables, pages and log have them. A run that ends earlier leaves them there."""
    from autograder.gradebook.recording.challenge import finished

    gradebook.recording.forget()
    if summary.challenge:
        finished(summary.course)
    forget_mark_changes(summary.course)


def _taken_away_remark(gone: Sequence[str], ps: str) -> list[str]:
    """Return a sentence that names the students whose work is in the gradebook and no longer in submitted/, if there are any."""
    named = ", ".join(map(repr, gone[:MOST_NAMED])) + (f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else "")
    return [f"submitted/ no longer has work on {ps} from {named}: their earlier marks stay in the gradebook, and their pages in "
            "feedback/. If the work was another person's, so are these marks and pages"] if gone else []


def _new(change: Change) -> str:
    return "that the exercise is undecided" if change.new == UNDECIDED else f"the new {points_text(change.new)} points"


def _record_challenge(summary: Summary, challenge: Challenge) -> None:
    """Record the challenge in the gradebook, and add its changes of points to the set's changes."""
    from autograder.gradebook.recording.challenge import record_challenge

    changes = record_challenge(summary.course, challenge.reports, summary.failures)
    summary.changes = sorted([*summary.changes, *changes])
    write_changes(summary.course, summary.ps, summary.changes)
    summary.remarks += [
        f"{result.entrant.student!r}: the challenge could not be judged: {result.failure}"
        for result in challenge.results.values()
        if result.failure
    ]
