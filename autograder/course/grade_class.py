"""The reports of a class: from the cache, and from workers for submissions that are not in the cache."""

from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.course.roster import SubmissionList
from autograder.course.storage.cache import Cache
from autograder.course.storage.part_store import PartStore
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.policy.grading_settings import settings_of
from autograder.gradebook.policy.judged_answers import JudgedAnswers
from autograder.grading.config import Graded, Settings
from autograder.grading.dropped_exercises import decided
from autograder.grading.excused_checks import joint_is_due
from autograder.grading.fingerprint import fingerprint
from autograder.grading.report import Outcome, Report
from autograder.problem_sets.source import load, module_text
from autograder.progress import Partly, Watcher
from autograder.submission.discover import NONE, Entry
from autograder.submission.payload import Payload, module_payload, read_payload
from autograder.submission.read import CANNOT_BE_READ, OTHER_SET
from autograder.workers.pool import UnderWay, grade_all, tell_share

EXHAUSTED_NOTE = (
    "The grader could not grade your submission, although it can grade the course's own solution. Hand in the notebook that you "
    "were given, filled in. If you see this again, tell your instructor."
)
MOST_WAITING_BYTES = 2**30  # the limit for files in memory that wait for their grading
EXHAUSTED_KEY = "given up"  # the key of the reason in the staff report


@dataclass(frozen=True)
class Means:
    """The means with which a class is graded; none of them influences the grades.

    executor: grades instead of our own processes, for example on a cluster; it stays open.
    afresh: students whose submission is graded again although its report is in the cache.
    meanwhile: called once, while the first submissions are graded.
    published: whether students read the results; not in a preview, so that no answer of theirs counts as judged.
    """

    workers: int
    executor: Executor | None = None
    watcher: Watcher = field(default_factory=Watcher)
    afresh: Collection[str] = ()
    meanwhile: Callable[[], None] = lambda: None
    published: bool = True


def mark(course: Path, ps: str, listed: SubmissionList, means: Means) -> Iterator[tuple[Entry, Payload | None, Graded]]:
    """Yield every submission with its result: first those from the cache, then each as it is graded.

    A submission is read once; the same bytes are hashed, graded and recorded. Only if a class does not fit into memory, files
    are dropped and read again later. The reports are as staff have decided: excused checks count as passed, and dropped exercises
    not at all. Faults, and results that the host may have influenced, are not cached.
    """
    settings = settings_of(course, ps)
    judged = JudgedAnswers(course, ps, keep=means.published)
    memory = _Memory(course, ps, settings)
    order: list[Entry] = []
    hashes: dict[Entry, str] = {}
    waiting: dict[Entry, Payload] = {}
    room = MOST_WAITING_BYTES
    for entry in listed.entries:
        payload = read_payload(entry.folder, ps)
        known = None if entry.student in means.afresh else memory.load(payload.sha256)
        if known is not None:
            yield entry, None, memory.decided_in(judged.limited(entry.student, known))
            continue
        order.append(entry)
        hashes[entry] = payload.sha256
        room -= sum(len(item.content) for item in payload.items)
        if room > 0:
            waiting[entry] = payload
    means.watcher.say(_counted(len(listed.entries), len(order)))
    if not order:
        means.meanwhile()
        return
    means.watcher.start(f"grading with {means.workers} worker{'s' if means.workers > 1 else ''}", len(order))
    exhausted: list[tuple[Entry, str]] = []
    under_way = UnderWay()
    with Partly(means.watcher, len(order), under_way) as graded:
        for entry, answer in grade_all(
                order, ps, settings, means.workers, grade_one, means.executor, means.meanwhile, waiting, under_way,
                lambda entry: () if entry.student in means.afresh else (memory.parts(entry.student, hashes[entry]),)):
            if isinstance(answer, str):
                exhausted.append((entry, answer))
                continue
            memory.store(answer)
            yield entry, waiting.pop(entry, None), memory.decided_in(judged.limited(entry.student, answer))
            graded.step()
    if exhausted:
        means.watcher.start("grading our own solution, to see whether the grader works", None)
    sound = bool(exhausted) and _grades_our_solution(ps, settings, means)
    for entry, reason in exhausted:
        kept = waiting.pop(entry, None)
        payload = kept or read_payload(entry.folder, ps)
        yield entry, payload, memory.decided_in(_ungraded(ps, payload.sha256, reason, sound))


