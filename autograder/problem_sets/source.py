"""Read a problem set's one source, solutions/NAME.py, and check the rules.

A header gives the role of its cell: # %% exercise="2.5" title="backpropagate" points=10, # %% check="2.5",
# %% exercise="2.15" title="break it" extra=5 for an optional exercise whose points are added to the 100,
# %% check="joint" points=5, # %% tags=["experiment"] active="ipynb", # %% [markdown] answer="2.13" points=5.
The header of the first cell holds facts of the set (facts.py): # %% [markdown] draft=true for a set that is not released yet.
An experiment that the student writes names its answer too: # %% tags=["experiment"] active="ipynb" answer="2.13".
A cell without options is prose or given code.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from arena.errors import UserError
from arena.near_miss import meant_or_listed
from arena.shipped import set_order
from autograder.paths import REPOSITORY
from autograder.problem_sets import graph, percent
from autograder.problem_sets.facts import Facts, as_released, read_facts
from autograder.problem_sets.graph import Program, ReferenceCode
from autograder.problem_sets.leaks import refuse_leaks
from autograder.problem_sets.points_table import with_points
from autograder.problem_sets.rules import JOINT, check_set, points_of, role_of
from autograder.problem_sets.strip import Stub, strip
from autograder.problem_sets.syntax import Place, SourceError, parse

SOLUTIONS = REPOSITORY / "solutions"


@dataclass(frozen=True)
class Cell:
    """One cell. `id` is the id of its exercise, check or answer, else ""; `header` is its header in the script.

    An experiment has the id of an answer if the student writes it.
    """

    role: str  # prose, given, exercise, check, experiment or answer
    id: str
    points: int  # of an exercise, an answer or the joint check, else 0
    line: int  # of its header in the source
    header: tuple[tuple[str, Any], ...]  # the options of its header, in order
    solution: str
    stub: str

    @property
    def markdown(self) -> bool:
        """Whether the cell is text."""
        return self.role in ("prose", "answer")


@dataclass(frozen=True)
class Exercise:
    """One exercise; `functions` are qualified ("TreeNode.is_terminal"), `calls` are all exercises that it needs.

    extra: the exercise is optional, and its points do not count in the set's `max_points`.
    constant: our functions do nothing but return a literal value, so whoever has them has the answer.
    """

    id: str
    title: str
    points: int
    functions: tuple[str, ...]
    calls: tuple[str, ...]
    extra: bool = False
    constant: bool = False


@dataclass(frozen=True, eq=False)
class ProblemSet:
    """A problem set, read from its source. The joint check and the free answers are not among the exercises."""

    name: str
    title: str
    exercises: tuple[Exercise, ...]
    joint_points: int
    cells: tuple[Cell, ...]
    program: Program
    facts: Facts = Facts()

    @property
    def max_points(self) -> int:
        """The automatic points: all exercises that are not optional, and the joint check."""
        return sum(exercise.points for exercise in self.exercises if not exercise.extra) + self.joint_points

    @property
    def extra_points(self) -> int:
        """The points of the optional exercises; they are not part of max_points."""
        return sum(exercise.points for exercise in self.exercises if exercise.extra)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all that has points of its own checks: the exercises in order, and the joint check."""
        return (*(exercise.id for exercise in self.exercises), JOINT)

    @property
    def manual_points(self) -> int:
        """The points of the free answers, which a person gives; they are not part of max_points."""
        return sum(cell.points for cell in self.cells if cell.role == "answer")

    def exercise(self, id: str) -> Exercise:
        """Return the exercise with this id; KeyError if no exercise has it."""
        return {exercise.id: exercise for exercise in self.exercises}[id]

    def ours_for(self, exercise: Exercise) -> tuple[str, ...]:
        """Return the ids of the exercises that are ours while this one is graded: all before it, called or not.

        A right answer may call any earlier exercise, and a mistake there is not its own. An exercise with a constant for an
        answer is never among them: no function needs it, and code that finds it in the process has the answer.
        """
        ids = [exercise.id for exercise in self.exercises]
        needed = {*ids[: ids.index(exercise.id)], *exercise.calls} - {exercise.id}
        return tuple(exercise.id for exercise in self.exercises if exercise.id in needed and not exercise.constant)

    def grade_id(self, id: str) -> str:
        """Return nbgrader's name for the cell that carries the points: "2.5" -> "ex2_5", "joint" -> "ex2_joint"."""
        number = self.exercises[0].id.partition(".")[0]
        return f"ex{number}_joint" if id == JOINT else "ex" + id.replace(".", "_")

    def code_id(self, id: str) -> str:
        """Return nbgrader's name for the cell that holds an exercise's code: "2.5" -> "ex2_5_code"."""
        return self.grade_id(id) + "_code"

    def reference(self, ids: Collection[str]) -> ReferenceCode:
        """Return our functions of just these exercises, with the given code that they need."""
        return _reference(self, tuple(ids))


@cache
def _reference(problem_set: ProblemSet, ids: tuple[str, ...]) -> ReferenceCode:
    return problem_set.program.reference(ids)


