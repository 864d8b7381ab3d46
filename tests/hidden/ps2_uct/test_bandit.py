"""2.0: two rules for choosing an arm."""

import math
from random import Random

import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.choices import argmax, chosen_by, clear_best, telling_cases
from tests.hidden.generators import draw_count, draw_total
from tests.hidden.laws import follows_its_rng, leaves_arguments
from tests.hidden.ps2_uct.drawn import CONSTANTS, ENOUGH, close_arms, spread
from tests.hidden.ps2_uct.oracle import recognise_choice, upper_bounds

pytestmark = pytest.mark.exercise("2.0")


def means_of(counts: list[int], totals: list[float]) -> list[float]:
    return [total / count for count, total in zip(counts, totals, strict=True)]


def arms(edition: Random, number: int = 4, most: int = 9) -> tuple[list[int], list[float]]:
    """Random pulls and rewards of some arms, each pulled at least once; means from -1 to 1."""
    counts = [edition.randint(1, most) for _ in range(number)]
    return counts, [round(count * edition.uniform(-1, 1), 2) for count in counts]


@drawn_once
def close_bounds(edition: Random) -> tuple[list[tuple], list[int]]:
    """Pulls, rewards and c of one to twelve arms, and the arm with the highest bound."""
    cases, best = [], []
    for _ in range(150):
        c = edition.choice(CONSTANTS)
        counts, means = close_arms(edition, edition.randint(1, 12), c)
        cases.append((counts, [count * mean for count, mean in zip(counts, means)], c))
        best.append(argmax(upper_bounds(counts, means, c)))
    return cases, best


@drawn_once
def close_means(edition: Random) -> tuple[list[tuple], list[int]]:
    """Pulls and rewards of one to twelve arms, some never pulled, with epsilon 0, and the arm with the best mean."""
    cases, best = [], []
    while len(cases) < 150:
        counts, means = close_arms(edition, edition.randint(1, 12), 0.0)
        counts = [0 if edition.random() < 0.2 else count for count in counts]
        means = [mean if count else 0.0 for count, mean in zip(counts, means)]
        if len(means) == 1 or clear_best(means, ENOUGH):
            cases.append((counts, [count * mean for count, mean in zip(counts, means)], 0.0))
            best.append(argmax(means))
    return cases, best


@pytest.mark.hint("what makes an arm good: the sum of its rewards, or the reward per pull?")
def test_greedy_takes_the_best_mean(student, edition):
    """with epsilon 0 the arm with the best mean is chosen, whatever its sum of rewards and its number of pulls

    Promised: Choose an arm: any arm with probability `epsilon`, else an arm with the best mean.
    """
    mistakes = {
        "What makes an arm good: the sum of its rewards, or the reward per pull?": lambda counts, totals: totals,
        "Does a large number of pulls make an arm good?": lambda counts, totals: counts,
        "Does a small number of pulls make an arm good?": lambda counts, totals: [-n for n in counts],
        "Do you choose the worst arm instead of the best?": lambda counts, totals: [-mean for mean in means_of(counts, totals)],
        "Which arm do you leave out when you look for the best one: the last?":
            lambda counts, totals: [*means_of(counts, totals)[:-1], -9.0],
    }  # fmt: skip
    cases, rng = telling_cases(edition, arms, means_of, mistakes), student.rng(edition.getrandbits(30))
    chosen = student.many("epsilon_greedy", [(*case, 0.0, rng) for case, _ in cases])
    if chosen != [best for _, best in cases]:
        recognise(chosen, chosen_by(mistakes, cases))
    ask("epsilon is 0: does your rule still explore, or choose an arm that has not the best mean?")
    assert chosen == [best for _, best in cases]


@pytest.mark.hint("can a mean or a bound be below zero, and do you compare such a number like any other?")
def test_where_every_arm_loses_the_one_that_loses_least_is_chosen(student, edition):
    """means and bounds below zero are compared like any others, in both rules

    Promised: Choose an arm: any arm with probability `epsilon`, else an arm with the best mean.
    Promised: Choose the arm with the highest upper confidence bound, W_i / n_i + c sqrt(ln N / n_i).
    """
    best = edition.randrange(3)
    counts = [9 if arm == best else edition.choice([10, 11]) for arm in range(3)]
    totals = [-0.4 * n if arm == best else -0.8 * n for arm, n in enumerate(counts)]
    rng = student.rng(edition.getrandbits(30))
    # c = .1 adds .06: every bound stays below zero. A random choice of three arms is right 20 times once in 3e9 tries.
    assert student.many("ucb1", [(counts, totals, 0.1, rng)] * 20) == [best] * 20
    assert student.many("epsilon_greedy", [(counts, totals, 0.0, rng)] * 20) == [best] * 20
    ask("rewards may be of any size: from which number does your search for the best mean or bound begin?")
    least = -edition.uniform(2e3, 3e3)
    large = [least - (arm != best) * 500 for arm in range(3)]
    assert student.many("ucb1", [([1, 1, 1], large, 0.1, rng)] * 3) == [best] * 3
    assert student.many("epsilon_greedy", [([1, 1, 1], large, 0.0, rng)] * 3) == [best] * 3


