"""2.6 to 2.8: the bound, the child with the best bound, and the way down the tree."""

import math
from random import Random
from typing import Any

import pytest

from arena.games import TicTacToe, ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.choices import chosen_by, telling_cases
from tests.hidden.laws import near
from tests.hidden.ps2_uct.oracle import finished, unfinished, upper_bounds
from tests.hidden.ps2_uct.trees import Spot, at, chain, plant

GAME = TicTacToe()
TOY = ToyGame({"s0": ["a", "b", "c"], "a": ["d", "e"], "b": ["f"], "c": ["g", "h"]}, {})
DEEP = ToyGame({"s0": ["a", "b"], "a": ["c", "d"], "b": ["e", "f"], "c": ["g"], "e": ["h", "i"], "g": ["j"]}, {"h": 1.0})
LINE = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(30)}, {"s30": -1.0})


def siblings(edition: Random) -> tuple[list[int], list[float], float]:
    """Random visits and totals of three children, and an exploration constant."""
    visits = [edition.randint(1, 7) for _ in range(3)]
    return visits, [round(n * edition.uniform(-1, 1), 2) for n in visits], edition.choice([0.0, 0.4, 0.7, 1.0, 1.4, 2.5])


def family(student: Any, visits: list[int], totals: list[float]) -> Any:
    """A root with three children with these statistics."""
    below = {action: Spot(n, w) for action, (n, w) in enumerate(zip(visits, totals, strict=True))}
    return plant(student, TOY, "s0", Spot(sum(visits), -sum(totals), below))


def bounds(visits: list[int], totals: list[float], c: float) -> list[float]:
    """The three bounds, for the player who chooses at the root."""
    return upper_bounds(visits, [-w / n for n, w in zip(visits, totals, strict=True)], c)


def statistics(student: Any, root: Any) -> list[float]:
    """Visits and total of a root, then of each of its three children."""
    rows = student.both([root, *(at(student, root, action) for action in range(3))], "num_visits", "total_value")
    return [number for row in rows for number in row]


def ucb_at(student: Any, node: Any, parent: Any, statistics: tuple[int, int, float], c: float) -> float:
    """The submission's bound for a node with n visits and total W under a parent with N visits."""
    parent.num_visits, node.num_visits, node.total_value = statistics
    return student.ucb(node, c)


