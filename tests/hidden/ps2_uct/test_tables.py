"""2.10: the same search as one recursive function over tables."""

import math
from random import Random
from typing import Any

import pytest

from arena.games import FIVE_SIMULATIONS, TicTacToe, ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.choices import telling_cases
from tests.hidden.laws import near
from tests.hidden.ps2_uct.drawn import fork
from tests.hidden.ps2_uct.oracle import Asked, draw_fan, finished, recognise_choice, upper_bounds

pytestmark = pytest.mark.exercise("2.10")

GAME = TicTacToe()
LINE = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(12)}, {"s12": -1.0})
THREE = ToyGame({"s0": ["a", "b", "c"], "a": ["d"], "b": ["e"], "c": ["f"]}, {})


def simulate(
    student: Any, game: Any, state: Any, tables: tuple[dict, dict], evaluate: Any, c: float = 1.0, seed: int = 1
) -> float:
    """One simulation from tables that were filled before."""
    return student.recursive_search(game, state, *tables, c, student.rng(seed), evaluate)


@pytest.mark.hint("which of the two negates: the function, or its caller?")
def test_a_new_state_is_evaluated_for_its_own_player(student, edition):
    """a state that is not in the tables yet gets the value of `evaluate`, which is called once

    Promised: Not in the tables yet: entries of 0.0 and 0 for every legal action, and evaluate(state).
    """
    value = round(edition.uniform(-1, 1), 3)
    state = f"s{edition.randrange(12)}"
    evaluate = Asked({state: value}, other=7.0)
    got = simulate(student, LINE, state, ({}, {}), evaluate)
    if got != near(value):
        recognise(got, {"Which of the two negates: the function, or its caller?": -value})
    ask("a new state: does the simulation end there, or choose an action and go on?")
    assert got == near(value)
    ask("how often do you call `evaluate` for a new state?")
    assert evaluate.states == [state]
    again = Asked({state: 0.0}, other=7.0)
    got = simulate(student, LINE, state, ({}, {}), again)
    ask("`evaluate` answers 0: is 0 a value?" if again.states == [state] else
        "in other tables the state is new: does your function know anything of an earlier call?")  # fmt: skip
    assert got == 0.0


@pytest.mark.hint("which entries of Q and N does a new state get, and for which actions?")
def test_a_new_state_gets_an_entry_for_every_legal_action(student, edition):
    """a new state gets mean 0 and count 0 for every legal action, and no other entry changes

    Promised: Not in the tables yet: entries of 0.0 and 0 for every legal action, and evaluate(state).
    """
    value = round(edition.uniform(0.1, 1), 3)
    gaps = fork(edition, 3)
    cases = [(THREE, "s0", [0, 1, 2]), (THREE, "a", [0]), (gaps, gaps.start(), gaps.legal_actions(gaps.start()))]
    for game, state, legal in cases:
        tables = student.keep({}), student.keep({})
        simulate(student, game, state, tables, student.answers(other=value))
        q, n = student.read(tables[0]), student.read(tables[1])
        recognise((q, n), {"Do you fill the given tables, or other tables?": ({}, {})})
        assert (q, n) == ({state: dict.fromkeys(legal, 0.0)}, {state: dict.fromkeys(legal, 0)})
    _, q, n = student.search_with_tables(THREE, "s0", 1, 1.0, student.rng(1), Asked(other=value))
    assert (q, n) == ({"s0": {0: 0.0, 1: 0.0, 2: 0.0}}, {"s0": {0: 0, 1: 0, 2: 0}})


