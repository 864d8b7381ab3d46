"""What the checks of a set need at home, in `facts.json` beside its notebook: the facts that come from the solution.

`arena.set_facts` reads it. It has nothing of the solution but the names of the functions and which exercise calls which.
"""

import ast
import json
from pathlib import Path

from autograder.problem_sets.facts import LACKS
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet

NAME = "facts.json"


def facts_json(ps: ProblemSet) -> str:
    """Return the text of a set's `facts.json`."""
    facts = {
        "packages": ps.facts.imports,
        "arena": [Path(part).stem for part in ps.facts.arena],
        "lacks": LACKS,
        "functions": {exercise.id: exercise.functions for exercise in ps.exercises},
        "calls": {id: called for id in ps.ids if (called := calls_at_home(ps, id))},
    }
    lines = (f'  {json.dumps(key)}: {_shown(value)}' for key, value in facts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def calls_at_home(ps: ProblemSet, id: str) -> list[str]:
    """Return the ids of the exercises that run when the visible check of this one runs, in order.

    They are those that it calls, and earlier ones that the check calls by name; all of its own check for the joint check.
    """
    order = [exercise.id for exercise in ps.exercises]
    earlier = order if id == JOINT else order[: order.index(id)]
    code = "\n".join(cell.solution for cell in ps.cells if cell.role == "check" and cell.id == id)
    used = ps.program.exercises_in(ast.parse(code), methods=id == JOINT)
    needed = used & set(earlier) | (set() if id == JOINT else set(ps.exercise(id).calls))
    return [other for other in order if other in needed]


def _shown(value: object) -> str:
    """Return JSON with one line for each exercise."""
    if not isinstance(value, dict):
        return json.dumps(value)
    return "{\n" + ",\n".join(f"    {json.dumps(key)}: {json.dumps(item)}" for key, item in value.items()) + "\n  }"
