"""A student's code as the gradebook has recorded it."""

from __future__ import annotations

import json
from pathlib import Path

from arena.files import read_regular
from autograder.problem_sets.source import ProblemSet
from autograder.submission.gate import MOST_FILE_BYTES


def recorded_code(course: Path, student: str, problem_set: ProblemSet) -> dict[str, str]:
    """Return the student's code by exercise id, as the recorded notebook shows it; empty if there is none that can be read."""
    data = read_regular(course / "autograded" / student / problem_set.name / f"{problem_set.name}.ipynb", MOST_FILE_BYTES)
    ids = {problem_set.code_id(exercise.id): exercise.id for exercise in problem_set.exercises}
    try:
        cells = json.loads(data or b"")["cells"]
        named = [(cell["metadata"].get("nbgrader", {}).get("grade_id"), "".join(cell["source"])) for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
    return {ids[grade_id]: source for grade_id, source in named if grade_id in ids}
