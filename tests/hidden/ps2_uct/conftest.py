"""What each function of ps2 returns, so that a value of another type is `not yet` and never a fault of the grader."""

from autograder.grading.hidden_checks.answer_types import (
    anything,
    boolean,
    integer,
    listof,
    mapping,
    node,
    optional,
    pair,
    real,
    text,
    tupleof,
)

TYPES = {
    "TreeNode": node,
    ".state": anything,
    ".parent": optional(node),
    ".action": optional(integer),
    ".num_visits": integer,
    ".total_value": real,
    ".write": anything,
    ".is_terminal": boolean,
    ".is_fully_expanded": boolean,
    "epsilon_greedy": integer,
    "ucb1": integer,
    "random_policy": integer,
    "simulate": real,
    "expand": node,
    "backpropagate": anything,
    "ucb": real,
    "best_child": node,
    "select": node,
    "search": pair(integer, node),
    "recursive_search": real,
    "search_with_tables": tupleof(
        integer, mapping(text, mapping(integer, real)), mapping(text, mapping(integer, integer))
    ),
    "self_play": listof(integer),
    "first_wrong_node": pair(text, text),
    "check_backpropagate": anything,
}

# The functions that a check passes to the submission, by parameter: the argument names that the docstrings promise.
CALLBACKS = {"policy": ("game", "state", "rng"), "evaluate": ("state",), "on_move": ("root", "action")}
