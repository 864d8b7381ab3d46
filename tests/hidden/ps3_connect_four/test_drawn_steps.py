"""3.2 to 3.5 on random games: families of any size, gaps in the action numbers, long ways down and up."""

from random import Random
from typing import Any

import pytest

from arena.games import IllegalMove, ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from autograder.sandbox.errors import StudentError
from autograder.sandbox.table_game import TableGame
from tests.hidden.choices import argmax, clear_best
from tests.hidden.generators import draw_count, draw_game, draw_total, states_of
from tests.hidden.laws import near
from tests.hidden.ps3_connect_four.drawn import draw_tree, going_on, one_ply, one_state_for_half, paths_of, uneven, way_down
from tests.hidden.ps3_connect_four.oracle import GAME, bounds, line
from tests.hidden.ps3_connect_four.trees import Spot, at, chain, plant

LONG = line(240, 1.0)
EIGHT = ToyGame({"s0": [f"c{number}" for number in range(8)]}, {f"c{number}": number % 3 - 1.0 for number in range(8)})


@pytest.mark.exercise("3.2")
@pytest.mark.hint("does your formula hold for any q, n and N: do you cut off, round or replace a bound, or a part of a bound?")
def test_the_bound_of_any_node(student, edition):
    """the bound is q/n + c sqrt(2 ln N / n), infinite if n is 0, for few or many visits, for sums of 0 and for only losses

    Promised: Return q/n + c sqrt(2 ln N / n) for `node`, N the visits of its parent; math.inf when n is 0.
    """
    calls, wanted = [], []
    for c in (20.0, *edition.sample([0.0, 0.1, 0.7, 2.0], 3)):
        visits = [edition.randint(1, 9), 0, *(draw_count(edition, 100_000) for _ in range(6))]
        sums = [0.0, *(draw_total(edition, n) for n in visits[1:])]
        total = sum(visits) + edition.choice([0, 1])
        root = plant(student, EIGHT, "s0", Spot(total, 0.0, {a: Spot(n, q) for a, (n, q) in enumerate(zip(visits, sums))}))
        known = student.children(root)
        for action, (n, q) in enumerate(zip(visits, sums, strict=True)):
            assert action in known
            calls.append((known[action], c))
            wanted += bounds([n], [q], total, c) if n else [float("inf")]
    assert student.many("bound", calls) == near(wanted)


def draw_family(edition: Random, number: int, c: float, not_best: int = -1) -> tuple[int, list[int], list[float], int]:
    """Visits of a parent, visits and sums of its children, and the best child, which is not `not_best`."""
    while True:
        visits = [edition.randint(1, 30) for _ in range(number)]
        sums = [round(edition.choice([edition.uniform(-n, n), -float(n), 0.0]), 3) for n in visits]
        total = sum(visits) + edition.choice([0, 1])
        scores = bounds(visits, sums, total, c)
        best = argmax(scores)
        if number == 1:
            return total, visits, sums, best
        if clear_best(scores, 1e-3) and best != not_best:
            gap = edition.choice([1e-4, 4e-6, 3e-6])
            if gap < 1e-5 and round(scores[best], 5) != round(scores[best] - gap, 5):
                continue  # five digits would tell these apart
            # close behind, and mostly an earlier child: who rounds both bounds takes the first of them
            rival = edition.choice([child for child in range(number) if child != best] + [*range(best)] * 3)
            sums[rival] += (scores[best] - gap - scores[rival]) * visits[rival]
            return total, visits, sums, best


