"""4.1 and visit_policy of 4.4 on random rows: any actions, any visits, any priors, any temperature."""

import math
from random import Random

import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_count, draw_policy
from tests.hidden.laws import follows_its_rng, leaves_arguments, near, same_again
from tests.hidden.ps4_puct.oracle import scores
from tests.hidden.ps4_puct.test_choice import recognise_row


def shuffled(edition: Random, row: dict) -> dict:
    return dict(edition.sample(list(row.items()), len(row)))


@drawn_once
def drawn_rows(edition: Random, number: int) -> list[tuple[dict, dict, dict, float]]:
    """Q, N, P and c: 1 to 12 actions, or 40 to 200, in any order, up to a million visits, priors of any sum.

    Some rows differ only in Q, P or c. In one row of ten c is so large that the smallest priors count.
    """
    cases = []
    for case in range(number):
        actions = edition.sample(range(40), edition.randint(1, 12)) if case % 20 else edition.sample(range(200), 40 + 8 * case)
        N = {a: draw_count(edition, edition.choice([1000, 1000, 10**6])) for a in actions}
        Q = {a: edition.choice([edition.uniform(-1, 1), 1.0, -1.0, 0.0]) if N[a] else 0.0 for a in actions}
        whole = edition.choice([1.0, 1.0, 0.4, 0.05, 3.0])
        P = {a: whole * p for a, p in draw_policy(edition, actions, kind="" if case % 10 != 1 else "tiny").items()}
        c = edition.choice([0.0, 0.1, 1.0, 1.5, 4.0, 30.0, edition.uniform(0, 5)]) if case % 10 != 1 else 1e7
        cases.append((shuffled(edition, Q), shuffled(edition, N), P, c))
    again = [({a: edition.uniform(-1, 1) if N[a] else 0.0 for a in Q}, N, P, c) for Q, N, P, c in cases[::4]]
    again += [(Q, N, dict(zip(P, edition.sample(list(P.values()), len(P)))), c) for Q, N, P, c in cases[1::4]]
    again += [(Q, N, P, c + 1) for Q, N, P, c in cases[2::4]]
    return cases + again


@pytest.mark.exercise("4.1")
@pytest.mark.hint("does each action's score use its own Q, N and P, unchanged?")
def test_the_scores_of_any_row(student, edition):
    """for any number of actions, visits and priors the scores are those of the formula, with unchanged priors

    Promised: Return the score of every action at one state: Q + c P sqrt(max(1, sum of N)) / (1 + N).
    Promised: P: {action: prior}, used unchanged: the priors need not sum to 1.
    Promised: The three rows are only read.
    """
    cases = drawn_rows(edition, 24)
    for (Q, N, P, c), got in zip(cases, student.many("puct", cases), strict=True):
        ask("which actions have a score: all actions, even when there are many?")
        assert set(got) == set(P)
        ask("does each action's score use its own Q, N and P, unchanged?")
        right = scores(Q, N, P, c)
        if got != near(right):
            whole = math.fsum(P.values()) or 1.0
            shares = {a: p / whole for a, p in P.items()}
            by_place = dict(zip(P, Q.values())), dict(zip(P, N.values()))
            recognise_row(got, right, {
                "The priors do not sum to 1: do you use them unchanged?": scores(Q, N, shares, c),
                "Does each action find its own Q and N, in any order of the rows?": scores(*by_place, P, c),
            })  # fmt: skip
        assert got == near(right)
    tiny = {action: edition.uniform(1, 9) * 1e-10 for action in range(3)}
    got = student.puct(dict.fromkeys(tiny, 0.0), dict.fromkeys(tiny, 0), tiny, 1.0)
    ask("all priors may be tiny: is a score the formula, without rounding?")
    assert {action: 1e10 * score for action, score in got.items()} == near({a: 1e10 * prior for a, prior in tiny.items()})
    ask("do you compute the scores again at every call?")
    same_again(student, "puct", cases)
    ask("are the given rows unchanged after the call?")
    for case in cases[:3]:
        leaves_arguments(student, "puct", [case])
    Q, N, P, c = next(case for case in cases if len(case[0]) > 2 and case[3] > 0)
    ask("a row changes in place: do you compute the scores again?")
    kept = [student.keep(dict(row)) for row in (Q, N, P)]
    assert student.puct(*kept, c) == near(scores(Q, N, P, c))
    for place, change in ((1, {a: n + 1 for a, n in N.items()}), (0, {a: q - 0.25 for a, q in Q.items()})):
        student.many_of(kept[place], "update", [(change,)])  # as a search changes its own rows
        row = [Q, N, P]
        row[place] = change
        Q, N, P = row
        assert student.puct(*kept, c) == near(scores(Q, N, P, c))


