"""4.5 and 4.6: two players that do not search."""

from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.ps4_puct.oracle import OTHELLO, PASS, Evaluate, fan, opinion, othello, othello_pass

SIX = "abcdef"


def choose(student: Any, kind: str, game: Any, evaluate: Any, state: Any, seed: int = 1, **fields: Any) -> int:
    """The action of a new player of this kind at `state`."""
    return getattr(student, kind)(game, evaluate=evaluate, **fields).choose(state, 50, student.rng(seed))


# -- 4.5 --------------------------------------------------------------------------------------------


@pytest.mark.exercise("4.5")
@pytest.mark.hint("who is to move after your action, and for whom is the network's value?")
def test_the_opponents_value_is_negated(student, edition):
    """the action is played after which the player to move has the lowest value, for both colours

    Promised: Return the action after which the opponent's value is lowest, ties by rng.
    """
    for behind in (0, 1):
        values = {state: round(edition.uniform(-0.9, 0.9), 3) for state in SIX}
        moves = {"s0": list(SIX)} | {state: [f"end {state}"] for state in SIX} | ({"before": ["s0"]} if behind else {})
        game = ToyGame(moves, {}, start="before" if behind else "s0")
        priors = dict.fromkeys(range(6), 1 / 6)
        evaluate = Evaluate({state: ({0: 1.0}, value) for state, value in values.items()} | {"s0": (priors, 0.0)})
        got = choose(student, "ValuePlayer", game, evaluate, "s0")
        right = SIX.index(min(values, key=values.get))
        best_for_them = SIX.index(max(values, key=values.get))
        ask("for which states do you call the network: those after each legal action, and no others?")
        assert sorted(set(evaluate.states) - {"s0"}) == list(SIX)
        ask("who is to move after your action, and for whom is the network's value?")
        if got != right:
            recognise(got, {"Who is to move after your action, and is a high value there good for you?": best_for_them})
        assert got == right


@pytest.mark.exercise("4.5")
@pytest.mark.hint("the game is over: what do you know for certain, and for whom?")
def test_a_finished_game_counts_with_its_outcome(student, edition):
    """an action that ends the game counts with the outcome, also a draw, and the network is not called there

    Promised: A state after an action counts with its outcome if the game is over there (and is not evaluated), else with
    the value of evaluate(state) -> (priors, value).
    """
    #   a won for us (lost for the player to move there); b lost for us; c a draw; d goes on
    turned = "for whom is the outcome after your action: for you, or for the player to move there?"
    end = "is every end of the game good for you?"
    draw = "what is a draw worth, beside a state that is a little good or a little bad for you?"
    half = "is an outcome always -1, 0 or 1, or any number between them?"
    zero = "the network gives a value of 0: is this a value like any other?"
    cases = [
        ({"a": -1.0, "d": None}, -0.95, "a", turned),  # a certain win is better than a likely one
        ({"b": 1.0, "d": None}, 0.95, "d", end),
        ({"e": None, "d": None}, 0.0, "d", zero),
        ({"c": 0.0, "d": None}, 0.2, "c", draw),
        ({"c": 0.0, "d": None}, -0.2, "d", draw),
        ({"b": 1.0, "c": 0.0, "d": None}, 0.3, "c", draw),
        ({"b": 1.0, "c": 0.0, "a": -1.0}, 0.0, "a", draw),
        ({"h": 0.5, "d": None}, 0.6, "h", half),
        ({"h": 0.5, "d": None}, 0.4, "d", half),
        ({"h": -0.5, "d": None}, -0.6, "d", half),
        ({"h": -0.5, "d": None}, -0.4, "h", half),
    ]
    for after, value, right, question in cases:
        after = dict(edition.sample(list(after.items()), len(after)))
        evaluate = Evaluate({"d": ({0: 1.0}, value), "e": ({0: 1.0}, 0.3)}, other=({0: 1.0}, -2.0))
        got = choose(student, "ValuePlayer", fan(after), evaluate, "s0")
        ask("the game is drawn: do you still call the network?" if "c" in evaluate.states else
            "the game is over: do you still call the network?")  # fmt: skip
        assert set(evaluate.states) <= {"d", "e", "s0"}
        ask(question)
        assert got == list(after).index(right)


@pytest.mark.exercise("4.5")
@pytest.mark.hint("which actions do you try: all legal ones once, also the pass when it is the only one?")
def test_the_value_player_looks_one_ply_ahead_in_othello(student, edition):
    """in Othello every legal action is tried and no other, the pass when it is the only one

    Promised: Return the action after which the opponent's value is lowest, ties by rng.
    """
    states, _, ply = othello_pass(edition)
    drawn = [othello(edition, edition.choice([4, 6])), othello(edition, edition.choice([5, 7]))]
    for state in (*drawn, states[ply - 1], states[ply]):  # one action of the last but one leaves the other player a pass only
        evaluation_of = opinion(OTHELLO, edition.getrandbits(30))
        evaluate = Evaluate(evaluation_of)
        got = choose(student, "ValuePlayer", OTHELLO, evaluate, state)
        below = {a: OTHELLO.play(state, a) for a in OTHELLO.legal_actions(state)}
        worth = {a: -(evaluation_of(s)[1] if OTHELLO.outcome(s) is None else OTHELLO.outcome(s)) for a, s in below.items()}
        if set(evaluate.states) - {state, *below.values()}:
            ask("which state do you evaluate: the one right after your action, whoever moves there?")
        if len(below) > 1:  # a player who must pass need not call the network
            assert set(evaluate.states) - {state} == {s for s in below.values() if OTHELLO.outcome(s) is None}
        highest = max(worth, key=worth.__getitem__)
        if got != highest and got == list(worth).index(highest):
            ask("do you return an action, or its place among the legal ones?")
        assert worth.get(got) == max(worth.values())
        ask("which actions do you try: all legal ones once, also the pass when it is the only one?")
    assert got == PASS


