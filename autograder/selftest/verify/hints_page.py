"""Write docs/hints.md: every wrong answer of the banks, and the first hint that its student gets.

    python -m autograder.selftest.verify.hints_page [--ps ps2_uct [--exercise 2.5 2.6]]

`make verify` grades all wrong answers and keeps a section for each set. Without `--ps`, the page is written from these sections.
With `--ps`, the answers of one set, or of some of its exercises, are graded now and the pairs are printed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from arena.errors import UserError
from arena.files import write_atomic
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.report import JOINT_TITLE, ExerciseReport, first_lost
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet, load, names, released
from autograder.selftest.verify.exercises import InPart, grade_exercises

PAGE, KEPT = Path("docs/hints.md"), REPOSITORY / "build" / "verify"
HEAD = """# What students read

For every wrong answer of the banks: the mistake, the failed property that the report shows first, and its hint. The report lists
the other failed properties by name. The pairs belong to the public edition; in another edition, another property may be shown
first. After `make verify`, `python -m autograder.selftest.verify.hints_page` writes this page.
"""
Graded = Mapping[str, Sequence[ExerciseReport]]


def keep_section(ps: ProblemSet, bank: Sequence[Answer], graded: Graded) -> None:
    """Keep the section of a set for the page; `graded` has the reports of each wrong answer, by title."""
    write_atomic(_kept(ps.name), section(ps, bank, graded))


def _kept(name: str) -> Path:
    return KEPT / f"{name}_hints.md"


def whole_page() -> str:
    """Return the page, made of the sections that `make verify` has kept.

    Raises:
        UserError: a section is missing, or the bank of its set has changed since.
    """
    for name in released():
        if not _kept(name).is_file() or _kept(name).stat().st_mtime < _bank_file(name).stat().st_mtime:
            raise UserError(f"hints: the wrong answers of {name} have changed after they were last graded; "
                            f"run `make verify PS={name}`")
    return "\n\n".join([HEAD.rstrip(), *(_kept(name).read_text(encoding="utf-8") for name in released())]) + "\n"


def _bank_file(name: str) -> Path:
    return REPOSITORY / "tests" / "wrong" / f"{name}.py"


def spoken(reports: Sequence[ExerciseReport]) -> tuple[str, str]:
    """Return the sentence and the hint of the first failed check with a hint; without any hint, of the first failed check."""
    first = first_lost(check for report in reports for check in report.checks)
    return (first.line, first.hint or "") if first else ("", "")


def section(ps: ProblemSet, bank: Sequence[Answer], graded: Graded) -> str:
    """Return the page's section about these wrong answers of a set, in the order of the bank."""
    titles = {exercise.id: exercise.title for exercise in ps.exercises} | {JOINT: JOINT_TITLE}
    rows: dict[str, list[str]] = {}
    for answer in bank:
        line, hint = spoken([report for report in graded[answer.title] if report.id == answer.exercise])
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
    if not given.ps:
        try:
            write_atomic(PAGE, whole_page())
        except UserError as error:
            print(error)
            return 2
        return 0
    ps, console = load(given.ps), Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    bank = [answer for answer in load_bank(_bank_file(ps.name)) if not given.exercise or answer.exercise in given.exercise]
    parts = [InPart(answer, (answer.exercise,)) for answer in bank if answer.exercise]
    print(section(ps, bank, grade_exercises(parts, ps, Settings(public_secret()), console)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
