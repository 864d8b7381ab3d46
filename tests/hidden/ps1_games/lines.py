"""Every line of squares on a board of any size, and whether a player has one."""

from functools import cache

import numpy as np

DIRECTIONS = {"right": (0, 1), "down": (1, 0), "falling": (1, 1), "rising": (1, -1)}
STONE = (1, -1)
Line = list[tuple[int, int]]


@cache
def lines(height: int, width: int, n: int) -> list[tuple[str, Line]]:
    """Every line of n squares on the board, with the name of its direction."""
    named_lines = []
    for name, (down, right) in DIRECTIONS.items():
        for row in range(height):
            for column in range(width):
                line = [(row + k * down, column + k * right) for k in range(n)]
                if all(r < height and 0 <= c < width for r, c in line):
                    named_lines.append((name, line))
    return named_lines


def has_line(board: np.ndarray, player: int, n: int) -> bool:
    """Whether a line exists, found by a slow method that is certainly right."""
    rows, stone = board.tolist(), STONE[player]
    return any(all(rows[row][column] == stone for row, column in line) for _, line in lines(*board.shape, n))
