"""The banks of answers whose grades are known: tests/wrong/ and tests/right/."""

import re
from dataclasses import dataclass
from pathlib import Path

from autograder.build import build
from autograder.build.source import ProblemSet

_CELL = re.compile(r"^# %% (.+)$", re.MULTILINE)
_EXERCISE = re.compile(r"(\d+\.\d+|joint): (.+)")
_HINT = re.compile(r"# hint: (.+)\n")


@dataclass(frozen=True)
class Answer:
    """One answer of a bank: code to append to the solution.

    A wrong one names the exercise that it breaks, and perhaps a part of the hint that its student must read.
    """

    name: str
    exercise: str | None
    code: str
    hint: str | None = None

    @property
    def title(self) -> str:
        return self.name if self.exercise is None else f"{self.exercise}: {self.name}"


def load_bank(path: Path) -> list[Answer]:
    """Read a bank: every cell `# %% 2.5: what is wrong` or `# %% what is different`, with the code below it.

    A first line `# hint: ...` is no code: it says which hint must appear.

    Raises:
        ValueError: two cells have the same title, or one has no code.
    """
    parts = _CELL.split(path.read_text(encoding="utf-8"))[1:]
    answers = []
    for title, code in zip(parts[::2], parts[1::2], strict=True):
        match = _EXERCISE.fullmatch(title.strip())
        exercise, name = match.groups() if match else (None, title.strip())
        if not code.strip() or parts[::2].count(title) > 1:
            raise ValueError(f"{path}: the cell {title!r} is empty or stands there twice")
        code = code.strip("\n") + "\n"
        hint = _HINT.match(code)
        answers.append(Answer(name, exercise, code[hint.end():] if hint else code, hint[1].strip() if hint else None))
    return answers


def submission_text(ps: ProblemSet, answer: Answer) -> str:
    """Return the module form of a submission: our solution, and the answer in a cell below it."""
    _, module = build(ps, solution=True)
    return f"{module}\n\n# %%\n{answer.code}"