@pytest.mark.hint("which mean does the docstring give an arm without a pull?")
def test_greedy_counts_an_arm_never_pulled_as_mean_zero(student, edition):
    """an arm that was never pulled has the mean 0: better than a loss, worse than a gain

    Promised: The mean of an arm never pulled is 0.
    """
    loss = -edition.uniform(0.2, 0.9)
    rng = student.rng(edition.getrandbits(30))
    chosen = student.many(
        "epsilon_greedy", [([3, 0, 2], [3 * loss, 0.0, 2 * loss], 0.0, rng), ([3, 0, 2], [-3 * loss, 0.0, loss], 0.0, rng)]
    )
    assert chosen == [1, 0]


@pytest.mark.hint("when your rule explores, can it draw every arm, also the best arm and the last arm?")
def test_epsilon_is_the_share_of_random_pulls(student, edition):
    """the best arm is chosen when the rule does not explore; when it explores, every arm is equally likely

    Promised: rng: decides whether to explore, draws the arm then (each equally likely), and breaks ties of equal best
    means.
    """
    counts, totals = arms(edition)
    while not clear_best(means_of(counts, totals), 1e-3):
        counts, totals = arms(edition)
    best = argmax(means_of(counts, totals))
    rng = student.rng(edition.getrandbits(30))
    chosen = student.many("epsilon_greedy", [(counts, totals, 0.8, rng)] * 600)
    seldom = student.many("epsilon_greedy", [(counts, totals, 0.3, rng)] * 600)
    little = student.many("epsilon_greedy", [(counts, totals, 0.05, rng)] * 2000)
    hardly = student.many("epsilon_greedy", [(counts, totals, 0.0001, rng)] * 2500)
    # The best arm has .2 + .8/4 = .4, so 240 of 600 with a deviation of 12; any other arm has .2, 120 and 9.8.
    # A binomial leaves 240 +- 72 once in 4e8 tries, and 120 +- 62 once in 2e9. With .3 it is 465, deviation 10.2.
    others = [chosen.count(arm) for arm in range(4) if arm != best]
    if chosen.count(best) > 312 and min(others):
        ask("how often does your rule explore: with the probability epsilon, however many pulls there were?")
    assert 168 <= chosen.count(best) <= 312
    ask("how often does your rule explore: with the probability epsilon?")
    assert 404 <= seldom.count(best) <= 526
    ask("how often does your rule explore when epsilon is small?")
    # .05 * 3/4 of 2000 are 75 other pulls, with a deviation of 8.5: six and a half of them. With .1 it is 150, deviation 12.
    assert 20 <= 2000 - little.count(best) <= 130
    # .0001 * 3/4 of 2,500 are .2 other pulls, more than 8 once in 1e12 tries. With .01 it is 19, deviation 4.3.
    assert 2500 - hardly.count(best) <= 8
    ask("when your rule explores, is every arm equally likely?")
    assert [count for count in others if not 58 <= count <= 182] == []


@pytest.mark.hint("which value does max() return when several values are equal?")
def test_equal_arms_come_up_by_rng(student, edition):
    """several arms are equally good: each of them comes up and no other arm does, in both rules

    Promised: rng: decides whether to explore, draws the arm then (each equally likely), and breaks ties of equal best
    means.
    Promised: rng: draws among several arms never pulled, and among equal bounds.
    """
    rng = student.rng(edition.getrandbits(30))
    equal = [49, 60, 64, 98], [49.0, 20.0, 64.0, 98.0]  # 49 * (1 / 49) is not 1
    greedy = student.many("epsilon_greedy", [(*equal, 0.0, rng)] * 60)
    bounds = student.many("ucb1", [([3, 3, 8, 3], [1.5, 0.0, 0.0, 1.5], 1.0, rng)] * 60)
    means = student.many("ucb1", [(*equal, 0.0, rng)] * 60)  # no bonus: these are equal, too
    if set(greedy) == {2} or set(means) == {2}:
        ask("49 of 49 and 64 of 64 are equal means: do you divide W by n, or multiply it by a rounded 1 / n?")
        assert set(greedy) == set(means) == {0, 2, 3}
    ask("several means are equal and the best: can each of these arms come up?")
    assert set(greedy) == {0, 2, 3}  # by chance an arm is missed once in 1e10 tries
    ask("with c = 0 three bounds are equal: do you let a bonus, the pulls or the order decide between these arms?")
    assert set(means) == {0, 2, 3}
    ask("two bounds are equal and the highest: can each of these arms come up, and does rng decide?")
    assert set(bounds) == {0, 3}