@pytest.mark.exercise("4.5")
@pytest.mark.hint("several actions are equally good: may each be played, with a new draw at every call?")
def test_equal_values_are_broken_by_rng(student, edition):
    """each of several best actions is played, by rng alone

    Promised: Return the action after which the opponent's value is lowest, ties by rng.
    """
    #   the actions 1 and 3 lead to one state; 2 ends the game, and a is worth less
    game = ToyGame({"s0": ["a", "b", "c", "b"], "a": ["end of a"], "b": ["end of b"]}, {"c": 0.0})
    evaluations = {"a": ({0: 1.0}, 0.4), "b": ({0: 1.0}, 0.0), "s0": (dict.fromkeys(range(4), 0.25), 0.0)}
    before = student.disturb(edition.getrandbits(30))
    seeds = [edition.getrandbits(30) for _ in range(60)]
    player = student.ValuePlayer(game, evaluate=student.answers(evaluations, ({}, 0.0)))
    taken = student.many_of(player, "choose", [("s0", 9, student.rng(seed)) for seed in (*seeds, *seeds[:20])])
    ask("which generator decides among equals, and which generators may you not use?")
    assert student.global_state() == before
    ask("two actions lead to one state: may each of them be played?" if 2 in taken and len({1, 3} & set(taken)) == 1 else
        "several actions are equally good: may each be played, with a new draw at every call?")  # fmt: skip
    assert set(taken) == {1, 2, 3}  # by chance an action is missed once in 1e10 editions
    ask("does the same rng play the same?")
    assert taken[:20] == taken[-20:]


# -- 4.6 --------------------------------------------------------------------------------------------


@pytest.mark.exercise("4.6")
@pytest.mark.hint("evaluate gives priors and a value: which of them does this player use, and which one is highest?")
def test_the_likeliest_action_is_played(student, edition):
    """the action with the highest prior is played, for any value

    Promised: Return the action with the highest prior of evaluate(state) -> (priors, value), ties by rng.
    """
    states = [othello(edition, plies) for plies in (0, edition.choice([4, 6]), edition.choice([5, 7]), 8)]
    evaluation_of = opinion(OTHELLO, edition.getrandbits(30))

    def played(seed: int) -> list[int]:
        return [choose(student, "PolicyPlayer", OTHELLO, evaluate, state, seed) for state in states]

    evaluate = Evaluate(evaluation_of)
    rows, got = [evaluation_of(state)[0] for state in states], played(1)
    right = [max(priors, key=priors.__getitem__) for priors in rows]
    if got != right and any(played(seed) != got for seed in range(2, 9)):
        ask("do you draw an action, or always play the likeliest one?")
    elif got != right:
        recognise(got, {
            "Which number must be highest: the action, or its prior?": [max(priors) for priors in rows],
            "Do you return an action, or its place in the row?":
                [list(priors).index(action) for priors, action in zip(rows, right, strict=True)],
            "Do you take the highest or the lowest prior?": [min(priors, key=priors.__getitem__) for priors in rows],
        })  # fmt: skip
    assert got == right
    ask("what does a move of this player cost: how often do you call evaluate for one move?")
    assert evaluate.states == states


@pytest.mark.exercise("4.6")
@pytest.mark.hint("which actions have the highest prior, and does rng decide between them?")
def test_the_policy_player_draws_among_equal_priors_only(student, edition):
    """rng alone decides among equal highest priors, and an action with a lower prior is never played

    Promised: Return the action with the highest prior of evaluate(state) -> (priors, value), ties by rng.
    """
    first, second, third, last = edition.sample(OTHELLO.legal_actions(OTHELLO.start()), 4)
    priors = {third: 0.25, first: 0.37, last: 0.01, second: 0.37}
    player = student.PolicyPlayer(OTHELLO, evaluate=student.answers({}, (priors, 0.5)))
    before = student.disturb(edition.getrandbits(30))
    seed = edition.getrandbits(30)
    rng, again = student.rng(seed), student.rng(seed)
    taken = student.many_of(player, "choose", [(OTHELLO.start(), 9, rng)] * 40)
    ask("which generator decides among equal priors, and which generators may you not use?")
    assert student.global_state() == before
    ask("do you read each action's prior by its key, and may each of the highest be played, with a new draw at every call?")
    assert set(taken) == {first, second}  # by chance an action is missed once in 5e11 editions
    ask("does the same rng play the same?")
    assert student.many_of(player, "choose", [(OTHELLO.start(), 9, again)] * 40) == taken