@pytest.mark.exercise("3.2")
@pytest.mark.hint("is the child chosen anew at every call, by all children's bounds, without rounding?")
def test_the_best_of_any_number_of_children(student, edition):
    """among one to a dozen children, with any action numbers, the highest bound wins, also after the statistics have changed

    Promised: Return the child of `node` with the highest `bound`;
    Promised: The tree is only read.
    """
    for number in (1, edition.randint(2, 6), edition.randint(8, 12), 12):
        ends = [place % 3 - 1.0 for place in range(number)]  # that a child is the end of the game changes no bound
        game, state, actions = one_ply(edition, ends, edition.randrange(2))
        c, best = edition.choice([0.0, 0.3, 1.0, 2.0]), -1
        root = plant(student, game, state, Spot(1, 0.0, {action: Spot(1, 0.0) for action in actions}))
        children = [at(student, root, action) for action in actions]
        for _ in range(3):  # later with other numbers
            before, (total, visits, sums, best) = best, draw_family(edition, number, c, best)
            root.num_visits = total
            for child, n, q in zip(children, visits, sums, strict=True):
                child.num_visits, child.q = n, q
            chosen = student.best_child(root, c)
            if chosen != children[best]:
                scores = bounds(visits, sums, total, c)
                second = max((child for child in range(number) if child != best), key=scores.__getitem__)
                if before not in (-1, second) and chosen == children[before]:
                    ask("other numbers, the same child: do you keep a best child, or a bound, from an earlier call?")
                elif before != second and chosen == children[second]:
                    ask("two bounds are close together: do you round them before you compare?")
                else:
                    ask("is the child chosen anew at every call, by all children's bounds, without rounding?")
            assert chosen == children[best]
        ask("does the choice of a child change a number of the tree?")
        assert student.each(children, "num_visits") == visits and student.each(children, "q") == near(sums)
    game, state, actions = one_ply(edition, [0.0] * 5)
    some = edition.sample(actions, 3)
    root = plant(student, game, state, Spot(6, 0.0, {action: Spot(2) for action in some}))
    order, children = list(student.children(root)), list(student.children(root).values())
    for best in (children[0], children[-1]):  # in the order in which the submission has them
        for child in children:
            child.q = 1.0 + 1e-6 * (child == best)  # floats of 32 bits tell these apart, too
        chosen = student.best_child(root, 0.0)
        ask("two bounds are close together: do you round them before you compare?")
        assert chosen == best
    children[-1].q = 3.0
    ask("do you look at the children that a node has, also where legal actions have none?")
    assert student.best_child(root, 0.3) == children[-1]
    ask("a tree that is only read keeps the order of its children: do you sort them in the node itself?")
    assert list(student.children(root)) == order


def legal_of(student: Any, nodes: list[Any]) -> list[Any] | None:
    """The nodes' legal actions, which a student's own node class may keep in another field."""
    try:
        return student.each(nodes, "legal")
    except StudentError:
        return None


@pytest.mark.exercise("3.3")
@pytest.mark.hint("which numbers can actions have, and does each legal action get its own child?")
def test_any_game_is_expanded(student, edition):
    """in random games, with one action or a dozen, each call adds the child of a legal action, until all children are there

    Promised: Exactly one child is added;
    Promised: ValueError: the game is over at `node`, or every legal action has its child already.
    """
    twice = {0: (0, {2: "x", 5: "x", 11: "y", 12: "x"}, None), "x": (1, {}, 0.0), "y": (1, {}, 1.0)}  # three ways to one state
    cases = [*going_on(edition, 4), *going_on(edition, 3, "wide"), (TableGame(twice, 0, 20, {}, IllegalMove), 0)]
    for game, state in cases:
        actions, (node,) = game.legal_actions(state), student.many("Node", [(game, state)])
        legal = legal_of(student, [node])
        added = student.many("expand", [(game, node, student.rng(edition.getrandbits(30)))] * len(actions))
        assert sorted(student.each(added, "action")) == actions
        assert student.children(node) == dict(zip(student.each(added, "action"), added, strict=True))
        assert student.each(added, "state") == [game.play(state, action) for action in student.each(added, "action")]
        ask("which function counts visits and rewards: does expand change a number of the node?")
        assert student.both([node, *added], "num_visits", "q") == [(0, 0.0)] * (len(added) + 1)
        ask("does expand change the node's list of legal actions?")
        assert legal is None or legal_of(student, [node]) in (legal, None)
        ask("no action is left to try: what does the docstring say about this case?")
        with student.raises(ValueError):
            student.expand(game, node, student.rng(1))
        ask("which numbers can actions have, and does each legal action get its own child?")
    game = draw_game(edition)
    over = [state for state in states_of(game) if game.outcome(state) is not None]
    with student.raises(ValueError):
        student.expand(game, student.Node(game, edition.choice(over)), student.rng(1))


