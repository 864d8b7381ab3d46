"""What each function of ps5 returns, so that a value of another type is `not yet` and never a fault of the grader."""

from typing import Any

import numpy as np

from autograder.grading.hidden_checks.answer_types import (
    anything,
    array,
    boolean,
    integer,
    listof,
    node,
    optional,
    pair,
    real,
    text,
    tupleof,
    wrong_type,
)
from autograder.sandbox.errors import WrongType


def state(value: Any) -> Any:
    """A state of arena's games: a name, a number, or a tuple of ints. It may be looked up in the grader's own tables."""
    if type(value) is str:
        return value
    if type(value) is tuple:
        return tuple(map(integer, value))
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int(value)
    raise wrong_type("a state of the game", value)


def floats(value: Any) -> list[float]:
    """Numbers in a list or a tuple. An array is not allowed: it has no truth value, and `best_index` cannot count in it."""
    if type(value) not in (list, tuple):
        raise wrong_type("a list of floats", value)
    return [real(number) for number in value]


def tensor(value: Any) -> np.ndarray:
    """Numbers of any shape: a check asks for the shape itself, with its own question."""
    try:
        return array("f")(value)
    except WrongType:
        raise wrong_type("a tensor", value) from None


EXAMPLES = listof(tupleof(state, array("f", (None,)), real))
WALK = pair(listof(pair(node, integer)), node)

TYPES = {
    "Policy": node,
    ".forward": pair(tensor, tensor),
    ".training": boolean,
    ".modes": listof(pair(boolean, boolean)),
    ".grad": optional(array("f")),
    "loss": tensor,
    "Node": node,
    ".state": state,
    ".outcome": optional(real),
    ".actions": listof(integer),
    ".P": floats,
    ".N": listof(integer),
    ".Q": floats,
    ".children": listof(optional(node)),
    ".noisy": boolean,
    "evaluate": real,
    "ucb": floats,
    "action_probs": array("f", (None,)),
    ".strides": listof(integer),
    "swap_root": node,
    "add_dirichlet_noise": anything,
    "opening": state,
    "play_move": node,
    "make_examples": EXAMPLES,
    "execute_episode": EXAMPLES,
    "Config": node,
    "PencilNet": node,
    "train_policy": real,
    "Training": node,
    ".window": EXAMPLES,
    ".reverse": anything,
    ".extend": anything,
    ".clear": anything,
    ".neg_": anything,
    ".iteration": integer,
    ".net": node,
    ".optimizer": node,
    "learn": anything,
    "pit": real,
    "keep_or_restore": boolean,
    "collect": tupleof(listof(WALK), tensor, tensor),
    "scatter": anything,
    "search_together": anything,
    "play_together": EXAMPLES,
    "play_one_by_one": EXAMPLES,
    "first_wrong_node": pair(text, text),
    "check_add_dirichlet_noise": anything,
}

# The functions that a check passes to the submission, by parameter: the argument names that the docstrings promise.
CALLBACKS = {
    "net": ("planes", "legal"),
    "self_play": ("training",),
    "train": ("training", "examples"),
    "on_iteration": ("training",),
    "new": ("state",),
    "old": ("state",),
}
