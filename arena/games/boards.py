"""A board in words, of any game: its rows, its shape, what a move changed, who is to move."""

from arena.games.game import BoardShape, Drawable, Game, State, result_for


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

    These are boards of more than three rows whose actions are squares; column numbers are under the board.
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
