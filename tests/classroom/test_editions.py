"""`make verify EDITIONS=n` names the answers of a bank that an edition judges wrongly, and no others."""

import io
from concurrent.futures import ThreadPoolExecutor

import pytest
from rich.console import Console

from autograder.grading.reference import module_submission
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank, submission_text
from autograder.problem_sets.source import load
from autograder.selftest.one_exercise import caught_by, edition_names
from autograder.selftest.verify.editions import compare_editions

NEVER = "def ucb(*arguments, **options):\n    return 1.0\n"
SAME = "unchanged = 1\n"
CAUGHT = Answer("always 1", "2.6", NEVER)
MISSED = Answer("nothing is wrong", "2.6", SAME)
PASSED = Answer("nothing is different", None, SAME)
WRONGED = Answer("a wrong one", None, NEVER)


@pytest.fixture(scope="module")
def compared() -> tuple[list[str], str]:
    """The sentences and the printed line for four answers in three editions, graded in this process."""
    shown = io.StringIO()
    with ThreadPoolExecutor(1) as here:
        misses = compare_editions(load("ps2_uct"), [CAUGHT, MISSED, PASSED, WRONGED], edition_names(3), 1,
                                  Console(file=shown, width=500), here)
    return misses, shown.getvalue()


def test_the_editions_differ_and_the_first_is_the_public_one():
    assert edition_names(3)[0] == "" and len(set(edition_names(20))) == 20


@pytest.mark.usefixtures("processes")
def test_what_an_edition_misjudges_is_named_with_the_edition(compared):
    misses, _ = compared
    assert len(misses) == 2
    missed, wronged = misses
    assert missed == "wrong answer '2.6: nothing is wrong' is not caught in 3 of 3 editions, such as 'the public one'"
    assert wronged.startswith("right answer 'a wrong one' loses 2.6 test_")


@pytest.mark.usefixtures("processes")
def test_the_line_counts_both_kinds(compared):
    assert compared[1].rstrip().endswith(
        "ps2_uct: in 3 editions wrong answers 1 caught in all 0 in some 1 in none, right answers 1 passed in all 1 failed")


@pytest.mark.usefixtures("processes")
def test_of_one_exercise_a_right_answer_is_asked_about_nothing_else():
    """Its wrong `ucb` loses 2.6 and the joint check; where 2.5 is looked at, 2.6 is not."""
    fine = "def backpropagate(node, value):\n    while node:\n        node.num_visits += 1\n        node.total_value += value\n" \
           "        node, value = node.parent, -value\n"
    with ThreadPoolExecutor(1) as here:
        (miss,) = compare_editions(load("ps2_uct"), [Answer("two functions", None, f"{NEVER}\n\n{fine}")], edition_names(2), 1,
                                   Console(file=io.StringIO()), here, only="2.5")
    assert miss.startswith("right answer 'two functions' loses joint test_") and "2.6" not in miss


@pytest.mark.usefixtures("processes")
def test_a_check_in_its_own_process_catches_whatever_comes_after_it():
    """The checks of 2.15 run in an order that is drawn, so the one that fails first may stand before others that passed."""
    ps = load("ps2_uct")
    wrong = load_bank(REPOSITORY / "tests" / "wrong" / "ps2_uct.py")
    answer = next(answer for answer in wrong if "looks at visits alone" in answer.title)
    assert None not in caught_by(module_submission(ps, submission_text(ps, answer)), "2.15", edition_names(6))
