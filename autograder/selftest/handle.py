"""Made-up students: the files of a bank of hand-ins, and a student's folder. A shell asks for these names at each Tab."""

import re
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.errors import UserError


def families_of(bank: Path, word: str) -> dict[str, Sequence[Any]]:
    """Return the hand-ins of a bank by file; each file binds them to `word`, such as ATTACKS.

    Raises:
        UserError: the bank has no file, or a file has no hand-in. An empty bank would be graded without a fault.
    """
    families = {path.stem: runpy.run_path(str(path)).get(word, ()) for path in sorted(bank.glob("[a-z]*.py"))}
    empty = [f"{bank / name}.py has no {word}" for name, some in families.items() if not some]
    if empty or not families:
        raise UserError("; ".join(empty) or f"no bank of hand-ins is in {bank}")
    return families


def handle_of(name: str) -> str:
    """Return the folder name of a student who is named after the hand-in."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
