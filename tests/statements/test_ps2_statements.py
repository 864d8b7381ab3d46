"""Problem set 2: its figures and claims, computed again."""

import functools
import itertools
import math
import random
from collections import Counter
from typing import Any

import pytest
from lesson import says, share

from arena.games import TicTacToe, ToyGame, after
from arena.games.toy import FIVE_SIMULATIONS
from arena.show.recorded import BOARD, EXPLORATION, SIMULATIONS
from solutions import ps2_uct as ps2
from solutions.ps2_uct import recursive_search, search
from tests.statements.exact_play import exact, is_right, wins_at_once

PS, GAME = "ps2_uct", TicTacToe()
SEEDS = range(60)


def tree_of(c: float, seed: int) -> list[tuple]:
    """Visits and totals of the toy game's tree after five simulations."""
    _, root = search(FIVE_SIMULATIONS, "s0", 5, c, random.Random(seed), FIVE_SIMULATIONS.evaluate)
    numbers, level = [], [root]
    while level:
        numbers += [(node.state, node.num_visits, node.total_value) for node in level]
        level = [child for node in level for _, child in sorted(node.children.items())]
    return sorted(numbers)


def test_five_simulations_give_one_tree_for_every_c_from_0_to_24_and_not_beyond() -> None:
    by_hand = [("s0", 5, -58.0), ("s1", 1, 20.0), ("s2", 4, 38.0), ("s5", 2, -28.0), ("s6", 1, 0.0)]
    assert all(tree_of(c, seed) == by_hand for c in (0.0, 0.5, 1.0, 5.0, 20.0, 24.0) for seed in SEEDS)
    assert any(tree_of(24.5, seed) != by_hand for seed in SEEDS)
    says(PS, "Five simulations give the same tree for any choice at ties, and for every $c$ from 0 to 24")
    says(PS, "| 5 | s0, s2, s5 again | -14 | **5, -58** | **1, 20** | **4, 38** | **2, -28** | **1, 0** |")
    bonus = share(math.sqrt(math.log(2)))
    says(PS, f"ucb(s1) = -20 + {bonus} and ucb(s2) = -10 + {bonus}")


def test_six_simulations_over_tables() -> None:
    Q: dict = {}
    N: dict = {}
    ways = ("s0 is new", "s0, s1 is new", "s0, s2 is new", "s0, s2, s5 over", "s0, s2, s6 over", "s0, s2, s5 over")
    rng = random.Random(next(seed for seed in range(50) if random.Random(seed).choice([0, 1]) == 0))  # s1 before s2
    for number, way in enumerate(ways, start=1):
        value = recursive_search(FIVE_SIMULATIONS, "s0", Q, N, 1.0, rng, FIVE_SIMULATIONS.evaluate)
        returned = "0 = evaluate(s0)" if number == 1 else f"{value:g}"
        entries = [", ".join(f"{action}: {worth:g}" for action, worth in sorted(table["s0"].items())) for table in (N, Q)]
        cells = [f"{{{entry}}}" for entry in entries]
        if number == len(ways):
            cells = [f"**{cell}**" for cell in cells]
        says(PS, f"| {number} | {way} | {returned} | {' | '.join(cells)} |")


def drawn_tree(rng: random.Random, plies: int = 4) -> tuple[ToyGame, dict[str, float]]:
    """A game without transpositions, two or three actions a state, and the answers of `evaluate` for each state."""
    moves: dict[str, list[str]] = {}
    values: dict[str, float] = {}

    def grow(left: int) -> str:
        state = f"s{len(values)}"
        values[state] = round(rng.uniform(-1, 1), 2)
        if left:
            moves[state] = [grow(left - 1) for _ in range(rng.randint(2, 3))]
        return state

    grow(plies)
    return ToyGame(moves, {state: value for state, value in values.items() if state not in moves}, start="s0"), values