@pytest.mark.exercise("3.3")
@pytest.mark.hint("is every untried action equally likely?")
def test_many_actions_are_drawn_equally_often(student, edition):
    """of many untried actions each has the same chance: at the first call, among those that remain, and where there are dozens

    Promised: rng: draws the action, each untried action with the same probability.
    """
    game, state, actions = one_ply(edition, [0.0] * edition.choice([8, 9]))
    columns, rng = student.many("Node", [(GAME, GAME.start())] * 1200), student.rng(edition.getrandbits(30))
    first = student.each(student.many("expand", [(GAME, node, rng) for node in columns]), "action")
    ask("is every column equally likely while all are open, the middle too?")
    assert not uneven([first.count(column) for column in range(7)]), (
        f"equally likely columns, chosen {[first.count(column) for column in range(7)]} times"
    )
    shared, begin, many, wins = one_state_for_half(edition)
    nodes, rng = student.many("Node", [(shared, begin)] * 600), student.rng(edition.getrandbits(30))
    first = student.each(student.many("expand", [(shared, node, rng) for node in nodes]), "action")
    won = sum(action in wins for action in first)
    ask("an untried action wins at once: is it more likely than others?" if won == 600 else
        "dozens of actions are untried, and some lead to one state: do you draw an action, each with the same chance?")
    # The first 33 of 66: 300 of 600 with a deviation of 12.2. The remainder of a number below a hundred gives 402, +- 11.5.
    assert abs(sum(action in many[:33] for action in first) - 300) < 73
    assert abs(won - 100) < 55  # a deviation of 9.1
    nodes, rng = student.many("Node", [(game, state)] * 250), student.rng(edition.getrandbits(30))
    first = student.each(student.many("expand", [(game, node, rng) for node in nodes]), "action")
    ask("with any number of untried actions: can each of them be drawn, also the first and the last?")
    assert set(first) == set(actions)
    ask("is every untried action equally likely?")
    assert not uneven([first.count(action) for action in actions]), (
        f"equally likely first actions, chosen {[first.count(action) for action in actions]} times"
    )
    game, state, actions = one_ply(edition, [0.0] * 100, numbers=range(130))
    nodes = student.many("Node", [(game, state)] * 9)
    ask("one of very many actions is untried: do you find it for certain?")  # of 100 draws none is the last of 100: 37 %
    assert len(student.many("expand", [(game, node, rng) for _ in actions for node in nodes])) == 100 * 9
    game, state, actions = one_ply(edition, [0.0] * 8)
    nodes = student.many("Node", [(game, state)] * 160)
    tried = [student.each(student.many("expand", [(game, node, rng) for node in nodes]), "action") for _ in range(8)]
    assert [order for order in zip(*tried, strict=True) if sorted(order) != actions] == []
    lower = [early < late for early, late in zip(*tried[-2:], strict=True)]  # two are left: the lower one and the higher one
    assert not uneven([lower.count(True), lower.count(False)]), (
        f"equally likely orders, seen {[lower.count(True), lower.count(False)]} times"
    )


@pytest.mark.exercise("3.4")
@pytest.mark.hint("which child is the best at each level, and where does the way end?")
def test_the_way_down_in_drawn_trees(student, edition):
    """in random trees of any shape the way follows the best children to its end, and nothing on the way changes

    Promised: Descend from `node` along the best children to a new node, or to a node where the game is over.
    """
    for shape, depth in [("bushy", 2), ("bushy", 3), ("forced", 3), ("wide", 1), ("line", 20)]:
        game, spot, c, path = draw_tree(edition, shape, depth, telling=depth == 3)
        root = plant(student, game, game.start(), spot)
        places = paths_of(spot)
        nodes = [at(student, root, *place) for place, _ in places] if shape != "line" else [root]
        end, state = at(student, root, *path), game.start()
        for action in path:
            state = game.play(state, action)
        new = student.tree_policy(game, root, c, student.rng(edition.getrandbits(30)))
        faded = way_down(spot, c, 0.5)
        less = at(student, root, *(faded or path))
        ask("does your way down end after a fixed number of plies?" if shape == "line" else
            "is the exploration constant the same at every ply?" if faded != path and less in (new, new.parent) else
            "which child is the best at each level, with which c, and where does the way end?")  # fmt: skip
        if game.outcome(state) is not None:
            assert new == end and student.children(end) == {}
        else:
            assert new.parent == end and new.action in game.legal_actions(state)
            assert student.children(end) == {new.action: new} and new.state == game.play(state, new.action)
        ask("which function counts visits: tree_policy, or backup?")
        assert student.each(nodes, "num_visits") == [planted.visits for _, planted in places][: len(nodes)]
        assert student.each(nodes, "q") == [planted.total for _, planted in places][: len(nodes)]


