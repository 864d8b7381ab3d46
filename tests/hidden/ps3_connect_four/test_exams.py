"""3.10: what a number of games can show."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate
from math import ceil, comb, erfc, exp, lgamma, log, sqrt

import pytest

from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.laws import agrees, same_again

# More time than elsewhere: the plain way to an exam of three hundred games, by tables, needs half of the usual limit.
pytestmark = pytest.mark.exercise("3.10", cpu_s=12.0)


def exact_with_draws(win: float, draw: float, games: int, needed: float) -> float:
    """The probability of a score of at least `needed`, with draws as half points; computed by adding one game after another."""
    halves = [1.0]  # halves[k]: the probability of k half points so far
    for _ in range(games):
        longer = [0.0] * (len(halves) + 2)
        for k, chance in enumerate(halves):
            longer[k] += chance * (1 - win - draw)
            longer[k + 1] += chance * draw
            longer[k + 2] += chance * win
        halves = longer
    return sum(chance for k, chance in enumerate(halves) if k >= 2 * needed)


def tail(p: float, games: int, needed: int) -> float:
    """The probability of at least `needed` wins."""
    return _tails(p, games)[min(max(needed, 0), games + 1)]


@lru_cache(maxsize=200)
def _tails(p: float, games: int) -> list[float]:
    """The probability of at least 0, 1, ... games and one more wins, from the binomial coefficients."""
    exactly = [comb(games, k) * p**k * (1 - p) ** (games - k) for k in range(games + 1)]
    return [*reversed([*accumulate(reversed(exactly), initial=0.0)])]


def smallest(weak: float, strong: float, error: float) -> tuple[int, int] | None:
    """The smallest exam, with its margin; None if rounding could decide."""
    for games in range(1, 80):
        for needed in range(games + 2):
            low, high = tail(weak, games, needed), tail(strong, games, needed)
            if min(abs(low - error), abs(high - 1 + error)) < 1e-6:
                return None
            if low <= error:
                if high >= 1 - error:
                    return games, needed
                break
    return None


def halfway(weak: float, strong: float, error: float, games: int, needed: int) -> bool:
    """Whether a pass mark in the middle between the two players finds the same exam."""
    for fewer in range(1, games + 1):
        bar = ceil(fewer * (weak + strong) / 2)
        if tail(weak, fewer, bar) <= error and tail(strong, fewer, bar) >= 1 - error:
            return (fewer, bar) == (games, needed)
    return False


@pytest.mark.hint("which numbers of wins pass, and in how many orders can these wins come?")
def test_the_binomial_sum_by_hand(student, edition):
    """the sum is right for four exams found by hand

    Promised: Return the probability of at least `needed` wins in `games` games, each won with probability p.
    """
    #   10 x .79^9 x .21 + .79^10 = .34637;   two coins, at least one head: 3/4;   four coins, at least two: 11/16
    cases = [(0.79, 10, 9), (0.55, 10, 6), (0.5, 2, 1), (0.5, 4, 2)]
    got, wanted = student.many("pass_probability", cases), [0.346371, 0.504405, 0.75, 0.6875]
    if got != pytest.approx(wanted, abs=1e-5):
        mistakes = {
            "this is the probability of exactly that many wins: what does `at least` add?": lambda p, n, m: exactly(p, n, m),
            "this is the probability of MORE wins than needed: is the needed number enough?": lambda p, n, m: tail(p, n, m + 1),
            "How many wins are possible at most: is a win of all games in your sum?": lambda p, n, m: tail(p, n, m) - p**n,
            "in how many orders can the wins and losses come?":
                lambda p, n, m: sum(exactly(p, n, k) / comb(n, k) for k in range(m, n + 1)),
            "is this the probability to pass, or to fail?": lambda p, n, m: 1 - tail(p, n, m),
            "Does a bell curve give the exact sum for so few games?":
                lambda p, n, m: 0.5 * erfc((m - 0.5 - n * p) / sqrt(2 * n * p * (1 - p))),
            "Is this a bell curve instead of the exact sum?": lambda p, n, m: 0.5 * erfc((m - n * p) / sqrt(2 * n * p * (1 - p))),
            "p is the probability of which result: a win or a loss?": lambda p, n, m: tail(1 - p, n, m),
        }  # fmt: skip
        recognise(got, {hint: [mistake(*case) for case in cases] for hint, mistake in mistakes.items()})
    assert got == pytest.approx(wanted, abs=2e-2)
    ask("this is close to the probability, but not equal: do you round, or use an approximation?")
    assert got == pytest.approx(wanted, abs=1e-5)
    assert got[2:] == pytest.approx(wanted[2:], abs=1e-12)


def exactly(p: float, games: int, wins: int) -> float:
    """The probability of exactly `wins` wins."""
    return comb(games, wins) * p**wins * (1 - p) ** (games - wins)


@pytest.mark.hint("is p as it was given, also below 1/2, and does the sum have all numbers of wins, each with all its orders?")
def test_the_binomial_sum_is_exact(student, edition):
    """the probability is the binomial sum, for few games and for hundreds, for weak players and for strong ones

    Promised: The exact binomial sum, no simulation.
    """
    cases = [(round(edition.uniform(0.05, 0.95), 3), games, edition.randint(games // 4, games)) for games in (60, 300)]
    # near the mean, where an approximation differs in every edition; far from it all are 0 or 1
    cases += [(p, games, round(p * games) + edition.randint(-2, 2)) for p, games, _ in cases]
    got = student.many("pass_probability", cases)
    assert got == pytest.approx([tail(*case) for case in cases], abs=1e-6)
    ask("Is any number on the way too large for a float when there are thousands of games?")
    # eighths, because an answer in exact fractions may be slow with other numbers
    many = [(p, games, round(p * games) + edition.randint(-20, 20))
            for p, games in ((0.5, edition.randint(1030, 1100)), (edition.randint(2, 6) / 8, edition.randint(1900, 2000)))]
    got = student.many("pass_probability", many)
    assert got == pytest.approx([by_logarithms(*case) for case in many], abs=1e-6)
    ask("Is a number on the way so small that it is 0 as a float, and do others depend on it?")
    few = 0.75, edition.randint(1100, 1200), edition.randint(40, 60)  # exactly so many wins: less than 1e-400
    assert student.pass_probability(*few) == pytest.approx(1.0, abs=1e-6)


def by_logarithms(p: float, games: int, needed: int) -> float:
    """The probability of at least `needed` wins, where the binomial coefficients are too large for floats."""
    whole = lgamma(games + 1)
    return sum(exp(whole - lgamma(k + 1) - lgamma(games - k + 1) + k * log(p) + (games - k) * log(1 - p))
               for k in range(needed, games + 1))


@pytest.mark.hint("what is certain, and what is impossible?")
def test_certain_and_impossible_exams(student, edition):
    """no win needed is always reached, more wins than games never; players who always win or always lose are exact too

    Promised: needed: 0 or less is always reached; more than `games` never.
    """
    games, p = edition.randint(3, 30), round(edition.uniform(0.1, 0.9), 3)
    cases = [(p, games, 0), (p, games, -2), (p, games, games + 1), (p, 0, 0)]
    cases += [(1.0, games, games), (0.0, games, 1), (0.0, games, 0), (1.0, games, games + 1), (0.0, games, games + 1)]
    got = student.many("pass_probability", cases)
    ask("no win is needed, or more wins than games: which case is certain, and which is impossible?")
    assert got[:4] == pytest.approx([1, 1, 0, 1], abs=1e-6)
    ask("a player who always wins, or never wins: how many wins does this player have, and are they enough?")
    assert got[4:] == pytest.approx([1, 0, 1, 0, 0], abs=1e-6)


@pytest.mark.hint("what is a draw worth, and is a score of exactly `needed` enough?")
def test_simulated_exams_that_leave_nothing_to_chance(student, edition):
    """if all games are won, lost or drawn, the share is 0 or 1, and a draw counts half a point

    Promised: needed: an exam is passed with a score of at least that much; a win counts 1, a draw 0.5, a loss 0.
    """
    games = edition.choice([6, 8, 10])
    cases = [
        (1.0, 0.0, games, games, 1.0),
        (1.0, 0.0, games, games + 0.5, 0.0),
        (0.0, 0.0, games, 0.5, 0.0),
        (0.0, 0.0, games, 0.0, 1.0),
        (0.0, 1.0, games, games / 2, 1.0),
        (0.0, 1.0, games, games / 2 + 0.5, 0.0),
        (0.0, 1.0, 3, 1.5, 1.0),
        (0.0, 1.0, games + 1, games / 2 + 0.75, 0.0),
        (0.0, 1.0, games + 1, games / 2 + 0.25, 1.0),
        (1.0, 0.0, 60, 60, 1.0),
        (0.0, 1.0, 61, 30.5, 1.0),
        (0.0, 1.0, 61, 31, 0.0),
        (1.0, 0.0, 1000, 1000, 1.0),
        (0.0, 1.0, 1001, 500.5, 1.0),
    ]
    got = student.many("simulated_pass_rate", [(*case[:4], 7, student.rng(1)) for case in cases])
    if got != [case[4] for case in cases]:
        mistakes = {
            "What is a draw worth, and does a drawn game count as one of the exam's games?": lambda win, draw, n, m: n * win >= m,
            "Is a draw worth as much as a win?": lambda win, draw, n, m: n * (win + draw) >= m,
            "Is a score of exactly `needed` enough?": lambda win, draw, n, m: n * (win + draw / 2) > m,
            "`needed` can be half a point: do you round it?": lambda win, draw, n, m: n * (win + draw / 2) >= int(m),
            "`needed` need not be a whole or half number: do you round it?":
                lambda win, draw, n, m: n * (win + draw / 2) >= int(2 * m) / 2,
            "Do you return the number of passed exams, or their share?":
                lambda win, draw, n, m: 7.0 * (n * (win + draw / 2) >= m),
            "By which number do you divide the number of passed exams: by the number of all exams?":
                lambda win, draw, n, m: 7 / 8 * (n * (win + draw / 2) >= m),
            "What do you count: passed exams, or points?": lambda win, draw, n, m: win + draw / 2,
            "With which score does each exam begin?":
                lambda win, draw, n, m: sum(exam * n * (win + draw / 2) >= m for exam in range(1, 8)) / 7,
            "How many games has an exam: do you play all of them?": lambda win, draw, n, m: min(n, 50) * (win + draw / 2) >= m,
        }  # fmt: skip
        recognise(got, {hint: [float(mistake(*case[:4])) for case in cases] for hint, mistake in mistakes.items()})
        if got[:-2] == [case[4] for case in cases[:-2]]:  # only the exams of a thousand games are wrong
            ask("how many games has an exam: do you play all of them?")
    assert got == [case[4] for case in cases]


@pytest.mark.hint("one random number for each game: which part of [0, 1) is a win, and which part a draw?")
def test_the_simulated_share_is_near_the_exact_one(student, edition):
    """with wins, draws and losses the share of passed exams is near the exact probability

    Promised: Play `num_exams` exams of `games` games and return the share of them that were passed, in [0, 1].
    """
    cases = [(0.79, 0.0, 10, 9), (0.55, 0.0, 10, 6), (0.3, 0.4, 6, 3.5), (0.2, 0.5, 5, 2.5), (0.5, 0.25, 4, 3)]
    for win, draw, games, needed in cases:
        got = student.simulated_pass_rate(win, draw, games, needed, 1200, student.rng(edition.getrandbits(30)))
        # 1,200 exams: a deviation of .0145 at most; .085 is nearly six of them, once in 2e8 tries.
        assert abs(got - exact_with_draws(win, draw, games, needed)) < 0.085
    ask("a win or a draw is very rare: is one random number exact enough to decide the game?")
    for win, draw, needed in ((0.0004, 0.0, 1), (0.0, 0.0004, 0.5)):
        got = student.simulated_pass_rate(win, draw, 50, needed, 1200, student.rng(edition.getrandbits(30)))
        # 2 of 100 exams have such a game: 24 of 1,200, a deviation of 4.8; none once in 2e10, 60 once in 1e9
        assert 0 < got < 0.05


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_exams_repeat_with_their_rng(student, edition):
    """the same rng gives the same shares again, another rng gives others, and no other generator is used

    Promised: rng: the only source of chance.
    """
    seed = edition.getrandbits(30)

    def shares(seed: int) -> list[float]:
        return student.many("simulated_pass_rate", [(0.5, 0.1, 5, 3, 60, student.rng(seed))] * 12)

    before = student.disturb(edition.getrandbits(30))
    first = shares(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == shares(seed)
    assert first != shares(seed + 1)  # twelve shares of 61 values: equal by chance less than once in 1e11 tries


@pytest.mark.hint("by which number do you divide the passed exams, and can a single exam be passed or failed?")
def test_the_share_is_of_all_exams(student, edition):
    """the answer is the number of passed exams divided by the number of all exams, for many exams and for one

    Promised: Play `num_exams` exams of `games` games and return the share of them that were passed, in [0, 1].
    """
    rng = student.rng(edition.getrandbits(30))
    ones = student.many("simulated_pass_rate", [(0.5, 0.0, 1, 1, 1, rng)] * 60)
    threes = student.many("simulated_pass_rate", [(0.5, 0.0, 1, 1, 3, rng)] * 60)
    assert set(ones) == {0.0, 1.0}  # sixty equal coins come once in 1e17 tries
    assert [share for share in threes if not min(abs(share - k / 3) for k in range(4)) < 1e-9] == []
    assert len({round(share, 6) for share in threes}) > 2  # all but two of the four values: once in 1e7 tries


def first_exam(low: Callable[[int, int], bool], high: Callable[[int, int], bool], numbers: Iterable[int]) -> tuple[int, int]:
    """The first number of games and its lowest pass mark that fails the weak player, if this mark lets the strong one pass."""
    for games in numbers:
        needed = next(needed for needed in range(games + 2) if low(games, needed))
        if high(games, needed):
            return games, needed
    return 0, 0


def mistaken_exams(weak: float, strong: float, error: float) -> dict[str, tuple[int, int]]:
    """The exams that known mistakes find, by their hints."""

    def exam(may: float = error, must: float = 1 - error, numbers: Iterable[int] = range(1, 200)) -> tuple[int, int]:
        return first_exam(lambda n, m: tail(weak, n, m) <= may, lambda n, m: tail(strong, n, m) >= must, numbers)

    def middle(games: int) -> int:
        return ceil(games * (weak + strong) / 2)

    games, needed = exam()
    fair = (n for n in range(1, 200) if tail(weak, n, middle(n)) <= error and tail(strong, n, middle(n)) >= 1 - error)
    halfway_games = next(fair, 0)
    return {
        "How often must the strong player pass: in half of the exams?": exam(must=0.5),
        "How often may the weak player pass: in half of the exams?": exam(may=0.5),
        "Do you test only one pass mark, in the middle between the players?": (halfway_games, middle(halfway_games)),
        "Which numbers of games do you try: also even ones?": exam(numbers=range(1, 200, 2)),
        "Which numbers of games do you try: also odd ones?": exam(numbers=range(2, 200, 2)),
        "With how many games does your search begin: can fewer games be enough?": exam(numbers=range(10, 200)),
        "Which comes first in the answer: the games, or the needed wins?": (needed, games),
        "Is your pass mark the lowest that fails the weak player?": (games, needed + 1),
        "Does `error` limit the mistakes about each player, or about both together?": exam(error / 2, 1 - error / 2),
        "Do you round one of the three numbers?": exam(round(error, 2), 1 - round(error, 2)),
    }


@pytest.mark.hint("which two probabilities must hold at once, and what is the smallest number of games for this?")
def test_the_smallest_exam_tells_two_players_apart(student, edition):
    """the exam has the fewest games with which the weak player fails and the strong one passes, and the lowest such pass mark

    Promised: Return (games, needed): the fewest games with which an exam can separate two players.
    Promised: For this number of games, `needed` is the smallest number of wins that keeps the weak player's probability in
    this limit.
    """
    cases, wanted = [(0.5, 0.9, 0.2)], [(5, 4)]  # see the lesson: .188 and .919; no exam of four games is enough
    while len(cases) < 4:
        lowest, highest, error = (0.2, 0.6, (0.08, 0.3)) if len(cases) < 3 else (0.02, 0.1, (0.01, 0.1))
        weak = round(edition.uniform(lowest, highest), 3)
        case = (weak, round(weak + edition.uniform(0.3, 0.4), 3), round(edition.uniform(*error), 3))
        exam = smallest(*case)
        if exam is not None and (len(cases) < 3 or not halfway(*case, *exam)):  # an exam for which the middle is not a pass mark
            cases.append(case)
            wanted.append(exam)
    got = student.smallest_exam(0.1, 0.6, 0.02)
    if got != (14, 5):
        recognise(got, mistaken_exams(0.1, 0.6, 0.02))
    ask("can the pass mark be below half of the games?")
    assert got == (14, 5)
    ask("which two probabilities must hold at once, and what is the smallest number of games for this?")
    got = student.many("smallest_exam", cases)
    if got != wanted:
        mistakes = [mistaken_exams(*case) for case in cases]
        recognise(got, {hint: [each[hint] for each in mistakes] for hint in mistakes[0]})
    assert got == wanted


@pytest.mark.hint("one of the three numbers changes: what do you compute again?")
def test_exams_that_share_a_number_differ(student, edition):
    """the exam depends on all three numbers, in any order of calls

    Promised: Return (games, needed): the fewest games with which an exam can separate two players.
    Promised: For this number of games, `needed` is the smallest number of wins that keeps the weak player's probability in
    this limit.
    """
    known = {
        (0.3, 0.6, 0.2): (8, 4), (0.3, 0.8, 0.2): (4, 3), (0.3, 0.6, 0.1): (19, 9),
        (0.1, 0.6, 0.02): (14, 5), (0.02, 0.3, 0.2): (5, 1), (0.3, 0.7, 0.1255): (9, 5),
        (0.0, 0.5, 0.005): (8, 1), (0.5, 1.0, 0.005): (8, 8),
    }  # fmt: skip
    calls = edition.sample(list(known), len(known))
    got = dict(zip(calls, student.many("smallest_exam", calls), strict=True))
    first = "do you remember an earlier exam: what do you compute again when one of the three numbers changes?"
    if len({got[call] for call in list(known)[:5]}) == 5:  # as it should be: no answer came a second time
        first = "more games are not always better: do you try 1, 2, 3, ... games in turn?"
    questions = {
        first: list(known)[:5],
        "do you round one of the three numbers?": list(known)[5:6],
        "a player may never win, or always win: do you use the probabilities 0 and 1 unchanged?": list(known)[6:],
    }
    for question, some in questions.items():
        ask(question)
        assert [got[call] for call in some] == [known[call] for call in some]


@pytest.mark.hint("which two mistakes must both be rare, and what is the smallest number of games for this?")
def test_better_players_are_told_apart_sooner(student, edition):
    """42 games with 29 wins tell a .79 player from a .55 player, and each is judged wrongly in at most 5 of 100 exams

    Promised: the weak player may pass with at most this probability, and the strong player must pass with at least 1 - error.
    """
    assert student.smallest_exam(0.55, 0.79, 0.05) == (42, 29)
    assert student.smallest_exam(0.1, 0.95, 0.3)[0] == 1


@pytest.mark.hint("is your sum right for no game, and for `needed` below 0 or above the games, at every call?")
def test_the_binomial_sum_everywhere(student, edition):
    """the probability is the binomial sum for any p, number of games and `needed`, in any order of calls

    Promised: Return the probability of at least `needed` wins in `games` games, each won with probability p.
    """
    cases = [(round(edition.choice([edition.random(), edition.choice([1e-4, 0.5, 0.999])]), 4), games, needed)
             for games in (0, 1, 2, 5, 9, 24, 40) for needed in edition.choices(range(-1, games + 3), k=6)]  # fmt: skip
    agrees(student, "pass_probability", cases, tail)
    same_again(student, "pass_probability", cases)


# Exams of two players who are close, (weak, strong, error): (games, needed). With more games some exams fail again, so a search
# that halves the number of games finds another exam, wherever it begins.
CLOSE = {
    (0.12, 0.25, 0.05): (98, 18), (0.27, 0.4, 0.1): (89, 30), (0.25, 0.39, 0.1): (74, 24), (0.51, 0.66, 0.1): (74, 44),
    (0.53, 0.69, 0.08): (76, 47), (0.47, 0.65, 0.06): (74, 42),
}  # fmt: skip
# Exams of more than three hundred games against a player who never wins, strong: games. One win is needed, so whoever tries each
# `needed` from 0, with a sum each, is soon done.
NEVER = {0.0098: 305, 0.0097: 308, 0.0096: 311, 0.0095: 314}


@pytest.mark.hint("does your search for the number of games stop at a fixed number?")
def test_players_of_nearly_the_same_strength(student, edition):
    """two players of nearly the same strength need dozens of games, or hundreds, and the fewest are found

    Promised: Return (games, needed): the fewest games with which an exam can separate two players.
    Promised: For this number of games, `needed` is the smallest number of wins that keeps the weak player's probability in
    this limit.
    """
    ask("more games are not always better: do you try each number of games, also among dozens of games?")
    call = edition.choice(list(CLOSE))
    assert student.smallest_exam(*call) == CLOSE[call]
    ask("does your search for the number of games stop at a fixed number?")
    strong = edition.choice(list(NEVER))
    assert student.smallest_exam(0.0, strong, 0.05) == (NEVER[strong], 1)
