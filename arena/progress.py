"""A line of progress for a long cell: a notebook and a terminal draw it over itself, a file gets nothing."""

import os
import sys
import time
from typing import Any

WIDTH = 30  # characters in the bar
LEAST_DONE = 0.1  # of the work; before it, the time left is not known


class Progress:
    """Counts up to `total`; `step()` after each piece of work.

    Args:
        total: the pieces of work, at least 1.
        label: the name of the work, a word or two.
        show: True or False; None shows the line where it can be drawn over itself, in a notebook or a terminal.
    """

    def __init__(self, total: int, label: str = "", show: bool | None = None):
        self.total, self.label, self.done = total, label, 0
        self._notebook = _in_a_notebook()
        self._show = (self._notebook or can_draw()) if show is None else show
        self._began = self._drawn = time.monotonic()
        self._display: Any = None

    def step(self, note: str = "") -> None:
        """Count one piece of work and draw the line, at most five times a second; `note` is the end of the line."""
        self.done += 1
        now = time.monotonic()
        if self._show and (now - self._drawn > 0.2 or self.done == self.total):
            self._drawn = now
            self._draw(self.line(now - self._began, note))

    def line(self, seconds: float, note: str = "") -> str:
        """Return the line as text, after `seconds` seconds of work."""
        full = WIDTH * self.done // self.total
        is_known = LEAST_DONE * self.total <= self.done < self.total
        left = f", about {seconds / self.done * (self.total - self.done):.0f} s left" if is_known else ""
        times = f"{seconds:.0f} s{left}"
        bar = "#" * full + "." * (WIDTH - full)
        return " ".join(part for part in (self.label, f"[{bar}] {self.done} of {self.total}", f"({times})", note) if part)

    def _draw(self, line: str) -> None:
        if self._notebook:
            from IPython.display import display

            shown = {"text/plain": line}
            if self._display is None:
                self._display = display(shown, raw=True, display_id=True)
            else:
                self._display.update(shown, raw=True)
        else:
            end = "\n" if self.done == self.total else ""
            print(f"\r{line:<100}", end=end, file=sys.stderr, flush=True)


def can_draw() -> bool:
    """Whether standard error is a terminal on which a line can be drawn over itself."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _in_a_notebook() -> bool:
    """Say whether outputs go to a notebook's page; IPython in a terminal is no notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
