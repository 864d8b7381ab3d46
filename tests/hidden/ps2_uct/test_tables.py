"""2.10: the same search as one recursive function over tables."""

import math
from random import Random
from typing import Any

import pytest

from arena.games import FIVE_SIMULATIONS, TicTacToe, ToyGame
from autograder.grading.recognise import recognise
from tests.hidden.laws import near
from tests.hidden.ps2_uct.oracle import Asked, chosen_by, draw_fan, finished, telling_cases, upper_bounds

pytestmark = pytest.mark.exercise("2.10")

GAME = TicTacToe()
LINE = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(12)}, {"s12": -1.0})
THREE = ToyGame({"s0": ["a", "b", "c"], "a": ["d"], "b": ["e"], "c": ["f"]}, {})


def one(student: Any, game: Any, state: Any, tables: tuple[dict, dict], evaluate: Any, c: float = 1.0, seed: int = 1) -> float:
    """One simulation from tables that were filled before."""
    return student.recursive_search(game, state, *tables, c, student.rng(seed), evaluate)


@pytest.mark.hint("who negates: the function, or its caller?")
def test_a_new_state_is_evaluated_for_its_own_player(student, edition):
    """a state not yet in the tables is worth what `evaluate` says of it, and `evaluate` is asked once"""
    value = round(edition.uniform(-1, 1), 3)
    state = f"s{edition.randrange(12)}"
    evaluate = Asked({state: value}, other=7.0)
    assert one(student, LINE, state, ({}, {}), evaluate) == near(value)
    assert evaluate.states == [state]
    assert one(student, LINE, state, ({}, {}), Asked({state: 0.0}, other=7.0)) == 0.0


@pytest.mark.hint("what stands in Q and in N for a state that is new, and for which actions?")
def test_a_new_state_gets_an_entry_for_every_legal_action(student, edition):
    """a new state is entered with mean 0 and count 0 for every legal action, and nothing else is"""
    value = round(edition.uniform(0.1, 1), 3)
    _, q, n = student.search_with_tables(THREE, "s0", 1, 1.0, student.rng(1), Asked(other=value))
    assert (q, n) == ({"s0": {0: 0.0, 1: 0.0, 2: 0.0}}, {"s0": {0: 0, 1: 0, 2: 0}})


@pytest.mark.hint("what is a finished game worth, and to whom?")
def test_a_finished_game_is_worth_its_outcome(student, edition):
    """where the game is over the value is the outcome for the player to move, and no entry is made"""
    evaluate = Asked(other=5.0)
    for value in (1.0, 0.0, -1.0, round(edition.uniform(0.1, 0.9), 3)):
        assert one(student, ToyGame({"s0": ["s1"]}, {"s1": value}), "s1", ({}, {}), evaluate) == near(value)
    for value in (0.0, -1.0):
        assert one(student, GAME, finished(edition, value), ({}, {}), evaluate) == value
    assert evaluate.states == []
    _, q, n = student.search_with_tables(FIVE_SIMULATIONS, "s0", edition.randint(12, 30), 1.0, student.rng(1), evaluate)
    assert set(q) == {"s0", "s1", "s2"} and set(n) == set(q)


@pytest.mark.hint("whose value comes back from the state below?")
def test_the_caller_negates_what_comes_back(student, edition):
    """the value that comes back is for the player to move at the state that was asked about, at any depth"""
    value = round(edition.uniform(0.1, 1), 3)
    for plies in (1, 2, edition.choice([3, 5]), edition.choice([4, 6])):
        q = {f"s{ply}": {0: round(edition.uniform(-1, 1), 2)} for ply in range(plies)}
        n = {f"s{ply}": {0: 20 - ply} for ply in range(plies)}
        evaluate = Asked({f"s{plies}": value}, other=7.0)
        assert one(student, LINE, "s0", (q, n), evaluate) == near(value * (-1) ** plies)
        assert evaluate.states == [f"s{plies}"]
    first, evaluate = edition.choice([8, 9, 10]), Asked(other=5.0)  # the end of the game: an outcome instead
    q = {f"s{ply}": {0: 0.25} for ply in range(first, 12)}
    n = {f"s{ply}": {0: 20 - ply} for ply in range(first, 12)}
    assert one(student, LINE, f"s{first}", (q, n), evaluate) == -1.0 * (-1) ** (12 - first)
    assert evaluate.states == []


@pytest.mark.hint("does the first simulation at a state choose an action there?")
def test_one_simulation_more_gives_the_counts_of_the_tree(student, edition):
    """six simulations on the toy tree of the lesson count what five over nodes counted, whatever c"""
    #   over nodes: s1 1, 20;  s2 4, 38;  s5 2, -28;  s6 1, 0
    for c in (0.0, 1.0, edition.uniform(0, 20)):
        evaluate = student.answers({"s1": 20.0, "s2": 10.0}, other=0.5)
        action, q, n = student.search_with_tables(FIVE_SIMULATIONS, "s0", 6, c, student.rng(edition.getrandbits(30)), evaluate)
        assert (action, n) == (1, {"s0": {0: 1, 1: 4}, "s1": {0: 0, 1: 0}, "s2": {0: 2, 1: 1}})
        assert set(q) == {"s0", "s1", "s2"}
        assert q["s0"] == near({0: -20.0, 1: -9.5}) and q["s2"] == near({0: 14.0, 1: 0.0})
        assert q["s1"] == {0: 0.0, 1: 0.0}


