"""Who plays in a tournament: every player of the class that may enter the challenge, and the bots of the ladder."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.challenge.contestant import NETWORK, OPEN, UCT
from autograder.challenge.entrants import PS3, PS5, Entrant, entrants
from autograder.challenge.handles import handles
from autograder.challenge.rungs import PERFECT, Ladder
from autograder.grading import submission as submissions
from autograder.grading.submission import Submission
from autograder.limits import OverLimit, within
from autograder.sandbox.inside.loader import NOT_PYTHON

BOT = "bot"
PARSE_CPU_S, PARSE_MIB = 5.0, 512
_KINDS = {PS3: UCT, PS5: NETWORK}
_MARKS = {UCT: "", NETWORK: " (network)", OPEN: " (open)"}


@dataclass(frozen=True)
class Contender:
    """One player of a tournament.

    Args:
        id: its name for us: "bot/Pebble", "ada/uct"; never shown.
        handle: its name for everybody.
        kind: "bot", or how the student's code is asked: "uct", "AlphaMCTS", "open_player".
        sha256: of the bytes that make it play as it does.
        simulations: its budget a move; 0 where there is none.
        student, ps, folder: whose it is and where it lies; of a bot nothing.
    """

    id: str
    handle: str
    kind: str
    sha256: str
    simulations: int
    student: str = ""
    ps: str = ""
    folder: Path | None = None


def bots(ladder: Ladder) -> list[Contender]:
    """Return the bots of the ladder, the easiest first; Perfect last, for a class that may climb all the way up to it."""
    told = [(rung.name, rung.simulations) for rung in ladder.rungs]
    told += [(PERFECT, 0)] if ladder.highest == ladder.rungs[-1].name else []
    return [Contender(f"{BOT}/{name}", name, BOT, str(simulations), simulations) for name, simulations in told]


def players(course: Path, ladder: Ladder, secret: bytes) -> list[Contender]:
    """Return the players of a class whose joint check has passed, in alphabetical order of the students.

    A student may have several: `uct` of ps3, the network of ps5, and an `open_player` in ps3, which is asked without a
    budget and plays in the open class.
    """
    ready = [entrant for entrant in entrants(course, "", {}) if entrant.answer_without_playing() is None]
    named = handles(secret, [entrant.student for entrant in ready])
    found = [contender for entrant in ready for contender in _of(entrant, named[entrant.student], ladder.student_simulations)]
    return sorted(found, key=lambda contender: contender.id)


def anchor(ladder: Ladder) -> str:
    """Return the id of the bot that is rated 1000: the one whose budget is nearest to the students'."""
    nearest = min(ladder.rungs, key=lambda rung: abs(rung.simulations - ladder.student_simulations))
    return f"{BOT}/{nearest.name}"


def defines(submission: Submission, name: str) -> bool:
    """Say whether a submission's code has a function of this name at its top level; only read, never run."""
    try:
        return within(PARSE_CPU_S, PARSE_MIB, _defines, submission, name)
    except OverLimit:  # text that is made to hold up a parser
        return False


def _defines(submission: Submission, name: str) -> bool:
    return any(name == found for _, source in submission.code() for found in _functions(source))


def sha256_as(sha256: str, kind: str) -> str:
    """Return the hash of a player that these bytes make when they are asked as `kind`."""
    return hashlib.sha256(f"{sha256} {kind}".encode()).hexdigest()


def _of(entrant: Entrant, handle: str, simulations: int) -> Iterator[Contender]:
    def contender(kind: str, budget: int) -> Contender:
        return Contender(f"{entrant.student}/{kind}", handle + _MARKS[kind], kind, sha256_as(entrant.sha256, kind), budget,
                         entrant.student, entrant.ps, entrant.entry.folder)

    yield contender(_KINDS[entrant.ps], simulations)
    if entrant.ps == PS3 and defines(submissions.read(entrant.entry.folder, PS3), OPEN):
        yield contender(OPEN, 0)


def _functions(source: str) -> list[str]:
    try:
        return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    except NOT_PYTHON:
        return []  # a notebook's magics, or no Python at all
