"""`make verify`: prove the grading with answers whose grades are known.

The solution must earn all points and the stub none. Every wrong answer of tests/wrong/ must lose the exercise that it names,
and no other exercise except the joint check. Every right answer of tests/right/ must lose nothing, and the visible checks must
accept it too. Every hidden check must catch a wrong answer of its own exercise. The command also writes a table of checks and
the wrong answers that they catch.
"""

import csv
import os
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console

from arena.errors import UserError
from autograder.grading.config import Settings
from autograder.grading.edition import named_secret
from autograder.grading.grade import grade_payload
from autograder.grading.outcomes import SPOILT
from autograder.grading.report import ExerciseReport, Outcome, Report
from autograder.paths import REPOSITORY
from autograder.problem_sets import build, check_assignments
from autograder.problem_sets.bank.answers import Answer, load_bank, submission_text
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet, load
from autograder.progress import ProgressBar
from autograder.selftest.one_exercise import edition_names
from autograder.selftest.verify.at_home import misses_at_home
from autograder.selftest.verify.editions import compare_editions
from autograder.selftest.verify.exercises import InPart, grade_exercises
from autograder.selftest.verify.hints_page import keep_section
from autograder.selftest.verify.reach import reaches, stays_inside
from autograder.submission.discover import Entry
from autograder.workers.capacity import workers_that_fit
from autograder.workers.pool import grade_all

WHOLE = 1  # wrong answers of each exercise, and right ones of a set, that are graded whole although it is not needed


@dataclass
class Verdict:
    """The result of one problem set: one sentence for each miss, and the wrong answers that each check caught."""

    misses: list[str] = field(default_factory=list)
    earned: dict[str, float] = field(default_factory=dict)
    wrong_ones: set[str] = field(default_factory=set)  # titles of the misjudged answers, wrong or right
    caught_by: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # (exercise, check) -> wrong answers


def verify_all(chosen: Sequence[str], edition: str = "", only: str | None = None, editions: int = 1) -> int:
    """Verify these problem sets; return the exit code.

    Raises:
        UserError: there is no set to verify.

    Args:
        edition: a secret that gives other hidden positions and seeds; "" is the public edition.
        only: an exercise, such as 2.5: only the answers to this exercise.
        editions: the number of editions in which the banks are graded, this one included; see editions.py.
    """
    if not chosen:
        raise UserError("verify: no problem set was given, so nothing would be proved")
    settings = Settings(named_secret(edition))
    console = Console(soft_wrap=True, highlight=False, markup=False)
    misses = check_assignments()
    for miss in misses:
        console.print(miss)
    for ps in chosen:
        misses += verify(load(ps), console, settings, only)
        if editions > 1:
            names = [edition, *edition_names(editions)[1:]]
            wrong, right = _answers_to(load(ps), only)
            misses += compare_editions(load(ps), [*wrong, *right], names, workers_that_fit(), console, only=only)
    if misses:  # again at the end, where whoever reads a long log looks first
        console.print(f"verify failed: {len(misses)} found wrong", *misses, sep="\n  ")
    return 1 if misses else 0


def verify(ps: ProblemSet, console: Console, settings: Settings, only: str | None = None) -> list[str]:
    """Grade all answers of one problem set in one edition, print a line, and return the misses.

    Args:
        only: an exercise; wrong answers to other exercises, the proof of other exercises' checks, and right answers that do
            not change this exercise are left out.
    """
    wrong, right = _answers_to(ps, only)
    wrong = _asked(wrong, settings)
    parts = _in_part(ps, [*wrong, *right])
    whole = {answer.title for answer in (*wrong, *right)} - {part.title for part in parts}
    reports = _grade([answer for answer in (*wrong, *right) if answer.title in whole], ps, settings, console)
    exercises = grade_exercises(parts, ps, settings, console) | {title: report.exercises for title, report in reports.items()}
    undecided = [answer for answer in (*wrong, *right) if _is_undecided(exercises[answer.title])]
    if undecided:  # as an instructor does: a fault of the host, such as a lack of memory, is gone in the next run
        console.print(f"  graded once more after a grader fault: {', '.join(answer.title for answer in undecided)}")
        reports |= _grade(undecided, ps, settings, console)
        exercises |= {answer.title: reports[answer.title].exercises for answer in undecided}
    verdict = Verdict()
    _judge_banks(verdict, ps, wrong, right, only)
    _judge_given(verdict, reports, ps)
    for answer in wrong:
        _judge_wrong(verdict, answer, exercises[answer.title])
    for answer in right:
        _judge_right(verdict, answer, exercises[answer.title])
    at_home = misses_at_home(ps, right, console)
    verdict.wrong_ones |= at_home.keys()
    verdict.misses += at_home.values()
    _judge_checks(verdict, reports["solution.py"], only)
    table = REPOSITORY / "build" / "verify" / f"{ps.name}_matrix.csv"
    _write_matrix(table, verdict.caught_by, reports["solution.py"], wrong)
    if not only and settings.secret == named_secret(""):
        keep_section(ps, wrong, exercises)
    for miss in verdict.misses:
        console.print(f"  {miss}")
    console.print(_line(ps.name, verdict, wrong, right))
    console.print(f"which check catches which wrong answer: {table.relative_to(REPOSITORY)}")
    return verdict.misses