@pytest.mark.hint("is the count raised before or after the mean moves?")
def test_q_is_the_mean_of_all_results(student, edition):
    """each Q is the mean of the results through its action, for the player who chooses it"""
    checked = 0
    while checked < 3:
        c, simulations = [0.3, 1.0, 2.0][checked], edition.randint(12, 20)
        fan = draw_fan(edition, [1, 2, 3, 4])
        known = fan.uct(simulations, c)
        if known is None:
            continue  # a tie would decide
        visits, results = known
        evaluate = student.answers(fan.guesses)
        rng = student.rng(edition.getrandbits(30))
        _, q, n = student.search_with_tables(fan.game, "root", simulations + 1, c, rng, evaluate)
        assert n.get("root") == dict(enumerate(visits))
        assert q.get("root") == near({b: results[b] / visits[b] for b in range(4)})
        for branch, length in enumerate(fan.lengths):
            if length > 1:
                assert n.get(f"b{branch}.1") == {0: visits[branch] - 1}  # its first visit was its own
        checked += 1
    visits, mean, value = edition.randint(60, 90), round(edition.uniform(-0.4, 0.4), 2), edition.choice([-1.0, 1.0])
    q, n = student.keep({"s0": {0: mean}}), student.keep({"s0": {0: visits}})
    one(student, LINE, "s0", (q, n), student.answers(other=value))
    assert student.read(n).get("s0") == {0: visits + 1}
    assert student.read(q).get("s0") == near({0: (mean * visits - value) / (visits + 1)})


@pytest.mark.hint("how large is the bound of an action about which nothing is known?")
def test_untried_actions_come_first_in_random_order(student, edition):
    """an action that was never taken comes before any other, and among several rng draws"""
    known, won = edition.sample(range(3), 2)
    game = ToyGame({"s0": ["a", "b", "c"]} | {"abc"[action]: ["end"] for action in range(3) if action != won}, {"abc"[won]: -1.0})
    q = {"s0": {action: 0.9 if action == known else 0.0 for action in range(3)}}
    n = {"s0": {action: 50 if action == known else 0 for action in range(3)}}
    evaluate = Asked()
    rng = student.rng(edition.getrandbits(30))
    values = student.many("recursive_search", [(game, "s0", q, n, edition.choice([0.0, 1.0]), rng, evaluate) for _ in range(40)])
    assert sorted(set(values)) == [0.0, 1.0]  # the win and the other one: one is missed once in 5e11 tries
    assert evaluate.states == ["abc"[3 - known - won]] * values.count(0.0)


