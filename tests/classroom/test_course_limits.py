"""A course's own limits of CPU time: `[cpu_s]` in course.toml decides what is too slow, and a change grades again."""

import json
import shutil
from pathlib import Path

import pytest

from autograder.grading.reference import our_submission
from autograder.grading.submission_runner import (
    EXERCISE_CPU_S,
    OWN,
    SUBMISSION_CPU_S,
    SUBMISSION_WALL_S,
    Budget,
    SpentError,
    SubmissionRunner,
    budget_under,
)
from autograder.problem_sets.source import load
from tests.commands import autograder_here
from tests.students import hand_in, solved, stub

PS = "ps2_uct"
SLOW = """
import time
_backpropagate, _slept = backpropagate, []
def backpropagate(node, value):
    end = time.process_time() + (0.0 if _slept else 0.8)
    _slept.append(True)
    while time.process_time() < end:
        pass
    return _backpropagate(node, value)
"""


@pytest.fixture
def released(prepared: Path, tmp_path: Path) -> Path:
    """A course that has released the set; nobody has handed in."""
    return Path(shutil.copytree(prepared, tmp_path / "course"))


@pytest.fixture(scope="module")
def course(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with one student, whose 2.5 is right and takes .8 s of CPU time in each process."""
    folder = Path(shutil.copytree(prepared, tmp_path_factory.mktemp("limits") / "course"))
    hand_in(folder, "ada", PS, solved(PS) + SLOW)
    return folder


def graded(course: Path, limits: str, *options: str) -> tuple[int, str, dict[str, str]]:
    """Exit code, words, and outcome of each exercise after a run with this `[cpu_s]`."""
    (course / "course.toml").write_text(f'[course]\nsets = ["{PS}"]\n[cpu_s]\n{limits}\n')
    done = autograder_here("grade", course, "--workers", "1", "--no-feedback", *options)
    report = course / "reports" / "ada" / f"{PS}.json"
    exercises = json.loads(report.read_text())["exercises"] if report.exists() else []
    return done.returncode, done.stdout + done.stderr, {exercise["id"]: exercise["outcome"] for exercise in exercises}


@pytest.mark.usefixtures("processes")
def test_a_changed_limit_grades_its_own_exercise_and_new_text_none(released: Path) -> None:
    module = stub(PS)
    folder = hand_in(released, "ada", PS, module)
    _, output, before = graded(released, "")
    assert "known from before" not in output
    _, output, after = graded(released, '"2.9" = 20')
    judged = len(before) - 1  # the joint check waits
    assert f"{judged - 1} exercises were known from before" in output and "nothing changed since the last run" in output
    assert after == before
    (folder / f"{PS}.py").write_text(module.replace("bandits", "Bandits", 1))  # in the title
    _, output, after = graded(released, '"2.9" = 20')
    assert f"{judged - 1} exercises were known from before" in output  # 2.15 asks in an order drawn from the bytes
    assert after == before


@pytest.mark.usefixtures("repetition")
def test_a_student_who_is_graded_afresh_is_graded_whole(released: Path) -> None:
    hand_in(released, "ada", PS, stub(PS))
    _, _, before = graded(released, "")
    _, output, after = graded(released, '"2.8" = 20', "--afresh", "ada")
    assert "known from before" not in output and after == before


@pytest.mark.usefixtures("processes")
def test_a_limit_decides(course: Path) -> None:
    status, _, outcomes = graded(course, '"2.5" = 0.4')
    lost = {id for id, outcome in outcomes.items() if outcome != "passed"}
    assert status == 0 and outcomes["2.5"] == "too slow" and lost == {"2.5", "joint"}


@pytest.mark.usefixtures("repetition")
def test_a_change_of_a_limit_grades_again(course: Path) -> None:
    status, output, outcomes = graded(course, f'{PS} = 0.4\n"2.5" = 30\n')  # the joint check calls 2.5 too, in its set's limit
    assert status == 0 and outcomes["2.5"] == "passed" and outcomes["joint"] == "too slow"
    status, output, outcomes = graded(course, f"{PS} = 30")
    assert status == 0 and set(outcomes.values()) == {"passed"} and "graded 1 of 1 submission, 0 grader faults" in output
    status, output, _ = graded(course, f"ps1_games = 9\n{PS} = 30")
    assert status == 0 and "nothing changed since the last run" in output


@pytest.mark.usefixtures("processes")
def test_a_wrong_limit_is_a_sentence_and_nothing_is_graded(course: Path) -> None:
    status, output, _ = graded(course, f"{PS} = 0")
    assert status == 2 and "must be a number of seconds, more than 0" in output and "Traceback" not in output


def test_a_submission_gets_more_time_with_its_exercises() -> None:
    assert budget_under(()) == budget_under([("2.5", 1.0)]) == Budget(SUBMISSION_CPU_S, SUBMISSION_WALL_S)
    longer = [("2.5", EXERCISE_CPU_S + 10), ("2.6", EXERCISE_CPU_S + 5)]
    assert budget_under(longer) == Budget(SUBMISSION_CPU_S + 30, SUBMISSION_WALL_S + 60)


@pytest.mark.usefixtures("processes")
def test_only_waiting_beyond_what_a_busy_host_explains_uses_up_the_clock() -> None:
    runner = SubmissionRunner(our_submission(load(PS)))
    try:
        runner.cpu_s, runner.wall_s = 60.0, SUBMISSION_WALL_S + 9 * 60.0  # every second of work took ten by the clock
        runner.end(runner.begin(None, OWN, 1.0))
        runner.cpu_s, runner.wall_s = 1.0, SUBMISSION_WALL_S + 60.0
        with pytest.raises(SpentError):
            runner.begin(None, OWN, 1.0)
    finally:
        runner.close()
