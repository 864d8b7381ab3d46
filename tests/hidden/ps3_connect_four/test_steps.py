"""3.2 to 3.5: the bound, the best child, the new child, the way down and the way up."""

import math
from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.recognise import recognise
from tests.hidden.ps3_connect_four.oracle import GAME, bounds, finished, line, random_game, telling_cases
from tests.hidden.ps3_connect_four.trees import Spot, at, chain, plant

TOY = ToyGame({"s0": ["a", "b", "c"], "a": ["d", "e"], "b": ["f"], "c": ["g", "h"]}, {})
DEEP = ToyGame({"s0": ["a", "b"], "a": ["c", "d"], "b": ["e", "f"], "c": ["g"], "e": ["h", "i"], "g": ["j"]}, {"h": 1.0})
LINE = line(30, -1.0)
CLIMB = "the child's visits stand under the logarithm: whose belong there?"


def siblings(edition: Random) -> tuple[list[int], list[float], int, float]:
    """Drawn visits and sums of three children, their parent's visits, and an exploration constant."""
    visits = [edition.randint(1, 7) for _ in range(3)]
    sums = [round(n * edition.uniform(-1, 1), 2) for n in visits]
    return visits, sums, sum(visits) + edition.randint(0, 4), edition.choice([0.0, 0.3, 0.5, 0.7, 1.0, 1.8])


def right_bounds(visits: list[int], sums: list[float], total: int, c: float) -> list[float]:
    return bounds(visits, sums, total, c)


def family(student: Any, visits: list[int], sums: list[float], total: int) -> Any:
    """A root with three children with these statistics."""
    below = {action: Spot(n, q) for action, (n, q) in enumerate(zip(visits, sums, strict=True))}
    return plant(student, TOY, "s0", Spot(total, -sum(sums), below))


def bound_at(student: Any, node: Any, parent: Any, statistics: tuple[int, int, float], c: float) -> float:
    """The submission's bound for a node with n visits and sum q under a parent with N visits."""
    parent.num_visits, node.num_visits, node.q = statistics
    return student.bound(node, c)


def unfinished(edition: Random, plies: int) -> Any:
    """A Connect Four position after so many random moves, in which the game goes on."""
    while True:
        states = random_game(edition)
        if len(states) > plies + 1:
            return states[plies]


@pytest.mark.exercise("3.2")
@pytest.mark.hint("q belongs to the player who chooses: is there anything to negate?")
def test_without_exploration_the_bound_is_the_mean(student, edition):
    """with c = 0 the bound is q/n, for nodes of either player"""
    nodes = chain(student, LINE, 2)
    for parent, node in zip(nodes, nodes[1:], strict=False):
        for q in (-3.0, 3.0, 0.0, round(edition.uniform(-4, 4), 2)):
            n = edition.randint(4, 9)
            got = bound_at(student, node, parent, (n + 5, n, q), 0.0)
            if q:
                recognise(got, {"the mean has the wrong sign: whose rewards does q hold?": -q / n})
            assert got == pytest.approx(q / n, abs=1e-6)


@pytest.mark.exercise("3.2")
@pytest.mark.hint("which logarithm, of which number, and what stands under the root?")
def test_the_bound_is_mean_plus_bonus(student, edition):
    """the bound is q/n + c sqrt(2 ln N / n), for many q, n, N and c"""
    parent, node = chain(student, LINE, 1)
    for c in (0.5, 2.0, edition.uniform(1.2, 3.0)):
        n = edition.randint(2, 40)
        big = n + edition.randint(5, 200)
        q = edition.choice([-1, 1]) * round(edition.uniform(0.3, n), 2)

        def value(under: float, factor: float = c, mean: float = q / n) -> float:
            return mean + factor * math.sqrt(under / n)

        got = bound_at(student, node, parent, (big, n, q), c)
        recognise(got, {
            CLIMB: value(2 * math.log(n)),
            "the 2 under the root is missing: compare with the formula of this set": value(math.log(big)),
            "is ln the logarithm to base 10?": value(2 * math.log10(big)),
            "ln is a logarithm to which base?": value(2 * math.log2(big)),
            "is c the weight of the bonus, outside the root?": value(2 * c * math.log(big), 1.0),
            "the mean is a rate: what is the sum divided by?": value(2 * math.log(big), mean=q),
        })  # fmt: skip
        assert got == pytest.approx(value(2 * math.log(big)), abs=1e-6)
    #   q = 1, n = 4, N = 10, c = 1/sqrt 2:   0.25 + sqrt(2.302585 / 4) = 1.008714
    assert bound_at(student, node, parent, (10, 4, 1.0), 1 / math.sqrt(2)) == pytest.approx(1.008714, abs=1e-5)
    assert bound_at(student, node, parent, (1, 1, 1.0), 2.0) == pytest.approx(1.0, abs=1e-6)  # ln 1 = 0: no bonus
    #   always lost, q = -2, n = 2, N = 100, c = 1:   -1 + sqrt(4.605170) = 1.145966
    assert bound_at(student, node, parent, (100, 2, -2.0), 1.0) == pytest.approx(1.145966, abs=1e-5)


