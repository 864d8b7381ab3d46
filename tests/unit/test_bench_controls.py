"""A row of the benchmarks is printed only if both sides did the work that it counts."""

import json
import random
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import bench
import bench.__main__ as bench_main
from autograder.problem_sets.bank.answers import Answer
from autograder.problem_sets.source import module_text
from bench import (
    NothingMeasured,
    compiled_uct_vs_openspiel_cpp,
    grading_vs_nbgrader,
    hidden_run,
    selfplay,
    slowest_right_answer,
    training,
    uct_vs_openspiel_python,
)

PEER_OF = {compiled_uct_vs_openspiel_cpp: "PEER", uct_vs_openspiel_python: "SIMULATIONS"}


def nothing(*given, **named):
    """A search, a training or a command that returns at once."""


@pytest.mark.parametrize("ours, peer, side", [(0.0, 1.0, "our side"), (1.0, 0.0, "the peer"), (1.0, float("nan"), "the peer"),
                                              (float("inf"), 1.0, "our side")])
def test_a_side_that_did_nothing_has_no_ratio(ours, peer, side):
    with pytest.raises(NothingMeasured, match=f"one: {side} did nothing"):
        bench.Row("one", ours, peer, "things/s", 1.0, "by hand")


def test_what_was_not_measured_is_named_and_the_rest_is_written(tmp_path, monkeypatch, capsys):
    row = bench.Row("two_to_one", 20.0, 10.0, "things/s", 1.5, "by hand")
    modules = {"good": lambda: [row], "dead": lambda: [bench.Row("dead", 1.0, 0.0, "things/s", 1.5, "by hand")], "absent": list}
    monkeypatch.setattr(bench_main, "BENCHMARKS", tuple(modules))
    for name, rows in modules.items():
        monkeypatch.setitem(sys.modules, f"bench.{name}", SimpleNamespace(rows=rows))
    monkeypatch.setattr(bench_main, "RESULTS", tmp_path / "bench.json")
    assert bench_main.main() == 1 == bench_main.main("dead")
    output = capsys.readouterr().out
    assert "dead: the peer did nothing" in output.replace("\n", " ") and "not measured: dead, absent" in output
    assert bench_main.main("good") == 0
    assert [written["name"] for written in json.loads((tmp_path / "bench.json").read_text())] == ["two_to_one"]


@pytest.fixture
def small(monkeypatch):
    """The searches of the benchmarks with small budgets."""
    for module, names in {compiled_uct_vs_openspiel_cpp: ("OURS", "PEER"), uct_vs_openspiel_python: ("SIMULATIONS",)}.items():
        for name in (*names, "TURNS"):
            monkeypatch.setattr(module, name, 1 if name == "TURNS" else 400)
    monkeypatch.setattr(selfplay, "TOGETHER", 2)
    monkeypatch.setattr(selfplay, "SIMULATIONS", 3)


@pytest.mark.parametrize("module", PEER_OF, ids=lambda module: module.__name__)
def test_a_search_counts_with_all_its_simulations(module, small):
    (row,) = module.rows()
    assert row.ours > 0 and row.peer > 0


def test_a_search_that_makes_no_simulation_is_no_fast_search(monkeypatch, small):
    module = compiled_uct_vs_openspiel_cpp
    monkeypatch.setattr(module, "visit_counts", lambda *given: np.zeros(7, np.int64))
    with pytest.raises(NothingMeasured, match="our search made 0 visits, not 399"):
        module.rows()
    monkeypatch.undo()
    idle = SimpleNamespace(mcts_search=lambda state: SimpleNamespace(explore_count=0))
    monkeypatch.setattr(module.pyspiel, "MCTSBot", lambda *given, **named: idle)
    with pytest.raises(NothingMeasured, match="OpenSpiel's search made 0 simulations"):
        module._seconds_of_peer(0)
    monkeypatch.setattr(uct_vs_openspiel_python.mcts, "MCTSBot", lambda *given, **named: idle)
    with pytest.raises(NothingMeasured, match="OpenSpiel's search made 0 simulations"):
        uct_vs_openspiel_python._seconds_of_peer(np.random.RandomState(0))
    monkeypatch.setattr(uct_vs_openspiel_python.ps2_uct, "search", lambda *given: (0, SimpleNamespace(num_visits=1)))
    with pytest.raises(NothingMeasured, match="our search made 1 simulations"):
        uct_vs_openspiel_python._seconds_of_ours(random.Random(0))


