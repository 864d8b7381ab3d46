"""What a submission gets from the challenge: one report, the same to the byte for the same submission.

Nothing measured (times, speeds) is in it. The schema is `ChallengeReport`, as JSON with sorted keys; a game is one line of
text, `line_of`, from which `game_of` gives the game back.
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
    """What a match came to; see `RungReport`."""

    outcome: str
    points: float
    max_points: float
    log_odds: float


@dataclass(frozen=True)
class RungReport:
    """The match against one bot of the ladder. Pairs of counts are (as X, who moved first; as O).

    verdict: "passed", "failed" or "undecided"; "played" against Perfect, where there is nothing to pass.
    score: the share of points in [0, 1], a draw half; `interval` holds the true score in about 95 of 100 matches.
    log_odds: of the sequential test, against +-ln(error odds); 0 against Perfect.
    faults: reasons why games were lost off the board, and how many by each.
    games: every game in the order of play, as `line_of` writes it.
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

    @classmethod
    def of(
        cls, name: str, simulations: int, match: MatchResult, interval: tuple[float, float], verdict: Verdict
    ) -> RungReport:
        """Return the report of a match; numbers are rounded to what two machines agree on."""
        low, high = interval
        return cls(
            name, simulations, verdict.outcome, round(verdict.points, 2), verdict.max_points, round(match.score, 4),
            (round(low, 3), round(high, 3)), round(verdict.log_odds, 3), match.wins, match.draws, match.losses,
            counted(fault.reason for fault in match.faults if fault.by == 0), tuple(map(line_of, match.games)),
        )


@dataclass(frozen=True)
class QualityReport:
    """The second opinion beside the matches: the share of mistakes, in [0, 1], at `positions` positions of each stratum.

    faults: reasons why there was no move at all, and how many by each; such a position is a mistake.
    """

    positions: int
    rates: dict[str, float]
    points: float
    max_points: float
    faults: dict[str, int]


@dataclass(frozen=True)
class MistakeReport:
    """A move that gave something away: in game `game` (from 0) against `rung`: see `exam.mistakes.Mistake`."""

    rung: str
    game: int
    number: int
    played: int
    best: int
    sentence: str


@dataclass(frozen=True)
class ChallengeReport:
    """One student's challenge.

    player: the problem set that the player came from; sha256: of that submission's raw bytes.
    outcome: "played", "not ready" (0 points; the note says what to do) or "grader fault": undecided, no points are given or
        taken, and `points` says nothing.
    simulations: of the student's player, a move.
    perfect, quality: None where they were not played.
    mistakes: the worst moves first.
    overruns: sentences on moves of a sample for which the rules were asked far more often than the simulations allow,
        or that could not be counted.
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
        """True when a fault of the grader's kept the challenge from being judged."""
        return self.outcome == GRADER_FAULT

    @property
    def matches(self) -> tuple[RungReport, ...]:
        """All matches that were played, the one against Perfect last."""
        return (*self.rungs, *([self.perfect] if self.perfect else []))

    @classmethod
    def fault(cls, player: str, sha256: str) -> ChallengeReport:
        """Return the report of an exam that the grader could not finish."""
        return cls(player, sha256, GRADER_FAULT, FAULT_NOTE)

    def with_note(self, sentence: str) -> ChallengeReport:
        """Return the report with one more sentence in its note, unless it stands there already."""
        if sentence in self.note:
            return self
        return replace(self, note=" ".join(filter(None, (self.note, sentence))))

    def to_json(self) -> str:
        """Return the report as text: sorted keys, two spaces, a newline at the end."""
        return json.dumps(asdict(self), sort_keys=True, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> ChallengeReport:
        """Read what to_json wrote.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: the text is not a report.
        """
        data = json.loads(text)
        return cls(**{
            **data,
            "rungs": tuple(map(_rung, data["rungs"])),
            "perfect": data["perfect"] and _rung(data["perfect"]),
            "quality": data["quality"] and QualityReport(**data["quality"]),
            "mistakes": tuple(MistakeReport(**one) for one in data["mistakes"]),
            "overruns": tuple(data["overruns"]),
        })


def counted(reasons: Iterable[str]) -> dict[str, int]:
    """Return how often each reason came; of many different ones the most frequent, the rest in one."""
    by_number = sorted(Counter(reasons).items(), key=lambda one: (-one[1], one[0]))
    rest = sum(number for _, number in by_number[MOST_REASONS:])
    return dict(sorted(by_number[:MOST_REASONS])) | ({"other reasons": rest} if rest else {})


def _rung(data: dict[str, Any]) -> RungReport:
    pairs = {name: tuple(data[name]) for name in ("interval", "wins", "draws", "losses", "games")}
    return RungReport(**{**data, **pairs})


def line_of(game: PlayedGame) -> str:
    """Return a game as one line: the opening's length, the student's colour, the result, all moves, why it was lost.

    "8 X won 3341502644", "8 O lost 33415026 KeyError in cell 12, line 3"; "-" stands for no moves at all.
    """
    moves = "".join(map(str, game.actions)) or "-"
    reason = game.fault.reason if game.fault and game.fault.by == 0 else ""
    return f"{game.num_opening} {'XO'[game.colour]} {_RESULTS[game.score]} {moves} {reason}".rstrip()


def game_of(line: str) -> PlayedGame:
    """Return the game of a line.

    Raises:
        ValueError, KeyError: the line is not one of `line_of`.
    """
    opening, colour, result, moves, *reason = line.split(" ", 4)
    fault = Fault(0, reason[0]) if reason else None
    actions = () if moves == "-" else tuple(map(int, moves))
    return PlayedGame(actions, int(opening), "XO".index(colour), _SCORES[result], fault)
