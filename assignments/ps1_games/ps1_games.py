# %% [markdown]
# # Problem set 1: games that one can search
#
# Every program of this course, from one page of tree search to AlphaZero, asks its game the same few questions:
# whose turn is it, what is allowed, what comes after this move, is it over and who has won? In this set you write
# the answers for Tic-Tac-Toe and Connect Four, on boards that you can print and read. Then you use them for two
# things at once: to find out *exactly* what a position is worth, and to see why that stops working on the very next
# larger board.
#
# ## First, a whole game
#
# Before you write anything, watch a whole game. It is so small that you see all of it. The board is three squares in a
# row. X begins, and two stones side by side win. Guess first: who wins, and with which first move? Then run the next
# cell and press the ▶ above the picture. The tree grows move by move, until every game is over. Then the results go up:
# at each board the player to move takes the best result below.

# %% tags=["experiment"] active="ipynb"
# from arena.show.grow import watch_tree
#
# watch_tree(3)

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# X wins, with the middle square.
#
# </details>
#
# The tree has 16 boards. Write 4 in place of 3 and it has 53. With five squares it would have 206 and with seven 3,980.
# The tree of Tic-Tac-Toe has 549,946 boards; many of them are the same board, reached in another order.
#
# This is the whole set in small. You write rules that a program can follow (1.1 to 1.6). You let the results go up
# (1.10). And you see how soon a game has too many boards for that.
#
# ## At the end you can
#
# - write the rules of a game so that a search can use them: immutable states, pure moves, one sign convention;
# - name the common mistakes in rules, and the check that catches each;
# - look at a position as the player to move sees it, and from all its symmetric sides;
# - solve Tic-Tac-Toe exactly, count its positions, and say how far that is from Connect Four;
# - say which games fit this form, and what dice, hidden cards or simultaneous moves break.
#
# ## Seven hours, about
#
# <details><summary><b>The parts, their points and their times</b></summary>
#
# | part | exercises | points | time |
# |---|---|---|---|
# | the first game, words and conventions, what a state is | – | – | 25 min |
# | states and actions | 1.1, 1.2 | 10 | 40 min |
# | the end of a game | 1.3, 1.4 | 21 | 75 min |
# | a move | 1.5, 1.6 | 20 | 80 min |
# | the same position, seen differently | 1.7, 1.8 | 18 | 60 min |
# | what is a position worth? | 1.9, 1.10 | 18 | 85 min |
# | somebody else's games | 1.11 | 6 | 15 min |
# | a mistake, found with a law: `groups`, optional | – | – | 25 min |
# | the bug in a tree | 1.13 | 2 | 5 min |
# | a check of your own, optional | 1.14 | up to 5 extra | 30 min |
# | everything together, which games fit, and play | joint check | 5 | 40 min |
# | an experiment of your own, optional | 1.12 | up to 5, marked by a person; in the maximum of 105 | 75 min |
#
# The seven hours are without the optional parts; with all of them it is a little over nine. Go by the order on the
# page, not by the numbers: 1.12 comes after the joint check.
#
# </details>
#
# **How to work.** Go from top to bottom. An exercise is a function with a `TODO`: write its body and delete the
# `raise`. The cell below it is a *visible check*: at first it says `NOT WRITTEN`, in the end `passed`. In between it
# shows the position that it tried and the result of your function. `python -m pytest` in this folder runs all visible
# checks; `python -m arena check -k 1.5` runs one check. Hidden checks give the points: they test the same sentences on
# other positions. Each exercise is graded with our versions of the functions that it calls, so an early mistake costs
# nothing in later exercises. Cells that play, plot or draw are experiments: they need your functions, and nothing is
# graded there. Some begin with a `guess` and a question. Write yours, then run the cell: without a guess it asks for
# one and stops, and `"skip"` runs it all the same. A guess is not graded either; it shows you what you did not expect.
# You may add cells anywhere. In `ps1_games.py` the cells that draw or play are comments: open the notebook for them.
#
# The cell below this text has imports that several experiments use: run it now. After a restart of the kernel, run all
# cells above the one where you go on (JupyterLab: *Run*, *Run All Above Selected Cell*). A cell without a guess stops
# that, so write `"skip"` there. A check that does not pass stops it too; go on by hand below that check.
#
# <details><summary><b>What you may import, and language models</b></summary>
#
# **What you may import.** Graded code may import Python's own modules, `numpy`, and of `arena` only `check`. Grading
# has nothing else: an import of scipy, of tqdm or of a file of your own fails there, even if it works here. If an
# exercise uses such an import, its check warns you. Experiments may import what you like.
#
# **Language models.** Your course decides what ChatGPT, Copilot and the like may do for you in this set. The page
# [Language models in this course](../../docs/language_models.md) has the rules. If you know none, ask before you begin.
#
# </details>

# %% tags=["experiment"] active="ipynb"
# # Imports that several experiments use. After a restart, run this cell too.
# import time
#
# import matplotlib.pyplot as plt
#
# import arena.games
# from arena.show.board import draw_board
# from arena.show.guess import compare, predict_first
# from arena.show.play import PlayableBoard

# %% [markdown]
# ## Key terms
#
# <details><summary><b>12 words, and what they are here</b></summary>
#
# | word | what it is here |
# |---|---|
# | game | the rules, nothing else; an object without memory |
# | state | a position, an immutable value: who is to move, the board, the legal actions |
# | action | a move, an int from 0 to `num_actions - 1`: a square in Tic-Tac-Toe, a *column* in Connect Four |
# | action mask | one bool for each action: whether it is legal |
# | ply | one move of one player |
# | outcome | how a finished game ended: +1, 0, -1, in some toy games a number between; `None` while it goes on |
# | model | a function that gives the state after an action; here the rules are a perfect model |
# | policy | numbers over the actions, or a rule that chooses one |
# | rollout | a game played to its end by a policy; also called a playout, hence the name `random_playout` |
# | value | a number for how good a state is for the player to move there |
# | canonical | a position as the player to move sees it |
# | oracle | a slow program that is certainly right, to test a fast one with |
#
# </details>
#
# ## The card of conventions
#
# All five problem sets share one card of conventions. Each set shows those lines of the card that it uses. Return to
# the first line, **the mover's view**, whenever a sign is wrong.
#
# <details><summary><b>The lines of this set</b></summary>
#
# > `outcome(S)` and every other value of a state S: for the player to move at S, in [-1, 1]. Every function that
# > values a state returns the value for the player to move there; the caller negates.
#
# So when X has just completed a line, it is O's turn, and the outcome is -1: the player to move, O, has lost. In
# games like ours the player to move at a finished state has never won: the other player placed the last stone.
#
# </details>

# %% [markdown]
# <details><summary><b>The story, part 1 of 5: a program on paper (two minutes)</b></summary>
#
# In October 1948 Claude Shannon finished a paper about a program that plays chess. He had no machine for it. Still,
# the paper has nearly all that you write in this set: a board as numbers, a list of the legal moves, +1, 0 and -1 for
# a position that is won, drawn or lost, and results that go up the tree, the best for one player, then the best for
# the other (Shannon 1950, sections 2, 4 and 5).
#
# He also counted. With 30 moves at each position and 40 moves by each player there are $10^{120}$ games. A machine
# that tries one in a microsecond would need $10^{90}$ years for its first move (section 2). So exact play was out of
# the question, and he described two kinds of programs. *Type A* looks at all moves to a fixed depth, and then
# estimates. He expected it to be slow and weak: a thousand million positions for three moves of each side, more than
# 16 minutes for one move. *Type B* looks at few moves, and follows them far. People do that: he reports of a chess
# master who considered 44 positions in all (section 6). How to choose the few moves was left open.
#
# Alpha-beta made such a search fast (Knuth and Moore 1975). In 1997 Deep Blue beat the world champion, with chips
# made for chess alone, a complex evaluation, and a search that goes deeper where it matters (Campbell, Hoane and Hsu
# 2002, abstract). For Go no good evaluation was found. That is where part 2 begins.
#
# Two remarks of Shannon's are worth keeping in mind. He played against random moves, won mostly within four or five
# moves, and calls such play unbelievably bad (section 5). From problem set 2 on, exactly such games will tell you
# what a position is worth. And he names the chief weakness of his program: it does not learn from its mistakes
# (section 7). In problem set 5 yours does.
#
# </details>
#
# ## What is given: a state
#
# A state holds three things and never changes. The board is an array of small ints, `1` for a stone of player 0, `-1`
# for one of player 1, `0` for an empty square; row 0 is the **top** row, as printed. Player 0 moves first and is
# drawn as X.
#
#     player       1                  X O .
#     board        [[1, -1, 0],       . X .      O to move; legal: 2, 3, 5, 6, 7, 8
#                   [0,  1, 0],       . . .
#                   [0,  0, 0]]
#     action_mask  [0, 0, 1, 1, 0, 1, 1, 1, 1]
#
# Why immutable? A search holds thousands of states at once. If `play` wrote on the given board, a position deep in
# the tree would change while another branch still uses it. The error shows up far away, as a search that plays a
# little worse than it should. So a `BoardState` makes its own copy of both arrays and locks it: writing into
# `state.board` is a ValueError. And because a state never changes, it can be a key of a dictionary, equal to every
# other state with the same contents.

# %%
import random
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from arena.check import check, expect, expect_by_rng, expect_error, expect_even, expect_true, run_all
from arena.own_check import verdict_of

State: TypeAlias = Hashable
Pair: TypeAlias = "tuple[BoardState, np.ndarray]"  # a state and a policy, (num_actions,) floats
STONE = (1, -1)  # STONE[player] marks that player's stones on the board; 0 is an empty square


@dataclass(frozen=True, eq=False)
class BoardState:
    """A position. It never changes, and two with the same contents are equal.

    Fields:
        player: 0 or 1, who is to move; player 0 moved first from `start()`.
        board: (H, W) int8, row 0 on top; 1 a stone of player 0, -1 one of player 1, 0 empty.
        action_mask: (num_actions,) bool, whether each action is legal; all False when the game is over.

    Both arrays are copied and locked: writing into them is a ValueError.
    """

    player: int
    board: np.ndarray
    action_mask: np.ndarray

    def __post_init__(self) -> None:
        for name, kind in (("board", np.int8), ("action_mask", np.bool_)):
            own = np.array(getattr(self, name), dtype=kind)
            own.setflags(write=False)
            object.__setattr__(self, name, own)

    def _contents(self) -> tuple:
        return self.player, self.board.shape, self.board.tobytes(), self.action_mask.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoardState) and self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash(self._contents())

    def __repr__(self) -> str:
        rows = "/".join("".join(".XO"[stone] for stone in row) for row in self.board)
        return f"<{rows}, player {self.player} to move, legal: {np.flatnonzero(self.action_mask).tolist()}>"


class IllegalMove(ValueError):
    """An action that the rules do not allow; it keeps the `action` and the `state`."""

    def __init__(self, action: object, state: State, board: str = "") -> None:
        super().__init__(f"action {action!r} is not legal at {board or repr(state)}")
        self.action, self.state = action, state


def read_board(text: str) -> np.ndarray:
    """Return the (H, W) int8 board that `text` shows, rows from the top: "X.O/.X./..." is Tic-Tac-Toe."""
    return np.array([[".XO".index(sign) if sign != "O" else -1 for sign in row] for row in text.split("/")], dtype=np.int8)


def position(text: str, legal: list[int]) -> BoardState:
    """Return a state with this board and these legal actions; X began, so the stones show who is to move."""
    board = read_board(text)
    mask = np.zeros(9 if board.size == 9 else board.shape[1], dtype=bool)
    mask[legal] = True
    return BoardState(0 if board.sum() == 0 else 1, board, mask)

# %% [markdown]
# ## And a class that grows
#
# The two games have much in common: turns, stones, "n in a row wins". One class, `BoardGame`, holds the common parts;
# each game adds its own parts. A Python class is usually written in one piece, but this lesson adds one method at a
# time: `@method_of(SomeClass)` makes the function below it a method of that class, as if you had written it inside
# the class. Running the cell again replaces the method everywhere.
#
# `transitions`, `random_playout` and `negamax`, further down, work with every game. They take any object with the
# methods of `Game`: your games, those of `arena.games`, or a game that somebody writes next year.

# %%
class Game(Protocol):
    """The methods of a game that a search may call; a search never looks into a state."""

    num_actions: int

    def start(self) -> State: ...

    def player(self, state: State) -> int: ...

    def legal_actions(self, state: State) -> list[int]: ...

    def play(self, state: State, action: int) -> State: ...

    def outcome(self, state: State) -> float | None: ...


def method_of(owner: type) -> Callable[[Callable], Callable]:
    """Make the function below it a method of the class `owner`, under its own name."""

    def put(function: Callable) -> Callable:
        setattr(owner, function.__name__, function)
        return function

    return put

# %% [markdown]
# ## 1.1 Where a game begins
#
# Two small questions that must have one answer each. *How many actions are there?* Count all actions of the game, not
# only those that are legal now: a policy is an array of that length, at every state. Tic-Tac-Toe has nine, one for
# each square. Connect Four has 42 squares and yet only **seven** actions: you choose a column, and the stone falls.
#
#     Tic-Tac-Toe        Connect Four
#      0 1 2             . . . . . . .
#      3 4 5             . . . . . . .
#      6 7 8             . . . . . . .
#                        . . . . . . .
#                        . . . . . . .
#                        . . . . . . .
#                        0 1 2 3 4 5 6      actions
#
# *Who is to move?* You could count the stones: if both players have the same number, it is X's turn. That works for
# these two games, but it fails in a game where a player may pass. So the state itself stores the player to move.
#
# **By hand:** the start of Tic-Tac-Toe is `BoardState(0, 3x3 zeros, nine times True)`.

