"""The bank of attacks in tests/hostile/: what each one tries, how it is handed in, and what must come of it."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from autograder.paths import REPOSITORY
from autograder.selftest.demo.submission_maker import SubmissionMaker, handle_of
from autograder.submission.discover import NOTEBOOK

BANK = REPOSITORY / "tests" / "hostile"
FORGED, STUB, SOLVED = "forged", "stub", "solved"
QUICK = "quick"
# An attack that has found something shouts this word, in an exception's text: the staff's report then holds it.
LOOT = "LOOT"
# Files, folders and keys that an attack manages to make have this in their name; what an attack's HTML does, says PWNED.
MARK = "left-by-an-attack"
PWNED = "PWNED"
# An attack on the network calls here; somebody listens.
PORTS = (47611, 47612, 47613, 8888)


@dataclass(frozen=True)
class Attack:
    """One hostile submission and what must come of it.

    name, tries: what it is called, and what it tries, in a sentence that a teacher understands.
    code: what the student wrote. Where it goes says `base`: FORGED puts it into the first exercise of the stub and makes
        every function `forged`, which it defines; STUB and SOLVED append it to the stub and to the right answer.
    make: lays a submission out by itself, in an empty folder; then code, base and form say nothing.
    student: the folder's name, where that is the attack.
    points: what it must get, exactly, or from and to; of an attack on the right answer all but the exercises that it spoils.
    says: must stand in the report. silent: no word of these may stand in it.
    challenge: what the player may get in the challenge, from and to, where it enters.
    remark: must be among the remarks of the class page. listed: False for what is never graded, with a remark instead.
    stock: it applies to stock nbgrader too, and may be let loose on it in a sandbox.
    """

    name: str
    tries: str
    code: str = ""
    ps: str = "ps2_uct"
    base: str = FORGED
    form: str = NOTEBOOK
    make: Callable[[Path, SubmissionMaker], None] | None = None
    student: str = ""
    points: float | tuple[float, float] = 0.0
    says: str = ""
    silent: tuple[str, ...] = ()
    challenge: tuple[float, float] | None = None
    challenge_says: str = ""
    remark: str = ""
    listed: bool = True
    stock: bool = False
    quick: bool = False
    family: str = ""

    @property
    def handle(self) -> str:
        """The student's folder."""
        return self.student or handle_of(self.name)


def load_attacks(name: str | None = None) -> tuple[Attack, ...]:
    """Return all attacks, family by family; with `name` those of this name or family, or the dozen that is "quick".

    Raises:
        UserError: there is none of that name, or two of one name.
    """
    found = [Attack(**{**vars(one), "family": path.stem}) for path in sorted(BANK.glob("[a-z]*.py"))
             for one in runpy.run_path(str(path)).get("ATTACKS", ())]
    names = [(one.handle, one.ps) for one in found]
    twice = {handle for handle, ps in names if names.count((handle, ps)) > 1}
    if twice:
        raise UserError(f"two attacks of {BANK} have one name: {', '.join(sorted(twice))}")
    chosen = [one for one in found if _is_meant(one, name)]
    chosen = chosen or [one for one in found if name is not None and name.casefold() in one.name.casefold()]
    if not chosen:
        raise UserError(f"no attack is called {name!r}; there are {', '.join(one.handle for one in found)}")
    return tuple(chosen)


def _is_meant(attack: Attack, name: str | None) -> bool:
    if name is None or name == QUICK:
        return name is None or attack.quick
    return name.casefold() in (attack.name.casefold(), attack.family, attack.handle)
