"""Facts of a problem set that its cells do not tell: the options in the header of its source's first cell.

    # %% [markdown] packages=["torch"] memory_mib=4096 player="AlphaMCTS" beside=["weights.npz"]

They are for the grader; only `draft` is in the header that students get. What they need of the others at home is in
`facts.json` (facts_file.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from autograder.problem_sets.percent import PercentCell
from autograder.problem_sets.syntax import SourceError

ARENA = ("check.py", "own_check.py", "time_limit.py", "games", "show")  # the parts of arena that graded code may import
GAMES = ("games", "show")  # those of them that hold the games
# Modules of Python that grading does not have: windows, installers, and what only Windows has.
LACKS = ("ensurepip", "idlelib", "lib2to3", "tkinter", "turtle", "turtledemo", "msilib", "msvcrt", "nt", "winreg", "winsound")


@dataclass(frozen=True)
class Facts:
    """A fact that the header does not name has its default.

    draft: the set is not released yet.
    games: submissions may import the games of arena; false where students write the games themselves.
    packages: what submissions may import beside numpy.
    memory_mib: the memory of a worker.
    player: the kind of player that climbs the ladder of the challenge (arena/challenge/kinds.py); "" for none.
    beside: names of files that a player needs beside its code; no hidden check reads them.
    """

    draft: bool = False
    games: bool = True
    packages: tuple[str, ...] = ()
    memory_mib: int = 1024
    player: str = ""
    beside: tuple[str, ...] = ()

    @property
    def imports(self) -> tuple[str, ...]:
        """The packages that graded code may import beside Python's own modules and arena."""
        return ("numpy", *self.packages)

    @property
    def arena(self) -> tuple[str, ...]:
        """The parts of arena that graded code may import, as files and folders."""
        return ARENA if self.games else tuple(part for part in ARENA if part not in GAMES)


NAMES = frozenset(field.name for field in fields(Facts))
_FORMS = {bool: "true or false", int: "a whole number", str: "a text in quotes", tuple: "a list of texts"}


def read_facts(options: Mapping[str, Any], place: str) -> Facts:
    """Return the facts in the options of the first cell; SourceError for a value of a wrong type."""
    values = {name: value for name, value in options.items() if name in NAMES}
    if values.get("draft", True) is not True:
        raise SourceError(f"{place}: draft must be true; without it the set is released")
    for name, value in values.items():
        default = getattr(Facts, name)
        if isinstance(default, tuple):
            values[name] = tuple(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else None
        if type(values[name]) is not type(default):
            raise SourceError(f"{place}: {name}={value!r} must be {_FORMS[type(default)]}")
    return Facts(**values)


def as_released(cell: PercentCell) -> PercentCell:
    """Return the first cell without the facts that are for the grader only."""
    return replace(cell, options={name: value for name, value in cell.options.items() if name == "draft" or name not in NAMES})
