"""The positions that measure move quality in one course. They are drawn once from its secret, and kept in its cache.

The cache can be deleted, because the same secret gives the same positions again. The public edition has no positions of its own,
because everybody could draw them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

from arena.edition import PUBLIC_SECRET
from arena.strength import STRATA
from autograder.course.storage.cache import Cache
from autograder.grading.fingerprint import POSITIONS, code_fingerprint
from autograder.progress import Watcher

DRAWING = "positions for move quality, drawn once for this course"


def course_positions(course: Path, secret: bytes, each: int, watcher: Watcher) -> tuple[Any, ...]:
    """Return `each` positions of every stratum that belong to this secret, as data; none for the public edition.

    They are drawn if the cache of the course folder does not have them: half a minute for 75 of each.
    """
    if secret == PUBLIC_SECRET:
        return ()
    key = hashlib.sha256(b"positions %d " % each + secret).hexdigest()
    cache = Cache(course / ".cache", code_fingerprint(POSITIONS))
    rows = cache.read(POSITIONS, key).get("rows", ())
    if _is_whole(rows, each):
        return tuple(rows)
    from arena.strength.drawing import own_positions  # the compiled players take a second to import
    from arena.strength.positions import rows_of

    watcher.start(DRAWING, each * len(STRATA))
    drawn = rows_of(own_positions(secret, each, lambda: watcher.step("")))
    cache.write(POSITIONS, key, {"rows": drawn})
    return drawn


def _is_whole(rows: Any, each: int) -> bool:
    """Whether an entry of the cache has all positions; it may be missing or damaged."""
    from arena.strength.positions import from_rows

    try:
        return Counter(position.stratum for position in from_rows(rows)) == dict.fromkeys(STRATA, each)
    except (ValueError, TypeError):
        return False
