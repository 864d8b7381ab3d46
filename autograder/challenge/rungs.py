"""The ladder as `rungs.toml` tells it: which bots there are, what passes against them, and what it is worth."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

LADDER = Path(__file__).with_name("rungs.toml")


@dataclass(frozen=True)
class Rung:
    """One bot of the ladder and the exam against it.

    `fail` and `pass_` are expected scores in (0, 1), a draw counting half; an exam ends after `games` games at the latest.
    """

    name: str
    simulations: int
    fail: float
    pass_: float
    games: int
    points: float


@dataclass(frozen=True)
class Ladder:
    """All rungs, the easiest first, and what holds for every game of an exam."""

    rungs: tuple[Rung, ...]
    student_simulations: int
    move_cpu_s: float
    game_cpu_s: float
    error_odds: float

    def rung(self, name: str) -> Rung:
        """Return the rung of this name, whatever its case; KeyError with the names that there are."""
        named = {rung.name.casefold(): rung for rung in self.rungs}
        if name.casefold() not in named:
            raise KeyError(f"no rung is called {name!r}; there are {', '.join(rung.name for rung in self.rungs)}")
        return named[name.casefold()]


def load_ladder(path: Path = LADDER) -> Ladder:
    """Return the ladder that a file describes.

    Raises:
        ValueError: a key is missing or unknown, or a number makes no sense; the text names file and rung.
    """
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        rungs = tuple(_rung(entry) for entry in told.pop("rung", []))
        ladder = Ladder(rungs, **told)
    except (TypeError, KeyError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path}: {error}") from None
    for rung in rungs:
        if not (0 < rung.fail < rung.pass_ < 1 and rung.games >= 2 and rung.games % 2 == 0 and rung.points >= 0):
            raise ValueError(f"{path}: {rung.name}: 0 < fail < pass < 1, an even number of games and points >= 0 are needed")
    if not rungs or sum(rung.points for rung in rungs) > 100 or ladder.error_odds <= 1:
        raise ValueError(f"{path}: at least one rung, at most 100 points in all and error_odds above 1 are needed")
    return ladder


def _rung(entry: dict) -> Rung:
    return Rung(pass_=entry.pop("pass"), **entry)
