"""The ladder in `rungs.toml`: the bots, the scores that pass against them, and the points."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from arena.near_miss import meant_or_listed
from arena.strength import STRATA

PERFECT = "Perfect"  # the solver, above every rung of the table
LADDER = Path(__file__).with_name("rungs.toml")
MOST_EACH = 1000  # the positions of a stratum
LARGEST = 10**9  # the limit for every number in the file: clocks and messages to the sandbox can hold it; infinity is refused
KINDS = {int: "a whole number", float: "a number", str: "text", dict: "a table"}


@dataclass(frozen=True)
class Rung:
    """One bot of the ladder and the exam against it.

    `fail` and `pass_` are expected scores in (0, 1); a draw counts half. An exam ends after at most `games` games.
    """

    name: str
    simulations: int
    fail: float
    pass_: float
    games: int
    points: float

    @property
    def needs(self) -> str:
        """How strong the bot is, and what a score against it brings, in words."""
        plays = f"with {self.simulations:,} simulations a move" if self.simulations else "at random"
        return (f"{self.name} plays {plays}; a score (wins, and half the draws) of {self.pass_:.2f} or more passes, "
                f"{self.fail:.2f} or less fails, between the two luck decides, and a pass brings {self.points:g} points")


@dataclass(frozen=True)
class PerfectRule:
    """The games against the perfect player; they give `points` times the share of games that are not lost."""

    games: int
    points: float


@dataclass(frozen=True)
class QualityRule:
    """Move quality: `each` positions are drawn from every stratum. `random`: a random player's rate of mistakes, in (0, 1]."""

    each: int
    points: float
    random: dict[str, float]


@dataclass(frozen=True)
class Ladder:
    """All rungs, the easiest first, and the limits of every game of an exam.

    A class plays up to the rung `highest`. A student may enter `attempts` different submissions; 0: any number.
    """

    rungs: tuple[Rung, ...]
    perfect: PerfectRule
    quality: QualityRule
    highest: str
    attempts: int
    student_simulations: int
    move_cpu_s: float
    game_cpu_s: float
    error_odds: float

    @property
    def climbed(self) -> tuple[Rung, ...]:
        """The rungs that are played, up to the highest."""
        return self.rungs[: [rung.name for rung in self.rungs].index(self.highest) + 1]

    @property
    def exam_cpu_s(self) -> float:
        """CPU seconds of a whole exam in which all games and moves take their full time; no exam within the rules needs more."""
        games = sum(rung.games for rung in self.climbed) + self.perfect.games
        game_s = self.game_cpu_s + self.move_cpu_s  # its limit is looked at before a move
        position_s = 2 * self.move_cpu_s  # loading, and the move
        return game_s * games + position_s * len(STRATA) * self.quality.each

    def rung(self, name: str) -> Rung:
        """Return the rung of this name, in upper or lower case; KeyError with the known names if no rung has it."""
        named = {rung.name.casefold(): rung for rung in self.rungs}
        if name.casefold() not in named:
            known = [rung.name for rung in self.rungs]
            raise KeyError(f"no rung is called {name!r}{meant_or_listed(name, known)}")
        return named[name.casefold()]


Described = TypeVar("Described", bound=Rung | PerfectRule | QualityRule | Ladder)


def load_ladder(path: Path = LADDER, changes: Mapping[str, Any] | None = None) -> Ladder:
    """Return the ladder that a file describes.

    Args:
        changes: values of a course.toml that replace the file's, by key, such as {"highest": "Pebble"}.

    Raises:
        ValueError: a key is missing or unknown, or a value is not valid; the text names the file and the table.
    """
    try:
        table = {**tomllib.loads(path.read_text(encoding="utf-8")), **(changes or {})}
        entries = table.pop("rung", [])
        rungs = tuple(_read(Rung, entry, f"[[rung]] {_name(entry, number)}") for number, entry in enumerate(entries, 1))
        perfect = _read(PerfectRule, table.pop("perfect", None), "[perfect]")
        quality = _read(QualityRule, table.pop("quality", None), "[quality]")
        ladder = _read(Ladder, table, "the top", rungs=rungs, perfect=perfect, quality=quality)
        _judge(ladder)
    except (ValueError, TypeError) as error:  # TOMLDecodeError is a ValueError
        where = f"{path}, with [challenge] of course.toml" if changes else str(path)
        raise ValueError(f"{where}: {error}") from None
    return ladder


