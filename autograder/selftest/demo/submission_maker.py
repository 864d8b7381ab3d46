"""Make submissions as students do: by filling cells of the handed-out notebook."""

import ast
import copy
import hashlib
import json
from typing import Any

from autograder.problem_sets import build
from autograder.problem_sets.bank.answers import Answer, load_bank
from autograder.problem_sets.source import ProblemSet, load
from autograder.problem_sets.syntax import functions_of
from autograder.selftest.demo.members import TESTS

Files = dict[str, str]


class SubmissionMaker:
    """The notebooks and modules of one problem set, and the banks of answers, as material for submissions."""

    def __init__(self, ps: str) -> None:
        self.ps = ps
        self.problem_set: ProblemSet = load(ps)
        notebook, self.solved_module = build(self.problem_set, solution=True)
        self.stub, self.stub_module = build(self.problem_set, solution=False)
        self.solutions = {exercise.id: self._solution(notebook, exercise.id) for exercise in self.problem_set.exercises}
        # the handed-out notebook filled in, not our own notebook, because it has the students' locks and checksums
        self.solved = self.filled(self.stub, self.solutions)
        self.right = {answer.name: answer for answer in load_bank(TESTS / "right" / f"{ps}.py")}
        self.wrong = {(answer.exercise, answer.name): answer for answer in load_bank(TESTS / "wrong" / f"{ps}.py")}

    @property
    def functions(self) -> list[str]:
        """All functions that a student has to write, with qualified names."""
        return [function for exercise in self.problem_set.exercises for function in exercise.functions]

    def notebook(self, text: str) -> Files:
        """Return the files of a submission in notebook form."""
        return {f"{self.ps}.ipynb": text}

    def module(self, text: str) -> Files:
        """Return the files of a submission in module form."""
        return {f"{self.ps}.py": text}

    def answered(self, answer: Answer) -> str:
        """The solved notebook with a bank's answer: in the exercise's own cell if it fits, otherwise in a new cell."""
        if answer.exercise is not None and self._replaces(answer.exercise, answer.code):
            return self.filled(self.solved, {answer.exercise: answer.code})
        return added(self.solved, answer.code)

    def written_up_to(self, last: str) -> str:
        """The stub notebook with the solution's code from the first exercise to `last`."""
        ids = list(self.solutions)
        return self.filled(self.stub, {id: self.solutions[id] for id in ids[: ids.index(last) + 1]})

    def replaced(self, id: str, code: str) -> str:
        """The solved notebook with all functions of an exercise replaced; `code` defines one function, {name}."""
        functions = self.problem_set.exercise(id).functions
        if not any("." in function for function in functions):
            return self.filled(self.solved, {id: "\n\n".join(code.format(name=function) for function in functions)})
        methods = [f"{code.format(name='other')}\n\n{function} = other" for function in functions]
        return added(self.solved, "\n\n".join(methods))

    def filled(self, notebook: str, code: dict[str, str]) -> str:
        """Put code into solution cells, by exercise id; the rest of the notebook stays unchanged."""
        content = json.loads(notebook)
        for id, source in code.items():
            self._cell(content, id)["source"] = source.strip("\n").splitlines(keepends=True)
        return dumped(content)

    def _solution(self, notebook: str, id: str) -> str:
        """Our code of one exercise, without the marker lines."""
        return without_markers("".join(self._cell(json.loads(notebook), id)["source"]))

    def _cell(self, content: dict[str, Any], id: str) -> Any:
        wanted = self.problem_set.code_id(id)
        return next(cell for cell in content["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == wanted)

    def _replaces(self, id: str, code: str) -> bool:
        """Whether code defines every name that an exercise's cell defines, so that it can replace the cell."""
        return _defined(self.solutions[id]) <= _defined(code)


def name_of_added(ps: str) -> str:
    """Return how a report names the cell that `added` puts below the cells of a set: "cell 97"."""
    return f"cell {len(load(ps).cells) + 1}"


def added(notebook: str, source: str, cell_type: str = "code") -> str:
    """Append a cell, like a student who continues below the last cell."""
    content = copy.deepcopy(json.loads(notebook))
    name = hashlib.sha256(source.encode()).hexdigest()[:8]
    lines = source.strip("\n").splitlines(keepends=True)
    cell: dict[str, Any] = {"cell_type": cell_type, "id": name, "metadata": {}, "source": lines}
    if cell_type == "code":
        cell |= {"execution_count": None, "outputs": []}
    content["cells"].append(cell)
    return dumped(content)


def added_to_module(module: str, source: str) -> str:
    """Append a cell to the module form."""
    return f"{module.rstrip()}\n\n\n# %%\n{source.strip()}\n"


def without_markers(source: str) -> str:
    """Code without the lines that mark our solutions, because students do not have them."""
    return "\n".join(line for line in source.split("\n") if not line.strip().startswith(("### BEGIN", "### END")))


def dumped(content: dict[str, Any]) -> str:
    """Return a notebook as text, the same for the same content."""
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _defined(source: str) -> set[str]:
    """The classes and functions of a cell; methods have qualified names."""
    tree = ast.parse(source)
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)} | {name for name, _ in functions_of(tree)}
