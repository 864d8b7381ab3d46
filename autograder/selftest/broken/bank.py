"""The bank of broken hand-ins in tests/broken/: the files of each, and its required result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import UserError
from arena.near_miss import meant_or_listed
from autograder.paths import REPOSITORY
from autograder.selftest.demo.submission_maker import SubmissionMaker
from autograder.selftest.handle import families_of, handle_of
from autograder.submission.discover import NOTEBOOK

BANK = REPOSITORY / "tests" / "broken"
Handed = dict[str, str | bytes]  # content by path in the submission's folder


@dataclass(frozen=True)
class Mess:
    """One broken hand-in of an honest student, and its required result.

    name, what: its name, and a sentence about its origin.
    files: the files of the hand-in. lay: a function that makes the submission's folder, if files are not enough.
    points: the required points. lost: the exercises without points, with their outcome; None if nothing was graded.
    says: sentences that the student must read; without them the report's note must be empty.
    form: the form in the report. student: the folder's name, if the name is the problem.
    remark: a required remark on the class page. listed: False if the only result is a remark.
    quick: `make test` grades it too.
    """

    name: str
    what: str
    files: Callable[[SubmissionMaker], Handed] | None = None
    lay: Callable[[Path, SubmissionMaker], None] | None = None
    ps: str = "ps2_uct"
    points: float = 100.0
    lost: dict[str, str] | None = field(default_factory=dict)
    says: tuple[str, ...] = ()
    form: str = NOTEBOOK
    student: str = ""
    remark: str = ""
    listed: bool = True
    quick: bool = False

    @property
    def handle(self) -> str:
        """The student's folder."""
        return self.student or handle_of(self.name)


def load_messes(name: str | None = None) -> tuple[Mess, ...]:
    """Return the whole bank; with `name`, the hand-ins whose name contains it, or those of the file with that name.

    Raises:
        UserError: no hand-in has that name, or two have the same name.
    """
    families = families_of(BANK, "MESSES")
    messes = [mess for family in families.values() for mess in family]
    handles = [mess.handle for mess in messes]
    twice = sorted({handle for handle in handles if handles.count(handle) > 1})
    if twice:
        raise UserError(f"two entries of {BANK} have the same name: {', '.join(twice)}")
    if name is None:
        return tuple(messes)
    wanted = name.casefold()
    chosen = families.get(wanted) or [mess for mess in messes if wanted in (mess.name.casefold(), mess.handle)]
    chosen = chosen or [mess for mess in messes if wanted in mess.name.casefold()]
    if not chosen:
        raise UserError(f"no entry of the broken bank is called {name!r}{meant_or_listed(name, handles)}")
    return tuple(chosen)
