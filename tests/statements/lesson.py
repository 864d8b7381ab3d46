"""The text of a lesson in one line, so that a test can compare a statement with a computation."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def text_of(path: str) -> str:
    """A file of the repository without comment signs, with every run of white space as one space."""
    return " ".join(re.sub(r"^# ?", "", (ROOT / path).read_text(encoding="utf-8"), flags=re.MULTILINE).split())


def says(ps: str, sentence: str) -> None:
    """Insist that the lesson of a problem set has this sentence, which a test has just computed."""
    assert " ".join(sentence.split()) in text_of(f"solutions/{ps}.py"), f"{ps} does not say: {sentence}"


def share(number: float, digits: int = 2) -> str:
    """A number in the lessons' form: .79, 1.00, -.04."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{number:.{digits}f}")
