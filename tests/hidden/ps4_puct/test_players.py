"""4.5 to 4.7: three players without a tree."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.recognise import recognise
from tests.hidden.ps4_puct.oracle import (
    OTHELLO,
    PASS,
    Evaluate,
    best,
    fan,
    line,
    opinion,
    othello,
    othello_pass,
    scores,
)

SIX = "abcdef"


def choose(student: Any, kind: str, game: Any, evaluate: Any, state: Any, seed: int = 1, **fields: Any) -> int:
    """What a new player of this kind plays at `state`."""
    return getattr(student, kind)(game, evaluate, **fields).choose(state, 50, student.rng(seed))


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
    player = student.ValuePlayer(game, Evaluate(said))
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
def test_the_policy_player_draws_among_equal_priors_only(student, edition):
    """equal highest priors are broken by rng alone, and a lower one is never played"""
    first, second, third = edition.sample(OTHELLO.legal_actions(OTHELLO.start()), 3)
    player = student.PolicyPlayer(OTHELLO, Evaluate(lambda state: ({third: 0.26, first: 0.37, second: 0.37}, 0.5)))
    before = student.disturb(edition.getrandbits(30))
    seed = edition.getrandbits(30)
    rng, again = student.rng(seed), student.rng(seed)
    taken = [player.choose(OTHELLO.start(), 9, rng) for _ in range(40)]
    assert set(taken) == {first, second}  # one is missed once in 5e11 editions
    assert [player.choose(OTHELLO.start(), 9, again) for _ in range(9)] == taken[:9]
    assert student.global_state() == before


# -- 4.7 --------------------------------------------------------------------------------------------


def rollout(student: Any, game: Any, evaluate: Any, state: Any, depth: int = 5, seed: int = 1) -> float:
    return student.MonteCarloPlayer(game, evaluate, depth=depth).rollout(state, student.rng(seed))


@pytest.mark.exercise("4.7")
@pytest.mark.hint("who is to move at the cut, and who was when the rollout began?")
def test_a_rollout_is_cut_after_depth_plies(student, edition):
    """after depth plies the value of the state reached counts, for the player to move where the rollout began"""
    game = line(20)
    values = [round(edition.uniform(0.1, 0.9), 3) for _ in range(20)]
    for depth, begin in ((5, edition.randrange(8)), (2, edition.randrange(8)), (1, 3), (edition.choice([3, 4]), 2), (0, 6)):
        evaluate = Evaluate({f"s{ply}": ({0: 1.0}, value) for ply, value in enumerate(values)})
        got = rollout(student, game, evaluate, f"s{begin}", depth)
        value = values[begin + depth]
        recognise(got, {
            "Who is to move at the cut, and who was when the rollout began?": -value * (-1) ** depth,
            "How many plies were played when it was cut?": values[begin + depth + 1] * (-1) ** (depth + 1),
        })  # fmt: skip
        assert got == pytest.approx(value * (-1) ** depth, abs=1e-9)
        assert evaluate.states and evaluate.states[-1] == f"s{begin + depth}"
    assert student.MonteCarloPlayer(game, evaluate).rollout("s2", student.rng(1)) == pytest.approx(-values[7], abs=1e-9)


@pytest.mark.exercise("4.7")
@pytest.mark.hint("is the outcome asked for again after the last ply?")
def test_a_game_that_ends_in_a_rollout_counts_with_its_outcome(student, edition):
    """an end of the game within depth plies counts with its outcome, turned for the player who asks; a draw is 0"""
    for outcome in (-1.0, 0.0, 1.0):
        game = line(12, outcome)
        evaluate = Evaluate({f"s{ply}": ({0: 1.0}, 0.6) for ply in range(12)})
        for plies, depth in ((5, 5), (4, 5), (1, 5), (0, 5), (2, 2), (3, edition.randint(3, 9))):
            assert rollout(student, game, evaluate, f"s{12 - plies}", depth) == outcome * (-1) ** plies
        assert "s12" not in evaluate.states
        assert rollout(student, game, evaluate, "s6", 5) == pytest.approx(-0.6, abs=1e-9)


@pytest.mark.exercise("4.7")
@pytest.mark.hint("likeliest, or drawn in proportion, and by which generator?")
def test_a_rollout_draws_its_moves_from_the_priors(student, edition):
    """each ply is drawn by rng in proportion to the priors, and an action with prior 0 never"""
    game = fan({"a": -1.0, "b": 1.0, "c": 0.0, "d": -0.5})
    evaluate = Evaluate({"s0": ({0: 0.1, 1: 0.6, 2: 0.3, 3: 0.0}, 0.3)})
    player, before = student.MonteCarloPlayer(game, evaluate), student.disturb(edition.getrandbits(30))
    seed, values = edition.getrandbits(30), []
    rng = student.rng(seed)
    for _ in range(300):
        values.append(player.rollout("s0", rng))
    again = student.rng(seed)
    assert [player.rollout("s0", again) for _ in range(10)] == values[:10]
    assert student.global_state() == before
    # 30, 180 and 90 of 300, deviations 5.2, 8.5 and 7.9; six of them once in 5e8 tries
    for value, wanted, margin in ((1.0, 30, 31), (-1.0, 180, 51), (0.0, 90, 48)):
        assert abs(values.count(value) - wanted) < margin
    assert values.count(0.5) == 0


class Flat:
    """The grader's own Monte Carlo player, in a game in which nothing is left to chance.

    After action a of s0 comes a line of forced plies; `worth[a]` is what a rollout there gives to the player who chose a.
    """

    def __init__(self, edition: Random, actions: int = 6, length: int = 8) -> None:
        self.worth = [round(edition.uniform(-0.9, 0.9), 3) for _ in range(actions)]
        weights = [edition.uniform(0.2, 1) for _ in range(actions)]
        self.priors = {a: w / sum(weights) for a, w in enumerate(weights)}
        self.length, self.below = length, [f"a{a}.1" for a in range(actions)]
        moves = {"s0": self.below}
        for a in range(actions):
            moves |= {f"a{a}.{ply}": [f"a{a}.{ply + 1}"] for ply in range(1, length)}
        self.game = ToyGame(moves, {})

    def said(self, depth: int) -> dict[str, tuple[dict, float]]:
        """Answers for rollouts of this depth; the value at any ply but the cut would mislead."""
        said = {"s0": (self.priors, 0.0)}
        for a, worth in enumerate(self.worth):
            for ply in range(1, self.length):
                value = -worth * (-1) ** depth if ply == depth + 1 else 0.95
                said[f"a{a}.{ply}"] = {0: 1.0}, value
        return said

    def visits(self, top: int, budget: int, c: float, factor: float = 1.0, share: bool = False) -> list[int] | None:
        """Visits of all actions, 0 where it is no candidate; None where a tie decides, or where two are visited most.

        Mistakes: `factor` times the results in the place of the results, or priors divided by their sum (`share`).
        """
        likeliest = sorted(self.priors, key=self.priors.get, reverse=True)[:top]
        whole = sum(self.priors[a] for a in likeliest) if share else 1.0
        P = {a: self.priors[a] / whole for a in likeliest}
        N = dict.fromkeys(P, 0)
        for _ in range(budget):
            action = best(scores({a: factor * self.worth[a] if N[a] else 0.0 for a in P}, N, P, c))
            if action is None:
                return None
            N[action] += 1
        counts = sorted(N.values())
        return None if counts[-1:] == counts[-2:-1] else [N.get(a, 0) for a in self.priors]


@pytest.mark.exercise("4.7")
@pytest.mark.hint("which score chooses a candidate, whose value does a rollout return, and how many make one result?")
def test_the_budget_goes_to_the_candidates_by_puct(student, edition):
    """the three likeliest actions share the budget by PUCT, each visit is several rollouts, and the most visited is played"""
    usual = {"top": 3, "depth": 5, "rollouts": 5, "budget": 10, "c": 1.5}
    two, four = {"top": 2, "depth": 3, "rollouts": 2, "budget": 17, "c": 0.5}, {"top": 4, "depth": 4, "rollouts": 3, "budget": 14}
    for fields in ({}, two, four):
        top, depth, rollouts, budget, c = (usual | fields).values()
        right, mistakes, likeliest = None, [None], 0
        while right is None or None in mistakes or right in mistakes or right[likeliest] == max(right):
            flat = Flat(edition)
            likeliest = max(flat.priors, key=flat.priors.get)
            right = flat.visits(top, budget, c)
            other_scale = flat.visits(top, budget, c, float(rollouts))
            other_sign = flat.visits(top, budget, c, -1.0)
            mistakes = [other_scale, other_sign, flat.visits(top, budget, c, share=True)]
            mistakes += [flat.visits(other, budget, c) for other in (3, 6) if other != top]
            mistakes += [flat.visits(top, budget, 1.5)] if c != 1.5 else []
        evaluate = Evaluate(flat.said(depth))
        got = choose(student, "MonteCarloPlayer", flat.game, evaluate, "s0", edition.getrandbits(30), **fields)
        cut = [evaluate.states.count(f"a{a}.{depth + 1}") for a in range(6)]
        known = {
            "Whose value does a rollout return, and who chooses at the root?": other_sign,
            "Is a result the mean of its rollouts, or their sum?": other_scale,
        }
        recognise(cut, {hint: [rollouts * visits for visits in row] for hint, row in known.items()})
        assert cut == [rollouts * visits for visits in right]
        assert [state in evaluate.states for state in flat.below] == [visits > 0 for visits in right]
        assert got == right.index(max(right))


@pytest.mark.exercise("4.7")
@pytest.mark.hint("mean or visits: which chooses the final move?")
def test_the_most_visited_candidate_is_played_not_the_best_mean(student, edition):
    """the final move is the candidate with most visits, also where another one has the better mean"""
    while True:
        flat = Flat(edition, 3)
        N = flat.visits(3, 10, 3.0)
        if N and min(N) > 0 and flat.worth[N.index(max(N))] < max(flat.worth) - 0.05:
            break
    evaluate = Evaluate(flat.said(5))
    assert choose(student, "MonteCarloPlayer", flat.game, evaluate, "s0", c=3.0) == N.index(max(N))


@pytest.mark.exercise("4.7")
@pytest.mark.hint("what is there to choose from when there are fewer than three?")
def test_fewer_actions_than_candidates(student, edition):
    """with one or two legal actions these are the candidates, the pass too; an end of the game at once counts"""
    states, _, ply = othello_pass(edition)
    evaluate = Evaluate(opinion(OTHELLO, edition.getrandbits(30)))
    assert choose(student, "MonteCarloPlayer", OTHELLO, evaluate, states[ply]) == PASS
    win = edition.randrange(2)
    game = fan({"a": -1.0, "b": 1.0} if win == 0 else {"a": 1.0, "b": -1.0})
    likely = {"s0": ({0: 0.5 + (win - 0.5) * 0.6, 1: 0.5 - (win - 0.5) * 0.6}, 0.0)}  # the win is the unlikely one
    assert choose(student, "MonteCarloPlayer", game, Evaluate(likely), "s0") == win


@pytest.mark.exercise("4.7")
@pytest.mark.hint("which generator decides, and which ones belong to others?")
def test_the_monte_carlo_player_draws_from_rng_alone(student, edition):
    """among equal candidates rng decides, in the choice of the first and of the last, and no other generator is used"""
    game = fan({"a": 0.0, "b": 0.0, "c": 0.0})
    evaluate = Evaluate({"s0": ({0: 1 / 3, 1: 1 / 3, 2: 1 / 3}, 0.0)})
    before = student.disturb(edition.getrandbits(30))
    for budget in (1, 3):  # with 1 the first choice is the last, with 3 each has one visit
        player, seeds = student.MonteCarloPlayer(game, evaluate, budget=budget), [edition.getrandbits(30) for _ in range(50)]
        taken = [player.choose("s0", 9, student.rng(seed)) for seed in (*seeds, *seeds[:4])]
        assert set(taken) == {0, 1, 2}  # one is missed once in 2e8 editions
        assert taken[:4] == taken[-4:]
    assert student.global_state() == before
