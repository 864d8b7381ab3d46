"""Findings that are kept by exercise: taken again, they give the report and the staff's notes of a fresh grading."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from graded import SETTINGS, solution_and

from autograder.course.storage.report_store import staff_text
from autograder.grading import submission_runner
from autograder.grading.config import Graded
from autograder.grading.grade import grade_payload
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.problem_sets.rules import JOINT
from autograder.submission.payload import Item, Payload
from tests.students import stub

PS = "ps2_uct"
pytestmark = pytest.mark.usefixtures("processes")


def payload(module: str, *beside: Item) -> Payload:
    return Payload(PS, (Item(f"{PS}.py", "file", module.encode()), *beside))


def again(module: str, known: Mapping[str, Any] | None) -> Graded:
    """Grade with what is known, as it comes out of a file."""
    return grade_payload(payload(module), SETTINGS, known=json.loads(json.dumps(known)))


@cache
def fresh_grading(module: str) -> Graded:
    """Grade with nothing known, once; several tests compare with the same."""
    return again(module, None)


def without(parts: Mapping[str, Any], *ids: str) -> dict[str, Any]:
    return {**parts, "parts": {id: part for id, part in parts["parts"].items() if id not in ids}}


def kept(graded: Graded) -> dict[str, Any]:
    assert graded.parts is not None
    return graded.parts


def shown(graded: Graded) -> tuple[str, str]:
    return graded.report.to_json(), staff_text(graded.staff)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The exercises whose checks run, in order; "" stands for the joint check and for the tree."""
    ids: list[str] = []
    attempt = SuiteRun._attempt

    def noted(run: SuiteRun, exercise: Any, *rest: Any) -> Any:
        ids.append(exercise.id if exercise else "")
        return attempt(run, exercise, *rest)

    monkeypatch.setattr(SuiteRun, "_attempt", noted)
    return ids


WRONG = """
def ucb(node, c):
    raise KeyError(node)

def search(*arguments):
    return 3

def first_wrong_node():
    return ("A", "sign")
"""


@pytest.mark.parametrize("module", [solution_and(WRONG), pytest.param(solution_and(), marks=pytest.mark.again)])
def test_each_exercise_anew_with_the_others_known_is_a_fresh_grading(module: str, judged: list[str]) -> None:
    fresh = fresh_grading(module)
    assert len(kept(fresh)["parts"]) >= 14
    for id in kept(fresh)["parts"]:
        judged.clear()
        graded = again(module, without(kept(fresh), id))
        assert shown(graded) == shown(fresh)
        assert set(judged) == {id if "." in id else ""}
    judged.clear()
    assert shown(again(module, kept(fresh))) == shown(fresh) and judged == []


def test_time_is_charged_as_if_the_checks_had_run() -> None:
    fresh = fresh_grading(solution_and())
    known = again(solution_and(), kept(fresh))
    assert known.cpu_s == pytest.approx(fresh.cpu_s)
    assert sum(part["cpu_s"] for part in kept(fresh)["parts"].values()) == pytest.approx(fresh.cpu_s)
    assert json.dumps(known.parts) == json.dumps(fresh.parts)  # nothing is lost by being taken


def test_other_code_is_another_submission(judged: list[str]) -> None:
    fresh = fresh_grading(solution_and())
    judged.clear()
    other = solution_and("def ucb(node, c):\n    return 0.0")
    assert shown(again(other, kept(fresh))) == shown(again(other, None))
    assert judged[: len(judged) // 2] == judged[len(judged) // 2 :]  # with what was known, as many as without


def test_other_bytes_with_the_same_code_keep_all_but_the_checks_whose_order_is_drawn_from_the_bytes(judged: list[str]) -> None:
    fresh = fresh_grading(solution_and())
    title = solution_and().split("\n")[1]
    commented = solution_and().replace(title, f"{title}, as I did it", 1)  # with another line, all lines of code would move
    judged.clear()
    graded = again(commented, kept(fresh))
    assert judged == ["2.15"]
    assert shown(graded) == shown(again(commented, None)) and graded.report.sha256 != fresh.report.sha256


@pytest.mark.parametrize("code", [
    "import os\nos._exit(0)",  # only definitions can be loaded
    "import time\n_of_ours = backpropagate\ndef backpropagate(node, value):\n    time.sleep(60)",  # the grader waits
])
def test_what_passes_from_one_exercise_to_the_next_forbids_keeping(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission_runner, "WALL_TIMEOUT_S", 0.5)
    monkeypatch.setattr(submission_runner, "OTHERS_WAIT_TIMEOUT_S", 0.5)
    monkeypatch.setattr(submission_runner, "SLEEPER_TIMEOUT_S", 0.5)
    assert again(solution_and(code), None).parts is None


def test_a_used_up_budget_forbids_keeping_and_taking(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = fresh_grading(solution_and())
    costly = json.loads(json.dumps(kept(fresh)))
    costly["parts"]["2.0"]["cpu_s"] = 1000.0
    graded = again(solution_and(), without(costly, "2.9"))  # with the others' time charged, nothing is left for 2.9
    assert shown(graded) == shown(fresh) and graded.cpu_s < 100 and graded.parts is not None
    monkeypatch.setattr(submission_runner, "SUBMISSION_CPU_S", 0.0)
    assert again(solution_and(), None).parts is None


@pytest.mark.parametrize("damaged", [{}, {"code": 1}, {"parts": []}, {"problems": [1]}])
def test_a_damaged_entry_is_no_entry(damaged: dict[str, Any]) -> None:
    fresh = fresh_grading(stub(PS))
    broken = {**kept(fresh), **damaged} if damaged else {"parts": {"2.0": {}}}
    assert shown(again(stub(PS), broken)) == shown(fresh)


def test_the_joint_check_is_taken_only_when_it_is_due() -> None:
    fresh = fresh_grading(solution_and())
    lost = fresh_grading(solution_and("def ucb(node, c):\n    return 0.0"))
    assert JOINT in kept(fresh)["parts"] and JOINT not in kept(lost)["parts"]
    mixed = {**kept(lost), "parts": {**kept(lost)["parts"], JOINT: kept(fresh)["parts"][JOINT]}}
    graded = grade_payload(payload(solution_and("def ucb(node, c):\n    return 0.0")), replace(SETTINGS), known=mixed)
    assert shown(graded) == shown(lost) and graded.report.joint.waits_for
