"""2.3 to 2.8 on random games: any number of actions, any action numbers, any states, any depth."""

import math
from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.errors import Raised
from tests.hidden.choices import argmax
from tests.hidden.generators import draw_game, states_of
from tests.hidden.laws import near
from tests.hidden.ps2_uct.drawn import (
    CONSTANTS,
    Known,
    best_below,
    close_arms,
    fill_closely,
    fork,
    grow,
    line,
    playable,
    spread,
)
from tests.hidden.ps2_uct.trees import Spot, at, forest, plant


def some_or_all(edition: Random, missing: int) -> Any:
    """All but `missing` of the root's actions get a child; a node below gets children for all, none, one, or all but one."""

    def how_many(depth: int, legal: int) -> int:
        if depth == 0:
            return max(0, legal - missing)
        return legal if edition.random() < 0.75 else edition.choice([0, min(legal, 1), max(0, legal - 1)])

    return how_many


def no_fill(root: Known) -> None:
    """Leave all visits and totals at zero."""


@pytest.mark.exercise("2.3")
@pytest.mark.hint("does only the game decide, whatever the state: 0, or a state of another game?")
def test_every_game_says_itself_whether_it_is_over(student, edition):
    """in every game a node is terminal where that game is over, whatever another game says of the same state

    Promised: Return whether the game is over at this node.
    """
    asked = []
    for game in [draw_game(edition) for _ in range(8)]:
        states = states_of(game)
        asked += [(game, state) for state in [game.start(), *edition.sample(states, min(len(states), 3))]]
    asked += [(line(plies), "s2") for plies in edition.sample([2, 3], 2)]  # over in one of the games
    nodes = student.many("TreeNode", [(state,) for _, state in asked])
    assert [node.is_terminal(game) for node, (game, _) in zip(nodes, asked, strict=True)] == [
        game.outcome(state) is not None for game, state in asked
    ]
    assert [node.is_fully_expanded(game) for node, (game, _) in zip(nodes, asked, strict=True)] == [
        game.outcome(state) is not None for game, state in asked
    ]


@pytest.mark.exercise("2.3")
@pytest.mark.hint("is there a child for each legal action, even for many actions, or for actions that lead to one state?")
def test_every_action_needs_a_child_of_its_own(student, edition):
    """a node is fully expanded when each action has its child, whatever the action numbers and the next states are

    Promised: Return whether every legal action has its child here.
    """
    for game in (fork(edition, 1), fork(edition, 5), fork(edition, 3, merged=True), fork(edition, edition.randint(9, 12))):
        legal = game.legal_actions(0)
        for number in (len(legal) - 1, len(legal)):
            root = plant(student, game, 0, Spot(below={action: Spot() for action in edition.sample(legal, number)}))
            assert root.is_fully_expanded(game) is (number == len(legal))


@pytest.mark.exercise("2.4")
@pytest.mark.hint("is every untried action equally likely, even when there are many?")
def test_untried_actions_are_drawn_equally_often(student, edition):
    """each untried action is drawn equally often, among few or many, at the first call and at the second

    Promised: rng: draws the action, each untried action with the same probability.
    """
    rng, unevenness = student.rng(edition.getrandbits(30)), 0.0
    for width, number in ((8, 240), (12, 240), (3, 500)):
        game = fork(edition, width)
        nodes = student.many("TreeNode", [(0,)] * number)
        actions = student.each(student.many("expand", [(game, node, rng) for node in nodes]), "action")
        assert set(actions) <= set(game.legal_actions(0))
        unevenness += spread(actions, game.legal_actions(0))
    assert unevenness < 87  # chi-squared with 20 degrees of freedom: above 80 once in 2e8 editions
    seconds = student.each(student.many("expand", [(game, node, rng) for node in nodes]), "action")
    places = {action: place for place, action in enumerate(game.legal_actions(0))}
    assert set(seconds) <= set(places)
    # Two are left: the lower one and the next one in turn come 250 times, deviation 11.2; 250 +- 65 is left once in 1e8 tries.
    lower = sum(second == min(set(places) - {first}) for first, second in zip(actions, seconds, strict=True))
    following = sum((places[second] - places[first]) % 3 == 1 for first, second in zip(actions, seconds, strict=True))
    assert [count for count in (lower, following) if not 185 <= count <= 315] == []


