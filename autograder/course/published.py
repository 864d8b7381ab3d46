"""Who has handed in the published solution: a remark for staff, on the class page and in `similarity`, without points.

No grade and no student's page depends on this module, so a change here grades nobody again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from autograder.grading.fingerprint import code_fingerprint
from autograder.json_files import read_state, write_state
from autograder.limited_child import OverLimit, within
from autograder.modes import in_course
from autograder.problem_sets.source import load, module_text
from autograder.progress import Watcher
from autograder.similarity import identical
from autograder.similarity.identical import LEAST, Identical, compared, identical_exercises
from autograder.submission.discover import NONE, Entry
from autograder.submission.payload import Payload, read_payload
from autograder.submission.read import read

CPU_S, MIB = 2.0, 512  # Python's parser, for a stranger's text; an ordinary submission takes a tenth of a second


def look_for_ours(course: Path, ps: str, entries: Sequence[Entry], watcher: Watcher) -> Identical:
    """Compare the submissions of a class with our solution; what the same bytes gave before is kept in `.cache/`."""
    state, by = course / ".cache" / f"identical-{ps}.json", _made_by()
    before = read_state(state)
    known = before["ours"] if before.get("by") == by else {}
    sound = before["sound"] if before.get("by") == by else is_sound(ps)
    ours: dict[str, list[str] | None] = {}
    now: dict[str, list[str]] = {}
    began = False
    for number, entry in enumerate(entries, 1):
        payload = read_payload(entry.folder, ps)
        if (kept := known.get(payload.sha256, now.get(payload.sha256))) is not None:
            ours[entry.student] = kept
        else:
            if not began:
                watcher.start("comparing with the published solution", len(entries))
            began = True
            ours[entry.student] = _ours_in(payload)
            watcher.reach(number)
        if (found := ours[entry.student]) is not None:  # a host without room for a process may have it next time
            now[payload.sha256] = found
    if before != (after := {"by": by, "sound": sound, "ours": now}):
        with in_course(course):
            write_state(state, after, mode=0o660)
    named = {student: tuple(found) for student, found in ours.items() if found is not None and len(found) >= LEAST}
    unread = tuple(sorted(student for student, found in ours.items() if found is None))
    return Identical(tuple(compared(ps)), dict(sorted(named.items(), key=lambda one: (-len(one[1]), one[0]))),
                     len(ours) - len(unread), unread, sound)


def is_sound(ps: str) -> bool:
    """Whether the comparison finds our solution in itself; if not, it would find it nowhere else."""
    return identical_exercises(ps, [module_text(load(ps), solution=True)]) == tuple(compared(ps))


def _ours_in(payload: Payload) -> list[str] | None:
    """Return the exercises of a submission that are ours; None if its code cannot be read."""
    submission = read(payload)
    try:
        cells = [source for _, source in submission.code()]
        return None if submission.form == NONE else list(within(CPU_S, MIB, identical_exercises, payload.ps, cells))
    except (OverLimit, OSError):
        return None


def _made_by() -> str:
    """Return a hash of what decides the result: our solution, how a submission is read, and the comparison."""
    return f"{code_fingerprint()} {hashlib.sha256(Path(identical.__file__).read_bytes()).hexdigest()}"
