"""`make verify` must name every miss: invented reports with one thing wrong each."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from arena.errors import UserError
from autograder.grading.config import Settings
from autograder.grading.edition import named_secret
from autograder.grading.reference import module_submission
from autograder.grading.report import Check, ExerciseReport, Report
from autograder.grading.submission_runner import OURS, OWN, SubmissionRunner
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank, submission_text
from autograder.problem_sets.source import Exercise, load
from autograder.sandbox.session import Session
from autograder.selftest.handle import families_of
from autograder.selftest.one_exercise import caught_by
from autograder.selftest.verify import known_answers as verify
from autograder.selftest.verify.at_home import misses_at_home
from autograder.selftest.verify.known_answers import Verdict
from autograder.selftest.verify.reach import stays_inside, touched

pytestmark = pytest.mark.usefixtures("processes")


def report(lost: dict[str, str] | None = None, checks: tuple[str, ...] = ("test_one", "test_two")) -> Report:
    """A report over 2.4, 2.5 and the joint check; `lost` gives the outcome of those that did not pass."""
    exercises = []
    for id, points in (("2.4", 50.0), ("2.5", 45.0), ("joint", 5.0)):
        outcome = (lost or {}).get(id, "passed")
        earned = points if outcome == "passed" else 0.0
        made = tuple(Check(name, "a sentence", outcome) for name in checks)
        exercises.append(ExerciseReport(id, f"title of {id}", outcome, earned, points, made))
    total = sum(exercise.points for exercise in exercises)
    return Report("ps2_uct", "module", "0" * 64, total, 100.0, "", tuple(exercises))


WRONG = Answer("does not flip the sign", "2.5", "pass\n")


def judged(lost: dict[str, str], answer: Answer = WRONG) -> Verdict:
    verdict = Verdict()
    verify._judge_wrong(verdict, answer, report(lost).exercises)
    return verdict


@pytest.mark.parametrize("lost", [{"2.5": "not yet"}, {"2.5": "too slow"}, {"2.5": "not yet", "joint": "not yet"}])
def test_a_wrong_answer_loses_its_exercise_and_the_joint_check_at_most(lost: dict[str, str]) -> None:
    assert judged(lost).misses == []


@pytest.mark.parametrize(
    "lost, message",
    [
        ({}, "is not caught"),
        ({"joint": "not yet"}, "is not caught"),
        ({"2.5": "not yet", "2.4": "not yet"}, "costs 2.4 as well: test_one (not yet), test_two (not yet)"),
    ],
)
def test_a_wrong_answer_that_is_missed_or_costs_more_is_named(lost: dict[str, str], message: str) -> None:
    verdict = judged(lost)
    assert len(verdict.misses) == 1 and message in verdict.misses[0] and "2.5: does not flip the sign" in verdict.misses[0]
    assert verdict.wrong_ones == {WRONG.title}


def test_a_fault_of_ours_is_named_and_ends_nothing() -> None:
    given = report().exercises
    faulty = [replace(given[0], outcome="grader fault", points=None), replace(given[1], outcome="not yet", points=0.0)]
    verdict = Verdict()
    verify._judge_wrong(verdict, WRONG, faulty)
    assert len(verdict.misses) == 1 and "leaves 2.4 undecided: grader fault" in verdict.misses[0]


def test_a_wrong_answer_of_an_unknown_exercise_is_named() -> None:
    assert "names no exercise" in judged({"2.5": "not yet"}, replace(WRONG, exercise="2.99")).misses[-1]


def test_a_right_answer_that_loses_points_is_named_with_exercise_and_check() -> None:
    verdict = Verdict()
    verify._judge_right(verdict, Answer("recursive", None, "pass\n"), report({"2.4": "not yet"}).exercises)
    assert verdict.misses == ["right answer 'recursive' loses 2.4: test_one (not yet), test_two (not yet)"]


def test_a_check_that_nothing_fails_is_named() -> None:
    verdict = judged({"2.5": "not yet"})
    verify._judge_checks(verdict, report(), None)
    named = [(f"exercise {id} ", f" {name}") for id in ("2.4", "joint") for name in ("test_one", "test_two")]
    assert len(verdict.misses) == len(named)
    assert all(id in miss and miss.endswith(name) for miss, (id, name) in zip(verdict.misses, named, strict=True))


def test_what_is_given_must_earn_all_or_nothing() -> None:
    class PS:
        max_points = 100

    unwritten = {"2.4": "not written", "2.5": "not written", "joint": "not written"}
    given = {name: report() for name in ("solution.py", "solution.ipynb")}
    given |= {name: report(unwritten) for name in ("stub.py", "stub.ipynb")}
    verdict = Verdict()
    verify._judge_given(verdict, given, PS)
    assert (verdict.misses, verdict.earned) == ([], {"solution": 100.0, "stub": 0.0})
    given["stub.py"] = report({**unwritten, "2.4": "passed"})
    given["solution.ipynb"] = report({"2.5": "not yet"})
    verify._judge_given(verdict, given, PS)
    assert verdict.earned == {"solution": 55.0, "stub": 50.0}
    assert ["solution" in miss for miss in verdict.misses] == [True, False]
    given["solution.py"] = replace(given["solution.py"], note="Skipped while loading: ModuleNotFoundError in cell 4, line 9.")
    verify._judge_given(verdict, given, PS)
    assert "ModuleNotFoundError in cell 4" in verdict.misses[2]


def test_a_bank_is_read_cell_by_cell(tmp_path) -> None:
    bank = tmp_path / "bank.py"
    bank.write_text("# about this bank\n\n# %% 2.5: no flip\ndef f():\n    pass\n\n# %% another style\nx = 1\n")
    assert load_bank(bank) == [Answer("no flip", "2.5", "def f():\n    pass\n"), Answer("another style", None, "x = 1\n")]
    assert load_bank(bank)[0].title == "2.5: no flip"
    bank.write_text("# %% 2.5: no flip\n# hint: whose view\n# points: 2.5\n# home\nx = 1\n# home\n")
    assert load_bank(bank) == [Answer("no flip", "2.5", "x = 1\n# home\n", hint="whose view", points=2.5, home=True)]
    for spoilt in ("# %% 2.5: no flip\n\n# %% 2.6: more\npass\n", "# %% twice\npass\n# %% twice\nx = 1\n",
                   "# %% 2.5: no flip\n# hint: whose view\n# home\n"):
        bank.write_text(spoilt)
        with pytest.raises(UserError, match="empty or appears twice"):
            load_bank(bank)


@pytest.mark.parametrize("kind, fewest", [("wrong", 60), ("right", 14)])
def test_the_banks_are_large_and_every_wrong_answer_names_an_exercise(kind: str, fewest: int) -> None:
    answers = load_bank(verify.REPOSITORY / "tests" / kind / "ps2_uct.py")
    assert len(answers) >= fewest
    assert all((answer.exercise is not None) is (kind == "wrong") for answer in answers)


def test_a_wrong_answer_may_ask_for_its_hint(tmp_path) -> None:
    bank = tmp_path / "bank.py"
    bank.write_text("# %% 2.5: no flip\n# hint: who is to move\ndef f():\n    pass\n")
    answer = load_bank(bank)[0]
    assert (answer.hint, answer.code) == ("who is to move", "def f():\n    pass\n")
    assert "does not get the hint 'who is to move'" in judged({"2.5": "not yet"}, answer).misses[0]
    assert verify._asked([answer], Settings(named_secret(""))) == [answer]
    assert verify._asked([answer], Settings(named_secret("autumn 2027"))) == [replace(answer, hint=None)]


@pytest.mark.parametrize(
    "exercise, code, inside",
    [
        ("2.5", "def backpropagate(node, value):\n    pass\n", True),
        ("2.5", "def _up(node):\n    return node.parent\n\n\ndef backpropagate(node, value):\n    _up(node)\n", True),
        ("2.5", "def backpropagate(node, value):\n    pass\n\n\ndef expand(node, game, rng):\n    pass\n", False),
        ("2.5", "import math\n\n\ndef backpropagate(node, value):\n    pass\n", True),
        ("2.5", "import cmath as math\n\n\ndef backpropagate(node, value):\n    pass\n", False),
        ("2.5", "from math import *\n\n\ndef backpropagate(node, value):\n    pass\n", False),
        ("2.5", "print(1)\n\n\ndef backpropagate(node, value):\n    pass\n", False),
        ("2.5", "TreeNode.__eq__ = None\n", False),
        ("2.5", "class TreeNode:\n    pass\n", False),
        ("joint", "def _new(node):\n    pass\n", False),
    ],
)
def test_what_can_cost_another_exercise_is_graded_whole(exercise: str, code: str, inside: bool) -> None:
    assert stays_inside(load("ps2_uct"), Answer("a mistake", exercise, code)) is inside


@pytest.mark.parametrize("owner, inside", [("BoardGame", True), ("TicTacToe", False)])
def test_a_method_of_the_exercise_stays_inside_in_both_forms(owner: str, inside: bool) -> None:
    body = "def outcome(self, state):\n    return None\n"
    for code in (f"@method_of({owner})\n{body}", f"{body.replace('outcome', '_outcome')}\n\n{owner}.outcome = _outcome\n"):
        assert stays_inside(load("ps1_games"), Answer("a mistake", "1.4", code)) is inside


def test_a_set_without_wrong_or_right_answers_is_a_miss() -> None:
    """what was not tried was neither caught nor missed"""
    ps, right = load("ps2_uct"), [Answer("recursive", None, "pass\n")]
    every = [Answer("wrong", id, "pass\n") for id in [*(exercise.id for exercise in ps.exercises), "joint"]]

    def missed(wrong: list[Answer], right: list[Answer], only: str | None = None) -> list[str]:
        verdict = Verdict()
        verify._judge_banks(verdict, ps, wrong, right, only)
        return verdict.misses

    assert missed(every, right) == [] and missed([WRONG], right, "2.5") == []
    assert missed([answer for answer in every if answer.exercise != "2.6"], right) == [
        "2.6 has no wrong answer in tests/wrong/ps2_uct.py: nothing proves its checks"]
    assert missed(every, []) == ["no right answer in tests/right/ps2_uct.py was tried"]
    assert len(missed([], right)) == len(every) and missed([], [], "2.5")[1].endswith("was tried for 2.5")


def test_a_grader_that_grades_nothing_is_a_miss() -> None:
    ps = load("ps2_uct")
    empty = Report("ps2_uct", "module", "0" * 64, 0.0, 100.0, "", ())
    verdict = Verdict()
    verify._judge_given(verdict, dict.fromkeys(("solution.py", "solution.ipynb", "stub.py", "stub.ipynb"), empty), ps)
    assert verdict.misses == [
        *["solution (module): 0 points in 0 exercises, not 100"] * 2, *["stub (module): 0 points in 0 exercises, not 0"] * 2]


def test_the_line_says_how_many_were_tried() -> None:
    verdict = Verdict(earned={"solution": 100.0, "stub": 0.0}, wrong_ones={WRONG.title})
    assert verify._line("ps2_uct", verdict, [WRONG], []).endswith(
        "wrong answers 0 caught 1 missed, right answers 0 passed 0 failed, of 1 and 0 that were tried")


def test_without_a_set_nothing_is_proved() -> None:
    with pytest.raises(UserError, match="no problem set was given"):
        verify.verify_all([])


def test_an_empty_bank_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "ps2_uct.py").write_text("# a bank whose titles are written in another way\n#%% 2.5: wrong\npass\n")
    with pytest.raises(UserError, match="no answer: no line begins with '# %% '"):
        load_bank(tmp_path / "ps2_uct.py")


@pytest.mark.parametrize("word", ["ATTACKS", "MESSES"])
def test_a_bank_of_hand_ins_without_hand_ins_is_an_error(word: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no bank of hand-ins is in"):
        families_of(tmp_path, word)
    (tmp_path / "one.py").write_text(f"{word} = [1]\n")
    (tmp_path / "two.py").write_text(f"{word.title()} = [1]\n")
    with pytest.raises(UserError, match=f"two.py has no {word}"):
        families_of(tmp_path, word)


def test_what_a_visible_check_refuses_is_a_miss_unless_the_bank_says_why() -> None:
    right, refused = ('def first_wrong_node():\n    return ["C", "draw is a loss"]\n', "def first_wrong_node():\n    return {}\n")
    answers = [
        Answer("passes", None, right), Answer("refused", None, refused), Answer("ends", None, "import os\n\nos._exit(0)\n"),
        Answer("refused for a reason", None, refused, at_home="a reason"), Answer("no reason", None, right, at_home="a reason"),
    ]  # fmt: skip
    misses = misses_at_home(load("ps1_games"), answers, Console(quiet=True))
    assert misses.keys() == {"refused", "ends", "no reason"}
    assert "1.13: NOT YET" in misses["refused"] and "the process ended" in misses["ends"] and "can go" in misses["no reason"]


@pytest.mark.parametrize("code, exercises", [
    ("def has_run(board, player, n):\n    ...\n", {"1.3"}),
    ("class TicTacToe:\n    ...\n", {"1.1", "1.2", "1.5", "1.8"}),
    ("BoardGame.play = play\n", {"1.5"}),
])  # fmt: skip
def test_what_an_answer_writes_anew_is_tried_at_home(code: str, exercises: set[str]) -> None:
    assert touched(load("ps1_games"), Answer("", None, code)) == exercises


@pytest.mark.parametrize("exercise, modes", [("2.2", [OURS]), ("2.5", [OURS, OWN])])
def test_an_answer_gets_its_second_attempt_where_the_first_one_asked_for_the_mode(
    monkeypatch: pytest.MonkeyPatch, exercise: str, modes: list[str]
) -> None:
    """also for mutants and other editions: the trees of 2.5 are grown by the submission's own functions then"""
    begin, begun = SubmissionRunner.begin, list[str]()

    def noted(runner: SubmissionRunner, exercise: Exercise | None, mode: str, cpu_s: float) -> Session:
        begun.append(mode)
        return begin(runner, exercise, mode, cpu_s)

    monkeypatch.setattr(SubmissionRunner, "begin", noted)
    ps = load("ps2_uct")
    answer = next(answer for answer in load_bank(REPOSITORY / "tests" / "wrong" / "ps2_uct.py") if answer.exercise == exercise)
    assert None not in caught_by(module_submission(ps, submission_text(ps, answer)), exercise, [""])
    assert begun == modes
