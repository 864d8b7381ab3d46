"""Editions: hidden seeds and positions come from a secret, so that the hidden tests of a public repository are hidden."""

from __future__ import annotations

import hashlib
import hmac
import os
import pickle
import random
import secrets
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from arena.edition import PUBLIC_SECRET

SECRET_NAME = "edition.secret"
P = ParamSpec("P")
Drawn = TypeVar("Drawn")


def public_secret() -> bytes:
    """Return the repository's own secret, which is none: for `make verify` and single submissions outside a course."""
    return PUBLIC_SECRET


def named_secret(edition: str) -> bytes:
    """Return the secret of an edition that a command names; "" is the public one."""
    return edition.encode() or public_secret()


def course_secret(course: Path) -> bytes:
    """Return the secret of a course, made at first use, readable by its owner only; it stays for the class.

    Raises:
        OSError: the course folder cannot be read or written.
    """
    path = course / SECRET_NAME
    try:
        return path.read_bytes()
    except FileNotFoundError:
        draft = course / f".{SECRET_NAME}.{os.getpid()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(32).encode())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)  # whoever comes second reads the first one's
        except FileExistsError:
            pass
        finally:
            os.unlink(draft)
        return path.read_bytes()


def dice(secret: bytes, check: str) -> random.Random:
    """Return the generator from which the check of this name draws its positions, seeds and constants."""
    digest = hmac.new(secret, check.encode(), hashlib.sha256).digest()
    return random.Random(int.from_bytes(digest, "big"))


def drawn_once(draw: Callable[Concatenate[random.Random, P], Drawn]) -> Callable[Concatenate[random.Random, P], Drawn]:
    """Let `draw(edition, ...)` draw for the first submission only; the others of the edition get copies of what was drawn.

    For a function that draws at every call. The generator's state names the call, since a check does the same with its
    generator for everybody; it is left as the first draw has left it.
    """
    drawn: dict[tuple[Any, ...], bytes] = {}

    @wraps(draw)
    def again(edition: random.Random, /, *arguments: P.args, **options: P.kwargs) -> Drawn:
        before = edition.getstate()
        if before not in drawn:
            found = draw(edition, *arguments, **options)
            drawn[before] = pickle.dumps((found, edition.getstate()))
        found, after = pickle.loads(drawn[before])
        edition.setstate(after)
        return found

    return again