@pytest.mark.exercise("2.4")
@pytest.mark.hint("which values does a new child begin with, and does it get anything from other nodes?")
def test_any_game_grows_a_child_for_every_action(student, edition):
    """in any game each action gets one child with its own state, also if two actions lead to one state; then no more

    Promised: Each call adds exactly one child.
    """
    rng = student.rng(edition.getrandbits(30))
    for game in (fork(edition, 4, merged=True), *(playable(edition) for _ in range(3))):
        state, legal = game.start(), game.legal_actions(game.start())
        for _ in range(2):  # the root, then a node below it
            node = student.TreeNode(state)
            ask("does each action have its own child, also when two actions lead to one state?")
            try:
                children = student.many("expand", [(game, node, rng)] * len(legal))
            except Raised as error:  # its own ValueError would be shown without the question
                if "ValueError" not in error.names:
                    raise
                children = []
            below = student.children(node)
            assert len(children) == len(legal), "every legal action needs its own child, and expand refused one"
            assert sorted(below) == legal and set(below.values()) == set(children) and len(set(children)) == len(legal)
            ask("which action, state, visits and total does a new child have?")
            assert student.each([below[action] for action in legal], "action") == legal
            assert student.each([below[action] for action in legal], "state") == [game.play(state, action) for action in legal]
            assert student.both(children, "num_visits", "total_value") == [(0, 0.0)] * len(legal)
            with student.raises(ValueError):
                student.expand(game, node, rng)
            state = game.play(state, edition.choice(legal))
            legal = game.legal_actions(state)
            if not legal:
                with student.raises(ValueError):
                    student.expand(game, student.TreeNode(state), rng)
                break


@pytest.mark.exercise("2.4")
@pytest.mark.hint("which generator may your function use?")
def test_no_other_generator_is_used(student, edition):
    """rng draws the action, and no other generator is used or seeded

    Promised: rng: draws the action, each untried action with the same probability.
    Promised: and the only source of chance: no other generator is used or seeded.
    """
    nodes, rng = student.many("TreeNode", [(0,)] * 5), student.rng(edition.getrandbits(30))
    game = fork(edition, 4)
    before = student.disturb(edition.getrandbits(30))
    student.many("expand", [(game, node, rng) for node in nodes])
    assert student.global_state() == before


@pytest.mark.exercise("2.5")
@pytest.mark.hint("which nodes does a result change?")
def test_many_results_add_up_in_any_tree(student, edition):
    """after many results, some of them equal, every node of any tree has the visits and the sum of the results through it

    Promised: Add the result of one simulation to every node from `node` up to the root.
    """
    games = [(playable(edition, "bushy"), 40), (fork(edition, 9), 12), (line(edition.randint(104, 110)), 3)]
    for game, number in games:
        root = grow(student, edition, game, game.start(), lambda depth, legal: legal, no_fill)
        nodes = root.everyone()[:111]
        above = {id(child): node for node in nodes for child in node.below.values()}
        calls = []
        for leaf in [nodes[-1], *edition.choices(nodes, k=number)]:
            value = edition.choice([1.0, 0.0, -1.0, edition.uniform(-1, 1), edition.uniform(-1e-3, 1e-3)])
            for _ in range(edition.choice([1, 1, 2])):
                calls.append((leaf.handle, value))
                node, result = leaf, value
                while node is not None:
                    node.visits, node.total = node.visits + 1, node.total + result
                    node, result = above.get(id(node)), -result
        student.many("backpropagate", calls)
        visits_and_totals = student.both([node.handle for node in nodes], "num_visits", "total_value")
        ask("does every call count at every node up to the root, at any depth, and after any other calls?")
        assert [visits for visits, _ in visits_and_totals] == [node.visits for node in nodes]
        ask("do you add every result unchanged, also a small one, and leave all other nodes alone?")
        assert [total for _, total in visits_and_totals] == near([node.total for node in nodes])
    ask("does a result change anything except visits and totals?")
    assert student.children(root.handle) == {action: child.handle for action, child in root.below.items()}


@pytest.mark.exercise("2.6")
@pytest.mark.hint("with large and small visits, c and results: do you cut off or round the mean or the bonus?")
def test_the_bound_follows_the_formula_everywhere(student, edition):
    """the bound follows the formula for nodes with few or many visits, for any c, and for results of any size

    Promised: Returns -W/n + c sqrt(ln N / n), with W and n the node's total_value and num_visits and N the visits of its
    parent;
    """
    trees, calls, right = [], [], []
    for _ in range(80):
        c = edition.choice([*CONSTANTS, edition.uniform(0, 5)])
        (n, other), _ = close_arms(edition, 2, c)
        big = n + other * edition.choice([0, 1, 1, 1000])
        total = n * edition.choice([0.0, 1.0, -1.0, edition.uniform(-1, 1), 20.0])
        trees.append((line(1), "s0", Spot(big, -total, {0: Spot(n, total)})))
        right.append(-total / n + bonus(big, n, c))
        calls.append(c)
    nodes = [nodes[(0,)] for nodes in forest(student, trees)]
    bounds = student.many("ucb", list(zip(nodes, calls, strict=True)))
    assert bounds == near(right)


