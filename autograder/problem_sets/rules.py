"""The rules for a problem set's source: the headers of its cells, its ids, its points, its checks."""

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.problem_sets.facts import NAMES as FACTS
from autograder.problem_sets.percent import PercentCell
from autograder.problem_sets.syntax import SourceError

JOINT = "joint"  # the id of the check of a whole set
EXERCISE_POINTS, JOINT_POINTS = 95, 5
LIST_ITEM = re.compile(r" {0,3}(?:[-+*]|\d+[.)])\s")  # of Markdown
# markdown?, the options of the header -> the role of the cell
ROLES = {
    (True, frozenset()): "prose",
    (True, frozenset({"answer", "points"})): "answer",
    (False, frozenset()): "given",
    (False, frozenset({"exercise", "title", "points"})): "exercise",
    (False, frozenset({"exercise", "title", "extra"})): "exercise",  # optional: its points are added to the 100
    (False, frozenset({"check"})): "check",
    (False, frozenset({"check", "points"})): "check",
    (False, frozenset({"tags", "active"})): "experiment",
    (False, frozenset({"tags", "active", "answer"})): "experiment",  # the student's own, whose answer a person marks
}


def role_of(cell: PercentCell, file: str) -> tuple[str, str]:
    """Return the role of a cell and the id in its header ("" without one); SourceError for a wrong header."""
    place, options = f"{file}:{cell.line}", cell.options
    facts = FACTS & set(options)
    role = ROLES.get((cell.markdown, frozenset(options) - facts))
    if role is None:
        kind = "markdown" if cell.markdown else "code"
        raise SourceError(f"{place}: no {kind} cell has just the options {', '.join(options)}")
    if role == "experiment" and (options["tags"] != ["experiment"] or options["active"] != "ipynb"):
        raise SourceError(f'{place}: the only tagged cells are tags=["experiment"] active="ipynb"')
    if facts and (cell.line > 1 or role != "prose"):
        raise SourceError(f"{place}: {min(facts)} belongs in line 1, the header of the first cell, and nowhere else")
    id = str(options.get("answer" if role == "experiment" else role, ""))
    is_joint = role == "check" and id == JOINT
    named = role in ("exercise", "check", "answer") or "answer" in options
    if named and not is_joint and not re.fullmatch(r"\d+\.\d+", id):
        raise SourceError(f"{place}: {id} is not the id of an exercise, such as 2.5")
    if ("points" in options or "extra" in options) != (role in ("exercise", "answer") or is_joint):
        raise SourceError(f"{place}: exercises, answers and the joint check have points, other checks do not")
    points = points_of(options)
    if points is not None and (type(points) is not int or points < 1):
        raise SourceError(f"{place}: points={points} is not a whole number above 0")
    return role, id


def points_of(options: Mapping[str, Any]) -> Any:
    """Return the points in a header, extra ones too; None where a cell has none."""
    return options.get("points", options.get("extra"))


def check_set(cells: Sequence[tuple[PercentCell, str, str]], file: str) -> None:
    """Raise SourceError unless ids, checks and points of a whole set fit together.

    Args:
        cells: (cell, role, id) in order.
    """
    _check_ids(cells, file)
    titles = {id: str(cell.options["title"]) for cell, role, id in cells if role == "exercise"}
    for cell, role, id in cells:
        if cell.markdown:
            _check_lists(cell, file)
        if role == "check":
            _check_decorator(cell, id, titles.get(id), f"{file}:{cell.line}")
        if role == "exercise":
            _check_todos(cell, id, file)
    exercises = sum(int(cell.options.get("points", 0)) for cell, role, _ in cells if role == "exercise")
    joint = sum(int(cell.options["points"]) for cell, _, id in cells if id == JOINT)
    if (exercises, joint) != (EXERCISE_POINTS, JOINT_POINTS):
        wanted = f"{EXERCISE_POINTS} + {JOINT_POINTS}"
        raise SourceError(f"{file}:1: the points of the exercises and of the joint check are {exercises} + {joint}, not {wanted}")


def _check_ids(cells: Sequence[tuple[PercentCell, str, str]], file: str) -> None:
    """Check that ids occur once and share their first number, and that each exercise has a check below it, and each check one."""
    solved: set[str] = set()
    checked: set[str] = set()
    taken: Counter[tuple[str, str]] = Counter()
    for cell, role, id in cells:
        if not id:
            continue
        place = f"{file}:{cell.line}"
        kind = role if role in ("check", "experiment") else ""  # the free answers and the exercises share their numbers
        taken[kind, id] += 1
        if taken[kind, id] > 1:
            raise SourceError(f"{place}: a second {role} cell with the id {id}")
        if role == "check" and id != JOINT and id not in solved:
            raise SourceError(f"{place}: the check of {id} has no exercise {id} above it")
        first = min(solved, default=id)
        if id != JOINT and id.partition(".")[0] != first.partition(".")[0]:
            raise SourceError(f"{place}: {id} and {first} cannot be of the same set")
        (solved if role == "exercise" else checked).add(id)
    answers = {id for _, role, id in cells if role == "answer"}
    for cell, role, id in cells:
        if role == "experiment" and id and id not in answers:
            raise SourceError(f"{file}:{cell.line}: the experiment of {id} has no answer {id}")
        if role == "exercise" and id not in checked:
            raise SourceError(f"{file}:{cell.line}: exercise {id} has no check cell")


def _check_lists(cell: PercentCell, file: str) -> None:
    """Check that no line of a paragraph becomes a list: a sum that goes on with `+ 1 = 4` would be torn apart."""
    before = ""
    for number, line in enumerate(cell.text.split("\n"), cell.line + 1):
        if LIST_ITEM.match(line) and before and not LIST_ITEM.match(before) and not before.startswith(" "):
            raise SourceError(f"{file}:{number}: a line that begins with {line.split()[0]!r} becomes a list: break the lines "
                              "elsewhere, or leave an empty line above a list")
        before = line


def _check_todos(cell: PercentCell, id: str, file: str) -> None:
    """Check that each function of an exercise has a TODO line with its id: it is all that the student sees of the function."""
    todos = [(todo[1], number) for number, line in enumerate(cell.text.split("\n"), cell.line + 1)
             if (todo := re.search(r"# TODO (\S+):", line))]
    for named, number in todos:
        if named != id:
            raise SourceError(f"{file}:{number}: TODO {named} is in the cell of exercise {id}")
    if len(todos) < cell.text.count(f"### BEGIN SOLUTION {id}\n"):
        raise SourceError(f"{file}:{cell.line}: a function of exercise {id} has no line # TODO {id}: what there is to do")


def _check_decorator(cell: PercentCell, id: str, title: str | None, place: str) -> None:
    """Check that the check cell has @check(id, title) with the id of its header and the exercise's title."""
    functions = [node for node in ast.parse(cell.text).body if isinstance(node, ast.FunctionDef)]
    decorators = [call for node in functions if node.name.startswith("check_")
                  for call in node.decorator_list if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "check"]
    arguments = [[getattr(argument, "value", None) for argument in call.args] for call in decorators]
    if len(arguments) != 1 or arguments[0][:1] != [id] or (title is not None and arguments[0] != [id, title]):
        wanted = f'@check("{id}", "{title}")' if title else f'@check("{id}", ...)'
        raise SourceError(f"{place}: a check cell holds one function check_... under {wanted}")
