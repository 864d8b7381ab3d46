"""The student's mistakes in finished games, found by the solver: moves that made the result worse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from arena.challenge.move_values import letters
from arena.challenge.report import MistakeReport
from arena.games import ConnectFour
from arena.games.connect_four import WIDTH
from arena.players import book
from arena.players.perfect import PerfectPlayer
from arena.players.solver import plies_to_end
from arena.result import MatchResult, PlayedGame
from arena.strength.positions import sign

GAME = ConnectFour()
FROM_STONES = 12  # with fewer stones, the solver needs a tenth of a second or more for a position
MOST_POSITIONS = 250
MOST_LESSONS = 12
State = tuple[int, int]


@dataclass(frozen=True)
class Mistake:
    """A move of the student that made the game's result worse.

    `number` counts the moves of the whole game from 1. The scores are the solver's, for the player to move at `state`; `scores`
    has those of all legal columns.
    """

    number: int
    state: State
    played: int
    played_score: int
    best: int
    best_score: int
    scores: Mapping[int, int]

    @property
    def given_away(self) -> int:
        """1 if a win became a draw or a draw became a loss; 2 if a win became a loss."""
        return sign(self.best_score) - sign(self.played_score)

    def sentence(self) -> str:
        """Return a sentence: "move 9: column 2 loses in 12; column 4 wins in 7". The numbers are plies, this move included."""
        fates = [f"column {column} {_fate(self.state, score)}" for column, score in
                ((self.played, self.played_score), (self.best, self.best_score))]
        return f"move {self.number}: {'; '.join(fates)}"


@dataclass(frozen=True)
class Lesson:
    """A mistake and its place: game `game` (from 0) of the match against `rung`."""

    rung: str
    game: int
    mistake: Mistake


def mistakes(game: PlayedGame, perfect: PerfectPlayer) -> list[Mistake]:
    """Return the student's mistakes in one game, in the order of play; the moves of the opening do not count."""
    return [mistake for number, state in reversed(list(_own_moves(game))) if (mistake := _judged(game, number, state, perfect))]


def lessons(matches: list[tuple[str, MatchResult]], perfect: PerfectPlayer) -> list[Lesson]:
    """Return the worst mistakes of an exam, the worst first, with a limited effort.

    Args:
        matches: (rung, match) in the order of play. The search begins with the last match; in each match, lost games come
            before drawn games, and won games are skipped. It ends after MOST_POSITIONS positions.

    Each game is examined from its end, where the solver is fastest, back to FROM_STONES stones. The choice of positions
    depends on the games only, not on the clock.
    """
    seen, left = [], MOST_POSITIONS
    for rung, number, game in _worth_a_look(matches):
        moves = [(place, state) for place, state in _own_moves(game) if place >= FROM_STONES][:left]
        left -= len(moves)
        seen += [Lesson(rung, number, mistake) for place, state in moves if (mistake := _judged(game, place, state, perfect))]
    return worst_first(seen)[:MOST_LESSONS]


def mistake_report(lesson: Lesson) -> MistakeReport:
    """Return a mistake as a report has it."""
    mistake = lesson.mistake
    return MistakeReport(lesson.rung, lesson.game, mistake.number, mistake.played, mistake.best, mistake.sentence(),
                         letters(map(mistake.scores.get, range(WIDTH))))


def _worth_a_look(matches: list[tuple[str, MatchResult]]) -> Iterator[tuple[str, int, PlayedGame]]:
    for rung, match in reversed(matches):
        for score in (0.0, 0.5):
            for number, game in enumerate(match.games):
                if game.score == score:
                    yield rung, number, game


def _own_moves(game: PlayedGame) -> Iterator[tuple[int, State]]:
    """Yield the place of each move of the student and the state before it, the last move first."""
    states = list(accumulate(game.actions, GAME.play, initial=GAME.start()))
    for place in reversed(range(game.num_opening, len(game.actions))):
        if GAME.player(states[place]) == game.colour:
            yield place, states[place]


def _judged(game: PlayedGame, place: int, state: State, perfect: PerfectPlayer) -> Mistake | None:
    """Return the move at `place` as a mistake; None if it is not a mistake."""
    action = game.actions[place]
    before = _sign_of(state, perfect)
    if before == -1 or -_sign_of(GAME.play(state, action), perfect) == before:
        return None
    scores = perfect.scores(state)
    best = max(scores, key=scores.__getitem__)
    return Mistake(place + 1, state, action, scores[action], best, scores[best], scores)


def _sign_of(state: State, perfect: PerfectPlayer) -> int:
    """Return 1, 0 or -1 for a state that is won, drawn or lost for the player to move; this is faster than the exact score."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return int(outcome)
    known = book.look_up(state)
    if known is not None:
        return sign(known)
    if perfect.solver.is_above(state, 0):
        return 1
    return 0 if perfect.solver.is_above(state, -1) else -1


def worst_first(lessons: list[Lesson]) -> list[Lesson]:
    """Sort mistakes: the largest loss of result first; among equals, those nearest to the end first (they are easiest to see)."""
    return sorted(lessons, key=lambda each: (-each.mistake.given_away, plies_to_end(each.mistake.state, each.mistake.best_score)))


def _fate(state: State, score: int) -> str:
    """Say how the game ends after a move of this score: "wins in 7", counted in plies from `state`."""
    if score == 0:
        return "draws"
    return f"{'wins' if score > 0 else 'loses'} in {plies_to_end(state, score)}"
