"""The whole tree of a tiny game as it grows, then the results on their way back up: the opening of problem set 1.

The board is a row of squares. X begins, the players take turns, and two stones side by side win.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from arena.show.board import COLOURS, grid
from arena.show.cards import SOFT, Card, Drawing, Picture, draw_cards, line
from arena.show.pages import Page, slider
from arena.show.tree import PATH

GROW, BACK = "the tree grows", "the results go up"
SIDE = {2: 22, 3: 22, 4: 13}  # of a square, in points: a tree of 4 squares has 24 boards side by side
WORDS = {1: "X wins", 0: "draw", -1: "O wins"}
SECONDS = 2.5  # between two steps, where the picture moves by itself
STEP = re.compile(r'class="step-(\d+)"')


@dataclass(frozen=True)
class GameTree:
    """A tree that grows. A notebook shows a page for each step; where no scripts run, the picture moves by itself.

    Attributes:
        num_positions: how many boards the tree has, one for each order of moves that leads somewhere.
        pages: one for each step.
        svg: the moving picture; it stands still, complete, for readers who asked for reduced motion.
    """

    num_positions: int
    pages: Sequence[Page]
    svg: str

    def __str__(self) -> str:
        return "\n".join(page.text for page in self.pages)

    def _repr_html_(self) -> str:
        return slider(self.pages, (GROW, BACK))

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass
class _Card(Card):
    """A card that appears at a step.

    Attributes:
        appears, valued: the step at which the board appears, and the one at which its result does.
        best: whether the player above would choose this board; its edge is coloured when the board above has its result.
    """

    appears: int = 0
    valued: int = 0
    best: bool = False

    def svg(self, top: float) -> str:
        """Return the card, marked with its step."""
        return _at(self.appears, super().svg(top))

    def edge_svg(self, parent: Card, bottom: float, top: float) -> str:
        """Return the edge, and over it the coloured one, each marked with its step."""
        shapes = _at(self.appears, super().edge_svg(parent, bottom, top))
        if self.best and isinstance(parent, _Card):
            chosen = (f'<line x1="{parent.x:.1f}" y1="{bottom:.1f}" x2="{self.x:.1f}" y2="{top:.1f}" '
                      f'stroke="{PATH}" stroke-width="3"/>')
            shapes += _at(parent.valued, chosen)
        return shapes


def watch_tree(squares: int = 3) -> GameTree:
    """Return the whole tree of the game on a row of `squares`, 2 to 4 of them, for the end of a cell.

    Raises:
        ValueError: fewer squares than 2, or more than 4.
    """
    if squares not in SIDE:
        raise ValueError(f"a row of 2 to 4 squares is drawn, not of {squares}")
    empty, boards = "." * squares, positions(squares)
    plies = [len(board) - board.count(".") for board in boards]
    last = max(plies)
    steps = [(GROW, f"{plies.count(ply)} boards after {'X' if ply % 2 else 'O'} has moved") for ply in range(1, last + 1)]
    steps = [(GROW, "the empty board: X begins"), *steps]
    steps[-1] = (GROW, f"{steps[-1][1]}; below each game that is over stands its result")
    steps += [(BACK, f"{'XO'[ply % 2]} is to move here, and takes the best of the results below (green)")
              for ply in reversed(range(last))]
    drawn = draw_cards([_card(empty, last)], title=f"the game tree of {squares} squares in a row", describe=(
        f"{len(boards)} boards, from the empty one down to the end of every game. Then the results go up: each player takes the "
        f"best one for that player. In the end the empty board has its result: {WORDS[result(empty)]}."))
    pages = [Page(f"step {number} of {len(steps)}", phase, [words], f"{number}. {phase}: {words}",
                  Picture(_until(number, drawn.svg), drawn.num_nodes)) for number, (phase, words) in enumerate(steps, start=1)]
    return GameTree(len(boards), pages, _moving(drawn.svg, len(steps)))


def positions(squares: int) -> list[str]:
    """Return the board at every node of the tree: "X.O" once for each order of moves that leads to it, the empty one first."""
    boards = ["." * squares]
    for board in boards:
        boards += _after(board)
    return boards


@cache
def result(board: str) -> int:
    """Return 1 if X wins from this board when both sides play as well as they can, 0 for a draw, -1 if O wins."""
    if "XX" in board or "OO" in board:
        return 1 if "XX" in board else -1
    values = [result(after) for after in _after(board)]
    return 0 if not values else max(values) if _mover(board) == "X" else min(values)


def _mover(board: str) -> str:
    return "XO"[board.count("X") - board.count("O")]


def _after(board: str) -> list[str]:
    """Return the boards after one move; none where the game is over."""
    if "XX" in board or "OO" in board:
        return []
    return [board[:place] + _mover(board) + board[place + 1:] for place, sign in enumerate(board) if sign == "."]


def _card(board: str, last: int) -> _Card:
    """Return the card of a board with all cards below it; `last` is the ply of the last boards of the tree.

    A game that is over has its result at once; after all boards have appeared, the results go up ply by ply.
    """
    ply, below = len(board) - board.count("."), _after(board)
    valued = 1 + (2 * last - ply if below else ply)
    children = [_card(after, last) for after in below]
    for child, after in zip(children, below, strict=True):
        child.best = result(after) == result(board)
    words = line(WORDS[result(board)], 8, {1: COLOURS["X"], 0: SOFT, -1: COLOURS["O"]}[result(board)], bold=True)
    shown = Drawing(_at(valued, words.svg(words.width / 2, 0)), words.width, words.height)
    return _Card([_row(board), shown], children=list[Card](children), appears=1 + ply, valued=valued, best=False)


def _row(board: str) -> Drawing:
    """Draw a row of squares with its stones."""
    side = SIDE[len(board)]
    letters = "".join(f'<text x="{(place + .5) * side:g}" y="{side * .75:g}" font-size="{side * .7:g}" font-weight="bold" '
                      f'fill="{COLOURS[sign]}">{sign}</text>' for place, sign in enumerate(board) if sign in COLOURS)
    return Drawing(grid(1, len(board), side) + letters, side * len(board), side)


def _at(step: int, shapes: str) -> str:
    return f'<g class="step-{step}">{shapes}</g>'


def _until(step: int, svg: str) -> str:
    """Return the picture as it is at one step: what comes later keeps its place and is not seen."""
    return STEP.sub(lambda found: "" if int(found[1]) <= step else 'visibility="hidden"', svg)


def _moving(svg: str, steps: int) -> str:
    """Return the picture with its steps one after another in time, once; without motion for those who asked for none."""
    delays = "".join(f".step-{step}{{animation-delay:{(step - 1) * SECONDS:g}s}}" for step in range(1, steps + 1))
    style = (f"@media (prefers-reduced-motion:no-preference){{@keyframes appear{{from{{opacity:0}}to{{opacity:1}}}}"
             f"[class^=step]{{animation:appear .6s both}}{delays}}}")
    return svg.replace("</desc>", f"</desc><style>{style}</style>", 1)
