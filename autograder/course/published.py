"""Submissions that are identical to the published solution: a remark for staff, without effect on points.

The remark is on the class page and in `similarity`. No grade and no student's page depends on this module, so nobody is graded
again after a change here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.grading.config import PYTHON
from autograder.grading.fingerprint import COMPARING, code_fingerprint
from autograder.json_files import read_state, write_state
from autograder.limited_child import OverLimit, within
from autograder.modes import in_course
from autograder.problem_sets.source import ProblemSet, module_text
from autograder.progress import Watcher
from autograder.similarity.identical import LEAST, Identical, compared, identical_exercises
from autograder.submission.discover import NONE, Entry
from autograder.submission.payload import Payload, read_payload
from autograder.submission.read import read

CPU_S, MIB = 2.0, 512  # Python's parser, for a stranger's text; an ordinary submission takes a tenth of a second


class Comparison:
    """Compares the submissions of a class with our solution; what the same bytes gave before is kept in `.cache/`."""

    def __init__(self, course: Path, problem_set: ProblemSet) -> None:
        self.course, self.problem_set = course, problem_set
        self._state = course / ".cache" / f"identical-{problem_set.name}.json"
        self._before = read_state(self._state)
        self._by = f"{PYTHON} {code_fingerprint(COMPARING, problem_set.name)}"  # Python's parser too
        fits = self._before.get("by") == self._by
        self._known: dict[str, list[str]] = self._before["ours"] if fits else {}
        self._sound = self._before["sound"] if fits else is_sound(problem_set)
        self._ours: dict[str, list[str] | None] = {}
        self._now: dict[str, list[str]] = {}

    def is_new(self, sha256: str) -> bool:
        """Whether a submission with these bytes must still be compared."""
        return sha256 not in self._known and sha256 not in self._now

    def look(self, entry: Entry, sha256: str, payload: Payload | None) -> None:
        """Compare a submission; without its payload it is read, if it is new."""
        if self.is_new(sha256):
            exercises = _ours_in(payload or read_payload(entry.folder, self.problem_set.name))
        else:
            exercises = self._known[sha256] if sha256 in self._known else self._now[sha256]
        self._ours[entry.student] = exercises
        if exercises is not None:  # a host without room for a process may have it next time
            self._now[sha256] = exercises

    def finish(self) -> Identical:
        """Keep what was found, and return it."""
        if self._before != (after := {"by": self._by, "sound": self._sound, "ours": self._now}):
            with in_course(self.course):
                write_state(self._state, after, mode=0o660)
        named = {student: tuple(ours) for student, ours in self._ours.items() if ours is not None and len(ours) >= LEAST}
        unread = tuple(sorted(student for student, ours in self._ours.items() if ours is None))
        in_order = dict(sorted(named.items(), key=lambda item: (-len(item[1]), item[0])))
        return Identical(tuple(compared(self.problem_set)), in_order,
                         len(self._ours) - len(unread), unread, self._sound)


def look_for_ours(course: Path, problem_set: ProblemSet, entries: Sequence[Entry], watcher: Watcher) -> Identical:
    """Read the submissions of a class and compare them with our solution."""
    comparison, began = Comparison(course, problem_set), False
    for number, entry in enumerate(entries, 1):
        payload = read_payload(entry.folder, problem_set.name)
        if is_new := comparison.is_new(payload.sha256):
            if not began:
                watcher.start("comparing with the published solution", len(entries))
            began = True
        comparison.look(entry, payload.sha256, payload)
        if is_new:
            watcher.reach(number)
    return comparison.finish()


def is_sound(problem_set: ProblemSet) -> bool:
    """Whether the comparison finds our solution in itself; if it does not, it would not find it in a submission either."""
    return identical_exercises(problem_set, [module_text(problem_set, solution=True)]) == tuple(compared(problem_set))


def _ours_in(payload: Payload) -> list[str] | None:
    """Return the exercises of a submission that are ours; None if its code cannot be read."""
    submission = read(payload)
    try:
        cells = [source for _, source in submission.code()]
        return None if submission.form == NONE else list(within(CPU_S, MIB, identical_exercises, submission.problem_set, cells))
    except (OverLimit, OSError):
        return None
