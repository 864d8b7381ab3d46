"""4.3: one simulation over tables."""

from functools import partial
from typing import Any

import pytest

from arena.games import IllegalMove, ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from autograder.sandbox.table_game import TableGame
from tests.hidden.laws import near
from tests.hidden.ps4_puct.oracle import (
    BOARD,
    OTHELLO,
    PASS,
    Evaluate,
    Evaluator,
    Tables,
    draw_toy,
    fan,
    line,
    opinion,
    othello_pass,
    random_game,
    searched,
)

#        s0 (.1)               priors .6 .4 at s0, .7 .3 at s1, .2 .8 at s2;
#       /       \              s3 is a draw, s4 won, s5 lost, s6 won for the player to move there
#    s1 (-.5)   s2 (.3)
#    /    \     /    \
#   s3    s4   s5    s6
HAND = ToyGame({"s0": ["s1", "s2"], "s1": ["s3", "s4"], "s2": ["s5", "s6"]}, {"s4": 1.0, "s5": -1.0, "s6": 1.0})
EVALUATIONS = {"s0": ({0: 0.6, 1: 0.4}, 0.1), "s1": ({0: 0.7, 1: 0.3}, -0.5), "s2": ({0: 0.2, 1: 0.8}, 0.3)}

MANY = [f"r{place}" for place in range(2100)]
WIDE = ToyGame({"top": MANY} | {root: ["end"] for root in MANY}, {"end": -1.0}, start="top")


def evaluator_of(table: dict) -> Evaluator:
    """The answer of `evaluate` from a table. It can be pickled: one search is drawn once for a class."""
    return partial(_evaluation_of, table)


def _evaluation_of(table: dict, state: Any) -> tuple[dict[int, float], float]:
    priors, value = table[state]
    return dict(priors), value


def simulate(student: Any, game: Any, evaluate: Any, roots: list[Any], c: float = 1.5, seed: int = 1) -> tuple[Any, list[float]]:
    """One simulation from each of `roots`: the submission's object and the values that it returned."""
    mcts, rng = student.MCTS(game, evaluate, c), student.rng(seed)
    return mcts, student.many_of(mcts, "search", [(root, rng) for root in roots])


def same_tables(mcts: Any, right: Tables) -> None:
    assert mcts.N == right.N
    got = mcts.Q
    assert set(got) == set(right.Q)
    for state, row in right.Q.items():
        assert got[state] == near(row)
    priors = mcts.P
    assert set(priors) == set(right.P)
    for state, row in right.P.items():
        assert priors[state] == near(row)


@pytest.mark.exercise("4.3")
@pytest.mark.hint("where do you make the tables: once for the class, or for each object?")
def test_a_new_search_begins_with_empty_tables(student, edition):
    """the searches of one MCTS are not in the tables of another, and the other calls its own network

    Promised: Each object has its own tables, empty at first.
    """
    value = round(edition.uniform(0.1, 0.9), 3)
    (mcts, _), other = simulate(student, HAND, Evaluate(EVALUATIONS), ["s0"] * 2), Evaluate({"s0": ({0: 0.5, 1: 0.5}, value)})
    assert "s0" in mcts.P
    fresh = student.MCTS(HAND, other)
    assert (fresh.outcomes, fresh.Q, fresh.N, fresh.P) == ({}, {}, {}, {})
    fresh.search("s0", student.rng(1))
    ask("does each MCTS object have its own tables, and its own answers of the network?")
    assert other.states[:1] == ["s0"]


