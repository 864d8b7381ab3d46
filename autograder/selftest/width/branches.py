"""`make width`: run the hidden checks over our solution and the right answers, and name the branches that none of them runs."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from pathlib import Path

from rich.console import Console

from arena.errors import UserError
from arena.files import write_atomic
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.outcomes import outcome
from autograder.grading.probes import Branch, outermost, probes, with_front
from autograder.grading.reference import module_submission, our_submission
from autograder.grading.report import Outcome
from autograder.grading.watched_run import Watch, run_watched
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank, submission_text
from autograder.problem_sets.source import Exercise, ProblemSet, load
from autograder.problem_sets.syntax import functions_of
from autograder.progress import ProgressBar
from autograder.selftest.git_objects import measured_at
from autograder.selftest.width.axes import Inputs
from autograder.selftest.width.page import PAGE, Row, section, update_page
from autograder.selftest.width.record import RECORDS, RIGHT_ANSWER, Name, entry_for, load_records, misfits, name_of, outdated

ROOM, RIGHT = REPOSITORY / "build" / "width", REPOSITORY / "tests" / "right"
Missed = tuple[str, str, Branch]  # exercise, title of the right answer, a branch of it that no check runs


class Run:
    """One run over some problem sets.

    Args:
        exercise: only this exercise. without: names of hidden checks that do not count, as if the suite had them not.
        records: the folder of the accepted branches. right: the folder of the right answers; None runs none.
        room: the folder for the lists. page: the page for whole sets.
    """

    def __init__(
        self, console: Console, exercise: str | None = None, without: Collection[str] = (), records: Path = RECORDS,
        right: Path | None = RIGHT, room: Path = ROOM, page: Path = PAGE,
    ) -> None:
        self.console, self.exercise, self.without = console, exercise, frozenset(without)
        self.records, self.right, self.room, self.page = records, right, room, page
        self.settings = Settings(public_secret())

    def over(self, chosen: Sequence[str]) -> int:
        """Run the checks of these problem sets; return 0 if nothing is left to do.

        Raises:
            UserError: none of the sets has the requested exercise.
        """
        sets = [(ps, [exercise for exercise in ps.exercises if self.exercise in (None, exercise.id)]) for ps in map(load, chosen)]
        if not any(exercises for _, exercises in sets):
            raise UserError(f"no exercise {self.exercise} in {', '.join(chosen)}")
        return 1 if sum(self._one_set(ps, exercises) for ps, exercises in sets if exercises) else 0

    def _one_set(self, ps: ProblemSet, exercises: Sequence[Exercise]) -> int:
        """Run the checks of one set; return the number of problems."""
        watch, branches, problems = self._ours(ps)
        right, missed = self._right_answers(ps, exercises)
        records = load_records(ps.name, self.records)
        accepted = {record.name for record in records}
        rows, holes, unrun = [], [], []
        for exercise in exercises:
            checks = [check.name for check in hidden_suite(ps.name).checks
                      if check.exercise == exercise.id and check.name not in self.without]
            own = [branch for branch in branches if branch.exercise == exercise.id]
            of_it = outermost(own, watch.by_checks(checks) | watch.loaded)
            unrun += of_it
            unaccepted = [branch for branch in of_it if name_of(branch) not in accepted]
            holes += unaccepted
            alone = sum(sum(branch.number in watch.ran.get(check, ()) for check in checks) == 1 for branch in own)
            calls = sum(number for (check, _), number in watch.calls.items() if check in checks)
            rows.append(Row(
                exercise.id, exercise.title, len(checks), calls, len(own), alone, len(of_it) - len(unaccepted), len(unaccepted),
                watch.of(exercise, checks), right.get(exercise.id, 0), sum(id == exercise.id for id, _, _ in missed)))
            if not own:
                problems.append(f"{ps.name} {exercise.id}: no branch was watched, so nothing is known of it")
        problems += misfits(records, {exercise.id for exercise in exercises}, branches, unrun)
        whole = self.exercise is None and self.right is not None and not self.without
        of_answers, found = load_records(ps.name, self.records, RIGHT_ANSWER), {_in_record(each) for each in missed}
        problems += outdated(of_answers, found) if whole else []
        known = {record.name for record in of_answers}
        unlisted = [each for each in missed if _in_record(each) not in known]
        self._tell(ps.name, rows, holes, unlisted, problems)
        if whole and not holes and not unlisted and not problems:
            update_page(ps.name, rows, measured_at(), self.page)
        return len(problems) + len(holes) + len(unlisted)

    def _ours(self, ps: ProblemSet) -> tuple[Inputs, list[Branch], list[str]]:
        """Run our solution; return what was noted, its branches, and what makes that worthless."""
        watch, submission = Inputs(ps), our_submission(ps)
        noted = probes(with_front(submission).cells)
        run = run_watched(submission, noted, self.settings, watch, self.exercise)
        problems = [f"{ps.name}: {error}" for error in run.errors]
        problems += [f"{ps.name} {id}: our own solution does not pass, so its branches mean nothing"
                     for id, findings in run.findings.items() if outcome(findings) != Outcome.PASSED]
        problems += [f"{ps.name} {check}: the process ended before it told what it had run" for check in sorted(watch.lost)]
        return watch, watch.watched(noted.branches, submission.problem_set), problems

    def _right_answers(self, ps: ProblemSet, exercises: Sequence[Exercise]) -> tuple[dict[str, int], list[Missed]]:
        """Run the right answers to these exercises; return their number for each, and their branches that no check runs."""
        answers = load_bank(self.right / f"{ps.name}.py") if self.right else []
        numbers: dict[str, int] = {}
        missed: list[Missed] = []
        bar = ProgressBar(self.console)
        bar.start(f"{ps.name}: right answers", len(answers))
        try:
            for answer in answers:
                defined = {_exercise_of(name, ps.exercises) for name, _ in functions_of(ast.parse(answer.code))}
                if ids := [exercise.id for exercise in exercises if exercise.id in defined]:
                    numbers |= {id: numbers.get(id, 0) + 1 for id in ids}
                    missed += self._missed(ps, answer, ids)
                bar.step("")
        finally:
            bar.end()
        return numbers, missed

    def _missed(self, ps: ProblemSet, answer: Answer, ids: Sequence[str]) -> list[Missed]:
        """Return the branches of a right answer that no check of their exercise runs; a helper may be run by any check."""
        text = submission_text(ps, answer)
        submission, begin = module_submission(ps, text), text.count("\n") - answer.code.count("\n")
        noted, ran, own = probes(with_front(submission).cells), dict[str, frozenset[int]](), dict[Branch, str | None]()

        def helpers_missed() -> bool:
            return bool(outermost([branch for branch, owner in own.items() if owner is None], frozenset().union(*ran.values())))

        for id in (*ids, *(exercise.id for exercise in ps.exercises if exercise.id not in ids)):
            if id in ids or helpers_missed():
                watch = Watch()
                run_watched(submission, noted, self.settings, watch, id)
                ran[id] = watch.by_checks(watch.ran) | watch.loaded
                own = {branch: _exercise_of(branch.function, ps.exercises)
                       for branch in watch.watched(noted.branches, ps) if branch.line > begin}
        together = frozenset().union(*ran.values())
        return [(owner or ids[0], answer.name, branch) for branch, owner in own.items()
                if (owner is None or owner in ids) and outermost([branch], ran[owner] if owner else together)]

    def _tell(self, ps: str, rows: list[Row], holes: list[Branch], unlisted: list[Missed], problems: list[str]) -> None:
        """Print the table and what is missing, and write both into a file."""
        text = "\n".join([
            f"{ps}, the public edition\n", section(rows),
            f"{len(holes)} branches of our solution that no check runs", *(_described(branch) for branch in holes),
            f"{len(unlisted)} branches of right answers that no check runs",
            *(_described(branch, title) for _, title, branch in unlisted), *problems, ""])
        path = self.room / f"{ps}{'' if self.exercise is None else '_' + self.exercise}.txt"
        write_atomic(path, text)
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)
        self.console.print(f"written to {path}; a branch that no check needs to run goes into {self.records / ps}.toml, "
                           "with the reason", markup=False, highlight=False, soft_wrap=True)


def _exercise_of(function: str, exercises: Sequence[Exercise]) -> str | None:
    """Return the exercise of a function; an answer may put a method into another class, so its name alone may tell."""
    named = [exercise.id for exercise in exercises if function in exercise.functions]
    short = function.rpartition(".")[2]
    alike = [exercise.id for exercise in exercises if short in {name.rpartition(".")[2] for name in exercise.functions}]
    return named[0] if named else alike[0] if len(alike) == 1 and not short.startswith("__") else None


def _in_record(missed: Missed) -> Name:
    _, title, branch = missed
    return name_of(branch, title)


def _words(branch: Branch) -> str:
    return f"{branch.function}: {branch.kind}: {branch.text}"


def _described(branch: Branch, answer: str | None = None) -> str:
    """Describe a hole: the branch, and the entry that accepts it."""
    entry = (f"    {line}" for line in entry_for(branch, answer).splitlines())
    return "\n".join((f"==== {branch.exercise if answer is None else f'{answer}:'} {_words(branch)}", *entry, ""))