@pytest.mark.exercise("3.4")
@pytest.mark.hint("when is every action of a node tried: how many actions can there be?")
def test_the_last_of_many_actions_is_tried(student, edition):
    """at a node with a dozen actions each action is tried before the way goes on below

    Promised: Returns the new child, added below the first node on the path with an untried action.
    """
    game, state, actions = one_ply(edition, [0.0] * edition.randint(8, 12), edition.randrange(2))
    node, rng = student.Node(game, state), student.rng(edition.getrandbits(30))
    added = student.many("tree_policy", [(game, node, 1.0, rng)] * len(actions))
    assert sorted(student.each(added, "action")) == actions
    assert student.children(node) == dict(zip(student.each(added, "action"), added, strict=True))


@pytest.mark.exercise("3.4")
@pytest.mark.hint("must the way down end after a fixed number of plies?")
def test_a_long_way_down(student, edition):
    """in a tree of dozens of plies the way goes on to its end, also when the game is over there

    Promised: Descend from `node` along the best children to a new node, or to a node where the game is over.
    """
    long = edition.randint(204, 220)
    for plies in (edition.randint(30, 45), long):
        game = LONG if plies == long else line(plies, edition.choice([-0.5, 0.25, 0.75]))
        nodes = chain(student, game, plies)
        for depth, node in enumerate(nodes):
            node.num_visits = plies + 1 - depth
        end = student.tree_policy(game, nodes[0], 1.0, student.rng(1))
        assert (end.parent if game is LONG else end) == nodes[-1]
        assert student.each(nodes, "num_visits") == [*range(plies + 1, 0, -1)]


@pytest.mark.exercise("3.5")
@pytest.mark.hint("what do you add to q: the unchanged reward, at every call?")
def test_any_rewards_add_up_on_a_long_way(student, edition):
    """rewards of any size reach the root of a tree of many plies, once for each call, from the same leaf or another leaf

    Promised: Add the rewards of one simulation to every node from `node` up to the root.
    """
    plies = edition.randint(204, 220)
    nodes = chain(student, LONG, plies)
    sums, visits = [0.0] * len(nodes), [0] * len(nodes)
    leaf, calls = edition.randint(90, plies), []
    for depth in (plies, leaf, leaf, edition.randint(0, plies)):
        rewards = (edition.uniform(-3, 3), edition.uniform(-3, 3))
        rewards = rewards[:1] * 2 if depth == plies else rewards  # equal rewards need not be 0
        calls += [(nodes[depth], rewards)] * (2 if depth == leaf else 1)
        for above in range(depth + 1):
            visits[above] += 2 if depth == leaf else 1
            sums[above] += rewards[(above + 1) % 2] * (2 if depth == leaf else 1)
    student.many("backup", calls)
    got = student.each(nodes, "num_visits")
    if got != visits:
        starts = [nodes.index(node) for node, _ in dict.fromkeys(calls)]
        once = [sum(start >= depth for start in starts) for depth in range(len(nodes))]
        recognise(got, {"The same result of the same leaf comes again: does it count as another simulation?": once})
    ask("does your way up end before the root, after a fixed number of plies?")
    assert got == visits
    ask("what do you add to q: the unchanged reward, at every call?")
    assert student.each(nodes, "q") == near(sums)
