"""Write docs/hints.md: every wrong answer of the banks, and the first hint that its student gets.

    python -m autograder.selftest.hints_page [--ps ps2_uct [--exercise 2.5 2.6]]

Without `--ps`, all sets are graded in the public edition and the page is written. With `--ps`, the pairs of one set, or of some
of its exercises, are printed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from rich.console import Console

from arena.files import write_atomic
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.report import JOINT_TITLE, ExerciseReport, first_lost
from autograder.problem_sets.bank.answers import Answer, load_bank
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet, load, names, released
from autograder.selftest.verify.exercises import InPart, grade_exercises

PAGE = Path("docs/hints.md")
HEAD = """# What students read

For every wrong answer of the banks: the mistake, the failed property that the report shows first, and its hint. The report lists
the other failed properties by name. The pairs belong to the public edition; in another edition, another property may be shown
first. `python -m autograder.selftest.hints_page` grades all wrong answers and writes this page.
"""


def pairs(ps: ProblemSet, only: Collection[str], console: Console) -> Iterator[tuple[Answer, str, str]]:
    """Yield each wrong answer with the property that the report shows first, and its hint, in the order of the bank."""
    bank = [answer for answer in load_bank(Path("tests/wrong") / f"{ps.name}.py") if not only or answer.exercise in only]
    parts = [InPart(answer, (answer.exercise,)) for answer in bank if answer.exercise]
    graded = grade_exercises(parts, ps, Settings(public_secret()), console)
    for answer in bank:
        yield answer, *spoken(graded[answer.title])


def spoken(reports: tuple[ExerciseReport, ...]) -> tuple[str, str]:
    """Return the sentence and the hint of the first failed check with a hint; without any hint, of the first failed check."""
    first = first_lost(check for report in reports for check in report.checks)
    return (first.line, first.hint or "") if first else ("", "")


def section(ps: ProblemSet, console: Console, only: Collection[str] = ()) -> str:
    """Return the page's section about one set, or about the exercises in `only`."""
    titles = {exercise.id: exercise.title for exercise in ps.exercises} | {JOINT: JOINT_TITLE}
    rows: dict[str, list[str]] = {}
    for answer, line, hint in pairs(ps, only, console):
        hint = re.sub(r", line \d+", ", line N", hint)  # the page must not change with every edit of a lesson
        rows.setdefault(answer.exercise or "", []).append(f"| {_cell(answer.name)} | {_cell(line)} | {_cell(hint)} |")
    parts = [f"## {ps.title}"]
    for id, title in titles.items():
        if id in rows:
            head = "| mistake | what fails | what the student reads |\n|:--|:--|:--|"
            parts += [f"### {id} {title}" if id != JOINT else f"### {title}", "\n".join([head, *rows[id]])]
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> int:
    """Write the page, or print one set's section; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ps", choices=names(), help="print the pairs of one set and write nothing")
    parser.add_argument("--exercise", nargs="+", default=[], help="only these exercises of the set, such as 2.5")
    given = parser.parse_args()
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    if given.ps:
        print(section(load(given.ps), console, given.exercise))
    else:
        write_atomic(PAGE, "\n\n".join([HEAD.rstrip(), *(section(load(ps), console) for ps in released())]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