@pytest.mark.hint("which logarithm, of which number, under which root, and with which sign?")
def test_the_highest_bound_is_taken(student, edition):
    """among tried actions the one with the highest Q + c sqrt(ln n / N) is taken, n the sum over all actions"""

    def draw(edition: Random) -> tuple:
        most = edition.choice([2, 2, 7])  # few visits tell ln n from ln(n + 1)
        counts = [edition.randint(1, most) for _ in range(3)]
        return counts, [round(edition.uniform(-1, 1), 2) for _ in counts], edition.choice([0.0, 0.4, 0.7, 1.0, 1.4, 2.5])

    def bounds(counts, means, c, log=math.log, inside=1.0, plus=0):
        return [m + c * math.sqrt(inside * log(sum(counts) + plus) / k) for m, k in zip(means, counts, strict=True)]

    mistakes = {
        "Whose mean is Q[s][a]: is it turned once more?": lambda counts, means, c: bounds(counts, [-m for m in means], c),
        "Where is the bonus?": lambda counts, means, c: bounds(counts, means, 0.0),
        "Which c is it: the one that was given?": lambda counts, means, c: bounds(counts, means, 1.0),
        "Which logarithm is ln: to which base?": lambda counts, means, c: bounds(counts, means, c, log=math.log10),
        "Is ln the logarithm to the base 2?": lambda counts, means, c: bounds(counts, means, c, log=math.log2),
        "What stands under the root: the number of actions, or a logarithm of visits?":
            lambda counts, means, c: bounds(counts, means, c, log=lambda n: len(counts)),
        "Where is the logarithm?": lambda counts, means, c: bounds(counts, means, c, log=lambda n: n),
        "Of which number is the logarithm: of the visits here, or of the states in the table?":
            lambda counts, means, c: bounds(counts, means, c, log=lambda n: math.log(3)),  # of the number of states
        "Is there a factor under the root that the formula does not have?":
            lambda counts, means, c: bounds(counts, means, c, inside=2.0),
        "Is n the sum of the counts, or one more?": lambda counts, means, c: bounds(counts, means, c, plus=1),
        "What does c multiply: all of the bonus, or what is under the root?":
            lambda counts, means, c: bounds(counts, means, c**0.5),
        "Whose visits stand under the logarithm: the action's, or those of all actions together?":
            lambda counts, means, c: [m + c * math.sqrt(math.log(k) / k) for m, k in zip(means, counts, strict=True)],
        "Is Q a mean already, or is it divided again?":
            lambda counts, means, c: bounds(counts, [m / k for m, k in zip(means, counts, strict=True)], c),
        "Is that the bound of this exercise, or the one of a later set?":
            lambda counts, means, c: [m + c * math.sqrt(sum(counts)) / (1 + k) for m, k in zip(means, counts, strict=True)],
    }  # fmt: skip
    cases = telling_cases(edition, draw, upper_bounds, mistakes)
    evaluate, rng = Asked(), student.rng(edition.getrandbits(30))
    game = ToyGame({"above": ["s0"], "s0": ["a", "b", "c"], "a": ["d"], "b": ["e"], "c": ["f"]}, {}, start="above")
    calls = []
    for (counts, means, c), _ in cases:
        tables = {"above": {0: 0.5}, "s0": dict(enumerate(means))}, {"above": {0: 9}, "s0": dict(enumerate(counts))}
        calls += [(game, state, *tables, c, rng, evaluate) for state in ("s0", "above")]  # here, and one ply further down
    best = edition.randrange(3)  # every action loses, one of them least, by little: all bounds are below zero
    means = [-0.7999 if action == best else -0.8 for action in range(3)]
    calls += [(game, "s0", {"s0": dict(enumerate(means))}, {"s0": dict.fromkeys(range(3), 10)}, 0.1, rng, evaluate)] * 20
    student.many("recursive_search", calls)
    wanted = ["abc"[best] for _, best in cases for _ in range(2)] + ["abc"[best]] * 20
    if evaluate.states != wanted:
        seen = evaluate.states[: 2 * len(cases) : 2]
        recognise(seen, {hint: ["abc"[action] for action in row] for hint, row in chosen_by(mistakes, cases).items()})
    assert evaluate.states == wanted


@pytest.mark.hint("what does max() do when several are equal?")
def test_equal_bounds_are_broken_by_rng(student, edition):
    """among equal bounds each action comes up, and again with the same rng"""
    q, n = {"s0": {0: 0.5, 1: -0.5, 2: 0.5}}, {"s0": {0: 3, 1: 3, 2: 3}}
    seed = edition.getrandbits(30)

    def taken() -> list[float]:
        evaluate, rng = student.answers({"a": 0.25, "b": 0.5, "c": 0.75}), student.rng(seed)
        return [abs(value) for value in student.many("recursive_search", [(THREE, "s0", q, n, 1.0, rng, evaluate)] * 40)]

    first = taken()
    assert set(first) == {0.25, 0.75}  # one is missed once in 5e11 tries
    assert first == taken()


@pytest.mark.hint("what does the table look up: a state, or the way to it?")
def test_two_orders_of_the_same_moves_share_an_entry(student, edition):
    """a state reached in two ways has one entry, which both ways fill and read"""
    #   s0 -> a, b;   a -> c;   b -> c;   c -> d, e;  the end
    game = ToyGame({"s0": ["a", "b"], "a": ["c"], "b": ["c"], "c": ["d", "e"]}, {})
    evaluate = Asked({"a": 0.1, "b": 0.1, "c": round(edition.uniform(0.2, 0.9), 2)})
    # Simulations: s0; a; b; c by one way; then with a large c always the way less taken: d and e by both ways.
    _, q, n = student.search_with_tables(game, "s0", 7, 50.0, student.rng(edition.getrandbits(30)), evaluate)
    assert evaluate.states.count("c") == 1 and len(evaluate.states) == 4
    assert n == {"s0": {0: 3, 1: 3}, "a": {0: 2}, "b": {0: 2}, "c": {0: 2, 1: 1}} or n == {
        "s0": {0: 3, 1: 3}, "a": {0: 2}, "b": {0: 2}, "c": {0: 1, 1: 2}
    }  # fmt: skip
    assert set(q) == set(n)


@pytest.mark.hint("where does your function keep what it knows: in the tables that it is given, or elsewhere as well?")
def test_tables_of_two_searches_are_apart(student, edition):
    """a second search with new tables begins without what the first one found"""
    simulations = edition.randint(4, 9)
    for _ in range(2):
        _, _, n = student.search_with_tables(LINE, "s0", simulations, 1.0, student.rng(1), student.answers())
        assert n == {f"s{ply}": {0: simulations - 1 - ply} for ply in range(simulations)}
