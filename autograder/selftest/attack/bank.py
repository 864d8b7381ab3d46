"""The bank of attacks in tests/hostile/: the aim of each attack, its files, and its required result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from arena.errors import UserError
from arena.near_miss import meant_or_listed
from autograder.paths import REPOSITORY
from autograder.selftest.demo.submission_maker import SubmissionMaker
from autograder.selftest.handle import families_of, handle_of
from autograder.submission.discover import NOTEBOOK

BANK = REPOSITORY / "tests" / "hostile"
FORGED, STUB, SOLVED = "forged", "stub", "solved"
QUICK = "quick"
# An attack that has found a secret puts this word into an exception's text; the staff report then contains it.
LOOT = "LOOT"
# Files, folders and keys that an attack makes have this word in their name; HTML of an attack that acts writes PWNED.
MARK = "left-by-an-attack"
PWNED = "PWNED"
PASSWORD = "GRADEBOOK_PASSWORD"  # a variable in the grader's environment that no attack may read
# The address to which attacks on the network connect; a listener waits there.
PORTS = (47611, 47612, 47613, 8888)


@dataclass(frozen=True)
class Attack:
    """One hostile submission and its required result.

    name, tries: its name, and its aim in a sentence that a teacher understands.
    code: the student's code; `base` says where it goes. FORGED: into the first exercise of the stub, and every function becomes
        `forged`, which the code defines. STUB, SOLVED: it is appended to the stub or to the right answer.
    make: a function that makes the submission in an empty folder; then code, base and form are not used.
    student: the folder's name, if the name is the attack.
    points: the required points, exact or as a range. An attack on the right answer gets all points except those of the
        exercises that it spoils. extra: the required points of the optional exercise, if they are asked.
    says: a text that the report must contain. silent: words that the report must not contain.
    challenge: the range of points that the player may get in the challenge, if it enters.
    remark: a required remark on the class page. listed: False if the submission is never graded and only gets a remark.
    stock: whether the attack also applies to stock nbgrader, where it runs in a sandbox.
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
    extra: float | tuple[float, float] | None = None
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


def positive_controls(sets: Iterable[str]) -> tuple[Attack, ...]:
    """Return hand-ins that the judge must count as successful attacks: one gets all points, one finds a secret.

    They are in every class of attacks. If one of them counts as defeated, so would an attack that succeeds.
    """
    code = f'def forged(*given, **named):\n    raise ValueError("{LOOT} [nothing, this is a control]")'
    return tuple(attack for ps in sets for attack in (
        Attack("control all points", "A right answer, where no points are allowed.", ps=ps, base=SOLVED),
        Attack("control loot", "Says that it has found a secret.", code, ps=ps)))


def load_attacks(name: str | None = None) -> tuple[Attack, ...]:
    """Return all attacks, family by family; with `name`, those of this name or family, or the dozen called "quick".

    Raises:
        UserError: no attack has that name, or two attacks have the same name.
    """
    families = families_of(BANK, "ATTACKS").items()
    attacks = [replace(attack, family=family) for family, some in families for attack in some]
    names = [(attack.handle, attack.ps) for attack in attacks]
    twice = {handle for handle, ps in names if names.count((handle, ps)) > 1}
    if twice:
        raise UserError(f"two attacks of {BANK} have the same name: {', '.join(sorted(twice))}")
    chosen = [attack for attack in attacks if _is_meant(attack, name)]
    chosen = chosen or [attack for attack in attacks if name is not None and name.casefold() in attack.name.casefold()]
    if not chosen:
        known = dict.fromkeys(attack.handle for attack in attacks)
        raise UserError(f"no attack is called {name!r}{meant_or_listed(str(name), known)}")
    return tuple(chosen)


def _is_meant(attack: Attack, name: str | None) -> bool:
    if name is None or name == QUICK:
        return name is None or attack.quick
    return name.casefold() in (attack.name.casefold(), attack.family, attack.handle)
