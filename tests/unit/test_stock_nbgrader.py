"""The comparison with stock nbgrader counts only where honest work is graded: real nbgrader, a few attacks."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from autograder.gradebook.course import tools_on_path
from autograder.problem_sets.strip_step import without_guard
from autograder.selftest.attack import class_of_attacks, stock
from autograder.selftest.attack.bank import load_attacks
from autograder.selftest.attack.class_of_attacks import AttackRun
from autograder.selftest.attack.stock import Comparison, DeadComparison, Result, alive, on_stock
from autograder.selftest.attack.stock_inside import reason
from autograder.selftest.demo.staging import HALF, HONEST, RIGHT, WRONG

SUCCEEDS, FAILS, CRASHES = "checks-replaced", "not-a-number", "success-by-exit"
GRADED = {HALF: (42.0, 100.0), RIGHT: (100.0, 100.0), WRONG: (71.0, 100.0)}


def named(*handles):
    return tuple(attack for attack in load_attacks() if attack.handle in handles)


@pytest.fixture(scope="module")
def compared(whole_world: None, tmp_path_factory):
    """Three attacks on stock nbgrader, with the folder in which they ran."""
    tools_on_path()
    room = tmp_path_factory.mktemp("stock") / "room"
    return on_stock(named(SUCCEEDS, FAILS, CRASHES), room, 2), room


def test_one_attack_succeeds_there_and_one_does_not(compared):
    comparison, _ = compared
    assert comparison.results[SUCCEEDS] == Result(("100 points",), "")
    assert comparison.results[FAILS] == Result((), "") and comparison.results[FAILS].words == "nothing"
    assert not comparison.results[CRASHES].gains and "died" in comparison.results[CRASHES].failed


def test_the_line_says_what_the_honest_students_got_there(compared):
    comparison, _ = compared
    assert comparison.most == comparison.honest[RIGHT] == 100.0 > max(comparison.honest[HALF], comparison.honest[WRONG])
    assert comparison.line == ("stock nbgrader: 1 of 3 succeeded; points of 100 there: "
                               + ", ".join(f"{student} {comparison.honest[student]:g}" for student in HONEST))


def test_every_part_ended_with_honest_work(compared):
    _, room = compared
    for place in (room / "part 0", room / "part 1"):
        assert alive(stock._read(place, "control"), 100.0)[0][RIGHT] == 100.0


def test_an_attack_cannot_spoil_the_course_from_which_the_others_start(compared):
    """the sandbox of an attack can write into its own place only"""
    _, room = compared
    before = (room / "base" / "gradebook.db").read_bytes()
    stock.inside(room, room / "part 2", ["base"])  # which grades in the base
    with pytest.raises(DeadComparison, match="(?i)read-?only"):
        alive(stock._read(room / "part 2", "base"), 100.0)
    assert (room / "base" / "gradebook.db").read_bytes() == before


@pytest.mark.usefixtures("repetition")
def test_a_set_that_is_not_released_there_stops_the_comparison(tmp_path, monkeypatch):
    """the guard of the students' notebook stops a plain generate_assignment: as it was when every attack failed"""
    tools_on_path()
    monkeypatch.setattr(stock, "without_guard", lambda notebook: notebook)
    with pytest.raises(DeadComparison) as stopped:
        on_stock(named(FAILS), tmp_path / "room", 1)
    message = str(stopped.value)
    assert "stock nbgrader did not grade honest work: found generate_assignment: " in message
    assert "nested begin solution" in message
    assert f"expected 100 of 100 for {RIGHT}, and less for {HALF} and {WRONG}" in message


@pytest.mark.parametrize("changed, message", [
    ({RIGHT: (0.0, 0.0), HALF: (0.0, 0.0), WRONG: (0.0, 0.0)}, "honest-right 0.0 of 0"),
    ({RIGHT: (95.0, 100.0)}, "honest-right 95.0 of 100"),
    ({WRONG: (100.0, 100.0)}, "honest-wrong 100.0 of 100"),
    ({HALF: (100.0, 100.0)}, "honest-half 100.0 of 100"),
    ({RIGHT: (90.0, 90.0), HALF: (40.0, 90.0), WRONG: (70.0, 90.0)}, "honest-right 90.0 of 90"),
])
def test_a_dead_base_is_noticed(changed, message):
    assert alive({"failed": [], "points": GRADED}, 100.0) == ({HALF: 42.0, RIGHT: 100.0, WRONG: 71.0}, 100.0)
    with pytest.raises(DeadComparison, match=message):
        alive({"failed": [], "points": GRADED | changed}, 100.0)


def test_a_missing_student_and_a_failed_call_are_noticed():
    with pytest.raises(DeadComparison, match="honest-right nothing of 0"):
        alive({"failed": [], "points": {}}, 100.0)
    with pytest.raises(DeadComparison, match="found autograde of honest-half: no kernel; expected"):
        alive({"failed": ["autograde of honest-half: no kernel"], "points": GRADED}, 100.0)
    with pytest.raises(DeadComparison, match="none of the attacks applies"):
        on_stock((), Path("nowhere"), 1)


@pytest.mark.parametrize("result, why", [
    ({"success": True, "log": "[ERROR] one"}, ""),
    ({"success": False}, "it gives no reason"),
    ({"success": False, "log": "[WARNING] x\n[ERROR] Kernel died.\n[ERROR] See above", "error": "a.b.NbGraderException: above"},
     "Kernel died."),
    ({"success": False, "log": "[ERROR] error processing\n    nbgrader.api.MissingEntry: No such cell\n[ERROR] above"},
     "MissingEntry: No such cell"),
    ({"success": False, "error": "Traceback\nValueError: odd"}, "ValueError: odd"),
])
def test_why_a_call_failed_is_told_in_one_line(result, why):
    assert reason(result) == why


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("result, status, last", [
    (Comparison({RIGHT: 100.0}, 100.0, {}), 0, "stock nbgrader: 0 of 0 succeeded; points of 100 there: honest-right 100"),
    (DeadComparison("stock nbgrader did not grade honest work"), 1, "stock nbgrader did not grade honest work"),
])
def test_make_attack_fails_with_a_dead_comparison(tmp_path, monkeypatch, result, status, last):
    def compare(*given):
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(class_of_attacks, "besiege", lambda attacks, siege: ([], []))
    monkeypatch.setattr(class_of_attacks, "on_stock", compare)
    shown = io.StringIO()
    assert class_of_attacks.attack(None, AttackRun(tmp_path, console=Console(file=shown, width=200))) == status
    assert shown.getvalue().splitlines()[-2:] == [last, "attacks: 0 defeated, 0 succeeded"]


@pytest.mark.usefixtures("computing")
def test_the_guard_is_taken_off_the_students_notebook_alone():
    released = stock.maker_of(stock.PS).stub
    assert "BEGIN SOLUTION" in released and "BEGIN SOLUTION" not in without_guard(released)
    with pytest.raises(ValueError, match="not the notebook of the students"):
        without_guard(without_guard(released))
