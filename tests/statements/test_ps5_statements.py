"""Problem set 5: its figures and tables, computed again. A training depends a little on the machine: hence the margins."""

import functools
import json
import math
import random
import re
import zlib
from collections import Counter

import numpy as np
import pytest
import torch
from lesson import ROOT, says, share, text_of

from arena import weights_file as weights
from arena.challenge.ladder import load_ladder
from arena.games import ConnectFour, Othello, TicTacToe, ToyGame, after
from arena.players.perfect import PerfectPlayer
from arena.show.learning import positions, watch_learning
from arena.strength.points import read_points
from assets.make.nets_page import read_log
from solutions import ps5_alphazero as ps5
from tests.statements.exact_play import is_right

PS, TIC, FOUR = "ps5_alphazero", TicTacToe(), ConnectFour()


def node_with(P: list[float], N: list[int], Q: list[float]) -> ps5.Node:
    node = ps5.Node(ToyGame({"s0": [f"s{number}" for number in range(1, len(P) + 1)]}, {}), "s0")
    node.P, node.N, node.Q = P, N, Q
    return node


# ---- before any function is written

@pytest.mark.usefixtures("repetition")
def test_watching_one_learn() -> None:
    learned = watch_learning(8)
    alone, searching = learned.lost["the network alone"], learned.lost["with its search"]
    assert learned.games[-1] == 400 and abs(alone[0] - 0.4) < 0.03 and abs(searching[0] - 0.1) < 0.02
    says(PS, "At first the network loses four games in ten, and the search one in ten")
    assert alone[-1] < 0.02 < searching[0] and searching[-1] < 0.003 and learned.first_move.argmax() == 4
    says(PS, "After 400 games the network *alone* loses one in a hundred, less than its search did at the beginning, and the"
             " search with this network loses none.")
    lines = len((ROOT / "arena/show/learning.py").read_text().splitlines())
    says(PS, f"The program behind this cell has {round(lines, -1)} lines")


def test_what_you_will_use() -> None:
    text, first = text_of(f"solutions/{PS}.py"), ps5.Config()
    tic = ps5.Config(**eval(f"dict({re.search(r'run = new_training.game, make_net.game., Config.(.*?). ?, seed.', text)[1]})"))
    four = ps5.Config(**eval(f"dict({re.search(r'settings = Config.(.*?). torch', text)[1]})"))
    games_a_minute = 6500 / 10
    says(PS, f"| 10 | {6500:,} |")
    says(PS, f"| simulations a move | 1,600 | 800 | {tic.simulations} | {four.simulations} |")
    says(PS, f"| games | 4.9 million | 44 million | {12 * tic.games} | {games_a_minute:.0f} a minute |")
    net = ps5.make_net(FOUR)
    assert net.conv1.out_channels == net.conv2.out_channels == 32
    says(PS, "| 2 layers, 32 filters | 2 layers, 32 filters |")
    new = 42 * tic.games  # examples of an iteration: some 42 a game, with their mirror images
    steps = sum(min(new * number, tic.window) / tic.batch_size for number in range(1, 13))
    a_minute = four.window / four.batch_size * games_a_minute / four.games  # from a full window
    says(PS, f"| batch, steps | 2,048; 700,000 | 4,096; 700,000 | {tic.batch_size}; {round(steps, -2):,.0f} |"
             f" {four.batch_size}; {round(a_minute, -2):,.0f} a minute |")
    rate, decay = share(first.learning_rate, 3), share(first.weight_decay, 4)
    assert (tic.learning_rate, four.learning_rate) == (first.learning_rate,) * 2
    says(PS, f"| {rate}, Adam | {rate}, Adam |")
    says(PS, f"| L2 | .0001 | .0001 | {decay} | {decay} |")
    says(PS, f"| 500,000 games | 1,000,000 games | {tic.window:,} examples | {four.window:,} examples |")
    says(PS, f"| a constant | 1.25, more with N | {tic.c} | {four.c} |")
    assert tic.exploring_plies >= 9
    says(PS, f"| 1 for 30 plies, then 0 | 1 for 30 plies, then 0 | 1 | 1 for {four.exploring_plies} plies, then 0 |")
    counts = [len(list(game.symmetries(state, np.arange(game.num_actions, dtype=float))))
              for game, state in ((Othello(), Othello().start()), (TIC, TIC.start()), (FOUR, FOUR.start()))]
    says(PS, f"| symmetries (5.8) | {counts[0]} | none | {counts[1]} | {counts[2]} |")
    assert (tic.gate, four.gate, tic.epochs, four.epochs) == (None, None, 1, 1)
    says(PS, "| gating (5.11) | 400 games, 55 % | none | none | none |")
    says(PS, f"1,600 simulations in place of {tic.simulations} make every game {1600 // tic.simulations} times as"
             " expensive")


