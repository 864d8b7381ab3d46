"""Editions: a secret from which positions, seeds and openings are drawn; the public edition's secret everybody may read."""

import hashlib
import hmac
import random

PUBLIC_SECRET = b"public edition: anyone may read this; a course makes its own secret at first use"


def dice(secret: bytes, what: str) -> random.Random:
    """Return the generator from which `what` draws: the check of this name, or a part of an exam."""
    digest = hmac.new(secret, what.encode(), hashlib.sha256).digest()
    return random.Random(int.from_bytes(digest, "big"))
