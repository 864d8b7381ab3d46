"""The report of the challenge for one submission; the same submission gets the same report, byte for byte.

It contains no measured times or speeds. The schema is `ChallengeReport`, as JSON with sorted keys. `line_of` writes a game
as one line of text, and `game_of` reads it back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from arena.result import Fault, MatchResult, PlayedGame

ASSIGNMENT = "challenge"
MOST_REASONS = 5
MAX_POINTS = 100.0
PLAYED, NOT_READY, GRADER_FAULT = "played", "not ready", "grader fault"
FAULT_NOTE = (
    "Undecided: the grader could not judge this player. This is not about your work: no points are given or taken, and the next "
    "run plays again. Please tell your instructor."
)
_RESULTS = {1.0: "won", 0.5: "drew", 0.0: "lost"}
_SCORES = {word: score for score, word in _RESULTS.items()}


@dataclass(frozen=True)
class Verdict:
    """The verdict of a match and its points; see `RungReport`."""

    outcome: str
    points: float
    max_points: float
    log_odds: float


@dataclass(frozen=True)
class RungReport:
    """The match against one bot of the ladder. A pair of counts is (games as X, who moves first; games as O).

    verdict: "passed", "failed" or "undecided"; "played" against Perfect, because that match cannot be passed; "stopped" only at
        home, see `match.STOPPED`.
    score: the mean score in [0, 1]; a draw counts half. `interval` contains the true score in about 95 of 100 matches.
    log_odds: the log-likelihood ratio of the sequential test, compared with +-ln(error odds); 0 against Perfect.
    faults: the number of games lost by a fault, by reason.
    games: all games in the order of play, as `line_of` writes them.
    values: for each game the `move_values.letters` of its last positions, one position before each of its last moves; "" or a
        shorter tuple where nothing is stored, as in older reports.
    """

    name: str
    simulations: int
    verdict: str
    points: float
    max_points: float
    score: float
    interval: tuple[float, float]
    log_odds: float
    wins: tuple[int, int]
    draws: tuple[int, int]
    losses: tuple[int, int]
    faults: dict[str, int]
    games: tuple[str, ...]
    values: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, name: str, simulations: int, match: MatchResult, interval: tuple[float, float], verdict: Verdict
    ) -> RungReport:
        """Return the report of a match; numbers are rounded so that all machines write the same digits."""
        low, high = interval
        return cls(
            name, simulations, verdict.outcome, round(verdict.points, 2), verdict.max_points, round(match.score, 4),
            (round(low, 3), round(high, 3)), round(verdict.log_odds, 3), match.wins, match.draws, match.losses,
            counted(fault.reason for fault in match.faults if fault.by == 0), tuple(map(line_of, match.games)),
        )


@dataclass(frozen=True)
class QualityReport:
    """Move quality, a second measure beside the matches: the rate of mistakes, in [0, 1], at `positions` positions per stratum.

    faults: the number of positions without a move, by reason; each counts as a mistake.
    """

    positions: int
    rates: dict[str, float]
    points: float
    max_points: float
    faults: dict[str, int]


@dataclass(frozen=True)
class MistakeReport:
    """A mistake in game `game` (from 0) against `rung`; see `mistakes.Mistake`.

    values: the `move_values.letters` of the position; "" in older reports.
    """

    rung: str
    game: int
    number: int
    played: int
    best: int
    sentence: str
    values: str = ""


@dataclass(frozen=True)
class ChallengeReport:
    """One student's challenge.

    player: the problem set of the player; sha256: the hash of that submission's raw bytes.
    outcome: "played", "not ready" (0 points; the note says what to do) or "grader fault". After a grader fault the challenge
        is undecided: no points are given or taken, and `points` has no meaning.
    simulations: the simulations per move of the student's player.
    perfect, quality: None if they were not played.
    mistakes: the worst mistakes first.
    overruns: sentences about moves of a sample. In such a move the player called the game's rules far more often than its
        simulations allow, or the calls could not be counted.
    """

    player: str
    sha256: str
    outcome: str
    note: str
    points: float = 0.0
    max_points: float = MAX_POINTS
    simulations: int = 0
    rungs: tuple[RungReport, ...] = ()
    perfect: RungReport | None = None
    quality: QualityReport | None = None
    mistakes: tuple[MistakeReport, ...] = ()
    overruns: tuple[str, ...] = ()

    @property
    def has_fault(self) -> bool:
        """True if the challenge could not be judged because of a fault of the grader."""
        return self.outcome == GRADER_FAULT

    @property
    def matches(self) -> tuple[RungReport, ...]:
        """All matches that were played; the match against Perfect is the last."""
        return (*self.rungs, *([self.perfect] if self.perfect else []))

    @classmethod
    def fault(cls, player: str, sha256: str) -> ChallengeReport:
        """Return the report of an exam that the grader could not finish."""
        return cls(player, sha256, GRADER_FAULT, FAULT_NOTE)

    def with_note(self, sentence: str) -> ChallengeReport:
        """Return the report with one more sentence in its note, unless the note contains it already."""
        if sentence in self.note:
            return self
        return replace(self, note=" ".join(filter(None, (self.note, sentence))))

    def to_json(self) -> str:
        """Return the report as text: sorted keys, two spaces, a newline at the end."""
        return json.dumps(asdict(self), sort_keys=True, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> ChallengeReport:
        """Read the text of to_json.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: the text is not a report.
        """
        data = json.loads(text)
        return cls(**{
            **data,
            "rungs": tuple(map(_rung, data["rungs"])),
            "perfect": data["perfect"] and _rung(data["perfect"]),
            "quality": data["quality"] and QualityReport(**data["quality"]),
            "mistakes": tuple(MistakeReport(**mistake) for mistake in data["mistakes"]),
            "overruns": tuple(data["overruns"]),
        })


def counted(reasons: Iterable[str]) -> dict[str, int]:
    """Count each reason. Of more than MOST_REASONS reasons the rarest are counted together as "other reasons"."""
    by_number = sorted(Counter(reasons).items(), key=lambda item: (-item[1], item[0]))
    rest = sum(number for _, number in by_number[MOST_REASONS:])
    return dict(sorted(by_number[:MOST_REASONS])) | ({"other reasons": rest} if rest else {})


def _rung(data: dict[str, Any]) -> RungReport:
    pairs = {name: tuple(data[name]) for name in ("interval", "wins", "draws", "losses", "games")}
    return RungReport(**{**data, **pairs, "values": tuple(data.get("values", ()))})


def line_of(game: PlayedGame) -> str:
    """Return a game as one line: the opening's length, the student's colour, the result, all moves, and the fault if any.

    Examples: "8 X won 3341502644", "8 O lost 33415026 KeyError in cell 12, line 3". "-" stands for a game without moves.
    """
    moves = "".join(map(str, game.actions)) or "-"
    reason = game.fault.reason if game.fault and game.fault.by == 0 else ""
    return f"{game.num_opening} {'XO'[game.colour]} {_RESULTS[game.score]} {moves} {reason}".rstrip()


def game_of(line: str) -> PlayedGame:
    """Return the game of a line.

    Raises:
        ValueError, KeyError: `line_of` writes no such line.
    """
    opening, colour, result, moves, *reason = line.split(" ", 4)
    fault = Fault(0, reason[0]) if reason else None
    actions = () if moves == "-" else tuple(map(int, moves))
    return PlayedGame(actions, int(opening), "XO".index(colour), _SCORES[result], fault)
