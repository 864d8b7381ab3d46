"""docs/hints.md: every wrong answer of the banks with what its student reads, from the gradings of `make verify`."""

import os
import re
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.grading.report import Check, ExerciseReport
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank
from autograder.problem_sets.source import load, released
from autograder.selftest.verify import hints_page

WRONG = Answer("adds 1 | twice", "2.5", "pass\n")


def report(id: str, hint: str) -> ExerciseReport:
    check = Check("test_one", f"a sentence about {id}", "not yet", hint=hint)
    return ExerciseReport(id, f"title of {id}", "not yet", 0.0, 5.0, (check,))


def test_the_page_names_every_wrong_answer() -> None:
    page = (REPOSITORY / hints_page.PAGE).read_text(encoding="utf-8")
    for name in released():
        (part,) = re.findall(rf"^## {re.escape(load(name).title)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
        for answer in load_bank(REPOSITORY / "tests" / "wrong" / f"{name}.py"):
            name_in_table = answer.name.replace("|", "\\|")
            assert f"| {name_in_table} |" in part, f"run `make verify`, then `python -m {hints_page.__name__}`"


def test_a_row_has_the_hint_of_the_answer_s_own_exercise() -> None:
    ps = load("ps2_uct")
    section = hints_page.section(ps, [WRONG], {WRONG.title: [report("2.4", "elsewhere"), report("2.5", "see f, line 12")]})
    assert section.endswith(r"| adds 1 \| twice | a sentence about 2.5 | see f, line N |") and "### 2.5" in section


def test_an_older_section_is_named_with_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints_page, "KEPT", tmp_path)
    with pytest.raises(UserError, match="make verify PS=ps1_games"):
        hints_page.whole_page()
    for name in released():
        hints_page.keep_section(load(name), [], {})
    assert hints_page.whole_page().startswith("# What students read")
    os.utime(tmp_path / "ps3_connect_four_hints.md", (1, 1))
    with pytest.raises(UserError, match="make verify PS=ps3_connect_four"):
        hints_page.whole_page()
