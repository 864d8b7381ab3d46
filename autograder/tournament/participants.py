"""The participants of a tournament: all players of the class that may enter the challenge, and the bots of the ladder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.challenge.kinds import IMPROVED, NETWORK, OPEN, PS3, PS5, UCT
from arena.challenge.ladder import PERFECT, Ladder
from autograder.challenge.player.defined import defines
from autograder.challenge.player.entrant import Entrant
from autograder.submission.read import read_folder
from autograder.tournament.pseudonyms import handles

BOT = "bot"
_KINDS = {PS3: UCT, PS5: NETWORK}
_MARKS = {UCT: "", NETWORK: " (network)", IMPROVED: " (improved)", OPEN: " (open)"}


@dataclass(frozen=True)
class Participant:
    """One player of a tournament.

    Args:
        id: the internal name, never shown: "bot/Pebble", "ada/uct".
        handle: the public name.
        kind: "bot", or the kind of the student's player: "uct", "AlphaMCTS", "challenge_player", "open_player".
        sha256: the hash of the bytes that decide how it plays.
        simulations: its budget per move; 0 if it has no budget.
        student, ps, folder: the student, the problem set and the folder of the submission; a bot has none of them.
    """

    id: str
    handle: str
    kind: str
    sha256: str
    simulations: int
    student: str = ""
    ps: str = ""
    folder: Path | None = None


def bots(ladder: Ladder) -> list[Participant]:
    """Return the bots of the ladder, the easiest first. Perfect is the last, if the class may play all rungs below it."""
    rungs = [(rung.name, rung.simulations) for rung in ladder.rungs]
    rungs += [(PERFECT, 0)] if ladder.highest == ladder.rungs[-1].name else []
    return [Participant(f"{BOT}/{name}", name, BOT, str(simulations), simulations) for name, simulations in rungs]


def players(entrants: Iterable[Entrant], ladder: Ladder, secret: bytes) -> list[Participant]:
    """Return the players of a class whose joint check has passed, in alphabetical order of the students.

    A student may have several players: `uct` of ps3 and its `challenge_player`, the network of ps5, and an `open_player` in ps3,
    which has no budget and plays in the open class.
    """
    ready = [entrant for entrant in entrants if entrant.answer_without_playing() is None]
    named = handles(secret, [entrant.student for entrant in ready])
    of_class = (participant for entrant in ready
                for participant in _of(entrant, named[entrant.student], ladder.student_simulations))
    return sorted(of_class, key=lambda participant: participant.id)


def anchor(ladder: Ladder) -> str:
    """Return the id of the bot with the rating 1000: the bot whose budget is nearest to the students' budget."""
    nearest = min(ladder.rungs, key=lambda rung: abs(rung.simulations - ladder.student_simulations))
    return f"{BOT}/{nearest.name}"


def sha256_as(sha256: str, kind: str) -> str:
    """Return the hash of the player of kind `kind` that these bytes contain."""
    return hashlib.sha256(f"{sha256} {kind}".encode()).hexdigest()


def _of(entrant: Entrant, handle: str, simulations: int) -> Iterator[Participant]:
    def participant(kind: str, budget: int) -> Participant:
        return Participant(f"{entrant.student}/{kind}", handle + _MARKS[kind], kind, sha256_as(entrant.sha256, kind), budget,
                           entrant.student, entrant.ps, entrant.entry.folder)

    yield participant(_KINDS[entrant.ps], simulations)
    if entrant.ps == PS3:
        submission = read_folder(entrant.entry.folder, PS3)
        more = {IMPROVED: simulations, OPEN: 0}
        yield from (participant(kind, budget) for kind, budget in more.items() if defines(submission, kind))
