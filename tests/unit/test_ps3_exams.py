"""Exercise 3.10's own answer for long exams, where a binomial coefficient is too large for a float."""

from fractions import Fraction
from math import comb

import pytest

from solutions import ps3_connect_four as ps3


def exactly(p: Fraction, games: int, needed: int) -> Fraction:
    """The binomial sum in whole numbers, without any rounding."""
    wins, of = p.numerator, p.denominator
    ways = sum(comb(games, k) * wins**k * (of - wins) ** (games - k) for k in range(max(needed, 0), games + 1))
    return Fraction(ways, of**games)


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("p, games, needed", [
    (Fraction(1, 2), 1100, 550), (Fraction(11, 20), 1100, 640), (Fraction(1, 2), 5000, 2600), (Fraction(1, 100), 2000, 40),
    (Fraction(99, 100), 2000, 1990), (Fraction(1, 2), 1029, 500), (Fraction(1, 2), 10, 9), (Fraction(79, 100), 10, 9),
])
def test_long_exams_are_as_exact_as_short_ones(p: Fraction, games: int, needed: int) -> None:
    assert ps3.pass_probability(float(p), games, needed) == pytest.approx(float(exactly(p, games, needed)), abs=1e-10)


def test_what_is_certain_stays_certain_in_long_exams() -> None:
    chance = ps3.pass_probability
    assert [chance(1.0, 3000, 3000), chance(0.0, 3000, 1), chance(0.0, 3000, 0), chance(0.0, 3000, -1)] == [1, 0, 1, 1]
    assert chance(0.5, 3000, 3001) == 0 and chance(0.5, 3000, -5) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.usefixtures("computing")
def test_players_who_are_close_need_an_exam_of_a_thousand_games() -> None:
    games, needed = ps3.smallest_exam(0.5, 0.55, 0.05)
    weak, strong = Fraction(1, 2), Fraction(11, 20)

    def tells_apart(games: int, needed: int) -> bool:
        return exactly(weak, games, needed) <= 0.05 and exactly(strong, games, needed) >= 0.95

    assert games > 1030 and tells_apart(games, needed) and exactly(weak, games, needed - 1) > 0.05
    assert not any(tells_apart(fewer, bar) for fewer in (games - 1, games - 2) for bar in (needed - 2, needed - 1, needed))
