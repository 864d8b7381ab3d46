"""For staff: the lines of one submission that no hidden check of their exercise has run."""

from __future__ import annotations

from pathlib import Path

from arena.errors import UserError
from autograder.course.explain import settings_in, submission_in
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.outcomes import outcome
from autograder.grading.probes import NEVER_RUN, Branch, probes, with_front
from autograder.grading.watched_run import Watch, run_watched
from autograder.limited_child import OverLimit, within
from autograder.plain_text import plain_text
from autograder.problem_sets.source import Exercise

PROBES_CPU_S, PROBES_MIB = 5.0, 512  # our largest set takes 0.2 s
MOST_LINES = 100  # of one exercise
CAUTION = "The submission's own process tells this, so it may be wrong. No mark depends on it."
ONE_BY_ONE = "All cells together could not be loaded, so its lines were not watched."


def unrun_lines(folder: Path, ps: str) -> str:
    """Return the lines of each exercise's functions that no hidden check of this exercise ran, as text for staff.

    All checks run once more, in the edition of the course that `folder` is in, otherwise in the public one.

    Raises:
        UserError: as for `explain`, or the code is too large to be watched.
    """
    submission = submission_in(folder, ps)
    try:
        noted = within(PROBES_CPU_S, PROBES_MIB, probes, with_front(submission).cells)
    except OverLimit as error:
        raise UserError(f"the code in {folder} cannot be watched: to read it {error}") from error
    watch = Watch()
    run = run_watched(submission, noted, settings_in(folder, ps), watch)
    if run.runner.definitions_only:
        return f"{CAUTION}\n{ONE_BY_ONE}"
    branches = watch.watched(noted.branches, submission.problem_set)
    parts = [f"Lines that no hidden check of their exercise ran. {CAUTION}", ""]
    for exercise in submission.problem_set.exercises:
        parts += _of_exercise(exercise, [branch for branch in branches if _belongs(branch, exercise)], run, watch)
    return plain_text("\n".join(parts))


def _belongs(branch: Branch, exercise: Exercise) -> bool:
    """Say whether a branch is in the cell of an exercise or, in another cell, in a function of its name."""
    return branch.exercise == exercise.id if branch.exercise else branch.function in exercise.functions


def _of_exercise(exercise: Exercise, branches: list[Branch], run: SuiteRun, watch: Watch) -> list[str]:
    checks = {check.name for check in hidden_suite(run.runner.problem_set.name).checks if check.exercise == exercise.id}
    ran = watch.by_checks(checks)
    lines = {(branch.label, branch.line): branch for branch in branches if branch.kind == NEVER_RUN}
    unrun = [branch for branch in lines.values() if branch.number not in ran]
    findings = run.findings.get(exercise.id)
    what = f"{exercise.id} {exercise.title}, {outcome(findings) if findings else 'not graded'}: "
    lost = len(checks & watch.lost)
    more = f"; {lost} of its checks ended the process before it could tell" if lost else ""
    if not lines:
        return [f"{what}no function of it was watched: its cell has none, or did not load in one piece"]
    if not unrun:
        return [f"{what}every line was run, {len(lines)} in all{more}"]
    places = [f"    {branch.label}, line {branch.line}: {branch.text}" for branch in unrun[:MOST_LINES]]
    rest = [f"    ... {len(unrun) - MOST_LINES} more"] if len(unrun) > MOST_LINES else []
    return [f"{what}{len(unrun)} of {len(lines)} lines never run{more}", *places, *rest]