# %% exercise="1.1" title="start" points=2
class BoardGame:
    """The common part of our games. A game sets its sizes; the cells below add the methods, one by one.

    Class data: height, width: of the board; run: how many stones in a row win.
    """

    height: int
    width: int
    run: int
    num_actions: int

    def start(self) -> BoardState:
        """Return the state before the first move: an empty board, player 0 to move, every action legal."""
        # TODO 1.1: a BoardState from an empty board and a mask of num_actions times True. 1 or 2 lines.
        raise NotImplementedError("exercise 1.1 (start) is not written yet")

    def player(self, state: BoardState) -> int:
        """Return the player to move at `state`, 0 or 1. The state names this player; the stones do not matter."""
        # TODO 1.1: the state stores the player. 1 line.
        raise NotImplementedError("exercise 1.1 (player) is not written yet")

    def text(self, state: BoardState) -> str:
        """Return the board as lines of X, O and "."; below it the columns' numbers if they are actions."""
        lines = ["".join(".XO"[stone] for stone in row) for row in state.board]
        columns = "".join(str(column) for column in range(self.width))
        return "\n".join([*lines, columns] if self.num_actions == self.width else lines)


class TicTacToe(BoardGame):
    """Three in a row on nine squares; action a is the square in row a // 3, column a % 3."""

    height, width, run = 3, 3, 3

    @property
    def num_actions(self) -> int:
        """The number of actions. The actions are the ints 0 .. num_actions - 1, at every state."""
        # TODO 1.1: a number. 1 line.
        raise NotImplementedError("exercise 1.1 (num_actions) is not written yet")


class ConnectFour(BoardGame):
    """Four in a row on six rows and seven columns; action a drops a stone into column a.

    A subclass may set another height, width, run and num_actions (one for each column). The rules, 1.1 to 1.5, then
    hold for a board of that size.
    """

    height, width, run = 6, 7, 4

    @property
    def num_actions(self) -> int:
        """The number of actions. The actions are the ints 0 .. num_actions - 1, at every state."""
        # TODO 1.1: a number. 1 line.
        raise NotImplementedError("exercise 1.1 (num_actions) is not written yet")

# %% check="1.1"
@check("1.1", "start")
def check_1_1():
    """a game begins with an empty board, player 0 to move, and every action legal"""
    expect(TicTacToe().num_actions, 9, what="num_actions of Tic-Tac-Toe", think="what does a player choose?")
    expect(ConnectFour().num_actions, 7, what="num_actions of Connect Four", think="what does a player choose?")
    empty = "/".join(["......."] * 6)

    class SmallBoard(ConnectFour):
        height, width, run, num_actions = 3, 4, 3, 4

    for game, start in [(TicTacToe(), position(".../.../...", list(range(9)))), (ConnectFour(), position(empty, list(range(7)))),
                        (SmallBoard(), position("..../..../....", list(range(4))))]:
        expect(game.start(), start, what="start()", position=type(game).__name__,
               think="how many rows and columns, who begins, and what is legal?")
        for board, says, legal in [("XO./.X./...", 1, [2, 3, 5, 6, 7, 8]), ("XO./.X./...", 0, list(range(9))),
                                   ("XO./.../...", 1, list(range(9))), ("XXX/OO./...", 1, []), ("OOO/XX./X..", 0, [])]:
            mask = [action in legal for action in range(9)]
            expect(game.player(BoardState(says, read_board(board), mask)), says, what="player",
                   position=f"{board}, in a state that says: player {says}; {'' if legal else 'the game is over'}",
                   think="do you count stones, or ask the state, at the end of a game too?")

# %% [markdown]
# ## 1.2 What is allowed
#
# The action mask says which actions are legal, in an array of the same shape as a policy. The board decides the mask.
# In Tic-Tac-Toe an action is legal if its square is empty. In Connect Four an action is legal while its **column**
# has room. One square is enough to know that: which one?
#
#     . X . . . . .      row 0, the top
#     . O . . . . .
#     . X . . . . .      column 1 is full, column 2 is not:
#     . O . . . . .      mask = [1 0 1 1 1 1 1]
#     . X . O . . .
#     . O X X . . .      row 5, the bottom
#
# Avoid two common mistakes: reading the bottom row, so that every column closes after its first stone; and asking "is
# there a stone of X?", because O's stones fill columns too.
#
# `legal_actions` gives the same information in the form that a loop needs: the numbers of the legal actions, in
# ascending order. They are Python's ints or NumPy's: `np.int64` is fine. `legal_actions` reads the state's mask. If the
# game is over, the mask is all False (your `play` of 1.5 makes it so), and the list is empty.

# %% exercise="1.2" title="legal actions" points=8
@method_of(TicTacToe)
def mask(self, board: np.ndarray) -> np.ndarray:
    """Return which actions the board has room for: (9,) bool, True where the square is empty.

    Args:
        board: (3, 3) int8, any stones; it is not changed. It does not matter here whether the game is over.
    """
    # TODO 1.2: compare with 0 and flatten. 1 line.
    raise NotImplementedError("exercise 1.2 (mask) is not written yet")


@method_of(ConnectFour)
def mask(self, board: np.ndarray) -> np.ndarray:
    """Return which actions the board has room for: (7,) bool, True where the column is not full.

    Args:
        board: (6, 7) int8, in a subclass (height, width); row 0 on top; it is not changed. It does not matter here
            whether the game is over.
    """
    # TODO 1.2: one row of the board is enough. 1 line.
    raise NotImplementedError("exercise 1.2 (mask) is not written yet")


@method_of(BoardGame)
def legal_actions(self, state: BoardState) -> list[int]:
    """Return the actions that state.action_mask allows, ascending, in a new list at every call.

    Only the mask counts: where it is all False, as after the end of a game, the list is empty.
    """
    # TODO 1.2: the positions of True in the mask, as a list of ints. 1 line.
    raise NotImplementedError("exercise 1.2 (legal_actions) is not written yet")

# %% check="1.2"
@check("1.2", "legal actions")
def check_1_2():
    """an action is legal where there is room: an empty square, or a column that is not full"""
    empty = "/".join(["......."] * 6)
    cases = [  # game, board, the actions that mask allows, question
        (TicTacToe(), "X.O/.X./..O", [1, 3, 5, 6, 7], "which squares are empty?"),
        (TicTacToe(), "XXX/OO./...", [5, 6, 7, 8], "does mask ask whether somebody has won?"),
        (ConnectFour(), empty, list(range(7)), "is an action a square, or a column?"),
        (ConnectFour(), ".O..X../.X..O../.O..X../.X..O../.O.OX../.XXXO..", [0, 2, 3, 5, 6],
         "which row is the last to fill, and does it matter whose stone is there?"),
        (ConnectFour(), "......./......./......./......./OOO..../XXXX...", list(range(7)),
         "does mask ask whether somebody has won?"),
    ]
    for game, board, wanted, question in cases:
        stones, where = read_board(board), board.replace("/", "\n")
        mask = game.mask(stones)
        expect((np.shape(mask), np.asarray(mask).dtype), ((game.num_actions,), np.dtype(bool)),
               what="the shape and the dtype of the mask", position=where,
               think="one entry for each action, or one for each square?")
        expect(np.flatnonzero(mask).tolist(), wanted, what="the actions that mask allows", position=where, think=question)
        expect(stones.tolist(), read_board(board).tolist(), what="the board afterwards", position=where,
               think="on whose board do you write?")
    expect(TicTacToe().legal_actions(position("XO./.../...", [4, 2, 8])), [2, 4, 8], what="legal_actions",
           position="a state whose mask allows 2, 4 and 8", think="where does legal_actions look, and what does it list?")
    for legal in ([], [5], [0, 3, 6]):
        expect(ConnectFour().legal_actions(position(empty, legal)), legal, what="legal_actions",
               position=f"an empty board of Connect Four in a state whose mask allows {legal}",
               think="where does legal_actions look?")

# %% tags=["experiment"] active="ipynb"
# game = ConnectFour()
# print(game.text(game.start()))
# print("mask ", game.start().action_mask.astype(int), " legal actions", game.legal_actions(game.start()))
# full = read_board(".O...../.X...../.O...../.X...../.O.O.../.XXX...")
# print(full)
# print("mask ", game.mask(full).astype(int))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# An empty board above its column numbers, and seven ones. Then a board with a full column 1,
# and a mask whose only zero is column 1.
#
# </details>
#
# ## 1.3 Is there a line?
#
# This is the only function with a real computation: does a player have `n` stones in an unbroken line? There are four
# directions, not eight: looking right and looking left find the same lines.
#
#     right (0, 1)      down (1, 0)      falling (1, 1)      rising (1, -1)
#      . . . .           . X . .           X . . .             . . . X
#      X X X .           . X . .           . X . .             . . X .
#      . . . .           . X . .           . . X .             . X . .
#
# The pair says how many rows down and how many columns to the right the next square lies. The last pair, (1, -1), goes
# down and *left* along a line that rises to the right.
#
# In a formula, with $b$ the board, $p$ the player's stone, and $(d_r, d_c)$ one of the four directions: is there a
# square $(r, c)$ with
#
# $$b_{r + k d_r,\; c + k d_c} = p \quad \text{for all } k = 0, \dots, n - 1,$$
#
# all of these squares **on the board**? Test that yourself: NumPy silently reads index -1 as the last row or column,
# and then finds false lines across the edge.
#
# **By hand.** For X and $n = 3$:
#
#     X X O X . .        the top row: two, an O, one: no. Counting starts again after every square without an X
#     . . X . . .        rising: (0, 3), (1, 2), (2, 1), (3, 0): four, so three too: yes
#     . X . . . .
#     X . . O O O        for O the bottom row: yes
#
# How will you know that your function is right? The usual mistakes are at the edges: the last diagonal in the corner,
# a board that is wider than high, width and height exchanged. There are 8 lines of three in Tic-Tac-Toe and 69 lines
# of four in Connect Four ($6 \cdot 4 + 7 \cdot 3 + 2 \cdot 3 \cdot 4$); the check below tries each of them.

# %% exercise="1.3" title="has_run" points=12
def has_run(board: np.ndarray, player: int, n: int) -> bool:
    """Return whether `player` has n stones in an unbroken line: in a row, a column or a diagonal.

    Args:
        board: (H, W) int8 of any size, with 1 for stones of player 0 and -1 for those of player 1; it is not changed.
        player: 0 or 1.
        n: the length, at least 2, perhaps more than the board has room for; a longer line counts too.
    """
    # TODO 1.3: four directions; in each, is there a square where n of the player's stones begin?
    #           Loops over squares, or arrays shifted against each other. About 10 lines.
    raise NotImplementedError("exercise 1.3 (has_run) is not written yet")

