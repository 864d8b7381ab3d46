"""The broken players: the flaw of each, and the wrong answer of the banks with the same mistake."""

from dataclasses import dataclass
from enum import IntEnum, auto

PS2, PS3 = "ps2_uct", "ps3_connect_four"


class Flaw(IntEnum):
    """The flaws of `flawed_uct.py`, by the step of the search."""

    RIGHT = 0
    # the rollout
    INVERTED = auto()
    FOR_MOVER_AT_END = auto()
    FOR_LAST_MOVER = auto()
    FOR_MOVER_AT_LEAF = auto()
    LEFTMOST = auto()
    SECOND_LEFTMOST = auto()
    SHORT = auto()
    FROM_PARENT = auto()
    FROM_ROOT = auto()
    FROM_START = auto()
    DRAW_LOSES = auto()
    WIN_UNSEEN = auto()
    END_WINS = auto()
    END_WORTHLESS = auto()
    # the child that is followed
    LOG_OF_CHILD = auto()
    LOG_10 = auto()
    NO_ROOT = auto()
    SUM = auto()
    MEAN_NEGATED = auto()
    LOWEST = auto()
    MOST_VISITED = auto()
    ANY_CHILD = auto()
    OTHERS_WORST = auto()
    GREEDY_BELOW = auto()
    # the tree
    ONE_CHILD = auto()
    DRAWN_AGAIN = auto()
    ONE_STEP = auto()
    # the backup
    NO_FLIP = auto()
    FLIP_FIRST = auto()
    TWO_LEARN = auto()
    OVERWRITTEN = auto()
    RUNNING_MEAN = auto()
    NO_TOTALS = auto()
    ONE_MINUS = auto()
    FIRST_PLAYERS = auto()
    # the final move
    FINAL_RANDOM = auto()
    FINAL_LEAST = auto()
    FINAL_BOUND = auto()
    FINAL_MEAN = auto()
    FINAL_SUM = auto()
    FINAL_INDEX = auto()
    FINAL_SECOND = auto()


@dataclass(frozen=True)
class BrokenPlayer:
    """A broken player with a description.

    `answer`: the title of the wrong answer in tests/wrong/`ps`.py with the same mistake; None: no bank has this mistake.
    """

    words: str
    flaw: Flaw
    ps: str = PS3
    answer: str | None = None
    exploration: float = 1.0


