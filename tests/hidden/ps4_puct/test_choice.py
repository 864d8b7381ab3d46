"""4.1 and the first half of 4.4: scores, the best of them, and visits as probabilities."""

import math
from random import Random

import pytest

from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.laws import near
from tests.hidden.ps4_puct.oracle import scores


def rows(edition: Random, new: bool = False) -> tuple[dict, dict, dict, float]:
    """Q, N and P of some actions with gaps between them, one never taken, and c; with `new` no action was taken."""
    actions = sorted(edition.sample(range(37), edition.randint(3, 6)))
    N = {a: 0 if new else edition.randint(1, 9) for a in actions}
    N[edition.choice(actions)] = 0
    Q = {a: round(edition.uniform(-1, 1), 3) if N[a] else 0.0 for a in actions}
    weights = {a: edition.uniform(0.1, 1) for a in actions}
    return Q, N, {a: w / sum(weights.values()) for a, w in weights.items()}, edition.choice([0.5, 1.0, 2.0, 3.0])


def known_mistakes(Q: dict, N: dict, P: dict, c: float) -> dict[str, dict]:
    """The scores of some wrong formulas, with the hint to each."""
    n = max(1, sum(N.values()))
    mistakes = {
        "What is under the square root: the visits of the state, or a quotient of visits?":
            lambda a: c * P[a] * (n / (1 + N[a])) ** 0.5,
        "Which visits are in the square root: the state's, or the action's?":
            lambda a: c * P[a] * max(1, N[a]) ** 0.5 / (1 + N[a]),
        "Does the bonus have the square root of the formula?": lambda a: c * P[a] * n / (1 + N[a]),
        "Which part does c multiply: the mean, or the bonus?": lambda a: P[a] * n**0.5 / (1 + N[a]) + (c - 1) * Q[a],
        "For whom is Q: for the one who chooses, or for the other?": lambda a: c * P[a] * n**0.5 / (1 + N[a]) - 2 * Q[a],
        "Where in the formula does the prior stand?": lambda a: c * n**0.5 / (1 + N[a]),
        "Is there a logarithm that the formula does not have?": lambda a: c * P[a] * (math.log(max(2, n)) / (1 + N[a])) ** 0.5,
        "Do you cut the root to a whole number?": lambda a: c * P[a] * math.isqrt(n) / (1 + N[a]),
        "What divides the bonus: the visits, or one more?": lambda a: c * P[a] * n**0.5 / max(1, N[a]),
        "Do you count more visits than the actions have?": lambda a: c * P[a] * (n + 1) ** 0.5 / (1 + N[a]),
        "Which c do you use: the given one?": lambda a: 1.5 * P[a] * n**0.5 / (1 + N[a]),
    }
    return {hint: {a: Q[a] + bonus(a) for a in P} for hint, bonus in mistakes.items()}


def recognise_row(got: dict, right: dict, mistakes: dict[str, dict]) -> None:
    """`recognise` over rows with the same actions, if a mistake shows at all (with c = 1 not every mistake does)."""
    if got.keys() == right.keys() and got != near(right):
        telling = {hint: row for hint, row in mistakes.items() if row and max(abs(row[a] - right[a]) for a in right) > 1e-6}
        recognise([got[a] for a in right], {hint: [row[a] for a in right] for hint, row in telling.items()})


def untaken(got: dict, right: dict, N: dict) -> dict[str, dict]:
    """The hint to scores that are right except for the actions that were never taken."""
    others = {a: right[a] if N[a] else got.get(a, right[a]) for a in right}
    return {"An action was never taken: what is its mean, and what is its bonus?": others}


@pytest.mark.exercise("4.1")
@pytest.mark.hint("mean and bonus: what do you multiply, what is under the root, and what divides the bonus?")
def test_the_score_is_mean_plus_bonus(student, edition):
    """the score is Q + c P sqrt(max(1, sum of N)) / (1 + N) for every action

    Promised: Return the score of every action at one state: Q + c P sqrt(max(1, sum of N)) / (1 + N).
    """
    #   N = 3, 1, 0: the root of 4 is 2;  c = 2:   .5 + 2 * .5 * 2 / 4,   -1 + 2 * .25 * 2 / 2,   0 + 2 * .25 * 2 / 1
    hand = {4: 0.5, 7: -1.0, 36: 0.0}, {4: 3, 7: 1, 36: 0}, {4: 0.5, 7: 0.25, 36: 0.25}, 2.0
    right, got = {4: 1.0, 7: -0.5, 36: 1.0}, student.puct(*hand)
    if got != near(right):
        recognise_row(got, right, known_mistakes(*hand) | untaken(got, right, hand[1]))
    assert got == near(right)
    cases = [rows(edition) for _ in range(6)]
    for case, got in zip(cases, student.many("puct", cases), strict=True):
        if got != near(scores(*case)):
            recognise_row(got, scores(*case), known_mistakes(*case) | untaken(got, scores(*case), case[1]))
        assert got == near(scores(*case))