@pytest.mark.parametrize("name, method", [("_together", "search_together"), ("_one_by_one", "search")])
def test_self_play_counts_the_simulations_in_its_trees(monkeypatch, small, name, method):
    net = selfplay.ps5.make_net(selfplay.GAME).eval()
    assert getattr(selfplay, name)(net, 0) > 0
    monkeypatch.setattr(selfplay.ps5, method, nothing)
    with pytest.raises(NothingMeasured, match="0 simulations were made"):
        getattr(selfplay, name)(net, 0)


def test_a_peer_that_never_learns_is_no_slow_peer(monkeypatch):
    monkeypatch.setattr(training, "SEEDS", 1)
    seconds = {training.ps5.play_together: 20.0, training.ps5.play_one_by_one: training.LIMIT_S}
    monkeypatch.setattr(training, "_seconds_to_safety", lambda self_play, seed: seconds[self_play])
    with pytest.raises(NothingMeasured, match="the peer still loses a game after 240 s"):
        training.rows()
    seconds[training.ps5.play_one_by_one] = 60.0
    for part in ("_right_untrained", "_right_after_compiled", "_right_after_one_by_one"):
        monkeypatch.setattr(training, part, lambda *seed: 0.4)
    with pytest.raises(NothingMeasured, match="it did not learn"):
        training.rows()


@pytest.mark.usefixtures("computing")
def test_a_class_that_nobody_grades_is_not_graded_fast(tmp_path, monkeypatch):
    """the commands end with status 0 and have graded nobody"""
    monkeypatch.setattr(grading_vs_nbgrader, "_seconds", lambda command: 0.1)
    monkeypatch.setattr(grading_vs_nbgrader, "_points", lambda folder: {})
    with pytest.raises(NothingMeasured, match="we graded 0 of 1 notebooks"):
        grading_vs_nbgrader.hand_in_and_grade(tmp_path / "ours", ["{}"])
    with pytest.raises(NothingMeasured, match="stock nbgrader graded 0 of 1 notebooks"):
        grading_vs_nbgrader._seconds_of_peer(tmp_path / "peer", ["{}"])


@pytest.mark.usefixtures("computing", "repetition")
def test_who_has_all_points_has_the_extra_points_too(tmp_path, monkeypatch):
    for name, number in (("RIGHT", 1), ("WRONG", 1)):
        monkeypatch.setattr(grading_vs_nbgrader, name, number)
    assert grading_vs_nbgrader.hand_in_and_grade(tmp_path / "ours", grading_vs_nbgrader.class_notebooks(experiments=False)) > 0


@pytest.mark.usefixtures("processes")
def test_a_hidden_run_counts_only_where_the_solution_earns_all(monkeypatch):
    monkeypatch.setattr(hidden_run, "released", lambda: ["ps2_uct"])
    monkeypatch.setattr(hidden_run, "TURNS", 1)
    (row,) = hidden_run.rows()
    assert row.name == "hidden_run_ps2" and row.ours > 0.1
    monkeypatch.setattr(hidden_run, "module_text", lambda ps, solution: module_text(ps, solution=False))
    with pytest.raises(NothingMeasured, match="our solution of ps2_uct earned 0 points"):
        hidden_run.rows()


@pytest.mark.usefixtures("processes")
def test_only_a_right_answer_can_be_the_slowest(monkeypatch):
    bank = [Answer("as it is", None, "UNUSED = 0\n")]
    monkeypatch.setattr(slowest_right_answer, "released", lambda: ["ps2_uct"])
    monkeypatch.setattr(slowest_right_answer, "load_bank", lambda path: bank)
    (row,) = slowest_right_answer.rows()
    assert row.name == "slowest_right_answer_ps2" and 0.0 < row.ours < row.peer == 6.0 and "'as it is'" in row.how
    bank[:] = [Answer("wrong", None, "def ucb1(*given):\n    return 0.0\n")]
    with pytest.raises(NothingMeasured, match="ps2_uct: the right answer 'wrong' earned"):
        slowest_right_answer.rows()
