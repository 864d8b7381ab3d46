"""A board as a picture (SVG, for notebooks and pages); the game gives its shape and its rows."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

from arena.games.boards import can_pass, caption, changed, numbered, rows, shape_of, to_move
from arena.games.game import Game, State

X_COLOUR, O_COLOUR = "#0b6fb8", "#d9541e"  # colours that colour-blind readers can distinguish, also in grey
INK, GRID, EMPTY, LAST, NUMBER = "#222831", "#9aa5b1", "#dde3e8", "#ffe9a8", "#5c6873"
COLOURS = {"X": X_COLOUR, "O": O_COLOUR}
FONT = "Helvetica, Arial, sans-serif"
Place: TypeAlias = tuple[int, int]  # row, column


@dataclass(frozen=True)
class Board:
    """A picture of one state: a notebook displays it, `print` gives its text, `svg` is the drawing."""

    svg: str
    text: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.text


def draw_board(game: Game, state: State, *, before: State | None = None, square: int = 40) -> Board:
    """Draw the board of `state` with a line of text under it.

    Args:
        before: the state one move earlier; the square that changed is marked.
        square: the side of a square in pixels.
    """
    lines, shape = rows(game, state), shape_of(game)
    if shape is None:
        return Board(_frame(f'<text x="{2 * square}" y="{square * .7}" {_type(square * .5)} fill="{INK}">'
                            f'{escape(lines[0])}</text>', 4 * square, square, to_move(game, state)), game.text(state))
    last = set() if before is None else changed(game, before, state)
    shapes = squares(game, state, square, dict.fromkeys(last, LAST), numbered(game, state))
    width, height = square * shape.width, square * shape.height
    if shape.stones_fall:
        shapes += [f'<text x="{(c + .5) * square}" y="{height + square * .35}" {_type(square * .3)} fill="{NUMBER}">{c}</text>'
                   for c in range(shape.width)]
        height += square // 2
    return Board(_frame("".join(shapes), width, height, caption(game, state)), game.text(state))


def squares(
    game: Game, state: State, side: float, fills: Mapping[Place, str], numbers: Mapping[Place, int] | None = None
) -> list[str]:
    """Return the shapes of a board's squares with the corner at (0, 0): stones as discs or as letters.

    Args:
        side: the side of a square.
        fills: the colours of squares that are not white.
        numbers: the moves that empty squares stand for.
    """
    shape = shape_of(game)
    falls = shape is not None and shape.stones_fall
    look = _Look(side, discs=falls or can_pass(game), holes=falls)
    return [_square(sign, (r, c), look, fills.get((r, c), "white"), (numbers or {}).get((r, c)))
            for r, line in enumerate(rows(game, state)) for c, sign in enumerate(line)]


@dataclass(frozen=True)
class _Look:
    """The look of squares: the side of one in pixels, stones as discs or as letters, empty squares as holes or blank."""

    side: float
    discs: bool
    holes: bool


def _square(sign: str, place: Place, look: _Look, fill: str, number: int | None) -> str:
    """Return the shapes of the square at `place`; `number` is the move that the square stands for."""
    side = look.side
    y, x = place[0] * side, place[1] * side
    shapes = [f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}" stroke="{GRID}"/>']
    middle_x, middle_y = x + side / 2, y + side / 2
    if look.discs and (look.holes or sign in COLOURS):
        shapes.append(f'<circle cx="{middle_x}" cy="{middle_y}" r="{side * .38}" fill="{COLOURS.get(sign, EMPTY)}"/>')
    if sign in COLOURS:
        size = side * (.4 if look.discs else .7)
        shapes.append(f'<text x="{middle_x}" y="{middle_y + size * .36}" {_type(size)} font-weight="bold" '
                      f'fill="{"white" if look.discs else COLOURS[sign]}">{sign}</text>')
    elif number is not None:
        shapes.append(f'<text x="{middle_x}" y="{middle_y + side * .11}" {_type(side * .3)} fill="{NUMBER}">{number}</text>')
    return "".join(shapes)


def small_board(game: Game, state: State, marked: Collection[Place], side: float) -> str:
    """Return the shapes of a board with its corner at (0, 0), in few paths: a tree has many boards.

    Args:
        marked: (row, column) of the squares with the colour of the last move.
        side: the side of a square. Boards of up to three rows have letters; on others the discs of O have a light middle.
    """
    lines = rows(game, state)
    height, width = len(lines), len(lines[0])
    places = {sign: [((c + .5) * side, (r + .5) * side) for r, line in enumerate(lines)
                     for c, other in enumerate(line) if other == sign] for sign in COLOURS}
    letters = height <= 3
    frame = GRID if letters else INK  # a disc leaves little of a yellow square
    squares = "".join(f"M{c * side:g} {r * side:g}h{side:g}v{side:g}h{-side:g}z" for r, c in sorted(marked))
    shapes = [grid(height, width, side), f'<path d="{squares}" fill="{LAST}" stroke="{frame}"/>' if squares else ""]
    if letters:
        shapes += [f'<text x="{x:g}" y="{y + side * .25:g}" font-size="{side * .7:g}" font-weight="bold" text-anchor="middle" '
                   f'fill="{colour}">{sign}</text>' for sign, colour in COLOURS.items() for x, y in places[sign]]
    else:
        shapes += [dots(places[sign], side * .76, colour) for sign, colour in COLOURS.items()]
        shapes.append(dots(places["O"], side * .3, "white"))
    return "".join(shapes)


def grid(height: int, width: int, side: float) -> str:
    """Return the empty squares of a board as one path."""
    inner = [f"M0 {side * r:g}h{width * side:g}" for r in range(1, height)]
    inner += [f"M{side * c:g} 0v{height * side:g}" for c in range(1, width)]
    around = f"M0 0h{width * side:g}v{height * side:g}h-{width * side:g}z"
    return f'<path d="{around}{"".join(inner)}" fill="#fff" stroke="{GRID}"/>'


def dots(places: Iterable[tuple[float, float]], across: float, colour: str) -> str:
    """Return discs around (x, y) as one path: lines without a length and with round ends; "" without any."""
    ends = "".join(f"M{x:g} {y:g}h0" for x, y in places)
    return f'<path d="{ends}" stroke="{colour}" stroke-width="{across:.1f}" stroke-linecap="round"/>' if ends else ""


def _type(size: float) -> str:
    return f'text-anchor="middle" font-family="{FONT}" font-size="{size:.0f}"'


def _frame(shapes: str, width: int, height: int, words: str) -> str:
    """Return one drawing with shapes and a line of text."""
    full_width = max(width, 90)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {full_width + 4} {height + 26}" '
            f'width="{full_width + 4}" height="{height + 26}" role="img" style="background:white">'
            f'<title>{escape(words)}</title>{shapes}'
            f'<text x="{width / 2}" y="{height + 18}" {_type(13)} fill="{INK}">{escape(words)}</text></svg>')
