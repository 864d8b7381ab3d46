"""Natural mistakes of students, caught at home: each wrong answer marked `# home` fails the visible check of its exercise.

And no check says `passed` that cannot judge: it catches one of the bank's wrong answers, or it says `form only`.

The mistakes were found with the lessons alone, before their authors had seen a check. What is caught at home is caught in class:
`make verify` grades each of them as a wrong answer.
"""

import linecache
import multiprocessing
import os
import sys
from collections.abc import Collection
from pathlib import Path

import pytest
import torch

import arena.games  # noqa: F401  loaded once here, and not again in every process
from arena import check, work
from autograder.problem_sets import build
from autograder.problem_sets.bank.answers import Answer, load_bank
from autograder.problem_sets.source import load, names
from autograder.selftest.verify.reach import reaches

BANKS = Path(__file__).parents[1] / "wrong"
FORK = multiprocessing.get_context("fork")  # a mistake may change anything in its own process


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", sorted(file.stem for file in BANKS.glob("*.py") if "\n# home\n" in file.read_text("utf-8")))
def test_a_natural_mistake_is_caught_at_home(ps, tmp_path):
    module = solved(ps)
    missed = []
    for mistake in (answer for answer in load_bank(BANKS / f"{ps}.py") if answer.home):
        verdict, hint = verdict_of(mistake, module, tmp_path / f"{ps}.py")
        if verdict != check.NOT_YET or "?" not in hint:
            missed.append((mistake.title, verdict, hint))
    assert missed == []


@pytest.mark.usefixtures("computing")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", names())
def test_a_check_that_says_passed_catches_a_wrong_answer_and_another_says_form_only(ps, tmp_path):
    module, verdicts = solved(ps), {exercise.id: [] for exercise in load(ps).exercises}
    for answer in load_bank(BANKS / f"{ps}.py"):
        if answer.exercise in verdicts and check.NOT_YET not in verdicts[answer.exercise]:
            verdicts[answer.exercise].append(verdict_of(answer, module, tmp_path / f"{ps}.py")[0])
    judge = {exercise for exercise, got in verdicts.items() if check.NOT_YET in got and check.FORM_ONLY not in got}
    looks = {exercise for exercise, got in verdicts.items() if check.FORM_ONLY in got and check.PASSED not in got}
    assert verdicts.keys() - judge == looks == {exercise.id for exercise in load(ps).exercises if exercise.constant}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("ps, title", [("ps3_connect_four", "best_child begins with the lowest reward that a game gives")])
def test_a_right_answer_that_a_check_refused_passes_at_home(ps, title, tmp_path):
    (answer,) = [answer for answer in load_bank(BANKS.parent / "right" / f"{ps}.py") if answer.title == title]
    (verdict,) = verdicts_of(answer, reaches(load(ps), answer), solved(ps), tmp_path / f"{ps}.py")
    assert verdict[0] == check.PASSED, verdict[1]


def solved(ps: str) -> str:
    """The solved module of a set, in a process that has loaded what its checks need."""
    torch.optim.Adam([torch.zeros(1, requires_grad=True)])  # torch loads its optimizers when the first one is made
    return build(load(ps), solution=True)[1]


def verdict_of(answer: Answer, module: str, file: Path) -> tuple[str, str]:
    """Return the verdict and the text of the visible check over a wrong answer."""
    (verdict,) = verdicts_of(answer, {answer.exercise}, module, file)
    return verdict


def verdicts_of(answer: Answer, exercises: Collection[str | None], module: str, file: Path) -> list[tuple[str, str]]:
    """Return the verdicts and the texts of visible checks over an answer, which runs in a process of its own."""
    file.write_text(f"{module}\n\n# %%\n{answer.code}")
    linecache.checkcache()
    receiver, sender = FORK.Pipe(duplex=False)
    process = FORK.Process(target=tell_verdicts, args=(file, exercises, sender))
    process.start()
    sender.close()
    try:
        verdicts = receiver.recv()
    except EOFError:
        verdicts = [("the process ended", "")]
    process.join()
    return verdicts


def tell_verdicts(file: Path, exercises: Collection[str | None], sender) -> None:
    """Run the visible checks of some exercises over a student's module; send their verdicts and texts."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until this process ends
    failed = work.load(work.read(file.with_suffix("")))
    verdicts = [visible.verdict() for visible in check.registered() if visible.exercise in exercises]
    sender.send([("does not load", str(failed))] if failed else verdicts)
