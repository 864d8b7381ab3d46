"""The result of a minute of training: Tic-Tac-Toe until no game is lost, and mistakes on Connect Four after a minute."""
import random
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from statistics import median

import torch

from arena.games import ConnectFour
from arena.players.network import asking, faster_dtype, new_net
from arena.players.rules import compiled
from arena.strength.positions import Answer, rates, sample
from bench import OWN_SLOW_WAY, Row, must
from bench.openspiel_alphazero import Missing, OpenSpiel
from bench.tictactoe_seeds import Apprentice, HowToPlay
from solutions import ps5_alphazero as ps5
from trainer.__main__ import GAMES
from trainer.learner import Learner
from trainer.nets import NetMaker
from trainer.selfplay import Examples, SelfPlay
from trainer.strength import mean_rate, mistakes

CONNECT_FOUR = ConnectFour()
SEEDS, LIMIT_S, MINUTE_S, EACH = 3, 240.0, 60.0, 60


def rows() -> list[Row]:
    """Core-seconds, and figures after core-seconds, of this process, so that a busy machine matters little."""
    torch.set_num_threads(1)
    ours = median(_seconds_to_safety(ps5.play_together, seed) for seed in range(SEEDS))
    peer = median(_seconds_to_safety(ps5.play_one_by_one, seed) for seed in range(SEEDS))
    must(peer < LIMIT_S, f"tictactoe_seconds: the peer still loses a game after {LIMIT_S:g} s, so its time says nothing")
    seconds_how = ("the solution's ps5 on Tic-Tac-Toe, 25 simulations, from nothing until it loses no game "
                   f"against it, checked every 50 games, twice in a row; median of {SEEDS} seeds for both; "
                   "the peer: one leaf at a time")
    before = _right_untrained()
    after = median(_right_after_compiled(seed) for seed in range(SEEDS))
    student = median(_right_after_one_by_one(seed) for seed in range(SEEDS))
    must(student > before, f"the peer has {100 * student:.0f} % right moves after {MINUTE_S:g} s, {100 * before:.0f} % before: "
         "it did not learn, so to reach as much means nothing")
    reached = median(_seconds_until(student, seed) for seed in range(SEEDS))
    reached_how = ("Connect Four, from nothing: core-seconds until the trainer's network, without search, has twice in a row the "
                   f"right move at {100 * student:.0f} % of {6 * EACH} solved positions, like the peer's in {MINUTE_S:.0f} s; "
                   f"both train ps5's network; median of {SEEDS} seeds on both sides; the peer is ps5, one leaf at a time")
    what = (f"Connect Four, {MINUTE_S:.0f} core-seconds from nothing: right moves of the network alone at {6 * EACH} "
            f"solved positions, in points above the untrained {100 * before:.0f} %; median of {SEEDS} seeds on both sides")
    return [*_against_openspiel(100 * (after - before), 100 * before, what),
            Row("tictactoe_seconds", ours, peer, "s", 2.0, seconds_how, OWN_SLOW_WAY),
            Row("connect_four_seconds", reached, MINUTE_S, "s", 2.0, reached_how, OWN_SLOW_WAY)]


def _against_openspiel(ours: float, before: float, what: str) -> list[Row]:
    """Compare with OpenSpiel's AlphaZero after as many core-seconds; its network is compiled, which the library does not do."""
    chosen, rights = sample(EACH, random.Random(0)), []
    try:
        for seed in range(SEEDS):
            with OpenSpiel(channels=64, blocks=2, simulations=50, seed=seed) as peer:
                must(peer.train(MINUTE_S) > 0, "OpenSpiel played no position in its minute")
                moves = peer.moves([position.state for position in chosen])
            rights.append(100 * (1 - mean_rate(rates(list(map(Answer, chosen, moves))))))
    except Missing as missing:
        print(f"training_vs_openspiel is left out: {missing}")
        return []
    how = (f"{what}; the peer is OpenSpiel's AlphaZero in Python (jax), a general engine, with a residual network of the same "
           f"size, 50 simulations a move, and its network compiled by jax.jit; what is compiled is compiled before")
    learnt = median(rights) - before
    must(learnt > 0, f"OpenSpiel has {median(rights):.1f} % right moves after its minute, and an untrained network "
         f"{before:.1f} %: no ratio can be given")
    return [Row("training_vs_openspiel", ours, learnt, "points", 1.5, how)]


def _seconds_to_safety(self_play: HowToPlay, seed: int) -> float:
    """Return the core-seconds of training until no game is lost, or LIMIT_S; the checks do not count."""

    def checks() -> Iterator[tuple[float, bool]]:
        apprentice = Apprentice(seed, self_play)
        while apprentice.spent_s < LIMIT_S:
            apprentice.learn()
            yield apprentice.spent_s, apprentice.lost()[1] == 0

    return _twice_in_a_row(checks(), LIMIT_S)


def _twice_in_a_row(checks: Iterable[tuple[float, bool]], limit_s: float) -> float:
    """Return the seconds of the first passed check after which the next one passes too, or `limit_s`."""
    for (since_s, before), (_, now) in pairwise(checks):
        if before and now:
            return since_s
    return limit_s


def _right_untrained() -> float:
    torch.manual_seed(0)
    return _right(new_net(compiled("connect_four")))


def _right_after_compiled(seed: int) -> float:
    *_, (_, net) = _training(NetMaker(blocks=2), seed)
    return _right(net)


def _seconds_until(right: float, seed: int) -> float:
    """Return the core-seconds of the trainer until this share of right moves, or MINUTE_S; the checks do not count."""
    training = _training(NetMaker("solutions/ps5_alphazero.py", channels=32), seed)
    return _twice_in_a_row(((spent_s, _right(net) >= right) for spent_s, net in training), MINUTE_S)


def _training(maker: NetMaker, seed: int) -> Iterator[tuple[float, torch.nn.Module]]:
    """Train for MINUTE_S like `make train GAME=connect_four`, in one process.

    Yields, after each iteration, the core-seconds so far and the network that plays.
    """
    rules, (play, learn, _), spent = compiled("connect_four"), GAMES["connect_four"], 0.0
    torch.manual_seed(seed)
    net = maker(rules)
    dtype = faster_dtype(rules, net, "cpu")
    learner = Learner(rules, net, learn, seed, dtype=dtype)
    selfplay, window = SelfPlay(rules, play, seed), Examples.none(rules.num_actions)
    while spent < MINUTE_S:
        began, progress = time.process_time(), spent / MINUTE_S
        new = selfplay.play(asking(learner.averaged, "cpu", dtype), 1000)
        window = Examples.joined([window, new]).newest(learn.window(progress))
        learner.learn(window, len(new), progress)
        spent += time.process_time() - began
        yield spent, learner.averaged


def _right_after_one_by_one(seed: int) -> float:
    torch.manual_seed(seed)
    config = ps5.Config(simulations=50, games=8, exploring_plies=10, window=40_000, epochs=1, batch_size=256)
    run = ps5.new_training(CONNECT_FOUR, ps5.make_net(CONNECT_FOUR), config, seed)
    began = time.process_time()
    while time.process_time() - began < MINUTE_S:
        ps5.learn(run, 1, ps5.play_one_by_one, ps5.train_with_gate)
    return _right(run.net)


def _right(net: torch.nn.Module) -> float:
    """Return the share of right moves of the network alone; all strata have the same weight."""
    return 1 - mean_rate(mistakes(compiled("connect_four"), asking(net), 0, sample(EACH, random.Random(0))))
