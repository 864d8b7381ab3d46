"""A dispute about an exercise is open or answered; the log, a file of the course and the class page have it."""

import json
import sys
from pathlib import Path

import pytest

from arena.command_line import run
from arena.errors import UserError
from autograder.cli.app import app
from autograder.gradebook.policy.disputes import FILE, read_disputes
from autograder.grading.report import Outcome, Report
from autograder.pages.course.class_page import Background, class_page
from autograder.problem_sets.source import load

PS = "ps2_uct"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for student in ("ada", "bela"):
        (tmp_path / "submitted" / student / PS).mkdir(parents=True)
    return tmp_path


def dispute(monkeypatch: pytest.MonkeyPatch, course: Path, *words: str) -> int:
    """Run `staff dispute`; return its exit code."""
    monkeypatch.setattr(sys, "argv", ["autograder", "staff", "dispute", str(course), *words])
    with pytest.raises(SystemExit) as ended:
        run(app)
    return int(ended.value.code or 0)


def states(course: Path) -> list[tuple[str, str, str]]:
    return [(entry.student, entry.exercise, entry.state) for entry in read_disputes(course, PS)]


def test_a_dispute_is_opened_answered_and_opened_again(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert dispute(monkeypatch, course, "ada", "--exercise", "2.5", "--open", "the sign is right") == 0
    assert states(course) == [("ada", "2.5", "open")]
    assert dispute(monkeypatch, course, "ada", "--exercise", "2.5", "--answer", "look one ply up") == 0
    assert states(course) == [("ada", "2.5", "answered")]
    dispute(monkeypatch, course, "ada", "--exercise", "2.5", "--open", "I looked")
    dispute(monkeypatch, course, "bela", "--exercise", "joint", "--open", "why?")
    dispute(monkeypatch, course, "bela", "--exercise", "joint", "--answer", "see 2.5")
    assert states(course) == [("ada", "2.5", "open"), ("bela", "joint", "answered")]  # what waits for staff comes first
    assert [text for _, _, text in read_disputes(course, PS)[0].words] == ["the sign is right", "look one ply up", "I looked"]
    logged = [json.loads(line) for line in (course / "log.jsonl").read_text().splitlines()]
    assert [(entry["command"], entry["student"], entry["state"]) for entry in logged] == [
        ("dispute", "ada", "open"), ("dispute", "ada", "answered"), ("dispute", "ada", "open"),
        ("dispute", "bela", "open"), ("dispute", "bela", "answered")]


@pytest.mark.parametrize("words, sentence", [
    (["ada", "--exercise", "2.5", "--answer", "no"], "the dispute of ada about 2.5 was never opened: open it with --open"),
    (["ada", "--exercise", "2.99", "--open", "no"], "no exercise of ps2_uct is called '2.99'; choose from 2.0, 2.1"),
    (["eve", "--exercise", "2.5", "--open", "no"], "'eve' has no folder with ps2_uct"),
    (["ada", "--exercise", "2.5"], "give either"),
    (["ada", "--exercise", "2.5", "--open", " "], "give either"),
    (["ada", "--exercise", "2.5", "--open", "a", "--answer", "b"], "give either"),
])  # fmt: skip
def test_what_cannot_be_is_one_sentence_and_no_decision(
    course: Path, words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispute(monkeypatch, course, *words) == 2
    assert sentence in capsys.readouterr().err
    assert not (course / "log.jsonl").exists() and not (course / FILE).exists()


def test_what_is_open_or_answered_stays_so(course: Path, monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    about = ("ada", "--exercise", "2.5")
    dispute(monkeypatch, course, *about, "--open", "a")
    assert dispute(monkeypatch, course, *about, "--open", "b") == 2
    assert "is open already: answer it with --answer" in capsys.readouterr().err
    dispute(monkeypatch, course, *about, "--answer", "c")
    assert dispute(monkeypatch, course, *about, "--answer", "d") == 2
    assert "is answered already: open it with --open" in capsys.readouterr().err
    assert len((course / "log.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize("content", [
    "[]", '{"ps2_uct": {"ada": 3}}', '{"ps2_uct": {"ada": {"2.5": []}}}', '{"ps2_uct": {"ada": {"2.5": [3]}}}',
    '{"ps2_uct": {"ada": {"2.5": [["shut", "now", "x"]]}}}'])  # fmt: skip
def test_a_damaged_file_is_not_overwritten(course: Path, content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (course / FILE).write_text(content)
    with pytest.raises(UserError, match="correct it or remove it"):
        read_disputes(course, PS)
    assert dispute(monkeypatch, course, "ada", "--exercise", "2.5", "--open", "a") == 2
    assert (course / FILE).read_text() == content


def test_the_class_page_lists_them_with_their_state(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dispute(monkeypatch, course, "ada", "--exercise", "2.5", "--open", "<b>why</b>")
    report = Report.unjudged(load(PS), "0" * 64, form="module", note="", outcome=Outcome.NOT_YET)
    page = class_page(course, PS, "T", {"ada": report}, [], background=Background(disputes=read_disputes(course, PS)))
    part = page.partition(">Disputes</h2>")[2].partition("</table>")[0]
    assert "<td>2.5</td><td>open</td>" in part and "&lt;b&gt;why&lt;/b&gt;" in part and "<b>" not in part
    assert ">Disputes</h2>" not in class_page(course, PS, "T", {"ada": report}, [])