def names() -> list[str]:
    """Return the names of all problem sets, in the order of their numbers."""
    return sorted((path.stem for path in SOLUTIONS.glob("ps*.py")), key=set_order)


def released() -> list[str]:
    """Return the names of the problem sets that students get, in the order of their numbers: all that are not drafts."""
    return [name for name in names() if not facts_of(name).draft]


def facts_of(name: str) -> Facts:
    """Return the facts of a problem set from the first line of its source: much faster than `load`."""
    with _path(name).open(encoding="utf-8", errors="replace") as file:
        return read_facts(percent.options_of(file.readline(), f"solutions/{name}.py:1"), f"solutions/{name}.py:1")


def check_known(ps: str) -> None:
    """Raise UserError if no problem set has this name."""
    if ps not in names():
        raise UserError(f"no problem set is called {ps!r}{meant_or_listed(ps, names())}")


@cache
def load(name: str) -> ProblemSet:
    """Return the problem set of this name; SourceError names file and line of an error."""
    file = f"solutions/{name}.py"
    try:
        text = _path(name).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}:{error.object[: error.start].count(10) + 1}: not a text in UTF-8") from None
    return read(text, name, file)


def _path(name: str) -> Path:
    if name not in names():
        raise SourceError(f"no problem set is called {name!r}; choose from {', '.join(names())}")
    return SOLUTIONS / f"{name}.py"


def read(script: str, name: str, file: str) -> ProblemSet:
    """Return the problem set of a script; errors call it `file`."""
    written = percent.read(script, file)
    roles = [role_of(cell, file) for cell in written]
    places = [_place(file, cell.line) for cell in written]
    facts = read_facts(written[0].options, f"{file}:{written[0].line}") if written else Facts()
    written[:1] = map(as_released, written[:1])
    declared = [(id, points_of(cell.options)) for cell, (_, id) in zip(written, roles, strict=True)]
    points = {id: int(worth) for id, worth in declared if worth is not None}
    written = [replace(cell, text=with_points(cell.text, points, place)) if cell.markdown else cell
               for cell, place in zip(written, places, strict=True)]
    trees = {number: parse(cell.text, place, "this cell") for number, (cell, (role, _), place)
             in enumerate(zip(written, roles, places, strict=False)) if role in ("given", "exercise", "check")}
    check_set([(cell, *role) for cell, role in zip(written, roles, strict=False)], file)
    known = {id for role, id in roles if role == "exercise"}
    stubs = [strip(cell.text, id if role == "exercise" else None, known, place)
             for cell, (role, id), place in zip(written, roles, places, strict=False)]
    _refuse_leaks([cell.text for cell in written], stubs, places)
    exercise_of = {function: id for stub, (_, id) in zip(stubs, roles, strict=False) for function in stub.functions}
    code = [(tree, places[number]) for number, tree in trees.items() if roles[number][0] != "check"]
    program = graph.program(code, exercise_of)
    cells = tuple(
        Cell(role, id, points_of(cell.options) or 0, cell.line, tuple(cell.options.items()), cell.text, stub.text)
        for cell, (role, id), stub in zip(written, roles, stubs, strict=False)
    )
    exercises = tuple(Exercise(cell.id, str(dict(cell.header)["title"]), cell.points, stub.functions, program.calls(cell.id),
                               "extra" in dict(cell.header), program.is_constant(cell.id))
                      for cell, stub in zip(cells, stubs, strict=False) if cell.role == "exercise")
    joint = sum(cell.points for cell in cells if cell.id == JOINT)
    return ProblemSet(name, _title(cells, file), exercises, joint, cells, program, facts)


def module_text(ps: ProblemSet, *, solution: bool) -> str:
    """Return the set's module: the students' script, or the solved one; experiments are comments in it."""
    texts = (cell.solution if solution else cell.stub for cell in ps.cells)
    return percent.write([percent.PercentCell(cell.line, cell.markdown, text, dict(cell.header))
                          for cell, text in zip(ps.cells, texts, strict=False)])


def _place(file: str, header: int) -> Place:
    return lambda line: f"{file}:{header + line}"


def _title(cells: Sequence[Cell], file: str) -> str:
    """Return the heading of the first cell."""
    first = cells[0].solution.split("\n")[0] if cells else ""
    if not cells or not cells[0].markdown or not first.startswith("# "):
        raise SourceError(f"{file}:1: the first cell is not text under a heading: # %% [markdown], then # # The title")
    return first.removeprefix("# ").strip()


def _refuse_leaks(texts: Sequence[str], stubs: Sequence[Stub], places: Sequence[Place]) -> None:
    lost = [(text.split("\n")[number - 1], place(number))
            for text, stub, place in zip(texts, stubs, places, strict=False) for number in stub.removed]
    released = [(line, place(number))
                for stub, place in zip(stubs, places, strict=False) for number, line in enumerate(stub.text.split("\n"), 1)]
    refuse_leaks(lost, released)
