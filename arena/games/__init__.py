"""Games to search over: `TicTacToe()`, `ConnectFour()`, `Othello()`, and toy games given as data."""

from arena.games.connect_four import ConnectFour
from arena.games.game import BoardShape, Drawable, Game, IllegalMove, State, after, result_for
from arena.games.othello import Othello
from arena.games.tic_tac_toe import TicTacToe
from arena.games.toy import FIVE_SIMULATIONS, ToyGame

__all__ = ["FIVE_SIMULATIONS", "BoardShape", "ConnectFour", "Drawable", "Game", "IllegalMove", "Othello", "State", "TicTacToe",
           "ToyGame", "after", "result_for"]
