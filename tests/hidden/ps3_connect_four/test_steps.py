"""3.2 to 3.5: the bound, the best child, the new child, the way down and the way up."""

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.choices import chosen_by, telling_cases
from tests.hidden.ps3_connect_four.oracle import GAME, C, bounds, finished, line, random_game
from tests.hidden.ps3_connect_four.trees import Spot, at, chain, plant

TOY = ToyGame({"s0": ["a", "b", "c"], "a": ["d", "e"], "b": ["f"], "c": ["g", "h"]}, {})
DEEP = ToyGame({"s0": ["a", "b"], "a": ["c", "d"], "b": ["e", "f"], "c": ["g"], "e": ["h", "i"], "g": ["j"]}, {"h": 1.0})
LINE = line(30, -1.0)
CLIMB = "the child's visits are under the logarithm: which node's visits belong there?"
FROM_CHILDREN = "N is the number of the parent's visits: do you take it from the parent, or add up those of the children?"


def siblings(edition: Random) -> tuple[list[int], list[float], int, float]:
    """Random visits and sums of three children, their parent's visits, and an exploration constant."""
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
    """An unfinished Connect Four position after `plies` random moves."""
    while True:
        states = random_game(edition)
        if len(states) > plies + 1:
            return states[plies]


@pytest.mark.exercise("3.2")
@pytest.mark.hint("with c = 0, does anything remain except the mean, and for which player is this mean?")
def test_without_exploration_the_bound_is_the_mean(student, edition):
    """with c = 0 the bound is q/n, for nodes of either player

    Promised: 0 leaves the mean alone.
    """
    nodes = chain(student, LINE, 2)
    for parent, node in zip(nodes, nodes[1:], strict=False):
        for q in (-3.0, 3.0, 0.0, round(edition.uniform(-4, 4), 2)):
            n = edition.randint(4, 9)
            got = bound_at(student, node, parent, (n + 5, n, q), 0.0)
            if not q:
                recognise(got, {"When is a bound infinite: without a visit, or when the rewards sum to 0?": math.inf})
            elif got != pytest.approx(q / n, abs=1e-6):
                recognise(got, {
                    "the mean has the wrong sign: whose rewards does q hold?": -q / n,
                    "the mean is a sum divided by a number: by which number?": q,
                    "Is n the number of the node's visits, or one more?": q / (n + 1),
                    "Do you round the mean, or divide with //?": q // n,
                    "With c = 0 there is still a bonus: do you use the given c?": q / n + C * bonus(n + 5, n),
                    "With c = 0 there is still a bonus: what does c multiply?": q / n + bonus(n + 5, n),
                })  # fmt: skip
            assert got == pytest.approx(q / n, abs=1e-6)


def bonus(total: float, n: int) -> float:
    """sqrt(2 ln N / n), the bonus without its factor c."""
    return math.sqrt(2 * math.log(total) / n)


