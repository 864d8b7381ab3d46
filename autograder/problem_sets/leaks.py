"""Check that no line of a solution can be read in the students' files."""

import re
from collections.abc import Iterable

from autograder.problem_sets.syntax import SourceError

SHORTEST_LEAK = 24  # characters; `return value` and other short lines are common
# Lines of every program over the Game protocol: to read them elsewhere reveals nothing.
COMMONPLACE = frozenset({
    "state = game.play(state, action)",
    "while game.outcome(state) is None:",
    "for _ in range(num_simulations):",
})


def refuse_leaks(solution: Iterable[tuple[str, str]], released: Iterable[tuple[str, str]]) -> None:
    """Raise SourceError if a line of a solution is part of a released line, also of comments and prose.

    Args:
        solution: (line, "file:line") of every line that the stubs lack.
        released: (line, "file:line") of every line in the students' files.
    """
    visible = [(_squeezed(line), place) for line, place in released]
    for line, place in solution:
        code = _squeezed(re.sub(r"(^|\s)#.*", "", line))
        if len(code) < SHORTEST_LEAK or code in COMMONPLACE:
            continue
        for text, where in visible:
            if code in text:
                raise SourceError(f"{place}: the solution line `{code}` can be read in the stub, near {where}")


def _squeezed(line: str) -> str:
    return " ".join(line.split())
