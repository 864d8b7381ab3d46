"""The search that students write, in the form of our solution, against OpenSpiel's search in Python."""
import random
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from arena.games import ConnectFour
from bench import Row, must, rate
from solutions import ps2_uct

SIMULATIONS = 4_000
TURNS = 9


def rows() -> list[Row]:
    """Simulations a second on the empty Connect-Four board; CPU time, so a busy machine does not matter."""
    ours, peer = [], []
    for turn in range(TURNS):
        ours.append(_seconds_of_ours(random.Random(turn)))
        peer.append(_seconds_of_peer(np.random.RandomState(turn)))
    how = (f"solution of ps2_uct, and OpenSpiel {pyspiel.__version__}'s MCTSBot with its random rollout evaluator; empty "
           f"Connect-Four board, {SIMULATIONS} simulations a search, one rollout each, CPU seconds, median of {TURNS} turns")
    return [Row("uct_vs_openspiel_python", rate(SIMULATIONS, ours), rate(SIMULATIONS, peer), "simulations/s", 2.0, how)]


def _seconds_of_ours(rng: random.Random) -> float:
    game = ConnectFour()
    start = time.process_time()
    _, root = ps2_uct.search(game, game.start(), SIMULATIONS, 1.0, rng)
    seconds = time.process_time() - start
    must(root.num_visits == SIMULATIONS, f"our search made {root.num_visits:,} simulations, not {SIMULATIONS:,}")
    return seconds


def _seconds_of_peer(random_state: np.random.RandomState) -> float:
    """Measure OpenSpiel with `solve` off: with it, OpenSpiel marks proven positions, which our search does not do."""
    game = pyspiel.load_game("connect_four")
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=random_state)
    bot = mcts.MCTSBot(game, 1.0, SIMULATIONS, evaluator, solve=False, random_state=random_state)
    start = time.process_time()
    root = bot.mcts_search(game.new_initial_state())
    seconds = time.process_time() - start
    must(root.explore_count >= SIMULATIONS, f"OpenSpiel's search made {root.explore_count:,} simulations, not {SIMULATIONS:,}")
    return seconds
