"""What each function of ps1 returns, so that a value of another type is `not yet` and never a fault of the grader."""

from typing import Any

from autograder.grading.hidden_checks.answer_types import (
    Handle,
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
    wrong_type,
)


def player(value: Any) -> int:
    """The player to move, 0 or 1. False and True are accepted: they equal 0 and 1, and STONE[True] is a stone."""
    return int(value) if type(value) is bool else integer(value)


def refused_state(value: Any) -> Handle:
    """The state that an IllegalMove keeps: an object in the worker."""
    if not isinstance(value, Handle):
        raise wrong_type("that IllegalMove keeps the state", value)
    return value


TYPES = {
    "BoardState": node,
    "TicTacToe": node,
    "ConnectFour": node,
    # of a state
    ".player": player,  # a method of a game, too
    ".board": array("i", (None, None)),
    ".action_mask": array("b", (None,)),
    # of a game
    ".num_actions": integer,
    ".start": node,
    ".mask": array("b"),  # of any shape: the checks compare the whole array
    ".legal_actions": listof(integer),
    ".outcome": optional(real),
    ".play": node,
    ".landing": pair(integer, integer),
    ".symmetries": listof(pair(node, array("f", (None,)))),
    # of an IllegalMove
    ".action": anything,
    ".state": refused_state,
    # of a dict in the worker
    ".get": optional(real),
    ".pop": real,
    "has_run": boolean,
    "distinct": listof(pair(node, array("f", (None,)))),
    "transitions": pair(mapping(integer, anything), optional(real)),
    "canonical": node,
    "random_playout": real,
    "negamax": real,
    "to_game_state": node,
    "first_wrong_node": pair(text, text),
    "check_has_run": anything,
}
