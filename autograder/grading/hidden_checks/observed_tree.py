"""The tree that a student's search builds on a public position, observed through the sandbox like a hidden check.

It is observed after all checks, over the student's own functions, and only if the search is written. No outcome and no point
depends on it: a search that fails here, or answers with something else than a tree, has no tree in its report.
"""

from __future__ import annotations

from autograder.grading import outcomes
from autograder.grading.hidden_checks.collect import HiddenCheck
from autograder.grading.hidden_checks.shown_search import Path, ShownSearch, shown_search, tree_of
from autograder.grading.hidden_checks.student_proxy import RemoteHandle, Student
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.report import Outcome, SearchTree
from autograder.grading.stored_findings import TREE, Part

CPU_S = 1.0  # our search needs 0.02 s
SEED = 7


def observed_tree(run: SuiteRun) -> SearchTree | None:
    """Return the tree of a submission whose suite has run; None if its set shows none, or its search gives none."""
    shown = shown_search(run.runner.problem_set.name)
    if shown is None or not run.findings.get(shown.exercise):
        return None
    if outcomes.outcome(run.findings[shown.exercise]) not in (Outcome.PASSED, Outcome.NOT_YET):
        return None
    if known := run.known.get(TREE):
        run.runner.charge(known.cpu_s, known.wall_s)
        run.parts[TREE] = known
        return known.tree
    trees: list[SearchTree | None] = []
    cpu_s, wall_s = run.runner.cpu_s, run.runner.wall_s

    def observe(student: Student) -> None:
        trees.append(tree_of(shown, _statistics(student, shown)))

    asked = HiddenCheck("the tree that is shown", "", None, shown.exercise, CPU_S, (), observe, frozenset({"student"}), {})
    tree = trees[-1] if run.observe(asked).outcome == Outcome.PASSED else None
    run.parts[TREE] = Part((), run.runner.cpu_s - cpu_s, run.runner.wall_s - wall_s, tree=tree)
    return tree


def _statistics(student: Student, shown: ShownSearch) -> dict[Path, tuple[int, float]]:
    """Search, and return (visits, sum of the results for the player who moved there) of the nodes two plies deep."""
    level: dict[Path, RemoteHandle] = {(): shown.search(student, shown, student.rng(SEED))}
    statistics: dict[Path, tuple[int, float]] = {}
    for _ in range(2):
        level = {(*path, action): child for path, node in level.items() for action, child in student.children(node).items()}
        numbers = student.both(list(level.values()), "num_visits", shown.total)
        statistics |= {path: (visits, shown.sign * total) for path, (visits, total) in zip(level, numbers, strict=True)}
    return statistics
