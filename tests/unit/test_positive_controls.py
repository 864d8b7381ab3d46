"""What our own checks say if what they look at is switched off: never what they say of a good result.

The list of all of them is docs/positive_controls.md; the attacks, the banks and the benchmarks have files of their own.
"""

import io
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from rich.console import Console

from arena.errors import UserError
from autograder.grading.config import Graded
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.report import Report
from autograder.problem_sets.bank.answers import Answer
from autograder.problem_sets.source import load
from autograder.selftest import drawn_inputs, leaks, repeat
from autograder.selftest.broken.judge import honest_hurt
from autograder.selftest.endurance import kill_and_go_on, worst_class
from autograder.selftest.exam_validation import perfect_check
from autograder.selftest.mutants import survivors
from autograder.selftest.mutants.mutant import mutants_of
from autograder.selftest.mutants.trial import KILLED, Trial
from autograder.selftest.verify import editions
from autograder.similarity import weights
from tests.fuzz.lying_workers import Row, Tally

ROOT = Path(__file__).resolve().parents[2]
PS = "ps1_games"


# -- mutants, repeat, rotate, editions -----------------------------------------------------------------


def test_a_set_of_which_no_mutant_is_made_is_a_problem(tmp_path, monkeypatch):
    monkeypatch.setattr(survivors, "mutants_of", lambda ps, exercise: [])
    monkeypatch.setattr(survivors.Run, "_sound", lambda self, ps, exercises: (exercises, []))
    shown = io.StringIO()
    run = survivors.Run(Console(file=shown, width=200), "1.1", records=tmp_path, room=tmp_path)
    assert run.over([PS]) == 1
    assert "ps1_games 1.1: no mutant was made, so nothing was tried" in shown.getvalue()
    assert "ps1_games: 0 survivors of 0 mutants tried" in shown.getvalue()


def test_a_mutant_that_no_edition_tried_is_not_killed():
    mutant = mutants_of(load(PS), load(PS).exercise("1.1"))[0]
    assert Trial(mutant, ("test_one",)).result == KILLED != Trial(mutant, ()).result


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("rows", [[], [{"sha256": "a", "lost": [], "edition": "", "hash_seed": 1}]])
def test_gradings_that_were_not_done_are_not_the_same(monkeypatch, rows):
    monkeypatch.setattr(repeat, "_in_a_process", lambda ps, folder, start, number: rows)
    monkeypatch.setattr(repeat, "_spin", lambda: None)
    tally = repeat.repeat(PS, 5)
    assert not tally.sound and f"{len(rows)} of 5 gradings" in tally.line()


def test_an_edition_of_which_nothing_is_known_shares_not_nothing(monkeypatch):
    monkeypatch.setattr(SuiteRun, "run", lambda self: None)
    with pytest.raises(RuntimeError, match="nothing is known of what an edition draws: 0 exercises were checked, 0 seeds"):
        drawn_inputs.drawn_inputs(b"one", PS)


def test_without_an_answer_the_editions_are_not_equally_strict():
    assert editions.compare_editions(load(PS), [], ["", "two"], 1, Console(file=io.StringIO())) == [
        f"{PS}: no answer was graded in 2 editions"]


def test_a_right_answer_without_a_grade_has_not_passed_an_edition(monkeypatch):
    monkeypatch.setattr(editions, "grade_read", lambda submission, settings: Graded(Report.fault(PS, ""), {}, False, 0.0))
    answer = Answer("another style", None, "def other(): pass\n")
    work = editions.Work(PS, answer.title, None, None, "")
    assert editions.grade_in_editions(work, ["", "two"]) == ("points: 0", "points: 0")


# -- leaks, weights, broken ----------------------------------------------------------------------------


@pytest.mark.usefixtures("computing")
def test_where_nothing_is_searched_nothing_is_clean(tmp_path):
    with pytest.raises(UserError, match="no file is in it, so there was nothing to search"):
        leaks.leaks(tmp_path)


@pytest.mark.usefixtures("computing")
def test_a_search_that_finds_nothing_in_the_solutions_is_noticed(tmp_path, monkeypatch):
    (tmp_path / "clean.txt").write_text("clean")
    assert leaks.leaks(tmp_path) == []
    monkeypatch.setattr(leaks, "_text", lambda name, content: "")
    with pytest.raises(RuntimeError, match="the search finds nothing in .*solutions/ps1_games.py itself"):
        leaks.leaks(tmp_path)


def test_weights_are_not_compared_with_no_network(tmp_path, monkeypatch):
    assert weights.shipped_nets()
    monkeypatch.setattr(weights, "SHIPPED", tmp_path)
    with pytest.raises(FileNotFoundError, match="has no network"):
        weights.shipped_nets()


def test_honest_students_without_a_report_are_hurt(tmp_path):
    assert [what.rpartition(": ")[2] for what in honest_hurt(tmp_path, "ps2_uct")] == ["lost None"] * 3


# -- endurance, the exam, fuzzing ----------------------------------------------------------------------


def test_reports_that_decide_nothing_are_counted():
    fault, stub = Report.fault(PS, "").to_json(), Report(PS, "module", "", 0.0, 100.0, "", ()).to_json()
    assert kill_and_go_on.undecided({"reports": {"ada": fault, "bob": stub}}) == 1


@pytest.mark.parametrize("main, words", [(worst_class.main, ["--students", "10"]), (kill_and_go_on.main, ["--times", "0"])])
def test_a_comparison_of_nobody_does_not_begin(monkeypatch, tmp_path, capsys, main, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["compare", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2 and words[0] in capsys.readouterr().err


def test_a_part_that_does_nothing_has_not_gone_well(monkeypatch, capsys):
    monkeypatch.setitem(perfect_check.PARTS, "mistakes", lambda perfect: iter(()))
    monkeypatch.setattr(perfect_check, "Solver", lambda bits: None)
    monkeypatch.setattr(perfect_check, "PerfectPlayer", lambda solver: None)
    assert perfect_check.run("mistakes", {}) == 1 and "mistakes: 0 done" in capsys.readouterr().out


def test_liars_that_nobody_grades_prove_nothing():
    tally = Tally()
    assert not tally.sound
    tally.add(Row(1, PS, "late", "solved"))
    assert not tally.sound and "0 points earned, 0 grader faults" in tally.line()
    tally.add(Row(2, PS, "late", "solved", points=50.0, honest=50.0))
    assert tally.sound


# -- what looks at the repository ---------------------------------------------------------------------------


def test_every_folder_with_tests_is_one_that_make_test_runs():
    """pytest says nothing of a folder in `testpaths` that is not there"""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert {folder for folder in folders if not folder.startswith("tests/hidden")} == set(options["testpaths"])
    assert options["empty_parameter_set_mark"] == "fail_at_collect"


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("command, message", [
    (["ruff", "check", "--no-cache", "--config", str(ROOT / "pyproject.toml")], "F401"),
    (["vulture", "--min-confidence", "60"], "unused function"),
])
def test_lint_finds_what_is_planted(tmp_path, command, message):
    (tmp_path / "planted.py").write_text('"""A module."""\nimport os\n\n\ndef alone() -> None:\n    """Nothing."""\n')
    done = subprocess.run([sys.executable, "-m", *command, "planted.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and message in done.stdout
