"""Natural mistakes of students, caught at home: each wrong answer marked `# home` fails the visible check of its exercise.

The mistakes were found with the lessons alone, before their authors had seen a check. What is caught at home is caught in class:
`make verify` grades each of them as a wrong answer.
"""

import linecache
import multiprocessing
import os
import sys
from pathlib import Path

import pytest
import torch

import arena.games  # noqa: F401  loaded once here, and not again in every process
from arena import check, work
from autograder.problem_sets import build
from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.source import load

BANKS = Path(__file__).parents[1] / "wrong"
FORK = multiprocessing.get_context("fork")  # a mistake may change anything in its own process


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", sorted(file.stem for file in BANKS.glob("*.py") if "\n# home\n" in file.read_text("utf-8")))
def test_a_natural_mistake_is_caught_at_home(ps, tmp_path):
    torch.optim.Adam([torch.zeros(1, requires_grad=True)])  # torch loads its optimizers when the first one is made
    _, module = build(load(ps), solution=True)
    missed = []
    for mistake in (answer for answer in load_bank(BANKS / f"{ps}.py") if answer.home):
        file = tmp_path / f"{ps}.py"
        file.write_text(f"{module}\n\n# %%\n{mistake.code}")
        linecache.checkcache()
        receiver, sender = FORK.Pipe(duplex=False)
        process = FORK.Process(target=tell_verdict, args=(file, mistake.exercise, sender))
        process.start()
        sender.close()
        try:
            verdict, hint = receiver.recv()
        except EOFError:
            verdict, hint = "the process ended", ""
        process.join()
        if verdict != check.NOT_YET or "?" not in hint:
            missed.append((mistake.title, verdict, hint))
    assert missed == []


def tell_verdict(file: Path, exercise: str | None, sender) -> None:
    """Run the visible check of one exercise over a student's module; send its verdict and its text."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until this process ends
    failed = work.load(work.read(file.with_suffix("")))
    verdicts = [visible.verdict() for visible in check.registered() if visible.exercise == exercise]
    sender.send(("does not load", failed) if failed else verdicts[0])