def test_openings() -> None:
    plies = Counter(9 - TIC.text(ps5.opening(TIC, random.Random(seed))).count(".") for seed in range(4000))
    assert abs(plies[0] - 2000) < 5 * math.sqrt(1000) and sorted(plies) == [0, 1, 2, 3, 4]
    assert all(abs(plies[number] - 500) < 5 * math.sqrt(4000 * 7 / 64) for number in (1, 2, 3, 4))
    says(PS, "`opening`: in half of the episodes the first 1 to 4 moves are random.")


def test_thirteen_pieces() -> None:
    pieces = re.findall(r'exercise="5\.\d+" title="(?!the bug in a tree|break it)', text_of(f"solutions/{PS}.py"))
    says(PS, f"in { {13: 'thirteen'}[len(pieces)]} short pieces")


# ---- the network and its loss

def test_the_masked_softmax() -> None:
    net = ps5.Policy(1, 1, 3)
    with torch.no_grad():
        for weight in net.parameters():
            weight.zero_()
        net.policy_head.bias.copy_(torch.tensor([1.0, 5.0, 0.0]))
        log_p, _ = net(torch.zeros(1, 2, 1, 1), torch.tensor([[True, False, True]]))
    p, log_p = log_p.exp()[0].tolist(), log_p[0].tolist()
    says(PS, f"$e^1 + e^0 = {math.e + 1:.3f}$, so $p = (2.718, 0, 1) / 3.718 = ({share(p[0], 3)}, {p[1]:g}, {share(p[2], 3)})$")
    assert log_p[1] <= -1e9
    says(PS, rf"$\log p = ({share(log_p[0], 3)}, -10^9, {log_p[2]:.3f})$")
    taken = math.exp(5) / (math.exp(5) + math.e + 1)
    says(PS, f"$e^5 = {math.exp(5):.1f}$ would take {share(taken, 3)} of the probability")


def test_the_loss_by_hand() -> None:
    pi = torch.tensor([[0.75, 0.25]])

    def loss(p: torch.Tensor, value: float) -> float:
        return ps5.loss(p.log(), torch.tensor([value]), pi, torch.ones(1)).item()

    whole, policy = loss(torch.full((1, 2), 0.5), 0.2), loss(torch.full((1, 2), 0.5), 1.0)
    says(PS, rf"$.8^2 = {share(whole - policy)}$. Policy: $-.75 \ln .5 - .25 \ln .5 = {share(policy, 3)}$."
             f" Together {whole:.3f}.")
    floor = loss(pi, 1.0)
    says(PS, rf"$-.75 \ln .75 - .25 \ln .25 = {share(floor, 3)}$")
    assert all(loss(torch.tensor([[p, 1 - p]]), 1.0) >= floor for p in np.linspace(0.01, 0.99, 99))
    results = [1, 1, 1, -1]
    errors = {v: np.mean([(z - v) ** 2 for z in results]) for v in np.round(np.linspace(-1, 1, 201), 2)}
    best = min(errors, key=errors.get)
    says(PS, f"the best answer is their mean, {share(best, 1)}, with an error of {share(errors[best])}")
    floors = [-sum(s * math.log(s) for s in (chance, 1 - chance) if s) for chance in (0.5, 0.75, 1.0)]
    floors += [float(np.var(results)) for results in ([1, 1, 1, -1], [1, 1, 1, 1], [1, -1])]
    says(PS, f"Only { {2: 'two'}[floors.count(0)]} of the { {6: 'six'}[len(floors)]} come down to 0 or close to it")


