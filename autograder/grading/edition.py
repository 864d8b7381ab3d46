"""Editions: a secret decides hidden seeds and positions, so that the hidden tests of a public repository stay hidden."""

from __future__ import annotations

import os
import pickle
import random
import secrets
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from arena.edition import PUBLIC_SECRET
from autograder.modes import umask_of

SECRET_NAME = "edition.secret"
P = ParamSpec("P")
Drawn = TypeVar("Drawn")


def public_secret() -> bytes:
    """Return the secret of the public edition, for `make verify` and single submissions outside a course; everybody knows it."""
    return PUBLIC_SECRET


def named_secret(edition: str) -> bytes:
    """Return the secret of the edition that a command names; "" is the public edition."""
    return edition.encode() or public_secret()


def course_secret(course: Path) -> bytes:
    """Return the secret of a course, made at first use; it does not change for the class.

    Only those who may read the course can read it (`modes.py`).

    Raises:
        OSError: the course folder cannot be read or written.
    """
    path = course / SECRET_NAME
    try:
        return path.read_bytes()
    except FileNotFoundError:
        draft = course / f".{SECRET_NAME}.{os.getpid()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o666 & ~umask_of(course))
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(32).encode())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)  # the second of two processes reads the secret of the first
        except FileExistsError:
            pass
        finally:
            os.unlink(draft)
        return path.read_bytes()


def drawn_once(draw: Callable[Concatenate[random.Random, P], Drawn]) -> Callable[Concatenate[random.Random, P], Drawn]:
    """Let `draw(edition, ...)` draw only for the first submission; other submissions get copies of the result.

    For a function that draws at every call. The generator's state identifies the call, because a check uses its generator
    in the same way for everybody. Afterwards the generator has the same state as after the first draw.
    """
    drawn: dict[tuple[Any, ...], bytes] = {}

    @wraps(draw)
    def again(edition: random.Random, /, *arguments: P.args, **options: P.kwargs) -> Drawn:
        before = edition.getstate()
        if before not in drawn:
            result = draw(edition, *arguments, **options)
            drawn[before] = pickle.dumps((result, edition.getstate()))
        result, after = pickle.loads(drawn[before])
        edition.setstate(after)
        return result

    return again