@pytest.mark.exercise("4.3")
@pytest.mark.hint("what does the first simulation at a state return, and what does it store?")
def test_a_new_state_is_evaluated_once_and_gets_its_rows(student, edition):
    """a new state is evaluated once, its value is returned unchanged, and its rows are 0.0, 0 and the priors

    Promised: A state without rows: it is evaluated once, gets rows of Q = 0.0, N = 0 and the priors, and its value is
    returned.
    """
    priors, drawn_value = {0: 0.25, 1: 0.75}, edition.uniform(0.1, 0.9) * edition.choice([-1, 1])
    game = fan({"a": -1.0, "b": 0.5})
    for value in (drawn_value, 0.0):
        evaluate = Evaluate({"s0": (priors, value)})
        mcts, values = simulate(student, game, evaluate, ["s0"])
        if not value:
            ask("the network's value is 0: is 0 a value like any other?")
        else:
            recognise(values, {"Which of the two negates: the function, or its caller?": [-value]})
            ask("the first simulation at a state: do you return the value of evaluate, and nothing else?")
        assert values == near([value])
        assert evaluate.states == ["s0"]
        if value:
            visited = sum(mcts.N.get("s0", {}).values())
            recognise(visited, {"Does the first simulation at a state choose an action there?": 1})
            ask("with which mean and how many visits does an action begin?")
        assert (mcts.Q, mcts.N, mcts.P) == ({"s0": {0: 0.0, 1: 0.0}}, {"s0": {0: 0, 1: 0}}, {"s0": priors})
        ask("which states are in `outcomes`: all states that were met, or only the finished ones?")
        assert mcts.outcomes == {"s0": None}


@pytest.mark.exercise("4.3")
@pytest.mark.hint("what is a finished game worth, for whom, and what do you store of it?")
def test_a_finished_game_is_worth_its_outcome(student, edition):
    """when the game is over the value is the outcome for the player to move, also a draw, and nothing is evaluated

    Promised: Game over: its outcome, and nothing is evaluated.
    """
    for value in (1.0, -1.0, 0.5, 0.0):
        evaluate, game = Evaluate({"s0": ({0: 1.0}, 0.3)}), line(1, value)
        mcts, values = simulate(student, game, evaluate, ["s1", "s1", "s0", "s0", "s0"])
        ask("the game is over: do you still call the network?")
        assert "s1" not in evaluate.states
        ask("what is a finished game worth, and for whom?" if value else "is a draw an outcome like the others, and worth 0?")
        assert values[:2] == near([value, value])
        ask("what does the first simulation at a state return, also when a single action is legal?")
        assert values[2] == near(0.3)
        if value and values[3:] == near([value, value]):
            ask("who is to move below, and which function negates the returned value?")
        else:
            ask("the game is over below: which value comes back from there?" if value else
                "is a draw worth 0, for either player?")  # fmt: skip
        assert values[3:] == near([-value, -value])
        assert evaluate.states == ["s0"]
        ask("what is the key of a state in the tables: the state, or the way to it?")
        assert set(mcts.outcomes) == {"s0", "s1"}
        ask("what do the tables hold of a state where the game is over?")
        assert mcts.outcomes == {"s0": None, "s1": value}
        assert (set(mcts.N), set(mcts.Q), set(mcts.P)) == ({"s0"}, {"s0"}, {"s0"})
        ask("which count grows by one, and in which simulations?")
        assert mcts.N == {"s0": {0: 2}}
        ask("for whom is Q: for the player who chooses there, or for the player to move below?")
        if mcts.Q["s0"] != near({0: value}):
            ask("Q is the mean of which results?")
        assert mcts.Q["s0"] == near({0: -value})


def counted_late(results: list[float]) -> float:
    """The mean that results if the count of an action grows after its mean has changed."""
    mean = 0.0
    for visits, value in enumerate(results):
        mean += (value - mean) / max(1, visits)
    return mean


