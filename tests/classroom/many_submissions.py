"""Submissions that are words to the workers, and what came back."""

from pathlib import Path

from jobs import obey

from autograder.course.roster import Entry
from autograder.grading.grade import Settings
from autograder.workers.pool import grade_all
from tests.students import hand_in

SETTINGS = Settings(secret=b"for tests")


def entries(folder: Path, texts: list[str]) -> list[Entry]:
    """Submissions with these texts, of students s00, s01 and so on."""
    return [Entry(f"s{number:02}", hand_in(folder, f"s{number:02}", "ps2_uct", text)) for number, text in enumerate(texts)]


def answers(made: list[Entry], settings: Settings = SETTINGS, **options: object) -> dict[str, dict | str]:
    """The answers of `obey`, by student; every entry must come back exactly once."""
    got = [(entry.student, answer) for entry, answer in grade_all(made, "ps2_uct", settings, job=obey, **options)]
    assert sorted(student for student, _ in got) == [entry.student for entry in made]
    return dict(got)