@drawn_once
def drawn_scores(edition: Random, number: int) -> list[tuple[dict, int]]:
    """Rows of 1 to 12 scores and the best action: all negative, all positive, huge, nearly equal, or all nearly 0."""
    cases = []
    for _ in range(number):
        actions = edition.sample(range(40), edition.randint(1, 12))
        low, high = edition.choice([(-9.0, -3.0), (-1.0, -0.9), (-1.0, 1.0), (0.0, 0.001), (50.0, 900.0), (-5e6, -1e6),
                                    (0.0, 1e-9), (-2e-9, -1e-9)])
        row = {a: edition.uniform(low, high) for a in actions}
        best = edition.choice(actions)
        ahead = edition.choice([2e-6, 1e-3, 0.4]) * max(1.0, abs(low), abs(high))
        row[best] = max(row.values()) + (ahead if high - low > 1e-6 else 4e-10)
        turned = dict(zip(row, [*list(row.values())[1:], *list(row.values())[:1]]))  # the same actions, and another one is best
        cases += [(row, best), (turned, max(turned, key=turned.__getitem__))]
    return cases


@pytest.mark.exercise("4.1")
@pytest.mark.hint("do you find the highest score when it is very low, or very near to the next one?")
def test_the_best_of_any_row(student, edition):
    """a single highest score is always found, also when all scores are far below 0 or the next one is very near

    Promised: Return the action with the highest score, ties by rng: each tied action with the same probability.
    Promised: scores: {action: score}, at least one; the highest may be negative. The row is only read.
    """
    cases = drawn_scores(edition, 40)
    calls = [(row, student.rng(edition.getrandbits(30))) for row, _ in cases]
    taken, first = student.many("best_action", calls), {}
    for (row, _), action in zip(cases, taken, strict=True):
        first.setdefault(frozenset(row), action)
    remembered = [first[frozenset(row)] for row, _ in cases]
    if taken == remembered:
        ask("the same actions with other scores: do you look for the highest again?")
    assert taken == [best for _, best in cases]
    ask("the same row with other scores: do you look for the highest again, and leave the row unchanged?")
    row, best = next(case for case in cases if len(case[0]) > 1)
    kept, rng = student.keep(dict(row)), student.rng(edition.getrandbits(30))
    assert student.best_action(kept, rng) == best
    assert student.read(kept) == row
    other = next(action for action in row if action != best)
    student.many_of(kept, "update", [({other: row[best] + 1.0},)])
    assert student.best_action(kept, rng) == other  # the same row, and another action is best now


@pytest.mark.exercise("4.1")
@pytest.mark.hint("do equal scores have the same chance, at any place in the row?")
def test_ties_of_any_size_are_drawn_fairly(student, edition):
    """two to twelve equal scores, of any sign and at any place in the row, come up equally often, by rng alone

    Promised: Return the action with the highest score, ties by rng: each tied action with the same probability.
    """
    for ties, score in ((2, -3.5), (edition.randint(3, 6), 0.0), (edition.randint(7, 12), edition.uniform(-1, 1))):
        actions = edition.sample(range(40), ties + 2)
        best = actions[:ties]
        row = shuffled(edition, {a: score if a in best else score - edition.uniform(0.01, 2) for a in actions})
        if ties > 6:  # eight lower scores that are equal come first: a tie that no longer counts
            row = dict.fromkeys(range(40, 48), score - 2.5) | row
        draws = 40 * ties
        taken = student.many("best_action", [(row, student.rng(edition.getrandbits(30)))] * draws)
        assert set(taken) <= set(best)
        # 40 each: six deviations of sqrt(40 (1 - 1 / ties)) are at most 38; one of them once in 5e8, so once in 2e8 for all
        counts, margin = [taken.count(action) for action in best], 6.4 * (40 * (1 - 1 / ties)) ** 0.5
        assert [count for count in counts if abs(count - 40) > margin] == []
    ask("which generator decides, and does the same rng draw the same?")
    follows_its_rng(student, "best_action", lambda rng: (row, rng), edition, 20)


def right_policy(visits: dict[int, int], temperature: float) -> dict[int, float]:
    """N^(1/T) over its sum, by the counts relative to the most visited."""
    most = max(visits.values())
    if temperature == 0:
        weights = {a: float(n == most) for a, n in visits.items()}
    else:
        weights = {a: (n / most) ** (1 / temperature) for a, n in visits.items()}
    total = math.fsum(weights.values())
    return {a: weight / total for a, weight in weights.items()}


