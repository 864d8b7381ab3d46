"""Ctrl-C, or SIGTERM, at any moment of a command: it ends with a sentence, never with a traceback.

Python raises KeyboardInterrupt at any point of a program, also in the imports at its start and in the clean-up at its end, where
nobody catches it. A command calls `while_it_starts`, then `while_it_works` before its work and `while_it_ends` after it, or just
before it prints its last sentence. In other programs, such as a test, the three change nothing.
"""

import os
import signal
from collections.abc import Callable
from types import FrameType

STOPPED = 130  # the exit code of a command that Ctrl-C ended: 128 + SIGINT
_commands: list[str] = []  # the name of the command that this process is


def while_it_starts(command: str) -> None:
    """Say that this process is a command; from now on both end it at once: nothing has to be cleaned up yet."""
    _commands.append(command)

    def leave(number: int, frame: FrameType | None) -> None:
        os.write(2, f"{command}: stopped\n".encode())
        os._exit(STOPPED)

    _set(leave)


def while_it_works() -> None:
    """Let both raise KeyboardInterrupt, as Ctrl-C does in every program."""
    _set(signal.default_int_handler)


def while_it_ends() -> None:
    """Ignore both: the end is near, and a second one would only tear it."""
    _set(signal.SIG_IGN)
    # CPython notes a KeyboardInterrupt that passes an exec() of text, as in the making of a dataclass, also if it is caught
    # later, and ends the process by SIGINT in place of its exit code; the next exec() forgets it
    exec("")


def _set(handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        # a command in the background ignores Ctrl-C from its beginning, and goes on doing so
        if _commands and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)