@pytest.mark.hint("what is a finished game worth, and for which player?")
def test_a_finished_game_is_worth_its_outcome(student, edition):
    """when the game is over the value is the outcome for the player to move, and no entry is made

    Promised: Game over: the outcome, and no entry.
    """
    evaluate = Asked(other=5.0)
    earlier = None
    for value in (1.0, -0.95, round(edition.uniform(0.1, 0.9), 3), -1.0, 0.0):
        got = simulate(student, ToyGame({"s0": ["s1"]}, {"s1": value}), "s1", ({}, {}), evaluate)
        if value and got != near(value):
            recognise(got, {
                "Two games may have states of the same name: is this the outcome in this game, or in an earlier one?": earlier,
                "The outcome is for the player to move: does the function negate it, or its caller?": -value,
                "The game is over and its outcome is known: do you still call `evaluate`?": 5.0,
            })  # fmt: skip
        ask("what is a finished game worth, and for whom?" if value else "does a draw end a game, and what is it worth?")
        assert got == near(value)
        earlier = value
    ask("what is a finished game worth, won or drawn?")
    for value in (0.0, -1.0):
        assert simulate(student, GAME, finished(edition, value), ({}, {}), evaluate) == value
    ask("the game is over and its outcome is known: do you still call `evaluate`?")
    assert evaluate.states == []
    ask("which states get an entry: also states where the game is over?")
    q, n = student.keep({"s0": {0: 0.0}}), student.keep({"s0": {0: 3}})
    simulate(student, ToyGame({"s0": ["s1"]}, {"s1": 1.0}), "s0", (q, n), evaluate)
    assert set(student.read(q)) == set(student.read(n)) == {"s0"}


@pytest.mark.hint("the value from the state below is for the player there: how often do you negate it on the way up?")
def test_the_caller_negates_what_comes_back(student, edition):
    """the returned value is for the player to move at the given state, at any depth

    Promised: Returns the value for the player to move at `state`; the caller negates it.
    """
    value = round(edition.uniform(0.1, 1), 3)
    for plies in (1, 2, edition.choice([3, 5]), edition.choice([4, 6])):
        q = {f"s{ply}": {0: round(edition.uniform(-1, 1), 2)} for ply in range(plies)}
        n = {f"s{ply}": {0: 20 - ply} for ply in range(plies)}
        evaluate = Asked({f"s{plies}": value}, other=7.0)
        got, wanted = simulate(student, LINE, "s0", (q, n), evaluate), value * (-1) ** plies
        if got != near(wanted):
            mean, visits = q["s0"][0], n["s0"][0]
            recognise(got, {"Do you return the mean, or this simulation's value?": (mean * visits + wanted) / (visits + 1)})
            known = evaluate.states in [[state] for state in q]
            recognise(known, {"A state on the way is already in the tables: do you treat it as a new state?": True})
        ask("the value from the state below is for the player there: do you negate it once at every ply?")
        assert got == near(wanted)
        ask("do you call `evaluate` for new states only?")
        assert evaluate.states == [f"s{plies}"]
    first, evaluate = edition.choice([8, 9, 10]), Asked(other=5.0)  # the end of the game: an outcome instead
    q = {f"s{ply}": {0: 0.25} for ply in range(first, 12)}
    n = {f"s{ply}": {0: 20 - ply} for ply in range(first, 12)}
    ask("the outcome below is for the player there: do you negate it once at every ply?")
    assert simulate(student, LINE, f"s{first}", (q, n), evaluate) == -1.0 * (-1) ** (12 - first)
    assert evaluate.states == []


@pytest.mark.hint("one more result comes: by how much does the mean change, and does N count this result already?")
def test_one_result_moves_one_count_and_one_mean(student, edition):
    """the count of the taken action grows by one, and its mean becomes the mean of all results, the new one included

    Promised: Its N grows by 1 and its Q becomes the mean.
    """
    mean, result = round(edition.uniform(-0.4, 0.4), 2), edition.choice([-1.0, 1.0])
    for visits in (edition.randint(60, 90), 1):
        q, n = student.keep({"s0": {0: mean}}), student.keep({"s0": {0: visits}})
        simulate(student, LINE, "s0", (q, n), student.answers(other=-result))
        counts, means = student.read(n), student.read(q)
        assert type(counts) is dict and type(means) is dict
        row = means.get("s0")
        assert type(row) is dict
        ask("which count grows by one after a simulation?")
        assert counts.get("s0") == {0: visits + 1}
        ask("does every state have its own row in the tables?")
        assert counts.get("s1") == {0: 0}
        if row != near({0: (mean * visits + result) / (visits + 1)}):
            recognise(list(row.values()), {
                "Do you raise the count before or after you change the mean?": [mean + (result - mean) / visits],
                "Is Q a sum of results, or their mean?": [mean + result],
                "Does the mean hold all results so far, or only the last one?": [result],
                "Does the mean change when a result comes?": [mean],
                "The value from below is for the other player: with which sign does it count in Q?":
                    [mean - (result + mean) / (visits + 1)],
            })  # fmt: skip
        ask("one more result comes: by how much does the mean change, and does N count this result already?")
        assert row == near({0: (mean * visits + result) / (visits + 1)})
    ask("does each result count as it is, also one above 1 or below -1?")
    q, n = student.keep({"s0": {0: 15.0}}), student.keep({"s0": {0: 4}})
    simulate(student, LINE, "s0", (q, n), student.answers(other=-20.0))
    assert student.read(q).get("s0") == near({0: 16.0})