@pytest.mark.exercise("4.3")
@pytest.mark.hint("whose value comes back from the state below?")
def test_the_sign_flips_at_every_ply(student, edition):
    """a value changes its sign at every ply on the way up, at even and at odd depths

    Promised: Run ONE simulation from `state` and return its value for the player to move at `state`.
    """
    for plies in (edition.randint(5, 8), edition.randint(5, 8)):
        value = round(edition.uniform(0.1, 0.9), 3)
        evaluations = {f"s{ply}": ({0: 1.0}, value) for ply in range(plies)}
        mcts, values = simulate(student, line(plies, 1.0), Evaluate(evaluations), ["s0"] * (plies + 1))
        ask("what do you return: the result of this one simulation, with a new sign at every ply?")
        assert values == near([value * (-1) ** ply for ply in range(plies)] + [(-1) ** plies])
        at = {
            f"s{ply}": [value * (-1) ** depth for depth in range(1, plies - ply)] + [(-1) ** (plies - ply)]
            for ply in range(plies)
        }
        got = mcts.Q
        ask("Q is the mean of which results, and which count divides its step?")
        assert set(got) == set(at)
        recognise([row.get(0, 0.0) for row in map(got.get, at)], {
            hint: [wrong(results) for results in at.values()] for hint, wrong in {
                "A change of the mean is divided by a count: does the count include this visit?": counted_late,
                "Is Q a mean, or a sum?": sum,
                "Is Q the mean of all results, or the last result?": lambda results: results[-1],
                "Which results are in a mean: also the evaluation of the state itself?":
                    lambda results: (value + sum(results)) / (1 + len(results)),
            }.items()
        } if any(got[state] != near({0: sum(results) / len(results)}) for state, results in at.items()) else {})  # fmt: skip
        for state, results in at.items():
            assert got[state] == near({0: sum(results) / len(results)})
    plies = edition.randint(130, 150)  # every state has rows, from the last one up; then one simulation goes down to the end
    mcts, values = simulate(student, line(plies), Evaluate({}), [*(f"s{ply}" for ply in reversed(range(plies))), "s0"])
    ask("how deep can a simulation go?")
    recognise(values[-1], {"A simulation begins at another state: do you still have the earlier tables?": -0.777})
    assert values == near([0.777] * plies + [-1.0 * (-1) ** plies])
    assert mcts.Q == {f"s{ply}": {0: -1.0 * (-1) ** (plies - ply)} for ply in range(plies)}


@pytest.mark.exercise("4.3")
@pytest.mark.hint("which action is next: from which rows, of which state, do you compute its score?")
def test_the_tables_found_by_hand(student):
    """six simulations on a toy game return and store the values computed by hand

    Promised: Else the best action by `puct` (ties by rng) is taken, its N grows by 1 and its Q becomes the mean.
    """
    #   s0; s1 (-.5, so +.5); s1, s3, a draw; s2 (.3, so -.3); s1, s3 again; s1, s4, won for its mover: -1, so +1
    evaluate = Evaluate(EVALUATIONS)
    mcts, values = simulate(student, HAND, evaluate, ["s0"] * 6)
    right, wanted = searched(HAND, evaluator_of(EVALUATIONS), 1.5, ["s0"] * 6)
    assert wanted == near([0.1, 0.5, 0.0, -0.3, 0.0, 1.0])  # by hand
    if values != near(wanted):
        recognise(values, {"What chooses the next action: only the prior, or the score?": [0.1, 0.5, 0.0, 0.0, 0.0, 0.0]})
    assert values == near(wanted)
    ask("in each simulation: which action comes next, by which priors, and which count and mean change?")
    assert mcts.N == right.N == {"s0": {0: 4, 1: 1}, "s1": {0: 2, 1: 1}, "s2": {0: 0, 1: 0}}
    assert evaluate.states == ["s0", "s1", "s2"]
    same_tables(mcts, right)


@pytest.mark.exercise("4.3")
@pytest.mark.hint("what does one simulation leave for the next one?")
def test_simulations_go_where_the_score_is_highest(student, edition):
    """after many simulations Q, N, P and the order of evaluation are those of PUCT, for every c

    Promised: Else the best action by `puct` (ties by rng) is taken, its N grows by 1 and its Q becomes the mean.
    """
    for c in (1.5, 0.4, 4.0):
        known = None
        while known is None:
            game, evaluations = draw_toy(edition)
            roots = [game.start()] * edition.randint(30, 45)
            known = searched(game, evaluator_of(evaluations), c, roots)
        right, wanted = known
        evaluate = Evaluate(evaluations)
        ask("which action is next, and which values of one simulation does the next one need for this?" if c == 1.5 else
            "Which c is in the scores: the object's own c?")  # fmt: skip
        mcts, values = simulate(student, game, evaluate, roots, c)
        assert values == near(wanted)
        assert evaluate.states == right.asked
        same_tables(mcts, right)
        ask("which states are in `outcomes`, and how long do they stay there?")
        assert mcts.outcomes == right.outcomes


