"""A new problem set from a template: a source with two exercises, hidden checks, banks and a page of ideas that verify.

The template is small and complete: `make verify` proves it unchanged, and each exercise that takes the place of one in it can be
proved at once.
"""

from __future__ import annotations

import re
from pathlib import Path

from arena.errors import UserError
from arena.files import write_atomic
from autograder.paths import REPOSITORY

TEMPLATE = Path(__file__).parent
# The file of the template -> its place in the repository.
PLACES = {
    "solution.txt": "solutions/@NAME@.py",
    "init.txt": "tests/hidden/@NAME@/__init__.py",
    "conftest.txt": "tests/hidden/@NAME@/conftest.py",
    "test_values.txt": "tests/hidden/@NAME@/test_values.py",
    "test_joint.txt": "tests/hidden/@NAME@/test_joint.py",
    "wrong.txt": "tests/wrong/@NAME@.py",
    "right.txt": "tests/right/@NAME@.py",
    "ideas.txt": "docs/ideas/@NAME@.md",
}


def write_new_set(name: str, title: str, repository: Path = REPOSITORY) -> list[Path]:
    """Write the files of a new set, and return them.

    Args:
        name: such as "ps6_chess"; the ids of the exercises begin with its number.
        title: the heading, without "Problem set 6:".

    Raises:
        UserError: the name is not a valid problem-set name, its number is taken, or a file is there already.
    """
    match = re.fullmatch(r"ps([1-9][0-9]*)_[a-z][a-z0-9_]*", name)
    if not match:
        raise UserError(f"{name!r} is not a valid problem-set name: write ps6_name, a number and a word in small letters")
    taken = [path.stem for path in (repository / "solutions").glob(f"ps{match[1]}_*.py")]
    if taken:
        raise UserError(f"problem set {match[1]} is {taken[0]}: take another number")
    words = {"@NAME@": name, "@N@": match[1], "@TITLE@": " ".join(title.split()) or name}
    texts = {repository / _filled(place, words): _filled((TEMPLATE / file).read_text(encoding="utf-8"), words)
             for file, place in PLACES.items()}
    there = [path for path in texts if path.exists()]
    if there:
        raise UserError(f"{there[0]} is there already: remove it, or take another name")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, text)
    return list(texts)


def _filled(text: str, words: dict[str, str]) -> str:
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text
