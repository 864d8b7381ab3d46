"""Lines of progress where nothing can be drawn, in a log or in CI: the first after two seconds, then now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from arena.progress import LEAST_DONE

SILENT_S = 2.0  # nobody waits longer than this for a first line
EVERY_S = 10.0  # between two lines; in a long run the pause is longer
SHARE = 0.05  # a pause is this share of the time so far: about 20 lines in the first minutes, 50 in the next hour


class Ticker:
    """Prints a line after `first_s` seconds, and more lines until `end`; a thread prints, so that the caller may be busy."""

    def __init__(self, say: Callable[[str], None], line: Callable[[float], str], first_s: float = EVERY_S) -> None:
        """Begin.

        Args:
            line: makes the line from the seconds so far.
        """
        self._say, self._line, self._first_s = say, line, first_s
        self._over, self._began = threading.Event(), time.monotonic()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._thread.start()

    def _tick(self) -> None:
        wait_s = self._first_s
        while not self._over.wait(wait_s):
            seconds = time.monotonic() - self._began
            self._say(self._line(seconds))
            wait_s = pause_s(seconds)

    def end(self) -> None:
        """Stop; when this returns, no more line comes."""
        self._over.set()
        self._thread.join()


def pause_s(seconds: float) -> float:
    """Return the pause before the next line, `seconds` after the beginning."""
    return max(EVERY_S, SHARE * seconds)


def progress_line(what: str, done: float, total: float | None, seconds: float) -> str:
    """Return "grading: 120 of 600, 2 min 10 s, about 8 min left"; without a total, the number done (if any) and the time.

    The time left is told from a tenth of the work on. One that is shorter than the pause between two lines is left out: at the
    end it depends on the slowest step alone.
    """
    if total is None:
        return f"{what}: {', '.join(filter(None, [counted(done, None), duration(seconds) + ' so far']))}"
    return f"{what}: {counted(done, total)}, {times(done, total, seconds)}"


def counted(done: float, total: float | None) -> str:
    """Return "120 of 600", "0.4 of 30" or, without a total, the number done; "" if that is 0."""
    count = f"{done:.1f}".removesuffix(".0")
    return f"{count} of {total:g}" if total is not None else count if done else ""


def times(done: float, total: float | None, seconds: float) -> str:
    """Return "2 min 10 s, about 8 min left"; the time so far alone where the time left is not known, or is short."""
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


def can_draw(console: Console) -> bool:
    """Whether a line can be drawn over itself: not in a file, a pipe or a terminal that says TERM=dumb."""
    return console.is_terminal and not console.is_dumb_terminal


@contextmanager
def waiting(what: str, console: Console | None = None, drawn: bool = True, detail: Callable[[], str] = str) -> Iterator[None]:
    """Show that `what` is under way until the block ends: drawn on a terminal, with the time so far, and as lines elsewhere.

    Args:
        console: None is standard error, so that standard output holds only the results of a command.
        drawn: False if other code draws on the terminal; a terminal then shows nothing of this.
        detail: returns the present state, such as "iteration 12".
    """
    console = console or Console(stderr=True, soft_wrap=True)
    if can_draw(console):
        if not drawn:
            yield
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as spinner:
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
