"""A Connect-Four position as a picture for a page: the board, the column that was played, and a better one."""

from __future__ import annotations

from arena.games import ConnectFour
from arena.games.connect_four import HEIGHT, WIDTH
from arena.show.board import EMPTY, FONT, GRID, INK, O_COLOUR, X_COLOUR

GAME = ConnectFour()
SIDE = 26  # the side of a square, in pixels
PLAYED, BETTER = "#b3261e", "#1b6e3c"  # a cross or a tick always accompanies the colour
State = tuple[int, int]


def position_svg(state: State, played: int, better: int, words: str) -> str:
    """Return a position as SVG text.

    Args:
        state: (mover, other); X is the player who moved first in the game.
        played, better: columns; a cross and a tick mark the squares of their stones.
        words: the description for readers who cannot see the picture; it is inserted without escaping.
    """
    marks = {_landing(state, played): ("✗", PLAYED), _landing(state, better): ("✓", BETTER)}
    shapes = [_square(state, row, column, marks.get((row, column))) for row in range(HEIGHT) for column in range(WIDTH)]
    shapes += [_column_name(column, played, better) for column in range(WIDTH)]
    width, height = WIDTH * SIDE, HEIGHT * SIDE + 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" '
        f'height="{height + 2}" role="img" aria-label="{words}">{"".join(shapes)}</svg>'
    )


def _landing(state: State, column: int) -> tuple[int, int]:
    """Return (row from the bottom, column) of the next stone in a column."""
    return ((state[0] | state[1]) >> 7 * column & 0b111111).bit_count(), column


def _square(state: State, row: int, column: int, mark: tuple[str, str] | None) -> str:
    x, y = column * SIDE, (HEIGHT - 1 - row) * SIDE
    middle_x, middle_y = x + SIDE / 2, y + SIDE / 2
    parts = [f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="#fff" stroke="{GRID}"/>']
    circle = f'<circle cx="{middle_x:g}" cy="{middle_y:g}" r="{SIDE * 0.39:.1f}"'
    sign = _sign(state, row, column)
    if sign:
        parts.append(f'{circle} fill="{X_COLOUR if sign == "X" else O_COLOUR}"/>')
        parts.append(_text(middle_x, middle_y + 4.5, 12, "#fff", sign))
    elif mark:
        parts.append(f'{circle} fill="#fff" stroke="{mark[1]}" stroke-width="2" stroke-dasharray="4 2.5"/>')
        parts.append(_text(middle_x, middle_y + 5, 15, mark[1], mark[0]))
    else:
        parts.append(f'{circle} fill="{EMPTY}"/>')
    return "".join(parts)


def _column_name(column: int, played: int, better: int) -> str:
    fill = PLAYED if column == played else BETTER if column == better else INK
    return _text(column * SIDE + SIDE / 2, HEIGHT * SIDE + 15, 12, fill, str(column))


def _sign(state: State, row: int, column: int) -> str:
    """Return "X", "O" or ""."""
    bit = 1 << 7 * column + row
    if not (state[0] | state[1]) & bit:
        return ""
    return "X" if bool(state[0] & bit) == (GAME.player(state) == 0) else "O"


def _text(x: float, y: float, size: int, fill: str, words: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-family="{FONT}" font-size="{size}" font-weight="bold" '
        f'fill="{fill}">{words}</text>'
    )
