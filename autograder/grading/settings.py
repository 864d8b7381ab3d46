"""What a grading is given and what it gives, and the fingerprint of all that has a say in it; nothing heavy is imported."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autograder.grading.report import Report

REPOSITORY = Path(__file__).resolve().parents[2]
_GRADER = ("autograder", "arena", "solutions", "tests/hidden", "requirements.lock", "pyproject.toml")


@dataclass(frozen=True)
class Settings:
    """How to grade. `secret` is the edition's; `sandbox=False` is for the course's own solutions only."""

    secret: bytes
    sandbox: bool = True


@dataclass(frozen=True)
class Graded:
    """A report, what staff may read beside it, and what it cost.

    `cacheable` is False when a fault of ours was in it; `cpu_s` is the submission's own CPU time, in no report.
    """

    report: Report
    staff: dict
    cacheable: bool
    cpu_s: float


def fingerprint(settings: Settings) -> str:
    """Return a hash over everything that has a say in a grade: our code, the suites, the pinned versions, the secret."""
    own = hashlib.sha256(b"edition:" + settings.secret).hexdigest()
    return hashlib.sha256(f"{code_fingerprint()} {own} {settings.sandbox}".encode()).hexdigest()


@lru_cache(maxsize=1)
def code_fingerprint() -> str:
    """Return a hash over our own files, of which everything that is built comes as well."""
    return hashlib.sha256(json.dumps(code_parts()).encode()).hexdigest()


def code_parts() -> dict[str, str]:
    """Return a hash of each part of our own files, by its name in the repository."""
    paths = {name: REPOSITORY / name for name in _GRADER}
    return {name: _hash_of(sorted(path.rglob("*")) if path.is_dir() else [path]) for name, path in paths.items()}


@lru_cache(maxsize=1)
def assets_fingerprint() -> str:
    """Return a hash over the book and the positions that Connect Four is played with."""
    return _hash_of(sorted((REPOSITORY / "assets").glob("connect_four*")))


def _hash_of(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc":
            digest.update(f"{file.relative_to(REPOSITORY)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