@pytest.mark.hint("how large is the bound of an action about which nothing is known?")
def test_untried_actions_come_first_in_random_order(student, edition):
    """an action that was never taken comes before any other, and rng draws among several such actions

    Promised: Else take one action: an untried action first, otherwise an action with the highest bound.
    """
    known, won = edition.sample(range(3), 2)
    game = ToyGame({"s0": ["a", "b", "c"]} | {"abc"[action]: ["end"] for action in range(3) if action != won}, {"abc"[won]: -1.0})
    n = {"s0": {action: 50 if action == known else 0 for action in range(3)}}
    evaluate = Asked()
    rng = student.rng(edition.getrandbits(30))
    calls = [(game, "s0", {"s0": {action: mean if action == known else 0.0 for action in range(3)}}, n,
              edition.choice([0.0, 1.0]), rng, evaluate) for mean in [0.9, 5000.0] * 20]
    values = student.many("recursive_search", calls)
    assert "abc"[known] not in evaluate.states
    ask("several actions were never taken: can each of them be the next, and does rng decide?")
    assert sorted(set(values)) == [0.0, 1.0]  # the win and the other action: by chance one of them is missed once in 5e11 tries
    assert evaluate.states == ["abc"[3 - known - won]] * values.count(0.0)


@pytest.mark.hint("which logarithm, of which number, under which root, and with which sign?")
def test_the_highest_bound_is_taken(student, edition):
    """among tried actions the one with the highest Q + c sqrt(ln(sum of N[s]) / N[s][a]) is taken

    Promised: the bound of an action is Q[s][a] + c sqrt(ln(sum of N[s]) / N[s][a]).
    """

    def draw(edition: Random, most: tuple[int, ...] = (2, 2, 7)) -> tuple:
        most = edition.choice(most)  # few visits show the difference between the logarithms of n and of n + 1
        counts = [edition.randint(1, most) for _ in range(3)]
        return counts, [round(edition.uniform(-1, 1), 2) for _ in counts], edition.choice([0.0, 0.4, 0.7, 1.0, 1.4, 2.5])

    def bounds(counts, means, c, log=math.log, inside=1.0, plus=0):
        return [m + c * math.sqrt(inside * log(sum(counts) + plus) / k) for m, k in zip(means, counts, strict=True)]

    mistakes = {
        "For whom is Q[s][a]: do you change its sign again?": lambda counts, means, c: bounds(counts, [-m for m in means], c),
        "Where is the bonus?": lambda counts, means, c: bounds(counts, means, 0.0),
        "Which c do you use: the given one?": lambda counts, means, c: bounds(counts, means, 1.0),
        "ln is a logarithm: to which base?": lambda counts, means, c: bounds(counts, means, c, log=math.log10),
        "Is ln the logarithm to base 2?": lambda counts, means, c: bounds(counts, means, c, log=math.log2),
        "What is under the root: the number of actions, or a logarithm of visits?":
            lambda counts, means, c: bounds(counts, means, c, log=lambda n: len(counts)),
        "Do you choose the lowest bound?": lambda counts, means, c: [-b for b in bounds(counts, means, c)],
        "Where is the logarithm?": lambda counts, means, c: bounds(counts, means, c, log=lambda n: n),
        "The logarithm of which number: of the visits here, or of the states in the table?":
            lambda counts, means, c: bounds(counts, means, c, log=lambda n: math.log(2)),
        "The logarithm of which number: of the visits here, or of the states in the table plus one?":
            lambda counts, means, c: bounds(counts, means, c, log=lambda n: math.log(3)),
        "Is there a factor under your root that the formula does not have?":
            lambda counts, means, c: bounds(counts, means, c, inside=2.0),
        "Under the logarithm: the sum of the counts, or one more?": lambda counts, means, c: bounds(counts, means, c, plus=1),
        "What does c multiply: the whole bonus, or the part under the root?":
            lambda counts, means, c: bounds(counts, means, c**0.5),
        "Under the logarithm: the visits of this action, or of all actions together?":
            lambda counts, means, c: [m + c * math.sqrt(math.log(k) / k) for m, k in zip(means, counts, strict=True)],
        "Is Q already a mean, or do you divide it again?":
            lambda counts, means, c: bounds(counts, [m / k for m, k in zip(means, counts, strict=True)], c),
        "Is this the bound of this exercise, or the bound of a later set?":
            lambda counts, means, c: [m + c * math.sqrt(sum(counts)) / (1 + k) for m, k in zip(means, counts, strict=True)],
    }  # fmt: skip
    cases = telling_cases(edition, draw, upper_bounds, mistakes)
    evaluate, rng = Asked(), student.rng(edition.getrandbits(30))

    game = ToyGame({"above": ["s0"], "s0": ["a", "b", "c"], "a": ["d"], "b": ["e"], "c": ["f"]}, {}, start="above")

    def choose(cases: list[tuple], state: str = "s0") -> list[int]:
        """The action that is taken at s0 with these counts and means, in a simulation that begins there or above."""
        before, calls = len(evaluate.states), []
        for counts, means, c in cases:
            tables = {"above": {0: 0.5}, "s0": dict(enumerate(means))}, {"above": {0: 9}, "s0": dict(enumerate(counts))}
            calls.append((game, state, *tables, c, rng, evaluate))
        student.many("recursive_search", calls)
        return ["abc".find(str(asked)) for asked in evaluate.states[before:]]

    inputs, wanted = [case for case, _ in cases], [best for _, best in cases]
    chosen = choose(inputs)
    if chosen != wanted and len(chosen) == len(wanted):
        recognise_choice(edition, lambda edition: draw(edition, (2, 7, 20, 60)), mistakes, choose)
    assert chosen == wanted
    ask("can a bound be below zero, and do you compare such a bound like any other?")
    best = edition.randrange(3)
    # Every action loses, one of them least: all bounds are below zero. Means may be of any size.
    for low, ahead, c in ((-0.8, 0.2, 0.1), (-300.0, 1.0, 0.1), (-0.8, 1e-4, 0.1), (-1e-9, 1e-9, 0.0)):
        means = [low + ahead if action == best else low for action in range(3)]
        assert choose([([10, 10, 10], means, c)] * 20) == [best] * 20
        if low == -300.0:
            ask("two bounds are close together: do you compare them without rounding?")
    ask("which exploration does your recursive call get?")
    assert choose(inputs, "above") == wanted


