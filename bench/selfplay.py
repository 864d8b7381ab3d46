"""Self-play on Connect Four: one network call for many games, against one network call for a leaf, as in most notebooks."""
import random
import time
from statistics import median

import torch
from torch import nn

from arena.games import ConnectFour
from arena.players.network import Network, asking, faster_dtype, new_net
from arena.players.rules import compiled
from bench import Row
from solutions import ps5_alphazero as ps5
from trainer.selfplay import PlaySettings, SelfPlay

GAME = ConnectFour()
TOGETHER, SIMULATIONS, TURNS = 128, 50, 5
EXAMPLES = 300


def rows() -> list[Row]:
    """Simulations a second on one core; CPU time, so that a busy machine matters little."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    small, large = ps5.make_net(GAME).eval(), new_net(compiled("connect_four")).eval()
    dtype = faster_dtype(compiled("connect_four"), large, "cpu")
    selfplay = SelfPlay(compiled("connect_four"), PlaySettings(), 0)
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
    compiled_how = (f"the trainer's self-play, {PlaySettings().games} games side by side, over the residual network "
                    f"(64 channels, 5 layers) in {dtype}; the peer is ps5's search, which asks it about one leaf at a time")
    return [Row("selfplay_student", median(student), median(one_small), "simulations/s", 3.0, student_how),
            Row("selfplay_compiled", median(compiled_rates), median(one_large), "simulations/s", 8.0, compiled_how)]


def _together(net: nn.Module, seed: int) -> float:
    rng = random.Random(seed)
    trees = [ps5.Node(GAME, ps5.opening(GAME, rng)) for _ in range(TOGETHER)]
    began = time.process_time()
    ps5.search_together(GAME, net, trees, SIMULATIONS, 1.5, rng)
    return TOGETHER * SIMULATIONS / (time.process_time() - began)


def _one_by_one(net: nn.Module, seed: int) -> float:
    rng, searches = random.Random(seed), 12
    trees = [ps5.Node(GAME, ps5.opening(GAME, rng)) for _ in range(searches)]
    began = time.process_time()
    for tree in trees:
        ps5.search(GAME, net, tree, SIMULATIONS, 1.5, rng)
    return searches * SIMULATIONS / (time.process_time() - began)


def _compiled(selfplay: SelfPlay, network: Network) -> float:
    before, began = selfplay.simulations, time.process_time()
    selfplay.play(network, EXAMPLES)
    return (selfplay.simulations - before) / (time.process_time() - began)
