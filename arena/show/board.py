"""A board as a picture (SVG, for notebooks and pages); the game gives its shape and its rows."""

from dataclasses import dataclass
from html import escape

from arena.games.game import BoardShape, Drawable, Game, State, result_for

X_COLOUR, O_COLOUR = "#0b6fb8", "#d9541e"  # colours that colour-blind readers can distinguish, also in grey
INK, GRID, EMPTY, LAST, NUMBER = "#222831", "#9aa5b1", "#dde3e8", "#ffe9a8", "#5c6873"
COLOURS = {"X": X_COLOUR, "O": O_COLOUR}
FONT = "Helvetica, Arial, sans-serif"


def rows(game: Game, state: State) -> list[str]:
    """Return the rows of the board alone, top row first; a toy game has one row, the state's name."""
    return game.rows(state) if isinstance(game, Drawable) else _rows_of_text(game, state)


def shape_of(game: Game) -> BoardShape | None:
    """Return the shape of the board of `game`; None if the states are names, not boards of squares."""
    return game.board if isinstance(game, Drawable) else _shape_of_text(game)


# A game of problem set 1 has only the methods of `Game`. Only here is its board read from its text.
def _rows_of_text(game: Game, state: State) -> list[str]:
    lines = game.text(state).split("\n")
    return [line for line in lines if set(line) <= set("XO.")] or lines


def _shape_of_text(game: Game) -> BoardShape | None:
    lines = _rows_of_text(game, game.start())
    height, width = len(lines), len(lines[0])
    if height == 1:
        return None
    can_pass = game.num_actions == height * width + 1
    return BoardShape(height, width, game.num_actions == width, game.num_actions - 1 if can_pass else None)


def has_board(game: Game) -> bool:
    """Say whether the states of `game` are boards of squares, not names."""
    return shape_of(game) is not None


def changed(game: Game, before: State, state: State) -> set[tuple[int, int]]:
    """Return the (row, column) of every square that was filled between two states."""
    pairs = zip(rows(game, before), rows(game, state), strict=True)
    return {(r, c) for r, (old, new) in enumerate(pairs)
            for c, (a, b) in enumerate(zip(old, new, strict=True)) if a == "." != b}


def can_pass(game: Game) -> bool:
    """Say whether the game has passes, as Othello has."""
    shape = shape_of(game)
    return shape is not None and shape.pass_action is not None


def must_pass(game: Game, state: State) -> bool:
    """Say whether the player to move has no square to play although the game is not over."""
    shape = shape_of(game)
    return shape is not None and shape.pass_action is not None and game.legal_actions(state) == [shape.pass_action]


def numbered(game: Game, state: State) -> dict[tuple[int, int], int]:
    """Return the legal action at each (row, column), for boards on which it is hard to count squares.

    These are boards of more than three rows whose actions are squares; column numbers stand under the board.
    """
    shape = shape_of(game)
    if shape is None or shape.height <= 3 or shape.stones_fall:
        return {}
    return {divmod(action, shape.width): action for action in game.legal_actions(state) if action != shape.pass_action}


def board_text(game: Game, state: State) -> str:
    """Return a board for the terminal: its text, with the numbers of the legal moves on their squares if the game has passes."""
    if not can_pass(game):
        return game.text(state)
    numbers = numbered(game, state)
    lines = ["".join(f"{numbers.get((r, c), sign):>3}" for c, sign in enumerate(line))
             for r, line in enumerate(rows(game, state))]
    return "\n".join([*lines, caption(game, state)])


def mover(game: Game, state: State) -> str:
    """Name the player to move: X or O on a board, player 0 or player 1 elsewhere."""
    player = game.player(state)
    return "XO"[player] if has_board(game) else f"player {player}"


def to_move(game: Game, state: State) -> str:
    """Name in a few words the player to move at `state`, or the result of the game."""
    result = game.outcome(state)
    if result is None:
        return f"{mover(game, state)} must pass" if must_pass(game, state) else f"{mover(game, state)} to move"
    if not has_board(game):
        return f"over, for {mover(game, state)}"
    return "draw" if result == 0 else "X has won" if result_for(game, state, 0) > 0 else "O has won"


def caption(game: Game, state: State) -> str:
    """Return the words under a board: the player to move or the winner; in a game with passes, also the number of stones."""
    squares = "".join(rows(game, state))
    stones = f", X {squares.count('X')} : O {squares.count('O')}" if can_pass(game) else ""
    return to_move(game, state) + stones


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
    marked = set() if before is None else changed(game, before, state)
    numbers = numbered(game, state)
    look = _Look(square, discs=shape.stones_fall or can_pass(game), holes=shape.stones_fall)
    shapes = [_square(sign, (r, c), look, (r, c) in marked, numbers.get((r, c)))
              for r, line in enumerate(lines) for c, sign in enumerate(line)]
    width, height = square * shape.width, square * shape.height
    if shape.stones_fall:
        shapes += [f'<text x="{(c + .5) * square}" y="{height + square * .35}" {_type(square * .3)} fill="{NUMBER}">{c}</text>'
                   for c in range(shape.width)]
        height += square // 2
    return Board(_frame("".join(shapes), width, height, caption(game, state)), game.text(state))


@dataclass(frozen=True)
class _Look:
    """The look of squares: the side of one in pixels, stones as discs or as letters, empty squares as holes or blank."""

    side: int
    discs: bool
    holes: bool


def _square(sign: str, place: tuple[int, int], look: _Look, marked: bool, number: int | None) -> str:
    """Return the shapes of the square at `place` (row, column); `number` is the move that the square stands for."""
    side, fill = look.side, LAST if marked else "white"
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


def _type(size: float) -> str:
    return f'text-anchor="middle" font-family="{FONT}" font-size="{size:.0f}"'


def _frame(shapes: str, width: int, height: int, words: str) -> str:
    """Return one drawing with shapes and a line of text."""
    full_width = max(width, 90)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {full_width + 4} {height + 26}" '
            f'width="{full_width + 4}" height="{height + 26}" role="img" style="background:white">'
            f'<title>{escape(words)}</title>{shapes}'
            f'<text x="{width / 2}" y="{height + 18}" {_type(13)} fill="{INK}">{escape(words)}</text></svg>')