@pytest.mark.hint("two bounds are equal and the highest: can each of these actions be taken, and does rng decide?")
def test_equal_bounds_are_broken_by_rng(student, edition):
    """among equal bounds each action comes up, and the same rng repeats the choice

    Promised: rng: draws among untried actions, and among equal bounds.
    """
    q, seed = {"s0": {0: 0.5, 1: -0.5, 2: 0.5}}, edition.getrandbits(30)

    def taken(counts: tuple[int, int, int] = (3, 3, 3), c: float = 1.0) -> list[float]:
        evaluate, rng, n = student.answers({"a": 0.25, "b": 0.5, "c": 0.75}), student.rng(seed), {"s0": dict(enumerate(counts))}
        return [abs(value) for value in student.many("recursive_search", [(THREE, "s0", q, n, c, rng, evaluate)] * 40)]

    first = taken()
    assert set(first) == {0.25, 0.75}  # by chance one of them is missed once in 5e11 tries
    ask("with c = 0 two bounds are equal: do you let the counts decide between these actions?")
    assert set(taken((2, 5, 9), 0.0)) == {0.25, 0.75}
    ask("what decides between equal bounds: the given rng, and nothing else?")
    assert first == taken()


@pytest.mark.hint("what is the key of an entry in the table: the state, or the way to the state?")
def test_two_orders_of_the_same_moves_share_an_entry(student, edition):
    """a state reached in two ways has one entry, and both ways fill and read this entry

    Promised: In a tree these are different nodes; a table has one entry. Results from one path help on the other path.
    """
    #   s0 -> a, b;   a -> c;   b -> c;   c -> d, e;  the end
    game = ToyGame({"s0": ["a", "b"], "a": ["c"], "b": ["c"], "c": ["d", "e"]}, {})
    evaluate = Asked({"a": 0.1, "b": 0.1, "c": round(edition.uniform(0.2, 0.9), 2)})
    # Simulations: s0; a; b; c by one way; then with a large c always the less taken way: d and e by both ways.
    _, q, n = student.search_with_tables(game, "s0", 7, 50.0, student.rng(edition.getrandbits(30)), evaluate)
    assert evaluate.states.count("c") == 1 and len(evaluate.states) == 4
    assert n == {"s0": {0: 3, 1: 3}, "a": {0: 2}, "b": {0: 2}, "c": {0: 2, 1: 1}} or n == {
        "s0": {0: 3, 1: 3}, "a": {0: 2}, "b": {0: 2}, "c": {0: 1, 1: 2}
    }  # fmt: skip
    assert set(q) == set(n)


