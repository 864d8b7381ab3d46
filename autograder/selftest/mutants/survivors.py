"""`make mutants`: make the mutants, try them, and list the survivors that are not recorded as equivalent."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path

from rich.console import Console

from arena.errors import UserError
from arena.files import write_atomic
from autograder.paths import REPOSITORY
from autograder.problem_sets.source import Exercise, ProblemSet, load
from autograder.progress import ProgressBar
from autograder.selftest.git_objects import measured_at
from autograder.selftest.mutants.mutant import Mutant, mutants_of, unchanged
from autograder.selftest.mutants.page import PAGE, Row, table, update_page
from autograder.selftest.mutants.record import RECORDS, entry_for, load_records, misfits
from autograder.selftest.mutants.trial import KILLED, LUCKY, Trial, run_trials
from autograder.selftest.one_exercise import edition_names

ROOM = REPOSITORY / "build" / "mutants"
EDITIONS = 3
_LEGEND = """Survivors: mutants of our solution that the hidden checks of their exercise do not find in every edition.
Lines with - are removed, lines with + are added. `_once(lambda: x)` is x, made at the first call and kept for all later calls.
`_remembered('a')` caches the function's answers by argument a, so that a second call with the same a gives the first answer.
`_spoiled('a')` removes the last entry of a list or dict in argument a, or writes 0 into an array, after the answer is made.

"""


class Run:
    """One run over some problem sets.

    Args:
        exercise: only the mutants of this exercise. sample: only this number of mutants of each set, drawn with `seed`.
        executor: tries the mutants instead of our own processes.
        records: the folder of the equivalent mutants. room: the folder for the lists of survivors. page: the page for whole sets.
    """

    def __init__(
        self, console: Console, exercise: str | None = None, sample: int | None = None, seed: int = 0, editions: int = EDITIONS,
        workers: int = 1, executor: Executor | None = None, records: Path = RECORDS, room: Path = ROOM, page: Path = PAGE,
    ) -> None:
        self.console, self.exercise, self.sample, self.seed = console, exercise, sample, seed
        self.editions, self.workers, self.executor = edition_names(editions), workers, executor
        self.records, self.room, self.page = records, room, page

    def over(self, chosen: Sequence[str]) -> int:
        """Try the mutants of these problem sets; return 0 if nothing is left to do.

        Raises:
            UserError: none of the sets has the requested exercise.
        """
        # of an optional exercise the solution is a test: less strict is not wrong, and its own bank proves its grading
        sets = [(ps, [exercise for exercise in ps.exercises if self.exercise in (None, exercise.id) and not exercise.extra])
                for ps in map(load, chosen)]
        if not any(exercises for _, exercises in sets):
            raise UserError(f"no exercise {self.exercise} in {', '.join(chosen)}")
        left = sum(self._one_set(ps, exercises) for ps, exercises in sets if exercises)
        return 1 if left else 0

    def _one_set(self, ps: ProblemSet, exercises: Sequence[Exercise]) -> int:
        """Try the mutants of one set; return the number of problems."""
        sound, problems = self._sound(ps, exercises)
        made = {exercise: mutants_of(ps, exercise) for exercise in sound}
        all_of_them = [mutant for mutants in made.values() for mutant in mutants]
        records = load_records(ps.name, self.records)
        trials = self._tried(ps.name, self._drawn(all_of_them))
        equivalent = {record.name for record in records}
        survivors = [trial for trial in trials if trial.result != KILLED and trial.mutant.name not in equivalent]
        problems += [f"{ps.name} {exercise.id}: no mutant was made, so nothing was tried"
                     for exercise, mutants in made.items() if not mutants]
        problems += misfits(records, all_of_them, trials)
        rows = [_row(exercise, trials, equivalent) for exercise in made]
        self._say(f"\n{ps.name}, {len(self.editions)} editions\n\n{table(rows)}", *problems)
        self._tell(ps.name, survivors, len(trials))
        if self.exercise is None and self.sample is None and not problems:
            update_page({ps.name: rows}, measured_at(), self.page)
        return len(problems) + len(survivors)

    def _sound(self, ps: ProblemSet, exercises: Sequence[Exercise]) -> tuple[list[Exercise], list[str]]:
        """Return the exercises that our solution passes if it is written like a mutant, and a sentence for each other one."""
        trials = {trial.mutant.exercise: trial for trial in
                  run_trials([unchanged(ps, exercise) for exercise in exercises], self.editions, self.workers, self.executor)}
        failing = {id: sorted({name for name in trial.caught_by if name}) for id, trial in trials.items()}
        sentences = [f"{ps.name} {id}: our own solution fails {', '.join(names)}; its mutants were not tried"
                for id, names in failing.items() if names]
        return [exercise for exercise in exercises if not failing[exercise.id]], sentences

    def _drawn(self, mutants: list[Mutant]) -> list[Mutant]:
        if self.sample is None or self.sample >= len(mutants):
            return mutants
        places = random.Random(self.seed).sample(range(len(mutants)), self.sample)
        return [mutants[place] for place in sorted(places)]

    def _tried(self, ps: str, mutants: list[Mutant]) -> list[Trial]:
        """Try all mutants and return the trials in the order of the mutants."""
        bar = ProgressBar(self.console)
        bar.start(f"{ps}: mutants tried by {self.workers} workers", len(mutants))
        trials: dict[Mutant, Trial] = {}
        try:
            for trial in run_trials(mutants, self.editions, self.workers, self.executor):
                trials[trial.mutant] = trial
                bar.step("")
        finally:
            bar.end()
        return [trials[mutant] for mutant in mutants]

    def _tell(self, ps: str, survivors: list[Trial], tried: int) -> None:
        """Write the list of survivors; for a single exercise or a sample, print it too."""
        path = self.room / f"{ps}{'' if self.exercise is None else '_' + self.exercise}.txt"
        write_atomic(path, _LEGEND + "\n".join(_described(trial) for trial in survivors))
        if self.exercise is not None or self.sample is not None:
            self._say(*(_described(trial) for trial in survivors))
        self._say(f"{ps}: {len(survivors)} survivors of {tried} mutants tried, listed in {path}; equivalent mutants are "
                  f"recorded in {self.records / ps}.toml")

    def _say(self, *texts: str) -> None:
        for text in texts:
            self.console.print(text, markup=False, highlight=False, soft_wrap=True)


def _row(exercise: Exercise, trials: list[Trial], equivalent: set[tuple[str, str, str, int]]) -> Row:
    mine = [trial for trial in trials if trial.mutant.exercise == exercise.id]
    recorded = sum(trial.mutant.name in equivalent for trial in mine)
    results = [trial.result for trial in mine if trial.mutant.name not in equivalent]
    killed = results.count(KILLED)
    return Row(exercise.id, exercise.title, killed, recorded, len(results) - killed, results.count(LUCKY))


def _described(trial: Trial) -> str:
    """Describe a survivor: the change, the number of editions in which it survives, and the entry to record it."""
    mutant, editions = trial.mutant, len(trial.caught_by)
    missed = trial.caught_by.count(None)
    by = ", ".join(sorted({name for name in trial.caught_by if name}))
    luck = f" (by luck of the edition: otherwise caught by {by})" if by else ""
    return "\n".join((
        f"==== {mutant.exercise} {mutant.function}: {mutant.operator}, survives in {missed} of {editions} editions{luck}",
        mutant.context, "", *(f"    {line}" for line in entry_for(mutant).splitlines()), ""))
