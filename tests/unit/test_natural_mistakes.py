"""Natural mistakes of students, caught at home: each wrong answer marked `# home` fails the visible check of its exercise.

And no check says `passed` that cannot judge: it catches one of the bank's wrong answers, or it says `form only`.

The mistakes were found with the lessons alone, before their authors had seen a check. What is caught at home is caught in class:
`make verify` grades each of them as a wrong answer. It also tries the right answers at home.
"""

import importlib
from pathlib import Path

import pytest
import torch

from arena import check
from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.source import load, names
from autograder.selftest.verify.at_home import verdicts_of

BANKS = Path(__file__).parents[1] / "wrong"


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", sorted(file.stem for file in BANKS.glob("*.py") if "\n# home\n" in file.read_text("utf-8")))
def test_a_natural_mistake_is_caught_at_home(ps):
    problem_set, missed = load(ps), []
    for mistake in (answer for answer in load_bank(BANKS / f"{ps}.py") if answer.home):
        verdict, hint = verdict_of(problem_set, mistake)
        if verdict != check.NOT_YET or "?" not in hint:
            missed.append((mistake.title, verdict, hint))
    assert missed == []


@pytest.mark.usefixtures("computing")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", names())
def test_a_check_that_says_passed_catches_a_wrong_answer_and_another_says_form_only(ps):
    problem_set = load(ps)
    verdicts = {exercise.id: [] for exercise in problem_set.exercises}
    for answer in load_bank(BANKS / f"{ps}.py"):
        if answer.exercise in verdicts and check.NOT_YET not in verdicts[answer.exercise]:
            verdicts[answer.exercise].append(verdict_of(problem_set, answer)[0])
    judge = {exercise for exercise, got in verdicts.items() if check.NOT_YET in got and check.FORM_ONLY not in got}
    looks = {exercise for exercise, got in verdicts.items() if check.FORM_ONLY in got and check.PASSED not in got}
    assert verdicts.keys() - judge == looks == {exercise.id for exercise in problem_set.exercises if exercise.constant}


@pytest.fixture(autouse=True, scope="module")
def loaded():
    """What the checks need is loaded once here, and not again in every process."""
    importlib.import_module("arena.games")
    torch.optim.Adam([torch.zeros(1, requires_grad=True)])  # torch loads its optimizers when the first one is made


def verdict_of(problem_set, answer):
    """Return the verdict and the text of the visible check over a wrong answer."""
    return verdicts_of(problem_set, answer, {answer.exercise})[answer.exercise]
