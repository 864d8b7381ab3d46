"""The equivalent mutants in tests/mutants/<ps>.toml, each with its reason, and their comparison with a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.paths import REPOSITORY
from autograder.selftest.mutants.mutant import Mutant
from autograder.selftest.mutants.trial import KILLED, LUCKY, Trial
from autograder.selftest.reasons import load_entries

RECORDS = REPOSITORY / "tests" / "mutants"
Name = tuple[str, str, str, int]  # exercise, function, change, occurrence


@dataclass(frozen=True)
class Equivalent:
    """A mutant that keeps all promises that our solution makes, and the reason why."""

    name: Name
    why: str

    def line(self) -> str:
        """Return one line that names the mutant."""
        exercise, function, change, occurrence = self.name
        which = f" (number {occurrence})" if occurrence > 1 else ""
        return f"{exercise} {function}{which}: {change!r}"


def load_records(ps: str, folder: Path = RECORDS) -> list[Equivalent]:
    """Read the records of a problem set.

    Raises:
        UserError: an entry is not complete, or appears twice.
    """
    def equivalent(entry: dict[str, Any]) -> Equivalent:
        name = (entry["exercise"], entry["function"], entry["change"].strip("\n"), entry.get("occurrence", 1))
        return Equivalent(name, " ".join(entry["why"].split()))

    return load_entries(folder / f"{ps}.toml", "equivalent", ("exercise", "function", "change", "why"), equivalent)


def entry_for(mutant: Mutant) -> str:
    """Return the entry for a mutant, with an empty reason."""
    occurrence = f"occurrence = {mutant.occurrence}\n" if mutant.occurrence > 1 else ""
    return (f'[[equivalent]]\nexercise = "{mutant.exercise}"\nfunction = "{mutant.function}"\n'
            f"change = '''\n{mutant.change}'''\n{occurrence}why = \"\"\n")


def misfits(records: Sequence[Equivalent], mutants: Collection[Mutant], trials: Sequence[Trial]) -> list[str]:
    """Return a sentence for each wrong record: its mutant no longer exists, or is caught.

    Args:
        mutants: all mutants of the examined exercises. trials: the trials of this run.
    """
    names, exercises = {mutant.name for mutant in mutants}, {mutant.exercise for mutant in mutants}
    results = {trial.mutant.name: trial for trial in trials}
    wrong = []
    for record in records:
        trial = results.get(record.name)
        if record.name[0] in exercises and record.name not in names:
            wrong.append(f"recorded as equivalent, but this mutant no longer exists: {record.line()}")
        elif trial is not None and trial.result in (KILLED, LUCKY):
            by = ", ".join(sorted({name for name in trial.caught_by if name}))
            wrong.append(f"recorded as equivalent, but caught by {by}: {record.line()}")
    return wrong
