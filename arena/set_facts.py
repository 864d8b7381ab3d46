"""What the checks of a problem set know of it at home: what graded code may import, and which exercise calls which.

The build writes `facts.json` from the grader's own facts, and it ships with `arena`; a student's folder needs no copy.
"""

import json
from dataclasses import dataclass
from functools import cache

from arena.shipped import set_number, shipped


@dataclass(frozen=True)
class SetFacts:
    """The facts of one set.

    packages, arena: what graded code may import beside Python's own modules: packages, and parts of arena.
    lacks: Python's own modules that are not there in grading.
    functions: by exercise, the names of its functions; a method is "TreeNode.is_terminal".
    calls: by exercise, the exercises that run when its check runs, in order; an exercise without any is left out.
    """

    packages: frozenset[str]
    arena: frozenset[str]
    lacks: frozenset[str]
    functions: dict[str, tuple[str, ...]]
    calls: dict[str, tuple[str, ...]]


@cache
def facts_of(ps: str) -> SetFacts | None:
    """Return the facts of a problem set by its name; None for a set that does not ship with this `arena`."""
    try:
        facts = json.loads(shipped(f"{ps}/facts.json", "assignments").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    functions, calls = ({id: tuple(names) for id, names in facts[key].items()} for key in ("functions", "calls"))
    return SetFacts(frozenset(facts["packages"]), frozenset(facts["arena"]), frozenset(facts["lacks"]), functions, calls)


@cache
def set_of(exercise: str) -> str:
    """Return the name of the problem set of an exercise such as "2.5"; "" if no set that ships has it."""
    number = exercise.partition(".")[0]
    names = sorted(path.parent.name for path in shipped("", "assignments").glob("ps*/facts.json"))
    return next((name for name in names if set_number(name) == number), "")
