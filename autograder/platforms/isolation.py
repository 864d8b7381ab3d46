"""Find the strongest sandbox that really opens on this machine, if there is one.

A container of a platform often runs as root without the rights of root. There are two ways to open a sandbox, and both are
tried: as root, which needs CAP_SYS_ADMIN and CAP_NET_ADMIN; and as an ordinary user, which needs user namespaces. If neither
works, nothing is graded, because student code is never run without a sandbox.
"""

import os
from dataclasses import dataclass

from arena.errors import UserError
from autograder.platforms.apart import Unfinished, apart

NOBODY = 65534
AS_ROOT = "bubblewrap as root: a user id of its own for each exercise"
AS_USER = "bubblewrap as an ordinary user: a user namespace of its own for each exercise"


@dataclass(frozen=True)
class Isolation:
    """The sandbox of a grading. `uid`: the user who has to open it; None for the user of this process."""

    sentence: str
    uid: int | None = None


def strongest() -> Isolation:
    """Return the sandbox that opens here.

    Raises:
        UserError: no sandbox opens; the text says, for staff, what was tried.
    """
    root = os.geteuid() == 0
    tried = []
    for isolation in (Isolation(AS_ROOT), Isolation(AS_USER, NOBODY)) if root else (Isolation(AS_USER),):
        try:
            apart("check", uid=isolation.uid)
            return isolation
        except (UserError, Unfinished) as error:
            tried.append(f"{isolation.sentence.partition(':')[0]}: {error}")
    raise UserError("no sandbox opens here, and student code is never run without one. Tried: " + "; ".join(tried))
