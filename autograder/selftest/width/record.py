"""The branches in tests/width/<ps>.toml that no check needs to run, each with its reason, and their comparison with a run.

`[[unrun]]` is a branch of our solution, `[[right_answer]]` one of a right answer.
"""

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
OURS, RIGHT_ANSWER = "unrun", "right_answer"
_WHOSE = {OURS: "exercise", RIGHT_ANSWER: "answer"}
Name = tuple[str, str, str, str]  # exercise or name of the answer, function, text of the branch, kind


@dataclass(frozen=True)
class Accepted:
    """A branch that no check runs, and the reason why none needs to."""

    name: Name
    why: str

    def line(self) -> str:
        """Return one line that names the branch."""
        whose, function, text, kind = self.name
        return f"{whose} {function}: {kind}: {text}"


def name_of(branch: Branch, answer: str | None = None) -> Name:
    """Return the name in a record of a branch of our solution, or of this right answer; it survives changes of other lines."""
    return (branch.exercise or "") if answer is None else answer, branch.function, branch.text, branch.kind


def load_records(ps: str, folder: Path = RECORDS, table: str = OURS) -> list[Accepted]:
    """Read the records of a problem set.

    Args:
        table: OURS or RIGHT_ANSWER.

    Raises:
        UserError: an entry is not complete, or appears twice.
    """
    path = folder / f"{ps}.toml"

    def accepted(entry: dict[str, Any]) -> Accepted:
        if entry["kind"] not in KINDS:
            raise UserError(f"{path}: kind is one of {', '.join(KINDS)}, not {entry['kind']!r}")
        name = (entry[_WHOSE[table]], entry["function"], entry["text"].strip(), entry["kind"])
        return Accepted(name, " ".join(entry["why"].split()))

    return load_entries(path, table, (_WHOSE[table], "function", "text", "kind", "why"), accepted)


def entry_for(branch: Branch, answer: str | None = None) -> str:
    """Return the entry for a branch of our solution, or of this right answer, with an empty reason."""
    table = OURS if answer is None else RIGHT_ANSWER
    whose, function, text, kind = name_of(branch, answer)
    return (f'[[{table}]]\n{_WHOSE[table]} = "{whose}"\nfunction = "{function}"\ntext = \'\'\'\n{text}\'\'\'\n'
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


def outdated(records: Sequence[Accepted], missed: Collection[Name]) -> list[str]:
    """Return a sentence for each record of a right answer that no longer fits."""
    return [f"accepted as never run, but a check runs it, or the right answer has no such branch: {record.line()}"
            for record in records if record.name not in missed]
