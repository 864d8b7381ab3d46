"""The student's result: one report per submission, byte by byte the same for the same submission."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet, load

JOINT_TITLE = "everything together"
# The text in place of points after a fault of the grader: no points are given or taken until the exercise is graded again.
UNDECIDED = "undecided"
FAULT_NOTE = (
    "The grader failed, and some of this submission is undecided. This is not about your work: no points are given or taken "
    "there until it is graded again. Please tell your instructor."
)
TREE_VERSION = 1


class Outcome(StrEnum):
    """The outcome of a check or an exercise, in the order of the tables."""

    PASSED = "passed"
    NOT_YET = "not yet"
    NOT_WRITTEN = "not written"
    TOO_SLOW = "too slow"
    GRADER_FAULT = "grader fault"


@dataclass(frozen=True)
class Check:
    """One hidden check: `line` is its sentence, `hint` is further advice (or None)."""

    name: str
    line: str
    outcome: Outcome
    hint: str | None = None


def first_lost(checks: Iterable[Check]) -> Check | None:
    """Return the check that a student reads about: of those that did not pass the first with a hint, else the first of them."""
    lost = [check for check in checks if check.outcome != Outcome.PASSED]
    return next((check for check in lost if check.hint), lost[0] if lost else None)


@dataclass(frozen=True)
class ExerciseReport:
    """One exercise (or the joint check, id "joint"): all its points or none; None while it is undecided.

    waits_for: only for the joint check, the exercises that kept it from running.
    extra: the exercise is optional. It can earn a part of its points, and they do not count in those of the set.
    """

    id: str
    title: str
    outcome: Outcome
    points: float | None
    max_points: float
    checks: tuple[Check, ...]
    waits_for: tuple[str, ...] = ()
    extra: bool = False

    @property
    def undecided(self) -> bool:
        """Whether a fault of the grader left the exercise without a verdict."""
        return self.outcome == Outcome.GRADER_FAULT

    @property
    def dropped(self) -> bool:
        """Whether staff have decided that the exercise does not count."""
        return self.max_points == 0


@dataclass(frozen=True)
class SeenNode:
    """A node: its moves from the position, its visits, and the mean result for the player who moved into it; None unvisited."""

    path: tuple[int, ...]
    visits: int
    value: float | None


@dataclass(frozen=True)
class SearchTree:
    """The nodes one and two plies below a public position, parents first, actions ascending; for display only.

    version: of this form; a tree in another form is not shown.
    """

    simulations: int
    nodes: tuple[SeenNode, ...]
    version: int = TREE_VERSION


@dataclass(frozen=True)
class Report:
    """One submission's result; `form` is "notebook", "module" or "none", `sha256` is of the raw submission.

    points: the sum over the decided exercises that are not optional, at most `max_points`.
    tree: what the student's search built on a public position, for the feedback page; no part of any points. None: the set
        shows none, the search gave none, or the report is older than these trees.
    """

    problem_set: str
    form: str
    sha256: str
    points: float
    max_points: float
    note: str
    exercises: tuple[ExerciseReport, ...]
    tree: SearchTree | None = None

    @property
    def has_fault(self) -> bool:
        """Whether a fault of the grader left an exercise without a verdict."""
        return any(exercise.undecided for exercise in self.exercises)

    @property
    def undecided_points(self) -> float:
        """The points of the undecided exercises."""
        return float(sum(exercise.max_points for exercise in self.exercises if exercise.undecided))

    @property
    def extra_points(self) -> float:
        """The points of the optional exercises; the gradebook's score has them beside `points`."""
        return float(sum(exercise.points or 0.0 for exercise in self.exercises if exercise.extra))

    @property
    def joint(self) -> ExerciseReport:
        """The joint check; it is the last exercise."""
        return self.exercises[-1]

    def with_exercises(self, exercises: Iterable[ExerciseReport]) -> Report:
        """Return the report with these results and their sum."""
        results = tuple(exercises)
        counted = sum(exercise.points or 0.0 for exercise in results if not exercise.extra)
        return replace(self, exercises=results, points=float(counted))

    @classmethod
    def unjudged(cls, problem_set: ProblemSet, sha256: str, *, form: str, note: str, outcome: Outcome) -> Report:
        """Return a report without checks, with one outcome for every exercise: no points, or undecided after a fault."""
        titles = [(exercise.id, exercise.title, exercise.points, exercise.extra) for exercise in problem_set.exercises]
        points = None if outcome == Outcome.GRADER_FAULT else 0.0
        exercises = tuple(
            ExerciseReport(id, title, outcome, points, float(most), (), extra=extra)
            for id, title, most, extra in [*titles, (JOINT, JOINT_TITLE, problem_set.joint_points, False)]
        )
        return cls(problem_set.name, form, sha256, 0.0, float(problem_set.max_points), note, exercises)

    @classmethod
    def fault(cls, ps: str, sha256: str) -> Report:
        """Return the report of a submission that the grader could not judge: no points are lost, and it is graded again."""
        return cls.unjudged(load(ps), sha256, form="none", note=FAULT_NOTE, outcome=Outcome.GRADER_FAULT)

    def sharing(self, known: dict[ExerciseReport, ExerciseReport]) -> Report:
        """Return an equal report that shares its exercises with `known`, and add new exercises to `known`.

        In a class, most students' results for an exercise are equal. Stored once, they take 2 KiB of memory a report, not 40.
        """
        return replace(self, exercises=tuple(known.setdefault(exercise, exercise) for exercise in self.exercises))

    def to_json(self) -> str:
        """Return the report as text: sorted keys, an indent of two spaces, a newline at the end."""
        if not self.exercises:
            return _text(asdict(self)) + "\n"
        head, _, rest = _text(asdict(replace(self, exercises=()))).partition(_NO_EXERCISES)  # a text has its quotes escaped
        exercises = ",\n    ".join(map(_text_of_exercise, self.exercises))
        return f'{head}\n  "exercises": [\n    {exercises}\n  ],\n{rest}\n'

    @classmethod
    def from_json(cls, text: str) -> Report:
        """Return the report in a text of `to_json`.

        Raises:
            ValueError, KeyError, TypeError: the text is not a report.
        """
        data = json.loads(text)
        exercises = tuple(map(_exercise, data["exercises"]))
        return cls(**{**data, "exercises": exercises, "tree": search_tree(data.get("tree"))})


_NO_EXERCISES = '\n  "exercises": [],\n'  # not the last key


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, indent=2, ensure_ascii=False)


@lru_cache(maxsize=256)
def _text_of_exercise(exercise: ExerciseReport) -> str:
    """Return an exercise as text of a report; kept, because most students of a class have the same, each thrice."""
    return _text(asdict(exercise)).replace("\n", "\n    ")  # a line break within a text is escaped


def search_tree(data: dict[str, Any] | None) -> SearchTree | None:
    """Return the tree in the JSON of a report; None if there is none, or one in another form."""
    if data is None or data["version"] != TREE_VERSION:
        return None
    return SearchTree(**{**data, "nodes": tuple(SeenNode(**{**node, "path": tuple(node["path"])}) for node in data["nodes"])})


def _exercise(data: dict[str, Any]) -> ExerciseReport:
    checks = tuple(Check(**{**check, "outcome": Outcome(check["outcome"])}) for check in data["checks"])
    parts = {"outcome": Outcome(data["outcome"]), "checks": checks, "waits_for": tuple(data.get("waits_for", ()))}
    return ExerciseReport(**{**data, **parts})
