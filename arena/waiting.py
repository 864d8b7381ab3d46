"""What a person who waits is told where nothing can be drawn, in a log or in CI: a line after two seconds, then now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

SILENT_S = 2.0  # nobody waits longer than this without a word
EVERY_S = 10.0  # between two lines, and in a long run
SHARE = 0.05  # this share of the time so far: some 20 lines in the first minutes, 50 in the next hour


class Ticker:
    """Says a line after `first_s` seconds, and on and on until `end`; from a thread, whatever the caller is busy with."""

    def __init__(self, say: Callable[[str], None], line: Callable[[float], str], first_s: float = EVERY_S) -> None:
        """Begin.

        Args:
            line: makes the line of the seconds so far.
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
        """Say no more; when this returns, the last line is out."""
        self._over.set()
        self._thread.join()


def pause_s(seconds: float) -> float:
    """Return how long to wait for the next line, so many seconds after the beginning."""
    return max(EVERY_S, SHARE * seconds)


def progress_line(what: str, done: float, total: float | None, seconds: float) -> str:
    """Return "grading: 120 of 600, 2 min 10 s, about 8 min left"; without a total only what is done, if anything is."""
    if total is None:
        counted = [f"{done:.1f}".removesuffix(".0")] if done else []
        return f"{what}: {', '.join([*counted, duration(seconds) + ' so far'])}"
    left = [f"about {duration(seconds * (total - done) / done)} left"] if 0 < done < total else []
    return f"{what}: {', '.join([f'{done:.1f}'.removesuffix('.0') + f' of {total:g}', duration(seconds), *left])}"


def duration(seconds: float) -> str:
    """Return a time as one says it: 9 s, 2 min 10 s, 8 min, 1 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest and minutes < 5 else f"{minutes} min"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


@contextmanager
def waiting(what: str, console: Console | None = None, drawn: bool = True, detail: Callable[[], str] = str) -> Iterator[None]:
    """Say that `what` is under way, for as long as it is: drawn on a terminal, in lines elsewhere.

    Args:
        console: standard error when None, so that what a command gives stays alone on standard output.
        drawn: False where something else draws on the terminal: then nothing is said there.
        detail: what more there is to say at the moment, such as "iteration 12".
    """
    console = console or Console(stderr=True, soft_wrap=True)
    if console.is_terminal:
        if not drawn:
            yield
            return
        with console.status(what):
            yield
        return

    def line(seconds: float) -> str:
        return ", ".join(filter(None, [progress_line(what, 0, None, seconds), detail()]))

    ticker = Ticker(lambda text: console.print(text, markup=False, highlight=False), line, SILENT_S)
    try:
        yield
    finally:
        ticker.end()