@pytest.mark.exercise("2.6")
@pytest.mark.hint("with c = 0, what remains of the bound, and with which sign?")
def test_without_exploration_the_bound_is_the_mean_of_the_player_above(student, edition):
    """with c = 0 the bound is the mean result for the player who chooses, the opposite of the node's own mean

    Promised: Return the upper confidence bound of `node`, for the player who chooses at its parent.
    """
    parent, node = chain(student, LINE, 1)
    for total in (-3.0, 3.0, 0.0, round(edition.uniform(-4, 4), 2)):
        n = edition.randint(4, 9)
        got = ucb_at(student, node, parent, (n + 5, n, total), 0.0)
        recognise(got, {
            "W is 0 after some visits: do you treat this node as a node without a visit?": math.inf,
            "Do you use the mean, or the total without a division by the visits?": -total,
            "The bonus is there although c is 0: what does c multiply?": -total / n + math.sqrt(math.log(n + 5) / n),
            "Do you round the mean, or divide with //?": -(total // n),
            "Do you round the mean down?": -total // n,
            "Do you round the bound?": round(-total / n, 4),
            "For whom is the mean: for the player at the node, or the one above, who chooses?": total / n,
        })  # fmt: skip
        assert got == near(-total / n)


@pytest.mark.exercise("2.6")
@pytest.mark.hint("which logarithm, of which number, under which root?")
def test_the_bound_is_mean_plus_bonus(student, edition):
    """the bound is -W/n + c sqrt(ln N / n), for many W, n, N and c

    Promised: Returns -W/n + c sqrt(ln N / n), with W and n the node's total_value and num_visits and N the visits of its
    parent;
    """
    parent, node = chain(student, LINE, 1)
    #   W = -1, n = 4, N = 10, c = 1:   0.25 + sqrt(2.302585 / 4) = 1.008714
    got = ucb_at(student, node, parent, (10, 4, -1.0), 1.0)
    recognise(got, {
        "Whose visits stand under the logarithm?": 0.25 + math.sqrt(math.log(4) / 4),
        "For whom is the mean: for the player at the node, or the one above, who chooses?": -0.25 + math.sqrt(math.log(10) / 4),
        "ln is a logarithm: to which base?": 0.25 + math.sqrt(math.log10(10) / 4),
        "Is ln the logarithm to base 2?": 0.25 + math.sqrt(math.log2(10) / 4),
        "Is there a factor too many, or another c than the given one?": 0.25 + math.sqrt(2 * math.log(10) / 4),
        "What is under the root: only the logarithm, or the whole fraction?": 0.25 + math.sqrt(math.log(10)) / 4,
        "Where is the logarithm?": 0.25 + math.sqrt(10 / 4),
        "Where is the root?": 0.25 + math.log(10) / 4,
        "Is the bonus added or subtracted?": 0.25 - math.sqrt(math.log(10) / 4),
        "Is N the number of the parent's visits, or one more?": 0.25 + math.sqrt(math.log(11) / 4),
        "Under the root: is n the number of the node's visits, or one more?": 0.25 + math.sqrt(math.log(10) / 5),
        "Is n the number of the node's visits, or one more?": 0.2 + math.sqrt(math.log(10) / 5),
    })  # fmt: skip
    assert got == pytest.approx(1.008714, abs=1e-5)
    ask("N = 1: what is ln 1, and how large is the bonus then?")
    assert ucb_at(student, node, parent, (1, 1, -1.0), 2.0) == near(1.0)  # ln 1 = 0: no bonus
    ask("do you ever cut off or round a bound, or its bonus?")
    #   always lost for the player above, W = 2, n = 2, N = 200, then 100:   -1 + sqrt(5.298317 / 2), -1 + sqrt(4.605170 / 2)
    assert ucb_at(student, node, parent, (200, 2, 2.0), 1.0) == pytest.approx(0.627624, abs=1e-5)
    assert ucb_at(student, node, parent, (100, 2, 2.0), 1.0) == pytest.approx(0.517427, abs=1e-5)
    for c in (0.5, 1.0, math.sqrt(2), edition.uniform(0.2, 3.0)):
        n = edition.randint(1, 40)
        big = n + edition.randint(0, 200)
        total = round(edition.uniform(-n, n), 2)
        expected = -total / n + c * math.sqrt(math.log(big) / n)
        got = ucb_at(student, node, parent, (big, n, total), c)
        recognise(got, {
            "What does c multiply: the whole bonus, or the part under the root?": -total / n + math.sqrt(c * math.log(big) / n),
            "Which c do you use: the given one?": -total / n + math.sqrt(2 * math.log(big) / n),
        })  # fmt: skip
        assert got == near(expected)


@pytest.mark.exercise("2.6")
@pytest.mark.hint("what is 1 divided by 0 here, and which node should be tried first?")
def test_an_unvisited_node_has_an_infinite_bound(student, edition):
    """a node without a visit has an infinite bound, for any c and any number of visits of its parent

    Promised: math.inf when the node has no visit yet, for every c.
    """
    parent, node = chain(student, LINE, 1)
    for big, c in [(0, 1.0), (1, 0.0), (edition.randint(2, 99), 0.0), (edition.randint(2, 99), 1.5)]:
        assert ucb_at(student, node, parent, (big, 0, 0.0), c) == math.inf


@pytest.mark.exercise("2.6")
@pytest.mark.hint("which node's visits are N?")
def test_n_is_the_visits_of_the_parent(student, edition):
    """N is the number of visits of the parent: not of the root, not of all siblings together, not of the node

    Promised: Returns -W/n + c sqrt(ln N / n), with W and n the node's total_value and num_visits and N the visits of its
    parent;
    """
    n, big = edition.randint(2, 5), edition.randint(12, 30)
    below = {0: Spot(n, -1.0), 1: Spot(3, 1.0)}  # the visits of the siblings do not sum to N
    root = plant(student, DEEP, "s0", Spot(edition.randint(50, 99), 0.0, {0: Spot(big, 0.0, below), 1: Spot(1, 0.0)}))
    expected = 1.0 / n + math.sqrt(math.log(big) / n)
    assert student.ucb(at(student, root, 0, 0), 1.0) == near(expected)
    root = plant(student, TOY, "s0", Spot(2, 0.0, {0: Spot(2, -1.0), 1: Spot(), 2: Spot()}))  # more children than visits
    assert student.ucb(at(student, root, 0), 1.0) == near(0.5 + math.sqrt(math.log(2) / 2))


@pytest.mark.exercise("2.6")
@pytest.mark.hint("does your function read the node and its parent without changing them?")
def test_asking_for_the_bound_changes_nothing(student, edition):
    """visits and totals are the same after a call of ucb

    Promised: The tree is not changed.
    """
    n = edition.randint(1, 9)
    root = family(student, [n, n + 1, n + 2], [0.5, -0.5, 1.0])
    child = at(student, root, 1)
    student.many("ucb", [(child, 1.0)] * 2)
    assert (root.num_visits, child.num_visits, child.total_value) == (3 * n + 3, n + 1, -0.5)
    ask("no node has a visit yet: does a guard against ln 0 or a division by 0 change the node or its parent?")
    new = family(student, [0, 0, 0], [0.0, 0.0, 0.0])
    student.many("ucb", [(at(student, new, action), 1.0) for action in range(3)])
    assert statistics(student, new) == [0, 0.0] * 4
    ask("the results of a node have changed, and its visits have not: is the bound worked out anew?")
    for total in (0.5, -1.0):
        child.total_value = total
        assert student.ucb(child, 1.0) == near(-total / (n + 1) + math.sqrt(math.log(3 * n + 3) / (n + 1)))


@pytest.mark.exercise("2.7")
@pytest.mark.hint("which number of a child must be highest: action, visits, total, mean or bound?")
def test_the_highest_bound_is_chosen(student, edition):
    """the child with the highest upper confidence bound is chosen

    Promised: Return the child of `node` with the highest upper confidence bound.
    Promised: The tree is not changed.
    """
    mistakes = {
        "Do you choose the lowest bound?": lambda visits, totals, c: [-b for b in bounds(visits, totals, c)],
        "Do you pass `exploration` on, or have your bounds no bonus?": lambda visits, totals, c: bounds(visits, totals, 0.0),
        "Which exploration do you pass on: the given one?": lambda visits, totals, c: bounds(visits, totals, 1.0),
        "For whom is the bound: for the player who chooses here, or for the next player?":
            lambda visits, totals, c: bounds(visits, [-w for w in totals], c),
        "Which number must be highest: the visits, or the bound?": lambda visits, totals, c: visits,
        "Which number must be highest: the total, or the bound?": lambda visits, totals, c: [-w for w in totals],
        "With which bound does your comparison begin: can all bounds be below it?":
            lambda visits, totals, c: [max(b, 0.0) for b in bounds(visits, totals, c)],
        "Which number must be highest: the action, or the bound?": lambda visits, totals, c: [0, 1, 2],
        "Do you always choose the first child?": lambda visits, totals, c: [2, 1, 0],
    }  # fmt: skip
    rng = student.rng(edition.getrandbits(30))
    cases = telling_cases(edition, siblings, bounds, mistakes)
    roots = [family(student, visits, totals) for (visits, totals, _), _ in cases]
    wanted = [at(student, root, best) for root, (_, best) in zip(roots, cases, strict=True)]
    calls = [(root, case[2], rng) for root, (case, _) in zip(roots, cases, strict=True)]
    chosen = student.many("best_child", calls)
    ask("does best_child change the tree?")
    visits, totals, _ = cases[0][0]
    given = [sum(visits), -sum(totals), *(number for row in zip(visits, totals, strict=True) for number in row)]
    assert statistics(student, roots[0]) == near(given)
    new = family(student, [0, 0, 0], [0.0, 0.0, 0.0])
    student.many("best_child", [(new, c, rng) for c in (0.0, 1.0)])
    assert statistics(student, new) == [0, 0.0] * 4
    ask("which number of a child must be highest: action, visits, total, mean or bound?")
    if chosen != wanted:
        by_chance = any(student.many("best_child", calls) != chosen for _ in range(3))
        recognise(by_chance, {"Do you always choose the highest bound, or can chance choose a lower one?": True})
        recognise(student.each(chosen, "action"), chosen_by(mistakes, cases))
    assert chosen == wanted
    ask("with which bound does your comparison begin: can all bounds be below it?")
    best = edition.randrange(3)  # good for the players below, so that all bounds are below zero
    root = family(student, [9 if i == best else 10 for i in range(3)], [4.0 if i == best else 8.0 for i in range(3)])
    assert student.many("best_child", [(root, 0.1, rng)] * 20) == [at(student, root, best)] * 20


@pytest.mark.exercise("2.7")
@pytest.mark.hint("which part of the bound does the exploration constant multiply?")
def test_exploration_weighs_the_bonus(student, edition):
    """with c = 0 the best mean is chosen, with a large c the child with fewest visits

    Promised: exploration: c, passed to `ucb`.
    """
    #   three children   n, W:   20, -10    6, 0    9, +1      the first is best for the player above
    order = edition.sample(range(3), 3)
    visits, totals = [[20, 6, 9][i] for i in order], [[-10.0, 0.0, 1.0][i] for i in order]
    root, rng = family(student, visits, totals), student.rng(edition.getrandbits(30))
    chosen = student.many("best_child", [(root, 0.0, rng), (root, 5.0, rng)])
    assert chosen == [at(student, root, order.index(0)), at(student, root, order.index(1))]


@pytest.mark.exercise("2.7")
@pytest.mark.hint("what is the bound of a child without a visit, and what is larger than this bound?")
def test_a_child_without_a_visit_comes_first(student, edition):
    """a child without a visit comes before all others; among several such children each may be chosen

    Promised: math.inf when the node has no visit yet, for every c.
    Promised: rng: draws among the children that share the highest bound, each equally likely.
    """
    new = edition.randrange(3)
    root = family(student, [0 if i == new else 50 for i in range(3)], [0.0 if i == new else -50.0 for i in range(3)])
    fresh, rng = family(student, [0, 0, 0], [0.0, 0.0, 0.0]), student.rng(edition.getrandbits(30))
    assert student.many("best_child", [(root, 0.0, rng), (root, 1.0, rng)]) == [at(student, root, new)] * 2
    chosen = student.many("best_child", [(fresh, 1.0, rng)] * 60)
    ask("no child has a visit: can each of them be the next, and does rng decide?")
    assert set(chosen) == set(student.children(fresh).values())  # by chance a child is missed once in 1e10 tries


@pytest.mark.exercise("2.7")
@pytest.mark.hint("which value does max() return when several values are equal?")
def test_ties_are_broken_by_rng(student, edition):
    """children with equal bounds come up equally often, worse children never; and again with the same rng

    Promised: rng: draws among the children that share the highest bound, each equally likely.
    """
    worse = edition.randrange(3)
    root = family(student, [4, 4, 4], [3.0 if i == worse else -2.0 for i in range(3)])

    def choices(seed: int) -> list[Any]:
        return student.many("best_child", [(root, 1.0, student.rng(seed))] * 60)

    seed = edition.getrandbits(30)
    chosen = choices(seed)
    counts = [chosen.count(at(student, root, action)) for action in range(3)]
    # A fair coin gives 8 or fewer heads of 60 once in 4e8 tries, and 60 equal tosses once in 1e18.
    assert counts[worse] == 0 and sum(counts) == 60
    assert [(i, counts[i]) for i in range(3) if i != worse and counts[i] < 9] == []
    ask("what decides between equal bounds: the given rng, and nothing else?")
    assert chosen == choices(seed)
    assert chosen != choices(seed + 1)


@pytest.mark.exercise("2.7")
@pytest.mark.hint("several children share the highest bound: does each have the same chance?")
def test_equal_bounds_are_drawn_all_alike(student, edition):
    """only equal bounds make a tie, and the draw is fair: visits, order and losses give no child an advantage

    Promised: rng: draws among the children that share the highest bound, each equally likely.
    """
    rng = student.rng(edition.getrandbits(30))
    root = family(student, edition.sample([2, 4, 8], 3), [0.0, 0.0, 0.0])
    children = list(student.children(root).values())
    chosen = student.many("best_child", [(root, 0.0, rng)] * 600)
    # 200 expected for each of three, deviation 11.5; 200 +- 68 is left once in 1e8 tries.
    assert [(child, chosen.count(child)) for child in children if not 132 <= chosen.count(child) <= 268] == []
    for child in children:
        child.num_visits, child.total_value = 4, 4.0
    assert student.best_child(root, 0.0, rng) in children  # all children lost: still one child is the best
    for lost, size in ((0.0, 1e-12), (0.0, 1e-7), (300.0, 300.0), (300.0, 1e-3)):
        best = edition.randrange(3)
        for place, child in enumerate(children):
            child.num_visits, child.total_value = 1, lost + size * (place != best)
        ask("does every call compute all bounds, and compare them without rounding?")
        assert student.many("best_child", [(root, 0.0, rng)] * 8) == [children[best]] * 8
    below = {action: Spot(2, 0.0) for action in range(3)}
    root = plant(student, ToyGame({"s0": ["a", "a", "a"]}, {"a": 0.0}), "s0", Spot(6, 0.0, below))
    chosen = student.many("best_child", [(root, 0.0, rng)] * 70)
    ask("several actions lead to one state: can the child of each of them be drawn?")
    assert [child in chosen for child in student.children(root).values()] == [True] * 3  # one is missed once in 7e11 tries


@pytest.mark.exercise("2.7")
@pytest.mark.hint("a node has no children: what does the docstring say about this case?")
def test_a_node_without_children_has_no_best_child(student, edition):
    """a node without children is an error

    Promised: ValueError: the node has no children.
    """
    for state in ("s0", "d"):
        with student.raises(ValueError):
            student.best_child(student.TreeNode(state), edition.choice([0.0, 1.0]), student.rng(1))
    below = chain(student, LINE, 1)[1]
    with student.raises(ValueError):
        student.best_child(below, 1.0, student.rng(1))


@pytest.mark.exercise("2.8")
@pytest.mark.hint("a legal action has no child yet: may select go further down?")
def test_it_stays_where_something_is_untried(student, edition):
    """select returns a node with an untried action itself, even if its children look good

    Promised: Returns the first node on the path where some legal action has no child yet, or where the game is over;
    """
    rng = student.rng(edition.getrandbits(30))
    bare = student.TreeNode("s0")
    state = unfinished(edition, 4)
    actions = edition.sample(GAME.legal_actions(state), 2)
    partly = plant(student, GAME, state, Spot(2, -2.0, {action: Spot(1, -1.0) for action in actions}))
    assert student.select(TOY, bare, 1.0, rng) == bare
    assert student.many("select", [(GAME, partly, c, rng) for c in (1.0, 0.0)]) == [partly, partly]
    assert student.children(bare) == {} and len(student.children(partly)) == 2
    game = ToyGame({"s0": ["a"], "a": ["b", "c"], "b": ["d"], "c": ["e"]}, {})  # below a forced move; no node was visited yet
    root = plant(student, game, "s0", Spot(0, 0.0, {0: Spot(0, 0.0, {edition.randrange(2): Spot()})}))
    end, below = student.select(game, root, 1.0, rng), at(student, root, 0)
    if end != below:
        recognise(end in student.children(below).values(), {"Do you test every node, also below a forced move?": True})
    ask("where does the way end, at a missing child or at a missing visit, and do you return that node?")
    assert end == below


@pytest.mark.exercise("2.8")
@pytest.mark.hint("does select go on, node by node, to the node where the tree can grow?")
def test_it_descends_as_long_as_everything_was_tried(student, edition):
    """select goes down through every fully expanded node, as deep as these go, and changes nothing

    Promised: Returns the first node on the path where some legal action has no child yet, or where the game is over;
    """
    plies = edition.randint(8, 14)
    nodes = chain(student, LINE, plies)
    for depth, node in enumerate(nodes):
        node.num_visits = plies + 1 - depth
    rng = student.rng(1)
    end = student.select(LINE, nodes[0], 1.0, rng)
    recognise(end == nodes[1], {"Does your way end after one step?": True})
    assert end == nodes[-1]
    ask("does select change the tree: a child, or a visit?")
    assert student.children(nodes[-1]) == {}
    ask("does select start at any node, and go on to the node where the tree can grow?")
    assert student.select(LINE, nodes[plies // 2], 1.0, rng) == nodes[-1]  # from any node, not only from a root
    ask("does select change the tree: a child, or a visit?")
    assert student.children(nodes[-1]) == {} and nodes[0].num_visits == plies + 1


@pytest.mark.exercise("2.8")
@pytest.mark.hint("what can be selected below a finished game?")
def test_it_stops_where_the_game_is_over(student, edition):
    """a node where the game is over is returned, at the root and below it

    Promised: Returns the first node on the path where some legal action has no child yet, or where the game is over;
    """
    over = student.TreeNode(finished(edition, edition.choice([-1.0, 0.0])))
    assert student.select(GAME, over, 1.0, student.rng(1)) == over
    plies = edition.randint(2, 6)
    line = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(plies)}, {})
    nodes = chain(student, line, plies)
    for depth, node in enumerate(nodes):
        node.num_visits = plies + 1 - depth
    assert student.select(line, nodes[0], 1.0, student.rng(1)) == nodes[-1]
    ask("a finished child has the best bound: may select ignore this child?")
    won = ToyGame({"s0": ["w", "b"], "b": ["c"]}, {"w": -1.0})
    root = plant(student, won, "s0", Spot(12, -8.0, {0: Spot(8, -8.0), 1: Spot(3, 0.0)}))
    assert student.select(won, root, 0.5, student.rng(1)) == at(student, root, 0)  # visited, finished, and still the best


@pytest.mark.exercise("2.8")
@pytest.mark.hint("who chooses at the second level, and what is good for that player?")
def test_each_player_chooses_what_is_good_for_himself(student, edition):
    """at every level the way goes to the child that is best for the player who chooses there

    Promised: Descend from `node` along the best children and return the node where the tree can grow.
    """
    #   s0 -> a (W/n +.5), b (-.5);  b -> e (-.7), f (+.6): b is good for the root's player, e for b's
    tree = Spot(20, 0.0, {
        0: Spot(10, 5.0, {0: Spot(5, -1.0), 1: Spot(4, 1.0)}),
        1: Spot(10, -5.0, {0: Spot(5, -3.5), 1: Spot(5, 3.0)}),
    })  # fmt: skip
    root, rng = plant(student, DEEP, "s0", tree), student.rng(edition.getrandbits(30))
    end = student.select(DEEP, root, 0.0, rng)
    if end != at(student, root, 1, 0):
        left = at(student, root, 0)
        recognise(end in [left, *student.children(left).values()], {"Which child is the best one: does the bound decide?": True})
    assert end == at(student, root, 1, 0)
    assert student.select(DEEP, root, edition.uniform(0.05, 0.5), rng) == at(student, root, 1, 0)


@pytest.mark.exercise("2.8")
@pytest.mark.hint("what happens to the exploration constant on the way down?")
def test_exploration_counts_at_every_level(student, edition):
    """with a large c the way goes to the least visited child at every level, with c = 0 to the best mean

    Promised: exploration, rng: passed to `best_child`.
    """
    # by the mean alone the way is s0, b, e; with c = 1 it goes from b to the other child
    tree = Spot(40, 0.0, {
        0: Spot(10, 0.0, {0: Spot(6, -3.0), 1: Spot(2, 0.0)}),
        1: Spot(30, -12.0, {0: Spot(25, -2.5), 1: Spot(4, 0.0)}),
    })  # fmt: skip
    root, rng = plant(student, DEEP, "s0", tree), student.rng(edition.getrandbits(30))
    assert student.select(DEEP, root, edition.uniform(4.0, 9.0), rng) == at(student, root, 0, 1)
    ask("do you pass c = 0 down like any other exploration constant?")
    e = at(student, root, 1, 0)
    assert student.select(DEEP, at(student, root, 1), 0.0, rng) == e
    ask("which constant does each step below the first one get?")
    assert student.select(DEEP, root, 0.0, rng) == e


@pytest.mark.exercise("2.8")
@pytest.mark.hint("equal children on the way: can each of them come up, and does the given rng decide?")
def test_ties_on_the_way_are_broken_by_rng(student, edition):
    """among equal children rng draws: each comes up, and the same rng repeats the draws

    Promised: exploration, rng: passed to `best_child`.
    """
    tree = Spot(4, 0.0, {action: Spot(1, 0.5) for action in range(3)})
    root, seed = plant(student, TOY, "s0", tree), edition.getrandbits(30)

    def chosen(seed: int) -> list[Any]:
        rng = student.rng(seed)
        return student.many("select", [(TOY, root, 1.0, rng)] * 50)

    first = chosen(seed)
    assert set(first) == {at(student, root, action) for action in range(3)}  # by chance a child is missed once in 2e8 tries
    assert first == chosen(seed)