@pytest.mark.exercise("4.1")
@pytest.mark.hint("which part of the score does c multiply, and what is c when it is not given?")
def test_c_is_the_weight_of_the_bonus(student, edition):
    """with c = 0 the scores are the means, without c it is 1.5, and the bonus grows in proportion to c

    Promised: c: weight of the bonus, >= 0; 1.5 if it is not given.
    """
    Q, N, P, _ = rows(edition)
    ask("what remains of the score when c is 0?")
    assert student.puct(Q, N, P, 0.0) == near(Q)
    ask("what is c when it is not given?")
    assert student.puct(Q, N, P) == near(scores(Q, N, P, 1.5))
    ask("how large can a score become: does the bonus grow with c without a limit?")
    assert student.puct(Q, N, P, 20.0) == near(scores(Q, N, P, 20.0))


@pytest.mark.exercise("4.1")
@pytest.mark.hint("what is the square root of 0, and what happens to the priors then?")
def test_a_new_state_follows_its_priors(student, edition):
    """when no action was taken yet the scores are c times the priors

    Promised: Return the score of every action at one state: Q + c P sqrt(max(1, sum of N)) / (1 + N).
    """
    cases = [rows(edition, new=True) for _ in range(3)]
    for (_, _, P, c), got in zip(cases, student.many("puct", cases), strict=True):
        right = {a: c * p for a, p in P.items()}
        recognise_row(got, right, {"What is the square root of 0, and what happens to the priors then?": dict.fromkeys(P, 0.0)})
        assert got == near(right)
    only = edition.randrange(37)
    assert student.puct({only: 0.0}, {only: 0}, {only: 1.0}) == near({only: 1.5})


@pytest.mark.exercise("4.1")
@pytest.mark.hint("what is the mean of an action that was never taken?")
def test_an_action_never_taken_counts_as_a_draw(student, edition):
    """an action never taken has the mean 0 and a bonus like the others; it is not first or last by a rule of its own

    Promised: Q: {action: mean result for the player who chooses}; 0.0 where the action was never taken.
    """
    visits, mean, before = edition.randint(3, 9), edition.uniform(0.6, 0.9), {}
    for prior, known in ((0.02, mean), (0.02, -mean), (0.0, mean)):
        P = {3: 1 - prior, 8: prior}
        wanted = {3: known + 1.5 * P[3] * visits**0.5 / (1 + visits), 8: 1.5 * prior * visits**0.5}
        got = student.puct({3: known, 8: 0.0}, {3: visits, 8: 0}, P)
        if got != near(wanted):
            earlier = "Are these the scores of this call, or of an earlier call with the same visits?"
            recognise(got == near(before), {earlier: True})
        if not prior:
            ask("which actions have a score: also an action with prior 0?")
        assert got == near(wanted)
        before = wanted


@pytest.mark.exercise("4.1")
@pytest.mark.hint("are the given rows unchanged after the call?")
def test_the_tables_are_only_read(student, edition):
    """puct does not change the rows that it is given

    Promised: The three rows are only read.
    """
    for new in (False, True):
        Q, N, P, c = rows(edition, new)
        given = [Q, N, dict.fromkeys(P, 0.0) if new else P]  # all 0: a guard against a sum of 0 must not stay in the rows
        kept = [student.keep(row) for row in given]
        student.puct(*kept, c)
        assert [student.read(row) for row in kept] == given


@pytest.mark.exercise("4.1")
@pytest.mark.hint("which number must be highest, and what do you return for it: the action, or its place in the row?")
def test_the_highest_score_is_taken(student, edition):
    """the action with the highest score is returned, not its place in the row, also when all scores are negative

    Promised: Return the action with the highest score, ties by rng: each tied action with the same probability.
    """
    calls, right = [], []
    for low, high in ((3, 90), (-1, 1), (-5, -1)):
        row = {a: round(edition.uniform(low, high), 3) for a in edition.sample(range(37), 6)}
        top = edition.choice(list(row))
        row[top] = high + 0.5
        calls += [(row, student.rng(edition.getrandbits(30)))] * 12  # a random choice of six: right every time once in 2e9
        right += [top] * 12
    taken = student.many("best_action", calls)
    assert taken[:24] == right[:24]
    ask("all scores are negative: with which number does your search for the highest begin?")
    assert taken[24:] == right[24:]
    close, rng = {3: 0.2, 11: 0.2005, 20: 0.1995}, student.rng(edition.getrandbits(30))
    ask("two scores differ by a little: do you treat them as equal?")
    assert student.many("best_action", [(close, rng)] * 30) == [11] * 30


