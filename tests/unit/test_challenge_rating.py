"""Ratings, pairings and handles of the tournament: known strengths are found, and nothing depends on order or luck."""

import random
from itertools import combinations
from statistics import mean

import pytest

from autograder.tournament.pseudonyms import FIRST, SECOND, handles, slug
from autograder.tournament.rating import RatedMeeting, rate
from autograder.tournament.schedule import Pairing, all_meet, rounds_for, swiss

# -- ratings ---------------------------------------------------------------------------------------


def tournament(true: list[float], rng: random.Random) -> list[RatedMeeting]:
    """Each player meets each other player in two games, won with the probability of the model."""
    def points(first: int, second: int) -> int:
        chance = 1 / (1 + 10 ** ((true[second] - true[first]) / 400))
        return sum(rng.random() < chance for _ in range(2))

    return [RatedMeeting(first, second, points(first, second)) for first, second in combinations(range(len(true)), 2)]


@pytest.mark.usefixtures("computing")
def test_three_of_four_points_are_odds_of_three_to_one() -> None:
    ratings = rate(2, [RatedMeeting(0, 1, 1.5)] * 400, 1)
    assert ratings[0].value == pytest.approx(1191, abs=2)  # 400 log10(3) = 190.8
    assert ratings[1].value == 1000 and ratings[1].low < 1000 < ratings[1].high


def test_who_is_named_first_makes_no_difference() -> None:
    met = tournament([900.0, 1000, 1100, 1300], random.Random(2))
    turned = [RatedMeeting(meeting.second, meeting.first, 2 - meeting.points) for meeting in reversed(met)]
    for first, second in zip(rate(4, met, 1), rate(4, turned, 1)):
        assert first.value == pytest.approx(second.value, abs=0.11)


@pytest.mark.usefixtures("repetition")
def test_the_intervals_hold_what_they_promise() -> None:
    """60 tournaments of 12: 95 % of 720 intervals are 684; those of one tournament are not independent, so the limit is lower."""
    rng, true = random.Random(4), [560 + 80.0 * place for place in range(12)]
    held = 0
    for _ in range(60):
        ratings = rate(12, tournament(true, rng), 6)
        shift = mean(true) - mean(rating.value for rating in ratings)
        held += sum(rating.low <= value - shift <= rating.high for rating, value in zip(ratings, true))
    assert 655 <= held <= 710


def test_whoever_won_everything_has_a_rating_and_those_in_between_their_order() -> None:
    met = [RatedMeeting(first, second, 2) for first, second in combinations(range(5), 2)]
    values = [rating.value for rating in rate(5, met, 2)]
    assert values == sorted(values, reverse=True) and 1000 < values[0] < 2500 and -500 < values[4] < 1000
    assert all(600 < rating.high - rating.low < 1200 for rating in rate(5, met, 2))


def test_more_games_make_narrower_intervals() -> None:
    met = tournament([900.0, 1000, 1100, 1200], random.Random(3))
    once, often = rate(4, met, 1)[3], rate(4, met * 9, 1)[3]
    assert (often.high - often.low) < 0.5 * (once.high - once.low)


@pytest.mark.parametrize("players", [3, 17, 60])
def test_a_field_in_which_some_lose_everything_has_finite_ratings(players: int) -> None:
    met = tournament([1000.0] * players, random.Random(players))
    met = [RatedMeeting(meeting.first, meeting.second, 0 if meeting.first < 2 else meeting.points) for meeting in met]
    for rating in rate(players, met, players - 1):
        assert -2000 < rating.low < rating.value < rating.high < 3000


def test_players_who_never_met_are_told_apart_by_others() -> None:
    values = [rating.value for rating in rate(3, [RatedMeeting(0, 1, 1.5)] * 40 + [RatedMeeting(1, 2, 1.5)] * 40, 1)]
    assert values[0] - values[2] == pytest.approx(2 * 190.8, abs=25)


# -- pairings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 8, 9, 17])
def test_everybody_meets_everybody_once(players: int) -> None:
    order = [f"p{number}" for number in range(players)]
    rounds = [all_meet(order, round_) for round_ in range(rounds_for(players, None))]
    met = [frozenset(pair) for pairs in rounds for pair in pairs]
    assert len(met) == len(set(met)) == players * (players - 1) // 2
    for pairs in rounds:
        busy = [player for pair in pairs for player in pair]
        assert len(busy) == len(set(busy)) >= players - 1


def test_how_many_rounds() -> None:
    assert (rounds_for(17, None), rounds_for(24, None), rounds_for(25, None), rounds_for(300, None)) == (17, 23, 12, 12)
    assert (rounds_for(16, 7), rounds_for(16, 15), rounds_for(16, 44), rounds_for(300, 0), rounds_for(2, 0)) == (7, 15, 30, 3, 1)


@pytest.mark.parametrize("players", [6, 7, 40])
def test_swiss_pairs_equals_who_have_not_met(players: int) -> None:
    order, rng = [f"p{number}" for number in range(players)], random.Random(1)
    points, met = dict.fromkeys(order, 0.0), []
    for _ in range(4):
        pairs = swiss(order, points, met)
        busy = [player for pair in pairs for player in pair]
        assert len(busy) == len(set(busy)) == players - players % 2
        assert pairs == swiss(list(order), dict(reversed(points.items())), reversed(met))
        for first, second in pairs:
            if players == 40:
                assert abs(points[first] - points[second]) <= 2
            won = rng.choice((0, 1, 2))
            points[first] += won
            points[second] += 2 - won
        met += pairs
    again = len(met) - len({frozenset(pair) for pair in met})
    assert again == 0 if players == 40 else again <= 2
    rested = [4 - sum(player in pair for pair in met) for player in order]
    assert max(rested) <= players % 2  # no player is left out twice


def test_a_meeting_is_one_whoever_is_named_first() -> None:
    assert Pairing.of("b", "a", 2) == Pairing.of("a", "b", 2) == Pairing("a", "b", 2)


# -- handles ---------------------------------------------------------------------------------------


def test_handles_are_different_stable_and_nobodys_name() -> None:
    students = [f"student{number}" for number in range(3000)]
    given = handles(b"autumn", students)
    assert len(set(given.values())) == 3000
    assert given == handles(b"autumn", reversed(students + students))
    alone = handles(b"autumn", students[:50])
    assert sum(alone[student] != given[student] for student in alone) <= 2
    other = handles(b"spring", students)
    assert sum(given[student] == other[student] for student in students) <= 3


def test_handles_are_words_for_a_page_and_for_a_file() -> None:
    assert len(set(FIRST)) == len(FIRST) == len(set(SECOND)) == len(SECOND) == 64
    handle = handles(b"autumn", ["ada \udcff"])["ada \udcff"]
    first, second, number = handle.split()
    assert first in FIRST and second in SECOND and 10 <= int(number) <= 99
    assert slug("Brave Otter 27") == "brave-otter-27"
