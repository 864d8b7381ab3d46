"""The end of a program whose output nobody reads any more, as in `python -m arena | head -1`."""

import os
import sys

READER_GONE = 141  # 128 + SIGPIPE: what a shell reports of a program that a closed pipe has ended


def end_if_unread() -> None:
    """End the program without a word, with code 141, if the reader of standard output has left; otherwise do nothing."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        raise SystemExit(READER_GONE) from None