@pytest.mark.exercise("3.2")
@pytest.mark.hint("which logarithm, of which number, and what is under the root?")
def test_the_bound_is_mean_plus_bonus(student, edition):
    """the bound is q/n + c sqrt(2 ln N / n), for many q, n, N and c

    Promised: Return q/n + c sqrt(2 ln N / n) for `node`, N the visits of its parent;
    """
    parent = family(student, [0, 2, 3], [0.0, 1.0, -1.0], 9)
    node, cases = at(student, parent, 0), []
    for c in (0.5, 2.0, edition.uniform(1.2, 3.0)):
        n = edition.randint(2, 40)
        cases.append((n + edition.randint(10, 200), n, edition.choice([-1, 1]) * round(edition.uniform(0.3, n), 2), c))
    got = [bound_at(student, node, parent, (big, n, q), c) for big, n, q, c in cases]
    wanted = [q / n + c * bonus(big, n) for big, n, q, c in cases]
    if got != pytest.approx(wanted, abs=1e-6):
        if got == pytest.approx(wanted, abs=6e-3):
            ask("the bound is nearly right: do you round it, or a part of it?")
        mistakes = {
            CLIMB: lambda big, n, q, c: q / n + c * bonus(n, n),
            FROM_CHILDREN: lambda big, n, q, c: q / n + c * bonus(n + 5, n),
            "Is N the number of the parent's visits, or one more?": lambda big, n, q, c: q / n + c * bonus(big + 1, n),
            "Is n the number of the node's visits, or one more?": lambda big, n, q, c: q / (n + 1) + c * bonus(big, n + 1),
            "the 2 under the root is missing: compare with the formula of this set":
                lambda big, n, q, c: q / n + c * math.sqrt(math.log(big) / n),
            "Where is the 2: under the root, or before the root?":
                lambda big, n, q, c: q / n + 2 * c * math.sqrt(math.log(big) / n),
            "Is ln the logarithm to base 10?": lambda big, n, q, c: q / n + c * math.sqrt(2 * math.log10(big) / n),
            "ln is a logarithm: to which base?": lambda big, n, q, c: q / n + c * math.sqrt(2 * math.log2(big) / n),
            "Does c multiply the bonus, outside the root?": lambda big, n, q, c: q / n + math.sqrt(c) * bonus(big, n),
            "Which c multiplies the bonus: the given one?": lambda big, n, q, c: q / n + C * bonus(big, n),
            "Where is c in your formula?": lambda big, n, q, c: q / n + bonus(big, n),
            "the mean is a sum divided by a number: by which number?": lambda big, n, q, c: q + c * bonus(big, n),
            "What is under the root: only the logarithm, or the whole fraction?":
                lambda big, n, q, c: q / n + c * math.sqrt(2 * math.log(big)) / n,
            "Where is the logarithm?": lambda big, n, q, c: q / n + c * math.sqrt(2 * big / n),
            "Where is the root?": lambda big, n, q, c: q / n + c * 2 * math.log(big) / n,
            "Is the bonus added or subtracted?": lambda big, n, q, c: q / n - c * bonus(big, n),
        }  # fmt: skip
        recognise(got, {hint: [mistake(*case) for case in cases] for hint, mistake in mistakes.items()})
    assert got == pytest.approx(wanted, abs=1e-6)
    parent, node = chain(student, LINE, 1)
    #   q = 1, n = 4, N = 10, c = 1/sqrt 2:   0.25 + sqrt(2.302585 / 4) = 1.008714
    assert bound_at(student, node, parent, (10, 4, 1.0), 1 / math.sqrt(2)) == pytest.approx(1.008714, abs=1e-5)
    ask("the parent has a single visit: what is the logarithm of N, and how large is the bonus then?")
    assert bound_at(student, node, parent, (1, 1, 1.0), 2.0) == pytest.approx(1.0, abs=1e-6)  # ln 1 = 0: no bonus
    ask("do you ever cut off or round a bound, or its bonus?")
    #   always lost, q = -2, n = 2, N = 100, c = 1:   -1 + sqrt(4.605170) = 1.145966
    assert bound_at(student, node, parent, (100, 2, -2.0), 1.0) == pytest.approx(1.145966, abs=1e-5)


@pytest.mark.exercise("3.2")
@pytest.mark.hint("what do you know about a node without a visit, and does c matter here?")
def test_an_unvisited_node_has_an_infinite_bound(student, edition):
    """a node without a visit has an infinite bound, for any c and any number of visits of its parent

    Promised: Return q/n + c sqrt(2 ln N / n) for `node`, N the visits of its parent; math.inf when n is 0.
    """
    parent, node = chain(student, LINE, 1)
    for big, c in [(0, 1.0), (1, 0.0), (edition.randint(2, 99), 0.0), (edition.randint(2, 99), 1.5)]:
        assert bound_at(student, node, parent, (big, 0, 0.0), c) == math.inf


@pytest.mark.exercise("3.2")
@pytest.mark.hint("which node's visits are N?")
def test_n_is_the_visits_of_the_parent(student, edition):
    """N is the number of visits of the parent: not of the root, not of all siblings together, not of the node

    Promised: Return q/n + c sqrt(2 ln N / n) for `node`, N the visits of its parent;
    """
    n, big, top = edition.randint(2, 5), edition.randint(12, 30), edition.randint(50, 99)
    below = {0: Spot(n, 1.0), 1: Spot(3, 1.0)}  # the visits of the siblings do not sum to N
    root = plant(student, DEEP, "s0", Spot(top, 0.0, {0: Spot(big, 0.0, below), 1: Spot(1, 0.0)}))
    got = student.bound(at(student, root, 0, 0), 1.0)
    if got != pytest.approx(1.0 / n + bonus(big, n), abs=1e-6):
        recognise(got, {
            CLIMB: 1.0 / n + bonus(n, n),
            FROM_CHILDREN: 1.0 / n + bonus(n + 3, n),
            "Is N the number of the parent's visits, or of the root's?": 1.0 / n + bonus(top, n),
        })  # fmt: skip
    assert got == pytest.approx(1.0 / n + bonus(big, n), abs=1e-6)
    ask("is N exactly the parent's visits, even when the parent has fewer visits than children?")
    root = plant(student, TOY, "s0", Spot(2, 0.0, {0: Spot(2, 1.0), 1: Spot(), 2: Spot()}))  # more children than visits
    assert student.bound(at(student, root, 0), 1.0) == pytest.approx(0.5 + math.sqrt(math.log(2)), abs=1e-6)