@pytest.mark.hint("how large is the bound of an arm about which nothing is known?")
def test_ucb1_pulls_every_arm_once_first(student, edition):
    """arms never pulled come before all others, for any c, and several such arms in random order

    Promised: Arms never pulled come first, for every c: nothing is known about them.
    """
    untried = edition.randrange(4)
    counts = [0 if arm == untried else edition.randint(1, 500) for arm in range(4)]
    totals = [0.9 * count for count in counts]
    rng = student.rng(edition.getrandbits(30))
    assert student.many("ucb1", [(counts, totals, c, rng) for c in (0.0, 0.01, 1.0, 3.0, 1e12)]) == [untried] * 5
    for number in (4, 12):
        tried = set(edition.sample(range(number - 1), number - 3))  # the last arm is one of three arms that were never pulled
        counts = [7 * (arm in tried) for arm in range(number)]
        chosen = student.many("ucb1", [(counts, [float(count) for count in counts], 1.0, rng)] * 60)
        ask("do you choose an arm with pulls before an arm that was never pulled?")
        assert not set(chosen) & tried, "an arm never pulled comes first: no arm that was tried"
        ask("several arms were never pulled: can each of them be the next, and does rng decide?")
        assert set(chosen) == set(range(number)) - tried  # by chance an arm is missed once in 1e10 tries


