"""What a game teaches: the solver goes over it and marks every move that gave something away."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games import ConnectFour
from arena.players.perfect import PerfectPlayer
from arena.players.solver import plies_to_end
from arena.result import PlayedGame

GAME = ConnectFour()
State = tuple[int, int]


@dataclass(frozen=True)
class Mistake:
    """A move of the student's that made the game's result worse.

    `number` counts the moves of the whole game from 1; scores are the solver's, for the player to move at `state`.
    """

    number: int
    state: State
    played: int
    played_score: int
    best: int
    best_score: int

    @property
    def given_away(self) -> int:
        """1 for a win that became a draw or a draw that became a loss, 2 for a win that became a loss."""
        return sign(self.best_score) - sign(self.played_score)

    def sentence(self) -> str:
        """Return it in words: "move 9: column 2 loses in 12; column 4 wins in 7"; what is counted is plies, this one too."""
        told = [f"column {column} {_fate(self.state, score)}" for column, score in
                ((self.played, self.played_score), (self.best, self.best_score))]
        return f"move {self.number}: {'; '.join(told)}"


def mistakes(game: PlayedGame, perfect: PerfectPlayer) -> list[Mistake]:
    """Return the student's mistakes in one game, in the order of play; the opening's moves are nobody's."""
    state, found = GAME.start(), []
    for number, action in enumerate(game.actions):
        if number >= game.num_opening and GAME.player(state) == game.colour:
            scores = perfect.scores(state)
            best = max(scores, key=scores.__getitem__)
            if sign(scores[action]) < sign(scores[best]):
                found.append(Mistake(number + 1, state, action, scores[action], best, scores[best]))
        state = GAME.play(state, action)
    return found


def worst_first(found: list[tuple[PlayedGame, Mistake]]) -> list[tuple[PlayedGame, Mistake]]:
    """Order mistakes: what gave most away first, among equals what was nearest to the end and so easiest to see."""
    return sorted(found, key=lambda one: (-one[1].given_away, plies_to_end(one[1].state, one[1].best_score)))


def sign(score: int) -> int:
    """Return 1, 0 or -1 for a won, drawn or lost game."""
    return (score > 0) - (score < 0)


def _fate(state: State, score: int) -> str:
    """Say how a move of this score goes on from `state`, in plies from `state` on."""
    if score == 0:
        return "draws"
    return f"{'wins' if score > 0 else 'loses'} in {plies_to_end(state, score)}"