def test_nodes_and_tables_take_as_many_actions_and_not_the_same() -> None:
    different = 0
    for seed in range(200):
        game, values = drawn_tree(random.Random(seed))
        Q: dict[Any, dict[int, float]] = {}
        N: dict[Any, dict[int, int]] = {}
        _, root = search(game, "s0", 30, 1.0, random.Random(1), values.__getitem__)
        for _ in range(31):
            recursive_search(game, "s0", Q, N, 1.0, random.Random(1), values.__getitem__)
        visits = {action: child.num_visits for action, child in root.children.items()}
        assert sum(visits.values()) == sum(N["s0"].values())
        different += visits != N["s0"]
    assert different > 50
    says(PS, "So six simulations here take as many actions at s0 as five in 2.9.")
    says(PS, "if two bounds are close together the two searches may choose differently")


@pytest.mark.parametrize("epsilon, arms", [(0.1, 5)])
def test_what_curiosity_costs_for_ever(epsilon: float, arms: int) -> None:
    best = 1 - epsilon + epsilon / arms
    says(PS, rf"gets $0.9 + 0.1/5 = {100 * best:.0f}\,\%$ of the pulls, and the other four get ${100 * (1 - best):.0f}\,\%$")


def test_the_recorded_search_is_one_of_ours() -> None:
    rng, root = random.Random(19), ps2.TreeNode(GAME.parse(BOARD))
    recorded = []
    for _ in SIMULATIONS:
        node = ps2.select(GAME, root, EXPLORATION, rng)
        node = node if node.is_terminal(GAME) else ps2.expand(GAME, node, rng)
        value = ps2.simulate(GAME, node.state, ps2.random_policy, rng)
        ps2.backpropagate(node, value)
        way = [node]
        while way[0].parent is not None:
            way.insert(0, way[0].parent)
        recorded.append((tuple(node.action for node in way[1:]), value, tuple(node.total_value for node in way)))
    assert tuple(recorded) == SIMULATIONS
    says(PS, "In the first five simulations the root gets its five children. Which two children are equally good for the sixth")
    assert len({way for way, _, _ in SIMULATIONS[:5]}) == 5 and len(SIMULATIONS[5][0]) == 2


def test_how_long_the_long_run_is() -> None:
    assert 5.5 < 20 - 14 <= 6 and f"{math.exp(36):.0e}" == "4e+15"
    says(PS, "some 4,000,000,000,000,000 simulations")


@pytest.mark.parametrize("child, n, W, cells", [
    ("3", 1, 0, r"0 | $\sqrt{2.197/1} = 1.482$ | **1.482** | .741"),
    ("5", 5, -4, r"+.8 | $\sqrt{2.197/5} = .663$ | 1.463 | **1.131**"),
    ("1, 6, 7", 1, 1, "-1 | 1.482 | .482 | -.259"),
])  # fmt: skip
def test_the_bounds_by_hand(child: str, n: int, W: int, cells: str) -> None:
    log, bonus = math.log(9), math.sqrt(math.log(9) / n)
    worked = [-W / n, bonus, -W / n + bonus, -W / n + bonus / 2]
    written = [cell.strip("* $") for cell in cells.replace("+", "").split(" | ")]
    assert f"{log:.3f}" == "2.197"
    assert [float(cell.rpartition("= ")[2]) for cell in written] == pytest.approx(worked, abs=6e-4)
    says(PS, f"| {child} | {n} | {W} | {cells} |")


def test_the_bound_one_ply_down() -> None:
    says(PS, f"There $N = 5$, $\\ln 5 = {math.log(5):.3f}$")
    bonus = share(0.5 * math.sqrt(math.log(5)), 3)
    says(PS, f"with $0 + {bonus}$ against $-1 + {bonus}$ for the others")


def test_how_slowly_the_bound_grows() -> None:
    assert math.sqrt(math.log(8192)) < 2 * math.sqrt(math.log(16))
    says(PS, "between $N = 16$ and $N = 8192$ the bound does not even double")


# ---- bandits and random games