@pytest.mark.hint("which logarithm, of which number, under which root?")
def test_ucb1_follows_the_formula(student, edition):
    """the arm with the highest mean + c sqrt(ln N / n_i) is chosen

    Promised: Choose the arm with the highest upper confidence bound, W_i / n_i + c sqrt(ln N / n_i).
    """

    def draw(edition: Random) -> tuple:
        return (*arms(edition, 3, edition.choice([2, 6])), edition.choice([0.0, 0.3, 0.6, 1.0, 1.4, 2.0, 3.0]))

    def bounds(counts, totals, c, log=math.log, c_inside=1.0, plus=0, root=math.sqrt):
        n = sum(counts) + plus
        return [m + c * root(c_inside * log(n) / k) for m, k in zip(means_of(counts, totals), counts, strict=True)]

    def counted_once_more(counts, totals, c):
        more = [count + 1 for count in counts]
        return [t / k + c * math.sqrt(math.log(sum(counts) + 1) / k) for k, t in zip(more, totals, strict=True)]

    mistakes = {
        "ln is a logarithm: to which base?": lambda counts, totals, c: bounds(counts, totals, c, log=math.log10),
        "Is ln the logarithm to base 2?": lambda counts, totals, c: bounds(counts, totals, c, log=math.log2),
        "Is there a factor under your root that the formula does not have?":
            lambda counts, totals, c: bounds(counts, totals, c, c_inside=2.0),
        "Is N the number of pulls so far, or do you also count the next pull?":
            lambda counts, totals, c: bounds(counts, totals, c, plus=1),
        "Where is the root?": lambda counts, totals, c: bounds(counts, totals, c, root=float),
        "What does c multiply: the whole bonus, or the part under the root?":
            lambda counts, totals, c: bounds(counts, totals, c**0.5),
        "Which c do you use: the given one?": lambda counts, totals, c: bounds(counts, totals, 1.0),
        "Where is the bonus?": lambda counts, totals, c: bounds(counts, totals, 0.0),
        "Under the logarithm: the pulls of all arms together, or the number of arms?":
            lambda counts, totals, c: bounds(counts, totals, c, log=lambda n: len(counts)),
        "Under the logarithm: the pulls of all arms together, or of one arm?":
            lambda counts, totals, c: bounds(counts, totals, c, log=lambda n: math.log(max(counts))),
        "Can a bound be below zero?": lambda counts, totals, c: [max(b, 0.0) for b in bounds(counts, totals, c)],
        "The bonus is added to a number: to the sum of the rewards, or to their mean?":
            lambda counts, totals, c: [t + c * math.sqrt(math.log(sum(counts)) / n) for n, t in zip(counts, totals, strict=True)],
        "Under the logarithm: the arm's own pulls, or the pulls of all arms together?":
            lambda counts, totals, c: [t / n + c * math.sqrt(math.log(n) / n) for n, t in zip(counts, totals, strict=True)],
        "Do you choose the lowest bound?": lambda counts, totals, c: [-b for b in bounds(counts, totals, c)],
        "How often do you pull every arm before you compare bounds?":
            lambda counts, totals, c: [math.inf if n < 2 else b for n, b in zip(counts, bounds(counts, totals, c), strict=True)],
        "Do you use an arm's own number of pulls, or one more?": counted_once_more,
        "Do you use c = 0 like any other c, or replace it?":
            lambda counts, totals, c: bounds(counts, totals, c or math.sqrt(2)),
        "Do you round the bounds before you compare them?":
            lambda counts, totals, c: [round(b, 1) for b in bounds(counts, totals, c)],
    }  # fmt: skip

    def changed_rewards() -> list[tuple[tuple, int]]:
        """Two cases with the same pulls and another best arm. A function that keeps its last answer fails."""
        while True:
            counts, totals, c = draw(edition)
            others = [round(count * edition.uniform(-1, 1), 2) for count in counts]
            pair = [upper_bounds(counts, means_of(counts, some), c) for some in (totals, others)]
            if all(clear_best(scores, 1e-3) for scores in pair) and argmax(pair[0]) != argmax(pair[1]):
                return [((counts, some, c), argmax(scores)) for some, scores in zip((totals, others), pair)]

    cases = telling_cases(edition, draw, lambda n, t, c: upper_bounds(n, means_of(n, t), c), mistakes)
    changed = changed_rewards()
    rng = student.rng(edition.getrandbits(30))

    def choose(cases: list[tuple]) -> list[int]:
        return student.many("ucb1", [(*case, rng) for case in cases])

    chosen = choose([case for case, _ in cases + changed])
    if chosen != [best for _, best in cases + changed]:
        recognise_choice(edition, draw, mistakes, choose)
        pairs = [choose([case for case, _ in changed_rewards()]) for _ in range(12)]
        recognise(all(first == second for first, second in pairs), {
            "The pulls are equal, the rewards differ: does your answer?": True,
        })  # fmt: skip
    assert chosen == [best for _, best in cases + changed]


@pytest.mark.hint("with many arms and close bounds: do you round a bound, cut it off, or leave out an arm?")
def test_ucb1_tells_close_bounds_apart(student, edition):
    """the arm with the highest bound is chosen among few or many arms, with few or many pulls

    Promised: Choose the arm with the highest upper confidence bound, W_i / n_i + c sqrt(ln N / n_i).
    """
    rng, (cases, best) = student.rng(edition.getrandbits(30)), close_bounds(edition)
    calls = [(*case, rng) for case in cases]
    assert student.many("ucb1", calls) == best


@pytest.mark.hint("with many arms and close means: do you round a mean, cut it off, or leave out an arm?")
def test_greedy_compares_the_means_of_any_number_of_arms(student, edition):
    """the best mean is found among few or many arms, pulled or not; nearly equal is no tie, in either rule

    Promised: Choose an arm: any arm with probability `epsilon`, else an arm with the best mean.
    Promised: exploration: c >= 0; 0 always takes the best mean.
    """
    rng, (cases, best) = student.rng(edition.getrandbits(30)), close_means(edition)
    calls = [(*case, rng) for case in cases]
    assert student.many("epsilon_greedy", calls) == best
    ask("nearly equal is not equal: are two means or bounds a tie although one of them is higher?")
    for less in (1e-12, 1e-9, 1e-6):
        arm = edition.randrange(3)
        totals = [0.0 if index == arm else -less for index in range(3)]  # one of three arms ten times: once in 59,049 tries
        assert student.many("epsilon_greedy", [([1, 1, 1], totals, 0.0, rng)] * 10) == [arm] * 10
        assert student.many("ucb1", [([1, 1, 1], totals, 0.0, rng)] * 10) == [arm] * 10


