"""In a browser's tab: one sentence, and no traceback, in a cell that draws with matplotlib where the page does not have it.

The import succeeds there, so that the other lines of such a cell run; the first use stops the cell.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

DRAWS = "matplotlib"
SENTENCE = (f"This cell draws with {DRAWS}, which this page does not have: nothing is graded here, and the course on your own "
            "computer shows the picture.")


class PicturesMissing(Exception):
    """Stops a cell that draws. A notebook shows the sentence alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:  # IPython shows these lines instead of its own
        return [SENTENCE]


class _Absent(ModuleType):
    """Stands where a module of matplotlib would be; whoever uses it reads why it is not there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python's own questions about a module
            raise AttributeError(name)
        raise PicturesMissing(SENTENCE)


class _Finder(MetaPathFinder, Loader):
    """Finds matplotlib and what is in it, where nothing before it has found them."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] == DRAWS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


def say_what_is_missing() -> None:
    """From now on, a cell that needs an absent matplotlib says so; one that is installed is found before, as ever."""
    sys.meta_path.insert(sys.meta_path.index(PathFinder) + 1, _Finder())