# %% check="1.3"
@check("1.3", "has_run")
def check_1_3():
    """n stones of one player in an unbroken line are found, in all four directions and up to the edges"""
    directions, num_lines = [(0, 1), (1, 0), (1, 1), (1, -1)], 0

    def ask(board, player, n, answer, question):
        before = board.copy()
        where = "\n".join("".join(".XO"[s] for s in line) for line in before)
        expect(has_run(board, player, n), answer, what=f"has_run for {'XO'[player]} with n = {n}", position=where,
               think=question)
        expect(board.tolist(), before.tolist(), what="the board afterwards", position=where,
               think="on whose board do you write?")

    for height, width, n in [(3, 3, 3), (6, 7, 4)]:
        for start in range(height * width):
            for down, right in directions:
                squares = [(start // width + k * down, start % width + k * right) for k in range(n)]
                if all(r < height and 0 <= c < width for r, c in squares):
                    num_lines += 1
                    for player in (0, 1):
                        board = np.zeros((height, width), dtype=np.int8)
                        for square in squares:
                            board[square] = STONE[player]
                        ask(board, player, n, True,
                            "whose stones are -1, and do you look in all four directions, up to every edge?")
                        ask(board, 1 - player, n, False, "whose stones do you count?")
    expect(num_lines, 8 + 69, what="the number of lines tried", think="is this line ours?")  # a check of the check
    for down, right in directions:  # two stones, a gap or a stone of the other, two stones
        for player, between in [(0, 0), (0, -1), (1, 0), (1, 1)]:
            board = np.zeros((5, 6), dtype=np.int8)
            for k in range(5):
                board[k * down, (4 if right < 0 else 0) + k * right] = between if k == 2 else STONE[player]
            ask(board, player, 3, False, "what does a gap, or a stone of the other, do to the counting, in each direction?")
            ask(board, player, 2, True, "how many stones does the shortest line have here?")
    cases = [  # board, player, n, answer, question
        (".....XX/X......", 0, 3, False, "does your row go round the edge of the board?"),
        ("X.XX", 0, 3, False, "does your row go round the edge of the board?"),
        ("X../..X/.X.", 0, 3, False, "does your diagonal go round the edge of the board?"),
        ("..X/X../.X.", 0, 3, False, "does your diagonal go round the edge of the board?"),
        ("X/./X/X", 0, 3, False, "does your column go round the edge of the board?"),
        ("XXXXX", 0, 4, True, "is a longer line a line, and does a board of one row have any?"),
        ("O/O/O/O", 1, 4, True, "does a board of one column have lines?"),
        ("X...../.X..../..X.../...X..", 0, 4, True, "is the board as high as it is wide?"),
        (".....O/....O./...O../..O...", 1, 4, True, "is the board as high as it is wide?"),
        ("O.../.O../..O.", 1, 4, False, "how many stones are there?"),
        ("XXX/XXX/XXX", 0, 4, False, "what if the board has no room for such a line?"),
        ("..../....", 0, 2, False, "whose stones are the empty squares?"),
    ]
    for board, player, n, answer, question in cases:
        ask(read_board(board), player, n, answer, question)

# %% tags=["experiment"] active="ipynb"
# import timeit
#
# board = read_board("......./......./....X../...XO../..XOX../.XOOOX.")
# print("X has four:", has_run(board, 0, 4), "  O has four:", has_run(board, 1, 4))
# seconds = timeit.timeit(lambda: has_run(board, 1, 4), number=500) / 500
# print(f"one call takes {seconds * 1e6:.0f} microseconds")

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# X has four (find them: they rise from the bottom row), O has not. You also see a time:
# loops over squares need some hundred microseconds, arrays shifted against each other ten to twenty. Speed is not
# graded here, but every search that you write will call this function at every node.
#
# </details>
#
# ## 1.4 How did it end?
#
# At a finished state, the player to move did not place the last stone. So only the *other* player can have just won,
# and then the outcome is -1, for both colours:
#
# $$\mathrm{outcome}(S) = \begin{cases} -1 & \text{the other player has a line} \\ 0 & \text{else, and the board is full} \\
# \text{None} & \text{else} \end{cases}$$
#
# The order of the cases matters. The ninth stone of Tic-Tac-Toe may complete a line *and* fill the board: that is a
# win. And `None` is not 0: a draw is a result, "it goes on" is not. In Python both are false, so `if outcome:` cannot
# tell them apart; write `is None`.
#
# Do not ask the mask whether the game is over. `play` makes the mask all False when the game is over. But a state made
# by hand may have any mask: it may still show the empty squares, or allow an action on a full board. So `outcome` asks
# the stones, and every later function asks `outcome`.
#
# **By hand:**
#
#     X X X            X O X            X O X
#     O O .            X O O            O X O
#     . . .            O X X            X X O
#     O to move: -1    O to move: 0     O to move: -1, X's last stone filled the board and won

# %% exercise="1.4" title="outcome" points=9
@method_of(BoardGame)
def outcome(self, state: BoardState) -> float | None:
    """Return the result for the player to move at `state`: -1.0 or 0.0; None while the game goes on.

    -1.0: the other player, who placed the last stone, has `self.run` in a row. 0.0: no player has, and the board is
    full. +1.0 does not occur in these games: the winner is never the player to move. The stones decide this, not the
    mask: at a won state the mask may be empty, or may still show the empty squares.
    """
    # TODO 1.4: first a line of the other player, then the full board. About 4 lines.
    raise NotImplementedError("exercise 1.4 (outcome) is not written yet")

# %% check="1.4"
@check("1.4", "outcome")
def check_1_4():
    """a line of the other player is a loss, a full board without one a draw, and all else goes on"""
    room = "......./......./......./......./"
    cases = [  # board, legal actions, outcome, question
        ("XXX/OO./...", [], -1.0, "who is to move, and who has the line?"),
        ("OOO/XX./X..", [], -1.0, "is it different when O has won?"),
        ("XXX/OO./...", [5, 6, 7, 8], -1.0, "who tells that the game is won, the stones or the mask?"),
        ("XOX/XOO/OXX", [], 0.0, "what is it when the board is full and nobody has a line?"),
        ("XOX/OXO/XXO", [], -1.0, "the last stone wins and fills the board: which counts?"),
        ("XO./.X./...", [2, 3, 5, 6, 7, 8], None, "is a game that goes on a draw?"),
        ("XOX/.../O..", [3, 4, 5, 7, 8], None, "which squares must be taken before the board is full?"),
        ("X../.../OOX", [1, 2, 3, 4, 5], None, "which squares must be taken before the board is full?"),
        ("X../O../XO.", [2, 4, 5, 8], None, "which squares must be taken before the board is full?"),
        (room + "OOO..../XXX...X", list(range(7)), None, "how many in a row does Connect Four want?"),
        (room + "OOO..../XXXX...", [], -1.0, "who is to move, and who has the line?"),
        (room + "OOOO.../XXXOXX.", [], -1.0, "is it different when O has won?"),
        ("OXXXOOO/XOOXXOX/XXXOOXO/OOOXXOO/XXOOXOX/XOXXOOX", [], 0.0, "what is it when the board is full and nobody has a line?"),
    ]
    for board, legal, value, question in cases:
        game = TicTacToe() if len(board) == 11 else ConnectFour()
        expect(game.outcome(position(board, legal)), value, what="outcome", think=question,
               position=f"{board}\nthe mask allows {legal}".replace("/", "\n"))

    class SmallBoard(ConnectFour):
        height, width, run, num_actions = 3, 4, 3, 4

    sizes = "how many in a row, and how many squares, has this game?"
    for board, value, mask, question in [
        ("..../..O./XXXO", -1.0, "the mask still allows column 0", sizes),
        ("..../XOO./XXO.", None, "the mask allows column 0", sizes),
        ("XXOO/OOXX/XXOO", 0.0, "the mask still allows column 0",
         "who says that the board is full, the stones or the mask, and how many squares has this board?"),
    ]:
        expect(SmallBoard().outcome(position(board, [0])), value, what="outcome", think=question,
               position=f"three in a row on a board of 3 rows and 4 columns; {mask}\n{board.replace('/', chr(10))}")
    turned = BoardState(0, read_board("OOO/XX./..."), [False] * 9)
    expect(TicTacToe().outcome(turned), -1.0, what="outcome", position="OOO/XX./..., in a state that says: player 0 is to move",
           think="who tells who is to move, the state or the number of stones?")

# %% [markdown]
# ## 1.5 A move
#
# `play(state, action)` is the heart of the rules: the state after a move. Four things must be right at once.
#
# 1. **It is pure.** The old state does not change; the new state has its own board. `state.board` is locked: write on
#    a copy. Writing into it is `ValueError: assignment destination is read-only`.
# 2. **The stone lands where the rules say.** In Tic-Tac-Toe on the square with the action's number; in Connect Four
#    on the *lowest* empty square of the column, which has the *highest* row number.
# 3. **The turn passes, and the mask follows the board.** If the move ends the game, nothing is legal any more. You may
#    make the new state twice: first with the board's mask, and again with a mask that is all False if `outcome` says that
#    the game is over. `outcome` reads only the stones and the player.
# 4. **What is not legal is refused.** A full column, a move after the end, an action that does not exist: `IllegalMove`.
#    Be careful with -1: Python reads it as the last square.
#
# **By hand**, Connect Four, action 1 at the left board, X to move. Column 1 has two stones, in rows 5 and 4. The next
# free square is row 3.
#
#     . . . . . . .            . . . . . . .      row 0
#     . . . . . . .            . . . . . . .
#     . . . . . . .            . . . . . . .
#     . . . . . . .    -->     . X . . . . .      row 3
#     . O . . . . .            . O . . . . .
#     . X . . . . .            . X . . . . .      row 5
#     player 0                 player 1
#
# The work is split: `landing` finds the square where a stone comes to rest, and differs between the games; `play` is
# the same for both.

# %% exercise="1.5" title="play" points=14
@method_of(TicTacToe)
def landing(self, board: np.ndarray, action: int) -> tuple[int, int]:
    """Return (row, column) of the empty square that an action takes, even if the game is over; the board is not changed."""
    # TODO 1.5: from the number of a square to its row and column. 1 line.
    raise NotImplementedError("exercise 1.5 (landing) is not written yet")


@method_of(ConnectFour)
def landing(self, board: np.ndarray, action: int) -> tuple[int, int]:
    """Return (row, column) of the lowest empty square of the column, where the stone falls; the board is not changed."""
    # TODO 1.5: row 0 is the top. How many squares of the column are empty? 1 or 2 lines.
    raise NotImplementedError("exercise 1.5 (landing) is not written yet")


@method_of(BoardGame)
def play(self, state: BoardState, action: int) -> BoardState:
    """Return the state after `action`; `state` itself is not changed.

    The stone of the player to move lands on its square, the other player is to move, and the mask is that of the new
    board; the mask is all False when the move has ended the game.

    Raises:
        IllegalMove: the action is not legal at `state`, is not one of 0 .. num_actions - 1, or the game
            is over, even if the mask still shows empty squares. The error keeps the action and the state.
    """
    # TODO 1.5: refuse an illegal action, and any action when the game is over; put the stone on a copy of
    #           the board; the mask of the new board, unless the new state is an end. About 9 lines.
    raise NotImplementedError("exercise 1.5 (play) is not written yet")

# %% check="1.5"
@check("1.5", "play")
def check_1_5():
    """a move gives a new state: one stone more, the other player to move, and a mask that follows the board"""
    class SmallBoard(ConnectFour):
        height, width, run, num_actions = 3, 4, 3, 4

    game, four, small, rows = TicTacToe(), ConnectFour(), SmallBoard(), ["......."] * 4
    column = "/".join([*rows, ".O.....", ".X....."])
    last = "......./.X...../.O...../.X...../.O...../.XO...."
    cases = [  # game, board, legal, action, board afterwards, legal afterwards, question
        (game, "XO./.../...", [2, 3, 4, 5, 6, 7, 8], 5, "XO./..X/...", [2, 3, 4, 6, 7, 8],
         "whose stone lands in which row and column, who is next, and what is legal then?"),
        (game, "XO./..X/...", [2, 3, 4, 6, 7, 8], 6, "XO./..X/O..", [2, 3, 4, 7, 8], "whose stone is it, and who is next?"),
        (game, "XX./OO./...", [2, 5, 6, 7, 8], 2, "XXX/OO./...", [], "what is legal when the game is over?"),
        (game, "XX./OO./X..", [2, 5, 7, 8], 5, "XX./OOO/X..", [], "what is legal when O has won?"),
        (game, "XO./.../...", [4], 4, "XO./.X./...", [2, 3, 5, 6, 7, 8],
         "which mask has the new state: the old one's, or its board's?"),
        (four, column, list(range(7)), 1, "/".join([*rows[1:], ".X.....", ".O.....", ".X....."]), list(range(7)),
         "which row is the bottom, is the stone below still there, and does the column stay open?"),
        (four, column, list(range(7)), 6, "/".join([*rows, ".O.....", ".X....X"]), list(range(7)),
         "where does the first stone of a column lie?"),
        (four, last, list(range(7)), 1, ".X...../" + last[8:], [0, 2, 3, 4, 5, 6], "does the mask follow the new board?"),
        (four, "/".join([*rows, "OOO....", "XXX...."]), list(range(7)), 3, "/".join([*rows, "OOO....", "XXXX..."]), [],
         "what is legal when the game is over?"),
        (small, "..../...O/...X", [0, 1, 2, 3], 3, "...X/...O/...X", [0, 1, 2], "a board of 3 rows: which row is its last?"),
        (small, "..../OO../XX..", [0, 1, 2, 3], 2, "..../OO../XXX.", [], "three in a row win on this board: is the game over?"),
    ]
    for rules, board, legal, action, wanted, after, question in cases:
        before = position(board, legal)
        expect(rules.play(before, action), position(wanted, after), what=f"play {action}", position=f"{before!r}", think=question)
        expect(before, position(board, legal), what="the state before", position=f"after play {action}",
               think="on whose board did you put the stone?")
    passed = BoardState(0, read_board("XO./.X./..."), [True] * 9)
    expect(game.play(passed, 7),
           BoardState(1, read_board("XO./.X./.X."), [False, False, True, True, False, True, True, False, True]),
           what="play 7", position="XO./.X./..., in a state that says: player 0 is to move", think="who tells who is to move?")
    for rules, board, action, row in [(game, ".../.../...", 5, 1), (game, ".../.../...", 6, 2), (four, column, 6, 5),
                                    (four, column, 1, 3),
                                    (four, last, 1, 0)]:
        if not hasattr(rules, "landing"):  # a play of your own may do without it
            continue
        stones = read_board(board)
        expect(rules.landing(stones, action), (row, action if rules is four else action % 3), what=f"landing of {action}",
               position=board.replace("/", "\n"),
               think="row 0 is the top: where does the stone rest, in an empty column and in a high one?")
        expect(stones.tolist(), read_board(board).tolist(), what="the board after landing", think="does landing put the stone?")
    full = position(".O...../.X...../.O...../.X...../.O...../.X.....", [0, 2, 3, 4, 5, 6])
    before, won = position("XO./.../...", [2, 3, 4, 5, 6, 7]), position("XXX/OO./...", [])
    won_open = position("XXX/OO./...", [5, 6, 7, 8])
    allowed = "which actions does the mask of this state allow, and which error is asked for?"
    over = "is the game over, and who tells you: the mask or `outcome`?"
    for rules, state, action, why in [
        (game, before, 0, "a stone is there"), (game, before, 8, "the mask forbids it"), (game, won, 5, "the game is over"),
        (game, won_open, 5, "the game is over, and the mask still shows the empty squares"),
        (game, before, 9, "there is no square 9"), (game, before, -3, "there is no square -3"),
                                    (four, full, 1, "column 1 is full"),
        (four, full, 7, "there is no column 7"), (four, full, -1, "there is no column -1"),
    ]:
        kept = []

        def refused():
            try:
                return rules.play(state, action)
            except IllegalMove as error:
                kept.append((error.action, error.state))
                raise

        where = f"{state!r}: {why}"
        expect_error(IllegalMove, refused, what=f"play {action}", position=where,
                     think=over if state is won_open else allowed)
        expect(kept, [(action, state)], what="the action and the state that the error keeps", position=where,
               think="with what is an IllegalMove made?")

# %% tags=["experiment"] active="ipynb"
# game, state, strip = ConnectFour(), ConnectFour().start(), []
# for action in [3, 3, 2, 4, 1, 0, 4]:
#     state = game.play(state, action)
#     strip.append(game.text(state).split("\n"))
# print("a game of Connect Four, ply by ply\n")
# for lines in zip(*strip):
#     print("   ".join(lines))
# draw_board(game, state)

# %% [markdown]
# Your game works with `arena`: the function that draws the picture knows nothing about your boards and only calls
# your methods. Try your rules: make the list longer, fill a column, win for O.
#
# ## 1.6 The model
#
# Put the pieces together: list all that can happen next at a state. $T(s)$ is the set of successors, one for each
# legal action, and the outcome says whether there are any:
#
# $$T(s) = \{\, a \mapsto \mathrm{play}(s, a) : a \in A(s) \,\}, \qquad T(s) = \{\} \text{ where the game is over.}$$
#
# In reinforcement learning this function is called the **model**. With a model an agent can *plan*: compute the
# results of actions without taking them. An agent without a model can only act, see the result, and learn from it;
# that is *model-free* learning, such as Q-learning. Here the model is perfect and costs nothing, which is the best
# case. In the last part you will meet games without a perfect model.
#
# **By hand**, with O to move, there are two legal actions, 5 and 6:
#
#     X X O                X X O            X X O
#     X O .     T = { 5:   X O O ,     6:   X O .  }     and the outcome is None
#     . O X                . O X            O O X
#
# On the last board O has 2, 4 and 6, the game is over, and `transitions` there gives `({}, -1.0)`.

# %% exercise="1.6" title="transitions" points=6
def transitions(game: Game, state: State) -> tuple[dict[int, State], float | None]:
    """Return all that can happen next: ({action: state after it}, outcome).

    While the game goes on: every legal action with its successor, and None. If the game is over: {} and the outcome.
    The dict is a new one at every call. The function works for any game: it asks the game about `state` and never
    looks into `state`.

    Source: Sutton and Barto (2018), section 8.1: a model that tells every possible next state.
    """
    # TODO 1.6: ask for the outcome; if there is none, play each legal action from the same state.
    #           About 4 lines.
    raise NotImplementedError("exercise 1.6 (transitions) is not written yet")

# %% check="1.6"
@check("1.6", "transitions")
def check_1_6():
    """every legal action leads to its own successor, and an end has none"""
    from arena.games import ToyGame  # a game whose states are names, into which nobody can look

    game, four = TicTacToe(), ConnectFour()
    board = position("XXO/XO./.OX", [5, 6])
    wanted = {5: position("XXO/XOO/.OX", [6]), 6: position("XXO/XO./OOX", [])}
    expect(transitions(game, board), (wanted, None), what="transitions", position="XXO/XO./.OX",
           think="which action leads to which state, and from which state is each one played?")
    expect(transitions(game, wanted[6]), ({}, -1.0), what="transitions", position="XXO/XO./OOX, where O has won",
           think="what can happen after the end?")
    draw = position("XOX/XOO/OXX", [])
    expect(transitions(game, draw), ({}, 0.0), what="transitions", position="XOX/XOO/OXX, a draw",
           think="is 0.0 an outcome?")
    column = position(".O...../.X...../.O...../.X...../.O...../.X.....", [0, 2, 3, 4, 5, 6])
    expect(transitions(four, column), ({action: four.play(column, action) for action in (0, 2, 3, 4, 5, 6)}, None),
           what="transitions", position="Connect Four, column 1 is full", think="do the keys tell the actions?")
    toy = ToyGame({"s0": ["s1", "s2", "s3"], "s3": ["s4"] * 3}, {"s1": -1.0, "s2": 1.0, "s3": 0.5})
    for state, answer in [("s0", ({0: "s1", 1: "s2", 2: "s3"}, None)), ("s1", ({}, -1.0)), ("s2", ({}, 1.0)),
                          ("s3", ({0: "s4", 1: "s4", 2: "s4"}, None)),
                          ("s4", ({}, 0.0))]:
        expect(transitions(toy, state), answer, what="transitions", think="do you ask the game, or the state?",
               position=f"a toy game: s0 -> s1, s2, s3; s3 -> s4, s4, s4; the ends s1, s2, s4 are worth -1, 1, 0; from {state}")

# %% [markdown]
# ## 1.7 As the player to move sees it
#
# A network that learns to judge positions (problem set 5) should not have to learn everything twice, once for X and
# once for O. So it is always shown the position from the mover's side: *my* stones are 1, *yours* are -1, and I am player 0.
# That is the **canonical** form:
#
# $$\mathrm{canonical}(p, b, m) = (0,\; \mathrm{STONE}_p \cdot b,\; m)$$
#
# Only the colours change. Nothing moves on the board, so the mask stays, and the value stays too: a position is just
# as good for the mover when the mover is called X.
#
# **By hand**, O to move:
#
#     X O .                               O X .
#     . X .     player 1     becomes      . O .     player 0
#     . . .                               . . .
#
# and a state with X to move is its own canonical form. The board on the right is no position of a real game: X is to
# move and has fewer stones than O. That does no harm: the rules test lines and empty squares, not counts.

# %% exercise="1.7" title="canonical" points=6
def canonical(state: BoardState) -> BoardState:
    """Return the position as the player to move sees it: own stones 1, the other's -1, player 0.

    Works for either game. The mask is the same; `state` itself is not changed.
    """
    # TODO 1.7: STONE[player] times the board is positive where the mover has a stone. 1 line.
    raise NotImplementedError("exercise 1.7 (canonical) is not written yet")

# %% check="1.7"
@check("1.7", "canonical")
def check_1_7():
    """the mover's stones are 1 and the mover is player 0; nothing moves on the board"""
    high = "/".join(["......."] * 4)
    cases = [  # the state, its canonical form's board, where
        (position("XO./.X./...", [2, 3, 5, 6, 7, 8]), "OX./.O./...", "XO./.X./..., O to move"),
        (position("XO./.../...", [2, 3, 4, 5, 6, 7, 8]), "XO./.../...", "XO./.../..., X to move"),
        (position("XXX/OO./...", []), "OOO/XX./...", "XXX/OO./..., where the game is over"),
        (position("OOO/XX./X..", []), "OOO/XX./X..", "OOO/XX./X.., where the game is over, X to move"),
        (BoardState(1, read_board("XO./.../..."), [False, True] * 4 + [True]), "OX./.../...",
         "XO./.../..., and the state says: player 1"),
        (BoardState(0, read_board("XO./.X./..."), [True, False] * 4 + [True]), "XO./.X./...",
         "XO./.X./..., and the state says: player 0"),
        (position(f"{high}/O....../XX....X", [0, 2, 5]), f"{high}/X....../OO....O",
         "Connect Four, O to move, columns 0, 2 and 5 legal"),
    ]
    for state, board, where in cases:
        copy = BoardState(state.player, state.board, state.action_mask)
        seen = canonical(state)
        expect(seen.board.tolist(), read_board(board).tolist(), what="the board", position=where,
               think="who is to move, by what the state says, and whose stones are 1 in the canonical form?")
        expect(seen.player, 0, what="the player", position=where, think="under which name does the mover move?")
        expect(seen.action_mask.tolist(), copy.action_mask.tolist(), what="the mask", position=where,
               think="does another colour of the stones change what is legal?")
        expect(canonical(seen), seen, what="canonical twice", position=where, think="who is to move in the canonical form?")
        expect(state, copy, what="the state before", position=where, think="on whose board do you write?")

# %% [markdown]
# ## 1.8 The same position eight times
#
# Turn a Tic-Tac-Toe board by 90 degrees, or look at it in a mirror: nothing about the game has changed. There are
# eight such views, four turns and four turns of the mirror image. Connect Four has two: because of gravity, only left
# and right can be exchanged. So a program that learns from games can use each position eight times (or twice), at no
# cost.
#
# But only if **everything** moves together. A policy has a number for each action, and after a turn the squares have
# other numbers. If you forget to turn the policy, you teach the network moves that were good somewhere else.
#
#     board and policy                    turned by np.rot90, once
#     X . .      0   .1  .2               . . .      .2  .5  .8
#     . O .      .3  .4  .5               . O .      .1  .4  .7
#     . . .      .6  .7  .8               X . .      0   .3  .6
#
# **By hand.** The corner 2 of the left board, with policy .2, has become corner 0 of the right one. As a flat array
# the policy was `[0, .1, .2, .3, .4, .5, .6, .7, .8]` and is `[.2, .5, .8, .1, .4, .7, 0, .3, .6]`. Turning the board by one
# and the policy by minus one looks almost right, and is wrong on every corner and edge.
#
# Two more things. Several views of a symmetric board, such as the empty one, are the same board. List each pair of
# state and policy **once**; otherwise such positions would count eight times in training. And `np.flip` and
# `np.rot90` do not copy: they give a window onto the array that you passed in. (NumPy calls such a window a *view*,
# too.) Copy it, or the next change of that array rewrites all of your examples.

# %% exercise="1.8" title="symmetries" points=12
def distinct(pairs: list[Pair]) -> list[Pair]:
    """Return the pairs (state, policy) without the repeated ones, in the same order.

    Two pairs are the same when their states are equal and their policies are equal, number by number, however
    small a difference is. Nothing is kept from one call to the next; `pairs` is not changed.
    """
    # TODO 1.8: remember the pairs seen so far; policy.tobytes() can go into a set. About 6 lines.
    raise NotImplementedError("exercise 1.8 (distinct) is not written yet")


@method_of(TicTacToe)
def symmetries(self, state: BoardState, policy: np.ndarray) -> list[Pair]:
    """Return the position turned and mirrored in all eight ways, with its policy, each distinct pair once.

    Args:
        policy: (9,) floats, one for each action.

    The pair as given comes first. Board, mask and policy move together, the player stays. The policies are new
    arrays, (9,) floats: writing into one changes nothing else. `state` and `policy` are not changed, and nothing is
    kept from one call to the next.

    Source: Silver et al. (2017), Methods: the symmetries of the board, used for learning.
    """
    # TODO 1.8: np.rot90 and np.fliplr on three 3 x 3 arrays. About 9 lines.
    raise NotImplementedError("exercise 1.8 (symmetries) is not written yet")


@method_of(ConnectFour)
def symmetries(self, state: BoardState, policy: np.ndarray) -> list[Pair]:
    """Return the position and its mirror image, each with its policy; only one of them where they are the same.

    Args:
        policy: (7,) floats, one for each column.

    The pair as given comes first. Board, mask and policy move together, the player stays. The policies are new
    arrays, (7,) floats: writing into one changes nothing else. `state` and `policy` are not changed, and nothing is
    kept from one call to the next.
    """
    # TODO 1.8: reverse the columns of all three. About 4 lines.
    raise NotImplementedError("exercise 1.8 (symmetries) is not written yet")

# %% check="1.8"
@check("1.8", "symmetries")
def check_1_8():
    """board, mask and policy move together, and each distinct view is listed once"""
    game, four, flat = TicTacToe(), ConnectFour(), np.full(9, 1 / 9)

    def numbers(pairs, legal):  # the policies, as the numbers that the actions had before; each board and mask must fit them
        orders = [np.rint(10 * np.asarray(moved)).astype(int) for _, moved in pairs]
        for (turned, _), order in zip(pairs, orders, strict=True):
            squares = board if board.size == 9 else board[:, order]
            wanted = BoardState(1, squares.ravel()[order].reshape(3, 3) if board.size == 9 else squares, np.isin(order, legal))
            expect(turned, wanted, what="the view's state",
                   position=f"{where}; the view with the policy {order.tolist()}, in tenths",
                   think="do board, mask and policy turn the same way, and who is to move?")
            expect(np.shape(turned.action_mask), (9,) if board.size == 9 else (7,), what="the shape of the view's mask",
                   position=where, think="is the mask flat again?")
        return [order.tolist() for order in orders]

    board, where = read_board("XO./X../..."), "XO./X../..., O to move; 4, 6 and 7 are legal; the policy is 0, .1, ... .8"
    policy = np.arange(9) / 10
    pairs = game.symmetries(BoardState(1, board, np.isin(np.arange(9), [4, 6, 7])), policy)
    views = ["012345678", "036147258", "210543876", "258147036", "630741852", "678345012", "852741630", "876543210"]
    expect(sorted(numbers(pairs, [4, 6, 7])), [[int(sign) for sign in view] for view in views],
           what="the policies in tenths, sorted",
           position=where, think="turned and mirrored: which eight views are there?")
    expect(np.asarray(pairs[0][1]).tolist(), policy.tolist(), what="the first policy", position=where,
           think="in which order are the views?")
    board = read_board("/".join(["......."] * 5 + ["X.OX..."]))
    where = "Connect Four, X.OX.... at the bottom; 1, 2 and 6 are legal"
    columns = np.arange(7) / 10
    mirrored = four.symmetries(BoardState(1, board, np.isin(np.arange(7), [1, 2, 6])), columns)
    expect(numbers(mirrored, [1, 2, 6]), [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]], what="the policies in tenths",
           position=where,
           think="gravity stays: what can be exchanged, and which comes first?")
    near, even, nearly = np.where(np.arange(9) == 0, flat + 1e-9, flat), np.ones(7) / 7, np.ones(7) / 7
    nearly[0] += 1e-9
    corner = position("X../.../...", [1, 2, 3, 4, 5, 6, 7, 8])
    for number, game_, state, given, why in [
        (1, game, game.start(), flat, "the empty board, all actions alike"),
                                             (8, game, game.start(), policy, "the empty board, all different"),
        (4, game, corner, flat, "X../.../..., all actions alike"),
                                             (4, game, game.start(), near, "the empty board, action 0 1e-9 above the rest"),
        (1, four, four.start(), even, "the empty board, all actions alike"),
        (2, four, four.start(), nearly, "the empty board, column 0 1e-9 above the rest"),
    ]:
        expect(len(game_.symmetries(state, given)), number, what="the number of views", position=f"{type(game_).__name__}, {why}",
               think="when are two pairs the same: which boards, which policies, and how close?")
    pairs = [(corner, flat), (game.start(), flat), (corner, policy), (corner, flat.copy()), (corner, near), (game.start(), flat)]
    for _ in range(2):
        kept = [next(k for k, pair in enumerate(pairs) if pair[0] == state and np.array_equal(pair[1], moved))
                for state, moved in distinct(pairs)]
        expect((kept, len(pairs)), ([0, 1, 2, 4], 6), what="(the places of the pairs that distinct keeps, the pairs afterwards)",
               position="six pairs, the fourth like the first and the sixth like the second; at each of two calls",
               think="which of two equal pairs stays, how equal, and does a call know of the one before?")
    for game_, given in [(game, flat.copy()), (game, policy), (four, even), (four, columns)]:
        views = [moved for _, moved in game_.symmetries(game_.start(), given)]
        expect([(moved.shape, moved.dtype.kind) for moved in views], [(given.shape, "f")] * len(views),
               what="shapes and kinds of the policies",
               position=type(game_).__name__, think="is each policy a flat array of floats?")
        before = [moved.tolist() for moved in views]
        given[:] = 9.0
        for number, moved in enumerate(views):
            expect_true(moved.tolist() == before[number], yours=moved.tolist(),
                        what=f"policy {number} of the list stays as it was when another array is changed",
                        position=f"{type(game_).__name__}; the policy given is now all 9, those listed before all 7",
                        think="is it a copy, or a window onto the given array?")
            moved[:] = 7.0
        expect(given.tolist(), [9.0] * len(given), position=type(game_).__name__,
               what="the policy given, after 7 was written into the policies of the list",
               think="is it a copy, or a window onto the given array?")

# %% tags=["experiment"] active="ipynb"
# game, state = TicTacToe(), position("X../.O./...", [1, 2, 3, 5, 6, 7, 8])
# policy = np.array([0, 0.05, 0.1, 0.05, 0, 0.1, 0.1, 0.2, 0.4])
# figure, axes = plt.subplots(2, 4, figsize=(10, 5), layout="constrained")
# for number, (axis, (turned, moved)) in enumerate(zip(axes.flat, game.symmetries(state, policy))):
#     picture = axis.imshow(moved.reshape(3, 3), cmap="Blues", vmin=0, vmax=0.5)
#     for square in range(9):
#         row, column = divmod(square, 3)
#         stone = ".XO"[turned.board[row, column]].replace(".", f"{moved[square]:.2f}")
#         axis.text(column, row, stone, ha="center", va="center", fontsize=18 if stone in "XO" else 9,
#                   color="white" if moved[square] > 0.3 else "black")
#     axis.set(title=f"view {number}", xticks=range(3), yticks=range(3), xlabel="column" * (number > 3),
#              ylabel="row" * (number % 4 == 0))
# figure.colorbar(picture, ax=axes, label="policy, the probability of each action");

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# Eight views of one position: the X in a corner, the O in the middle, and the darkest square
# always in the corner across from X. If the dark square of one view is beside the X, that board and its policy were
# turned in different directions.
#
# </details>
#
# ## 1.9 One random game
#
# What is a position worth? The simplest answer: play random moves to the end and see who wins. You have already
# written everything that this function needs, and the next problem set makes a strong player out of it. The only
# difficulty: whose result is it? `outcome` at the end is for the player to move **there**; your function returns the
# value for the player to move **where the rollout began**. After $k$ plies, at the finished state $s_k$,
#
# $$v(s_0) = (-1)^k \; \mathrm{outcome}(s_k).$$
#
# **By hand**, O to move:
#
#     X O X      8, then X has only 6: a draw, 0 after 2 plies
#     O O X
#     . X .      6, then X plays 8 and has 2, 5, 8: the outcome is -1 for O, after 2 plies: -1
#
# Each of the two games has a probability of one half, so a mean over many rollouts is $-\tfrac12$. A player who can
# choose plays 8. Keep this board in mind.
#
# How you draw a move with `rng` is up to you: no hidden check depends on one particular draw.

# %% exercise="1.9" title="random_playout" points=8
def random_playout(game: Game, state: State, rng: random.Random) -> float:
    """Play from `state` to the end, every legal action equally likely, and return the result.

    Args:
        game: any game; the function asks it about states and never looks into a state.
        state: where to begin; if the game is over there, no move is made.
        rng: the only source of chance.

    Returns the value for the player to move at `state`: +1.0 if that player wins in the end, 0.0 for
    a draw, -1.0 if the other does.
    """
    # TODO 1.9: play until the outcome is known, and remember which player it is for. About 6 lines.
    raise NotImplementedError("exercise 1.9 (random_playout) is not written yet")

# %% check="1.9"
@check("1.9", "random_playout")
def check_1_9():
    """the result belongs to the player to move where the rollout began"""
    from arena.games import ToyGame

    game, rng = TicTacToe(), random.Random(19)
    cases = [  # board, legal actions, the results that can come out, question
        ("XOX/OXO/OX.", [8], [1.0], "X has one move, and it wins: is that good for X?"),
        ("XOX/OOX/.X.", [6, 8], [-1.0, 0.0], "O is to move, and at the end O again: whose results are these? Are both there?"),
        ("XXX/OO./...", [], [-1.0], "the game is over: is there anything to play?"),
        ("XOX/XOO/OXX", [], [0.0], "the game is over: is a draw an outcome?"),
        ("XOX/XOO/OX.", [8], [0.0], "is a draw worth anything to anybody?"),
    ]
    for board, legal, values, question in cases:
        expect(sorted({random_playout(game, position(board, legal), rng) for _ in range(60)}), values,
               what="the results of 60 rollouts", position=board, think=question)
    ends = {"won": -1.0, "drawn": 0.0, "lost": 1.0}
    for names in (["won", "drawn", "lost"], ["drawn", "lost", "won"], ["lost", "won", "drawn"]):
        toy = ToyGame({"s0": ["s1"] * 3, "s1": names}, ends)
        for state in ("s1", "s0"):
            expect_even([random_playout(toy, state, rng) for _ in range(900)], [1.0, 0.0, -1.0], what=f"the results from {state}",
                        position=f"a toy game: s0 -> s1, s1, s1; s1 -> {', '.join(names)} by s1's mover",
                        think="is every legal action equally likely, the first and the last too, for both players?")
    expect([random_playout(toy, state, rng) for state in ends], [-1.0, 0.0, 1.0], what="the results from won, drawn, lost",
           position="a toy game that is over, and worth -1, 0, +1 to the player to move", think="is there anything to play?")
    expect_by_rng(lambda rng: [random_playout(game, game.start(), rng) for _ in range(3)], what="3 rollouts",
                  position="the empty board")
    four, board = ConnectFour(), position("OXXXOO./XOOXXOX/XXXOOXO/OOOXXOO/XXOOXOX/XOXXOOX", [6])
    expect(random_playout(four, board, rng), 0.0, what="the result", position="Connect Four, one square is free",
           think="does it work for any game?")
    results = [random_playout(game, game.start(), rng) for _ in range(2000)]
    # the mean is +.297, one result deviates by .89, the mean of 2,000 by .02: .10 is five times that
    expect(sum(results) / 2000, 0.2968, tolerance=0.10, what="the mean of 2,000 rollouts", position="the empty board",
           think="is every legal action equally likely, for both players?")

# %% [markdown]
# **How sure is a mean?** For Tic-Tac-Toe the answer can be computed: over *all* random games, with their
# probabilities, X wins 58.5 %, O 28.8 % and 12.7 % are drawn, so the exact mean is $+0.2968$. A single rollout
# is -1, 0 or 1, so it is never right, and the mean of $n$ of them is off by about $0.89/\sqrt n$. What do you expect of
# Connect Four, where random games are longer?

# %% tags=["experiment"] active="ipynb"
# guess = None  # X's mean result over random games of Connect Four, from -1 to 1? (In Tic-Tac-Toe it is +.30.)
# PLAYOUTS = 600  # the full setting: 20_000, more than five minutes if has_run loops over squares
# predict_first(guess)
# figure, axis = plt.subplots(figsize=(8, 4))
# for game, colour in [(TicTacToe(), "tab:blue"), (ConnectFour(), "tab:orange")]:
#     rng, name = random.Random(1), type(game).__name__
#     results = np.array([random_playout(game, game.start(), rng) for _ in range(PLAYOUTS)])
#     counts = np.arange(1, PLAYOUTS + 1)
#     axis.plot(counts, results.cumsum() / counts, color=colour, label=name)
#     won, drawn, lost = (np.mean(results == value) for value in (1, 0, -1))
#     print(f"{name}: won {won:.1%}, drawn {drawn:.1%}, lost {lost:.1%}")
# error = 0.89 / counts**0.5
# axis.fill_between(counts, 0.2968 - 2 * error, 0.2968 + 2 * error, color="tab:blue", alpha=0.15,
#                   label="exact mean of Tic-Tac-Toe, two standard errors either way")
# axis.axhline(0.2968, color="tab:blue", linewidth=0.8)
# axis.set(xscale="log", xlim=(5, PLAYOUTS), ylim=(-0.6, 1.0),
#          xlabel="rollouts from the empty board", ylabel="mean result for X")
# compare(guess, results.mean().item(), axis)  # of the last game, Connect Four
# axis.legend(loc="upper right")
# plt.tight_layout()

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# Both lines settle above zero: moving first helps even random players, in Tic-Tac-Toe by
# .30, in Connect Four by about .12, where hardly any game is drawn. With ten games either line may lie anywhere.
#
# </details>
#
# Your function never looks into a state, so it plays the games of `arena` as well. These games store a whole board in
# two ints instead of an array: hard to read, but fast. How much faster?

# %% tags=["experiment"] active="ipynb"
# guess = None  # how many times as many rollouts a second does the Connect Four of arena play?
# rates = []
# predict_first(guess)
# for game, number in [(ConnectFour(), 60), (arena.games.ConnectFour(), 2000)]:
#     rng, started = random.Random(1), time.perf_counter()
#     for _ in range(number):
#         random_playout(game, game.start(), rng)
#     rates.append(number / (time.perf_counter() - started))
#     print(f"{type(game).__module__:24} {rates[-1]:8,.0f} rollouts a second")
# compare(guess, rates[1] / rates[0])

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# About forty times as many if `has_run` shifts arrays, about two hundred if it loops. Both versions are right. Write
# them in this order: first rules that you can read and check, then fast rules, which you compare with the first. From
# the next problem set on you get the fast rules.
#
# </details>
#
# ## 1.10 The exact value
#
# Random players go wrong half of the time on the board of 1.9. Suppose instead that *both* players always choose
# their best move. Then every position has one value $v(s)$, defined by recursion:
#
# $$v(s) = \begin{cases} \mathrm{outcome}(s) & \text{where the game is over} \\
# \max_{a \in A(s)} -v(\mathrm{play}(s, a)) & \text{elsewhere} \end{cases}$$
#
# The minus is the mover's view once more: $v$ of the state after my move is *your* value there. This is **minimax**,
# and with the minus instead of two cases for the two players it is called **negamax**.
#
# **By hand**, the board of 1.9 again, O to move:
#
#                      X O X
#                      O O X      v = max(-0, -1) = 0
#                      . X .
#              8 /              \ 6
#        X O X                    X O X
#        O O X   v = -0 = 0       O O X   v = -(-1) = +1
#        . X O                    O X .
#          | 6                      | 8
#        X O X                    X O X
#        O O X   draw: 0          O O X   O to move, X has 2, 5, 8: -1
#        X X O                    O X X
#
# Rollouts gave $-\tfrac12$; the exact value is 0. No number of random games would find it.
#
# **The memo.** The same position is reached by many orders of moves. From the empty board there are 549,946 ways to
# get to some position, and only 5,478 positions. So keep a dictionary `memo` from states to values, look there first,
# and write every new value into it. Afterwards `memo` *is* the list of all positions with their exact values: 5,478
# entries.

# %% exercise="1.10" title="negamax" points=10
def negamax(game: Game, state: State, memo: dict[State, float] | None = None) -> float:
    """Return the exact value of `state` for the player to move there, when both play as well as possible.

    Args:
        game: any game whose players take turns, with any outcomes in [-1, 1]; states are asked about and never looked
            into.
        state: a state of it; where the game is over its outcome is the value.
        memo: {state: value} of the states whose values are known, for the mover at each state. A value in memo is not
            computed again. None begins with an empty memo, at every call.

    Afterwards memo holds every state that can be reached from `state`, finished ones too, with its
    value: no state is left out, even if one move already wins. But the search stops at a state that memo held before:
    what is reached only through such a state is not looked at and not entered.

    Source: Knuth and Moore (1975), section 2, procedure F.
    """
    # TODO 1.10: known already? over? else the best of the negated values of all successors. About 8 lines.
    raise NotImplementedError("exercise 1.10 (negamax) is not written yet")

# %% check="1.10"
@check("1.10", "negamax")
def check_1_10():
    """every position has one exact value, for the player to move there, and all of them are remembered"""
    from arena.games import ToyGame

    game, board = TicTacToe(), position("XOX/OOX/.X.", [6, 8])
    memo = {}
    expect(negamax(game, board, memo), 0.0, what="negamax", position="XOX\nOOX\n.X.  O to move",
           think="who chooses at the second ply, and in whose view is the value there?")
    where = "XOX/OOX/.X. and all that can follow"
    expect(len(memo), 5, what="the number of positions in memo", position=where,
           think="is every state entered, the first and the finished ones too, and into the caller's memo?")
    expect(memo.get(position("XOX/OOX/OX.", [8])), 1.0, what="the value of XOX/OOX/OX. in memo", position="X to move wins",
           think="whose value is that of the state after a move, and whose do you want?")
    cases = [  # board, legal actions, value
        ("XX./OO./...", [2, 5, 6, 7, 8], 1.0, "X can win at once"),
        ("X.X/OO./X..", [1, 5, 7, 8], 1.0, "O is to move and can win at once"),
        ("X../.../..O", [1, 2, 3, 4, 5, 6, 7], 1.0, "X to move makes two threats at once, in two moves"),
        ("XO./.X./..O", [2, 3, 5, 6, 7], 1.0, "X to move threatens two things at once"),
        ("XO./XX./O.O", [2, 5, 7], 1.0, "X to move can win at once"),
        ("X.X/OX./O..", [1, 5, 7, 8], -1.0, "O is to move, and X threatens two things"),
        ("X../.../...", [1, 2, 3, 4, 5, 6, 7, 8], 0.0, "O to move can hold the draw"),
        ("XXX/OO./...", [], -1.0, "over: O, who is to move, has lost"),
        ("XOX/XOO/OXX", [], 0.0, "over: a draw"),
    ]
    for text, legal, value, why in cases:
        expect(negamax(game, position(text, legal)), value, what="negamax", position=f"{text}: {why}",
               think="who chooses at each ply, and in whose view is each value?")
    rules, memo = {"s0": ["won", "s1"], "s1": ["s2", "s3"]}, {}
    negamax(ToyGame(rules, {"won": -1.0}), "s0", memo)
    expect(memo, {"s0": 1.0, "won": -1.0, "s1": 0.0, "s2": 0.0, "s3": 0.0}, what="memo",
           position="a toy game: s0 -> won, s1; s1 -> s2, s3, which are draws",
           think="what lies beside a move that wins already, and is each value for the player to move there?")
    expect([negamax(ToyGame(rules, {"won": value}), "s0") for value in (-1.0, 1.0)], [1.0, 0.0], what="negamax without a memo",
           position="two toy games, one after the other: s0 -> won, s1; s1 -> s2, s3, which are draws; "
                    "in the first game `won` is worth -1 to the player to move there, in the second +1",
           think="does every call without a memo begin with an empty one?")
    lost, memo = ToyGame({"s0": ["a", "b"], "a": ["c", "c"], "b": ["c", "d"]}, {"c": -1.0, "d": 1.0}), {}
    expect((negamax(lost, "s0", memo), memo), (-1.0, {"s0": -1.0, "a": 1.0, "b": 1.0, "c": -1.0, "d": 1.0}),
           what="(negamax, memo)",
           position="a toy game: s0 -> a, b; a -> c, c; b -> c, d; c and d are worth -1 and 1",
           think="what is best where every move loses?")
    for known, value in [({"a": 0.5}, -0.5), ({"a": 0.0}, 0.0), ({"s0": 0.0}, 0.0), ({"b": -0.25}, 0.25)]:
        expect(negamax(lost, "s0", dict(known)), value, what="negamax of s0",
               position=f"a toy game: s0 -> a, b; a -> c, c; b -> c, d; c is worth -1, d 1; memo before: {known}",
               think="where does negamax look first, and is 0.0 a value?")

# %% tags=["experiment"] active="ipynb"
# guess = None  # what share of the positions with two stones are exact wins for X, who is to move, from 0 to 1?
# predict_first(guess)
# game, memo, started = TicTacToe(), {}, time.perf_counter()
# value = negamax(game, game.start(), memo)
# seconds = time.perf_counter() - started
# print(f"Tic-Tac-Toe is worth {value + 0.0:g} to X; {len(memo):,} positions in {seconds:.1f} seconds")
# table = {(ply, result): 0 for ply in range(10) for result in (1.0, 0.0, -1.0)}
# for state, result in memo.items():
#     table[np.count_nonzero(state.board), result] += 1
# figure, axis = plt.subplots(figsize=(8, 4))
# floor = np.zeros(10)
# for result, name, colour in [(1.0, "won", "tab:blue"), (0.0, "drawn", "lightgrey"), (-1.0, "lost", "tab:orange")]:
#     heights = np.array([table[ply, result] for ply in range(10)])
#     axis.bar(range(10), heights, bottom=floor, color=colour, label=f"{name} for the player to move")
#     floor += heights
# axis.set(xlabel="stones on the board", ylabel="positions", xticks=range(10),
#          title="all positions of Tic-Tac-Toe by their exact value")
# axis.legend()
# plt.tight_layout()
# compare(guess, table[2, 1.0] / sum(table[2, result] for result in (1.0, 0.0, -1.0)))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# A draw, and 5,478 positions in a second or two. The bars alternate. With 2, 4 or 6 stones X
# is to move and wins at least two thirds of the positions; with an odd number O is to move and wins less than half. So
# among *all* positions, most of which come from poor moves, the first mover stays ahead; but between two players who
# make no mistakes, moving first does not help. `memo` is your oracle from here on: compare your later programs for
# Tic-Tac-Toe with it. (In the cell, `+ 0.0` only removes a sign: -0.0 equals 0.0.)
#
# </details>
#
# ### And Connect Four?
#
# The same function and the same rules would solve it, if you could wait. For how long? Count the positions that can
# be reached, ply by ply. (To be quick, this cell uses `arena.games`, whose Connect Four keeps a board in two ints.)

# %% tags=["experiment"] active="ipynb"
# guess = None  # how many positions of Connect Four have PLIES stones? (There are 7 ** PLIES ways to play.)
# PLIES = 7  # the full setting: 9, some ten seconds
# predict_first(guess)
# figure, axis = plt.subplots(figsize=(8, 4))
# boards = [(arena.games.TicTacToe(), "Tic-Tac-Toe", 9), (arena.games.ConnectFour(), "Connect Four", PLIES)]
# for game, name, plies in boards:
#     level, sizes, started = {game.start()}, [1], time.perf_counter()
#     for _ in range(plies):
#         level = {after for state in level for after in transitions(game, state)[0].values()}
#         sizes.append(len(level))
#     axis.plot(range(plies + 1), sizes, marker="o", label=name)
#     print(f"{name}: {sizes}, together {sum(sizes):,}, in {time.perf_counter() - started:.1f} s")
# axis.set(yscale="log", xlabel="stones on the board", ylabel="positions", title="positions that can be reached")
# axis.legend()
# plt.tight_layout()
# years = 4_531_985_219_092 / sum(sizes) * (time.perf_counter() - started) / 3.15e7
# print(f"at this speed all 4,531,985,219,092 positions take {years:.1f} years;")
# print("and to keep them, at 16 bytes each, 73 terabytes")
# compare(guess, sizes[-1], axis, at=PLIES)  # of the last game, Connect Four

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# On a scale where each mark is ten times the one below, Tic-Tac-Toe bends down again before
# it has reached 2,000, and Connect Four goes on straight. With 7 of 42 stones there are
# 54,859 positions, together with all earlier ones 76,959. Nearly all are still to come.
#
# </details>
#
# **Alpha-beta** leaves out what cannot matter. If my first move is worth 0 and the first reply to my second move
# already gives you +1, then my second move is no better than -1, and its other replies need not be looked at. With
# perfect move order a tree of depth $d$ and branching $b$ needs about $b^{d/2}$ instead of $b^d$ leaves (Knuth and
# Moore, 1975): one sees *twice as deep* in the same time. The value of the root is the same, but the values of
# positions that are left out stay unknown. That is why `negamax` above, our oracle, leaves nothing out.
#
# In the code, `alpha` is what the player to move has in hand already, and `beta` is the most that the other player will
# allow. `window` is `alpha`, raised by the moves seen so far: when it reaches `beta`, the loop stops. A result between
# `alpha` and `beta` is the exact value. Any other result may be only a bound: the exact value is at least, or at most,
# that number. With another `alpha` and `beta` the same position can give another result. So the key of the memo is the
# position together with `alpha` and `beta`.

# %% tags=["experiment"] active="ipynb"
# guess = None  # without a memo plain negamax visits 549,946 nodes of Tic-Tac-Toe. How many does alpha-beta visit?
#
#
# def alpha_beta(game, state, alpha, beta, count, memo=None):
#     """Return a value that is exact between alpha and beta; count[0] grows by one for each node.
#
#     memo: {(state, alpha, beta): value}, or None for none.
#     """
#     if memo is not None and (state, alpha, beta) in memo:
#         return memo[state, alpha, beta]
#     count[0] += 1
#     children, best = transitions(game, state)
#     if best is None:
#         best, window = -2.0, alpha
#         for after in children.values():
#             best = max(best, -alpha_beta(game, after, -beta, -window, count, memo))
#             window = max(window, best)
#             if window >= beta:
#                 break
#     if memo is not None:
#         memo[state, alpha, beta] = best
#     return best
#
#
# def plain(game, state, count):
#     """Negamax without a memo."""
#     count[0] += 1
#     children, value = transitions(game, state)
#     return max(-plain(game, after, count) for after in children.values()) if value is None else value
#
#
# game = arena.games.TicTacToe()
# predict_first(guess)
# start, nodes = game.start(), {}
# for name, search in [("no memo, nothing left out", lambda count: plain(game, start, count)),
#                      ("alpha-beta", lambda count: alpha_beta(game, start, -1.0, 1.0, count)),
#                      ("alpha-beta with a memo", lambda count: alpha_beta(game, start, -1.0, 1.0, count, {}))]:
#     count, started = [0], time.perf_counter()
#     value = search(count)
#     nodes[name] = count[0]
#     print(f"{name:27} value {value + 0.0:g}, {count[0]:7,} nodes, {time.perf_counter() - started:.2f} s")
# compare(guess, nodes["alpha-beta"])

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# The same value three times, with 549,946, 16,811 and 2,747 nodes. Connect Four beside it:
#
# | nodes | Tic-Tac-Toe | Connect Four | source for Connect Four |
# |---|---|---|---|
# | no memo | 549,946 | about $10^{21}$ | Allis (1994), table of game-tree sizes |
# | with a memo | 5,478 | 4,531,985,219,092 | Edelkamp and Kissmann (2008) |
# | alpha-beta, no memo | 16,811 | | |
# | alpha-beta and a memo | 2,747 | 1,479,113,766 | Tromp, *Fhourstones*, its run on the empty board |
#
# (Tic-Tac-Toe: the cell above, moves in ascending order. Fhourstones also tries the likeliest moves first.)
#
# </details>
#
# Now do the sum for Connect Four: one and a half thousand million nodes at the speed of this cell take an hour or
# more, and a program in C needs minutes. So Connect Four *is* solved: Allen and Allis showed in 1988 that the first
# player wins. For chess or Go no such trick is enough. From problem set 2 on we no longer search everything: we search
# a *part*, and choose that part well.
#
# ## 1.11 Somebody else's games
#
# Libraries have their own formats for a position. PettingZoo, a collection of multi-agent environments, gives the
# agent whose turn it is a dictionary:
#
# | key | shape, type | what it holds |
# |---|---|---|
# | `"observation"` | (H, W, 2), int8 | plane 0: 1 where **this agent** has a stone; plane 1: where the other has one |
# | `"action_mask"` | (num_actions,), int8 | 1 where the action is legal |
#
# The planes are **flipped for the second player**: plane 0 always shows the stones of the player to move. This is a
# canonical form, without the player. For our games the stones give the player: if both have the same number of
# stones, it is player 0's turn, else player 1's.
#
# **By hand.** Plane 0 has one stone, plane 1 two: I am behind, so I am player 1, O, and *my* stones are -1.
#
#     mine       other                 board
#     0 1 0      1 0 0                 X O .
#     0 0 0      0 1 0      becomes    . X .     player 1
#     0 0 0      0 0 0                 . . .
#
# Squares and columns have our numbers: cell [row, column] of a plane is action 3 row + column in `tictactoe_v3`, and
# row 0 of `connect_four_v3` is the top. (PettingZoo's drawing of Tic-Tac-Toe shows the transposed board. This does
# not change the rules.)

# %% exercise="1.11" title="to_game_state" points=6
def to_game_state(observation: Mapping[str, np.ndarray]) -> BoardState:
    """Return the state that a PettingZoo observation shows, for Tic-Tac-Toe and for Connect Four.

    Args:
        observation: of the agent whose turn it is, while the game goes on.
            "observation": (H, W, 2) int8; plane [:, :, 0] the stones of the player to move, [:, :, 1] the other's.
            "action_mask": (num_actions,) int8, 1 where legal.

    Player 0 moved first: the player to move is 0 when both players have the same number of stones, else 1. The
    observation is not changed.

    Source: PettingZoo 1.24 and later, tictactoe_v3 and connect_four_v3.
    """
    # TODO 1.11: who is to move? Then the board, with 1 for the stones of player 0. About 5 lines.
    raise NotImplementedError("exercise 1.11 (to_game_state) is not written yet")

# %% check="1.11"
@check("1.11", "to_game_state")
def check_1_11():
    """the planes are the mover's, the board is everybody's"""
    rows = "/".join(["......."] * 4)
    cases = [  # mine, the other's, the board, who is to move, legal
        (".X./.../...", "X../.X./...", "XO./.X./...", 1, [2, 3, 5, 6, 7, 8]),
        ("X../.../...", ".../.X./...", "X../.O./...", 0, [1, 2, 3, 5, 6, 7, 8]),
        (".../.../...", "..X/.../...", "..X/.../...", 1, [0, 1, 3, 4, 5, 6, 7, 8]),
        (".../.../...", ".../.../...", ".../.../...", 0, list(range(9))),
        (f"{rows}/......./.......", f"{rows}/......./...X...", f"{rows}/......./...X...", 1, list(range(7))),
        (f"{rows}/......./X.....X", f"{rows}/X....../...X...", f"{rows}/O....../X..O..X", 0, list(range(7))),
        (f"{rows}/..X..../X......", f"{rows}/......X/..X...X", f"{rows}/..O...X/O.X...X", 1, [0, 2, 6]),
    ]
    for mine, other, board, player, legal in cases:
        planes = np.stack([read_board(mine), read_board(other)], axis=2)
        mask = np.isin(np.arange(7 if planes.size > 18 else 9), legal).astype(np.int8)
        seen, where = {"observation": planes.copy(),
                       "action_mask": mask.copy()}, f"mine {mine}, the other's {other}, legal {legal}"
        expect(to_game_state(seen).player, player, what="the player", position=where,
               think="have I one stone less, or as many: who am I?")
        expect(to_game_state(seen), BoardState(player, read_board(board), mask), what="to_game_state", position=where,
               think="which sign have my stones, whose sizes count, and which index is the plane, the row, the column?")
        expect((seen["observation"].tolist(), seen["action_mask"].tolist()), (planes.tolist(), mask.tolist()),
               what="the observation afterwards", position=where, think="into whose array do you write?")

# %% [markdown]
# ## How a mistake is found: a law, and the smallest board
#
# <details><summary><b>A mistake that students make, found in ten minutes</b></summary>
#
# With the `has_run` of this story some games of Connect Four end too early. Which board is wrong? Looking at boards
# is slow, and one does not know what one looks for.
#
# **A law.** A board and its mirror image have the same lines. One need not know the right answer to ask for that:
#
#     assert has_run(board, player, 4) == has_run(board[:, ::-1], player, 4)
#
# Of 1,000 random boards the 4th breaks the law. It has 21 stones, and nothing strikes the eye:
#
#     O O . . X O X
#     O . X . X . O
#     . . . O . . .
#     O O . O . . O
#     X O . X . . .
#     X . . X X . O
#
# **The smallest board.** Take the stones off one after another. If the law is still broken, leave the stone off; else
# put it back. This is what remains:
#
#     . . . . . O .
#     . . . . . . O
#     . . . . . . .
#     O . . . . . .
#     . O . . . . .
#     . . . . . . .
#
# Now one sees it. Four stones, two at the right edge and two at the left one: the line falls over the edge and comes
# back. The function counts in one long list of 42 squares. The repair takes a minute, and the law stays in the file
# as a test.
#
# What to keep: **a law finds a wrong board, and the smallest wrong board names the mistake.** A law says how two
# answers belong together: a board and its mirror image, a position and the one with changed colours, before and
# after.
#
# </details>
#
# **Now you.** `groups` should count the groups of X on a board: stones that touch along a side belong together. So the
# board `["X.X", "XX."]`, two rows from the top, has two groups. `groups` has one mistake, of another kind, and you have
# not seen its code. Find a law, find a board that breaks it, and make that board small, with `smallest`. The mirror law
# of the story would find the mistake, so look for another law. Not every law finds it: "as many groups when rows and
# columns are exchanged" held on all of 1,000 random boards. Only when your board is small, let `show_code` print the
# code. Copy it into the cell, repair it, and run the cell: the last line says whether it is right.

# %% tags=["experiment"] active="ipynb"
# from arena.show.mend import groups, judge, show_code
#
#
# def smallest(is_wrong, rows):
#     """Take stones off the board, one after another, as long as it stays wrong."""
#     for r, row in enumerate(rows):
#         for c in range(len(row)):
#             fewer = [*rows[:r], rows[r][:c] + "." + rows[r][c + 1:], *rows[r + 1:]]
#             rows = fewer if is_wrong(fewer) else rows
#     return rows
#
#
# print(groups(["X.X", "XX."]), "groups")  # your law and your search for a board that breaks it go here
# # show_code(groups)  # last of all: copy what this prints to here, and repair it
# judge(groups)

# %% [markdown]
# ## 1.13 Find the bug in this tree
#
# A program with **one mistake** has computed the exact values of a small game. You see no code, only its numbers: this
# is how most bugs of a search are found. The list goes from the bottom of the tree up. A position comes after the
# positions that its moves lead to, and these come in the order of the moves. So the first position of the game is the
# last of the list.
#
# `outcome` is right: for the player to move there, `None` where the game goes on. This is no game of lines: the player to
# move at its end may have won, so an outcome may be 1. `value` is what the program wrote.
#
# A node is *wrong* if its value does not follow from its outcome, or from its children's values as they stand in the
# list: where the game is over, the value is the outcome; elsewhere it is the largest of the negated values of the
# children. So a node above a wrong one need not be wrong itself.
#
# **By hand.** The first move of a position leads to a node with the value 1, the second to one with 0. Right is max(-1,
# -0) = 0. Suppose that its line says -1: it is wrong. -1 is the smallest of the two; and it is also what remains if the
# last move is forgotten. One line may fit several mistakes. Only one of them fits the *whole* list.
#
# Go through the list with a pencil, or with a few lines of code in a cell of your own. The function below only returns
# your answer, so one line is enough for it.

# %%
TREE = [
    # name, parent, outcome, value
    ("A", "D", 1, 1),
    ("B", "D", 1, 1),
    ("C", "E", 0, -1),
    ("D", "E", None, -1),
    ("E", "H", None, 1),
    ("F", "H", 0, -1),
    ("G", "H", 1, 1),
    ("H", None, None, 1),
]
COLUMNS = ("outcome", "value")
KINDS = {
    "no minus": "the value is the largest of the children's values, without the minus",
    "min for max": "the value is the smallest of the children's negated values, not the largest",
    "mean for max": "the value is the mean of the children's negated values, not the largest",
    "last move forgotten": "the last move of every position is left out",
    "draw is a loss": "a finished game without a winner counts -1",
    "end negated": "the outcome of a finished game is taken with the wrong sign",
}

# %% tags=["experiment"] active="ipynb"
# from arena.show.listed import draw_list
#
# draw_list(TREE, COLUMNS)

# %% exercise="1.13" title="the bug in a tree" points=2
def first_wrong_node() -> tuple[str, str]:
    """Return (name, kind): the first wrong node of TREE from the top of the list, and the mistake, a key of KINDS.

    The first node is the first whose value does not follow from its outcome and its children's lines. The kind is the
    one mistake with which a program writes every line of the list as it stands.
    """
    # TODO 1.13: line by line with a pencil, or with a few lines of code elsewhere. Here one line is enough.
    raise NotImplementedError("exercise 1.13 (first_wrong_node) is not written yet")

# %% check="1.13"
@check("1.13", "the bug in a tree", form_only=True)
def check_1_13():
    """the answer is a node of the list and a kind of mistake; only the hidden check knows which"""
    answer = first_wrong_node()
    expect_true(isinstance(answer, (tuple, list)) and len(answer) == 2, what="a pair (name, kind)", yours=answer,
                think="which two things are asked for, in which order?")
    expect_true(answer[0] in [line[0] for line in TREE], what="the name of a node in TREE", yours=answer[0],
                think="what stands first in a line of the list?")
    expect_true(answer[1] in KINDS, what="a key of KINDS", yours=answer[1], think="how is the mistake called in KINDS?")

# %% [markdown]
# ## 1.14 Break it (optional, up to 5 points beside the 100)
#
# The visible check of 1.3 has tested your `has_run` on every line of two games. In this exercise you write such a check.
# `check_has_run` gets an implementation of `has_run`, which is right or has one mistake. Your check calls it on boards of
# your choice. It raises an `AssertionError` after a wrong answer, and returns if all answers are right.
#
#     board = read_board("..X/.XO/X..")         # small boards are quickly drawn
#     assert has_run(board, 0, 3), "X has three on the rising diagonal"
#     assert not has_run(board, 1, 3), "O has a single stone"
#
# The grader keeps four right implementations and ten wrong ones. Each wrong one has a mistake that students really make.
# **All four right ones must pass your check.** If your check fails one of the four, the exercise earns nothing: a check
# that fails right code sends its reader after a mistake that is not there. Each wrong implementation that fails your
# check earns half a point. Your report names the mistakes that your check found. For each other mistake the report has
# a question to its author. The question tells you what to test next.
#
# **What to test.** `has_run` has only two answers, so there are two kinds of mistakes. One kind overlooks a line. The
# other kind sees a line that is not there. Your check needs boards for both kinds. These questions lead to good boards:
#
# - Has the board one line only? On a board full of lines, a second line hides that the first line was overlooked.
# - Is a line nearly there? It may be one stone too short. Or n stones stand in a row, and an empty square or a stone of
#   the other player stands between them.
# - Where does the line begin, and where does the line end: in the middle, at an edge, in a corner?
# - Which directions, which players, which shapes of the board and which numbers $n$ have you not tried yet?
#
# A loop can make more boards in a second than a person draws in a day. For each board of a loop you must know the right
# answer without a second `has_run`. So let the loop *place* the stones: then you know which lines are there. You may
# begin with the loops of check 1.3; they miss some of the ten mistakes.
#
# **What a check may ask.** The docstring of 1.3 says what is promised. The docstring below has the limits of a board and
# of $n$. One check may call its implementation up to 3,000 times, with 800,000 squares in all: 500 boards of 40 x 40. If
# the implementation raises an error and your check lets this error through, that counts as a failure of the
# implementation.

# %% exercise="1.14" title="break it" extra=5
def check_has_run(has_run: Callable[[np.ndarray, int, int], bool]) -> None:
    """Raise AssertionError if `has_run` breaks a promise of the docstring of 1.3; return None if it keeps them.

    Args:
        has_run: an implementation of 1.3, right or wrong. Its code cannot be read: only its answers tell. It takes a
            board with 1 to 40 rows and 1 to 40 columns of whole numbers 1, 0 and -1, a player 0 or 1, and n from 2 to 100.
    """
    # TODO 1.14: loops that place one line, or one that is nearly a line, and asserts with both answers. About 17 lines.
    raise NotImplementedError("exercise 1.14 (check_has_run) is not written yet")

# %% check="1.14"
@check("1.14", "break it", optional=True)
def check_1_14():
    """your check passes your own has_run, and fails one that never finds a line and one that always finds one"""
    def always(answer):
        return verdict_of(check_has_run, lambda board, player, n: answer)

    mine = verdict_of(check_has_run, has_run, size=lambda board, player, n: np.size(board), most=800_000, unit="squares")
    expect(mine, None, what="your check of your own has_run",
           think="does the check of 1.3 pass, and is each answer that you expect the right one?")
    expect(always(False), "AssertionError", what="your check of a function that never finds a line",
           think="on which board must the answer be True?")
    expect(always(True), "AssertionError", what="your check of a function that always finds a line",
           think="on which board must the answer be False?")

# %% [markdown]
# ## Everything together
#
# The joint check plays with your functions, all of them at once. It needs no new code.

# %% check="joint" points=5
@check("joint", "everything together")
def check_joint():
    """your rules, your views and your exact values agree with each other"""
    game, rng, memo = TicTacToe(), random.Random(1), {}
    expect(negamax(game, game.start(), memo), 0.0, what="the exact value",
           position="the empty board; if this takes long: does 1.10 pass, or is a position computed more than once?",
           think="do the checks above pass, from 1.1 on?")
    expect(len(memo), 5478, what="the number of positions", position="the empty board",
           think="which positions are counted twice, or never?")
    for _ in range(20):
        state = rng.choice(list(memo))
        for turned, _ in game.symmetries(state, np.zeros(9)):
            expect(memo.get(turned), memo[state], what="the value of a turned position", position=f"{state!r}",
                   think="do the board and its mask turn together?")
        expect(negamax(game, canonical(state)), memo[state], what="the value of the canonical form", position=f"{state!r}",
               think="for whom is a value?")
    four = ConnectFour()
    results = {random_playout(four, four.start(), rng) for _ in range(30)}
    expect_true(results <= {1.0, 0.0, -1.0} and len(results) > 1, what="30 rollouts of Connect Four: wins and losses",
                yours=sorted(results), think="whose result is it, and does every game end?")

# %% [markdown]
# ## Which games fit?
#
# Everything above needs a few promises that are easy to overlook. `play(state, action)` is *one* state: no dice. The
# state holds all information, and both players see it: no hidden cards. `player(state)` is one of two players: they
# take turns. What I win, you lose: one number is enough for both. If a game breaks one promise, a line of your code
# stops making sense.
#
# | game | breaks | which line of yours |
# |---|---|---|
# | backgammon | dice | `play` has no single successor: a value must be a mean over them (expectimax) |
# | poker | hidden cards | `state`: what I know is not what you know; two different states may look the same to me |
# | rock, paper, scissors | simultaneous moves | `player`: nobody is first; the best policy is a mixture |
# | three-player Chinese checkers | three players | the minus in `negamax`: your loss need not be my win |
# | an Atari game | no model | `transitions`: there is no model to ask; learn a model, or learn without one |
#
# **Try it:** rock, paper, scissors, forced into our form. One player has to choose first, and `negamax` lets the
# other player read that choice.

# %% tags=["experiment"] active="ipynb"
# guess = None  # what is rock, paper, scissors worth to the player who has to choose first: 1, 0 or -1?
# signs = ["rock", "paper", "scissors"]
# predict_first(guess)
# moves = {"start": signs} | {mine: [f"{mine}, {yours}" for yours in signs] for mine in signs}
# wins = {f"{mine}, {yours}": float((signs.index(mine) - signs.index(yours) + 1) % 3 - 1)
#         for mine in signs for yours in signs}
# game = arena.games.ToyGame(moves, wins, start="start")
# print("the one who chooses first:", negamax(game, "start"))
# for mine in signs:
#     print(f"  the other, who has read {mine}:", negamax(game, mine))
# compare(guess, negamax(game, "start"))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# The player who chooses first always loses: -1. But the game is fair. Its value is 0, under a policy that no `max`
# over single actions can express: each sign with probability one third.
#
# </details>
#
# ### With a model and without
#
# What if you do not know the rules? You can still play: act, see what happens, and keep a table of the results. The
# cell below does so with Tic-Tac-Toe for X's first move. It never calls `play` to look ahead; it only uses the
# results of finished games, against a random O and against a perfect O. The perfect O needs `memo`: run the first
# experiment of 1.10 before.

# %% tags=["experiment"] active="ipynb"
# guess = []  # X's first moves against a random O, the best first? "middle", "corner", "edge" in your order
# GAMES = 900  # the full setting: 20_000
# predict_first(guess)
# game, rng = TicTacToe(), random.Random(4)
#
#
# def random_reply(state):
#     return rng.choice(game.legal_actions(state))
#
#
# def perfect_reply(state):
#     return max(game.legal_actions(state), key=lambda action: (-memo[game.play(state, action)], rng.random()))
#
#
# learnt = {}  # the mean result of each first move
# for name, reply in [("a random O", random_reply), ("a perfect O", perfect_reply)]:
#     totals = np.zeros(9)
#     for number in range(GAMES):
#         state = game.play(game.start(), number % 9)
#         while game.outcome(state) is None:
#             state = game.play(state, reply(state) if state.player == 1 else random_reply(state))
#         totals[number % 9] += game.outcome(state) * (1 if state.player == 0 else -1)
#     learnt[name] = totals / (GAMES / 9)
#     print(f"X's first move, learnt from {GAMES} games against {name}:")
#     print(np.round(learnt[name].reshape(3, 3), 2), "\n")
# print("and exact, from the model:")
# print(np.array([-memo[game.play(game.start(), a)] for a in range(9)]).reshape(3, 3) + 0.0)
# kinds = {"middle": [4], "corner": [0, 2, 6, 8], "edge": [1, 3, 5, 7]}
# compare(guess, sorted(kinds, key=lambda kind: -learnt["a random O"][kinds[kind]].mean()))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# Three different answers. Against a random O the middle looks best and the edges worst, give
# or take .1; against a perfect one all nine moves look bad, because X's later moves are random; with the model all
# nine are worth exactly 0. Experience answers the question "how did it go with *these* players?", a model "how could
# it go at best?". The first answer took a hundred games for each move, is right only to within .1, and holds for one
# opponent.
#
# </details>
#
# ### Two questions without points
#
# 1. **A game that does not fit**, and that you know well. Which promise does it break, which of your functions would you
#    have to change, and what would it return instead?
# 2. **With a model and without.** Suppose that an agent may only act and see the result. Which of your functions 1.1 to
#    1.11 could it still use? What would it have to learn in place of the others?
#
# <details><summary><b>A short answer</b></summary>
#
# 1. Chess breaks the promise that the board is the state: whether a king may castle, and how often a position has come
#    before, cannot be seen on it. So a state needs these as fields of its own, and two equal boards may be two states. The
#    symmetries go too: castling is not the same on both sides.
# 2. What looks at one position still works: the legal actions from a mask, `canonical`, `symmetries`, `to_game_state`. What
#    asks "what if" does not: `play`, `transitions`, `random_playout`, `negamax`. In their place the agent learns what an
#    action is worth at a state, from many games, or it learns a model first and searches in that.
#
# </details>
#
# ## 1.12 Your own experiment: what does a memo save, as the board grows?
#
# This experiment is yours: a question, a measurement, a plot and one paragraph. A person reads it: up to 5 points
# beside the 100.
#
# **The question.** On Tic-Tac-Toe a memo saves 99 of 100 visits. What does it save on other boards, and what do
# symmetries save on top of it? Does that solve larger boards, or does it only move the wall?
#
# **What to measure.** How many positions does `negamax` visit from the start: without a memo, with one, and with a memo
# that keeps a position and its mirror image only once? A look-up in the memo is not a visit (on Tic-Tac-Toe a memo
# leaves 5,478 visits of 549,946). Take four sizes or more. Your own classes can be other boards:
#
#     class SmallBoard(ConnectFour):
#         height, width, run = 3, 4, 3      # three in a row win
#         num_actions = 4
#
# The rules, 1.1 to 1.5, hold for such a board. `symmetries` of 1.8 does not promise that, and it wants a policy too.
# For the mirror image use `board[:, ::-1]` and `action_mask[::-1]`.
#
# Begin with two rows and three columns, and print the time: the numbers grow faster than one thinks.
#
# **What a good answer has.** Whoever marks yours looks for these four lines:
#
# 1. **A guess with a reason** (1 point), written before you measured: which of the two saves more, and how does that
#    change with the size?
# 2. **The measurement** (2 points): three counts for four sizes or more; a plot or a table with named axes, on a scale
#    on which one can read it.
# 3. **A check** (1 point): why can one trust the counts? A size that you can count by hand, or a number of this lesson.
# 4. **The cause and its limit** (1 point): why does the one grow with the board and the other not, and what does it say
#    about Connect Four?
#
# Write the code in the next cell. Grading never runs it, so it may take minutes; a cell that you add is loaded in
# grading, so keep the measuring in this one. Your answer is marked on a page that shows your code and your answer, but
# nothing that a cell has printed. So copy the plot into the answer (in JupyterLab: shift and right click on it, *Copy
# Image*, then paste), or write its numbers as a table. Then one paragraph: the question, what you expected, what came,
# and why.

# %% tags=["experiment"] active="ipynb" answer="1.12"
# # Your own experiment: your code, all of it in this cell.
# # I expect: ... because ...

# %% [markdown] answer="1.12" points=5
# *Your answer.*

# %% [markdown]
# ## Play
#
# First play on your own boards: click a column or a square, and the other side answers. The random player is easy to
# beat. Then play against the perfect player, which looks up its moves in `memo`: can you draw with both colours? It
# needs `memo`: run the first experiment of 1.10 before. The buttons below a board begin a new game with either colour.

# %% tags=["experiment"] active="ipynb"
# class RandomPlayer:
#     """Knows the rules and nothing else."""
#
#     def __init__(self, game):
#         self.game = game
#
#     def choose(self, state, simulations, rng):
#         return rng.choice(self.game.legal_actions(state))
#
#
# class PerfectPlayer(RandomPlayer):
#     """Chooses among the moves that keep the exact value."""
#
#     def choose(self, state, simulations, rng):
#         legal = self.game.legal_actions(state)
#         return max(legal, key=lambda action: (-memo[self.game.play(state, action)], rng.random()))
#
#
# PlayableBoard(ConnectFour(), RandomPlayer(ConnectFour()), you="X")

# %% tags=["experiment"] active="ipynb"
# PlayableBoard(TicTacToe(), PerfectPlayer(TicTacToe()), you="O")

# %% [markdown]
# ### Through PettingZoo
#
# Now play on somebody else's board: your `negamax` plays `tictactoe_v3`, using only observations, against a random
# player. Twenty games, both colours. Then comes a game of `connect_four_v3`, which is drawn from the states of your
# `to_game_state`. (`pip install pettingzoo pygame-ce` if the cell asks for it.) The cell needs the two players that
# the first cell of *Play* defines, and `memo`: run the first experiment of 1.10 before.

# %% tags=["experiment"] active="ipynb"
# guess = None  # how many of 20 games does the perfect player win against the random player?
# predict_first(guess)
# try:
#     from pettingzoo.classic import connect_four_v3, tictactoe_v3
# except ImportError:
#     tictactoe_v3 = connect_four_v3 = None
#     print("PettingZoo is not installed here: pip install pettingzoo pygame-ce")
#
#
# def pettingzoo_game(module, choosers, seed):
#     """Play one game; choosers[k](state) -> action for the k-th agent. Return results and states."""
#     env, states = module.env(), []
#     env.reset(seed=seed)
#     agents, totals = list(env.agents), {}
#     for agent in env.agent_iter():
#         observation, reward, terminated, truncated, _ = env.last()
#         if terminated or truncated:
#             totals[agent] = reward
#             env.step(None)
#         else:
#             states.append(to_game_state(observation))
#             env.step(choosers[agents.index(agent)](states[-1]))
#     return [totals[agent] for agent in agents], states
#
#
# if tictactoe_v3 is not None:
#     rng = random.Random(5)
#     pair = [PerfectPlayer(TicTacToe()), RandomPlayer(TicTacToe())]
#     choosers = [lambda state, player=player: player.choose(state, 0, rng) for player in pair]
#     results = []
#     for seed in range(10):
#         results.append(pettingzoo_game(tictactoe_v3, choosers, seed)[0][0])
#         results.append(pettingzoo_game(tictactoe_v3, choosers[::-1], seed)[0][1])
#     print("tictactoe_v3, perfect against random, 20 games:",
#           {"won": results.count(1), "drawn": results.count(0), "lost": results.count(-1)})
#     compare(guess, results.count(1))
#     rewards, states = pettingzoo_game(connect_four_v3, [choosers[1]] * 2, 6)
#     print("connect_four_v3, random against random: rewards", rewards, "and the last position seen:")
#     display(draw_board(ConnectFour(), states[-1]))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# No game lost. If your player makes an illegal move, PettingZoo ends the game with -1 for it:
# then the mask or the numbering of `to_game_state` is off. If it loses as O only, look at the flip.
#
# </details>
#
# ## A project, if you want more
#
# No points, no check, and harder than the exercises: **a solver for Connect Four.**
#
# **The idea.** 1.10 ends with a number that is too large for negamax. Four ideas bring it down: cut with alpha-beta;
# try the middle columns first; keep bounds of positions in a memo, and those of a position and its mirror image once;
# and write a board as two integers, so that a move and the search for four in a row are a few operations on bits.
#
# **The first step.** Solve Connect Four positions with at most 10 free squares, and compare with your `negamax` on a
# hundred random ones. Count the nodes for each number of free squares, with each idea alone and with all of them. The
# number of nodes says what an idea is worth; the seconds say it only for your machine.
#
# **How you know.** Every value must be that of `negamax`, without exception. Then let the solver play. In problem set
# 3 `challenge_player` may use it from the moment when few squares are free, with a search before. `arena ladder
# ps3_connect_four` draws where this player stands among all players of the lessons. Perfect play is the last row,
# with 0 % mistakes. How near does a solver for the last 14, 18 or 22 squares come?
#
# ## Summary
#
# - Rules for search are **pure functions over immutable states**: `play` gives a new state and leaves the old one alone.
# - An **action** is a number with a fixed meaning (a square, a column), the mask says which are legal now.
# - **The mover's view**: at the end of a game the player to move has lost or drawn. Every step up the tree flips the sign:
#   in `random_playout`, and in `negamax`.
# - The **canonical** form forgets the colours, the **symmetries** the directions; everything attached to actions
#   moves too.
# - With a perfect **model** and a memo, Tic-Tac-Toe is solved in a second or two: 5,478 positions. Connect Four has
#   4.5 million million, too many for this method.
#
# ## What to read
#
# - Sutton and Barto, *Reinforcement Learning*, 2nd edition (2018): sections 1.5 (Tic-Tac-Toe, learnt without a model), 8.1
#   (models and planning), 8.11 (where this course goes next).
# - Knuth and Moore, *An analysis of alpha-beta pruning*, Artificial Intelligence 6 (1975): negamax, and why alpha-beta
#   sees twice as deep.
# - Allis, *Searching for Solutions in Games and Artificial Intelligence*, thesis, Maastricht (1994): how games were solved,
#   Connect Four (1988) among them; the sizes of games are in chapter 6.
# - Edelkamp and Kissmann, *Symbolic classification of general two-player games*, KI 2008: the exact number of positions.
#   Böck, *Strongly solving Connect-Four on consumer grade hardware* (2025), arXiv 2507.05267: every one of them, solved.
# - Tromp's *Fhourstones* benchmark: Connect Four by alpha-beta, with its node counts.
# - Silver et al., *Mastering the game of Go without human knowledge*, Nature 550 (2017): canonical planes and symmetries at
#   work.
# - Terry et al., *PettingZoo: Gym for multi-agent reinforcement learning*, NeurIPS 2021, and its pages on `tictactoe_v3`
#   and `connect_four_v3`.
# - Shannon, *Programming a computer for playing chess*, Philosophical Magazine 41 (1950), no. 314: the paper of the
#   story, and no formula in it that you do not know by now.
# - Campbell, Hoane and Hsu, *Deep Blue*, Artificial Intelligence 134 (2002): what it took in 1997.

# %%
if __name__ == "__main__":
    run_all()