def bonus(big: int, n: int, c: float) -> float:
    """c sqrt(ln N / n)."""
    return c * math.sqrt(math.log(big) / n)


def draws_of(student: Any, name: str, calls: list[tuple], seed: int) -> list[tuple[int, ...]]:
    """The actions of the nodes that a function draws six times for each call, each call with a generator of this seed."""
    rngs = [student.rng(seed) for _ in calls]
    drawn = student.many(name, [(*call, rng) for call, rng in zip(calls, rngs, strict=True) for _ in range(6)])
    return list(zip(*[iter(student.each(drawn, "action"))] * 6))


@drawn_once
def families(edition: Random) -> tuple[list[tuple], list[float], list[tuple[int, ...]]]:
    """Nodes with one to twelve children whose bounds are close together; c of each, and the way to its best child."""
    trees, calls, best = [], [], []
    for number in range(60):
        game, c = fork(edition, edition.randint(1, 12)), edition.choice(CONSTANTS)
        legal = edition.sample(game.legal_actions(0), len(game.legal_actions(0)))
        big = edition.randint(1, 4000)
        counts, means = close_arms(edition, len(legal), c, big)
        best.append((legal[argmax([mean + bonus(big, count, c) for count, mean in zip(counts, means)])],))
        if number % 10 == 0:
            counts[0], means[0], best[-1] = 0, 0.0, (legal[0],)
        below = {action: Spot(count, -mean * count) for action, count, mean in zip(legal, counts, means)}
        trees.append((game, 0, Spot(big, 0.0, below)))
        calls.append(c)
    return trees, calls, best


@pytest.mark.exercise("2.7")
@pytest.mark.hint("the bounds are close together: do you compare them without rounding, and for all children?")
def test_the_best_of_any_number_of_children_is_found(student, edition):
    """among one to twelve children the child with the highest bound is found, even if it is ahead by little; the tree stays

    Promised: Return the child of `node` with the highest upper confidence bound.
    Promised: The tree is not changed.
    """
    trees, calls, best = families(edition)
    planted, rng = forest(student, trees), student.rng(edition.getrandbits(30))
    before = [list(student.children(nodes[()])) for nodes in planted[-6:]]
    chosen = student.many("best_child", [(nodes[()], c, rng) for nodes, c in zip(planted, calls, strict=True)])
    assert chosen == [nodes[path] for nodes, path in zip(planted, best, strict=True)]
    nodes = planted[-1]
    assert student.children(nodes[()]) == {path[0]: node for path, node in nodes.items() if path}
    ask("a tree that is not changed keeps the order of its children: do you sort them in the node itself?")
    assert [list(student.children(nodes[()])) for nodes in planted[-6:]] == before


@pytest.mark.exercise("2.7")
@pytest.mark.hint("several children share the highest bound: does each have the same chance?")
def test_any_number_of_equal_children_is_drawn_from_alike(student, edition):
    """many equal children, visited or not, come up equally often, drawn by rng and by no other generator

    Promised: rng: draws among the children that share the highest bound, each equally likely.
    Promised: and the only source of chance: no other generator is used or seeded.
    """
    rng, unevenness = student.rng(edition.getrandbits(30)), 0.0
    before = student.disturb(edition.getrandbits(30))
    for width, worse, visits in ((7, 5, 3), (12, 0, 0)):  # a draw that starts among the five worse children is unfair
        game = fork(edition, width + worse)
        tree = Spot(visits * (width + worse), 0.0, {action: Spot(visits, 0.5 * visits) for action in game.legal_actions(0)})
        roots = [nodes[()] for nodes in forest(student, [(game, 0, tree)] * 5)]
        for root in roots:  # the worse ones come first in the node's own order
            for child in list(student.children(root).values())[worse:]:
                child.total_value = -0.5 * visits
        order = list(student.children(roots[0]).values())[worse:]
        chosen = student.many("best_child", [(roots[0], 1.0, rng)] * 400)
        assert set(chosen) <= set(order)
        unevenness += spread([order.index(child) for child in chosen], list(range(width)))
        ask("the same tree and seed, the nodes elsewhere in memory: is it the same child?")
        assert len(set(draws_of(student, "best_child", [(root, 1.0) for root in roots[1:]], edition.getrandbits(30)))) == 1
    ask("many children share the highest bound: can each of them come up, equally often?")
    assert unevenness < 85  # chi-squared with 17 degrees of freedom: above 76 once in 2e8 editions
    assert student.global_state() == before


