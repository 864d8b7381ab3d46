"""The tree of a student's search: observed through the sandbox, refused where it is not a tree, and never part of the points."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from graded import answer, grade, lost, solution_and, solved

from assets.make import search_trees
from autograder.grading.grade import Graded
from autograder.grading.hidden_checks.shown_search import MOST, shown_search, tree_of
from autograder.grading.report import Report, SeenNode
from autograder.pages.student.tree_svg import JUDGED_FROM, compared, most_visited, our_tree, value_text
from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.source import load, names

pytestmark = pytest.mark.usefixtures("processes")

SHOWN = {ps: search for ps in names() if (search := shown_search(ps))}
TICTACTOE = SHOWN["ps2_uct"]


def marked(graded: Graded) -> int:
    assert graded.report.tree is not None
    return compared(load("ps2_uct"), graded.report.tree)["marked"]


def test_the_file_is_what_our_searches_give():
    assert search_trees.FILE.read_text() == search_trees.text()


@pytest.mark.parametrize("ps", SHOWN)
def test_a_single_move_wins_and_not_at_once(ps):
    def value(state):
        outcome = game.outcome(state)
        return outcome if outcome is not None else max(-value(game.play(state, action)) for action in game.legal_actions(state))

    game, state = SHOWN[ps].game, SHOWN[ps].state
    below = [game.play(state, action) for action in game.legal_actions(state)]
    assert [-value(reply) for reply in below].count(1.0) == 1 and all(game.outcome(reply) is None for reply in below)


def test_the_solution_s_tree_is_in_its_report_and_nothing_in_it_is_marked():
    tree = solved().report.tree
    assert tree.simulations == TICTACTOE.simulations and marked(solved()) == 0
    assert {node.path for node in tree.nodes} <= TICTACTOE.paths()
    assert sum(node.visits for node in tree.nodes if len(node.path) == 1) == tree.simulations


def test_the_same_submission_has_the_same_tree():
    assert grade(solution_and()).report.to_json() == solved().report.to_json()


def test_another_style_is_not_marked():
    bank = Path(__file__).parents[1] / "right" / "ps2_uct.py"
    name = next(cell.name for cell in load_bank(bank) if "num_visits" in cell.code and "def search" in cell.code)
    assert marked(grade(answer("right", name).replace("\r", ""))) == 0


def test_a_wrong_sign_is_marked():
    graded = grade(answer("wrong", "backpropagate does not flip the sign"))
    assert "2.5" in lost(graded) and marked(graded) > 0


CHANGED = "action, root = _search(*all, **named); root.children[3].{}; return action, root"
NO_TREE = {
    "raises": "raise ValueError('no')",
    "never ends": "while True: pass",
    "no pair": "return 3",
    "a move that is not there": "root = TreeNode(state); root.children[99] = TreeNode(state, root, 99); return 3, root",
    "visits below zero": CHANGED.format("num_visits = -1"),
    "a result that is not a number": CHANGED.format("total_value = float('nan')"),
    "visits that are text": CHANGED.format("num_visits = '<b>'"),
}


@pytest.mark.first_shows
@pytest.mark.parametrize("body", NO_TREE.values(), ids=NO_TREE)
def test_a_search_that_gives_no_tree_on_this_position_has_none_and_keeps_its_points(body):
    """The search fails on the shown position only, which no check asks for: the points show that it costs nothing."""
    code = (f"_search = search\ndef search(*all, **named):\n    game, state = all[:2] if len(all) > 1 else (None, None)\n"
            f"    if state != {TICTACTOE.state!r}:\n        return _search(*all, **named)\n    {body}")
    graded = grade(solution_and(code))
    assert graded.report.tree is None and graded.cacheable
    assert replace(graded.report, sha256="") == replace(solved().report, sha256="", tree=None)


def test_where_the_search_is_not_written_there_is_no_tree():
    code = 'def search(*all, **named):\n    raise NotImplementedError("exercise 2.9 (search) is not written yet")'
    assert grade(solution_and(code)).report.tree is None


@pytest.mark.parametrize("statistics", [
    {}, {(0,): (1, 1.0)}, {(3,): (-1, 0.0)}, {(3,): (MOST + 1, 0.0)}, {(3,): (1, float("inf"))}, {(3, 3): (1, 0.0)},
    {(3, 4, 6): (1, 0.0)},
])
def test_what_does_not_fit_the_position_is_no_tree(statistics):
    assert tree_of(TICTACTOE, statistics) is None


def test_a_tree_is_read_back_as_it_was_written():
    tree = tree_of(TICTACTOE, {(3, 4): (3, 1.0), (3,): (4, -0.0), (4,): (0, 0.0)})
    assert tree.nodes == (SeenNode((3,), 4, 0.0), SeenNode((4,), 0, None), SeenNode((3, 4), 3, 0.33))
    report = replace(solved().report, tree=tree)
    assert Report.from_json(report.to_json()) == report


def test_a_report_without_a_tree_or_with_one_of_another_form_still_loads():
    fields = json.loads(solved().report.to_json())
    older, newer = {key: fields[key] for key in fields if key != "tree"}, {**fields, "tree": {"version": 99, "leaves": []}}
    for changed in (older, newer):
        assert Report.from_json(json.dumps(changed)) == replace(solved().report, tree=None)


def test_few_visits_say_nothing_about_a_value():
    ours = our_tree("ps2_uct")[(4,)]
    assert ours.differs(None) and not ours.differs(ours.node)
    assert ours.differs(replace(ours.node, value=-1.0)) and ours.node.visits > JUDGED_FROM
    few = our_tree("ps2_uct")[(3, 4)]
    assert not few.differs(SeenNode((3, 4), 2, -1.0))
    assert value_text(None) == "–" and value_text(SeenNode((3,), 2, -0.5)) == "−0.50"


def test_the_page_shows_both_trees_with_the_same_numbers_as_a_table():
    shown = compared(load("ps2_uct"), solved().report.tree)
    (_, yours), (_, ours) = shown["pictures"]
    assert yours.count("<rect") == ours.count("<rect") == 2 * len(TICTACTOE.paths()) == 2 * len(shown["rows"])
    assert yours.count("not in the tree") == sum(theirs is None for _, theirs, _, _ in shown["rows"])
    for moves, theirs, node, differs in shown["rows"]:
        assert moves and (f"n {node.visits}\u00a0\u00a0 {value_text(node)}" in ours or node.visits == 0) and not differs
        assert theirs is None or f"n {theirs.visits}\u00a0\u00a0 {value_text(theirs)}" in yours


@pytest.mark.parametrize("visits, sentence", [
    ({(6,): 83, (4,): 17, (6, 4): 90}, "Your search visits move 6 most, 83 times; ours visits move 4, 84 times."),
    ({(4,): 60, (3,): 40}, "Both visit move 4 most: yours 60 times, ours 84."),
    ({(4,): 50, (3,): 50}, ""), ({(4,): 0}, ""), ({}, "")])
def test_a_sentence_names_the_move_that_each_search_visits_most(visits, sentence):
    def nodes(visits):
        return {path: SeenNode(path, number, 0.0) for path, number in visits.items()}

    assert most_visited(nodes(visits), nodes({(4,): 84, (3,): 16})) == sentence
