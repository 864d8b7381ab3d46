"""The solver's mind: the exact result of every move, one move at a time."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from arena.board import engines
from arena.board.minds import MoveThought, Thought
from arena.board.positions import Position
from arena.games import ConnectFour, Game, State, result_for
from arena.games.boards import rows

if TYPE_CHECKING:
    from arena.players.perfect import PerfectPlayer

# The longest games that a search of all lines finishes in about a second, in empty squares.
DEEPEST = {"tic_tac_toe": 9, "othello": 10}
# The same for all moves of all positions of a game.
LATE = {**DEEPEST, "connect_four": 26}
# (state, action) -> (the result for the player who moves, a number by which such moves are ranked, words)
Judge: TypeAlias = Callable[[State, int], tuple[float, float, str]]
WORDS = {1.0: "wins", 0.0: "draws", -1.0: "loses"}


class Truth:
    """The exact result of each legal move; `rng` chooses among the best ones."""

    def __init__(self, position: Position, judge: Judge, rng: random.Random) -> None:
        self._position, self._judge, self._rng = position, judge, rng
        self._known: dict[int, tuple[float, float, str]] = {}
        self._best: int | None = None

    def step(self, count: int) -> None:
        """Find the results of the next `count` moves."""
        for action in [action for action in self._position.legal if action not in self._known][:count]:
            self._known[action] = self._judge(self._position.state, action)
        if self._best is None and len(self._known) == len(self._position.legal):
            highest = max(rank for _, rank, _ in self._known.values())
            self._best = self._rng.choice([action for action, (_, rank, _) in self._known.items() if rank == highest])

    def thought(self) -> Thought:
        """Return the results so far; the value and the best move are known when all moves are."""
        moves = []
        for action in self._position.legal:
            value, _, note = self._known.get(action, (None, 0.0, ""))
            moves.append(MoveThought(action, value=value, note=note))
        if self._best is None:
            return Thought(0, tuple(moves))
        return Thought(0, tuple(moves), self._best, self._known[self._best][0], (self._best,), done=True)


@dataclass(frozen=True)
class Decision:
    """The move that decided a game: its number, from 1, and the best actions in its place."""

    number: int
    better: tuple[int, ...]


def deciding_move(line: Position, player: int) -> Decision | None:
    """Return the move by which a player made a finished game what it was in the end.

    It is the player's last move that was a mistake and led to the final result with perfect play; None if there is none as far
    as a solver sees within about a second, or if the game was won.
    """
    result = result_for(line.game, line.state, player)
    judge = connect_four_judge(engines.perfect().get()) if line.name == "connect_four" else exact_judge(line.game)
    for ply in reversed(range(len(line.actions))):
        at = line.back_to(ply)
        if empty_squares(at) > LATE.get(line.name, 0) or result == 1.0:
            return None
        if at.mover == player:
            judged = {action: judge(at.state, action) for action in at.legal}
            highest = max(rank for _, rank, _ in judged.values())
            better = tuple(action for action, (_, rank, _) in judged.items() if rank == highest)
            if judged[better[0]][0] > judged[line.actions[ply]][0] == result:
                return Decision(ply + 1, better)
    return None


class TooDeep:
    """The mind of a solver that cannot see the end of the game from here."""

    def __init__(self, position: Position) -> None:
        self._position = position

    def step(self, count: int) -> None:
        """Do nothing."""

    def thought(self) -> Thought:
        """Return no results, and a sentence that says why."""
        note = f"too deep: {empty_squares(self._position)} empty squares; exact from {DEEPEST[self._position.name]} on"
        return Thought(0, tuple(MoveThought(action) for action in self._position.legal), done=True, note=note)


def is_too_deep(position: Position) -> bool:
    """Say whether a search of all lines would take too long."""
    return empty_squares(position) > DEEPEST.get(position.name, 0)


def empty_squares(position: Position) -> int:
    """Return the number of empty squares."""
    return sum(row.count(".") for row in rows(position.game, position.state))


def exact_judge(game: Game) -> Judge:
    """Return a judge that searches all lines to the end of the game; it remembers every position that it has seen."""
    known: dict[State, float] = {}

    def value(state: State) -> float:
        if state in known:
            return known[state]
        best = game.outcome(state)
        if best is None:
            best = -1.0
            for action in game.legal_actions(state):
                best = max(best, 0.0 - value(game.play(state, action)))
                if best == 1.0:
                    break
        known[state] = best
        return best

    def judge(state: State, action: int) -> tuple[float, float, str]:
        result = 0.0 - value(game.play(state, action))
        return result, result, WORDS[result]

    return judge


def connect_four_judge(perfect: PerfectPlayer) -> Judge:
    """Return the judge of Connect Four: the opening book and the solver; a sooner win and a later loss rank higher."""
    from arena.players.solver import end_score, plies_to_end

    game = ConnectFour()

    def judge(state: State, action: int) -> tuple[float, float, str]:
        after = game.play(state, action)
        outcome = game.outcome(after)
        score = -perfect.score(after) if outcome is None else end_score(after, outcome)
        result = float((score > 0) - (score < 0))
        return result, score, WORDS[result] + (f" in {plies_to_end(state, score)}" if score else "")

    return judge
