"""The bank of honest mess in tests/broken/: how each of them was handed in, and what must come of it."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import UserError
from autograder.paths import REPOSITORY
from autograder.selftest.demo.submission_maker import SubmissionMaker, handle_of
from autograder.submission.discover import NOTEBOOK

BANK = REPOSITORY / "tests" / "broken"
Handed = dict[str, str | bytes]  # by the path in the submission's folder


@dataclass(frozen=True)
class Mess:
    """One honest hand-in and what must come of it.

    name, what: what it is called, and how it came about, in a sentence.
    files: what is handed in. lay: lays the submission's folder out by itself where text and bytes do not do.
    points: what it must get; lost: the exercises that give none, with their outcome; None where nothing was graded.
    says: sentences that must stand in what the student reads; without one the report's note must be empty.
    form: what the report says was graded. student: the folder's name, where that is the mess.
    remark: must be among the remarks of the class page. listed: False where only a remark comes of it.
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
    """Return all of the bank; with `name` those whose name contains it, or the file of that name.

    Raises:
        UserError: there is none of that name, or two of one name.
    """
    families = {path.stem: runpy.run_path(str(path)).get("MESSES", ()) for path in sorted(BANK.glob("[a-z]*.py"))}
    found = [one for family in families.values() for one in family]
    handles = [one.handle for one in found]
    twice = sorted({handle for handle in handles if handles.count(handle) > 1})
    if twice:
        raise UserError(f"two entries of {BANK} have one name: {', '.join(twice)}")
    if name is None:
        return tuple(found)
    wanted = name.casefold()
    chosen = families.get(wanted) or [one for one in found if wanted in (one.name.casefold(), one.handle)]
    chosen = chosen or [one for one in found if wanted in one.name.casefold()]
    if not chosen:
        raise UserError(f"no entry of the broken bank is called {name!r}; there are {', '.join(handles)}")
    return tuple(chosen)
