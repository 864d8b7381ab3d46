"""`python -m autograder.selftest.regrade [SET...] [--every N]`: findings that are kept by exercise, against fresh ones.

Every N-th answer of the banks, the demo class, our solution and the stub are graded. Then each is graded twice more, with every
second exercise known from before, so each exercise is taken once and computed once; report and staff's notes must be the fresh
ones. The cost of one exercise alone is measured with our solution.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from autograder.course.storage.report_store import staff_text
from autograder.grading.config import Graded, Settings
from autograder.grading.edition import public_secret
from autograder.grading.grade import grade_payload
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import load_bank, submission_text
from autograder.problem_sets.source import load, module_text, names
from autograder.progress import ProgressBar
from autograder.selftest.demo.course import demo_files
from autograder.selftest.demo.members import demo_sets
from autograder.selftest.demo.staging import write_all
from autograder.submission.discover import Entry
from autograder.submission.payload import Payload, module_payload, read_payload
from autograder.workers.capacity import workers_that_fit
from autograder.workers.pool import grade_all

ROUNDS = 3  # of each measured grading; the least counts


@dataclass(frozen=True)
class Comparison:
    """What came of one answer. parts: the number of kept parts; 0 if its findings hold only together.

    different: for each grading that differs from the fresh one, the exercises that it took from before.
    unsteady: whether two fresh gradings differ as well, as they do where the answer has a clock or chance of its own.
    """

    parts: int
    different: tuple[tuple[str, ...], ...]
    unsteady: bool = False


def compare(payload: Payload, settings: Settings) -> Comparison:
    """Grade a submission as a whole, then with each half of its exercises known from before."""
    fresh = grade_payload(payload, settings)
    if fresh.parts is None:
        return Comparison(0, ())
    data = json.loads(json.dumps(fresh.parts))
    ids = list(data["parts"])
    different = []
    for half in (ids[::2], ids[1::2]):
        graded = grade_payload(payload, settings, known={**data, "parts": {id: data["parts"][id] for id in half}})
        different += [tuple(half)] if _shown(graded) != _shown(fresh) else []
    unsteady = bool(different) and any(_shown(grade_payload(payload, settings)) != _shown(fresh) for _ in range(3 * ROUNDS))
    return Comparison(len(ids), tuple(different), unsteady)


def _shown(graded: Graded) -> tuple[str, str]:
    return graded.report.to_json(), staff_text(graded.staff)


def regrade(ps: str, every: int, console: Console) -> bool:
    """Compare the submissions of a set and print the result; return whether there was something to compare and no difference."""
    problem_set, settings = load(ps), Settings(public_secret())
    texts = {f"the {kind}": module_text(problem_set, solution=kind == "solution") for kind in ("solution", "stub")}
    for bank in ("wrong", "right"):
        answers = load_bank(REPOSITORY / "tests" / bank / f"{ps}.py")[::every]
        texts |= {f"{bank} {answer.title}": submission_text(problem_set, answer) for answer in answers}
    payloads = {Entry(title, Path()): module_payload(ps, text) for title, text in texts.items()}
    payloads |= _demo_class(ps) if ps in demo_sets() else {}
    bar, by_title = ProgressBar(console), dict[str, Comparison | str]()
    bar.start(f"{ps}: submissions graded three times", len(payloads))
    try:
        for entry, answer in grade_all(list(payloads), ps, settings, workers_that_fit(), compare, payloads=payloads):
            by_title[entry.student] = answer
            bar.step(entry.student)
    finally:
        bar.end()
    compared = {title: answer for title, answer in by_title.items() if isinstance(answer, Comparison)}
    whole = sum(answer.parts == 0 for answer in compared.values())
    wrong = [f"{title}: {answer}" for title, answer in by_title.items() if isinstance(answer, str)]
    wrong += [f"{title}: differs with {', '.join(taken)} taken"
              for title, answer in compared.items() if not answer.unsteady for taken in answer.different]
    unsteady = [title for title, answer in compared.items() if answer.unsteady]
    for difference in wrong:
        console.print(difference)
    for title in unsteady:
        console.print(f"{title}: two fresh gradings differ, too")
    console.print(f"{ps}: {len(by_title)} submissions, {sum(answer.parts for answer in compared.values())} kept parts, "
                  f"{len(wrong)} differences to a fresh grading; {whole} are kept only as a whole; "
                  f"{len(unsteady)} differ from one fresh grading to the next")
    console.print(_cost(payloads[Entry("the solution", Path())], settings))
    return bool(compared) and whole < len(compared) and not wrong


def _demo_class(ps: str) -> dict[Entry, Payload]:
    with TemporaryDirectory() as folder:
        write_all(Path(folder), demo_files(ps))
        students = sorted(Path(folder).iterdir())
        return {Entry(f"demo {student.name}", student): read_payload(student / ps, ps) for student in students}


def _cost(payload: Payload, settings: Settings) -> str:
    """Return a sentence about the core-seconds of one exercise alone, against a whole grading."""
    whole_s, fresh = _timed(payload, settings, None)
    assert fresh.parts is not None  # of our own solution, which does nothing odd
    parts = fresh.parts["parts"]
    times = {id: whole_s / _timed(payload, settings, {**fresh.parts, "parts": {of: parts[of] for of in parts if of != id}})[0]
             for id in parts}
    slowest = min(times, key=lambda id: times[id])
    return (f"{payload.ps}: a whole grading takes {whole_s:.2f} core-seconds; one exercise alone takes "
            f"{median(times.values()):.0f} times fewer (median), at worst {times[slowest]:.1f} times ({slowest})")


def _timed(payload: Payload, settings: Settings, known: dict[str, Any] | None) -> tuple[float, Graded]:
    """Return the least core-seconds of grader and sandbox for a grading in a warm process, and the grading."""
    return min(gradings(payload, settings, ROUNDS, known), key=lambda grading: grading[0])


def gradings(
    payload: Payload, settings: Settings, rounds: int, known: dict[str, Any] | None = None
) -> Iterator[tuple[float, Graded]]:
    """Grade a submission several times; yield the core-seconds of grader and sandbox, and the grading.

    Args:
        known: what is kept of an earlier grading; its stored CPU time, which is charged again, does not count.
    """
    charged = sum(part["cpu_s"] for part in known["parts"].values()) if known else 0.0
    for _ in range(rounds):
        before = time.process_time()
        graded = grade_payload(payload, settings, known=known)
        yield time.process_time() - before + graded.cpu_s - charged, graded


def main(arguments: Sequence[str]) -> int:
    """Compare the sets that are named, or all; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.regrade",
                                     description="Compare findings that are kept by exercise with fresh ones.")
    parser.add_argument("sets", nargs="*", metavar="SET", help="problem sets; without any, all", default=[])
    parser.add_argument("--every", type=int, default=1, help="only every N-th answer of the banks")
    given = parser.parse_args(arguments)
    unknown = [ps for ps in given.sets if ps not in names()]
    if unknown or given.every < 1:
        parser.error(f"no problem set is called {unknown[0]!r}; choose from {', '.join(names())}" if unknown
                     else "--every needs a number of at least 1")
    console = Console(soft_wrap=True, highlight=False, markup=False)
    sound = [regrade(ps, given.every, console) for ps in given.sets or names()]
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
