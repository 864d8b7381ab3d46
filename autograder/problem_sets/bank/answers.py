"""The banks of answers whose grades are known: tests/wrong/ and tests/right/."""

import re
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.edits import EditError, written_out
from autograder.problem_sets.source import ProblemSet, module_text

_CELL = re.compile(r"^# %% (.+)$", re.MULTILINE)
_EXERCISE = re.compile(r"(\d+\.\d+|joint): (.+)")
_MARK = re.compile(r"# (?:hint: (?P<hint>.+)|points: (?P<points>\d+(?:\.\d+)?)|at home: (?P<at_home>.+)|(?P<home>home))\n")


@dataclass(frozen=True)
class Answer:
    """One answer of a bank: code to append to the solution.

    A wrong answer names the exercise that it breaks, and may name a part of the hint that its student must get. points: the
    part of an optional exercise that it earns all the same. home: a natural mistake, which the visible check catches too.
    at_home: why the visible checks refuse a right answer that the hidden checks accept; "" if they accept it too.
    """

    name: str
    exercise: str | None
    code: str
    hint: str | None = None
    points: float | None = None
    home: bool = False
    at_home: str = ""

    @property
    def title(self) -> str:
        """The first line of the answer's cell."""
        return self.name if self.exercise is None else f"{self.exercise}: {self.name}"


def load_bank(path: Path) -> list[Answer]:
    """Read a bank: every cell `# %% 2.5: what is wrong` or `# %% what is different`, with the code below it.

    The first lines of a cell may be marks, which are not code: `# hint: ...` says which hint must appear; `# points: 2.5`,
    `# home` and `# at home: ...` are the fields of `Answer`. If a cell edits our solution (see edits.py), the answer contains the
    whole functions that result from the edits.

    Raises:
        UserError: the bank is empty, two cells have the same title, a cell has no code or no Python, or an edit does not apply.
    """
    parts = _CELL.split(path.read_text(encoding="utf-8"))[1:]
    if not parts:
        raise UserError(f"{path}: no answer: no line begins with '# %% ' and a title")
    answers = []
    for title, code in zip(parts[::2], parts[1::2], strict=True):
        match = _EXERCISE.fullmatch(title.strip())
        exercise, name = match.groups() if match else (None, title.strip())
        marks, code = _marks(code.strip("\n") + "\n")
        if not code.strip() or parts[::2].count(title) > 1:
            raise UserError(f"{path}: the cell {title!r} is empty or appears twice")
        try:
            whole = written_out(path.stem, code)
        except (EditError, SyntaxError) as error:
            raise UserError(f"{path}: the cell {title.strip()!r}: {error}") from None
        points = float(marks["points"]) if "points" in marks else None
        answers.append(Answer(name, exercise, whole, marks.get("hint"), points, "home" in marks, marks.get("at_home", "")))
    return answers


def _marks(code: str) -> tuple[dict[str, str], str]:
    """Return the marks in the first lines of a cell, by name, and the code below them."""
    marks: dict[str, str] = {}
    while match := _MARK.match(code):
        marks |= {name: text.strip() for name, text in match.groupdict().items() if text}
        code = code[match.end():]
    return marks, code


def right_answers(ps: str) -> list[str]:
    """Return the code of all right answers to a set, in other styles than our solution's."""
    return [answer.code for answer in load_bank(REPOSITORY / "tests" / "right" / f"{ps}.py")]


def submission_text(ps: ProblemSet, answer: Answer) -> str:
    """Return a submission in module form: our solution, and the answer in a cell below it."""
    return f"{module_text(ps, solution=True)}\n\n# %%\n{answer.code}"
