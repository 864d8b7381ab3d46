"""One game between two players."""

import random
from typing import Protocol

from arena.games.game import Game, State


class Player(Protocol):
    """Whoever picks an action; `simulations` is what a searching player may spend on it."""

    def choose(self, state: State, simulations: int, rng: random.Random) -> int: ...


def play_game(game: Game, players: tuple[Player, Player], simulations: int, rng: random.Random) -> tuple[list[int], float]:
    """Play from `game.start()` to the end; `players[0]` moves first.

    Returns:
        the actions in the order of play, and the result for `players[0]`: +1 win, 0 draw, -1 loss.

    Raises:
        IllegalMove: a player chose an action that is not legal.
    """
    state, actions = game.start(), []
    while (outcome := game.outcome(state)) is None:
        actions.append(players[game.player(state)].choose(state, simulations, rng))
        state = game.play(state, actions[-1])
    return actions, outcome if game.player(state) == 0 else -outcome