@pytest.mark.hint("where does your function keep its results: only in the given tables, or somewhere else too?")
def test_tables_of_two_searches_are_apart(student, edition):
    """a second search with new tables knows nothing of the first search

    Promised: Nothing is stored outside Q and N.
    """
    simulations = edition.randint(4, 9)
    for _ in range(2):
        _, _, n = student.search_with_tables(LINE, "s0", simulations, 1.0, student.rng(1), student.answers())
        assert n == {f"s{ply}": {0: simulations - 1 - ply} for ply in range(simulations)}


@pytest.mark.hint("does each simulation add one new state, and count once at every state above it?")
def test_one_simulation_more_gives_the_counts_of_the_tree(student, edition):
    """six simulations on the lesson's toy tree make the same counts as five simulations over nodes, for any c

    Promised: Else take one action: an untried action first, otherwise an action with the highest bound. Its N grows by 1
    and its Q becomes the mean.
    """
    #   over nodes: s1 1, 20;  s2 4, 38;  s5 2, -28;  s6 1, 0
    simulations = edition.randint(12, 30)
    for c in (0.0, 1.0, edition.uniform(0, 20)):
        ask("does each simulation add one new state, and count once at every state above it?")
        evaluate = student.answers({"s1": 20.0, "s2": 10.0}, other=0.5)
        action, q, n = student.search_with_tables(FIVE_SIMULATIONS, "s0", 6, c, student.rng(edition.getrandbits(30)), evaluate)
        assert (action, n) == (1, {"s0": {0: 1, 1: 4}, "s1": {0: 0, 1: 0}, "s2": {0: 2, 1: 1}})
        assert set(q) == {"s0", "s1", "s2"}
        ask("does each result count as it is, also one above 1 or below -1?")
        assert q["s0"] == near({0: -20.0, 1: -9.5}) and q["s2"] == near({0: 14.0, 1: 0.0})
        assert q["s1"] == {0: 0.0, 1: 0.0}
    ask("which states get an entry: also states where the game is over?")
    _, q, n = student.search_with_tables(FIVE_SIMULATIONS, "s0", simulations, 1.0, student.rng(1), Asked(other=5.0))
    assert set(q) == {"s0", "s1", "s2"} and set(n) == set(q)


@pytest.mark.hint("at every state on the way: which action do you take, and does its mean change together with its count?")
def test_q_is_the_mean_of_all_results(student, edition):
    """each Q is the mean of the results through its action, for the player who chooses the action

    Promised: Q: Q[s][a], the mean result of action a at s, for the player to move at s;
    """
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
