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

    The text is for a place within a page of HTML, and short: a page has many positions.
    """
    marks = {_landing(state, played): ("✗", PLAYED), _landing(state, better): ("✓", BETTER)}
    signs = {(column, row): sign for row, line in enumerate(reversed(rows(GAME, state))) for column, sign in enumerate(line)}
    shapes = [grid(HEIGHT, WIDTH, SIDE), _holes()]
    stones = {sign: [_middle(place) for place, other in signs.items() if other == sign] for sign in COLOURS}
    shapes += [dots(stones[sign], SIDE * 0.78, colour) for sign, colour in COLOURS.items()]
    shapes += [_letters(sign, places) for sign, places in stones.items() if places]
    shapes += [_mark(*mark, *_middle(place)) for place, mark in marks.items()]
    others = [column for column in range(WIDTH) if column not in (played, better)]
    shapes += [_column_names([played], PLAYED), _column_names([better], BETTER), _column_names(others, INK)]
    width, height = WIDTH * SIDE, HEIGHT * SIDE + 20
    return (
        f'<svg viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" height="{height + 2}" role="img" '
        f'aria-label="{words}" text-anchor="middle" font-family="{FONT}" font-size="12" font-weight="bold">'
        f'{"".join(shapes)}</svg>'
    )


def _landing(state: State, column: int) -> Place:
    """Return the place of the next stone in a column."""
    return column, ((state[0] | state[1]) >> 7 * column & 0b111111).bit_count()


def _middle(place: Place) -> tuple[float, float]:
    """Return the middle of a square in pixels."""
    return (place[0] + 0.5) * SIDE, (HEIGHT - place[1] - 0.5) * SIDE


def _holes() -> str:
    """Return a hole in every square, also below stones, as dots of dotted lines down the columns."""
    lines = "".join(f"M{_middle((column, 0))[0]:g} {SIDE / 2:g}V{HEIGHT * SIDE}" for column in range(WIDTH))
    style = f'stroke="{EMPTY}" stroke-width="{SIDE * 0.78:.1f}" stroke-linecap="round" stroke-dasharray="0 {SIDE}"'
    return f'<path d="{lines}" {style}/>'


def _letters(sign: str, places: list[tuple[float, float]]) -> str:
    """Return one text whose letters stand apart, each at a place of its own."""
    x, y = " ".join(f"{x:g}" for x, _ in places), " ".join(f"{y + 4.5:g}" for _, y in places)
    return f'<text x="{x}" y="{y}" fill="#fff">{sign * len(places)}</text>'


def _mark(sign: str, colour: str, x: float, y: float) -> str:
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{SIDE * 0.39:.1f}" fill="#fff" stroke="{colour}" stroke-width="2"'
    return f'{circle} stroke-dasharray="4 2.5"/><text x="{x:g}" y="{y + 5:g}" fill="{colour}">{sign}</text>'


def _column_names(columns: list[int], fill: str) -> str:
    x = " ".join(f"{_middle((column, 0))[0]:g}" for column in columns)
    return f'<text x="{x}" y="{HEIGHT * SIDE + 15}" fill="{fill}">{"".join(map(str, columns))}</text>'


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