@pytest.mark.exercise("3.2")
@pytest.mark.hint("which number of a child must be highest: action, visits, sum, mean or bound?")
def test_the_highest_bound_is_chosen(student, edition):
    """the child with the highest bound is chosen, for several c, and nothing in the tree changes

    Promised: Return the child of `node` with the highest `bound`;
    Promised: The tree is only read.
    """
    mistakes = {
        "Do you choose the lowest bound?": lambda visits, sums, total, c: [-b for b in bounds(visits, sums, total, c)],
        "Do you pass c on, or are these bounds without a bonus?": lambda visits, sums, total, c: bounds(visits, sums, total, 0.0),
        "Which c do you pass on: the given one?": lambda visits, sums, total, c: bounds(visits, sums, total, C),
        "Do you negate the mean: whose rewards does q hold?":
            lambda visits, sums, total, c: bounds(visits, [-q for q in sums], total, c),
        "A bound can be negative: do you compare bounds with their signs?":
            lambda visits, sums, total, c: [abs(b) for b in bounds(visits, sums, total, c)],
        "Do you pass c on unchanged, or larger?": lambda visits, sums, total, c: bounds(visits, sums, total, c * math.sqrt(2)),
        "Do you pass c on unchanged, or smaller?": lambda visits, sums, total, c: bounds(visits, sums, total, c / math.sqrt(2)),
        "Which number must be highest: the visits, or the bound?": lambda visits, sums, total, c: visits,
        "Which number must be highest: the sum, or the bound?": lambda visits, sums, total, c: sums,
        "Which number must be highest: the action, or the bound?": lambda visits, sums, total, c: [0, 1, 2],
        "Do you always choose the first child?": lambda visits, sums, total, c: [2, 1, 0],
    }  # fmt: skip
    cases = telling_cases(edition, siblings, right_bounds, mistakes)
    roots = [family(student, *case[:3]) for case, _ in cases]
    chosen = student.many("best_child", [(root, case[3]) for root, (case, _) in zip(roots, cases, strict=True)])
    wanted = [at(student, root, best) for root, (_, best) in zip(roots, cases, strict=True)]
    if chosen != wanted:
        recognise(student.each(chosen, "action"), chosen_by(mistakes, cases))
    assert chosen == wanted
    ask("which function counts visits: does best_child change any number?")
    visits = student.each([at(student, roots[0], action) for action in range(3)], "num_visits")
    assert visits == cases[0][0][0]
    ask("children are proven: does this change a bound?")
    (*_, c), best = cases[-1]
    for action in (best, (best + 1) % 3, (best + 2) % 3):
        at(student, roots[-1], action).proven = 1.0 if action == best else -1.0
        assert student.best_child(roots[-1], c) == wanted[-1]


@pytest.mark.exercise("3.2")
@pytest.mark.hint("what is the bound of a child without a visit, and what is larger than this bound?")
def test_a_child_without_a_visit_comes_first(student, edition):
    """a child without a visit comes before any other, for any c

    Promised: math.inf when n is 0.
    """
    new = edition.randrange(3)
    root = family(student, [0 if i == new else 50 for i in range(3)], [0.0 if i == new else 50.0 for i in range(3)], 100)
    assert student.many("best_child", [(root, 0.0), (root, 1.0)]) == [at(student, root, new)] * 2
    ask("neither the node nor its children have a visit: do you need the logarithm of N?")
    root = family(student, [0, 0, 0], [0.0, 0.0, 0.0], 0)
    children = [at(student, root, action) for action in range(3)]
    assert student.best_child(root, 1.0) in children
    ask("a tree that is only read keeps its numbers: does a guard against ln 0 or a division by 0 change a node?")
    assert student.both([root, *children], "num_visits", "q") == [(0, 0.0)] * 4


@pytest.mark.exercise("3.2")
@pytest.mark.hint("with which bound does your comparison begin: can all bounds be below it?")
def test_a_hopeless_family_still_has_a_best_child(student, edition):
    """among children that all lose, the least bad child is chosen; a single child is always chosen

    Promised: Return the child of `node` with the highest `bound`;
    """
    for best in range(3):
        root = family(student, [4, 4, 4], [-3.0 if place == best else -4.0 for place in range(3)], 12)
        assert student.best_child(root, 0.0) == at(student, root, best)
    alone = plant(student, LINE, "s0", Spot(3, 3.0, {0: Spot(3, -3.0)}))
    assert student.best_child(alone, 0.0) == at(student, alone, 0)


@pytest.mark.exercise("3.2")
@pytest.mark.hint("a node has no children: what does the docstring say about this case?")
def test_a_node_without_children_has_no_best_child(student, edition):
    """a node without children is an error

    Promised: ValueError: the node has no children.
    """
    for state in ("s0", "d"):
        with student.raises(ValueError):
            student.best_child(student.Node(TOY, state), edition.choice([0.0, 1.0]))
    below = chain(student, LINE, 1)[1]
    with student.raises(ValueError):
        student.best_child(below, 1.0)


