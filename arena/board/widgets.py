"""Cells of a notebook: play against your own search, look at its tree, watch one simulation.

They are tested in JupyterLab and Notebook 7; anywidget supports VS Code and Colab too. A notebook that was saved and not run
shows a picture or a line instead.
"""

import random
from typing import Any

from arena.board.opponents import LADDER_GAME, Opponent, asking, bots
from arena.board.positions import GAMES
from arena.board.session import Session
from arena.board.tree_view import TreeView
from arena.challenge.ladder import load_ladder
from arena.errors import UserError
from arena.games import after
from arena.games.game import Game, State
from arena.match import Player
from arena.show.board import draw_board
from arena.show.play import PlayableBoard
from arena.show.step import Phases

OWN = "own"
OWN_SIMULATIONS = 100
NO_WIDGETS = "this needs the package anywidget: python -m pip install anywidget, then restart the kernel"


def play_widget(game: Game, player: Player | str, *, you: str = "X", simulations: int | None = None, moves: str = "",
                seed: int | None = 1) -> Any:
    """Return a game between you and `player`, for the end of a cell.

    Args:
        game: one of `arena.games`; for a game of your own use `arena.show.play.PlayableBoard`.
        player: answers your moves; if it has them, `new_game()` and `observe(action)` are called as in a match. Or the name of
            an opponent of `arena play`: "uct", "perfect", "random", or "stone" and the other bots of the ladder.
        you: "X", who moves first, or "O".
        simulations: the player's budget for a move; it can be changed on the board. 0: the player has none. None: 100, or the
            usual budget of the named opponent.
        moves: with which the game begins, as in an address of the board: "4435"; in Othello with dots, "13.9.10".
        seed: of the player's generator: the same clicks give the same game. None: other games every time.

    Without the package anywidget the result is a `PlayableBoard`, with plain buttons.

    Raises:
        UserError: `you` is neither "X" nor "O", the game is not one of `arena.games`, no opponent has this name, `moves` are no
            moves of the game, or a named opponent or moves are asked for without anywidget.
    """
    names = [name for name, known in GAMES.items() if type(known) is type(game)]
    if not names:
        raise UserError(f"the board knows {', '.join(GAMES)}; for a game of your own use arena.show.play.PlayableBoard")
    if you not in ("X", "O"):
        raise UserError(f"`you` must be X or O, not {you!r}")
    budget = OWN_SIMULATIONS if simulations is None else simulations
    try:
        from arena.board.messages import BoardWidget
    except ImportError:
        if isinstance(player, str) or moves:
            raise UserError(NO_WIDGETS) from None
        return PlayableBoard(game, player, you=you, simulations=budget, seed=1 if seed is None else seed)
    if isinstance(player, str):
        opponents, key = bots(load_ladder()) if names[0] == LADDER_GAME else [], player
    else:
        opponents, key = [Opponent(OWN, "your player", type(player).__name__, asking(player, "your player"), budget)], OWN
    session = Session(lambda name: opponents if name == names[0] else [], game=names[0], moves=moves, seed=seed)
    asked = {"do": "new", "you": you, "opponent": key}
    answer = session.answer(asked if simulations is None else {**asked, "simulations": simulations})
    if "error" in answer:
        raise UserError(answer["error"])
    board = draw_board(game, after(game, answer["board"]["actions"])).svg
    start = {"text/plain": f"You are {you}: run this cell to play.", "image/svg+xml": board}
    return BoardWidget(session.answer, start)


def tree_widget(game: Game, tree: Any, *, state: State | None = None, exploration: float = 1.0) -> Any:
    """Return the viewer of a search tree, for the end of a cell.

    Args:
        tree: the root of a search, or an object with the tables N and Q; `arena.show.nodes.read_tree` says what it may be.
        state: the position at the root of a tree in tables; None: the start of the game.
        exploration: c of the bounds that are shown.

    Raises:
        UserError: anywidget is not installed.
        UnreadableNode: `tree` is not a search tree.
    """
    return _tree(TreeView(game, tree, state=state, exploration=exploration), "run this cell to look at the tree")


def step_widget(game: Game, root: Any, phases: Phases, *, exploration: float = 1.0, rng: random.Random) -> Any:
    """Return the viewer of a tree that grows: a button runs the next phase of a simulation, with your own functions.

    Args:
        root: a node with the fields of `TreeNode`.
        phases: the four functions.
        exploration: the constant c for `select`, and for the bounds that are shown.
        rng: for `select` and `expand`.

    Raises:
        UserError: anywidget is not installed.
        UnreadableNode: `root` is not a node.
    """
    view = TreeView(game, root, exploration=exploration, phases=phases, rng=rng)
    return _tree(view, "run this cell to watch a simulation")


def _tree(view: TreeView, words: str) -> Any:
    try:
        from arena.board.messages import TreeWidget
    except ImportError:
        raise UserError(NO_WIDGETS) from None
    return TreeWidget(view.answer, {"text/plain": words})
