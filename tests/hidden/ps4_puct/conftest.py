"""What each function of ps4 returns, so that a value of another type is `not yet` and never a fault of the grader."""

from autograder.grading.hidden_checks.answer_types import (
    anything,
    array,
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

row = mapping(integer, real)
counts = mapping(integer, integer)

TYPES = {
    "examples": listof(tupleof(anything, integer, real)),
    "policy_loss": array("f", ()),
    "value_loss": array("f", ()),
    "train_epoch": real,
    "puct": row,
    "best_action": integer,
    "evaluate_leaf": pair(row, real),
    "MCTS": node,
    "visit_policy": row,
    "MCTSPlayer": node,
    "ValuePlayer": node,
    "PolicyPlayer": node,
    "MonteCarloPlayer": node,
    "FunctionPlayer": node,
    "Arena": node,
    "wilson": pair(real, real),
    ".search": real,
    ".outcomes": mapping(anything, optional(real)),
    ".Q": mapping(anything, row),
    ".N": mapping(anything, counts),
    ".P": mapping(anything, row),
    ".mcts": node,
    ".choose": integer,
    ".rollout": real,
    ".play_game": real,
    ".play_games": tupleof(integer, integer, integer, real, real, real),
    ".training": boolean,
    ".requires_grad": boolean,
    ".modes": listof(pair(boolean, boolean)),
    ".grad": optional(array("f")),
    ".new_game": anything,
    # this changes an object that is kept in the worker: a dict, a list, a tensor
    ".update": anything,
    ".extend": anything,
    ".clear": anything,
    ".neg_": anything,
    "first_wrong_node": pair(text, text),
    "check_puct": anything,
}

# The functions that a check passes to the submission, by parameter: the argument names that the docstrings promise.
CALLBACKS = {
    "evaluate": ("state",),
    "net": ("planes",),
    "choose": ("state", "simulations", "rng"),
    "progress": ("done", "n"),
}
