"""A new edition for a course: other hidden positions and seeds, for another class or after the numbers became known."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from arena.errors import UserError
from arena.files import write_atomic
from autograder.grading.edition import SECRET_NAME, course_secret


def next_secret(present: bytes, seed: str, attempt: int = 0) -> str:
    """Return the secret of the edition that follows the one with the secret `present`, for this seed.

    So the same course and seed give the same editions, one for each attempt, and nobody can guess them from the seed alone.
    """
    return hmac.new(present, f"rotate {seed} {attempt}".encode(), hashlib.sha256).hexdigest()


def check_fresh(course: Path) -> None:
    """Raise UserError if the class was graded already: half of it would have other positions than the other half."""
    if any((course / "reports").glob("*/ps*.json")):
        raise UserError(f"{course} was graded in its present edition: make a new course for the next class, or delete "
                        f"{course / 'reports'} if everybody is to be graded again")


def put_secret(course: Path, secret: str) -> Path:
    """Replace the course's secret, and return the file in which the present one is kept for questions about earlier grades."""
    present = course_secret(course)
    kept = course / f"{SECRET_NAME}.{hashlib.sha256(present).hexdigest()[:12]}"
    write_atomic(kept, present, mode=0o660)
    write_atomic(course / SECRET_NAME, secret, mode=0o660)
    return kept