@pytest.mark.exercise("2.8")
@pytest.mark.hint("do you go to the best child, and stop at a node where even one action has no child?")
def test_any_tree_is_descended_to_where_it_can_grow(student, edition):
    """in any tree the way follows the best children, and ends where an action is untried or the game is over

    Promised: Returns the first node on the path where some legal action has no child yet, or where the game is over;
    Promised: and the only source of chance: no other generator is used or seeded.
    """
    calls, ends = [], []
    rng = student.rng(edition.getrandbits(30))
    for shape, missing in [("wide", 1), ("wide", 0), ("wide", 0), ("bushy", 0), ("bushy", 0), ("bushy", 0), ("forced", 0)]:
        game, c = playable(edition, shape), edition.choice(CONSTANTS)
        root = grow(student, edition, game, game.start(), some_or_all(edition, missing), fill_closely(edition, c))
        calls.append((game, root.handle, c, rng))
        ends.append(root)
        while ends[-1].below and len(ends[-1].below) == len(game.legal_actions(ends[-1].state)):
            ends[-1] = best_below(ends[-1], c)
    long = line(120)
    root = grow(student, edition, long, "s0", lambda depth, legal: legal * (depth < 105), fill_closely(edition, 0.0))
    before = student.disturb(edition.getrandbits(30))
    chosen = student.many("select", [*calls, (long, root.handle, 1.0, rng)])
    assert chosen[:-1] == [end.handle for end in ends]
    ask("can the way be as long as the longest game?")
    assert chosen[-1] == root.everyone()[-1].handle
    ask("which generator does best_child get: the given one?")
    assert student.global_state() == before
    ask("where does the way end: at a missing child, or at a missing visit?")
    fresh = plant(student, long, "s0", Spot(1, 0.0, {0: Spot(0, 0.0, {0: Spot()})}))  # below a child without a visit, too
    assert student.select(long, fresh, 1.0, rng) == at(student, fresh, 0, 0)


@pytest.mark.exercise("2.8")
@pytest.mark.hint("equal children far below: can each of them come up, and which generator draws?")
def test_ties_below_the_first_level_are_broken_by_rng(student, edition):
    """at every level of the way rng draws among equal children, and no other generator is used

    Promised: exploration, rng: passed to `best_child`.
    Promised: and the only source of chance: no other generator is used or seeded.
    """
    game = ToyGame({"s0": ["a"], "a": ["b"], "b": ["c", "d"], "c": ["e"], "d": ["f"]}, {})
    tree = Spot(5, 0.0, {0: Spot(4, 0.0, {0: Spot(3, 0.0, {0: Spot(1, 0.5), 1: Spot(1, 0.5)})})})
    root, rng = plant(student, game, "s0", tree), student.rng(edition.getrandbits(30))
    before = student.disturb(edition.getrandbits(30))
    assert len(set(student.many("select", [(game, root, 1.0, rng)] * 50))) == 2  # one of two 50 times: once in 5e14 tries
    assert student.global_state() == before
    wide = fork(edition, 9)
    trees = forest(student, [(wide, 0, Spot(9, 0.0, {action: Spot(1, 0.5) for action in wide.legal_actions(0)}))] * 5)
    ask("the same tree and seed, the nodes elsewhere in memory: is it the same way?")
    assert len(set(draws_of(student, "select", [(wide, nodes[()], 1.0) for nodes in trees], edition.getrandbits(30)))) == 1


@pytest.mark.exercise("2.8")
@pytest.mark.hint("the game says whether it is over: does a child below a finished game change that?")
def test_a_finished_game_is_over_whatever_lies_below_it(student, edition):
    """a finished node is returned even if it has a child

    Promised: Returns the first node on the path where some legal action has no child yet, or where the game is over;
    """
    game, over = ToyGame({"s0": ["w", "b"], "b": ["c"]}, {"w": -1.0}), student.TreeNode("w")
    student.link(over, student.TreeNode("s0", over, 0), 0)
    assert student.select(game, over, 1.0, student.rng(1)) == over
