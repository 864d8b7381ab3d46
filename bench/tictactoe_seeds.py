"""Does problem set 5's AlphaZero always learn Tic-Tac-Toe? `python -m bench.tictactoe_seeds [--seeds 10] [--seconds 30]`.

Each seed trains the solution's own code from random weights, for `--seconds` of one core. Then the network plays, with 25
simulations a move, against every possible sequence of replies, as first and as second player. The command fails if a
seed loses a game.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence

import torch

from arena.games import State, TicTacToe
from solutions import ps5_alphazero as ps5
from trainer.strength import losses

GAME = TicTacToe()
CONFIG = ps5.Config(simulations=25, games=50, epochs=1, window=10_000)
HowToPlay = Callable[[ps5.Training], list[ps5.Example]]


class Apprentice:
    """One training run of the solution's code, and the core-seconds that it has used."""

    def __init__(self, seed: int, self_play: HowToPlay = ps5.play_together) -> None:
        torch.manual_seed(seed)
        self.run = ps5.new_training(GAME, ps5.make_net(GAME), CONFIG, seed)
        self.self_play = self_play
        self.spent_s = 0.0

    def learn(self) -> None:
        """Play 50 games and learn from the window."""
        began = time.process_time()
        ps5.learn(self.run, 1, self.self_play, ps5.train_with_gate)
        self.spent_s += time.process_time() - began

    def lost(self) -> tuple[int, int]:
        """Return the number of different games against the network, and how many of them it loses."""
        return losses(GAME, self._moves)

    def _moves(self, states: Sequence[State]) -> list[int]:
        """Return the most visited moves of the search of ps5, without noise."""
        trees = [ps5.Node(GAME, state) for state in states]
        ps5.search_together(GAME, self.run.net, trees, CONFIG.simulations, 1.5, random.Random(0))
        return [tree.actions[tree.N.index(max(tree.N))] for tree in trees]


def main() -> None:
    """Train one network for each seed, and print how many lose no game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    torch.set_num_threads(1)
    safe = 0
    for seed in range(given.seeds):
        apprentice, last_loss = Apprentice(seed), 0.0
        games = lost = 0
        while apprentice.spent_s < given.seconds - 1:  # an iteration takes less than a second
            apprentice.learn()
            games, lost = apprentice.lost()
            last_loss = apprentice.spent_s if lost else last_loss
        safe += lost == 0
        print(f"seed {seed}: after {apprentice.spent_s:.1f} s of one core it loses {lost} of {games} possible games; "
              f"it last lost one after {last_loss:.1f} s", flush=True)
    print(f"{safe} of {given.seeds} seeds lose no game")
    sys.exit(safe < given.seeds)


if __name__ == "__main__":
    main()
