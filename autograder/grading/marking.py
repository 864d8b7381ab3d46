"""The reports of a class, from the cache where it has them and from workers where it has not."""

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from autograder.grading.cache import Cache, Remembered
from autograder.grading.crew import grade_all
from autograder.grading.edition import course_secret
from autograder.grading.report import Report
from autograder.grading.roll import Entry, Roll
from autograder.grading.settings import Graded, Settings, fingerprint
from autograder.grading.submission import raw_sha256


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

    Faults, and whatever was graded a second time because of the host, are not remembered.
    """
    settings = Settings(secret=course_secret(course))
    cache = Cache(course / ".cache", fingerprint(settings))
    raw = {entry: raw_sha256(entry.folder, ps) for entry in roll.entries}
    waiting = []
    for entry in roll.entries:
        known = None if entry.student in means.afresh else cache.load(ps, raw[entry])
        if known is None:
            waiting.append(entry)
        else:
            yield entry, known
    means.watcher.say(_counted(len(roll.entries), len(waiting)))
    if not waiting:
        means.meanwhile()
        return
    means.watcher.start(f"grading with {means.workers} worker{'s' if means.workers > 1 else ''}", len(waiting))
    for entry, answer in grade_all(waiting, ps, settings, means.workers, means.executor, meanwhile=means.meanwhile):
        if isinstance(answer, str):
            fresh = Remembered(Report.fault(ps, raw[entry]), {"grader fault": answer})
        else:
            fresh = Remembered(answer.report, answer.staff)
            if _worth_keeping(answer):
                cache.store(ps, raw[entry], fresh)
        yield entry, fresh
        means.watcher.step(entry.student)


def _worth_keeping(graded: Graded) -> bool:
    return graded.cacheable and not graded.report.has_fault


def _counted(total: int, waiting: int) -> str:
    return f"{total} submissions" if waiting == total else f"{total} submissions, {total - waiting} known from before"
