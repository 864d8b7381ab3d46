"""How far work is: a line that is drawn over itself in a notebook or a terminal, and lines now and then in a log or in CI.

A course's runs use these words too; `autograder.progress` draws their bars.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 30  # characters in the bar
LEAST_DONE = 0.1  # of the work; before it, the time left is not known
DRAWN_EVERY_S = 0.25
SILENT_S = 2.0  # nobody waits longer than this for a first line
EVERY_S = 10.0  # between two lines; in a long run the pause is longer
SHARE = 0.05  # a pause is this share of the time so far: about 20 lines in the first minutes, 50 in the next hour


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
        bar = "#" * full + "." * (WIDTH - full)
        parts = (self.label, f"[{bar}] {counted(self.done, self.total)}", f"({times(self.done, self.total, seconds)})", note)
        return " ".join(filter(None, parts))

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


class Live:
    """Shows the line that `line()` returns until the block ends, on standard error; `tell` prints a line that stays."""

    def __init__(self, line: Callable[[], str]) -> None:
        self._line, self._at_work, self._drawn = line, threading.Lock(), can_draw()

    def tell(self, text: str, tell: Callable[[str], None]) -> None:
        """Remove the drawn line from the terminal, and call `tell` with `text`."""
        with self._at_work:
            self._clear()
            tell(text)

    def _show(self, line: str) -> None:
        with self._at_work:
            self._clear()
            width = shutil.get_terminal_size().columns - 1  # a longer line could not be drawn over
            print(line[:width] if self._drawn else line, file=sys.stderr, flush=True, end="" if self._drawn else "\n")

    def _clear(self) -> None:
        if self._drawn:
            print(f"\r{'':{shutil.get_terminal_size().columns - 1}}\r", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Live:
        every_s = DRAWN_EVERY_S if self._drawn else None
        self._ticker = Ticker(self._show, lambda seconds: self._line(), every_s or SILENT_S, every_s=every_s)
        return self

    def __exit__(self, *exception: object) -> None:
        self._ticker.end()
        self._clear()


class Ticker:
    """Prints a line after `first_s` seconds, and more lines until `end`; a thread prints, so that the caller may be busy."""

    def __init__(
        self, say: Callable[[str], None], line: Callable[[float], str], first_s: float = EVERY_S, *, every_s: float | None = None
    ) -> None:
        """Begin.

        Args:
            line: makes the line from the seconds so far.
            every_s: the pause between two lines; None: longer and longer pauses.
        """
        self._say, self._line, self._first_s, self._every_s = say, line, first_s, every_s
        self._over, self._began = threading.Event(), time.monotonic()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._thread.start()

    def _tick(self) -> None:
        wait_s = self._first_s
        while not self._over.wait(wait_s):
            seconds = time.monotonic() - self._began
            self._say(self._line(seconds))
            wait_s = pause_s(seconds) if self._every_s is None else self._every_s

    def end(self) -> None:
        """Stop; when this returns, no more line comes."""
        self._over.set()
        self._thread.join()


def pause_s(seconds: float) -> float:
    """Return the pause before the next line, `seconds` after the beginning."""
    return max(EVERY_S, SHARE * seconds)


def progress_line(what: str, done: float, total: float | None, seconds: float) -> str:
    """Return "grading: 120 of 600, 2 min 10 s, about 8 min left"; without a total, the number done (if any) and the time.

    The time left is shown after a tenth of the work. One that is shorter than the pause between two lines is left out: at the
    end it depends on the slowest step alone.
    """
    if total is None:
        return f"{what}: {', '.join(filter(None, [counted(done, None), duration(seconds) + ' so far']))}"
    return f"{what}: {counted(done, total)}, {times(done, total, seconds)}"


def counted(done: float, total: float | None) -> str:
    """Return "120 of 600", "0.4 of 30" or, without a total, the number done; "" if that is 0. All are done only at the end."""
    count = f"{math.floor(done * 10 + 1e-6) / 10:.1f}".removesuffix(".0")
    return f"{count} of {total:g}" if total is not None else count if done else ""


def times(done: float, total: float | None, seconds: float) -> str:
    """Return "2 min 10 s, about 8 min left"; only the time so far if the time left is not known, or is short."""
    left_s = seconds * (total - done) / done if total and 0 < LEAST_DONE * total <= done else 0.0
    return ", ".join([duration(seconds), *([f"about {duration(left_s)} left"] if left_s >= EVERY_S else [])])


def duration(seconds: float) -> str:
    """Return a time in words: 9 s, 2 min 10 s, 8 min, 1 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest and minutes < 5 else f"{minutes} min"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def can_draw(console: Console | None = None) -> bool:
    """Whether a line can be drawn over itself, on standard error or a console: not in a file, a pipe, or where TERM is dumb."""
    if console is not None:
        return console.is_terminal and not console.is_dumb_terminal
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _in_a_notebook() -> bool:
    """Say whether outputs go to a notebook's page; IPython in a terminal is not a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


@contextmanager
def waiting(what: str, console: Console | None = None, drawn: bool = True, detail: Callable[[], str] = str) -> Iterator[None]:
    """Show that `what` is under way until the block ends: drawn on a terminal, with the time so far, and as lines elsewhere.

    Args:
        console: None is standard error, so that standard output holds only the results of a command.
        drawn: False if other code draws on the terminal; a terminal then shows nothing of this.
        detail: returns the present state, such as "iteration 12".

    It needs rich, which a course has and a student's installation lacks.
    """
    from rich.console import Console
    from rich.progress import Progress as Spinner
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    console = console or Console(stderr=True, soft_wrap=True)
    if can_draw(console):
        if not drawn:
            yield
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Spinner(*columns, console=console, transient=True) as spinner:
            spinner.add_task(what, total=None)
            yield
        return

    def line(seconds: float) -> str:
        return ", ".join(filter(None, [progress_line(what, 0, None, seconds), detail()]))

    ticker = Ticker(lambda text: console.print(text, markup=False, highlight=False), line, SILENT_S)
    try:
        yield
    finally:
        ticker.end()
