"""The end of a program whose output nobody reads any more, as in `python -m arena | head -1`."""

import errno
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

READER_GONE = 141  # 128 + SIGPIPE: what a shell reports of a program that a closed pipe has ended
if sys.platform == "win32":  # Windows calls a write to a pipe without a reader an invalid argument
    _GONE = (errno.EPIPE, errno.EINVAL)
else:
    _GONE = (errno.EPIPE,)


@contextmanager
def quiet_when_unread() -> Iterator[None]:
    """End the program silently, with code 141, when the reader of standard output has left."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        # an error with the name of a file is not of standard output: Windows calls many a wrong name an invalid argument too
        if error.errno not in _GONE or error.filename or not unread():
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        raise SystemExit(READER_GONE) from None


def unread() -> bool:
    """Return whether the reader of standard output has left; where the system cannot tell, True."""
    if not hasattr(select, "poll"):
        return True
    asked = select.poll()
    asked.register(sys.stdout.fileno(), select.POLLOUT)
    # Linux calls a pipe whose reader has left an error, other systems and sockets call it hung up
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in asked.poll(0))
