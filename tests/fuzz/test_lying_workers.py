"""A short run of the lying workers: for any messages the grader does not raise, no points are won, and there is no fault."""

import pytest

from autograder.problem_sets.source import names
from tests.fuzz.lies import FAMILIES, PIECES, lie, maker_of
from tests.fuzz.lying_workers import Tally, grade

pytestmark = pytest.mark.usefixtures("processes")

EACH = {"ps4_puct": 5, "ps5_alphazero": 5}  # gradings of a set; torch makes them expensive
CHEAP = 8
QUICK = [name for name, family in FAMILIES.items() if not family.slow and name not in ("memory", "late", "drip")]


@pytest.mark.usefixtures("repetition")
def test_nothing_comes_of_a_lying_worker():
    nothing_comes_of_it("ps1_games")


@pytest.mark.parametrize("ps", [ps for ps in names() if ps != "ps1_games"])
def test_nothing_comes_of_one_in_another_set(ps, repetition):
    nothing_comes_of_it(ps)


def nothing_comes_of_it(ps):
    tally, sentences, first, each = Tally(), [], CHEAP * names().index(ps), EACH.get(ps, CHEAP)
    for place in range(first, first + each):
        row = grade(500_000 + place, QUICK[place % len(QUICK)], (ps,))
        tally.add(row)
        sentences += [f"{row.number} {row.family} over {row.base}: {what}" for what in (row.won, row.raised, *row.faults) if what]
    assert tally.gradings == each and (tally.faults, tally.won) == (0, 0), "\n".join(sentences)


@pytest.mark.usefixtures("repetition")
def test_the_same_number_makes_the_same_submission():
    assert [lie(number).files for number in range(3)] == [lie(number).files for number in range(3)]
    assert {lie(number).family for number in range(250)} == set(FAMILIES) - {name for name in FAMILIES if FAMILIES[name].slow}


@pytest.mark.usefixtures("repetition")
def test_what_an_exercise_earns_against_the_plan_is_counted():
    """a submission that earns what it cannot earn, a fault and an exception each spoil the run"""
    drawn = next(drawn for number in range(99) if (drawn := lie(number, "late", ("ps2_uct",))).base == PIECES)
    written = [exercise.id for exercise in maker_of("ps2_uct").problem_set.exercises if exercise.id not in drawn.lost]
    row = grade(drawn.number, "late", ("ps2_uct",))
    assert written and row.points == drawn.honest > 0 and not row.won
    for spoilt in ({"won": written[0]}, {"faults": ["a fault"]}, {"raised": "an exception"}, {"beyond": "100 s"}):
        tally = Tally()
        tally.add(type(row)(**{**vars(row), **spoilt}))
        assert not tally.sound