def grown(student: Any, game: Any, state: Any, number: int, edition: Random) -> tuple[Any, list[Any]]:
    """A node, with the children that `number` calls of the submission's `expand` have added."""
    node, rng = student.Node(game, state), student.rng(edition.getrandbits(30))
    return node, student.many("expand", [(game, node, rng)] * number)


@pytest.mark.exercise("3.3")
@pytest.mark.hint("what must a new child know, and which node must know the child?")
def test_parent_and_child_know_each_other(student, edition):
    """the new child is returned, is stored under its action, knows its parent, and has the state after its action

    Promised: The child has its state, its parent and its action, and is stored in `node.children[action]`.
    """
    for game, state in [(GAME, unfinished(edition, 6)), (GAME, unfinished(edition, 9)), (TOY, "s0")]:
        node, (child,) = grown(student, game, state, 1, edition)
        known = student.children(node)
        ask("how many children does one call add?")
        assert len(known) <= 1
        ask("do you put the new child into its parent's children, so that the way down can find it?")
        assert list(known.values()) == [child]
        ask("does the child know the action that led to it, and is it stored under this action?")
        assert known == {child.action: child}
        ask("does the child know its parent: how does backup find the way up?")
        assert [node.parent, child.parent] == [None, node]
        ask("is the drawn action legal?")
        assert child.action in game.legal_actions(state)
        ask("which state does the child have: the state of its parent, or the state after its action?")
        assert child.state == game.play(state, child.action) and node.state == state


@pytest.mark.exercise("3.3")
@pytest.mark.hint("which function counts visits and rewards: expand or backup?")
def test_the_new_child_begins_at_zero(student, edition):
    """the new child has no visits, no sum and no children, and the parent's numbers do not change

    Promised: Exactly one child is added; nothing else changes.
    Promised: Add one new child to `node`, for an action that has none yet, and return the child.
    """
    node = student.Node(GAME, unfinished(edition, 5))
    node.num_visits, node.q, node.proven = 7, -2.5, edition.choice([-1.0, 1.0])  # proven nodes get children, too
    child = student.expand(GAME, node, student.rng(edition.getrandbits(30)))
    assert (child.num_visits, child.q, student.children(child)) == (0, 0.0, {})
    assert (node.num_visits, node.q) == (7, -2.5)
    won = ToyGame({"s0": ["w"]}, {"w": -1.0})
    node = student.Node(won, "s0")
    student.expand(won, node, student.rng(edition.getrandbits(30)))
    ask("the new child ends the game: which function writes what is proven, expand or prove?")
    assert node.proven is None


@pytest.mark.exercise("3.3")
@pytest.mark.hint("how many children does one call add?")
def test_every_call_adds_exactly_one_child(student, edition):
    """each call adds one new child, until every legal action has its child

    Promised: Exactly one child is added;
    """
    column = edition.randrange(7)
    for moves in ([column] * 6, [column]):
        state = GAME.start()
        for action in moves:
            state = GAME.play(state, action)
        node, rng, children = student.Node(GAME, state), student.rng(edition.getrandbits(30)), {}
        for number in range(1, len(GAME.legal_actions(state)) + 1):
            child = student.expand(GAME, node, rng)
            ask("can your function draw an action that already has its child?")
            assert child.action not in children
            children[child.action] = child
            ask("how many children does one call add?")
            assert len(student.children(node)) == number
        ask("does every legal action get its child in the end?")
        assert sorted(children) == GAME.legal_actions(state)
        ask("are the earlier children still the same nodes, with the same nodes below them?")
        assert student.children(node) == children


@pytest.mark.exercise("3.3")
@pytest.mark.hint("what happens to the children that are already there?")
def test_earlier_children_keep_what_they_have(student, edition):
    """earlier children keep their place, their numbers and their own children

    Promised: nothing else changes.
    """
    node, (first,) = grown(student, TOY, "s0", 1, edition)
    below = student.expand(TOY, first, student.rng(1))
    first.num_visits, first.q = 5, 2.5
    rest = [student.expand(TOY, node, student.rng(edition.getrandbits(30))) for _ in range(2)]
    assert student.children(node) == {child.action: child for child in [first, *rest]}
    assert (first.num_visits, first.q) == (5, 2.5)
    assert student.children(first).get(below.action) == below