BROKEN_PLAYERS = (
    BrokenPlayer("no sign flip", Flaw.NO_FLIP, PS3, "3.5: the leaf's reward for every node"),
    BrokenPlayer("the sign flips before the leaf", Flaw.FLIP_FIRST, PS3, "3.1: the two players have changed places"),
    BrokenPlayer("an inverted rollout", Flaw.INVERTED),
    BrokenPlayer("the result is for whoever moves at the end", Flaw.FOR_MOVER_AT_END, PS3,
            "3.1: the rewards of the player to move at the end come first"),
    BrokenPlayer("the result is for whoever moved last", Flaw.FOR_LAST_MOVER, PS3,
            "3.1: the rewards of the player who moved last come first"),
    BrokenPlayer("the result is for whoever moves at the leaf", Flaw.FOR_MOVER_AT_LEAF, PS3,
            "3.1: the rewards of the player to move at the beginning come first"),
    BrokenPlayer("the rollout begins at the start of the game", Flaw.FROM_START, PS3,
            "3.1: the rollout begins at the start of the game"),
    BrokenPlayer("the rollout begins at the root", Flaw.FROM_ROOT, PS3, "3.6: the rollout begins at the root"),
    BrokenPlayer("the rollout begins at the parent", Flaw.FROM_PARENT, PS3, "3.6: the rollout begins at the parent"),
    BrokenPlayer("the rollout plays the leftmost column", Flaw.LEFTMOST, PS3, "3.1: always the first legal move"),
    BrokenPlayer("player 1's rollout plays the leftmost column", Flaw.SECOND_LEFTMOST, PS3,
            "3.1: only the first player's moves are random"),
    BrokenPlayer("the rollout ends after ten plies", Flaw.SHORT, PS3, "3.1: a rollout is cut after ten moves"),
    BrokenPlayer("the rollout sees no win", Flaw.WIN_UNSEEN),
    BrokenPlayer("every end is a win", Flaw.END_WINS),
    BrokenPlayer("a draw is a loss", Flaw.DRAW_LOSES, PS3, "3.1: a draw is a loss for player 0"),
    BrokenPlayer("a finished leaf is worth nothing", Flaw.END_WORTHLESS, PS3, "3.6: a finished leaf is worth nothing"),
    BrokenPlayer("log of the child's visits", Flaw.LOG_OF_CHILD, PS3, "3.2: the logarithm of the child's visits"),
    BrokenPlayer("log to base 10", Flaw.LOG_10, PS3, "3.2: the logarithm to base 10"),
    BrokenPlayer("no square root", Flaw.NO_ROOT, PS2, "2.6: no root"),
    BrokenPlayer("the sum in place of the mean", Flaw.SUM, PS3, "3.2: the sum of rewards in the place of their mean"),
    BrokenPlayer("the other player's mean", Flaw.MEAN_NEGATED, PS3, "3.2: the bound negates the mean, as in problem set 2"),
    BrokenPlayer("the lowest bound", Flaw.LOWEST, PS3, "3.2: the best child is the one with the lowest bound"),
    BrokenPlayer("the most visited child is followed", Flaw.MOST_VISITED, PS3, "3.2: the best child is the most visited one"),
    BrokenPlayer("c = 0", Flaw.RIGHT, PS3, "3.6: no exploration", 0.0),
    BrokenPlayer("c = 0.2", Flaw.RIGHT, exploration=0.2),
    BrokenPlayer("c = 2, twice as much as asked for", Flaw.RIGHT, PS3, "3.6: too much exploration", 2.0),
    BrokenPlayer("c = 10", Flaw.RIGHT, PS3, "3.6: too much exploration", 10.0),
    BrokenPlayer("c = 0 below the root", Flaw.GREEDY_BELOW, PS3, "3.4: exploration is switched off below the root"),
    BrokenPlayer("a random child is followed", Flaw.ANY_CHILD, PS3, "3.4: a random child instead of the best one"),
    BrokenPlayer("the other player's worst move is followed", Flaw.OTHERS_WORST, PS3,
            "3.4: the other player's worst move is followed"),
    BrokenPlayer("one step down and no more", Flaw.ONE_STEP, PS3, "3.4: one step down and no more"),
    BrokenPlayer("one child counts as all", Flaw.ONE_CHILD, PS3, "3.4: a node with children counts as fully expanded"),
    BrokenPlayer("a child is drawn again", Flaw.DRAWN_AGAIN, PS3, "3.3: the same action may be drawn again"),
    BrokenPlayer("only the leaf and its parent learn", Flaw.TWO_LEARN),
    BrokenPlayer("the sum is overwritten", Flaw.OVERWRITTEN, PS3, "3.5: q is overwritten"),
    BrokenPlayer("the sum is a running mean", Flaw.RUNNING_MEAN, PS3, "3.5: q is a running mean"),
    BrokenPlayer("values are forgotten", Flaw.NO_TOTALS, PS2, "2.5: values are forgotten"),
    BrokenPlayer("1 - v for the other player", Flaw.ONE_MINUS, PS2, "2.5: 1 - v for the other player"),
    BrokenPlayer("the first player's value for every node", Flaw.FIRST_PLAYERS),
    BrokenPlayer("a random final move", Flaw.FINAL_RANDOM, PS3, "3.6: a random final move"),
    BrokenPlayer("the final move is the least visited", Flaw.FINAL_LEAST, PS3, "3.6: the final move is the least visited one"),
    BrokenPlayer("the second player's final move is the least visited", Flaw.FINAL_SECOND, PS3,
            "3.6: the second player's search is turned around"),
    BrokenPlayer("the final move has the highest bound", Flaw.FINAL_BOUND, PS3,
            "3.6: the final move is the one with the highest bound"),
    BrokenPlayer("the final move has the best mean", Flaw.FINAL_MEAN, PS3, "3.6: the final move is the one with the best mean"),
    BrokenPlayer("the final move has most rewards", Flaw.FINAL_SUM, PS3, "3.6: the final move is the one with most rewards"),
    BrokenPlayer("the final move is an index", Flaw.FINAL_INDEX, PS3,
            "3.6: the final move is the most visited child's index among the legal actions"),
)