@drawn_once
def drawn_visits(edition: Random, number: int) -> list[tuple[dict[int, int], float]]:
    """Visits of 1 to 12 actions, some equal, some 0, and temperatures from 0 to 10."""
    cases: list[tuple[dict[int, int], float]] = []
    while len(cases) < number:
        actions = edition.sample(range(40), edition.randint(1, 12))
        visits = {a: draw_count(edition, edition.choice([2000, 2000, 10**6])) for a in actions}
        if edition.random() < 0.4:
            visits |= dict.fromkeys(edition.sample(actions, edition.randint(1, len(actions))), max(visits.values()))
        if any(visits.values()):
            temperatures = edition.sample([0.0, 0, 0.1, 0.25, 0.5, 1.0, 1, 2.0, 10.0, 500.0, edition.uniform(0.3, 5)], 2)
            turned = dict(zip(visits, [*list(visits.values())[1:], *list(visits.values())[:1]]))
            cases += [(visits, temperatures[0]), (visits, temperatures[1]), (turned, temperatures[0])]
    return cases


@pytest.mark.exercise("4.4")
@pytest.mark.hint("is it N to the power of 1/T over the sum, for any temperature and any counts?")
def test_the_probabilities_of_any_visits(student, edition):
    """for any visits and temperature there is a probability for each action, N^(1/T) over the sum, 0 if N is 0

    Promised: Turn visits into probabilities, N^(1/T) divided by their sum.
    Promised: visits: {action: how often it was taken}. The row is only read.
    """
    cases = [*drawn_visits(edition, 60), ({2: 0, 6: edition.randint(3, 9), 11: 2}, 5.0)]  # where a tiny count would show
    answers = student.many("visit_policy", cases)
    for (visits, temperature), got in zip(cases, answers, strict=True):
        right = right_policy(visits, temperature)
        if any(share and not visits.get(a) for a, share in got.items()):
            ask("what is the probability of an action without a visit?")
        limit = "which temperatures use the limit: only 0, or also small ones?"
        recognise_row(got, right, {limit: right_policy(visits, 0)})
        # in float32 the tenth power of a quotient is wrong by some 1e-6
        assert got == (near(right) if temperature in (0, 1, 2) else pytest.approx(right, rel=1e-5, abs=1e-5))
    ask("do you compute the policy again at every call?")
    same_again(student, "visit_policy", cases)
    ask("is the row of visits unchanged after the call?")
    leaves_arguments(student, "visit_policy", cases[:3])
    ask("the same row with more visits: do you compute the policy again?")
    kept = student.keep({5: 3, 8: 1})
    assert student.visit_policy(kept, 1.0) == near({5: 0.75, 8: 0.25})
    student.many_of(kept, "update", [({8: 9},)])  # as a search counts more visits
    assert student.visit_policy(kept, 1.0) == near({5: 0.25, 8: 0.75})


@pytest.mark.exercise("4.4")
@pytest.mark.hint("how large is a count to the power of a hundred?")
def test_a_small_temperature_is_nearly_0(student, edition):
    """with a very small temperature nothing overflows: the most visited have nearly everything, close rivals keep a share

    Promised: T may be as small as .001, where N^(1/T) itself is too large for a float.
    """
    most, fewer = edition.randint(900, 2000), edition.randint(1, 400)
    for temperature in (0.02, 0.005, 0.001):
        got = student.visit_policy({3: fewer, 17: most, 29: 0, 30: most}, temperature)
        assert got == pytest.approx({3: 0.0, 17: 0.5, 29: 0.0, 30: 0.5}, abs=1e-4)
    ask("a small temperature is not 0: what is the share of an action with one visit less?")
    visits = {8: most - 1, 3: most}  # (1 - 1 / most)^(1 / T): a third and more at T = .001, where float32 is wrong by some 1e-4
    for temperature in (0.001, 0.004):
        assert student.visit_policy(visits, temperature) == pytest.approx(right_policy(visits, temperature), abs=1e-3)


@pytest.mark.exercise("4.4")
@pytest.mark.hint("all visits are 0: what does the docstring say about this case?")
def test_no_visits_of_any_number_are_an_error(student, edition):
    """if no action was taken there is a ValueError, with one action, with many or with none, for any temperature

    Promised: ValueError: no action was taken at all.
    """
    for visits in ({}, {edition.randrange(40): 0}, dict.fromkeys(edition.sample(range(40), 12), 0)):
        for temperature in (0.0, 0.5, edition.uniform(0.3, 3)):
            with student.raises(ValueError):
                student.visit_policy(visits, temperature)
