"""The reports of a class, from the cache where it has them and from workers where it has not."""

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.build.module import module_text
from autograder.build.source import load
from autograder.grading.cache import Cache, Remembered
from autograder.grading.crew import grade_all
from autograder.grading.edition import course_secret
from autograder.grading.excuse import excuse, joint_is_due, read_excused
from autograder.grading.find import MODULE, NONE, file_names
from autograder.grading.report import NOT_YET, PASSED, Report
from autograder.grading.roll import Entry, Roll
from autograder.grading.room import temporary_room
from autograder.grading.settings import Graded, Settings, fingerprint
from autograder.grading.submission import raw_sha256

GIVEN_UP = (
    "The grader could not work with what was handed in; with the course's own solution it can. Hand in the notebook that you "
    "were given, filled in; if this stays, tell your instructor."
)
GIVEN_UP_KEY = "given up"  # in the staff's report: why


class Watcher:
    """Is told how a run goes; the command line's draws a progress bar. This one is silent."""

    def say(self, sentence: str) -> None: ...

    def start(self, what: str, total: int | None) -> None: ...

    def step(self, student: str) -> None: ...

    def reach(self, amount: float) -> None: ...  # so much of the total is done, parts of a whole included

    def end(self) -> None: ...


@dataclass(frozen=True)
class Means:
    """With what a class is graded; none of it has a say in the grades.

    executor: where to grade instead of in our own processes, for example a cluster's; it stays open.
    afresh: students whose submission is graded again although the cache knows it.
    meanwhile: called once, beside the first submissions that are graded.
    """

    workers: int
    executor: Executor | None = None
    watcher: Watcher = field(default_factory=Watcher)
    afresh: Collection[str] = ()
    meanwhile: Callable[[], None] = lambda: None


def mark(course: Path, ps: str, roll: Roll, means: Means) -> Iterator[tuple[Entry, Remembered]]:
    """Yield every submission of the roll with its report and the staff's: first the known ones, then each as it is graded.

    What staff have excused is passed in the reports. Faults, and whatever the host may have had a part in, are not remembered.
    """
    settings = Settings(course_secret(course), excused=read_excused(course, ps))
    memory = _Memory(Cache(course / ".cache", fingerprint(settings)), ps, settings.excused)
    waiting = []
    for entry in roll.entries:
        known = None if entry.student in means.afresh else memory.load(raw_sha256(entry.folder, ps))
        if known is None:
            waiting.append(entry)
        else:
            yield entry, memory.excused_in(known)
    means.watcher.say(_counted(len(roll.entries), len(waiting)))
    if not waiting:
        means.meanwhile()
        return
    means.watcher.start(f"grading with {means.workers} worker{'s' if means.workers > 1 else ''}", len(waiting))
    given_up: list[tuple[Entry, str]] = []
    for entry, answer in grade_all(waiting, ps, settings, means.workers, means.executor, meanwhile=means.meanwhile):
        if isinstance(answer, str):
            given_up.append((entry, answer))
            continue
        memory.store(answer)
        yield entry, memory.excused_in(Remembered(answer.report, answer.staff))
        means.watcher.step(entry.student)
    sound = bool(given_up) and _grades_our_solution(ps, settings, means)
    for entry, reason in given_up:
        yield entry, _given_up(ps, raw_sha256(entry.folder, ps), reason, sound)
        means.watcher.step(entry.student)


@dataclass(frozen=True)
class _Memory:
    """The cache as one class's gradings use it: each under the hash of the very bytes that were graded.

    What was graded with excused checks that did not pass is kept beside the rest: the joint check may have been run for that.
    """

    cache: Cache
    ps: str
    excused: frozenset[str]

    def load(self, sha256: str) -> Remembered | None:
        """Return what is known of these bytes; None when they are to be graded."""
        known = self.cache.load(self._excused_key, sha256) if self.excused else None
        if known is None:
            known = self.cache.load(self.ps, sha256)
            if known is not None and joint_is_due(known.report, self.excused):
                return None
        return known

    def store(self, graded: Graded) -> None:
        if graded.cacheable and not graded.report.has_fault:
            report = graded.report
            failed = {check.name for one in report.exercises for check in one.checks if check.outcome != PASSED}
            key = self._excused_key if failed & self.excused else self.ps
            self.cache.store(key, report.sha256, Remembered(report, graded.staff))

    def excused_in(self, kept: Remembered) -> Remembered:
        return replace(kept, report=excuse(kept.report, self.excused))

    @property
    def _excused_key(self) -> str:
        return f"{self.ps} with {', '.join(sorted(self.excused))} excused"


def _grades_our_solution(ps: str, settings: Settings, means: Means) -> bool:
    """Say whether the grader, on this host and now, gives our own solution everything."""
    with temporary_room() as folder:
        (folder / file_names(ps)[MODULE]).write_text(module_text(load(ps), solution=True), encoding="utf-8")
        answers = [answer for _, answer in grade_all([Entry("", folder)], ps, settings, 1, means.executor)]
    return all(isinstance(answer, Graded) and answer.report.points == answer.report.max_points for answer in answers)


def _given_up(ps: str, sha256: str, reason: str, sound: bool) -> Remembered:
    """Return the report of a submission over which the grader failed twice: a fault, unless all is well with our solution."""
    if not sound:
        return Remembered(Report.fault(ps, sha256), {"grader fault": reason})
    report = Report.unjudged(load(ps), sha256, form=NONE, note=GIVEN_UP, outcome=NOT_YET)
    return Remembered(report, {GIVEN_UP_KEY: reason})


def _counted(total: int, waiting: int) -> str:
    return f"{total} submissions" if waiting == total else f"{total} submissions, {total - waiting} known from before"
