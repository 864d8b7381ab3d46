"""Grade one submission: from a folder to a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from autograder.grading import outcomes
from autograder.grading.config import ANSWERS, PYTHON, Graded, Settings
from autograder.grading.diagnose import LONGEST_NAME, advice
from autograder.grading.failed_statements import Failed, failed_statements
from autograder.grading.hidden_checks.observed_tree import observed_tree
from autograder.grading.hidden_checks.suite_run import SuiteRun, nobody
from autograder.grading.newer_syntax import Newer, newer_syntax
from autograder.grading.report import FAULT_NOTE, JOINT_TITLE, Check, ExerciseReport, Outcome, Report, SearchTree
from autograder.grading.stored_findings import Part, Parts, code_of
from autograder.grading.submission_runner import SubmissionRunner, budget_under
from autograder.limited_child import OverLimit, within
from autograder.plain_text import plain_text
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import Exercise, ProblemSet
from autograder.sandbox.inside.cell_text import GIVEN
from autograder.sandbox.profiles import profile_of
from autograder.submission.discover import NONE
from autograder.submission.payload import Payload, read_payload
from autograder.submission.read import READING, Submission, read

MOST_PLACES = 5  # failed statements in the note
SYNTAX_CPU_S, SYNTAX_MIB = 2.0, 512  # a search for newer syntax in all cells that are not Python takes a hundredth of a second


def grade_submission(folder: Path, ps: str, settings: Settings) -> Graded:
    """Grade the submission in `folder`; the same bytes always give the same report.

    Never raises because of the student's work; a fault of the grader is an outcome in the report, and staff see it.
    """
    return grade_payload(read_payload(folder, ps), settings)


def grade_payload(
    payload: Payload, settings: Settings, tell: Callable[[float], None] = nobody, known: Mapping[str, Any] | None = None
) -> Graded:
    """Grade one submission; every worker calls this again and again, in one warm interpreter.

    Args:
        tell: is called after each exercise with the graded part of the submission, in [0, 1].
        known: the data of `Parts` that hold today, of the same bytes or of an earlier submission; they are taken only if the
            loaded code is the same.
    """
    return grade_read(read(payload), settings, tell, Parts.from_data(known) if known else None)


def grade_read(
    submission: Submission, settings: Settings, tell: Callable[[float], None] = nobody, known: Parts | None = None
) -> Graded:
    """Grade a submission that was read already; `known` as in `grade_payload`."""
    if submission.form == NONE:
        return not_graded(submission)
    code = code_of(submission)
    if known is not None and known.code != code:
        known = None
    runner, run, tree = _run(submission, settings, tell=tell, known=known)
    if known is not None and not run.separable:
        runner, run, tree = _run(submission, settings, tell=tell)
    report = replace(_report(runner, run), tree=tree)
    fault_free = not run.errors and not run.doubtful and not report.has_fault
    parts = Parts(code, submission.sha256, tuple(runner.problems or ()), run.parts).to_data() if run.separable else None
    return Graded(report, _staff(runner, run), fault_free, runner.cpu_s, parts if fault_free else None, run.taken)


def grade_exercise(submission: Submission, id: str, settings: Settings, ours_only: bool = False) -> ExerciseReport:
    """Grade one exercise by its own checks, as in a whole grading: over our functions, then over the submission's own.

    Args:
        id: of an exercise, or JOINT; alone, the joint check waits for no exercise.
        ours_only: if a check fails over our functions, try the submission's own only if this gives a check other inputs.

    Raises:
        RuntimeError: the suite has no check of this exercise, or cannot be read.
    """
    problem_set = submission.problem_set
    exercise = _joint(problem_set) if id == JOINT else problem_set.exercise(id)
    _, run, _ = _run(submission, settings, id, ours_only=ours_only)
    if run.errors or not run.findings.get(id):
        raise RuntimeError(f"no checks of {submission.problem_set.name} {id}: {run.errors}")
    return _exercise(exercise, run.findings[id])


def _run(
    submission: Submission, settings: Settings, exercise: str | None = None, tell: Callable[[float], None] = nobody,
    known: Parts | None = None, ours_only: bool = False,
) -> tuple[SubmissionRunner, SuiteRun, SearchTree | None]:
    """Run the suite, or the checks of one exercise, over a submission; close everything that the run needed.

    After a whole suite the tree of the submission's search is observed too.
    """
    runner = SubmissionRunner(submission, settings.sandbox, budget_under(settings.cpu_s))
    run = SuiteRun(runner, settings, exercise=exercise, ours_only=ours_only, tell=tell)
    if known is not None:
        runner.problems = list(known.problems)
        run.known = known.by_id if known.sha256 == submission.sha256 else _whatever_the_bytes(known, run)
    try:
        run.run()
        tree = observed_tree(run) if exercise is None else None
    finally:
        runner.close()
    return runner, run, tree


def _whatever_the_bytes(known: Parts, run: SuiteRun) -> dict[str, Part]:
    """Return the parts that hold for other bytes with the same code; the order of fresh checks is drawn from the bytes."""
    drawn = {check.exercise for check in run.suite.checks if check.fresh}
    return {id: part for id, part in known.by_id.items() if id not in drawn}


def not_graded(submission: Submission) -> Graded:
    """Return the report of a submission without anything to grade.

    If reading failed unexpectedly, staff get a note, and the next run reads the submission again.
    """
    report = Report.unjudged(submission.problem_set, submission.sha256, form=NONE, note=submission.note,
                             outcome=Outcome.NOT_WRITTEN)
    return Graded(report, {READING: submission.failure} if submission.failure else {}, not submission.failure, 0.0)


def _report(runner: SubmissionRunner, run: SuiteRun) -> Report:
    problem_set, submission = runner.problem_set, runner.submission
    exercises = [_exercise(exercise, run.findings.get(exercise.id, [])) for exercise in problem_set.exercises]
    exercises.append(replace(_exercise(_joint(problem_set), run.findings.get(JOINT, [])), waits_for=run.waits_for))
    faulty = any(exercise.undecided for exercise in exercises)
    failed = _failed(runner)
    not_loaded = {each.name for each in failed if each.name}
    advice_lines = advice(submission, {exercise.id: exercise.outcome for exercise in exercises}, not_loaded)
    note = " ".join(filter(None, (submission.note, _loading_note(runner, failed), *advice_lines, FAULT_NOTE if faulty else "")))
    report = Report(problem_set.name, submission.form, submission.sha256, 0.0, float(problem_set.max_points), note, ())
    return report.with_exercises(exercises)


def _joint(problem_set: ProblemSet) -> Exercise:
    return Exercise(JOINT, JOINT_TITLE, problem_set.joint_points, (), ())


def _exercise(exercise: Exercise, findings: list[outcomes.Finding]) -> ExerciseReport:
    speaks = outcomes.speaking(findings)
    checks = tuple(Check(each.name, each.line, each.outcome, each.hint if each is speaks else None) for each in findings)
    outcome = outcomes.outcome(findings) if findings else Outcome.GRADER_FAULT  # no finding: the suite did not get here
    credit = outcomes.partial_credit(findings) if exercise.extra else float(outcomes.earned(findings))
    earned = None if outcome == Outcome.GRADER_FAULT else round(credit * exercise.points, 1)
    return ExerciseReport(exercise.id, exercise.title, outcome, earned, float(exercise.points), checks, extra=exercise.extra)


def _failed(runner: SubmissionRunner) -> list[Failed]:
    """Return what each failed statement took along; [] if the text is too much for a parser."""
    problems = [((label, line), name) for label, line, name, _ in runner.problems or () if label != GIVEN]
    if not problems:
        return []
    functions = [name for exercise in runner.problem_set.exercises for name in exercise.functions]
    try:
        return within(SYNTAX_CPU_S, SYNTAX_MIB, failed_statements, runner.submission.code(), problems, functions)
    except (OverLimit, OSError):
        return []


def _loading_note(runner: SubmissionRunner, failed: Sequence[Failed]) -> str:
    """Say what was skipped while loading: the place, and Python's own name of the error; once for a failed import."""
    notes = []
    if runner.definitions_only:
        notes.append(
            "Running all your cells ended the program or took too long, so only imports, definitions and constants were loaded."
        )
    loading = runner.problems or []
    problems = [problem for problem in loading if problem[0] != GIVEN]
    given_back = len(problems) < len(loading)
    echoes = Counter(each.echo_of for each in failed if each.echo_of)
    echo_places = {each.place for each in failed if each.echo_of}
    problems = [problem for problem in problems if problem[:2] not in echo_places]
    if given_back:
        notes.append(f"Imports or code that you were given are missing in your {runner.submission.form}; they were added.")
    newer = _newer_syntax(runner.submission, problems)
    places = [
        f"syntax of Python {newer[label, line].since} in {label}, line {newer[label, line].line}" if (label, line) in newer
        else outcomes.raised_place(name, label, line, runner.submission) + _with_echoes(echoes[label, line])
        for label, line, name, _ in problems[:MOST_PLACES]
    ]
    if places:
        more = f" and {len(problems) - MOST_PLACES} more" if len(problems) > MOST_PLACES else ""
        notes.append(f"Skipped while loading: {'; '.join(places)}{more}. The rest of your code was loaded.")
    notes += _taken_along(failed)
    kinds = {name for _, _, name, _ in problems}
    if newer:
        lines = [f"{label}, line {last.line}, needs Python {last.since} ({last.what})" for (label, _), last in newer.items()]
        notes.append(f"Your code is graded with Python {PYTHON}, and {'; '.join(lines[:MOST_PLACES])}. Write it the older way.")
    elif "SyntaxError" in kinds:
        notes.append(f"Code is graded with Python {PYTHON}; the syntax of a newer version is an error here.")
    if "ModuleNotFoundError" in kinds:
        packages = [*profile_of(runner.problem_set.facts).packages, "arena"]
        notes.append(f"Graded code may import {', '.join(packages)} and Python's own modules, and nothing else.")
    return " ".join(notes)


