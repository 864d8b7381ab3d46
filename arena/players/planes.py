"""More planes for a network: what a board says by the rules, and what a 3 x 3 convolution cannot see at once.

Three planes come to the two of stones. Two of them show free squares where a stone does something: in Connect Four it completes
a row of four, in Othello it is a legal move. Both come from patterns: a square is shown if all stones of one of its patterns are
there. The third plane says who moves last, which decides many games of both kinds.

- Connect Four: near the end both players must fill the columns from below. The first player comes to the squares of odd rows,
  the second to those of even rows ("zugzwang": Allis, "A knowledge-based approach of Connect-Four", 1988, chapter 3).
- Othello: an odd number of free squares gives the last move to the player to move, if nobody passes ("parity").

Nothing here is learned.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from arena.players.rules import CONNECT_FOUR, OTHELLO, CompiledRules

PLANES = 5  # of a board, with the two planes of stones
DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
# the stones of a pattern, as squares of the player whose square it is and of the other; and the free square
Pattern = tuple[list[tuple[int, int]], list[tuple[int, int]], tuple[int, int]]


def rule_planes(rules: CompiledRules) -> RulePlanes | None:
    """Return the planes of a game, None for a game that needs none."""
    height, width = rules.bits.shape
    if rules.number == CONNECT_FOUR:
        odd_rows = np.repeat((height - np.arange(height)) % 2, width)  # rows count from 1 at the bottom
        return RulePlanes((height, width), list(_threes(height, width)), 2 * odd_rows - 1)
    if rules.number == OTHELLO:
        return RulePlanes((height, width), list(_enclosures(height, width)), -np.ones(height * width))
    return None


class RulePlanes(nn.Module):
    """Adds three planes to planes of stones.

    Args:
        shape: (H, W) of the board.
        patterns: see `Pattern`; each of them shows its free square.
        sign: (H * W,), 1 or -1; the third plane where the number of stones is even. It changes its sign with each stone.
    """

    stones: Tensor  # (2 * H * W, P), 1 for each stone of a pattern
    missing: Tensor  # (P,), number of stones of each pattern, minus 1
    shown: Tensor  # (P, H * W), 1 at its free square
    sign: Tensor

    def __init__(self, shape: tuple[int, int], patterns: list[Pattern], sign: np.ndarray) -> None:
        super().__init__()
        self.shape = shape
        squares = np.arange(shape[0] * shape[1]).reshape(shape)
        stones, shown = np.zeros((len(patterns), 2, squares.size)), np.zeros((len(patterns), squares.size))
        for row, (own, theirs, free) in enumerate(patterns):
            stones[row, 0, [squares[place] for place in own]] = 1
            stones[row, 1, [squares[place] for place in theirs]] = 1
            shown[row, squares[free]] = 1
        joined = stones.reshape(len(patterns), -1).T
        buffers = {"stones": joined, "missing": stones.sum((1, 2)) - 1, "shown": shown, "sign": sign}
        for name, numbers in buffers.items():
            self.register_buffer(name, torch.tensor(numbers, dtype=torch.float32), persistent=False)

    def forward(self, planes: Tensor) -> Tensor:
        """Return planes (B, 5, H, W) of the stones (B, 2, H, W) of the player to move and of the other player.

        The new ones: the squares that the patterns show for the player to move, the same for the other player, and the signs.
        """
        boards = planes.flatten(2)  # (B, 2, H * W)
        views = torch.stack([boards, boards.flip(1)], dim=1).flatten(2)  # (B, 2, 2 * H * W), the board as each player sees it
        whole = torch.relu_(views @ self.stones - self.missing)  # (B, 2, P), 1 for a pattern with all its stones
        squares = (whole @ self.shown).clamp_(max=1) * (1 - boards.sum(1, keepdim=True))
        turns = 1 - 2 * (boards.sum((1, 2)) % 2)
        return torch.cat([boards, squares, turns[:, None, None] * self.sign], dim=1).view(-1, PLANES, *self.shape)


def _threes(height: int, width: int) -> Iterator[Pattern]:
    """Yield three stones of each row of four, with its fourth square."""
    for y, x, down, right in _rays(height, width):
        row = [(y + step * down, x + step * right) for step in range(4)]
        if (down, right) > (0, 0) and _on_board(row[-1], height, width):
            for free in row:
                yield [place for place in row if place != free], [], free


def _enclosures(height: int, width: int) -> Iterator[Pattern]:
    """Yield stones of the other player in a line, with an own stone at one end and a free square at the other."""
    for y, x, down, right in _rays(height, width):
        for length in range(2, max(height, width)):
            line = [(y + step * down, x + step * right) for step in range(length + 1)]
            if _on_board(line[-1], height, width):
                yield [line[-1]], line[1:-1], line[0]


def _rays(height: int, width: int) -> Iterator[tuple[int, int, int, int]]:
    for y in range(height):
        for x in range(width):
            for down, right in DIRECTIONS:
                yield y, x, down, right


def _on_board(place: tuple[int, int], height: int, width: int) -> bool:
    return 0 <= place[0] < height and 0 <= place[1] < width
