"""The exact value of every legal move in the later positions of an exam's games, computed by the grader's solver.

A position with 16 stones takes the solver 20 ms, one with 24 stones 1 ms: games that were not won are valued from
FROM_STONES on, won games from FROM_STONES_WON on. This costs about a tenth of the time in which the games are played.
"""

from __future__ import annotations

from arena.challenge.move_values import letters
from arena.games import ConnectFour
from arena.players.solver import Solver
from arena.result import MatchResult, PlayedGame

GAME = ConnectFour()
FROM_STONES, FROM_STONES_WON = 20, 24
MOST_POSITIONS = 8_000  # of one exam; an exam of 450 games has about 5,000


def exact_values(matches: list[tuple[str, MatchResult]], solver: Solver) -> dict[str, tuple[str, ...]]:
    """Return, by the opponent's name, one text for each game: `letters` of its last positions, "" where there are none.

    The choice of positions depends on the games only: the last match first, in a match its games in their order, each as a whole.
    """
    left, by_name = MOST_POSITIONS, {}
    for name, match in reversed(matches):
        texts = []
        for game in match.games:
            begin = max(FROM_STONES_WON if game.score == 1.0 else FROM_STONES, game.num_opening)
            positions = max(len(game.actions) - begin, 0)
            texts.append(_values(game, begin, solver) if positions <= left else "")
            left -= positions
        by_name[name] = tuple(texts)
    return by_name


def _values(game: PlayedGame, begin: int, solver: Solver) -> str:
    """Return the letters of the positions before each move from `begin` on; they are solved from the end, which is faster."""
    state, states = GAME.start(), []
    for action in game.actions:
        states.append(state)
        state = GAME.play(state, action)
    return "".join(reversed([letters(solver.scores(state)) for state in reversed(states[begin:])]))
