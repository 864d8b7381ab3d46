"""Students who need not do a set: it counts for them neither in the total nor in the maximum. Work that is there keeps its page.

exempt.json has, by set and student, the reason of staff, which no page shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from autograder.json_files import read_decisions, write_decision

FILE = "exempt.json"


def for_students(what: str) -> str:
    """Return the sentence that an exempt student reads, about "this set" or the like."""
    return f"You need not do {what}: it does not count for you."


def read_exempt(course: Path, ps: str) -> dict[str, str]:
    """Return the students who need not do a set, each with the reason.

    Raises:
        UserError: the file cannot be read.
    """
    return {student: str(why) for student, why in read_decisions(course / FILE).get(ps, {}).items()}


def write_exempt(course: Path, ps: str, student: str, why: str, undo: bool = False) -> None:
    """Exempt one more student from a set, or let it count again."""
    write_decision(course / FILE, ps, student, why, undo)


def exempt_from(
    course: Path, students: Iterable[str], sets: Collection[str], with_player: Collection[str], challenge: str
) -> Mapping[str, frozenset[str]]:
    """Return what each student need not do; a student who must do all is left out.

    Args:
        with_player: the sets of the course in which a player for the challenge is handed in. Who need do none of them need not
            take part in the challenge either.
    """
    by_set, found = read_decisions(course / FILE), {}
    for student in students:
        own = {ps for ps in sets if student in by_set.get(ps, {})}
        own |= {challenge} if with_player and own >= set(with_player) else set()
        if own:
            found[student] = frozenset(own)
    return found
