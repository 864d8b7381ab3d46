"""You, at the keyboard: in a notebook with the board drawn, elsewhere with the board printed."""

import random
import sys
from collections.abc import Callable

from arena.games.game import Game, State


class HumanPlayer:
    """Shows the board, asks for an action, and asks again until it is a legal one.

    Args:
        ask: takes the question, returns the answer as text.
    """

    def __init__(self, game: Game, ask: Callable[[str], str] = input):
        self.game, self.ask = game, ask

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the action typed in; `simulations` and `rng` are not needed.

        Raises:
            EOFError: the answer is "q": the player gives up the game.
        """
        show(self.game, state)
        legal = self.game.legal_actions(state)
        while True:
            answer = self.ask(f"your move, one of {', '.join(map(str, legal))} (q to stop): ").strip()
            if answer == "q":
                raise EOFError("the game was stopped")
            if answer.isdecimal() and int(answer) in legal:
                return int(answer)
            print(f"{answer!r} is not one of them")


def show(game: Game, state: State) -> None:
    """Show a board the way this place can: drawn in a notebook, else printed."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        from IPython.display import display

        from arena.show.board import draw_board

        display(draw_board(game, state))
    else:
        print(game.text(state))