@pytest.mark.exercise("3.2")
@pytest.mark.hint("what is known about a node without a visit?")
def test_an_unvisited_node_has_an_infinite_bound(student, edition):
    """a node without a visit has an infinite bound, whatever c and however often its parent was visited"""
    parent, node = chain(student, LINE, 1)
    for big, c in [(0, 1.0), (1, 0.0), (edition.randint(2, 99), 0.0), (edition.randint(2, 99), 1.5)]:
        assert bound_at(student, node, parent, (big, 0, 0.0), c) == math.inf


@pytest.mark.exercise("3.2")
@pytest.mark.hint("N counts the visits of which node?")
def test_n_is_the_visits_of_the_parent(student, edition):
    """N is the number of visits of the parent: not of the root, of the siblings together or of the node"""
    n, big = edition.randint(2, 5), edition.randint(12, 30)
    below = {0: Spot(n, 1.0), 1: Spot(3, 1.0)}  # the siblings' visits do not sum to N
    root = plant(student, DEEP, "s0", Spot(edition.randint(50, 99), 0.0, {0: Spot(big, 0.0, below), 1: Spot(1, 0.0)}))
    got = student.bound(at(student, root, 0, 0), 1.0)
    recognise(got, {CLIMB: 1.0 / n + math.sqrt(2 * math.log(n) / n)})
    assert got == pytest.approx(1.0 / n + math.sqrt(2 * math.log(big) / n), abs=1e-6)
    root = plant(student, TOY, "s0", Spot(2, 0.0, {0: Spot(2, 1.0), 1: Spot(), 2: Spot()}))  # more children than visits
    assert student.bound(at(student, root, 0), 1.0) == pytest.approx(0.5 + math.sqrt(math.log(2)), abs=1e-6)


@pytest.mark.exercise("3.2")
@pytest.mark.hint("highest of what: actions, visits, sums, means or bounds?")
def test_the_highest_bound_is_chosen(student, edition):
    """the child with the highest bound is chosen, for several c, and nothing in the tree changes"""
    mistakes = [
        lambda visits, sums, total, c: [-b for b in bounds(visits, sums, total, c)],
        lambda visits, sums, total, c: bounds(visits, sums, total, 0.0),
        lambda visits, sums, total, c: bounds(visits, sums, total, 1 / math.sqrt(2)),
        lambda visits, sums, total, c: bounds(visits, [-q for q in sums], total, c),
        lambda visits, sums, total, c: [abs(b) for b in bounds(visits, sums, total, c)],
        lambda visits, sums, total, c: bounds(visits, sums, total, c * math.sqrt(2)),
        lambda visits, sums, total, c: bounds(visits, sums, total, c / math.sqrt(2)),
        lambda visits, sums, total, c: visits,
        lambda visits, sums, total, c: sums,
        lambda visits, sums, total, c: [0, 1, 2],
        lambda visits, sums, total, c: [2, 1, 0],
    ]
    cases = telling_cases(edition, siblings, right_bounds, mistakes)
    roots = [family(student, *case[:3]) for case, _ in cases]
    chosen = student.many("best_child", [(root, case[3]) for root, (case, _) in zip(roots, cases, strict=True)])
    assert chosen == [at(student, root, best) for root, (_, best) in zip(roots, cases, strict=True)]
    visits = student.each([at(student, roots[0], action) for action in range(3)], "num_visits")
    assert visits == cases[0][0][0]


