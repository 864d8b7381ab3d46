"""What each function of ps3 returns, so that a value of another type is `not yet` and never a fault of the grader."""

from autograder.grading.hidden_checks.answer_types import anything, integer, node, optional, pair, real, text

TYPES = {
    "Node": node,
    ".state": anything,
    ".parent": optional(node),
    ".action": optional(integer),
    ".legal": anything,
    ".num_visits": integer,
    ".q": real,
    ".proven": optional(real),
    ".root": optional(node),
    ".choose": integer,
    ".observe": anything,
    "default_policy": pair(real, real),
    "bound": real,
    "best_child": node,
    "expand": node,
    "tree_policy": node,
    "backup": anything,
    "uct": pair(integer, node),
    "Searcher": node,
    "prove": anything,
    "solve": pair(integer, node),
    "tactical_action": integer,
    "tactical_rollout": pair(real, real),
    "pass_probability": real,
    "simulated_pass_rate": real,
    "smallest_exam": pair(integer, integer),
    "first_wrong_node": pair(text, text),
    "check_pass_probability": anything,
}

# The functions that a check passes to the submission, by parameter: the argument names that the docstrings promise.
CALLBACKS = {"rollout": ("game", "state", "rng"), "clock": ()}
