"""JSON files that a course keeps between runs, each with one object: our own state, and decisions of staff."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.errors import UserError
from arena.files import write_atomic, write_if_changed


def read_state(path: Path) -> dict[str, Any]:
    """Return our own state; empty if the file is missing or damaged, because the state can be computed again."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return content if isinstance(content, dict) else {}
    except (OSError, ValueError):
        return {}


def write_state(path: Path, content: Mapping[str, Any], mode: int = 0o666) -> None:
    """Write our own state, whole or not at all."""
    write_atomic(path, state_text(content), mode)


def state_text(content: Mapping[str, Any]) -> str:
    """Return our own state as the text of its file."""
    return json.dumps(content, sort_keys=True)


def read_decisions(path: Path) -> dict[str, Any]:
    """Return the decisions of staff, by problem set; empty if there is no such file.

    Raises:
        UserError: the file cannot be read; only a person knows its contents.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or not all(isinstance(value, dict) for value in content.values()):
            raise ValueError("it needs a table for each problem set")
        return content
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise UserError(f"{path} cannot be read ({error}): correct it or remove it") from error


def write_decision(path: Path, ps: str, about: str, why: str, undo: bool = False) -> None:
    """Keep one more decision of a set, with its reason, or take it back.

    Raises:
        UserError: the file cannot be read; it is not overwritten.
    """
    content = read_decisions(path)
    others = {known: reason for known, reason in content.get(ps, {}).items() if known != about}
    write_decisions(path, {**content, ps: others if undo else {**others, about: why}})


def write_decisions(path: Path, content: Mapping[str, Any]) -> None:
    """Write decisions in a form that a person can read."""
    write_if_changed(path, json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
