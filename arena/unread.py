"""The end of a program whose output nobody reads any more, as in `python -m arena | head -1`."""

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

READER_GONE = 141  # 128 + SIGPIPE: what a shell reports of a program that a closed pipe has ended


@contextmanager
def quiet_when_unread() -> Iterator[None]:
    """End the program without a word, with code 141, when the reader of standard output has left."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        if not unread():
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        raise SystemExit(READER_GONE) from None


def unread() -> bool:
    """Return whether the reader of standard output has left; where the system cannot tell, True."""
    if not hasattr(select, "poll"):
        return True
    asked = select.poll()
    asked.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in asked.poll(0))