def _read(kind: type[Described], table: object, where: str, **known: Any) -> Described:
    """Make an object of type `kind` from a table of the file; `known` are the fields with values from elsewhere."""
    if not isinstance(table, dict):
        raise ValueError(f"{where} is missing" if table is None else f"{where} must be a table, not {table!r}")
    wanted = {field.name.rstrip("_"): field for field in fields(kind) if field.name not in known}
    for key in table:
        if key not in wanted:
            raise ValueError(f"{where}: {key!r} is not a valid key; choose from {', '.join(wanted)}")
    for key, field in wanted.items():
        _judge_value(table, key, dict if field.name == "random" else field.type, where)
    return kind(**known, **{field.name: table[key] for key, field in wanted.items()})


def _judge_value(table: dict[str, Any], key: str, kind: Any, where: str) -> None:
    if key not in table:
        raise ValueError(f"{where}: {key} is missing")
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
        raise ValueError(f"{where}: {key} must be {KINDS[kind]}, not {value!r}")
    if isinstance(value, int | float) and not abs(value) <= LARGEST:
        raise ValueError(f"{where}: {key} must be at most {LARGEST:,}, not {value!r}")


def _judge(ladder: Ladder) -> None:
    """Raise ValueError, with the name of the table, if its numbers are not valid."""
    for rung in ladder.rungs:
        if not (0 < rung.fail < rung.pass_ < 1 and _even(rung.games) and rung.points >= 0 and _playable(rung.simulations)):
            needed = "0 < fail < pass < 1, an even number of games, points >= 0 and simulations of 0 or at least 2 are needed"
            raise ValueError(f"[[rung]] {rung.name}: {needed}")
    if not ladder.rungs or len({rung.name.casefold() for rung in ladder.rungs}) < len(ladder.rungs):
        raise ValueError("[[rung]]: at least one is needed, and each needs a name of its own")
    names = [rung.name for rung in ladder.rungs]
    if ladder.highest not in names:
        raise ValueError(f"highest: no [[rung]] is called {ladder.highest!r}; choose from {', '.join(names)}")
    if ladder.attempts < 0:
        raise ValueError("attempts: a number of submissions is needed, or 0 for any number")
    if not (_even(ladder.perfect.games) and ladder.perfect.points >= 0):
        raise ValueError("[perfect]: an even number of games and points >= 0 are needed")
    quality = ladder.quality
    if not (1 <= quality.each <= MOST_EACH and quality.points >= 0):
        raise ValueError(f"[quality]: 1 to {MOST_EACH} positions each and points >= 0 are needed")
    if tuple(quality.random) != STRATA or not all(_is_fraction(rate) for rate in quality.random.values()):
        raise ValueError(f"[quality.random]: a number above 0, at most 1, is needed for each of {', '.join(STRATA)}")
    if not (ladder.student_simulations >= 1 and ladder.move_cpu_s > 0 and ladder.game_cpu_s > 0 and ladder.error_odds > 1):
        raise ValueError("student_simulations >= 1, move_cpu_s > 0, game_cpu_s > 0 and error_odds > 1 are needed")
    parts: tuple[Rung | PerfectRule | QualityRule, ...] = (*ladder.rungs, ladder.perfect, quality)
    points = sum(part.points for part in parts)
    if not points <= 100:
        raise ValueError(f"the points of [[rung]], [perfect] and [quality] add up to {points:g}; they may add up to 100 at most")


def _even(games: int) -> bool:
    return games >= 2 and games % 2 == 0


def _playable(simulations: int) -> bool:
    """Say whether a bot can play with this number of simulations. The first one only expands the root, so 1 chooses no move."""
    return simulations == 0 or simulations >= 2


def _is_fraction(rate: object) -> bool:
    return isinstance(rate, float | int) and not isinstance(rate, bool) and 0 < rate <= 1


def _name(entry: object, number: int) -> str:
    """Return a rung's name for a message, or its number in the file if it has no name."""
    return str(entry.get("name", f"number {number}")) if isinstance(entry, dict) else f"number {number}"
