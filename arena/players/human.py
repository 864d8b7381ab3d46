"""A human player at the keyboard of a terminal; a notebook has `arena.board.widgets.play_widget`."""

import random
from collections.abc import Callable

from arena.games.boards import board_text, must_pass
from arena.games.game import Game, State


class HumanPlayer:
    """Prints the board, and asks for an action until the answer is a legal one.

    Args:
        ask: takes the question, returns the answer as text.
    """

    def __init__(self, game: Game, ask: Callable[[str], str] = input):
        self.game, self.ask = game, ask

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the typed action; "pass" is an answer where the player must pass. `simulations` and `rng` are not used.

        Raises:
            EOFError: the answer is "q": the player gives up the game.
        """
        print(board_text(self.game, state))
        legal = self.game.legal_actions(state)
        choice = f"{legal[0]}, a pass" if must_pass(self.game, state) else f"one of {', '.join(map(str, legal))}"
        while True:
            answer = self.ask(f"your move, {choice} (q to stop): ").strip()
            if answer == "q":
                raise EOFError("the game was stopped")
            if answer == "pass" and must_pass(self.game, state):
                return legal[0]
            if answer.isdecimal() and int(answer) in legal:
                return int(answer)
            print(f"{answer!r} is not one of them")
