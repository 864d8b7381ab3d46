"""Hand-ins of the published solution are named to staff, on the class page and by `similarity`; no point depends on it."""

import json
import re
import stat
from pathlib import Path

import pytest
from made import report

from autograder.course import published
from autograder.course.class_report import write_class_report
from autograder.course.published import look_for_ours
from autograder.course.roster import list_submissions
from autograder.course.summary import Summary
from autograder.problem_sets.bank.answers import right_answers
from autograder.problem_sets.source import ProblemSet, load
from autograder.progress import Watcher
from autograder.similarity import identical
from autograder.similarity.identical import Identical, compared
from autograder.submission.payload import Item, Payload
from tests.disguises import COPIED, PS, disguises, partial_copy
from tests.students import hand_in, solved, stub

OWN = "\n\n".join([stub(PS), *(f"# %%\n{code}" for code in right_answers(PS)[2:5])])


@pytest.fixture(scope="module")
def course(processes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five who handed in the published solution, one of them only a part of it, and three others."""
    folder = tmp_path_factory.mktemp("published")
    texts = {**{f"hides {number}": text for number, text in enumerate(disguises().values())},
             "part": partial_copy(), "own": OWN, "stub": stub(PS)}
    for student, text in texts.items():
        hand_in(folder, student, PS, text)
    hand_in(folder, "broken", PS, '{"cells": [', f"{PS}.ipynb")
    return folder


@pytest.fixture(scope="module")
def comparison(course: Path) -> Identical:
    return look_for_ours(course, load(PS), list_submissions(course, PS).entries, Watcher())


def class_page(course: Path, comparison: Identical) -> str:
    students = [path.name for path in (course / "submitted").iterdir()]
    reports = {student: report({"2.4": "passed"}) for student in sorted(students)}
    summary = Summary(course, PS, reports, identical=comparison)
    write_class_report(summary)
    page = summary.set_page.read_text()
    return page[page.index("Identical to the published solution") :]


def test_who_hands_in_our_solution_is_named_with_the_exercises_and_nobody_else(comparison: Identical) -> None:
    whole = {f"hides {number}": tuple(compared(load(PS))) for number in range(4)}
    assert dict(comparison.by_student) == {**whole, "part": COPIED}
    assert list(comparison.by_student)[-1] == "part"
    assert comparison.works == 7 and comparison.unread == ("broken",) and comparison.sound
    assert comparison.sentence("part") == "identical to the published solution in 3 of 7 exercises: 2.2, 2.9, 2.10"


def test_the_class_page_has_the_remark_and_says_how_many_were_compared(course: Path, comparison: Identical) -> None:
    page = class_page(course, comparison)
    assert "7 of 8 submissions were compared with our solution, in the 7 exercises" in page and "alarm" not in page
    lines = [(student, comparison.sentence(student)) for student in comparison.by_student]
    assert re.findall(r"<li><bdi>(.*?)</bdi>: (.*?)</li>", page) == lines
    assert "could not be read: <bdi>broken</bdi>." in page


def test_a_comparison_that_does_not_run_is_an_alarm_on_the_page(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared(load(PS))
    monkeypatch.setattr(identical, "_parsed", lambda cell: None)
    monkeypatch.setattr(published, "PYTHON", "another")
    nothing = look_for_ours(course, load(PS), list_submissions(course, PS).entries, Watcher())
    page = class_page(course, nothing)
    assert not nothing.by_student and "alarm" in page and "does not find that solution in itself" in page


def test_where_nothing_can_be_read_the_page_says_that_nothing_was_compared(tmp_path: Path) -> None:
    for student in ("ada", "bela"):
        hand_in(tmp_path, student, PS, "{", f"{PS}.ipynb")
    page = class_page(tmp_path, look_for_ours(tmp_path, load(PS), list_submissions(tmp_path, PS).entries, Watcher()))
    assert "0 of 2 submissions were compared" in page and "<bdi>ada</bdi>, <bdi>bela</bdi>" in page and "Nobody is listed" in page


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("text", ["(" * 5000, "def f():\n    return " + "-" * 20_000 + "x", "x" + "+1" * 50_000, "f'{" * 300])
def test_a_cell_that_is_made_to_break_a_parser_hides_nothing(text: str) -> None:
    payload = Payload(PS, (Item(f"{PS}.py", "file", solved(PS, text).encode()),))
    assert published._ours_in(payload) == list(compared(load(PS)))


@pytest.mark.usefixtures("processes")
def test_code_that_costs_too_much_is_named_and_the_others_are_compared(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless_for_one(problem_set: ProblemSet, cells: list[str], genuine=published.identical_exercises) -> tuple[str, ...]:
        while any("my_" in cell for cell in cells):
            pass
        return genuine(problem_set, cells)

    monkeypatch.setattr(published, "CPU_S", 0.5)
    monkeypatch.setattr(published, "PYTHON", "a third")
    monkeypatch.setattr(published, "identical_exercises", endless_for_one)
    limited = look_for_ours(course, load(PS), list_submissions(course, PS).entries, Watcher())
    assert limited.unread == ("broken", "hides 0", "part") and set(limited.by_student) == {"hides 1", "hides 2", "hides 3"}


def test_the_same_bytes_are_compared_once(course: Path, comparison: Identical, monkeypatch: pytest.MonkeyPatch) -> None:
    state = course / ".cache" / f"identical-{PS}.json"
    look_for_ours(course, load(PS), list_submissions(course, PS).entries, Watcher())
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    before = state.stat().st_mtime_ns, json.loads(state.read_text())
    again = []
    monkeypatch.setattr(published, "_ours_in", lambda payload: again.append(payload))
    assert look_for_ours(course, load(PS), list_submissions(course, PS).entries, Watcher()) == comparison
    assert len(again) == 1  # the one that could not be read
    assert (state.stat().st_mtime_ns, json.loads(state.read_text())) == before