@pytest.mark.exercise("3.2")
@pytest.mark.hint("what is the bound of a child without a visit, and what is larger than it?")
def test_a_child_without_a_visit_comes_first(student, edition):
    """a child without a visit comes before any other, whatever c"""
    new = edition.randrange(3)
    root = family(student, [0 if i == new else 50 for i in range(3)], [0.0 if i == new else 50.0 for i in range(3)], 100)
    assert student.many("best_child", [(root, 0.0), (root, 1.0)]) == [at(student, root, new)] * 2


@pytest.mark.exercise("3.2")
@pytest.mark.hint("with which bound does your comparison begin: may all of them be below it?")
def test_a_hopeless_family_still_has_a_best_child(student, edition):
    """among children that are all losing the least bad one is chosen; a single child always is"""
    order = edition.sample(range(3), 3)
    root = family(student, [4, 4, 4], [[-4.0, -3.0, -4.0][i] for i in order], 12)
    assert student.best_child(root, 0.0) == at(student, root, order.index(1))
    alone = plant(student, LINE, "s0", Spot(3, 3.0, {0: Spot(3, -3.0)}))
    assert student.best_child(alone, 0.0) == at(student, alone, 0)


@pytest.mark.exercise("3.2")
@pytest.mark.hint("what can be returned where there is nothing to choose from, and what does the docstring say of it?")
def test_a_node_without_children_has_no_best_child(student, edition):
    """a node without children is an error"""
    for state in ("s0", "d"):
        with student.raises(ValueError):
            student.best_child(student.Node(TOY, state), edition.choice([0.0, 1.0]))
    below = chain(student, LINE, 1)[1]
    with student.raises(ValueError):
        student.best_child(below, 1.0)


def grown(student: Any, game: Any, state: Any, number: int, edition: Random) -> tuple[Any, list[Any]]:
    """A node and so many children that the submission's `expand` has added."""
    node, rng = student.Node(game, state), student.rng(edition.getrandbits(30))
    return node, student.many("expand", [(game, node, rng)] * number)


@pytest.mark.exercise("3.3")
@pytest.mark.hint("which way does backup walk, and which way does tree_policy?")
def test_parent_and_child_know_each_other(student, edition):
    """the new child is returned, stands under its action, knows its parent, and has the state after its action"""
    for game, state in [(GAME, unfinished(edition, 6)), (GAME, unfinished(edition, 9)), (TOY, "s0")]:
        node, (child,) = grown(student, game, state, 1, edition)
        assert student.children(node) == {child.action: child}
        assert [node.parent, child.parent] == [None, node]
        assert child.action in game.legal_actions(state)
        assert child.state == game.play(state, child.action) and node.state == state


@pytest.mark.exercise("3.3")
@pytest.mark.hint("who counts visits and rewards, expand or backup?")
def test_the_new_child_begins_at_zero(student, edition):
    """the new child has no visits, no sum and no children, and the parent's numbers stay as they were"""
    node = student.Node(GAME, unfinished(edition, 5))
    node.num_visits, node.q = 7, -2.5
    child = student.expand(GAME, node, student.rng(edition.getrandbits(30)))
    assert (child.num_visits, child.q, student.children(child)) == (0, 0.0, {})
    assert (node.num_visits, node.q) == (7, -2.5)


@pytest.mark.exercise("3.3")
@pytest.mark.hint("how many children does one call add?")
def test_every_call_adds_exactly_one_child(student, edition):
    """each call adds one child, never one that was there, until every legal action has its child"""
    column = edition.randrange(7)
    for moves in ([column] * 6, [column]):
        state = GAME.start()
        for action in moves:
            state = GAME.play(state, action)
        node, rng, children = student.Node(GAME, state), student.rng(edition.getrandbits(30)), {}
        for number in range(1, len(GAME.legal_actions(state)) + 1):
            child = student.expand(GAME, node, rng)
            children[child.action] = child
            assert len(student.children(node)) == number
        assert sorted(children) == GAME.legal_actions(state)
        assert student.children(node) == children


