"""The graded submissions of one student, in short and in order: `reports/<student>/<ps>.history.json`.

The file exists from the second submission on; the report itself is the history of a student who handed in once. It has no
times, so that the same submissions always give the same file.
"""

from collections.abc import Sequence
from pathlib import Path

from autograder.json_files import read_state, write_state
from autograder.pages.short_report import ShortReport

MOST = 20  # submissions that are kept of one student: the first, and the latest ones
_KEY = "submissions"
History = tuple[ShortReport, ...]


def read_history(path: Path) -> History:
    """Return the submissions in a file, the first one first; empty if there is no file or it is damaged."""
    try:
        return tuple(map(ShortReport.from_list, read_state(path)[_KEY]))
    except (KeyError, TypeError, ValueError):
        return ()


def write_history(path: Path, history: History) -> None:
    """Write the submissions, whole or not at all."""
    write_state(path, {_KEY: [entry.to_list() for entry in history]})


def continued(history: Sequence[ShortReport], now: ShortReport) -> History:
    """Return the history with the present report.

    Other bytes are a new submission. The same bytes, graded again, replace the last entry.
    """
    earlier = history[:-1] if history and history[-1].sha256 == now.sha256 else history
    whole = (*earlier, now)
    return whole if len(whole) <= MOST else (whole[0], *whole[1 - MOST :])
