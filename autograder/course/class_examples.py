"""How a class wrote the exercises of its most common mistakes: the very lines of two students, without names and comments."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Sequence
from pathlib import Path

from autograder.course.recorded_code import recorded_code
from autograder.pages.course.class_counts import LostProperty, mistakes
from autograder.pages.course.class_page import Example
from autograder.paths import REPOSITORY
from autograder.problem_sets.source import ProblemSet

ANSWERS = 2       # of each mistake
LOOKED_AT = 6     # students at most; fewer if their answers already differ enough
MOST_LINES = 20   # of an answer


def class_examples(course: Path, problem_set: ProblemSet, lost: Sequence[LostProperty]) -> list[Example]:
    """Return the mistakes of the sentences for the next lesson with two answers each, as the gradebook has recorded them."""
    made = [_example(course, problem_set, mistake) for mistake in mistakes(lost)]
    return [example for example in made if example.answers]


def _example(course: Path, problem_set: ProblemSet, mistake: LostProperty) -> Example:
    answers: list[str] = []
    for student in mistake.mistaken[:LOOKED_AT]:
        answer = anonymous(recorded_code(course, student, problem_set).get(mistake.exercise.id, ""))
        if answer and answer not in answers:
            answers.append(answer)
        if len(answers) == ANSWERS:
            break
    exercise = f"{mistake.exercise.id} {mistake.exercise.title}"
    return Example(exercise, mistake.line, answers, seminar_page(problem_set.name, mistake.exercise.id))


def anonymous(code: str) -> str:
    """Return code without comments and docstrings, which may hold a name, at most MOST_LINES of it; "" if it does not parse."""
    try:
        tree = ast.parse(code)
        tokens = [*tokenize.generate_tokens(io.StringIO(code).readline)]
    except (SyntaxError, ValueError, tokenize.TokenError):
        return ""
    lines = code.split("\n")
    for row, column in (token.start for token in tokens if token.type == tokenize.COMMENT):
        lines[row - 1] = lines[row - 1][:column].rstrip()
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Expr) else None
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.end_lineno:
            lines[text.lineno - 1:text.end_lineno] = [""] * (text.end_lineno - text.lineno + 1)
    kept = [line for line in lines if line.strip()]
    return "\n".join([*kept[:MOST_LINES], "..."] if len(kept) > MOST_LINES else kept)


def seminar_page(ps: str, exercise: str) -> str:
    """Return the page for teachers with the part that lists a mistake of this exercise, "" if there is none."""
    page = REPOSITORY / "docs" / "teaching" / f"{ps}.md"
    parts = re.split(r"^### ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:] if page.is_file() else []
    part = next((part for part in parts if f"\n- {exercise}: " in part), None)
    return f"{page.relative_to(REPOSITORY)}, “{part.partition(chr(10))[0]}”" if part else ""
