"""A class of any size with invented reports and no grading: to look at its pages, and to measure them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from autograder.course.class_report import write_class_report
from autograder.course.storage.report_store import ReportStore
from autograder.course.summary import Summary
from autograder.gradebook.tables import write_changes, write_grades
from autograder.grading.report import JOINT_TITLE, Check, ExerciseReport, Outcome, Report
from autograder.paths import REPOSITORY
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import load

ADVICE = "who is to move at this node?"
FIRST_NAMES = ("ada", "bela", "chidi", "dana", "emre", "freya", "gita", "hugo", "ines", "jun", "kenji", "lea", "mia", "nadia",
               "omar", "petra", "quinn", "rosa", "samir", "tove", "umar", "vera", "wanda", "xenia", "yara", "zoe")
SLOW_SHARE = 0.1  # of the lost exercises; as large is the share of those that are not written


def names(students: int) -> list[str]:
    """Return `students` different names, in alphabetical order."""
    candidates = (f"{first}{'' if number == 0 else f'-{number}'}" for number in range(students) for first in FIRST_NAMES)
    return sorted(name for name, _ in zip(candidates, range(students), strict=False))


def checks_of(ps: str) -> dict[str, list[tuple[str, str]]]:
    """Return the (name, first line) of the hidden checks of a set by exercise, from their text."""
    checks: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((REPOSITORY / "tests" / "hidden" / ps).glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (line := ast.get_docstring(node)):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "exercise":
                        checks.setdefault(ast.literal_eval(mark.args[0]), []).append((node.name, line.splitlines()[0]))
    return checks


def invented_reports(ps: str, students: Iterable[str], seed: int = 0) -> dict[str, Report]:
    """Return a report for each student, the same for the same seed. Weak students and late exercises lose more."""
    rng, problem_set, checks = Random(f"{ps} {seed}"), load(ps), checks_of(ps)
    shared = Random(ps)
    hardness = [shared.uniform(0.3, 0.6 + place / 6) for place in range(len(problem_set.exercises))]
    reports = {}
    for student in students:
        weakness = rng.betavariate(1.5, 3)
        exercises = []
        for place, exercise in enumerate(problem_set.exercises):
            lost = rng.random() < weakness * hardness[place]
            made = _exercise(rng, (exercise.id, exercise.title, exercise.points), checks.get(exercise.id, []), lost)
            exercises.append(replace(made, extra=exercise.extra))
        waits = tuple(report.id for report in exercises if report.outcome != Outcome.PASSED)
        joint = _exercise(rng, (JOINT, JOINT_TITLE, problem_set.joint_points), checks.get(JOINT, []), bool(waits), waits)
        sha256 = rng.randbytes(32).hex()
        empty = Report(ps, "notebook", sha256, 0.0, float(problem_set.max_points), "", ())
        reports[student] = empty.with_exercises([*exercises, joint])
    return reports


def _exercise(
    rng: Random, named: tuple[str, str, int], checks: Sequence[tuple[str, str]], lost: bool, waits: tuple[str, ...] = ()
) -> ExerciseReport:
    """Return one exercise; of a lost one, one check is lost and gives advice, and some of those after it are lost."""
    id, title, points = named
    drawn = rng.random()
    outcome = Outcome.PASSED if not lost else (
        Outcome.NOT_WRITTEN if drawn < SLOW_SHARE else Outcome.TOO_SLOW if drawn < 2 * SLOW_SHARE else Outcome.NOT_YET)
    first = min(int(rng.expovariate(1.5)), len(checks) - 1) if lost else len(checks)
    reported = tuple(Check(name, line, outcome if place == first or place > first and rng.random() < 0.4 else Outcome.PASSED,
                       ADVICE if place == first else None)
                 for place, (name, line) in enumerate(checks))
    return ExerciseReport(id, title, outcome, 0.0 if lost else float(points), float(points), reported, waits)


def invented_course(
    course: Path, ps: str, students: Sequence[str], runs: int = 2, missing: tuple[str, ...] | None = None
) -> Summary:
    """Write reports, tables and pages of a class into a course folder, as `runs` gradings would; return the last run.

    In each run after the first every second student hands in again.
    """
    (course / "submitted").mkdir(parents=True, exist_ok=True)
    for student in students:
        page = course / "feedback" / student / ps / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("<!doctype html><title>feedback</title>")
    reports: dict[str, Report] = {}
    for run in range(runs):
        new = invented_reports(ps, students if run == 0 else students[run % 2 :: 2], seed=run)
        better = {student: report for student, report in new.items()
                  if student not in reports or report.points > reports[student].points}
        reports = dict(sorted((reports | better).items()))
        store = ReportStore(course, ps)
        for student, report in reports.items():
            store.put(student, report, {})
        summary = Summary(course, ps, reports, missing=missing, reports_changed=len(better))
        summary.cpu_s = {student: round(Random(report.sha256).expovariate(0.5), 2) for student, report in better.items()}
        write_grades(course, reports)
        write_changes(course, ps, [])
        write_class_report(summary)
    return summary