def test_three_arms_by_hand() -> None:
    counts, totals = [4, 2, 1], [3.0, 1.0, 0.0]
    log = math.log(7)
    bounds = [total / n + math.sqrt(log / n) for n, total in zip(counts, totals)]
    assert ps2.ucb1(counts, totals, 1.0, random.Random(0)) == bounds.index(max(bounds)) == 1
    for arm, (n, total, bound) in enumerate(zip(counts, totals, bounds)):
        cell = f"**{bound:.3f}**" if arm == 1 else f"{bound:.3f}"
        bonus = share(bound - total / n, 3)
        says(PS, rf"| {arm} | {n} | {total:g} | {share(total / n, 3)} | $\sqrt{{{log:.3f}/{n}}} = {bonus}$ | {cell} |")
    counts[1] += 1
    later = [total / n + math.sqrt(math.log(8) / n) for n, total in zip(counts, totals)]
    assert ps2.ucb1(counts, totals, 1.0, random.Random(0)) == later.index(max(later)) == 0
    says(PS, rf"its bound falls to $.333 + \sqrt{{{math.log(8):.3f}/3}} = {later[1]:.3f}$")
    says(PS, rf"rise a little with $\ln 8 = {math.log(8):.3f}$ ({later[0]:.3f} and {later[2]:.3f}), and arm 0 is next")


@pytest.mark.usefixtures("repetition")
def test_what_each_rule_of_the_bandit_loses() -> None:
    arms, marks = [0.1, 0.2, 0.3, 0.4, 0.8], [100, 200, 500, 1000, 2000, 5000]

    def curves(rule: Any) -> list[list[float]]:
        curves_of_runs = []
        for run in range(40):
            rng, counts, totals, curve = random.Random(run), [0] * 5, [0.0] * 5, []
            for pull in range(1, marks[-1] + 1):
                arm = rule(counts, totals, rng)
                counts[arm] += 1
                totals[arm] += rng.random() < arms[arm]
                if pull in marks:
                    curve.append(sum(count * (0.8 - mean) for count, mean in zip(counts, arms)))
            curves_of_runs.append(curve)
        return curves_of_runs

    greedy, epsilon, proof, small = (curves(rule) for rule in (
        lambda counts, totals, rng: ps2.epsilon_greedy(counts, totals, 0.0, rng),
        lambda counts, totals, rng: ps2.epsilon_greedy(counts, totals, 0.1, rng),
        lambda counts, totals, rng: ps2.ucb1(counts, totals, math.sqrt(2), rng),
        lambda counts, totals, rng: ps2.ucb1(counts, totals, 0.5, rng)))
    ends = sorted(curve[-1] for curve in greedy)
    assert ends[5] < 5 and ends[-15] > 1000
    says(PS, "So some runs lose almost nothing and the others thousands")
    means = [[sum(column) / len(column) for column in zip(*rule)] for rule in (epsilon, proof, small)]
    slopes = [[(b - a) / math.log(n / m) for a, b, m, n in zip(mean[1:], mean[2:], marks[1:], marks[2:])] for mean in means]
    assert max(slopes[1]) < 1.3 * min(slopes[1]) and slopes[0][-1] > 5 * slopes[0][0]
    says(PS, "is nearly straight from 200 pulls on, and overtakes epsilon-greedy before 5,000")
    assert means[0][0] < means[1][0] and means[2][-1] < means[1][-1] < means[0][-1]
    says(PS, "on these, a smaller $c$ loses less still")


def test_one_game_by_hand() -> None:
    def lowest(game: TicTacToe, state: tuple, rng: random.Random) -> int:
        return min(game.legal_actions(state))

    def worth(plies: int, most: int | None = None) -> float:
        return ps2.simulate(GAME, after(GAME, [0, 1, 2, 3, 4, 5, 6][:plies]), lowest, random.Random(0), most)

    says(PS, f"From the empty board, where X is to move, that is **{worth(0):+g}** (7 plies, an odd number: the sign flips).")
    says(PS, f"the same game is worth **{worth(1):+g}** (6 plies, an even number: the sign stays)."
             f" If the game is cut after 6 plies, the result is unknown: **{worth(0, 6):g}**.")