@pytest.mark.exercise("3.3")
@pytest.mark.hint("what becomes of the children that are there already?")
def test_earlier_children_keep_what_they_have(student, edition):
    """the children that are there keep their place, their numbers and their own children"""
    node, (first,) = grown(student, TOY, "s0", 1, edition)
    below = student.expand(TOY, first, student.rng(1))
    first.num_visits, first.q = 5, 2.5
    rest = [student.expand(TOY, node, student.rng(edition.getrandbits(30))) for _ in range(2)]
    assert student.children(node) == {child.action: child for child in [first, *rest]}
    assert (first.num_visits, first.q) == (5, 2.5)
    assert student.children(first).get(below.action) == below


@pytest.mark.exercise("3.3")
@pytest.mark.hint("is every untried action as likely as any other?")
def test_untried_actions_are_drawn_equally_often(student, edition):
    """each untried action is drawn equally often, at the first call and at the second"""
    nodes, rng = student.many("Node", [(TOY, "s0")] * 600), student.rng(edition.getrandbits(30))
    calls = [(TOY, node, rng) for node in nodes]
    first, second = (student.each(student.many("expand", calls), "action") for _ in range(2))
    # 200 expected for each of three, deviation 11.5; 200 +- 72 is left once in 2e9 tries.
    assert all(128 <= actions.count(action) <= 272 for actions in (first, second) for action in range(3))
    # The second is the next one or the one after: 300 times each, deviation 12.2; 300 +- 75 is left once in 1e9 tries.
    assert 225 <= [(two - one) % 3 for one, two in zip(first, second, strict=True)].count(1) <= 375


@pytest.mark.exercise("3.3")
@pytest.mark.hint("where do your random numbers come from?")
def test_expansion_repeats_with_its_rng(student, edition):
    """the same rng adds the same children again, other rngs other ones, and no other generator is used"""
    seed = edition.getrandbits(30)

    def order(seed: int) -> list[int]:
        _, children = grown(student, GAME, GAME.start(), 7, Random(seed))
        return student.each(children, "action")

    before = student.disturb(edition.getrandbits(30))
    orders = [order(seed + number) for number in range(4)]
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert orders[0] == order(seed)
    assert not orders[0] == orders[1] == orders[2] == orders[3]  # equal by luck once in 1e11 tries


@pytest.mark.exercise("3.3")
@pytest.mark.hint("what should happen when there is nothing left to try?")
def test_nothing_to_expand_is_an_error(student, edition):
    """where the game is over, won or drawn, and where every action has its child, expand is an error"""
    for winner in (0, 1, None):
        with student.raises(ValueError):
            student.expand(GAME, student.Node(GAME, finished(edition, winner)), student.rng(1))
    node, _ = grown(student, TOY, "s0", 3, edition)
    with student.raises(ValueError):
        student.expand(TOY, node, student.rng(1))
    assert len(student.children(node)) == 3


@pytest.mark.exercise("3.4")
@pytest.mark.hint("what is returned: the node where something was untried, or its new child?")
def test_it_expands_where_something_is_untried(student, edition):
    """the first node with an untried action gets a new child, and the child is returned"""
    state = unfinished(edition, edition.choice([4, 5]))
    for known in (0, 1, len(GAME.legal_actions(state)) - 1):
        actions = edition.sample(GAME.legal_actions(state), known)
        root = plant(student, GAME, state, Spot(known, -1.0, {action: Spot(1, 1.0) for action in actions}))
        new = student.tree_policy(GAME, root, 1.0, student.rng(edition.getrandbits(30)))
        assert new.parent == root and new.num_visits == 0
        assert new.action not in actions and student.children(root).get(new.action) == new
        assert len(student.children(root)) == known + 1
    #   below a forced move, where nothing was visited yet: a has one child of two
    game = ToyGame({"s0": ["a"], "a": ["b", "c"], "b": ["d"], "c": ["e"]}, {})
    root, rng = plant(student, game, "s0", Spot(0, 0.0, {0: Spot(0, 0.0, {edition.randrange(2): Spot()})})), student.rng(1)
    assert student.tree_policy(game, root, 1.0, rng).parent == at(student, root, 0)
    root = plant(student, TOY, "s0", Spot(1, 0.0, {0: Spot(1, 0.0)}))  # something is untried above, too
    assert student.tree_policy(TOY, at(student, root, 0), 1.0, rng).parent == at(student, root, 0)


