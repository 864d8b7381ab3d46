"""Entries of a TOML file, each with the reason why it is not a fault: equivalent mutants, branches that no check runs."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from arena.errors import UserError


class Reasoned(Protocol):
    """What is accepted for a reason."""

    @property
    def name(self) -> object:
        """What it is known by."""

    def line(self) -> str:
        """Return one line that names it."""


Record = TypeVar("Record", bound=Reasoned)


def load_entries(path: Path, table: str, keys: Sequence[str], record: Callable[[dict[str, Any]], Record]) -> list[Record]:
    """Return the records of a file; [] if it does not exist.

    Args:
        table: the name of the entries, as in `[[equivalent]]`.
        keys: what each entry must say, the reason among it.
        record: makes a record of an entry.

    Raises:
        UserError: the file is no TOML, or an entry is not complete, or appears twice.
    """
    if not path.exists():
        return []
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}") from error
    records: dict[object, Record] = {}
    for entry in content.get(table, []):
        missing = [key for key in keys if not str(entry.get(key, "")).strip()]
        if missing:
            raise UserError(f"{path}: an entry says nothing under {', '.join(missing)}: {entry}")
        known = record(entry)
        if known.name in records:
            raise UserError(f"{path}: {known.line()} appears twice")
        records[known.name] = known
    return list(records.values())
