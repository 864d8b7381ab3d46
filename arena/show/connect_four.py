"""Connect Four as pictures for a page: a position with the played column and a better one; a whole game in one board."""

from __future__ import annotations

from arena.games import ConnectFour
from arena.games.boards import rows
from arena.games.connect_four import HEIGHT, WIDTH
from arena.result import PlayedGame
from arena.show.board import COLOURS, EMPTY, FONT, GRID, INK, O_COLOUR, X_COLOUR, dots, grid

GAME = ConnectFour()
SIDE = 26  # the side of a square, in pixels
PLAYED, BETTER = "#b3261e", "#1b6e3c"  # a cross or a tick always accompanies the colour
State = tuple[int, int]
Place = tuple[int, int]  # column, row from the bottom


def position_svg(state: State, played: int, better: int, words: str) -> str:
    """Return a position as SVG text.

    Args:
        state: (mover, other); X is the player who moved first in the game.
        played, better: columns; a cross and a tick mark the squares of their stones.
        words: the description for readers who cannot see the picture; it is inserted without escaping.
    """
    marks = {_landing(state, played): ("✗", PLAYED), _landing(state, better): ("✓", BETTER)}
    signs = {(column, row): sign for row, line in enumerate(reversed(rows(GAME, state))) for column, sign in enumerate(line)}
    empty = (_middle(place) for place, sign in signs.items() if sign == ".")
    shapes = [grid(HEIGHT, WIDTH, SIDE), dots(empty, SIDE * 0.78, EMPTY)]
    stones = {sign: [_middle(place) for place, other in signs.items() if other == sign] for sign in COLOURS}
    shapes += [dots(stones[sign], SIDE * 0.78, colour) for sign, colour in COLOURS.items()]
    shapes += [_letters(sign, places) for sign, places in stones.items() if places]
    shapes += [_mark(*mark, *_middle(place)) for place, mark in marks.items()]
    shapes += [_column_name(column, played, better) for column in range(WIDTH)]
    width, height = WIDTH * SIDE, HEIGHT * SIDE + 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" '
        f'height="{height + 2}" role="img" aria-label="{words}" text-anchor="middle" font-family="{FONT}" font-size="12" '
        f'font-weight="bold">{"".join(shapes)}</svg>'
    )


def _landing(state: State, column: int) -> Place:
    """Return the place of the next stone in a column."""
    return column, ((state[0] | state[1]) >> 7 * column & 0b111111).bit_count()


def _middle(place: Place) -> tuple[float, float]:
    """Return the middle of a square in pixels."""
    return (place[0] + 0.5) * SIDE, (HEIGHT - place[1] - 0.5) * SIDE


def _letters(sign: str, places: list[tuple[float, float]]) -> str:
    """Return one text whose letters stand apart, each at a place of its own."""
    x, y = " ".join(f"{x:g}" for x, _ in places), " ".join(f"{y + 4.5:g}" for _, y in places)
    return f'<text x="{x}" y="{y}" fill="#fff">{sign * len(places)}</text>'


def _mark(sign: str, colour: str, x: float, y: float) -> str:
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{SIDE * 0.39:.1f}" fill="#fff" stroke="{colour}" stroke-width="2"'
    return f'{circle} stroke-dasharray="4 2.5"/>' + _text(x, y + 5, colour, sign)


def _column_name(column: int, played: int, better: int) -> str:
    fill = PLAYED if column == played else BETTER if column == better else INK
    return _text(column * SIDE + SIDE / 2, HEIGHT * SIDE + 15, fill, str(column))


def _text(x: float, y: float, fill: str, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{fill}">{words}</text>'


def diagram(game: PlayedGame) -> str:
    """Return a game as SVG: X blue, O orange, the opening's stones pale, a ring around the four that won."""
    stones = _stones(game.actions)
    four = _four(stones)
    shapes = [f'<rect width="{WIDTH * SIDE}" height="{HEIGHT * SIDE}" fill="white" stroke="{GRID}"/>']
    for column in range(WIDTH):
        for row in range(HEIGHT):
            number = stones.get((column, row), 0)
            shapes.append(_square((column, row), number, number <= game.num_opening, (column, row) in four))
    width, height = WIDTH * SIDE, HEIGHT * SIDE
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" '
            f'height="{height + 2}" role="img"><title>{_moves(game)}</title>{"".join(shapes)}</svg>')


def _stones(actions: tuple[int, ...]) -> dict[Place, int]:
    """Return the number of the move, from 1, that filled each square."""
    heights, stones = [0] * WIDTH, {}
    for number, column in enumerate(actions, 1):
        stones[column, heights[column]] = number
        heights[column] += 1
    return stones


def _four(stones: dict[Place, int]) -> set[Place]:
    """Return the squares of every row of four, or more, of one colour."""
    places: set[Place] = set()
    for column, row in stones:
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [(column + step * right, row + step * up) for step in range(4)]
            if len({stones[place] % 2 for place in line if place in stones}) == 1 and all(place in stones for place in line):
                places.update(line)
    return places


def _square(place: Place, number: int, opening: bool, won: bool) -> str:
    x, y = _middle(place)
    if not number:
        return f'<circle cx="{x}" cy="{y}" r="{SIDE * .4:.1f}" fill="{EMPTY}"/>'
    ring = f' stroke="{INK}" stroke-width="2.5"' if won else ""
    pale = ' fill-opacity=".45"' if opening else ""
    return (f'<circle cx="{x}" cy="{y}" r="{SIDE * .4:.1f}" fill="{X_COLOUR if number % 2 else O_COLOUR}"{pale}{ring}/>'
            f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-family="Helvetica, Arial, sans-serif" font-size="11" '
            f'font-weight="bold" fill="{INK if opening else "white"}">{number}</text>')


def _moves(game: PlayedGame) -> str:
    return f"columns 0 to 6: {' '.join(map(str, game.actions))}"