def _answers_to(ps: ProblemSet, only: str | None) -> tuple[list[Answer], list[Answer]]:
    """Return the wrong answers to an exercise and the right answers that may change it; of all exercises with None."""
    wrong = [answer for answer in _bank(ps.name, "wrong") if only in (None, answer.exercise)]
    right = [answer for answer in _bank(ps.name, "right") if only is None or only in (reaches(ps, answer) or {only})]
    return wrong, right


def _bank(ps: str, kind: str) -> list[Answer]:
    return load_bank(REPOSITORY / "tests" / kind / f"{ps}.py")


def _asked(wrong: list[Answer], settings: Settings) -> list[Answer]:
    """The wrong answers; outside the public edition without their hints, because another check may fail first there."""
    return wrong if settings.secret == named_secret("") else [replace(answer, hint=None) for answer in wrong]


def _in_part(ps: ProblemSet, answers: Sequence[Answer]) -> list[InPart]:
    """Return the answers that cannot change an exercise outside their reach, so that the checks of the others need not run.

    The first WHOLE such wrong answers of each exercise, and the first WHOLE right ones, are left out and graded whole. They show
    whether the grader wrongly lets an answer cost another exercise.
    """
    seen: Counter[str | None] = Counter()
    parts = []
    for answer in answers:
        reached = reaches(ps, answer)
        if reached is None or (answer.exercise is not None and not stays_inside(ps, answer)):
            continue
        seen[answer.exercise] += 1
        if seen[answer.exercise] > WHOLE:
            parts.append(InPart(answer, tuple(sorted(reached)) if answer.exercise else (*sorted(reached), JOINT)))
    return parts


def _lay_out(ps: ProblemSet, answers: list[Answer], room: Path) -> dict[str, Path]:
    """Write one folder per submission and return the folders by title: solution and stub in both forms, then the answers."""
    texts: dict[str, tuple[str, str]] = {}
    for name, solution in (("solution", True), ("stub", False)):
        notebook, module = build(ps, solution=solution)
        texts |= {f"{name}.ipynb": (notebook, "ipynb"), f"{name}.py": (module, "py")}
    texts |= {answer.title: (submission_text(ps, answer), "py") for answer in answers}
    folders = {}
    for number, (title, (text, ending)) in enumerate(texts.items()):
        folders[title] = room / str(number)
        folders[title].mkdir()
        (folders[title] / f"{ps.name}.{ending}").write_text(text, encoding="utf-8")
    return folders


def _is_undecided(exercises: Sequence[ExerciseReport]) -> bool:
    return not exercises or any(exercise.undecided for exercise in exercises)


def _grade(answers: list[Answer], ps: ProblemSet, settings: Settings, console: Console) -> dict[str, Report]:
    """Grade solution, stub and these answers in worker processes and return the reports by title."""
    bar = ProgressBar(console)
    workers = workers_that_fit()
    reports = {}
    with tempfile.TemporaryDirectory(prefix="verify-") as room:
        entries = [Entry(title, folder) for title, folder in _lay_out(ps, answers, Path(room)).items()]
        bar.start(f"{ps.name}: submissions graded by {workers} workers", len(entries))
        try:
            for entry, graded in grade_all(entries, ps.name, settings, workers, grade_payload):
                reports[entry.student] = Report.fault(ps.name, "") if isinstance(graded, str) else graded.report
                bar.step(entry.student)
        finally:
            bar.end()
    return reports


def _judge_banks(
    verdict: Verdict, ps: ProblemSet, wrong: Sequence[Answer], right: Sequence[Answer], only: str | None
) -> None:
    """Check that something was tried: a wrong answer of each exercise and of the joint check, and a right answer."""
    tried = {answer.exercise for answer in wrong}
    for id in ps.ids:
        if only in (None, id) and id not in tried:
            verdict.misses.append(f"{id} has no wrong answer in tests/wrong/{ps.name}.py: nothing proves its checks")
    if not right:
        verdict.misses.append(f"no right answer in tests/right/{ps.name}.py was tried{f' for {only}' if only else ''}")


def _judge_given(verdict: Verdict, reports: dict[str, Report], ps: ProblemSet) -> None:
    """Check that the solution earns all points without a note, and the stub none because nothing is written."""
    for name, points in (("solution", float(ps.max_points)), ("stub", 0.0)):
        both = [reports[f"{name}.py"], reports[f"{name}.ipynb"]]
        verdict.earned[name] = (min if points else max)(report.points for report in both)
        for report in both:
            if points and report.note:  # a given cell that does not load in the sandbox would put a note into every report
                verdict.misses.append(f"{name} ({report.form}): {report.note}")
            wanted = Outcome.PASSED if points else Outcome.NOT_WRITTEN
            others = [exercise for exercise in report.exercises if exercise.outcome != wanted]
            verdict.misses += [f"{name} ({report.form}): {exercise.id} is {exercise.outcome}{_checks(exercise)}"
                               for exercise in others]
            if not others and (report.points != points or not report.exercises):
                verdict.misses.append(f"{name} ({report.form}): {report.points:g} points in {len(report.exercises)} exercises, "
                                      f"not {points:g}")