@pytest.mark.exercise("3.3")
@pytest.mark.hint("is every untried action equally likely: the first, the last, and those in the middle?")
def test_untried_actions_are_drawn_equally_often(student, edition):
    """each untried action is drawn equally often, at the first call and at the second

    Promised: rng: draws the action, each untried action with the same probability.
    """
    nodes, rng = student.many("Node", [(TOY, "s0")] * 600), student.rng(edition.getrandbits(30))
    calls = [(TOY, node, rng) for node in nodes]
    first, second = (student.each(student.many("expand", calls), "action") for _ in range(2))
    counts, later = ([actions.count(action) for action in range(3)] for actions in (first, second))
    recognise(counts, {
        "Is it always the first untried action, or does rng draw an action?": [600, 0, 0],
        "Is it always the last untried action, or does rng draw an action?": [0, 0, 600],
    })  # fmt: skip
    # 200 expected for each of three, deviation 11.5; 200 +- 72 is left once in 2e9 tries.
    assert [count for count in counts if not 128 <= count <= 272] == []
    ask("some actions have their child: do you draw among the untried ones only, each equally likely?")
    assert [count for count in later if not 128 <= count <= 272] == []
    # Two are left: the lower one and the next one in turn come 300 times, deviation 12.2; 300 +- 75 is left once in 1e9 tries.
    lower = sum(next_action == min({0, 1, 2} - {action}) for action, next_action in zip(first, second, strict=True))
    following = [(next_action - action) % 3 for action, next_action in zip(first, second, strict=True)].count(1)
    assert [count for count in (lower, following) if not 225 <= count <= 375] == []


@pytest.mark.exercise("3.3")
@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_expansion_repeats_with_its_rng(student, edition):
    """the same rng adds the same children again, other rngs add others, and no other generator is used

    Promised: rng: draws the action, each untried action with the same probability.
    """
    seed = edition.getrandbits(30)

    def order(seed: int) -> list[int]:
        _, children = grown(student, GAME, GAME.start(), 7, Random(seed))
        return student.each(children, "action")

    before = student.disturb(edition.getrandbits(30))
    orders = [order(seed + number) for number in range(4)]
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert orders[0] == order(seed)
    assert not orders[0] == orders[1] == orders[2] == orders[3], (  # equal by chance once in 1e11 tries
        "different seeds must not all give the same order"
    )


@pytest.mark.exercise("3.3")
@pytest.mark.hint("no action is left to try: what does the docstring say about this call, and does it change the tree?")
def test_nothing_to_expand_is_an_error(student, edition):
    """when the game is over, won or drawn, and when every action has its child, expand is an error

    Promised: ValueError: the game is over at `node`, or every legal action has its child already.
    """
    for winner in (0, 1, None):
        with student.raises(ValueError):
            student.expand(GAME, student.Node(GAME, finished(edition, winner)), student.rng(1))
    node, _ = grown(student, TOY, "s0", 3, edition)
    with student.raises(ValueError):
        student.expand(TOY, node, student.rng(1))
    assert len(student.children(node)) == 3


@pytest.mark.exercise("3.4")
@pytest.mark.hint("what do you return: the node with an untried action, or its new child?")
def test_it_expands_where_something_is_untried(student, edition):
    """the first node with an untried action gets a new child, and the child is returned

    Promised: Returns the new child, added below the first node on the path with an untried action.
    """
    state = unfinished(edition, edition.choice([4, 5]))
    for known, c in ((0, 1.0), (1, 0.0), (1, 1.0), (len(GAME.legal_actions(state)) - 1, 1.0)):
        actions = edition.sample(GAME.legal_actions(state), known)
        root = plant(student, GAME, state, Spot(known, -1.0, {action: Spot(1, 1.0) for action in actions}))
        new = student.tree_policy(GAME, root, c, student.rng(edition.getrandbits(30)))
        ask("an action is untried: does the tree grow exactly here, by one child, whatever children there are?")
        assert len(student.children(root)) == known + 1
        ask("what do you return: the node with an untried action, or its new child?")
        assert new.parent == root
        ask("which function counts the visit of a new child: tree_policy, or backup?")
        assert new.num_visits == 0
        ask("do you return the new child?")
        assert new.action not in actions and student.children(root).get(new.action) == new
    #   below a forced move, with no visits yet: a has one child of two
    game = ToyGame({"s0": ["a"], "a": ["b", "c"], "b": ["d"], "c": ["e"]}, {})
    root, rng = plant(student, game, "s0", Spot(0, 0.0, {0: Spot(0, 0.0, {edition.randrange(2): Spot()})})), student.rng(1)
    below = at(student, root, 0)
    there = list(student.children(below).values())
    new = student.tree_policy(game, root, 1.0, rng)
    ask("a node has no visit: do you return it, or go on to a node with an untried action?")
    assert new != below
    ask("a node has only one child: do you still test whether it has an untried action?")
    assert new.parent not in there
    ask("how many nodes does one call add: do you also make a forced move below the new child?")
    assert new.parent == below
    ask("where does the way down begin: at the given node, or always at the root?")
    root = plant(student, TOY, "s0", Spot(1, 0.0, {0: Spot(1, 0.0)}))  # a node above has an untried action, too
    assert student.tree_policy(TOY, at(student, root, 0), 1.0, rng).parent == at(student, root, 0)


