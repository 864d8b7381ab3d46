"""The Python of a course: that of its first run. A run under another one is refused, unless staff accept it for the whole course.

What a submission gets depends on the Python that reads it: an f-string of 3.12 is an error under 3.11. Major and minor count, not
the patch release, which brings no syntax. The note is in version.json, which also says what graded last (`versions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from arena.errors import UserError
from autograder.gradebook.tables import Change
from autograder.grading.config import PYTHON
from autograder.json_files import read_state, write_state
from autograder.log import log

FILE = "version.json"  # in the course folder; without it the course takes the Python of its next run
NOTE = "python"  # its key


def check_python(course: Path) -> None:
    """Return if this Python may grade the course; nothing is written.

    Raises:
        UserError: another one graded it; the sentence has the two ways on.
    """
    noted = python_of(course)
    if noted not in (None, PYTHON):
        raise UserError(
            f"{course} is graded with Python {noted}, and this is Python {PYTHON}, which may give the same work other points: "
            f"go back with `PYTHON=python{noted} make setup`, or change the course to {PYTHON} with `python -m autograder grade "
            f"{course} --accept-python`, which grades everything again and lists what changes"
        )


def check_accepted(course: Path | None, ps: str | None) -> None:
    """Return if there is another Python to accept, for all sets of a course.

    Raises:
        UserError: there is none, or only one set would be graded with it.
    """
    if course is None:
        raise UserError("--accept-python is for a course: name its folder too")
    if ps is not None:
        raise UserError("--accept-python grades every set of the course again: leave out --ps")
    if (noted := python_of(course)) in (None, PYTHON):
        raise UserError(f"there is no other Python to change from: {course} {'is' if noted else 'will be'} graded with Python "
                        f"{PYTHON}; leave out --accept-python")


def python_of(course: Path) -> str | None:
    """Return the Python that grades a course, such as "3.11"; None if no run has noted it."""
    noted = read_state(course / FILE).get(NOTE)
    return noted if isinstance(noted, str) else None


def note_python(course: Path, say: Callable[[str], None]) -> None:
    """Note this Python in a course that has none, before the first recording of a run. An older course reads that in one line."""
    if python_of(course) is None:
        if (course / "autograded").exists():
            say(f"no run has noted the Python of this course yet: from now on it is graded with Python {PYTHON}")
        change_python(course)


def change_python(course: Path) -> None:
    """Make this Python that of the course."""
    write_state(course / FILE, {**read_state(course / FILE), NOTE: PYTHON})


def log_acceptance(course: Path, sets: Sequence[str]) -> None:
    """Write to the log that staff accept this Python, before anything is graded with it."""
    log(course, "accept-python", old=python_of(course), new=PYTHON, sets=list(sets))


def log_changes(course: Path, ps: str, changes: Sequence[Change]) -> None:
    """Write to the log what an accepted Python changed in a set: a later run of the set replaces its lines in changes.csv."""
    log(course, "accept-python", ps=ps, changes=[str(change) for change in changes])
