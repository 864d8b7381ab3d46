"""Self-play on Connect Four: against OpenSpiel's AlphaZero, and against a network call for each leaf, as in most notebooks."""
import random
import time
from statistics import median

import torch
from torch import nn

from arena.games import ConnectFour
from arena.players.network import Network, asking, faster_dtype, new_net
from arena.players.rules import compiled
from bench import OWN_SLOW_WAY, Row, must
from bench.openspiel_alphazero import Missing, OpenSpiel
from solutions import ps5_alphazero as ps5
from trainer.__main__ import GAMES
from trainer.selfplay import SelfPlay

GAME = ConnectFour()
TOGETHER, SIMULATIONS, TURNS = 128, 50, 5
EXAMPLES = 300
CHANNELS, BLOCKS = 64, 2        # of the networks on both sides
PLAY = GAMES["connect_four"][0]


def rows() -> list[Row]:
    """Simulations a second on one core; CPU time, so that a busy machine matters little."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    small, large = ps5.make_net(GAME).eval(), new_net(compiled("connect_four")).eval()
    dtype = faster_dtype(compiled("connect_four"), large, "cpu")
    selfplay = SelfPlay(compiled("connect_four"), PLAY, 0)
    network = asking(large, "cpu", dtype)
    selfplay.play(network, EXAMPLES)  # compile, and bring the games to different plies
    student, compiled_rates, one_small, one_large = [], [], [], []
    for turn in range(TURNS):
        student.append(_together(small, turn))
        one_small.append(_one_by_one(small, turn))
        compiled_rates.append(_compiled(selfplay, network))
        one_large.append(_one_by_one(large, turn))
    student_how = (f"5.12 and 5.13 of the solution, {TOGETHER} games in step with {SIMULATIONS} simulations a move, over ps5's "
                   f"network (32 channels); the peer asks it about one leaf at a time; median of {TURNS} turns")
    compiled_how = (f"the trainer's self-play, {PLAY.games} games side by side, over the residual network "
                    f"(64 channels, 5 layers) in {dtype}; the peer is ps5's search, which asks it about one leaf at a time")
    return [*_against_openspiel(median(compiled_rates), dtype),
            Row("selfplay_student", median(student), median(one_small), "simulations/s", 3.0, student_how, OWN_SLOW_WAY),
            Row("selfplay_compiled", median(compiled_rates), median(one_large), "simulations/s", 8.0, compiled_how, OWN_SLOW_WAY)]


def _against_openspiel(ours: float, dtype: str) -> list[Row]:
    """Compare the trainer's self-play with OpenSpiel's, as published, and with its network compiled by us."""
    rows: list[Row] = []
    for jit, name, goal in ((False, "selfplay_vs_openspiel", 10.0), (True, "selfplay_vs_openspiel_jit", 2.0)):
        try:
            with OpenSpiel(channels=CHANNELS, blocks=BLOCKS, simulations=SIMULATIONS, seed=0, compiled=jit) as peer:
                rates = [peer.rate(games=1) for _ in range(TURNS)]
        except Missing as missing:
            print(f"selfplay_vs_openspiel is left out: {missing}")
            return rows
        asked = "with its network compiled by jax.jit, which the library does not do" if jit else "as published"
        how = (f"the trainer's self-play in {dtype}, made for two-player board games, against OpenSpiel's AlphaZero in Python "
               f"(jax), a general engine, {asked}; untrained residual networks of {CHANNELS} channels and {BLOCKS} blocks, "
               f"{SIMULATIONS} simulations a move for the peer; each remembers answers as it always does; CPU time, one core, "
               f"median of {TURNS} games")
        rows.append(Row(name, ours, median(rates), "simulations/s", goal, how))
    return rows


def _together(net: nn.Module, seed: int) -> float:
    rng = random.Random(seed)
    trees = [ps5.Node(GAME, ps5.opening(GAME, rng)) for _ in range(TOGETHER)]
    began = time.process_time()
    ps5.search_together(GAME, net, trees, SIMULATIONS, 1.5, rng)
    seconds = time.process_time() - began
    return _simulations(trees, TOGETHER) / seconds


def _one_by_one(net: nn.Module, seed: int) -> float:
    rng, searches = random.Random(seed), 12
    trees = [ps5.Node(GAME, ps5.opening(GAME, rng)) for _ in range(searches)]
    began = time.process_time()
    for tree in trees:
        ps5.search(GAME, net, tree, SIMULATIONS, 1.5, rng)
    seconds = time.process_time() - began
    return _simulations(trees, searches) / seconds


def _simulations(trees: list[ps5.Node], searches: int) -> int:
    """Return how many simulations these trees hold: as many as were asked for."""
    made = sum(sum(tree.N) for tree in trees)
    must(made == searches * SIMULATIONS, f"{made} simulations were made, not {searches * SIMULATIONS}")
    return made


def _compiled(selfplay: SelfPlay, network: Network) -> float:
    before, began = selfplay.simulations, time.process_time()
    selfplay.play(network, EXAMPLES)
    return (selfplay.simulations - before) / (time.process_time() - began)