@pytest.mark.exercise("4.3")
@pytest.mark.hint("what is the key of a row: the state, or the way to it?")
def test_two_ways_to_a_state_share_its_rows(student, edition):
    """a state that is reached in two ways is evaluated once and has one row

    Promised: A state without rows: it is evaluated once, gets rows of Q = 0.0, N = 0 and the priors, and its value is
    returned.
    """
    #   s0 -> a, b;   a -> c;   b -> c;   c -> d, e;  the end
    game = ToyGame({"s0": ["a", "b"], "a": ["c"], "b": ["c"], "c": ["d", "e"]}, {"d": 1.0, "e": -1.0})
    known = None
    while known is None:
        share = edition.choice([edition.uniform(0.2, 0.25), edition.uniform(0.75, 0.8)])  # one way is there much earlier
        evaluations = {
            "s0": ({0: share, 1: 1 - share}, 0.0), "a": ({0: 1.0}, 0.05), "b": ({0: 1.0}, 0.0), "c": ({0: 0.7, 1: 0.3}, 0.1),
        }  # fmt: skip
        roots = ["s0"] * edition.randint(18, 24)
        known = searched(game, evaluator_of(evaluations), 3.0, roots)
        if known is not None and min(known[0].N["s0"].values()) < 3:
            known = None
    right, wanted = known
    evaluate = Evaluate(evaluations)
    mcts, values = simulate(student, game, evaluate, roots, 3.0)
    assert values == near(wanted)
    assert evaluate.states.count("c") == 1
    same_tables(mcts, right)


@pytest.mark.exercise("4.3")
@pytest.mark.hint("the next move begins further down: do you still have the earlier tables?")
def test_the_tables_stay_when_the_game_goes_on(student, edition):
    """a search from a later state goes on with the rows that it has, and the earlier rows stay

    Promised: Search over tables that stay filled from move to move of one game.
    """
    known = None
    while known is None:
        game, evaluations = draw_toy(edition)
        root = game.start()
        below = game.play(root, 0)
        roots = [root] * 12 + [below] * edition.randint(6, 9) + [root] * 3
        known = searched(game, evaluator_of(evaluations), 1.5, roots)
        if known is not None and game.outcome(below) is not None:
            known = None
    right, wanted = known
    evaluate = Evaluate(evaluations)
    mcts, values = simulate(student, game, evaluate, roots)
    assert values == near(wanted)
    assert evaluate.states == right.asked
    same_tables(mcts, right)
    _, values = simulate(student, WIDE, student.answers({}, ({0: 1.0}, 0.25)), [*MANY, MANY[0], MANY[-1]])
    ask("thousands of states have rows: are the rows of the first one still there?")
    assert values == near([0.25] * len(MANY) + [1.0, 1.0])


@pytest.mark.exercise("4.3")
@pytest.mark.hint("what is the key of a state in the tables: the state itself, or its text?")
def test_states_that_print_alike_are_two(student, edition):
    """two states with the same text are two states, each with its own rows

    Promised: Q, N, P: {state: {legal action: ...}}, for every state that was evaluated: mean result, visits, prior.
    """
    table = {"a": (0, {0: "lost"}, None), "b": (0, {0: "won"}, None), "won": (1, {}, -1.0), "lost": (1, {}, 1.0)}
    game = TableGame(table | {"s0": (1, {0: "a", 1: "b"}, None)}, "s0", 2, dict.fromkeys("ab", "alike"), IllegalMove)
    evaluate = Evaluate({"a": ({0: 1.0}, 0.3), "b": ({0: 1.0}, -0.6)})
    mcts, values = simulate(student, game, evaluate, ["a", "a", "b", "b"])
    assert set(mcts.P) == {"a", "b"}
    assert values == near([0.3, -1.0, -0.6, 1.0])