@functools.cache
def at_random(state: tuple) -> float:
    """The exact mean of all random games from here, for the player to move."""
    outcome = GAME.outcome(state)
    below = [-at_random(GAME.play(state, action)) for action in GAME.legal_actions(state)]
    return sum(below) / len(below) if outcome is None else outcome


def right(state: tuple) -> set[int]:
    return {action for action in GAME.legal_actions(state) if is_right(GAME, state, action)}


TRAP = GAME.parse(".../X.O/.X.")


@functools.cache
def ends(state: tuple) -> Counter:
    """The probability of each result of a random game from here, for the player to move."""
    if GAME.outcome(state) is not None:
        return Counter({int(GAME.outcome(state)): 1.0})
    legal, result = GAME.legal_actions(state), Counter()
    for action in legal:
        for value, probability in ends(GAME.play(state, action)).items():
            result[-value] += probability / len(legal)
    return result


def test_how_often_ten_games_say_the_opposite() -> None:
    one, ten = ends(GAME.start()), Counter({0: 1.0})
    assert 1.9 < one[1] / one[-1] < 2.1
    says(PS, "X wins twice as often as O.")
    for _ in range(10):
        before, ten = ten, Counter()
        for total, value in itertools.product(before, one):
            ten[total + value] += before[total] * one[value]
    opposite = sum(probability for total, probability in ten.items() if total < 0)
    says(PS, f"Ten games say the opposite in {100 * opposite:.0f} cases of 100")


def test_random_games_and_the_trap() -> None:
    says(PS, f"Over *all* random games the mean is exactly {at_random(GAME.start()):+.4f}")
    means = {action: -at_random(GAME.play(TRAP, action)) for action in GAME.legal_actions(TRAP)}
    best, second, *_ = sorted(means, key=means.get, reverse=True)
    assert (best, second) == (2, 8) and means[2] - means[8] > 3 / math.sqrt(10_000)  # "quite sure", with 10,000 games each
    says(PS, "With enough games this player is quite sure of move 2")
    assert right(TRAP) == {0, 6} and exact(GAME, TRAP) == 0
    assert after(GAME, [3, 5, 7]) == TRAP  # the opening plays it by these moves
    says(PS, "Of the six free squares four lose and two do not")
    says(PS, "And move 2 **loses by force**")
    says(PS, "Moves 0 and 6, which look bad, are draws.")
    assert all(means[action] < means[2] for action in right(TRAP))
    line = GAME.play(TRAP, 2)
    for forced in (8, 6):
        others = [action for action in GAME.legal_actions(line) if action != forced]
        assert all(wins_at_once(GAME, GAME.play(line, action)) for action in others)
        line = GAME.play(line, forced)
    twice = GAME.play(line, 4)
    assert set().union(*(wins_at_once(GAME, GAME.play(twice, reply)) for reply in GAME.legal_actions(twice))) == {0, 1}
    says(PS, "O plays 2 X must block 8 O must block 6 X plays 4 and threatens both 0 and 1")


# ---- the tree

def example_tree() -> ps2.TreeNode:
    """The tree of nine results."""
    tree = ps2.TreeNode(GAME.parse("X.O/.X./..O"))
    results = [([1], 1), ([3], 0), ([5], -1), ([6], 1), ([7], 1), ([5, 1], 1), ([5, 3], 0), ([5, 6], 1), ([5, 7], 1)]
    for actions, value in results:
        node = tree
        for action in actions:
            if action not in node.children:
                node.children[action] = ps2.TreeNode(GAME.play(node.state, action), node, action)
            node = node.children[action]
        ps2.backpropagate(node, value)
    return tree


def test_the_board_of_all_pictures() -> None:
    state = GAME.parse("X.O/.X./..O")
    squares = ", ".join(map(str, GAME.legal_actions(state)))
    says(PS, f"five free squares: {squares}")
    assert GAME.player(state) == 0 and right(state) == {5}
    says(PS, "O threatens 5, so X has exactly one move that does not lose")