@pytest.mark.exercise("4.1")
@pytest.mark.hint("several actions share the highest score: which of them may come, and does rng decide?")
def test_rng_decides_among_equal_scores(student, edition):
    """actions that share the highest score come up equally often, no other action does, and only rng decides

    Promised: Return the action with the highest score, ties by rng: each tied action with the same probability.
    """
    first, second, third, other = edition.sample(range(37), 4)
    row = {other: -0.5, first: 0.25, second: 0.25, third: 0.25}
    seed = edition.getrandbits(30)
    before = student.disturb(edition.getrandbits(30))
    taken = student.many("best_action", [(row, student.rng(seed))] * 300)
    ask("which generator decides among equal scores, and which generators may you not use?")
    assert student.global_state() == before
    ask("several actions share the highest score: which of them may come, and does rng decide?")
    if len(set(taken)) > 1:
        ask("do equal scores have the same chance: the first, the last and those in the middle?")
    # 100 of 300 for each, a deviation of 8.2: 48 away once in 3e8 tries
    counts = [taken.count(action) for action in (first, second, third)]
    assert [count for count in counts if not 52 <= count <= 148] == [] and other not in taken
    ask("does the same rng draw the same again?")
    assert student.many("best_action", [(row, student.rng(seed))] * 300) == taken


def shares(weights: dict[int, float]) -> dict[int, float]:
    return {a: weight / sum(weights.values()) for a, weight in weights.items()}


def mistaken_policies(visits: dict[int, int], temperature: float, got: dict, right: dict) -> dict[str, dict]:
    """The policies of some wrong formulas, with the hint to each."""
    below = {a: n - max(visits.values()) for a, n in visits.items()}
    rounded = ({a: round(share, digits) for a, share in right.items()} for digits in range(1, 6))
    return {
        "N to the power of T, or of 1/T?": shares({a: n**temperature for a, n in visits.items()}),
        "What does a temperature below 1 do, and one above 1?": shares(visits),
        "Are the visits raised to a power, or are the visits the exponents?": shares({a: math.exp(n) for a, n in below.items()}),
        "Are the visits the base of the power, or its exponent?":
            shares({a: math.exp(n / temperature) for a, n in below.items()}),
        "Do you round the probabilities?": next((row for row in rounded if row == got), {}),
        "What must the probabilities sum to?": {a: n ** (1 / temperature) for a, n in visits.items()},
    }  # fmt: skip


@pytest.mark.exercise("4.4")
@pytest.mark.hint("is it N to the power of T, or of 1/T, and what makes the sum 1?")
def test_visits_become_probabilities(student, edition):
    """the probabilities are N^(1/T) divided by their sum; with temperature 1 in proportion to the visits

    Promised: Turn visits into probabilities, N^(1/T) divided by their sum.
    """
    for temperature in (2.0, edition.choice([0.25, 0.5]), 1.0, edition.uniform(0.6, 0.8), edition.uniform(1.2, 3)):
        visits = {a: edition.randint(1, 90) for a in edition.sample(range(37), 5)}
        weights = {a: n ** (1 / temperature) for a, n in visits.items()}
        got = student.visit_policy(visits, temperature)
        right = {a: w / sum(weights.values()) for a, w in weights.items()}
        if got != near(right):
            recognise_row(got, right, mistaken_policies(visits, temperature, got, right))
        assert got == near(right)
    #   visits 6, 3, 1, 0:   T = 1: .6, .3, .1, 0;   T = .5: 36, 9, 1, 0 of 46
    for temperature, wanted in ((1.0, [0.6, 0.3, 0.1, 0.0]), (0.5, [36 / 46, 9 / 46, 1 / 46, 0.0])):
        got = student.visit_policy({2: 6, 5: 3, 9: 1, 36: 0}, temperature)
        ask("which actions have a probability: also an action without a visit?")
        assert set(got) == {2, 5, 9, 36}
        ask("is it N to the power of T, or of 1/T, and what makes the sum 1?")
        assert got == near(dict(zip((2, 5, 9, 36), wanted)))


@pytest.mark.exercise("4.4")
@pytest.mark.hint("two actions have most visits: what is the limit?")
def test_with_temperature_0_the_most_visited_share_everything(student, edition):
    """with temperature 0 the most visited actions have all the probability, in equal parts

    Promised: At 0 the most visited action has probability 1, and tied actions share it equally.
    """
    most, a, b, c = edition.randint(5, 400), *edition.sample(range(36), 3)
    ask("temperature is exactly 0, and counts may be very large: does an action with one visit fewer get a share?")
    for count in (most, most + 10**6):
        assert student.visit_policy({a: count - 1, b: count, c: 0}, 0.0) == {a: 0.0, b: 1.0, c: 0.0}
    ask("two actions have most visits: what is the limit?")
    assert student.visit_policy({a: most, b: most, c: most - 1}, 0.0) == {a: 0.5, b: 0.5, c: 0.0}
    assert student.visit_policy({a: most, b: most, c: most}, 0) == near({a: 1 / 3, b: 1 / 3, c: 1 / 3})


@pytest.mark.exercise("4.4")
@pytest.mark.hint("all visits are 0: what does the docstring say about this case?")
def test_no_visits_are_an_error(student):
    """visits that are all 0 raise ValueError, for every temperature

    Promised: ValueError: no action was taken at all.
    """
    for temperature in (0.0, 1.0):
        with student.raises(ValueError):
            student.visit_policy({3: 0, 4: 0}, temperature)
