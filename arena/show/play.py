"""A playable board in a notebook for a game of your own, by its rules: click a square (or a column), and the opponent answers.

For the games of `arena`, `arena.board.widgets.play_widget` has the board of `arena play`.
"""

import random
from typing import Any

from arena.games.boards import caption, changed, must_pass, numbered, rows, shape_of
from arena.games.game import Game, result_for
from arena.match import Player
from arena.show.board import COLOURS, LAST, draw_board

SQUARE, LEGAL = "44px", "#eef4f8"


class PlayableBoard:
    """A game between you and a player; a notebook displays it, `click(action)` moves without a mouse.

    Args:
        opponent: the player that answers; the board calls its `new_game()` and `observe(action)` if it has them.
        you: "X", who moves first, or "O".
        simulations: the opponent's budget for a move.
        seed: the seed of the opponent's generator: the same clicks give the same game.

    Fields: state, actions (so far), message (the line under the board).
    """

    def __init__(self, game: Game, opponent: Player, *, you: str = "X", simulations: int = 100, seed: int = 1):
        self.game, self.opponent, self.simulations, self.seed = game, opponent, simulations, seed
        self._cells: dict[tuple[int, int], Any] = {}
        self._line: Any = None
        self.new_game(you)

    def new_game(self, you: str = "X") -> None:
        """Begin again with the colour `you`; if the opponent moves first, it moves now.

        Raises:
            ValueError: `you` is neither "X" nor "O".
        """
        if you not in ("X", "O"):
            raise ValueError(f"you are X or O, not {you!r}")
        self.you = "XO".index(you)
        self.actions: list[int] = []
        self.state = self.before = self.game.start()
        self._rng = random.Random(self.seed)
        if hasattr(self.opponent, "new_game"):
            self.opponent.new_game()
        self._answer()

    def click(self, action: int) -> None:
        """Play `action` for you and let the opponent answer; a click that is not legal only changes the message."""
        if self.game.outcome(self.state) is not None:
            self._say(f"{caption(self.game, self.state)}. The game is over: begin a new one.")
        elif action not in self.game.legal_actions(self.state):
            self._say(f"{action} is not legal here. Legal: {', '.join(map(str, self.game.legal_actions(self.state)))}")
        else:
            self._play(action)
            self._answer()

    def _play(self, action: int) -> None:
        self.before, self.state = self.state, self.game.play(self.state, action)
        self.actions.append(action)
        if hasattr(self.opponent, "observe"):
            self.opponent.observe(action)

    def _answer(self) -> None:
        """Let the opponent move until it is your turn or the game is over; after a pass it moves twice."""
        answers = []
        while self.game.outcome(self.state) is None and self.game.player(self.state) != self.you:
            self._say("thinking ...")
            answers.append(self.opponent.choose(self.state, self.simulations, self._rng))
            self._play(answers[-1])
        words = caption(self.game, self.state)
        if answers:
            words = f"the answer: {', '.join(map(str, answers))}. {words}"
        if self.game.outcome(self.state) is None:
            if must_pass(self.game, self.state):
                words += ". You have no move: press pass"
        elif result := result_for(self.game, self.state, self.you):
            words += ". You won" if result > 0 else ". You lost"
        self._say(words)

    def _say(self, message: str) -> None:
        self.message = message
        if self._line is not None:
            self._paint()

    def widget(self) -> Any:
        """Return the board as an ipywidgets box: squares as buttons, pass, new game, and a line of text.

        Raises:
            ValueError: the game has no board, as a toy game.
        """
        import ipywidgets as widgets

        shape = shape_of(self.game)
        if shape is None:
            raise ValueError(f"there are no squares to click on in {self.game!r}")
        self._cells = {(r, c): widgets.Button(layout=widgets.Layout(width=SQUARE, height=SQUARE, margin="1px"))
                       for r in range(shape.height) for c in range(shape.width)}
        for place, button in self._cells.items():
            action = shape.action_at(*place)
            button.on_click(lambda _, action=action: self.click(action))
        others = [widgets.Button(description=f"new game as {sign}") for sign in "XO"]
        for sign, button in zip("XO", others, strict=True):
            button.on_click(lambda _, sign=sign: self.new_game(sign))
        if shape.pass_action is not None:
            others.insert(0, widgets.Button(description="pass"))
            others[0].on_click(lambda _, action=shape.pass_action: self.click(action))
        self._line = widgets.Label()
        self._paint()
        grid = [widgets.HBox([self._cells[r, c] for c in range(shape.width)]) for r in range(shape.height)]
        return widgets.VBox([*grid, self._line, widgets.HBox(others)])

    def _paint(self) -> None:
        """Update the buttons and the line of text to the state."""
        last, numbers = changed(self.game, self.before, self.state), numbered(self.game, self.state)
        mine = self.game.outcome(self.state) is None and self.game.player(self.state) == self.you
        for r, line in enumerate(rows(self.game, self.state)):
            for c, sign in enumerate(line):
                button, number = self._cells[r, c], numbers.get((r, c)) if mine else None
                button.description = sign.strip(".") or ("" if number is None else str(number))
                button.style.button_color = COLOURS.get(sign, "white" if number is None else LEGAL)
                button.style.text_color = "white" if sign in COLOURS else "#5c6873"
                button.style.font_weight = "bold" if sign in COLOURS else "normal"
                button.layout.border = f"3px solid {LAST}" if (r, c) in last else "1px solid #9aa5b1"
        self._line.value = self.message

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Return the output for a notebook: the buttons; where they do not work (a page, a saved notebook), the drawn board."""
        shown = {"text/plain": str(self), "image/svg+xml": draw_board(self.game, self.state, before=self.before).svg}
        if shape_of(self.game) is None:
            return shown
        try:
            return shown | {kind: data for kind, data in self.widget()._repr_mimebundle_().items() if kind != "text/plain"}
        except ImportError:  # no ipywidgets
            return shown

    def __str__(self) -> str:
        return f"{self.game.text(self.state)}\n{self.message}"