def test_traps_of_the_loss() -> None:
    assert (torch.zeros(4, 1) - torch.zeros(4)).shape == (4, 4)
    says(PS, "a value of shape (B, 1) minus a $z$ of shape (B,) is a (B, B) table")
    assert math.isnan(0 * -math.inf) and 0 * -1e9 == 0
    says(PS, r"$0 \cdot (-10^9)$ is 0; $0 \cdot (-\infty)$ is nan")


# ---- the search

def test_the_table_of_bounds() -> None:
    node = node_with([0.5, 0.3, 0.1, 0.1], [6, 2, 1, 0], [0.1, 0.3, -0.2, 0.0])
    bounds = ps5.ucb(node, 1.5)
    for action, (P, N, Q, bound) in enumerate(zip(node.P, node.N, node.Q, bounds, strict=True)):
        cell = f"**{share(bound, 3)}**" if bound == max(bounds) else share(bound, 3)
        says(PS, rf"| {action} | {share(P, 1)} | {N} | {share(Q, 1) if Q else 0} |"
                 rf" $4.5 \cdot {share(P, 1)} / {N + 1} = {share(bound - Q, 3)}$ | {cell} |")
    first = ps5.ucb(node_with(node.P, [0] * 4, [0.0] * 4), 1.5)
    says(PS, rf"the bounds were $1.5 \cdot P$, that is {', '.join(map(share, first[:3]))} and {share(first[3])}")
    node.N[1], node.Q[1] = 3, (2 * 0.3 - 1) / 3
    later = ps5.ucb(node, 1.5)
    assert later.index(max(later)) == 3
    says(PS, rf"falls to $(2 \cdot .3 - 1)/3 = {share(node.Q[1], 3)}$, and action 3, still untried, comes next with"
             rf" $1.5 \cdot .1 \cdot \sqrt{{10}} = {share(later[3], 3)}$")


def test_where_results_do_not_differ_the_visits_are_the_priors() -> None:
    shares = []
    for hidden in (0.0, -0.5):
        toy = ToyGame({"s0": ["s1", "s2", "s3", "s4"]}, {"s4": hidden})
        root = ps5.Node(toy, "s0")
        ps5.search(toy, ps5.TableNet(toy, {"s0": ([0.5, 0.3, 0.1, 0.1], 0.0)}), root, 1000, 1.5, random.Random(0))
        shares.append([n / 1000 for n in root.N])
    assert shares[0] == pytest.approx([0.5, 0.3, 0.1, 0.1], abs=0.002) and shares[1][3] > 0.8
    says(PS, r"with many simulations the visits come to the priors: $\pi \to p$")


def test_temperatures_by_hand() -> None:
    game = ToyGame({"s0": [f"s{number}" for number in range(1, 8)]}, {})
    node = ps5.Node(game, "s0")
    node.actions, node.N = [2, 5, 6], [8, 4, 2]
    at_one, half, cold = (ps5.action_probs(game, node, temperature) for temperature in (1.0, 0.5, 0.0))
    says(PS, f"| 1 | 0 | 0 | 8/14 = {share(at_one[2], 3)} | 0 | 0 | {share(at_one[5], 3)} | {share(at_one[6], 3)} |")
    says(PS, f"| 1/2 | 0 | 0 | 64/84 = {share(half[2], 3)} | 0 | 0 | 16/84 = {share(half[5], 3)} |"
             f" 4/84 = {share(half[6], 3)} |")
    says(PS, f"| 0 | {' | '.join(f'{p:g}' for p in cold)} |")
    with pytest.raises(OverflowError):
        2000.0**100
    assert 8.0**100 < math.inf
    says(PS, "with 2,000 visits $2000^{100}$ is more than a float can hold")


