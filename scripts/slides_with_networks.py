"""The pictures of problem sets 4 and 5 for `python -m scripts.slides`: searches with the shipped networks, and their logs."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import torch

from arena import nets
from arena.games import ConnectFour, Othello, TicTacToe, after
from arena.players.network import load_net
from arena.players.rules import compiled
from autograder.paths import REPOSITORY
from scripts.slide_canvas import GREEN, LINES, SOFT, Chart, Slide, bars
from solutions import ps4_puct, ps5_alphazero

POSITION = "156021110015655"  # columns from the start: column 4 wins, all others lose
LOG = REPOSITORY / "assets" / "nets" / "connect_four.log.jsonl"


@cache
def othello_evaluate() -> ps4_puct.Evaluate:
    """Return the two shipped networks of problem set 4 as one function."""
    torch.set_num_threads(1)
    both = ps4_puct.PolicyAndValue(ps4_puct.PolicyNet(), ps4_puct.ValueNet())
    for net, name in ((both.policy, "othello6_policy"), (both.value, "othello6_value")):
        net.load_state_dict({key: torch.from_numpy(array) for key, array in nets.load(name).items()})
    return ps4_puct.evaluator(Othello(), both.eval())


def prior_and_visits() -> Slide:
    """Prior and visits of every legal action at one position of a stored game."""
    game = Othello()
    state = after(game, nets.games()[0][:20])
    mcts = ps4_puct.MCTS(game, othello_evaluate())
    shares: list[Sequence[float]] = []
    done, rng = 0, random.Random(1)
    for number in (25, 400):
        for _ in range(number - done):
            mcts.search(state, rng)
        done = number
        total = sum(mcts.N[state].values())
        shares.append([visits / total for visits in mcts.N[state].values()])
    actions = list(mcts.P[state])
    slide = Slide(
        "Problem set 4: the prior says where to look first",
        "Bars for each legal move of an Othello position: the network's "
        "prior, the share of visits after 25 simulations, and after 400. The more simulations, the less the prior decides.",
    )
    best = int(np.argmax(shares[1]))
    bars(
        slide,
        (60, 150, 900, 440),
        [str(action) for action in actions],
        [
            ("prior, in %", [mcts.P[state][action] for action in actions]),
            ("25 simulations", shares[0]),
            ("400 simulations", shares[1]),
        ],
        [best],
    )
    slide.text(480, 512, "legal squares; green: the move that is played after 400", 22, colour=SOFT)
    return slide


def puct_terms() -> Slide:
    """Mean and bonus of one action: how the second fades where the first stays."""
    slide = Slide(
        "Problem set 4: the bonus fades, the mean stays",
        "Two curves for the move with the highest prior, over the "
        "simulations: its bonus c P root(N) / (1 + n) falls towards 0, its mean Q settles.",
    )
    game = Othello()
    state = after(game, nets.games()[0][:20])
    mcts, rng = ps4_puct.MCTS(game, othello_evaluate()), random.Random(1)
    mcts.search(state, rng)
    first = max(mcts.P[state], key=lambda action: mcts.P[state][action])
    mean, bonus = [], []
    for number in range(1, 401):
        mcts.search(state, rng)
        q = mcts.Q[state][first]
        mean.append((float(number), q))
        bonus.append((float(number), ps4_puct.puct(mcts.Q[state], mcts.N[state], mcts.P[state])[first] - q))
    chart = Chart(
        slide,
        (90, 100, 660, 450),
        (1, 10, 100, 400),
        (-0.5, 0, 0.5, 1),
        "simulations",
        "of the move with the largest prior",
        log=True,
    )
    chart.curve(mean, LINES[0])
    chart.curve(bonus, LINES[1], "12 6")
    slide.text(685, 190, "mean Q", 26, anchor="start", bold=True, colour=LINES[0])
    slide.text(685, 222, f"after 400: {mean[-1][1]:+.2f}", 22, anchor="start")
    slide.text(685, 300, "bonus (dashed)", 26, anchor="start", bold=True, colour=LINES[1])
    slide.text(685, 332, f"after 400: {bonus[-1][1]:.2f}", 22, anchor="start")
    slide.text(685, 400, f"prior {mcts.P[state][first]:.2f}", 22, anchor="start", colour=SOFT)
    slide.text(685, 432, f"n after 400: {mcts.N[state][first]}", 22, anchor="start", colour=SOFT)
    return slide


def interval() -> Slide:
    """The score of one match with its interval, for more and more games."""
    slide = Slide(
        "Problem set 4: a score without an interval says little",
        "Five matches of the value network against the policy "
        "network, of 10 to 160 games: the score of each with its 95 % interval, half as wide with four times the games.",
    )
    game, evaluate = Othello(), othello_evaluate()
    arena = ps4_puct.Arena(game, ps4_puct.ValuePlayer(game, evaluate), ps4_puct.PolicyPlayer(game, evaluate), simulations=1)
    chart = Chart(
        slide,
        (90, 100, 900, 440),
        (5, 10, 20, 40, 80, 160, 320),
        (0, 0.25, 0.5, 0.75, 1),
        "games of the match",
        "score of the value network alone against the policy network alone",
        log=True,
    )
    chart.curve([(5, 0.5), (320, 0.5)], SOFT, "6 6", 2)
    for games in (10, 20, 40, 80, 160):
        score = arena.play_games(games, 3).score
        low, high = ps4_puct.wilson(score, games)
        chart.curve([(games, low), (games, high)], LINES[0], thick=5)
        x, y = chart.place(games, score)
        slide.circle(x, y, 9, LINES[0], LINES[0])
        slide.text(x + 16, y + 8, f"{score:.2f}", 22, anchor="start")
    return slide


def whose_result() -> Slide:
    """A game of five moves, with the target z of each position."""
    slide = Slide(
        "Problem set 5: the result, for the player to move",
        "Six boards of one game of Tic-Tac-Toe that X wins. Under each the player to move and the target z: "
        "plus 1 where X is to move, minus 1 where O is; the finished board is not an example.",
    )
    game = TicTacToe()
    states = [after(game, (4, 1, 0, 3, 8)[:plies]) for plies in range(6)]
    policy = np.full(9, 1 / 9)
    made = ps5_alphazero.make_examples(game, [(state, policy) for state in states[:-1]], states[-1])
    for number, state in enumerate(states):
        x, y = 55 + 305 * (number % 3), 80 + 225 * (number // 3)
        slide.board(game, state, x + 40, y, 45)
        targets = [value for other, _, value in made if other == state]
        mover = "XO"[game.player(state)]
        words = f"{mover} to move: z = {targets[0]:+g}" if targets else "over: no example"
        slide.text(x + 108, y + 172, words, 24, bold=True, colour=LINES["XO".index(mover)] if targets else SOFT)
    slide.text(480, 524, "One result, two signs: z changes with the player to move, not with the winner's name.", 22)
    return slide


def search_corrects() -> Slide:
    """The prior of the network that ships and the visits of a search with it."""
    game = ConnectFour()
    state = after(game, [int(column) for column in POSITION])
    net = load_net(compiled("connect_four"), nets.find("connect_four"))
    slide = Slide(
        "Problem set 5: the search corrects the network",
        "A Connect Four position in which only column 4 wins. Bars for each column: the network's prior "
        "and the share of visits after 25 simulations prefer column 2; after 200 simulations the search has found column 4.",
    )
    root = ps5_alphazero.Node(game, state)
    groups: list[tuple[str, Sequence[float]]] = []
    done, rng = 0, random.Random(1)
    for number in (25, 200):
        ps5_alphazero.search(game, net, root, number - done, 1.5, rng)
        done = number
        groups.append((f"{number} simulations", [float(share) for share in ps5_alphazero.action_probs(game, root, 1.0)]))
    prior = np.zeros(game.num_actions)
    prior[root.actions] = root.P
    slide.board(game, state, 30, 150, 44)
    slide.text(184, 455, "column 4 wins,", 24, bold=True, colour=GREEN)
    slide.text(184, 487, "all others lose", 24)
    bars(slide, (370, 150, 930, 440), [str(column) for column in range(7)], [("prior", [float(p) for p in prior]), *groups], [4])
    return slide


def loss_and_entropy() -> Slide:
    """The policy loss of the run of the network that ships, beside the entropy of its targets."""
    slide = Slide(
        "Problem set 5: a loss that cannot reach 0",
        "Two falling curves over 60 minutes of training: the policy loss, and below "
        "it the entropy of the search's policies, under which no network can get. The gap is what is left to learn.",
    )
    lines = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
    steps = [line for line in lines if "policy" in line]
    ticks = ((0, 15, 30, 45, 60), (0, 0.5, 1, 1.5, 2))
    chart = Chart(slide, (90, 100, 660, 450), *ticks, "minutes of self-play and training", "loss")
    loss, entropy = ([(line["minutes"], line[part]) for line in steps if line["minutes"] <= 60] for part in ("policy", "entropy"))
    chart.curve(loss, LINES[0])
    chart.curve(entropy, LINES[2], "12 6")
    slide.text(685, 200, "policy loss", 26, anchor="start", bold=True, colour=LINES[0])
    slide.text(685, 232, f"{loss[0][1]:.2f}, in the end {loss[-1][1]:.2f}", 22, anchor="start")
    slide.text(685, 310, "entropy of π", 26, anchor="start", bold=True, colour=LINES[2])
    slide.text(685, 342, f"{entropy[0][1]:.2f}, in the end {entropy[-1][1]:.2f}", 22, anchor="start")
    gap = f"gap: {loss[0][1] - entropy[0][1]:.2f}, then {loss[-1][1] - entropy[-1][1]:.2f}"
    slide.text(685, 420, gap, 22, anchor="start", bold=True)
    return slide


WITH_NETWORKS: dict[str, Callable[[], Slide]] = {
    "ps4_prior_and_visits": prior_and_visits,
    "ps4_puct_terms": puct_terms,
    "ps4_interval": interval,
    "ps5_whose_result": whose_result,
    "ps5_search_corrects": search_corrects,
    "ps5_loss_and_entropy": loss_and_entropy,
}