@pytest.mark.exercise("3.4")
@pytest.mark.hint("everything was tried: how many steps down does your function go?")
def test_it_descends_as_long_as_everything_was_tried(student, edition):
    """the way goes down through every fully expanded node, however deep, and the tree grows there

    Promised: Descend from `node` along the best children to a new node, or to a node where the game is over.
    """
    plies = edition.randint(6, 10)
    for start in (0, plies // 2):  # from any node, not only from a root
        nodes = chain(student, LINE, plies)
        for depth, node in enumerate(nodes):
            node.num_visits = plies + 1 - depth
        new = student.tree_policy(LINE, nodes[start], 1.0, student.rng(1))
        ask("everything was tried: how many steps down does your function go?")
        assert new.parent == nodes[-1] and new.state == f"s{plies + 1}"
        assert student.children(nodes[-1]) == {0: new}
        ask("which function counts visits: tree_policy, or backup?")
        assert student.each([*nodes, new], "num_visits") == [*range(plies + 1, 0, -1), 0]


@pytest.mark.exercise("3.4")
@pytest.mark.hint("what can be tried below a finished game?")
def test_it_stops_where_the_game_is_over(student, edition):
    """a node where the game is over is returned unchanged, at the root and below it, won or drawn

    Promised: If the path reaches a node where the game is over first, returns that node, and the tree is not changed.
    """
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
    won = ToyGame({"s0": ["w", "b"], "b": ["c"]}, {"w": -1.0})
    root = plant(student, won, "s0", Spot(12, -8.0, {0: Spot(8, 8.0), 1: Spot(3, 0.0)}))
    new = student.tree_policy(won, root, 0.5, student.rng(1))
    recognise(new.state, {"The game is over at the child with the highest bound: do you ignore this child?": "c"})
    assert new == at(student, root, 0)


@pytest.mark.exercise("3.4")
@pytest.mark.hint("who chooses at the second level, and whose rewards does q hold there?")
def test_each_player_chooses_by_his_own_rewards(student, edition):
    """at every level the way goes to the child with the best q for the player who moves into it

    Promised: Descend from `node` along the best children to a new node, or to a node where the game is over.
    """
    #   s0 -> a (mean -.5), b (+.5);  b -> e (+.7), f (-.6): b is good for the root's player, e for b's;  e -> h, i: untried
    tree = Spot(20, 0.0, {
        0: Spot(10, -5.0, {0: Spot(5, 1.0), 1: Spot(4, -1.0)}),
        1: Spot(10, 5.0, {0: Spot(5, 3.5), 1: Spot(5, -3.0)}),
    })  # fmt: skip

    def end(c: float) -> str:
        """Where the way ends: at e, where the tree grows, at f, where the game is over, or below a."""
        new = student.tree_policy(DEEP, plant(student, DEEP, "s0", tree), c, student.rng(edition.getrandbits(30)))
        return {"h": "e", "i": "e", "g": "a", "d": "a"}.get(new.state, new.state)

    for c in (0.0, edition.uniform(0.02, 0.3)):
        reached = end(c)
        if reached != "e":
            drawn = len({reached, *(end(0.0) for _ in range(8))}) > 1
            recognise((reached, drawn), {
                "c is nearly 0: do you go to the best child, or draw the next node?": (reached, True),
                "Who chooses at the second level, and whose rewards does q hold there?": ("f", False),
                "Who chooses at the first level, and whose rewards does q hold in the children?": ("a", False),
            })  # fmt: skip
        assert reached == "e"


@pytest.mark.exercise("3.4")
@pytest.mark.hint("what happens to the exploration constant on the way down?")
def test_exploration_counts_at_every_level(student, edition):
    """with a large c the way goes to the least visited child at every level, with c = 0 it does not

    Promised: c: passed to `best_child`.
    """
    #   s0 -> a (10), b (30);  a -> c (6), d (2, over): all means are 0, except those of the well visited
    tree = Spot(40, 0.0, {
        0: Spot(10, 0.0, {0: Spot(6, 1.5), 1: Spot(2, 0.0)}),
        1: Spot(30, 12.0, {0: Spot(15, 0.0), 1: Spot(2, -0.2)}),
    })  # fmt: skip
    root, rng = plant(student, DEEP, "s0", tree), student.rng(edition.getrandbits(30))
    new, wanted = student.tree_policy(DEEP, root, edition.uniform(4.0, 9.0), rng), at(student, root, 0, 1)
    if new != wanted:
        recognise(new.state, {
            "Is the exploration below the root the same as at the root?": "g",
            "Which c do you pass on to best_child: the given one?": "f",
        })  # fmt: skip
    assert new == wanted
    ask("do you pass c = 0 on like any other exploration constant?")
    assert student.tree_policy(DEEP, root, 0.0, rng).parent == at(student, root, 1, 0)
    ask("the best child is proven: which function passes proven children over, tree_policy or solve?")
    for action, proven in ((1, 1.0), (0, -1.0)):
        root = plant(student, DEEP, "s0", tree)
        at(student, root, action).proven = proven
        assert student.tree_policy(DEEP, root, 0.0, rng).parent == at(student, root, 1, 0)


@pytest.mark.exercise("3.4")
@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_growing_repeats_with_its_rng(student, edition):
    """rng draws the new child among the untried actions: the same rng grows the same tree again, others grow others

    Promised: rng: passed to `expand`.
    """
    seed = edition.getrandbits(30)

    def order(seed: int) -> list[int]:
        node, rng = student.Node(GAME, GAME.start()), student.rng(seed)
        return student.each(student.many("tree_policy", [(GAME, node, 1.0, rng)] * 7), "action")

    orders = [order(seed + number) for number in range(4)]
    assert [actions for actions in orders if set(actions) != set(range(7))] == []
    assert orders[0] == order(seed)
    assert not orders[0] == orders[1] == orders[2] == orders[3], (  # equal by chance once in 1e11 tries
        "different seeds must not all give the same order"
    )


@pytest.mark.exercise("3.5")
@pytest.mark.hint("which player moved into each of the nodes, and which of the two rewards is that player's?")
def test_every_node_takes_the_reward_of_the_player_who_moved_into_it(student, edition):
    """each node on the way gets the reward of the player who moved into it, from leaves at odd and at even depth

    Promised: Each node gets one visit, and its q the reward of the player who moved into it (`last_player`).
    """
    #   root   child   leaf        player 0 has won:  -1, +1, -1
    got, wanted = [], []
    for plies in (2, edition.choice([3, 5]), edition.choice([4, 6])):
        for rewards in ((1.0, -1.0), (-1.0, 1.0)):
            nodes = chain(student, LINE, plies)
            student.backup(nodes[-1], rewards)
            wanted.append([rewards[(depth + 1) % 2] for depth in range(plies + 1)])
            got.append(student.each(nodes, "q"))
    if got != wanted:
        mistakes = {
            "every node has the reward of the other player: who moved INTO it?": lambda sums: [-q for q in sums],
            "your nodes all have the same sign: do you add one reward to all nodes, or flip a sign too often?":
                lambda sums: [sums[-1]] * len(sums),
            "your nodes all have the same sign, and not the leaf's: whose reward does each node get?":
                lambda sums: [-sums[-1]] * len(sums),
            "Does the way up end below the root, or does the root get its reward too?": lambda sums: [0.0, *sums[1:]],
            "How far up does the loop go: to the parent, or to the root?": lambda sums: [0.0] * (len(sums) - 2) + sums[-2:],
            "Does any node except the leaf get its reward: where does the loop end?":
                lambda sums: [0.0] * (len(sums) - 1) + sums[-1:],
            "Does the leaf itself get its reward: where does the loop begin?": lambda sums: [*sums[:-1], 0.0],
        }  # fmt: skip
        flat = [q for sums in got for q in sums]
        recognise(flat, {hint: [q for sums in wanted for q in mistake(sums)] for hint, mistake in mistakes.items()})
    assert got == wanted


@pytest.mark.exercise("3.5")
@pytest.mark.hint("which nodes count a visit: all nodes from the leaf to the root, the root included?")
def test_every_node_up_to_the_root_gets_one_visit(student, edition):
    """every node from the leaf to the root, both included, gets one more visit, also after a draw

    Promised: Each node gets one visit, and its q the reward of the player who moved into it (`last_player`).
    """
    nodes = chain(student, LINE, edition.randint(11, 13))
    student.backup(nodes[-1], (-1.0, 1.0))
    visits = student.each(nodes, "num_visits")
    recognise(visits, {"Do you count the visit, and not only add the reward?": [0] * len(nodes)})
    assert visits == [1] * len(nodes)
    student.backup(nodes[-1], (0.0, 0.0))
    ask("does a simulation that ends in a draw count as a visit, and what does it add to q?")
    assert student.each(nodes, "num_visits") == [2] * len(nodes)
    assert student.each(nodes, "q") == [(-1.0) ** (depth % 2) for depth in range(len(nodes))]


@pytest.mark.exercise("3.5")
@pytest.mark.hint("does the way up depend on the player to move at the root?")
def test_the_root_may_belong_to_either_player(student, edition):
    """if the second player is to move at the root, the root takes the first player's reward

    Promised: Each node gets one visit, and its q the reward of the player who moved into it (`last_player`).
    """
    game = ToyGame({"start": ["s0"], "s0": ["s1"], "s1": ["s2"], "s2": ["s3"]}, {}, start="start")
    r0 = edition.choice([-1.0, 1.0])
    root = plant(student, game, "s0", Spot(0, 0.0, {0: Spot(0, 0.0, {0: Spot()})}))
    nodes = [root, at(student, root, 0), at(student, root, 0, 0)]
    student.backup(nodes[-1], (r0, -r0))
    assert student.each(nodes, "q") == [r0, -r0, r0]
    ask("a tree of one node: what are its visits and its q afterwards?")
    board = unfinished(edition, 5)  # player 1 is to move: player 0 moved into the node
    node = student.Node(GAME, board)
    student.backup(node, (r0, -r0))
    assert (node.num_visits, node.q) == (1, r0)


@pytest.mark.exercise("3.5")
@pytest.mark.hint("which of the two rewards does each node add to its sum, and is the reward unchanged?")
def test_results_add_up(student, edition):
    """several results through one node add up, and the two rewards need not be opposites

    Promised: Add the rewards of one simulation to every node from `node` up to the root.
    Promised: Each node gets one visit, and its q the reward of the player who moved into it (`last_player`). The root is the
    node without a parent.
    """
    nodes, results = chain(student, LINE, 3), []
    nodes[1].proven = edition.choice([-1.0, 1.0])  # this must not count less
    nodes[0].action = edition.randrange(7)  # as in a tree that was kept after a move
    for depth in (3, 2, 3, 1, 0):
        rewards = (edition.choice([-1.0, -0.5, 0.5, 1.0]), edition.choice([-0.25, 0.25, 0.75]))
        results.append((depth, rewards if depth else (1 / 1024, -1 / 512)))
        student.backup(nodes[depth], results[-1][1])
    visits, sums = student.each(nodes, "num_visits"), student.each(nodes, "q")
    recognise(visits, {"Do you visit and count an already proven node like any other?": [5, 0, 3, 2]})
    ask("how many visits does each call add to every node on its way?")
    assert visits == [5, 4, 3, 2]
    ask("which of the two rewards does each node add to its sum, and is the reward unchanged?")

    def added(add: Callable[..., float]) -> list[float]:
        """The four sums: `add` makes the new sum from the old one, the rewards of player and leaf, its sign, and the visits."""
        totals, counts = [0.0] * 4, [0] * 4
        for depth, rewards in results:
            for above in range(depth, -1, -1):
                counts[above] += 1
                leaf = rewards[(depth + 1) % 2] * (-1) ** (depth - above)
                totals[above] = add(totals[above], rewards[(above + 1) % 2], leaf, counts[above])
        return totals

    wanted = added(lambda q, reward, leaf, n: q + reward)
    if sums != wanted:
        recognise(sums, {
            "Do you use two rewards, one for each player, or one reward with alternating signs?":
                added(lambda q, reward, leaf, n: q + leaf),
            "Is q the sum of all rewards, or only the last reward?": added(lambda q, reward, leaf, n: reward),
            "Is q the sum of the rewards, or their mean?": added(lambda q, reward, leaf, n: q + (reward - q) / n),
            "Do you add the reward unchanged, or turn it into a win, a draw or a loss?":
                added(lambda q, reward, leaf, n: q + round(reward)),
            "Does a small reward change q: do you round a sum, or take a small number for 0?":
                added(lambda q, reward, leaf, n: round(q + reward, 2)),
        })  # fmt: skip
    assert sums == wanted


@pytest.mark.exercise("3.5")
@pytest.mark.hint("which nodes did this simulation go through?")
def test_nodes_beside_the_path_stay_as_they_were(student, edition):
    """only the nodes on the way to the root change: no sibling, and no node below the leaf

    Promised: Add the rewards of one simulation to every node from `node` up to the root.
    """
    tree = Spot(6, 1.0, {0: Spot(3, -2.0, {0: Spot(1, 1.0), 1: Spot(1, 1.0)}), 1: Spot(2, 1.0), 2: Spot()})
    root = plant(student, TOY, "s0", tree)
    student.backup(at(student, root, 0), edition.choice([(1.0, -1.0), (-1.0, 1.0)]))
    nodes = [at(student, root, *path) for path in [(), (0,), (1,), (2,), (0, 0), (0, 1)]]
    assert student.each(nodes, "num_visits") == [7, 4, 2, 0, 1, 1]
    assert student.each(nodes[2:], "q") == [1.0, 0.0, 1.0, 1.0]