@pytest.mark.hint("when your rule explores, does every arm have the same chance, also with many arms, pulled or not?")
def test_all_arms_are_drawn_alike_however_many_they_are(student, edition):
    """exploration draws every arm, pulled or not, equally often; before the first pull each rule can draw every arm

    Promised: rng: decides whether to explore, draws the arm then (each equally likely), and breaks ties of equal best
    means.
    Promised: rng: draws among several arms never pulled, and among equal bounds.
    """
    rng, unevenness = student.rng(edition.getrandbits(30)), 0.0
    for number in (3, 7, 12):
        counts = [0, 0] + [draw_count(edition) for _ in range(number - 2)]
        totals = [draw_total(edition, count) for count in counts]
        explored = student.many("epsilon_greedy", [(counts, totals, 1.0, rng)] * 600)
        assert set(explored) <= set(range(number))
        unevenness += spread(explored, list(range(number)))
    assert unevenness < 88  # chi-squared with 19 degrees of freedom: above 79 once in 2e8 editions
    ask("no arm was ever pulled: can each arm come up, in both rules?")
    nothing = ([0] * 5, [0.0] * 5)
    first = student.many("epsilon_greedy", [(*nothing, 0.0, rng)] * 100) + student.many("ucb1", [(*nothing, 1.0, rng)] * 100)
    # By chance one of five arms is missed in 100 draws once in 1e9 tries.
    assert set(first[:100]) == set(first[100:]) == set(range(5))


@pytest.mark.hint("does your function leave the given lists unchanged?")
def test_asking_for_an_arm_changes_nothing(student, edition):
    """a choice does not change the lists of pulls and rewards, also with an arm that was never pulled

    Promised: `counts` and `totals` are not changed: the caller counts the pulls.
    """
    rng = student.rng(edition.getrandbits(30))
    for counts, totals in (arms(edition), ([0, 3, 0], [0.0, 1.5, 0.0]), ([0, 0], [0.0, 0.0])):
        leaves_arguments(student, "epsilon_greedy", [(counts, totals, epsilon, rng) for epsilon in (0.0, 1.0)])
        leaves_arguments(student, "ucb1", [(counts, totals, 1.0, rng)])


@pytest.mark.hint("does each call read the lists again and draw again?")
def test_every_call_draws_anew(student, edition):
    """a second call with the same lists draws again, in both rules

    Promised: rng: decides whether to explore, draws the arm then (each equally likely), and breaks ties of equal best
    means.
    Promised: rng: draws among several arms never pulled, and among equal bounds.
    """
    counts, totals, rng = student.keep([2, 2, 2]), student.keep([1.0, 1.0, 1.0]), student.rng(edition.getrandbits(30))
    other = student.keep([0.5, 1.5, 1.0])
    for name, weight in (("epsilon_greedy", 0.0), ("ucb1", 1.0)):
        assert len(set(student.many(name, [(counts, totals, weight, rng)] * 40))) > 1  # one arm 40 times: once in 4e18 tries
        assert student.many(name, [(counts, other, weight, rng)] * 40) == [1] * 40
    worse = student.keep([2, 40, 2])
    assert 1 not in student.many("ucb1", [(worse, totals, 1.0, rng)] * 40)


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_chance_comes_from_rng_alone(student, edition):
    """the same rng gives the same arms again, and another rng gives other arms

    Promised: rng: decides whether to explore, draws the arm then (each equally likely), and breaks ties of equal best
    means.
    Promised: rng: draws among several arms never pulled, and among equal bounds.
    Promised: and the only source of chance: no other generator is used or seeded.
    """
    seed = edition.getrandbits(30)

    def pulls(seed: int) -> list[int]:
        rng = student.rng(seed)
        greedy = [([1, 1, 1], [0.0, 1.0, 0.0], 1.0, rng)] * 40 + [([2, 2, 2], [1.0, 1.0, 1.0], 0.0, rng)] * 40
        bounds = [([0, 0, 0], [0.0, 0.0, 0.0], 1.0, rng)] * 40
        return student.many("epsilon_greedy", greedy) + student.many("ucb1", bounds)

    first = pulls(seed)
    # Two sequences of 40 draws from three arms are equal by chance once in 1e19 tries.
    assert first == pulls(seed)
    other = pulls(seed + 1)
    assert first[:40] != other[:40] and first[80:] != other[80:]
    # With epsilon 1/2 two draws agree half of the time: 40 of them twice, once in 1e24 tries.
    follows_its_rng(student, "epsilon_greedy", lambda rng: ([1, 1, 1], [0.0, 1.0, 0.0], 0.5, rng), edition, 40)
    follows_its_rng(student, "ucb1", lambda rng: ([3, 3, 3], [1.0, 1.0, 1.0], 1.0, rng), edition, 40)