def test_the_tree_after_nine_results() -> None:
    tree = example_tree()
    five = tree.children[5]
    says(PS, f"Child 5 has n = {five.num_visits} and W = -1 - 1 - 0 - 1 - 1 = {five.total_value:g}")
    says(PS, f"The root has n = {tree.num_visits} and W = {tree.total_value:g}, the negative of its children's"
             " 1 + 0 - 4 + 1 + 1.")
    assert [child.total_value for _, child in sorted(tree.children.items())] == [1, 0, -4, 1, 1]
    rng = random.Random(0)
    chosen = {c: ps2.best_child(tree, c, rng) for c in (1.0, 0.5, 0.0)}
    assert [node.action for node in chosen.values()] == [3, 5, 5]
    says(PS, f"with $c = 1$: `best_child(root)` is child 3 ({ps2.ucb(chosen[1.0], 1.0):.3f}). With $c = 0$ it is child 5"
             f" ({share(ps2.ucb(chosen[0.0], 0.0), 1)}).")
    assert ps2.best_child(five, 0.0, rng).action == 3
    del five.children[3]
    counts = Counter(ps2.best_child(five, 0.0, random.Random(seed)).action for seed in range(3000))
    assert sorted(counts) == [1, 6, 7] and all(abs(count - 1000) < 5 * math.sqrt(2000 / 3) for count in counts.values())
    says(PS, "Among 1, 6 and 7 alone, each would have probability 1/3.")


@pytest.mark.parametrize("c, way, words", [(0.5, [5, 3], "That node has no children and three free squares: stop."),
                                           (1.0, [3], "With $c = 1$ selection goes from the root to child 3 and stops there")])
def test_selection_by_hand(c: float, way: list[int], words: str) -> None:
    leaf = ps2.select(GAME, example_tree(), c, random.Random(0))
    assert leaf.action == way[-1]
    assert (leaf.parent.action is None) == (len(way) == 1) and len(GAME.legal_actions(leaf.state)) == 5 - len(way)
    says(PS, words)


def test_backpropagation_by_hand() -> None:
    tree = example_tree()
    child = tree.children[5]
    tree.num_visits, tree.total_value, child.num_visits, child.total_value = 8, 2.0, 3, -1.0
    leaf = child.children[1] = ps2.TreeNode(GAME.play(child.state, 1), child, 1)
    ps2.backpropagate(leaf, -1.0)
    says(PS, f"After this simulation, the leaf has n = {leaf.num_visits}, W = {leaf.total_value:g}; the child"
             f" n = {child.num_visits}, W = {child.total_value:g}; the root n = {tree.num_visits}, W = {tree.total_value:g}.")


def test_a_sign_that_never_flips() -> None:
    says(PS, f"A `backpropagate` that never flips the sign ends with {sum([20, 10, -14, 0, -14]):+d} at the root.")


def test_a_thousand_simulations_of_the_toy_game() -> None:
    def visits(c: float) -> list[int]:
        _, root = search(FIVE_SIMULATIONS, "s0", 1000, c, random.Random(0), FIVE_SIMULATIONS.evaluate)
        return [root.children[action].num_visits for action in (0, 1)]

    assert visits(1.0)[0] == 1 and visits(30.0)[0] > visits(30.0)[1]
    says(PS, "Your five simulations chose s2, and with $c = 1$ a thousand still do")


def test_the_search_in_the_trap() -> None:
    results = {}
    for number in (30, 1000, 3000):
        action, root = search(GAME, TRAP, number, 1.0, random.Random(61))
        two = root.children[2]
        results[number] = action, two.num_visits, -two.total_value / two.num_visits
    assert results[30][0] == 2 and results[1000][0] in right(TRAP) and results[1000][2] < 0
    assert results[3000][1] - results[1000][1] < 20
    says(PS, "At first the search prefers move 2 as well.")
    says(PS, "the move gets hardly any more visits: compare 1,000 with 3,000 simulations")
    expected = []
    while two.children:
        two = max(two.children.values(), key=lambda child: child.num_visits)
        expected.append(two.action)
    assert expected[:3] == [8, 6, 4]
    says(PS, "at the one good reply 8, below that O's at 6 and X's at 4")