class _Memory:
    """The gradings of one class that are kept: whole ones by the hash of the graded bytes, and their parts by exercise.

    A grading in which an excused check did not pass has its own key, because the joint check may have run only for the excuse.
    """

    def __init__(self, course: Path, ps: str, settings: Settings) -> None:
        self.ps, self.settings, self.excused = ps, settings, settings.excused
        self.cache = Cache(course / ".cache", fingerprint(settings, ps=ps))
        self._parts = PartStore(course, ps, self._keys)
        self._reports = ReportStore(course, ps)

    def load(self, sha256: str) -> Graded | None:
        """Return the stored grading of these bytes; None if they must be graded."""
        known = self.cache.load(self._excused_key, sha256) if self.excused else None
        if known is None:
            known = self.cache.load(self.ps, sha256)
            if known is not None and joint_is_due(known.report, self.excused):
                return None
        return known

    def parts(self, student: str, sha256: str) -> dict[str, Any] | None:
        """Return what is known of these bytes and still holds; of new bytes, what is known of the student's last ones."""
        if known := self._parts.load(sha256):
            return known
        before = self._reports.get(student)
        return self._parts.load(before.sha256) if before is not None and before.sha256 != sha256 else None

    def store(self, graded: Graded) -> None:
        """Keep a grading, unless a fault or the host had a part in it."""
        report = graded.report
        if graded.cacheable and not report.has_fault:
            failed = {check.name for exercise in report.exercises for check in exercise.checks if check.outcome != Outcome.PASSED}
            key = self._excused_key if failed & self.excused else self.ps
            self.cache.store(key, graded)
        if graded.parts is not None:
            self._parts.store(graded.parts)

    def decided_in(self, kept: Graded) -> Graded:
        """Return a grading as staff have decided: excused checks count as passed, and dropped exercises not at all."""
        return replace(kept, report=decided(kept.report, self.settings))

    def _keys(self) -> dict[str, str]:
        from autograder.grading.exercise_keys import exercise_keys  # a run that grades nothing does not need it

        return exercise_keys(self.ps, self.settings)

    @property
    def _excused_key(self) -> str:
        return f"{self.ps} with {', '.join(sorted(self.excused))} excused"


def _grades_our_solution(ps: str, settings: Settings, means: Means) -> bool:
    """Say whether the grader gives our own solution all points, on this host, at this time."""
    entry = Entry("", Path())
    payloads = {entry: module_payload(ps, module_text(load(ps), solution=True))}
    answers = [answer for _, answer in grade_all([entry], ps, settings, 1, grade_one, means.executor, payloads=payloads)]
    return all(isinstance(answer, Graded) and answer.report.points == answer.report.max_points for answer in answers)


def _ungraded(ps: str, sha256: str, reason: str, sound: bool) -> Graded:
    """Return the report of a submission on which the grader failed twice: a grader fault, unless our solution gets all points."""
    if not sound:
        return Graded(Report.fault(ps, sha256), {"grader fault": reason}, cacheable=False)
    report = Report.unjudged(load(ps), sha256, form=NONE, note=EXHAUSTED_NOTE, outcome=Outcome.NOT_YET)
    return Graded(report, {EXHAUSTED_KEY: reason}, cacheable=False)


def _counted(total: int, waiting: int) -> str:
    return f"{total} submissions" if waiting == total else f"{total} submissions, {total - waiting} known from before"


def grade_one(payload: Payload, settings: Settings, known: Mapping[str, Any] | None = None) -> Graded:
    """Grade one submission in a worker. The engine is imported only here, because its import takes as long as a grading."""
    from autograder.grading.grade import grade_payload

    try:
        return grade_payload(payload, settings, tell_share, known)
    finally:
        tell_share(0.0)


def not_what_was_asked_for(student: str, form: str, note: str) -> Iterator[str]:
    """Yield a sentence about a submission that was read, if nothing in it can be graded or it holds another set's exercises."""
    if form == NONE and note not in (CANNOT_BE_READ, EXHAUSTED_NOTE):
        yield f"{student!r} could not be graded; the report says: {note}"
    elif OTHER_SET in note:
        yield f"the report of {student!r} says: {note}"
