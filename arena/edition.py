"""Editions: positions, seeds and openings are drawn from a secret; everybody may read the secret of the public edition."""

import hashlib
import hmac
import random

PUBLIC_SECRET = b"public edition: anyone may read this; a course makes its own secret at first use"


def dice(secret: bytes, what: str) -> random.Random:
    """Return the generator for one purpose; `what` is the name of a check or of a part of an exam."""
    digest = hmac.new(secret, what.encode(), hashlib.sha256).digest()
    return random.Random(int.from_bytes(digest, "big"))
