"""The bots of the ladder, our compiled UCT, against OpenSpiel's search in C++, called from Python."""
import time

import pyspiel

from arena.games import ConnectFour
from arena.players.uct import visit_counts
from bench import Row, must, rate

OURS, PEER = 200_000, 20_000    # simulations in a search: each search takes a tenth of a second
TURNS = 9


def rows() -> list[Row]:
    """Simulations a second on the empty Connect-Four board; CPU time, so a busy machine does not matter."""
    visit_counts(ConnectFour().start(), 10, 1.0, 0)     # compile, or read from the cache, before the clock starts
    ours, peer = [], []
    for turn in range(TURNS):
        ours.append(_seconds_of_ours(turn))
        peer.append(_seconds_of_peer(turn))
    how = (f"UCTPlayer's search (numba), made for Connect Four, and OpenSpiel {pyspiel.__version__}'s MCTSBot (C++) with its "
           f"random rollout evaluator, a general engine that plays any game; "
           f"empty Connect-Four board, one rollout a simulation, {OURS:,} and {PEER:,} simulations a search, CPU seconds, "
           f"median of {TURNS} turns")
    return [Row("compiled_uct_vs_openspiel_cpp", rate(OURS, ours), rate(PEER, peer), "simulations/s", 12.0, how)]


def _seconds_of_ours(seed: int) -> float:
    state = ConnectFour().start()
    start = time.process_time()
    visits = visit_counts(state, OURS, 1.0, seed)
    seconds = time.process_time() - start
    must(visits.sum() == OURS - 1, f"our search made {visits.sum():,} visits, not {OURS - 1:,}")
    return seconds


def _seconds_of_peer(seed: int) -> float:
    """Measure OpenSpiel with `solve` off: with it, OpenSpiel marks proven positions, which our search does not do."""
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, PEER, 1000, solve=False, seed=seed, verbose=False)
    state = game.new_initial_state()
    start = time.process_time()
    root = bot.mcts_search(state)
    seconds = time.process_time() - start
    must(root.explore_count >= PEER, f"OpenSpiel's search made {root.explore_count:,} simulations, not {PEER:,}")
    return seconds
