"""The built ps2_uct: which function calls which, and our code without students' code."""

import pytest

from autograder.problem_sets.source import load

CALLS = {
    "2.0": "", "2.1": "", "2.2": "", "2.3": "", "2.4": "", "2.5": "", "2.6": "",
    "2.7": "2.6",
    "2.8": "2.3 2.6 2.7",
    "2.9": "2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8",
    "2.10": "2.1 2.2",  # through search_with_tables, which calls it
    "2.11": "2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9",
    "2.14": "", "2.15": "",
}


def test_an_exercise_knows_the_exercises_that_it_calls():
    assert {exercise.id: " ".join(exercise.calls) for exercise in load("ps2_uct").exercises} == CALLS


def test_the_functions_and_their_points():
    assert {function: exercise.points for exercise in load("ps2_uct").exercises for function in exercise.functions} == {
        "epsilon_greedy": 8, "ucb1": 8, "random_policy": 2, "simulate": 6,
        "TreeNode.is_terminal": 6, "TreeNode.is_fully_expanded": 6, "expand": 10, "backpropagate": 10, "ucb": 10,
        "best_child": 7, "select": 8, "search": 14, "recursive_search": 8, "self_play": 4, "first_wrong_node": 2,
        "check_backpropagate": 5,
    }


@pytest.mark.parametrize("id", CALLS)
def test_our_code_of_an_exercise_runs_where_the_rest_is_provided(id):
    ps = load("ps2_uct")
    code = ps.reference([id])
    all_functions = {function for exercise in ps.exercises for function in exercise.functions}
    # stands for all student code, which no reference may load
    namespace = {name.partition(".")[0]: type(name.partition(".")[0], (), {}) for name in all_functions}
    provided = dict(namespace)
    exec(code.imports, namespace)
    assert {name: namespace[name] for name in provided} == provided
    for _, source in code.functions:
        exec(source, namespace)
    assert tuple(name for name, _ in code.functions) == ps.exercise(id).functions


def test_our_code_of_all_exercises_searches():
    ps = load("ps2_uct")
    code = ps.reference(list(CALLS))
    treenode = next(cell for cell in ps.cells if cell.id == "2.3" and cell.role == "exercise")
    namespace: dict = {}
    exec(code.imports, namespace)
    exec("from arena.games import Game, State, TicTacToe\n" + treenode.stub, namespace)
    for name, source in code.functions:
        exec(source, namespace)
        owner, _, method = name.rpartition(".")
        if owner:
            setattr(namespace[owner], method, namespace.pop(method))
    game = namespace["TicTacToe"]()
    action, root = namespace["search"](game, game.start(), 30, 1.0, namespace["random"].Random(0))
    assert root.num_visits == 30 and action in game.legal_actions(game.start())