def _with_echoes(number: int) -> str:
    """Return what is said behind a failed import of the statements that fail only without it."""
    words = "1 statement that needs" if number == 1 else f"{number} statements that need"
    return f", and {words} this import" if number else ""


def _taken_along(failed: Sequence[Failed]) -> list[str]:
    """Return sentences on the functions that were lost while loading, and on those that a failed import leaves without a name."""
    lines = []
    for each in [each for each in failed if each.name and len(each.name) <= LONGEST_NAME][:MOST_PLACES]:
        label, line = each.place
        instead = f", so the one in {each.instead[0]}, line {each.instead[1]}, is graded" if each.instead else ""
        lines.append(f"{each.name} in {label}, line {line}, was not loaded{instead}.")
    for each in [each for each in failed if each.needed_by][:MOST_PLACES]:
        lines.append(f"The import in {each.place[0]}, line {each.place[1]}, is needed by {', '.join(each.needed_by)}.")
    return [plain_text(line) for line in lines]


def _newer_syntax(submission: Submission, problems: Sequence[tuple[str, int, str, str]]) -> dict[tuple[str, int], Newer]:
    """Return, by label and line of a SyntaxError, what in its cell needs the newest Python of all, where that is the reason."""
    cells: dict[tuple[str, int], str] = {}
    for label, line, name, _ in problems:
        sources = (source for own, source in submission.code() if own == label and 0 < line <= len(source.split("\n")))
        if name == "SyntaxError" and (source := next(sources, None)) is not None:
            cells[label, line] = source
    try:
        newer = within(SYNTAX_CPU_S, SYNTAX_MIB, _each_newer, list(cells.values())) if cells else []
    except (OverLimit, OSError):
        return {}
    return {place: max(lines, key=attrgetter("version")) for place, lines in zip(cells, newer, strict=True) if lines}


def _each_newer(sources: Sequence[str]) -> list[list[Newer]]:
    return [newer_syntax(source) for source in sources]


def _staff(runner: SubmissionRunner, run: SuiteRun) -> dict[str, Any]:
    """Return the notes for staff: tracebacks by check, loading errors, and errors of the suite."""
    pairs = [(id, finding) for id, findings in run.findings.items() for finding in findings]
    checks = {f"{id} {finding.name}": finding.staff for id, finding in pairs if finding.staff}
    loading = [list(problem) for problem in runner.problems or []]
    answers = {ANSWERS: {id: list(given) for id, given in run.answers.items()}} if run.answers else {}
    return {"checks": checks, "loading": loading, "suite_errors": run.errors, **answers}