@pytest.mark.exercise("4.3")
@pytest.mark.hint("is a pass a ply like any other: evaluated when it is new, with rows, a visit and a change of sign?")
def test_a_pass_is_a_ply_like_any_other(student, edition):
    """around a pass the search goes on as after any other ply: the other player is to move, and the value changes its sign

    Promised: Every ply passes the turn to the other player, a pass too.
    Promised: Run ONE simulation from `state` and return its value for the player to move at `state`.
    """
    known = None
    while known is None:
        states, actions, ply = othello_pass(edition)
        evaluation_of = opinion(OTHELLO, edition.getrandbits(30))
        roots = [states[ply]] * 6 + [states[ply - 1]] * 12
        known = searched(OTHELLO, evaluation_of, 1.5, roots)
    right, wanted = known
    evaluate = Evaluate(evaluation_of)
    mcts, values = simulate(student, OTHELLO, evaluate, roots)
    assert values == near(wanted)
    assert evaluate.states == right.asked
    ask("which actions are the keys of a row: is the pass one of them?")
    assert mcts.N == right.N and right.N[states[ply]] == {PASS: sum(right.N[states[ply]].values())}


@pytest.mark.exercise("4.3")
@pytest.mark.hint("which question can a table answer without a call of the game?")
def test_the_outcome_of_a_state_is_asked_once(student, edition):
    """the game is asked for a state's outcome when the state is met first, and never again

    Promised: The game is asked for the outcome of a state only once.
    """
    states, _ = random_game(edition, BOARD)
    game, evaluation_of = student.watch(BOARD), opinion(BOARD, edition.getrandbits(30))
    evaluate = Evaluate(lambda token: evaluation_of(game.state(token)))
    simulate(student, game, evaluate, [game.token(states[len(states) - 4])] * 40)
    asked = [state for method, state, _ in game.calls if method == "outcome"]
    assert len(asked) == len(set(asked))
    short = student.watch(line(1))  # every simulation but the first meets this end
    simulate(student, short, Evaluate(lambda token: ({0: 1.0}, 0.0)), [short.token("s0")] * 4)
    assert [state for method, state, _ in short.calls if method == "outcome"] == ["s0", "s1"]
    assert len({game.state(token) for token in evaluate.states}) == len(evaluate.states)


@pytest.mark.exercise("4.3")
@pytest.mark.hint("several actions share the highest score: may each be taken, and which generator decides?")
def test_ties_in_the_search_are_broken_by_rng(student, edition):
    """among equal scores rng decides, with the same seed in the same way, and no other generator is used

    Promised: Else the best action by `puct` (ties by rng) is taken, its N grows by 1 and its Q becomes the mean.
    """
    roots = [f"at{n}" for n in range(32)]
    game = ToyGame({"top": roots} | {root: [f"{root} {action}" for action in range(3)] for root in roots}, {}, start="top")
    before = student.disturb(edition.getrandbits(30))
    seeds, seconds = [edition.getrandbits(30) for _ in roots], []
    for _ in range(2):
        mcts, rngs = student.MCTS(game, student.answers({}, ({0: 0.25, 1: 0.5, 2: 0.5}, 0.0))), map(student.rng, seeds)
        student.many_of(mcts, "search", [(root, rng) for root, rng in zip(roots, rngs) for _ in range(2)])
        N = mcts.N
        seconds.append([[action for action, count in N.get(root, {}).items() if count] for root in roots])
    assert [taken for taken in seconds[0] if taken not in ([1], [2])] == []
    assert [1] in seconds[0] and [2] in seconds[0]  # by chance an action is missed once in 2e9 editions
    ask("does the same rng make the same search?")
    assert seconds[0] == seconds[1]
    ask("which generator decides, and which generators may you not use?")
    assert student.global_state() == before


@pytest.mark.exercise("4.3")
@pytest.mark.hint("where do you make the tables: once for the class, or for each object?")
def test_two_searches_have_tables_of_their_own(student, edition):
    """a second MCTS begins with empty tables, and c is 1.5 when it is not given

    Promised: Each object has its own tables, empty at first. c is the weight of the bonus in `puct`, 1.5 if it is not given.
    """
    known = None
    while known is None:
        game, evaluations = draw_toy(edition)
        roots = [game.start()] * 25
        known = searched(game, evaluator_of(evaluations), 1.5, roots)
    for turn in range(2):
        ask("where do you make the tables: once for the class, or for each object?" if turn else
            "which c does a search have when c is not given?")  # fmt: skip
        evaluate = Evaluate(evaluations)
        mcts, rng = student.MCTS(game, evaluate), student.rng(1)
        assert student.many_of(mcts, "search", [(root, rng) for root in roots]) == near(known[1])
        assert mcts.N == known[0].N
