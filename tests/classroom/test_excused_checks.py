"""A check that staff excuse counts as passed for all students, and for nothing else."""

from dataclasses import replace

import pytest
from made import report

from arena.errors import UserError
from autograder.grading.excused_checks import excuse, joint_is_due, read_excused, write_excused


def test_without_excuses_the_report_is_the_same():
    before = report({"2.0": "not yet"})
    assert excuse(before, frozenset()) is before


def test_an_exercise_that_only_the_excused_check_held_back_has_its_points():
    before = report({"2.0": "not yet", "2.1": "not yet", "2.2": "passed"})
    after = excuse(before, {"test_2_0_in_general"})
    assert [(exercise.id, exercise.outcome, exercise.points) for exercise in after.exercises] == [
        ("2.0", "passed", 10.0), ("2.1", "not yet", 0.0), ("2.2", "passed", 10.0),
    ]
    assert after.points == 20.0
    assert after.exercises[0].checks[1].line == "whatever the position (excused for everybody)"
    assert after.exercises[1:] == before.exercises[1:]


def test_another_check_that_failed_still_counts():
    before = report({"2.0": "not yet"})
    assert excuse(before, {"test_2_0_by_hand"}).points == 0.0


@pytest.mark.parametrize("outcome", ["not written", "grader fault"])
def test_what_was_not_judged_stays_so(outcome):
    before = report({"2.0": outcome})
    assert excuse(before, {"test_2_0_in_general"}) == before


def waiting(outcomes: dict[str, str], *waits_for: str):
    """A report whose joint check waits for these exercises."""
    made = report({**outcomes, "joint": "not yet"})
    return made.with_exercises([*made.exercises[:-1], replace(made.joint, waits_for=waits_for)])


def test_a_joint_check_that_waits_is_not_excused_but_run():
    """only the exercise that the joint check waits for is excused: whether the student's functions fit together is still open"""
    before = waiting({"2.0": "not yet", "2.1": "passed"}, "2.0")
    excused = {"test_2_0_in_general"}
    assert joint_is_due(before, excused) and not joint_is_due(before, set())
    assert excuse(before, excused).joint.points == 0.0
    assert excuse(before, {"test_joint_in_general"}).joint.points == 0.0
    assert not joint_is_due(waiting({"2.0": "not yet", "2.1": "not yet"}, "2.0", "2.1"), excused)


def test_excuses_are_kept_in_the_course_with_their_reason(tmp_path):
    assert read_excused(tmp_path, "ps2_uct") == frozenset()
    write_excused(tmp_path, "ps2_uct", "test_a", "the docstring promises less")
    write_excused(tmp_path, "ps2_uct", "test_b", "a tie")
    assert read_excused(tmp_path, "ps2_uct") == {"test_a", "test_b"}
    assert read_excused(tmp_path, "ps1_games") == frozenset()
    write_excused(tmp_path, "ps2_uct", "test_b", "it was right", undo=True)
    assert read_excused(tmp_path, "ps2_uct") == {"test_a"}
    assert "the docstring promises less" in (tmp_path / "excused.json").read_text()


def test_a_broken_file_of_excuses_is_named_and_left_alone(tmp_path):
    (tmp_path / "excused.json").write_text("{oops")
    with pytest.raises(UserError, match="excused.json cannot be read"):
        write_excused(tmp_path, "ps2_uct", "test_a", "why not")
    assert (tmp_path / "excused.json").read_text() == "{oops"
