"""4.5 and 4.6: two players that do not search."""

from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.recognise import recognise
from tests.hidden.ps4_puct.oracle import OTHELLO, PASS, Evaluate, fan, opinion, othello, othello_pass

SIX = "abcdef"


def choose(student: Any, kind: str, game: Any, evaluate: Any, state: Any, seed: int = 1, **fields: Any) -> int:
    """What a new player of this kind plays at `state`."""
    return getattr(student, kind)(game, evaluate=evaluate, **fields).choose(state, 50, student.rng(seed))


# -- 4.5 --------------------------------------------------------------------------------------------


@pytest.mark.exercise("4.5")
@pytest.mark.hint("who is to move after your action, and whose value does the network give?")
def test_the_opponents_value_is_negated(student, edition):
    """the action is played after which the player to move there is worst off, for both colours"""
    for behind in (0, 1):
        values = {state: round(edition.uniform(-0.9, 0.9), 3) for state in SIX}
        moves = {"s0": list(SIX)} | {state: [f"end {state}"] for state in SIX} | ({"before": ["s0"]} if behind else {})
        game = ToyGame(moves, {}, start="before" if behind else "s0")
        priors = {action: 1 / 6 for action in range(6)}
        evaluate = Evaluate({state: ({0: 1.0}, value) for state, value in values.items()} | {"s0": (priors, 0.0)})
        got = choose(student, "ValuePlayer", game, evaluate, "s0")
        right = SIX.index(min(values, key=values.get))
        best_for_them = SIX.index(max(values, key=values.get))
        recognise(got, {"Who is to move after your action, and is a high value there good for you?": best_for_them})
        assert got == right
        assert sorted(set(evaluate.states) - {"s0"}) == list(SIX)


@pytest.mark.exercise("4.5")
@pytest.mark.hint("what is known for certain where the game is over, and for whom?")
def test_a_finished_game_counts_with_its_outcome(student, edition):
    """an action that ends the game counts with the outcome, a draw too, and the network is not asked there"""
    #   a won for us (lost for the player to move there); b lost for us; c a draw; d goes on
    cases = [
        ({"a": -1.0, "d": None}, -0.95, "a"),  # a certain win is better than a likely one
        ({"b": 1.0, "d": None}, 0.95, "d"),
        ({"c": 0.0, "d": None}, 0.2, "c"),
        ({"c": 0.0, "d": None}, -0.2, "d"),
        ({"b": 1.0, "c": 0.0, "d": None}, 0.3, "c"),
        ({"b": 1.0, "c": 0.0, "a": -1.0}, 0.0, "a"),
    ]
    for after, value, right in cases:
        after = dict(edition.sample(list(after.items()), len(after)))
        evaluate = Evaluate({"d": ({0: 1.0}, value)}, other=({0: 1.0}, -2.0))
        got = choose(student, "ValuePlayer", fan(after), evaluate, "s0")
        assert got == list(after).index(right)
        assert set(evaluate.states) <= {"d", "s0"}


@pytest.mark.exercise("4.5")
@pytest.mark.hint("which actions are tried: all that are legal, each once, and the pass where it is the only one?")
def test_the_value_player_looks_one_ply_ahead_in_othello(student, edition):
    """in Othello every legal action is tried once and no other, the pass where it is the only one"""
    states, _, ply = othello_pass(edition)
    for state in (othello(edition, edition.choice([4, 6])), othello(edition, edition.choice([5, 7])), states[ply]):
        said = opinion(OTHELLO, edition.getrandbits(30))
        evaluate = Evaluate(said)
        got = choose(student, "ValuePlayer", OTHELLO, evaluate, state)
        below = {a: OTHELLO.play(state, a) for a in OTHELLO.legal_actions(state)}
        worth = {a: -(said(s)[1] if OTHELLO.outcome(s) is None else OTHELLO.outcome(s)) for a, s in below.items()}
        assert worth.get(got) == max(worth.values())
        if len(below) > 1:  # who must pass need not ask
            assert set(evaluate.states) - {state} == {s for s in below.values() if OTHELLO.outcome(s) is None}
    assert got == PASS


@pytest.mark.exercise("4.5")
@pytest.mark.hint("what does max() do when several are equal?")
def test_equal_values_are_broken_by_rng(student, edition):
    """of several best actions each is played, by rng alone"""
    game = fan({"a": None, "b": None, "c": 0.0, "d": None})
    said = {"a": ({0: 1.0}, 0.4), "b": ({0: 1.0}, 0.0), "d": ({0: 1.0}, 0.0), "s0": ({a: 0.25 for a in range(4)}, 0.0)}
    before = student.disturb(edition.getrandbits(30))
    seeds = [edition.getrandbits(30) for _ in range(60)]
    player = student.ValuePlayer(game, evaluate=Evaluate(said))
    taken = [player.choose("s0", 9, student.rng(seed)) for seed in (*seeds, *seeds[:4])]
    assert set(taken) == {1, 2, 3}  # one is missed once in 1e10 editions
    assert taken[:4] == taken[-4:]
    assert student.global_state() == before


# -- 4.6 --------------------------------------------------------------------------------------------


@pytest.mark.exercise("4.6")
@pytest.mark.hint("which of the two things that evaluate gives does this player use?")
def test_the_likeliest_action_is_played(student, edition):
    """the action with the highest prior is played, whatever the value is"""
    for plies in (0, edition.choice([4, 6]), edition.choice([5, 7])):
        state, said = othello(edition, plies), opinion(OTHELLO, edition.getrandbits(30))
        priors, _ = said(state)
        got = choose(student, "PolicyPlayer", OTHELLO, Evaluate(said), state)
        recognise(got, {"Highest or lowest?": min(priors, key=priors.get)} if len(priors) > 1 else {})
        assert got == max(priors, key=priors.get)


@pytest.mark.exercise("4.6")
@pytest.mark.hint("which actions have the highest prior, and who decides between them?")
def test_the_policy_player_draws_among_equal_priors_only(student, edition):
    """equal highest priors are broken by rng alone, and a lower one is never played"""
    first, second, third = edition.sample(OTHELLO.legal_actions(OTHELLO.start()), 3)
    player = student.PolicyPlayer(OTHELLO, evaluate=Evaluate(lambda state: ({third: 0.26, first: 0.37, second: 0.37}, 0.5)))
    before = student.disturb(edition.getrandbits(30))
    seed = edition.getrandbits(30)
    rng, again = student.rng(seed), student.rng(seed)
    taken = [player.choose(OTHELLO.start(), 9, rng) for _ in range(40)]
    assert set(taken) == {first, second}  # one is missed once in 5e11 editions
    assert [player.choose(OTHELLO.start(), 9, again) for _ in range(9)] == taken[:9]
    assert student.global_state() == before
