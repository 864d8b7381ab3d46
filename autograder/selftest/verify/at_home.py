"""The visible checks over the answers of a bank, as they run at home.

What is right in class must be right at home: a student who reads `NOT YET` there changes an answer that has its points.
"""

from __future__ import annotations

import importlib
import linecache
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Collection, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from rich.console import Console

from arena import check, work
from autograder.problem_sets.bank.answers import Answer, submission_text
from autograder.problem_sets.source import ProblemSet, load
from autograder.sandbox.profiles import profile_of
from autograder.selftest.verify.exercises import in_workers
from autograder.selftest.verify.reach import touched
from autograder.workers.capacity import workers_that_fit
from autograder.workers.pool import RetriesExhausted, WorkerPool

LONGEST_S = 120.0  # for all checks of one answer; each has a limit of its own
ENDED, NOT_LOADED = "the process ended", "does not load"
_FORK = multiprocessing.get_context("fork")  # a bank's answer may change anything in its own process


def misses_at_home(ps: ProblemSet, right: Sequence[Answer], console: Console) -> dict[str, str]:
    """Return a sentence, by title, for each right answer whose visible checks do not say what they should.

    An answer with the mark `# at home: REASON` must be refused there; all other right answers must pass.
    """
    if not right:
        return {}
    pool = WorkerPool(ps.name, workers_that_fit())
    misses = {}
    for answer, verdicts in in_workers(pool, right, _refused, (ps.name,), "right answers at home", console):
        if isinstance(verdicts, RetriesExhausted):
            misses[answer.title] = f"right answer {answer.title!r} could not be tried at home: {verdicts}"
        elif verdicts and not answer.at_home:
            misses[answer.title] = f"right answer {answer.title!r} is refused by a visible check: {'; '.join(verdicts)}"
        elif answer.at_home and not verdicts:
            misses[answer.title] = f"right answer {answer.title!r} passes at home, too: its mark `# at home:` can go"
    return misses


def verdicts_of(ps: ProblemSet, answer: Answer, exercises: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return the verdict and the text of the visible checks of some exercises over our solution with an answer in its place.

    The checks run in a process of their own. If it ends early or the answer does not load, each exercise has ENDED or NOT_LOADED.
    """
    receiver, sender = _FORK.Pipe(duplex=False)
    with tempfile.TemporaryDirectory(prefix="at-home-") as room:
        file = Path(room) / f"{ps.name}.py"
        file.write_text(submission_text(ps, answer), encoding="utf-8")
        process = _FORK.Process(target=_tell_verdicts, args=(file, exercises, sender))
        process.start()
        sender.close()
        try:
            verdicts = receiver.recv() if receiver.poll(LONGEST_S) else ENDED
        except EOFError:
            verdicts = ENDED
        process.kill()
        process.join()
    return dict.fromkeys(exercises, (verdicts, "")) if isinstance(verdicts, str) else verdicts


def _refused(answer: Answer, ps: str) -> list[str]:
    """Return the verdicts of the visible checks that refuse a right answer."""
    problem_set = load(ps)
    for package in profile_of(problem_set.facts).packages:
        importlib.import_module(package)  # once, and not in each answer's process
    verdicts = verdicts_of(problem_set, answer, touched(problem_set, answer))
    return [f"{exercise}: {verdict}" for exercise, (verdict, _) in verdicts.items()
            if verdict not in (check.PASSED, check.FORM_ONLY)]


def _tell_verdicts(file: Path, exercises: Collection[str], sender: Connection) -> None:
    """Run the visible checks of some exercises over a student's module; send their verdicts and texts by exercise."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until this process ends
    linecache.checkcache()
    failed = work.load(work.read(file.with_suffix("")))
    verdicts = {visible.exercise: visible.verdict() for visible in check.registered() if visible.exercise in exercises}
    sender.send(f"{NOT_LOADED}: {failed[0]}" if failed else verdicts)
