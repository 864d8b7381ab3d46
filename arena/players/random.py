"""The player that every other player should beat."""

import random

from arena.games.game import Game, State


class RandomPlayer:
    """Plays any legal action, each as likely as the others."""

    def __init__(self, game: Game):
        self.game = game

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return a legal action; `simulations` is not used.

        Raises:
            ValueError: the game is over.
        """
        actions = self.game.legal_actions(state)
        if not actions:
            raise ValueError("the game is over: there is no action to choose")
        return rng.choice(actions)
