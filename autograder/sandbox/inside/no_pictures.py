"""`arena.show` as the sandbox has it: nobody looks there, so a picture is an empty text, and how pictures look decides no grade.

A student's function that draws a board while it searches runs as at home.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from arena.games import boards

# The modules of arena.show.
PARTS = ("board", "cards", "connect_four", "diagram", "grow", "guess", "learning", "listed", "mend", "nodes", "pages", "play",
         "recorded", "step", "tree")


class Nothing(str):
    """An empty text that may be called and has every attribute: the answer is again itself."""

    __slots__ = ()

    def __call__(self, *args: Any, **named: Any) -> Nothing:
        """Draw nothing."""
        return self

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def __getattr__(name: str) -> Any:
    """Return a function of `arena.games.boards`, which says in words what a board shows, or else Nothing."""
    if name.startswith("__"):  # Python asks a module for some of its own, such as __path__
        raise AttributeError(name)
    return getattr(boards, name, Nothing())


for _part in PARTS:
    _module = ModuleType(f"{__name__}.{_part}")
    vars(_module)["__getattr__"] = __getattr__
    sys.modules[_module.__name__] = globals()[_part] = _module