def test_the_tree_that_is_kept() -> None:
    root = ps5.Node(FOUR, FOUR.start())
    ps5.search(FOUR, ps5.TableNet(FOUR, {}), root, 150, 1.5, random.Random(0))
    index = root.N.index(max(root.N))
    child = ps5.swap_root(FOUR, root, root.actions[index])
    assert sum(child.N) == root.N[index] - 1  # the first of them evaluated the child
    ps5.search(FOUR, ps5.TableNet(FOUR, {}), child, 25, 1.5, random.Random(0))
    assert sum(child.N) == root.N[index] - 1 + 25
    says(PS, f"so the new root begins with $12 + 7 = {20 - 1}$ simulations, and 25 more make {20 - 1 + 25}")


def test_noise_by_hand() -> None:
    P, eta = np.array([0.9, 0.1, 0.0]), np.array([0.2, 0.3, 0.5])
    mixed = 0.75 * P + 0.25 * eta
    says(PS, rf"$P$ becomes $({share(0.75 * P[0], 3)} + {share(0.25 * eta[0])}, \; {share(0.75 * P[1], 3)} +"
             rf" {share(0.25 * eta[1], 3)}, \; 0 + {share(0.25 * eta[2], 3)}) = ({', '.join(share(p, 3) for p in mixed)})$"
             .replace(".150,", ".15,"))
    says(PS, f"only $.75^{{25}} = {share(0.75**25, 4)}$ of the network's prior is left")
    assert abs(0.3 * 35 - 10) < 1 and abs(0.03 * 350 - 10) < 1
    says(PS, ".3 in chess with about 35 legal moves, .03 in Go with some 350.")


def test_what_noise_does() -> None:
    mean, least = np.zeros(7), 1.0
    for seed in range(2000):
        node = node_with([0.9, 0.05, 0.03, 0.02, 0.0, 0.0, 0.0], [0] * 7, [0.0] * 7)
        before = np.array(node.P)
        ps5.add_dirichlet_noise(node, random.Random(seed))
        mean += (np.array(node.P) - 0.75 * before) / 2000
        least = min(least, node.P[0])
    assert mean == pytest.approx(np.full(7, 0.25 / 7), abs=0.003)
    says(PS, r"On average each action gets $1/7$ of $\varepsilon$, for every $\alpha$.")
    assert least >= 0.9 * 0.75
    says(PS, f"The favourite keeps at least {share(0.9 * 0.75, 3)}.")
    rng = np.random.default_rng(0)
    held = {alpha: np.sort(rng.dirichlet([alpha] * 7, 4000))[:, ::-1].cumsum(1).mean(0) for alpha in (0.1, 10 / 7, 30)}
    assert held[0.1][1] > 0.9 and held[10 / 7][0] < 0.5 < held[10 / 7][1] < 0.7 < held[10 / 7][2] + 0.03 and held[30][0] < 0.22
    says(PS, r"With $\alpha = .1$ a draw gives nearly everything to one or two actions, with 30 each draw is nearly the same even"
             " mixture; $10/7$, which your function uses here, favours two or three.")


# ---- games and training

def test_the_examples_by_hand() -> None:
    states = [after(TIC, [4, 1, 0, 3, 8][:number]) for number in range(6)]
    assert TIC.outcome(states[5]) == -1
    made = ps5.make_examples(TIC, [(state, np.full(9, 1 / 9)) for state in states[:5]], states[5])
    results = {state: z for state, _, z in made}
    says(PS, " ".join(f"{'XO'[TIC.player(state)]}: z = {results[state]:+g}" for state in states[:5]) + " no example")
    lopsided = ps5.make_examples(TIC, [(states[0], np.eye(9)[1])], states[5])
    assert len({tuple(policy) for _, policy, _ in lopsided}) > 1 and {state for state, _, _ in lopsided} == {states[0]}
    says(PS, r"A position that is its own mirror image still gives different examples when its $\pi$ is not symmetric")


