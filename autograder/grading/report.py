"""What a student gets: one report per submission, the same to the byte for the same submission."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

from autograder.build.source import ProblemSet, load

PASSED, NOT_YET, NOT_WRITTEN, TOO_SLOW, GRADER_FAULT = "passed", "not yet", "not written", "too slow", "grader fault"
JOINT_TITLE = "everything together"
FAULT_NOTE = (
    "The grader could not judge this submission. This is not about your work and no points are lost: "
    "it will be graded again. Please tell your instructor."
)
OUTCOMES = (PASSED, NOT_YET, NOT_WRITTEN, TOO_SLOW, GRADER_FAULT)


@dataclass(frozen=True)
class Check:
    """One hidden check: `line` is its sentence, `hint` what we may say beyond it (or None)."""

    name: str
    line: str
    outcome: str
    hint: str | None = None


@dataclass(frozen=True)
class ExerciseReport:
    """One exercise (or the joint check, id "joint"): all its points or none."""

    id: str
    title: str
    outcome: str
    points: float
    max_points: float
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Report:
    """One submission's result; `form` is "notebook", "module" or "none", `sha256` that of the raw submission."""

    problem_set: str
    form: str
    sha256: str
    points: float
    max_points: float
    note: str
    exercises: tuple[ExerciseReport, ...]

    @property
    def has_fault(self) -> bool:
        """True when a fault of the grader's kept an exercise from being judged."""
        return any(exercise.outcome == GRADER_FAULT for exercise in self.exercises)

    @classmethod
    def unjudged(cls, problem_set: ProblemSet, sha256: str, *, form: str, note: str, outcome: str) -> Report:
        """Return a report without checks, every exercise having the same outcome and no points."""
        titles = [(exercise.id, exercise.title, exercise.points) for exercise in problem_set.exercises]
        exercises = tuple(
            ExerciseReport(id, title, outcome, 0.0, float(points), ())
            for id, title, points in [*titles, ("joint", JOINT_TITLE, problem_set.joint_points)]
        )
        return cls(problem_set.name, form, sha256, 0.0, float(problem_set.max_points), note, exercises)

    @classmethod
    def fault(cls, ps: str, sha256: str) -> Report:
        """Return the report of a submission that the grader could not judge: nothing is lost, it is graded again."""
        return cls.unjudged(load(ps), sha256, form="none", note=FAULT_NOTE, outcome=GRADER_FAULT)

    def sharing(self, known: dict[ExerciseReport, ExerciseReport]) -> Report:
        """Return the same report, made of what is in `known`, and add to that what is not.

        In a class most students' results for an exercise are equal; kept once, a report takes 2 KiB of memory and not 40.
        """
        return replace(self, exercises=tuple(known.setdefault(exercise, exercise) for exercise in self.exercises))

    def to_json(self) -> str:
        """Return the report as text: sorted keys, two spaces, a newline at the end."""
        return json.dumps(asdict(self), sort_keys=True, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Report:
        """Read what to_json wrote.

        Raises:
            ValueError, KeyError, TypeError: the text is not a report.
        """
        data = json.loads(text)
        exercises = tuple(
            ExerciseReport(**{**exercise, "checks": tuple(Check(**check) for check in exercise["checks"])})
            for exercise in data["exercises"]
        )
        return cls(**{**data, "exercises": exercises})

