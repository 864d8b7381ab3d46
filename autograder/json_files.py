"""What a course keeps as JSON between runs, each file one object: state of ours, and decisions of staff."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.errors import UserError
from arena.files import write_atomic, write_if_changed


def read_state(path: Path) -> dict[str, Any]:
    """Return what we wrote down for ourselves; empty where there is nothing, or nothing whole: then it is made anew."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return content if isinstance(content, dict) else {}
    except (OSError, ValueError):
        return {}


def write_state(path: Path, content: Mapping[str, Any], mode: int = 0o644) -> None:
    """Write down something for ourselves, whole or not at all."""
    write_atomic(path, json.dumps(content, sort_keys=True), mode)


def read_decisions(path: Path) -> dict[str, Any]:
    """Return what staff decided, by problem set; empty where there is no such file.

    Raises:
        UserError: the file cannot be read; nobody but a person can say what stood in it.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or not all(isinstance(value, dict) for value in content.values()):
            raise ValueError("it holds something else than a table for each problem set")
        return content
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise UserError(f"{path} cannot be read ({error}): mend it or remove it") from error


def write_decisions(path: Path, content: Mapping[str, Any]) -> None:
    """Write decisions so that a person can read them."""
    write_if_changed(path, json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
