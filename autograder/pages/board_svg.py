"""A Connect-Four position as a picture for a page: the board, the column that was played, and a better one."""

from __future__ import annotations

from arena.games import ConnectFour
from arena.games.connect_four import HEIGHT, WIDTH
from arena.show.board import EMPTY, FONT, GRID, INK, O_COLOUR, X_COLOUR

GAME = ConnectFour()
SIDE = 26  # the side of a square, in pixels
PLAYED, BETTER = "#b3261e", "#1b6e3c"  # a cross or a tick always accompanies the colour
State = tuple[int, int]
_ROWS, _COLUMNS = ("".join(f"M0 {SIDE * row}h{WIDTH * SIDE}" for row in range(1, HEIGHT)),
                   "".join(f"M{SIDE * column} 0v{HEIGHT * SIDE}" for column in range(1, WIDTH)))
_GRID = f"M0 0h{WIDTH * SIDE}v{HEIGHT * SIDE}h-{WIDTH * SIDE}z{_ROWS}{_COLUMNS}"


def position_svg(state: State, played: int, better: int, words: str) -> str:
    """Return a position as SVG text.

    Args:
        state: (mover, other); X is the player who moved first in the game.
        played, better: columns; a cross and a tick mark the squares of their stones.
        words: the description for readers who cannot see the picture; it is inserted without escaping.
    """
    marks = {_landing(state, played): ("✗", PLAYED), _landing(state, better): ("✓", BETTER)}
    places = [(row, column) for row in range(HEIGHT) for column in range(WIDTH)]
    empty = "".join(f"M{x:g} {y:g}h0" for x, y in (_middle(*place) for place in places if not _sign(state, *place)))
    shapes = [f'<path d="{_GRID}" fill="#fff" stroke="{GRID}"/>',
              f'<path d="{empty}" stroke="{EMPTY}" stroke-width="{SIDE * 0.78:.1f}" stroke-linecap="round"/>']
    shapes += [_stone(sign, *_middle(*place)) for place in places if (sign := _sign(state, *place))]
    shapes += [_mark(*mark, *_middle(*place)) for place, mark in marks.items()]
    shapes += [_column_name(column, played, better) for column in range(WIDTH)]
    width, height = WIDTH * SIDE, HEIGHT * SIDE + 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" '
        f'height="{height + 2}" role="img" aria-label="{words}" text-anchor="middle" font-family="{FONT}" font-size="12" '
        f'font-weight="bold">{"".join(shapes)}</svg>'
    )


def _landing(state: State, column: int) -> tuple[int, int]:
    """Return (row from the bottom, column) of the next stone in a column."""
    return ((state[0] | state[1]) >> 7 * column & 0b111111).bit_count(), column


def _middle(row: int, column: int) -> tuple[float, float]:
    """Return the middle of a square in pixels."""
    return column * SIDE + SIDE / 2, (HEIGHT - 1 - row) * SIDE + SIDE / 2


def _stone(sign: str, x: float, y: float) -> str:
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{SIDE * 0.39:.1f}" fill="{X_COLOUR if sign == "X" else O_COLOUR}"/>'
    return circle + _text(x, y + 4.5, "#fff", sign)


def _mark(sign: str, colour: str, x: float, y: float) -> str:
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{SIDE * 0.39:.1f}" fill="#fff" stroke="{colour}" stroke-width="2"'
    return f'{circle} stroke-dasharray="4 2.5"/>' + _text(x, y + 5, colour, sign)


def _column_name(column: int, played: int, better: int) -> str:
    fill = PLAYED if column == played else BETTER if column == better else INK
    return _text(column * SIDE + SIDE / 2, HEIGHT * SIDE + 15, fill, str(column))


def _sign(state: State, row: int, column: int) -> str:
    """Return "X", "O" or ""."""
    bit = 1 << 7 * column + row
    if not (state[0] | state[1]) & bit:
        return ""
    return "X" if bool(state[0] & bit) == (GAME.player(state) == 0) else "O"


def _text(x: float, y: float, fill: str, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{fill}">{words}</text>'
