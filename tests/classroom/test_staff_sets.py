"""Decisions of staff name the problem set that they are about, and no command takes one of several by itself."""

import json
import re
import shutil

import pytest
from made import report
from typer.testing import CliRunner

from autograder.cli.app import app
from autograder.course.storage.report_store import ReportStore

SETS = ("ps1_games", "ps2_uct")
DECISIONS = {"extend": ["ada", "--hours", "48"], "excuse": ["test_it", "--why", "a slip"],
             "drop": ["--exercise", "joint", "--why", "a slip"], "exempt": ["ada", "--why", "ill"]}


@pytest.fixture
def course(tmp_path):
    """One student with a report of two sets, and no gradebook yet."""
    for ps in SETS:
        (tmp_path / "submitted" / "ada" / ps).mkdir(parents=True)
        ReportStore(tmp_path, ps).put("ada", report({"2.5": "not yet"}), {})
    (tmp_path / "course.toml").write_text(f"[course]\nsets = {json.dumps(SETS)}\n")
    return tmp_path


@pytest.mark.parametrize("what", DECISIONS)
@pytest.mark.parametrize("ps", SETS)
def test_a_decision_says_for_which_set_it_is(course, what, ps):
    check = ReportStore(course, ps).get("ada").exercises[0].checks[0].name
    given = [check if word == "test_it" else word for word in DECISIONS[what]]
    done = CliRunner().invoke(app, ["staff", what, str(course), *given, "--ps", ps])
    assert done.exit_code == 0 and re.findall(r"ps\d_\w+", done.output) == [ps], done.output
    (line,) = [json.loads(line) for line in (course / "log.jsonl").read_text().splitlines()]
    assert (line["command"], line["ps"]) == (what, ps)


@pytest.mark.parametrize("what", DECISIONS)
def test_without_a_set_nothing_is_decided_in_a_course_of_two(course, what):
    done = CliRunner().invoke(app, ["staff", what, str(course), *DECISIONS[what]])
    assert done.exit_code != 0 and all(ps in f"{done.output}{done.exception}" for ps in SETS)
    assert not (course / "log.jsonl").exists() and not list(course.glob("*.json"))


@pytest.mark.parametrize("what", DECISIONS)
def test_a_set_that_nobody_has_handed_in_yet_is_a_set_of_the_course(course, what):
    shutil.rmtree(course / "submitted" / "ada" / "ps2_uct")
    test_without_a_set_nothing_is_decided_in_a_course_of_two(course, what)
