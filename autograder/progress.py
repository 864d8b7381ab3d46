"""What a person sees during a long run."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from arena.progress import Ticker, can_draw, counted, progress_line, times

LOOK_S = 1.0


class Watcher:
    """Gets reports on a run; the command line's watcher draws a progress bar. This one is silent."""

    def say(self, sentence: str) -> None:
        """Receive a sentence."""

    def start(self, what: str, total: int | None) -> None:
        """Begin a part of the run with `total` steps; None if the number is unknown."""

    def step(self, student: str) -> None:
        """Count one step, for this student."""

    def reach(self, amount: float) -> None:
        """Receive the amount of the total that is done; it need not be whole."""

    def end(self) -> None:
        """End the present part of the run."""


class Stop:
    """Ctrl-C or SIGTERM, as an exception that is not lost, and that comes once: a second one would tear the end of the run.

    Python prints and drops an exception that a signal handler raises inside the callback of a weak reference, and the run would
    go on. There the handler only sets `asked`, and `check`, called at each step of the main thread, raises.
    """

    def __init__(self) -> None:
        self.asked = False

    def listen(self) -> None:
        """Handle SIGINT and SIGTERM from now on; a run in the background may ignore Ctrl-C, and then it stays ignored."""
        signal.signal(signal.SIGTERM, self._stop)
        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._stop)

    def check(self) -> None:
        """Raise KeyboardInterrupt after a stop was asked for; other threads go on, and end with the run."""
        if self.asked and threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        if frame is None or frame.f_globals.get("__name__") not in ("weakref", "_weakrefset"):
            for asking in (signal.SIGINT, signal.SIGTERM):
                signal.signal(asking, signal.SIG_IGN)
            raise KeyboardInterrupt


class _Count(ProgressColumn):
    """How many are done, with tenths: 0.4 of 30."""

    def render(self, task: Task) -> Text:
        return Text(counted(task.completed, task.total))


class _Times(ProgressColumn):
    """The time so far, and the time left once it is known."""

    def render(self, task: Task) -> Text:
        return Text(times(task.completed, task.total, task.elapsed or 0.0))


class Partly:
    """Tells a watcher, every LOOK_S seconds, how many items are done; items under way count by their shares.

    For items that take a minute each, so that a bar does not stay at 0.
    """

    def __init__(self, watcher: Watcher, total: float, under_way: Callable[[], float]) -> None:
        """Begin with a block; `under_way` returns the sum of the shares that are done, each in [0, 1]."""
        self._watcher, self._total, self._under_way = watcher, total, under_way
        self._done, self._furthest, self._over = 0, 0.0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def step(self) -> None:
        """Count an item that is done."""
        self._done += 1
        self._tell()

    def _look(self) -> None:
        while not self._over.wait(LOOK_S):
            self._tell()

    def _tell(self) -> None:
        # an item counts a moment after its share was taken back: nothing goes backwards
        self._furthest = max(self._furthest, min(self._done + self._under_way(), self._total))
        self._watcher.reach(self._furthest)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()


class ProgressBar(Watcher):
    """A bar with the time left on a terminal; elsewhere, plain lines with the same contents now and then."""

    def __init__(self, console: Console, stop: Stop | None = None) -> None:
        self.console, self.stop = console, stop or Stop()
        self.bar: Progress | None = None
        self.ticker: Ticker | None = None
        self.done = 0.0

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        self.console.print(sentence, markup=False, highlight=False)

    def start(self, what: str, total: int | None) -> None:
        """Draw a new bar, or print a line now and further lines later."""
        self.stop.check()
        self.end()
        self.done = 0.0
        if not can_draw(self.console):
            self.say(what if total is None else f"{what}: {total}")
            self.ticker = Ticker(self.say, lambda seconds: progress_line(what, self.done, total, seconds))
            return
        columns = (TextColumn("{task.description}"), BarColumn(), _Count(), _Times())
        self.bar = Progress(*columns, console=self.console, transient=True)
        self.task = self.bar.add_task(what, total=total)
        self.bar.start()

    def step(self, student: str) -> None:
        """Move the bar by one."""
        self.reach(self.done + 1)

    def reach(self, amount: float) -> None:
        """Move the bar to this amount."""
        self.stop.check()
        self.done = amount
        if self.bar is not None:
            self.bar.update(self.task, completed=amount)

    def end(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
        if self.ticker is not None:
            self.ticker.end()
            self.ticker = None