# ---- experiments

def test_boards_that_the_tree_has_elsewhere() -> None:
    def below(node: ps2.TreeNode) -> list[tuple]:
        own = [] if node.is_terminal(GAME) else [node.state]
        return sum((below(child) for child in node.children.values()), own)

    _, root = search(GAME, GAME.start(), 3000, 1.0, random.Random(0))
    states = below(root)
    _, _, N = ps2.search_with_tables(GAME, GAME.start(), 3000, 1.0, random.Random(0))
    assert 1 / 3 < 1 - len(set(states)) / len(states) < 1 / 2 and len(states) < 3000
    says(PS, "More than a third of the tree's nodes are boards that the tree has elsewhere already")
    assert len(N) > len(set(states))
    says(PS, "The tables spend the same simulations on more boards.")


def test_three_different_searches() -> None:
    def depths(node: ps2.TreeNode, depth: int = 0) -> Counter:
        return sum((depths(child, depth + 1) for child in node.children.values()), Counter([depth]))

    trees = {c: search(GAME, GAME.start(), 1000, c, random.Random(1))[1] for c in (0.0, 1.0, 10.0)}
    nodes = {c: depths(root) for c, root in trees.items()}
    assert max(child.num_visits for child in trees[0.0].children.values()) > 900
    says(PS, "With $c = 0$ the tree is a thread: nearly all simulations follow the first lucky move")
    wide = nodes[10.0]
    assert max(wide) == 4 and wide[4] < 9 * 8 * 7 * 6
    says(PS, f"all {wide[1]} + {wide[2]} + {wide[3]} nodes of the first three plies, then part of the fourth, and no favourite")
    assert max(nodes[1.0]) > 4 and nodes[1.0][3] < wide[3]
    says(PS, "With $c = 1$ it goes deeper than that in the lines that matter, and leaves out lines that look hopeless.")


@pytest.mark.usefixtures("computing")
def test_when_the_search_sees_the_trap() -> None:
    def avoided(c: float, budget: int) -> float:
        return sum(search(GAME, TRAP, budget, c, random.Random(seed))[0] in right(TRAP) for seed in range(20)) / 20

    assert all(avoided(c, 10) < 0.5 for c in (0.0, 0.3, 1.0, 3.0))
    says(PS, "All begin below one half")
    assert avoided(0.0, 300) == avoided(0.0, 1000)
    says(PS, "luck decides in the first few hundred simulations whether the search stays in the trap")
    assert avoided(1.0, 300) < 1 == avoided(1.0, 1000)
    says(PS, "With $c = 1$ the search always leaves the trap, somewhere between 300 and 1,000.")
    luck = len(right(TRAP)) / len(GAME.legal_actions(TRAP))
    assert max(avoided(3.0, 100), avoided(3.0, 300)) < luck
    says(PS, "$c = 3$ is *worse than luck* for a long time")


@pytest.mark.usefixtures("repetition")
def test_how_often_the_move_is_right() -> None:
    rng, boards = random.Random(12), []
    while len(boards) < 40:
        state = GAME.start()
        for _ in range(rng.randint(1, 5)):
            if GAME.outcome(state) is None:
                state = GAME.play(state, rng.choice(GAME.legal_actions(state)))
        if GAME.outcome(state) is None and len(right(state)) < len(GAME.legal_actions(state)):
            boards.append(state)

    def share_of(c: float, budget: int) -> float:
        return sum(search(GAME, state, budget, c, random.Random(i))[0] in right(state) for i, state in enumerate(boards)) / 40

    assert abs(share_of(0.0, 10) - share_of(1.0, 10)) < 0.15 and share_of(1.0, 1000) >= 0.95
    assert share_of(0.0, 1000) - share_of(0.0, 100) < 0.06 < share_of(1.0, 1000) - share_of(0.0, 1000)
    says(PS, "With 10 simulations c hardly matters")
    says(PS, "After that $c = 0$ stops learning: it keeps the move that was lucky first. The others climb towards 100 %")
    says(PS, "After a thousand games it makes hardly any mistakes")