@pytest.mark.exercise("3.4")
@pytest.mark.hint("does it stop after one step?")
def test_it_descends_as_long_as_everything_was_tried(student, edition):
    """it goes down through every fully expanded node, as deep as they go, and grows the tree there"""
    plies = edition.randint(6, 10)
    for start in (0, plies // 2):  # from any node, not only a root
        nodes = chain(student, LINE, plies)
        for depth, node in enumerate(nodes):
            node.num_visits = plies + 1 - depth
        new = student.tree_policy(LINE, nodes[start], 1.0, student.rng(1))
        assert new.parent == nodes[-1] and new.state == f"s{plies + 1}"
        assert student.children(nodes[-1]) == {0: new}
        assert student.each([*nodes, new], "num_visits") == [*range(plies + 1, 0, -1), 0]


@pytest.mark.exercise("3.4")
@pytest.mark.hint("what can be tried below a finished game?")
def test_it_stops_where_the_game_is_over(student, edition):
    """a node where the game is over is returned as it is, at the root and below it, won or drawn"""
    for winner in (0, 1, None):
        over = student.Node(GAME, finished(edition, winner))
        assert student.tree_policy(GAME, over, 1.0, student.rng(1)) == over
    for value in (-1.0, 0.0):
        plies = edition.randint(2, 5)
        game = line(plies, value)
        nodes = chain(student, game, plies)
        for depth, node in enumerate(nodes):
            node.num_visits = plies + 1 - depth
        assert student.tree_policy(game, nodes[0], 1.0, student.rng(1)) == nodes[-1]
        assert student.children(nodes[-1]) == {}


@pytest.mark.exercise("3.4")
@pytest.mark.hint("who chooses at the second level, and whose rewards does q hold there?")
def test_each_player_chooses_by_his_own_rewards(student, edition):
    """at every level the child with the best q for the player who moves into it is followed"""
    #   s0 -> a (mean -.5), b (+.5);  b -> e (+.7), f (-.6): b is good for the root's player, e for b's;  e -> h, i: untried
    tree = Spot(20, 0.0, {
        0: Spot(10, -5.0, {0: Spot(5, 1.0), 1: Spot(4, -1.0)}),
        1: Spot(10, 5.0, {0: Spot(5, 3.5), 1: Spot(5, -3.0)}),
    })  # fmt: skip
    for c in (0.0, edition.uniform(0.02, 0.3)):
        root = plant(student, DEEP, "s0", tree)
        new = student.tree_policy(DEEP, root, c, student.rng(edition.getrandbits(30)))
        assert new.parent == at(student, root, 1, 0)


@pytest.mark.exercise("3.4")
@pytest.mark.hint("what happens to the exploration constant on the way down?")
def test_exploration_counts_at_every_level(student, edition):
    """with much exploration the way leads through the least visited child at every level, with none it does not"""
    #   s0 -> a (10), b (30);  a -> c (6), d (2, over): means all 0 but those of the well visited
    tree = Spot(40, 0.0, {
        0: Spot(10, 0.0, {0: Spot(6, 1.5), 1: Spot(2, 0.0)}),
        1: Spot(30, 12.0, {0: Spot(15, 0.0), 1: Spot(2, -0.2)}),
    })  # fmt: skip
    root, rng = plant(student, DEEP, "s0", tree), student.rng(edition.getrandbits(30))
    assert student.tree_policy(DEEP, root, edition.uniform(4.0, 9.0), rng) == at(student, root, 0, 1)
    assert student.tree_policy(DEEP, root, 0.0, rng).parent == at(student, root, 1, 0)


@pytest.mark.exercise("3.4")
@pytest.mark.hint("where do your random numbers come from?")
def test_growing_repeats_with_its_rng(student, edition):
    """the new child is drawn by rng among the untried: the same rng grows the same tree again, others other ones"""
    seed = edition.getrandbits(30)

    def order(seed: int) -> list[int]:
        node, rng = student.Node(GAME, GAME.start()), student.rng(seed)
        return student.each(student.many("tree_policy", [(GAME, node, 1.0, rng)] * 7), "action")

    orders = [order(seed + number) for number in range(4)]
    assert all(set(found) == set(range(7)) for found in orders)
    assert orders[0] == order(seed)
    assert not orders[0] == orders[1] == orders[2] == orders[3]  # equal by luck once in 1e11 tries


@pytest.mark.exercise("3.5")
@pytest.mark.hint("which player moved into each of the nodes?")
def test_every_node_takes_the_reward_of_the_player_who_moved_into_it(student, edition):
    """each node on the way gets the reward of the player who moved into it, from leaves at odd and at even depth"""
    #   root   child   leaf        player 0 has won:  -1, +1, -1
    for plies in (2, edition.choice([3, 5]), edition.choice([4, 6])):
        for rewards in ((1.0, -1.0), (-1.0, 1.0)):
            nodes = chain(student, LINE, plies)
            student.backup(nodes[-1], rewards)
            wanted = [rewards[(depth + 1) % 2] for depth in range(plies + 1)]
            got = student.each(nodes, "q")
            recognise(got, {
                "every node has the reward of the other player: who moved INTO it?": [-q for q in wanted],
                "all nodes have the same sign: does one reward belong to all of them?": [wanted[-1]] * (plies + 1),
            })  # fmt: skip
            assert got == wanted


@pytest.mark.exercise("3.5")
@pytest.mark.hint("does the way up depend on who is to move at the root?")
def test_the_root_may_belong_to_either_player(student, edition):
    """where the second player is to move at the root, its node takes the first player's reward"""
    game = ToyGame({"start": ["s0"], "s0": ["s1"], "s1": ["s2"], "s2": ["s3"]}, {}, start="start")
    r0 = edition.choice([-1.0, 1.0])
    root = plant(student, game, "s0", Spot(0, 0.0, {0: Spot(0, 0.0, {0: Spot()})}))
    nodes = [root, at(student, root, 0), at(student, root, 0, 0)]
    student.backup(nodes[-1], (r0, -r0))
    assert student.each(nodes, "q") == [r0, -r0, r0]
    board = unfinished(edition, 5)  # player 1 is to move: player 0 moved into it
    node = student.Node(GAME, board)
    student.backup(node, (r0, -r0))
    assert (node.num_visits, node.q) == (1, r0)


@pytest.mark.exercise("3.5")
@pytest.mark.hint("does the loop reach the root itself?")
def test_every_node_up_to_the_root_gets_one_visit(student, edition):
    """one visit more for every node from the leaf to the root, both included, draws too"""
    nodes = chain(student, LINE, edition.randint(11, 13))
    student.backup(nodes[-1], (0.0, 0.0))
    assert student.each(nodes, "num_visits") == [1] * len(nodes)
    assert student.each(nodes, "q") == [0.0] * len(nodes)


@pytest.mark.exercise("3.5")
@pytest.mark.hint(
    "which of the two rewards does each node add, and is it added as it is, also when it is small or the node is proven?"
)
def test_results_add_up(student, edition):
    """several results through one node add up, and the two rewards need not be opposites"""
    nodes = chain(student, LINE, 3)
    nodes[1].proven = edition.choice([-1.0, 1.0])  # which is no reason to count less
    visits, sums = [0, 0, 0, 0], [0.0, 0.0, 0.0, 0.0]
    for depth in (3, 2, 3, 1, 0):
        rewards = (edition.choice([-1.0, -0.5, 0.5, 1.0]), edition.choice([-0.25, 0.25, 0.75]))
        rewards = rewards if depth else (1 / 1024, -1 / 512)
        student.backup(nodes[depth], rewards)
        for above in range(depth + 1):
            visits[above] += 1
            sums[above] += rewards[(above + 1) % 2]
    assert student.each(nodes, "num_visits") == visits
    assert student.each(nodes, "q") == sums


@pytest.mark.exercise("3.5")
@pytest.mark.hint("which nodes did this simulation go through?")
def test_nodes_beside_the_path_stay_as_they_were(student, edition):
    """only the nodes on the way to the root change: no sibling, and nothing below the leaf"""
    tree = Spot(6, 1.0, {0: Spot(3, -2.0, {0: Spot(1, 1.0), 1: Spot(1, 1.0)}), 1: Spot(2, 1.0), 2: Spot()})
    root = plant(student, TOY, "s0", tree)
    student.backup(at(student, root, 0), edition.choice([(1.0, -1.0), (-1.0, 1.0)]))
    nodes = [at(student, root, *path) for path in [(), (0,), (1,), (2,), (0, 0), (0, 1)]]
    assert student.each(nodes, "num_visits") == [7, 4, 2, 0, 1, 1]
    assert student.each(nodes[2:], "q") == [1.0, 0.0, 1.0, 1.0]
