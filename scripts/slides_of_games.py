"""The pictures of problem set 1 for `python -m scripts.slides`: values, views and edges of boards."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.show.board import INK, LAST
from scripts.slide_canvas import GREEN, PURPLE, SOFT, Slide, places_of
from solutions import ps1_games


def movers_view() -> Slide:
    """Two plies of exact values: each belongs to the player to move, and the sign changes on each line."""
    slide = Slide(
        "Problem set 1: a value belongs to the player to move",
        "O to move has two moves, and X one answer to each. Beside each board stands its value for the player to "
        "move there; from line to line the sign changes, and O takes the larger of the changed values.",
    )
    game: Any = ps1_games.TicTacToe()
    root = ps1_games.position("XOX/OOX/.X.", [6, 8])
    _family(slide, game, root, 480, 66, 440)
    slide.text(40, 515, "Going up one line: change the sign, then take the largest.", 24, anchor="start", bold=True)
    return slide


def _family(slide: Slide, game: Any, state: Any, x: float, y: float, wide: float) -> None:
    """Draw a state, its value and all that can follow; a child of n stands `wide` / n beside the next."""
    side = 28
    mover = "XO"[game.player(state)]
    value = ps1_games.negamax(game, state)
    over = game.outcome(state) is not None
    slide.board(game, state, x - 1.5 * side, y, side)
    slide.text(x + 2 * side, y + 1.2 * side, "over" if over else f"{mover} to move", 20, anchor="start", colour=SOFT)
    slide.text(
        x + 2 * side,
        y + 2.4 * side,
        f"{value + 0.0:+g} for {mover}" if value else f"0 for {mover}",
        22,
        anchor="start",
        bold=True,
        colour=GREEN,
    )
    after, _ = ps1_games.transitions(game, state)
    for place, child in enumerate(after.values()):
        below = x + wide * (place - (len(after) - 1) / 2)
        slide.line([(x, y + 3 * side + 4), (below, y + 3 * side + 60)], "#9aa5b1", 2)
        slide.text((x + below) / 2 - 18, y + 3 * side + 40, "−", 30, bold=True, colour=PURPLE)
        _family(slide, game, child, below, y + 3 * side + 64, wide / 2)


def eight_views() -> Slide:
    """One position with its policy, turned and mirrored in all eight ways by the lesson's own function."""
    slide = Slide(
        "Problem set 1: one position, eight views",
        "Eight boards of Tic-Tac-Toe: one position turned and mirrored. The yellow square, the move of the policy, "
        "moves with the board, and its number changes from view to view.",
    )
    game: Any = ps1_games.TicTacToe()
    policy = np.zeros(9)
    policy[2] = 1.0
    views = game.symmetries(ps1_games.position("XO./.X./...", [2, 3, 5, 6, 7, 8]), policy)
    for number, (state, moved) in enumerate(views):
        action = int(np.argmax(moved))
        x, y = 70 + 225 * (number % 4), 68 + 222 * (number // 4)
        slide.board(game, state, x, y, 54, places_of(3, [action], LAST))
        slide.text(x + 81, y + 192, f"action {action}", 22, bold=number == 0)
    slide.text(480, 528, f"{len(views)} pairs of board and policy; the mask moves too", 22, colour=SOFT)
    return slide


def around_the_edge() -> Slide:
    """Four stones that only a negative index takes for a line."""
    slide = Slide(
        "Problem set 1: a board ends at its edges",
        "Connect Four with four X stones: two at the left edge, two at the right edge two rows lower. A column of -1 "
        "is the last column for numpy, so a careless scan takes them for one diagonal. There is no line.",
    )
    places = [(2, 1), (3, 0), (4, 6), (5, 5)]
    text = "/".join("".join("X" if (r, c) in places else "." for c in range(7)) for r in range(6))
    state = ps1_games.position(text, list(range(7)))
    game: Any = ps1_games.ConnectFour()
    slide.board(game, state, 60, 90, 68, dict.fromkeys(places, LAST))
    has_line = ps1_games.has_run(state.board, 0, 4)
    for number, words in enumerate(
        (
            "One step down and left:",
            "(2, 1)   (3, 0)",
            "(4, -1)   (5, -2)",
            "",
            "numpy reads column -1",
            "as the last column.",
            "",
            f"Is there a line? {'Yes' if has_line else 'No'}.",
        )
    ):
        slide.text(
            570, 150 + 42 * number, words, 26, anchor="start", bold=number in (1, 2, 7), colour=PURPLE if number == 2 else INK
        )
    return slide