def _judge_wrong(verdict: Verdict, answer: Answer, exercises: Sequence[ExerciseReport]) -> None:
    """Check that a wrong answer loses its exercise, and no other graded exercise except the joint check."""
    for exercise in exercises:
        if exercise.undecided or exercise.points is None:
            verdict.wrong_ones.add(answer.title)
            verdict.misses.append(
                f"wrong answer {answer.title!r} leaves {exercise.id} undecided: grader fault{_checks(exercise)}")
            continue
        lost = exercise.points < exercise.max_points
        if exercise.id == answer.exercise:
            for name in _failed(exercise):
                verdict.caught_by.setdefault((exercise.id, name), []).append(answer.title)
        if exercise.id == answer.exercise and exercise.points != (answer.points or 0.0) and lost:
            verdict.wrong_ones.add(answer.title)
            verdict.misses.append(f"wrong answer {answer.title!r} earns {exercise.points:g} points of {exercise.id},"
                                  f" not {answer.points or 0.0:g}{_checks(exercise)}")
        if lost == (exercise.id == answer.exercise) or (lost and exercise.id == JOINT):
            continue
        verdict.wrong_ones.add(answer.title)
        if lost:
            verdict.misses.append(f"wrong answer {answer.title!r} costs {exercise.id} as well{_checks(exercise)}")
        else:
            verdict.misses.append(f"wrong answer {answer.title!r} is not caught")
    own = [exercise for exercise in exercises if exercise.id == answer.exercise]
    hints = [check.hint or "" for exercise in own for check in exercise.checks]
    # of an optional exercise, the sentence of what is lost is itself the advice
    hints += [check.line for exercise in own if exercise.extra for check in exercise.checks if check.outcome != Outcome.PASSED]
    if any(SPOILT[1:] in hint for hint in hints):
        verdict.wrong_ones.add(answer.title)
        verdict.misses.append(f"wrong answer {answer.title!r} makes a check raise an exception of its own, so its "
                              "student gets no hint: correct the check")
    if answer.hint and not any(answer.hint in hint for hint in hints):
        verdict.wrong_ones.add(answer.title)
        verdict.misses.append(f"wrong answer {answer.title!r} does not get the hint {answer.hint!r}, but {hints}")
    if answer.exercise not in {exercise.id for exercise in exercises}:
        verdict.wrong_ones.add(answer.title)
        verdict.misses.append(f"wrong answer {answer.title!r} names no exercise of this set, or it could not be graded")


def _judge_right(verdict: Verdict, answer: Answer, exercises: Sequence[ExerciseReport]) -> None:
    """Check that a right answer loses nothing."""
    for exercise in exercises:
        if exercise.outcome != Outcome.PASSED:
            verdict.wrong_ones.add(answer.title)
            verdict.misses.append(f"right answer {answer.title!r} loses {exercise.id}{_checks(exercise)}")


def _judge_checks(verdict: Verdict, solved: Report, only: str | None) -> None:
    """Check that every check catches a wrong answer of its exercise. The joint check does not run if another check fails."""
    for exercise in solved.exercises:
        for check in exercise.checks:
            if only in (None, exercise.id) and (exercise.id, check.name) not in verdict.caught_by:
                verdict.misses.append(f"no wrong answer of exercise {exercise.id} fails its check {check.name}")


def _write_matrix(
    path: Path, caught_by: Mapping[tuple[str, str], Sequence[str]], solved: Report, wrong: Sequence[Answer]
) -> None:
    """Write a table with a row per check: the number of wrong answers that it catches, and an x under each of them.

    Args:
        caught_by: the titles of the wrong answers that a check caught, by (exercise, check).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    with draft.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["exercise", "check", "wrong answers", *(answer.title for answer in wrong)])
        for exercise in solved.exercises:
            for check in exercise.checks:
                caught = set(caught_by.get((exercise.id, check.name), ()))
                marks = ["x" if answer.title in caught else "" for answer in wrong]
                table.writerow([exercise.id, check.name, len(caught), *marks])
    os.replace(draft, path)


def _failed(exercise: ExerciseReport) -> list[str]:
    return [check.name for check in exercise.checks if check.outcome != Outcome.PASSED]


def _checks(exercise: ExerciseReport) -> str:
    failed = [f"{check.name} ({check.outcome})" for check in exercise.checks if check.outcome != Outcome.PASSED]
    return f": {', '.join(failed)}" if failed else ""


def _line(ps: str, verdict: Verdict, wrong: list[Answer], right: list[Answer]) -> str:
    missed = sum(answer.title in verdict.wrong_ones for answer in wrong)
    failed = sum(answer.title in verdict.wrong_ones for answer in right)
    return (
        f"{ps}: solution {verdict.earned['solution']:g}/100, stub {verdict.earned['stub']:g}/100, "
        f"wrong answers {len(wrong) - missed} caught {missed} missed, right answers {len(right) - failed} passed {failed} failed"
        f", of {len(wrong)} and {len(right)} that were tried"
    )
