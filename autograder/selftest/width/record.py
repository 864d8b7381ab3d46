"""The branches in tests/width/<ps>.toml that no check needs to run, each with its reason, and their comparison with a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import UserError
from autograder.grading.probes import NEVER_FALSE, NEVER_RUN, NEVER_TRUE, Branch
from autograder.paths import REPOSITORY
from autograder.selftest.reasons import load_entries

RECORDS = REPOSITORY / "tests" / "width"
KINDS = (NEVER_RUN, NEVER_TRUE, NEVER_FALSE)
Name = tuple[str, str, str, str]  # exercise, function, text of the branch, kind


@dataclass(frozen=True)
class Accepted:
    """A branch of our solution that no check runs, and the reason why none needs to."""

    name: Name
    why: str

    def line(self) -> str:
        """Return one line that names the branch."""
        exercise, function, text, kind = self.name
        return f"{exercise} {function}: {kind}: {text}"


def name_of(branch: Branch) -> Name:
    """Return the name of a branch of our solution in a record; it survives changes of other lines."""
    return branch.exercise or "", branch.function, branch.text, branch.kind


def load_records(ps: str, folder: Path = RECORDS) -> list[Accepted]:
    """Read the records of a problem set.

    Raises:
        UserError: an entry is not complete, or appears twice.
    """
    path = folder / f"{ps}.toml"

    def accepted(entry: dict[str, Any]) -> Accepted:
        if entry["kind"] not in KINDS:
            raise UserError(f"{path}: kind is one of {', '.join(KINDS)}, not {entry['kind']!r}")
        name = (entry["exercise"], entry["function"], entry["text"].strip(), entry["kind"])
        return Accepted(name, " ".join(entry["why"].split()))

    return load_entries(path, "unrun", ("exercise", "function", "text", "kind", "why"), accepted)


def entry_for(branch: Branch) -> str:
    """Return the entry for a branch, with an empty reason."""
    exercise, function, text, kind = name_of(branch)
    return (f'[[unrun]]\nexercise = "{exercise}"\nfunction = "{function}"\ntext = \'\'\'\n{text}\'\'\'\n'
            f'kind = "{kind}"\nwhy = ""\n')


def misfits(
    records: Sequence[Accepted], exercises: Collection[str], branches: Collection[Branch], unrun: Collection[Branch]
) -> list[str]:
    """Return a sentence for each wrong record of these exercises: its branch does not exist any more, or a check runs it."""
    known, missed = ({name_of(branch) for branch in some} for some in (branches, unrun))
    wrong = []
    for record in records:
        if record.name[0] in exercises and record.name not in known:
            wrong.append(f"accepted as never run, but our solution has no such branch: {record.line()}")
        elif record.name[0] in exercises and record.name not in missed:
            wrong.append(f"accepted as never run, but a check runs it: {record.line()}")
    return wrong