@pytest.mark.usefixtures("computing")
def test_one_step_by_hand() -> None:
    game = ToyGame({"s0": ["s1", "s2"]}, {})
    planes, legal = ps5.as_batch(game, ["s0"])
    assert planes.sum() == 1 and legal.all()
    says(PS, "In a toy game exactly one entry of the planes is 1, the others are 0.")
    net = ps5.PencilNet(*planes.shape[2:], 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    ps5.train_policy(game, net, optimizer, [("s0", np.array([1.0, 0.0]), 0.5)], ps5.Config(epochs=1), random.Random(0))
    assert (net.policy_head.bias.grad.tolist(), net.value_head.bias.grad.tolist()) == ([-0.5, 0.5], [-1])
    says(PS, r"= p_a - \pi_a = (-.5, +.5)")
    with torch.no_grad():
        log_p, value = net(planes, legal)
    assert (math.exp(0.1) / (math.exp(0.1) + math.exp(-0.1))) == pytest.approx(log_p.exp()[0, 0].item(), abs=1e-6)
    says(PS, rf"e^{{-.1}}) = {share(log_p.exp()[0, 0].item(), 3)}$ and $v = \tanh .2 = {share(value.item(), 3)}$")


@pytest.mark.usefixtures("computing")
def test_the_window_by_hand() -> None:
    seen, run = [], ps5.new_training(TIC, ps5.make_net(TIC), ps5.Config(window=5), 0)
    ps5.learn(run, 4, lambda run: [2 * run.iteration, 2 * run.iteration + 1], lambda run, window: seen.append(list(window)))
    for number, window in enumerate(seen):
        says(PS, f"| {number + 1} | {2 * number}, {2 * number + 1} | {', '.join(map(str, window))} |")


def test_gates() -> None:
    def passes(true: float, games: int) -> float:
        needed = math.ceil(0.55 * games - 1e-9)
        return sum(math.comb(games, k) * true**k * (1 - true) ** (games - k) for k in range(needed, games + 1))

    assert abs(passes(0.5, 40) - 1 / 3) < 0.02 and abs(1 - passes(0.6, 40) - 1 / 5) < 0.02
    says(PS, "With 40 games a network that is no better passes about one time in three, and a clearly better network, with a"
             " true score of .60, fails one time in five")
    assert passes(0.5, 400) < 0.03 and passes(0.6, 400) > 0.97 and 400 / ps5.Config().games > 5
    says(PS, "With 400 games the gate works, but costs several times the games of an iteration here.")
    says(PS, f"Its score is $(1 + .5)/2 = {share((1 + 0.5) / 2)}$; the old net's score is {share((0 + 0.5) / 2)}.")


@functools.cache
def critical() -> list[tuple]:
    return [state for state in positions() if not all(is_right(TIC, state, action) for action in TIC.legal_actions(state))]


def mistakes(net: torch.nn.Module) -> float:
    with torch.no_grad():
        favourites = net.eval()(*ps5.as_batch(TIC, critical()))[0].argmax(dim=1).tolist()
    return sum(not is_right(TIC, state, action) for state, action in zip(critical(), favourites)) / len(critical())


def test_positions_and_the_critical_ones() -> None:
    says(PS, f"Tic-Tac-Toe has {len(positions()):,} positions where the game goes on, and in {len(critical()):,} of them at"
             " least one move is a mistake")
    says(PS, f"tested on all {len(critical()):,} critical positions")


@pytest.mark.usefixtures("repetition")
def test_your_first_alphazero() -> None:
    torch.manual_seed(0)
    run = ps5.new_training(TIC, ps5.make_net(TIC), ps5.Config(simulations=25, games=20, epochs=1, window=8000), seed=0)
    before = mistakes(run.net)
    ps5.learn(run, 6, ps5.play_together, ps5.train_with_gate)  # together: the same games, except for rounding, in less time
    assert abs(before - 0.6) < 0.05 and 0.12 < mistakes(run.net) < 0.32
    says(PS, "the mistakes fall from six positions in ten to about two within 120 games")
    assert 35 < len(run.window) / 120 < 50  # the numbers that the table of `what you will use` is based on


def test_trees_in_step_are_those_of_search() -> None:
    class Written(torch.nn.Module):
        """A network with its own answer for each board, with numbers that no two boards share: no tie, no rounding."""

        def forward(self, planes: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            answers = [np.random.default_rng(zlib.crc32(board.numpy().tobytes())).normal(size=8) for board in planes]
            logits = torch.tensor(np.array(answers))
            return logits[:, :7].masked_fill(~legal, -1e9).log_softmax(1), logits[:, 7].tanh()

    net, starts = Written(), [after(FOUR, [first]) for first in range(7)]
    alone, together = ([ps5.Node(FOUR, state) for state in starts] for _ in range(2))
    for root in alone:
        ps5.search(FOUR, net, root, 60, 1.5, random.Random(0))
    ps5.search_together(FOUR, net, together, 60, 1.5, random.Random(0))
    assert [root.N for root in alone] == [root.N for root in together]
    says(PS, "So the visits must be exactly those of `search` on each tree alone")
    says(PS, f"we saw {7500:,} and {38000:,}")
    assert round(38000 / 7500) == 5
    says(PS, "From one game to 64 the rate grows about fivefold")


# ---- our long runs

def test_the_table_of_blind_spots() -> None:
    cells = {name: [[float(number) for number in cell.strip(" *").split(", ")] for cell in re.search(
        rf"\| {name} \|((?: [^|]*\|){{5}})", text_of(f"solutions/{PS}.py"))[1].split("|")[:-1]]
        for name in ("half begin with random moves", "all begin at the start")}
    spread, start = cells.values()
    assert np.mean(start[0]) < np.mean(spread[0])
    says(PS, "The run without random starts is even a little ahead")
    assert all(own < other for games in range(1, 5) for own, other in zip(spread[games], start[games]))
    assert max(spread[4]) < min(spread[1]) and min(start[4]) > 0.5 * min(start[1])
    says(PS, "Then its curve stops falling, and the other curve falls further.")


def test_the_table_of_connect_four() -> None:
    row = re.compile(r"\| (\d+) \| ([\d,]+) \| (\d+), (\d+), (\d+) % \| (\d+-\d+-\d+) \| (\d+-\d+-\d+) \| (\d+-\d+-\d+) \|")
    rows = row.findall(text_of(f"solutions/{PS}.py"))
    assert [minutes for minutes, *_ in rows] == ["0", "1", "5", "10"]
    matches = [[tuple(map(int, cell.split("-"))) for cell in cells[5:]] for cells in rows]
    assert {sum(match) for row_of_matches in matches for match in row_of_matches} == {40}
    assert matches[0][0][2] in (1, 2) and all(match[0][2] == 0 for match in matches[1:])
    says(PS, "the search loses one or two games of 40 against random moves, even with an untrained network")
    scores = [share((won + drawn / 2) / 40) for won, drawn, _ in matches[1][1:]]
    says(PS, f"scores {scores[0]} against a plain search with four times as many simulations ({scores[1]} with 150 against 600)")
    network, _, _ = (int(number) for number in rows[2][2:5])
    written = re.search(r"random games in (\d+) % \(200 simulations\) and (\d+) % \(600\)", text_of(f"solutions/{PS}.py"))
    assert network > int(written[2]) > int(written[1])
    says(PS, "finds more right moves than 600 random games do")
    assert all(abs(int(earlier) - int(other)) <= 3 for earlier, other in zip(rows[2][2:5], rows[3][2:5]))
    says(PS, "**Later** little changes within ten minutes.")


def test_the_longer_run_and_its_rungs() -> None:
    log = {line["minutes"]: line for line in read_log("own_net")}
    for minutes in (0, 1, 5, 10, 20, 40):
        line = log[minutes]
        shares = [f"{100 * line[key]:.0f} %" if (key := f"mistakes at {count}") in line else "" for count in (1, 50, 400)]
        games = f"{line['games']:,}" if line["games"] < 1000 else f"{round(line['games'], -2):,}"
        cells = [str(minutes), games, *shares, ", ".join(line.get("passed", []))]
        says(PS, f"| {' | '.join(cells)} |")
    stone = next(point for point in read_points() if "(Stone)" in point.name)
    says(PS, f"It makes {100 * stone.mistakes:.0f} % mistakes")
    (first, games), (last, more) = (log[minutes]["scores"]["Stone"] for minutes in (20, 40))
    says(PS, f"scored {share(first)} in {games} games after 20 minutes, and {share(last)} in {more} games after 40;"
             f" {share(load_ladder().rung('Stone').pass_)} passes")


def test_a_random_move_in_a_critical_position() -> None:
    rng, perfect, shares = random.Random(5), PerfectPlayer(), []
    while len(shares) < 1000:
        state = FOUR.start()
        for _ in range(7):  # nobody has four in a row before the seventh
            state = FOUR.play(state, rng.choice(FOUR.legal_actions(state)))
        if FOUR.outcome(state) is None:
            worth = [(score > 0) - (score < 0) for score in perfect.scores(state).values()]
            if len(set(worth)) > 1:
                shares.append(worth.count(max(worth)) / len(worth))
    assert abs(np.mean(shares) - 0.34) < 0.03, np.mean(shares)
    says(PS, "A random legal move is right in 34 %")


def test_the_run_of_the_network_that_ships() -> None:
    log = [json.loads(line) for line in (ROOT / "assets/nets/connect_four.log.jsonl").read_text().splitlines()]
    measured = {round(line["minutes"]): line for line in log if "score against Stone" in line}
    for minutes in (2, 6, 12, 21, 31, 60):
        line = measured[minutes]
        shares = f"{100 * line['mistakes at 0']:.0f} % | {100 * line['mistakes at 100']:.1f} %"
        says(PS, f"| {minutes} | {round(line['games so far'], -2):,} | {shares} | {share(line['score against Stone'] + 1e-9)} |")
    late = [line["mistakes at 0"] for minutes, line in measured.items() if minutes >= 28]
    assert max(late) - min(late) < 0.01 and max(late) < measured[12]["mistakes at 0"] < measured[6]["mistakes at 0"]
    says(PS, "The network alone learns for half an hour.")
    searched = [line["mistakes at 100"] for minutes, line in measured.items() if minutes >= 6]
    assert max(searched) - min(searched) < 0.02 and measured[2]["mistakes at 100"] > 2 * max(searched[:9])
    says(PS, "The player seems to stop after six minutes")
    assert abs(1.96 * math.sqrt(0.95 * 0.05 / 40) - 0.07) < 0.01 and abs(1.96 * math.sqrt(0.03 * 0.97 / 300) - 0.02) < 0.005
    says(PS, "with forty games a score is known to some .07, with 300 positions a share of mistakes to 2 %")


# ---- the final challenge

def test_the_final_challenge() -> None:
    ladder = load_ladder()
    says(PS, f"climbs a ladder of Connect Four bots, with {ladder.student_simulations} simulations a move")
    assert ladder.rung("Stone").simulations == 400
    says(PS, "the challenge's Stone, which has 400")
    size = 4 * sum(weight.numel() for weight in ps5.make_net(FOUR).parameters()) / 2**20
    says(PS, f"at most {weights.MOST_BYTES // 2**20} MiB (the network above has {size:.1f})")
