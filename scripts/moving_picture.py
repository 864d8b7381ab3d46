"""The README's moving picture, from real runs: one simulation in its four phases, the tree as it grows, four players thinking.

`python -m scripts.moving_picture` writes docs/figures/search.svg, which moves, and search_still.svg for those who want no motion.
Both have a light and a dark look, and need nothing beside themselves.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import sqrt
from typing import TypeVar

from arena.board.engines import Later, Loading, perfect, usual_net
from arena.board.minds import UCT, Thought
from arena.board.positions import Position, open_position
from arena.board.truth import Truth, connect_four_judge
from arena.games import TicTacToe
from arena.games.boards import rows
from arena.show.step import Phase, Phases, simulate
from autograder.paths import REPOSITORY
from solutions import ps2_uct

Made = TypeVar("Made")
MOVING = REPOSITORY / "docs" / "figures" / "search.svg"
STILL = REPOSITORY / "docs" / "figures" / "search_still.svg"
WIDTH, HEIGHT = 640, 392
TREE_GAME, TREE_POSITION, SEED = TicTacToe(), "XOX/.O./...", 2
SHOWN, GROWN = 14, (25, 50, 100, 200)  # the simulation that is shown phase by phase; the sizes of the tree after it
POSITION = "3521536661131421"  # of Connect Four: one column wins, all others lose
BUDGETS = (0, 10, 30, 100)
PHASES = {"selection": "1 select", "expansion": "2 expand", "simulation": "3 simulate", "backpropagation": "4 back up"}
ALT = ("First a search tree of Tic-Tac-Toe: one simulation selects, expands, plays at random to the end and backs up the"
       f" result; after {GROWN[-1]} simulations most visits are at the move that blocks. Then a position of Connect Four in"
       " which only one column wins: the solver, plain tree search, a network and AlphaZero's search say which column they"
       " would play.")
STYLE = """
svg { --card: #f6f8fa; --ink: #1f2328; --soft: #59636e; --line: #b7bfc8; --blank: #ffffff;
      --x: #0b6fb8; --o: #c2410c; --good: #1a7f37; --path: #8250df;
      font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 18px }
@media (prefers-color-scheme: dark) {
  svg { --card: #161b22; --ink: #e6edf3; --soft: #9198a1; --line: #4a5361; --blank: #0d1117;
        --x: #58a6ff; --o: #ff9757; --good: #3fb950; --path: #bc8cff } }
text { fill: var(--ink) } .soft { fill: var(--soft) } .mid { text-anchor: middle } .bold { font-weight: 600 }
.card { fill: var(--card) } .x { fill: var(--x) } .o { fill: var(--o) } .good { fill: var(--good) } .path { fill: var(--path) }
.blank { fill: var(--blank); stroke: var(--line) } .bar, .dot { fill: var(--line) } .stone { fill: var(--card) }
line { stroke: var(--line) } .on { stroke: var(--path) }
.hot { fill: var(--blank); stroke: var(--path); stroke-width: 3 }
"""


@dataclass(frozen=True)
class Frame:
    """What is shown for some seconds."""

    seconds: float
    shapes: str


# ---- shapes

def words(x: float, y: float, text: str, kind: str = "", size: int = 0) -> str:
    """A line of words; `kind` holds classes of STYLE."""
    given = (f' class="{kind}"' if kind else "") + (f' font-size="{size}"' if size else "")
    return f'<text x="{x:g}" y="{y:g}"{given}>{escape(text)}</text>'


def rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" class="{kind}"/>'


def circle(x: float, y: float, radius: float, kind: str) -> str:
    """A disc."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.3g}" class="{kind}"/>'


def line(start: tuple[float, float], end: tuple[float, float], thick: float, kind: str = "") -> str:
    """A line; `thick` in units of the picture."""
    return (f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" stroke-width="{thick:.3g}"'
            + (f' class="{kind}"' if kind else "") + "/>")


# ---- one search

def tree_frames() -> Iterator[Frame]:
    """Yield the phases of one simulation and then the growing tree, of a search by the solutions of problem set 2."""
    game, rng = TREE_GAME, random.Random(SEED)
    phases = Phases(ps2_uct.select, ps2_uct.expand, lambda state: ps2_uct.simulate(game, state, ps2_uct.random_policy, rng),
                    ps2_uct.backpropagate)
    root = ps2_uct.TreeNode(game.parse(TREE_POSITION))
    for count in range(1, GROWN[-1] + 1):
        if count == SHOWN:
            title = _title(f"A search for X's move, after {count - 1} of {GROWN[-1]} simulations")
            yield Frame(2.5, title + _tree(root, "too few simulations to see that O threatens to win"))
        for phase in simulate(game, root, phases, 1.0, rng):
            if count == SHOWN:
                yield Frame(2.4, _header(phase.name) + _tree(root, _sentence(phase), phase.path, phase.new))
        if count in GROWN:
            best = max(root.children.values(), key=lambda child: child.num_visits)
            last = count == GROWN[-1]
            caption = f"{best.num_visits} of {count} visits are at the square that blocks O"
            yield Frame(3.5 if last else 1.2, _title(f"{count} simulations") + _tree(root, caption, (root, best) if last else ()))


def _title(text: str) -> str:
    return words(WIDTH / 2, 30, text, "mid bold", 20)


def _sentence(phase: Phase) -> str:
    """Say what a phase has just done; of a random game, who has won it."""
    result, _, player = next(iter(phase.notes.values()), "").partition(": ")[2].partition(" for ")
    winner = {"1": player, "-1": "XO".replace(player, "")}.get(result)
    return {
        "selection": "walk down, each time to the child with the highest bound",
        "expansion": "add one node",
        "simulation": f"play at random to the end: {f'{winner} wins' if winner else 'a draw'}",
        "backpropagation": "on the way up, each node counts one visit and the result",
    }[phase.name]


def _header(phase: str) -> str:
    """The four phases, the present one in colour."""
    places = (76, 236, 404, 566)
    return "".join(words(x, 30, text, f"mid {'path bold' if name == phase else 'soft'}", 20)
                   for x, (name, text) in zip(places, PHASES.items(), strict=True))


def _tree(root: ps2_uct.TreeNode, caption: str, path: Sequence[ps2_uct.TreeNode] = (),
          new: Sequence[ps2_uct.TreeNode] = ()) -> str:
    """Draw a tree: the boards of the root and its children, two more levels as dots, larger with more visits."""
    here: dict[int, tuple[float, float]] = {id(root): (WIDTH / 2 - 14, 96)}
    levels: list[list[ps2_uct.TreeNode]] = [[root]]
    legal = TREE_GAME.legal_actions(root.state)
    for wide, y in ((124.0, 206.0), (26.0, 300.0), (8.0, 344.0)):
        level: list[ps2_uct.TreeNode] = []
        for node in levels[-1]:
            actions = legal if node is root else TREE_GAME.legal_actions(node.state)
            for action, child in sorted(node.children.items()):
                level.append(child)
                here[id(child)] = (here[id(node)][0] + wide * (actions.index(action) - (len(actions) - 1) / 2), y)
        levels.append(level)
    nodes = [node for level in levels for node in level]
    taken = {id(node) for node in path}
    edges = [(child.parent, child) for child in nodes[1:] if child.parent is not None]
    shapes = [line(here[id(above)], here[id(child)], 1 + 5 * sqrt(child.num_visits / root.num_visits),
                   "on" if {id(above), id(child)} <= taken else "") for above, child in edges]
    for node in levels[0] + levels[1]:
        shapes += _small_board(node, *here[id(node)], marked=id(node) in taken)
    for node in levels[2] + levels[3]:
        kind = "good" if node in new else "path" if id(node) in taken else "dot"
        radius = 2 + 9 * sqrt(node.num_visits / root.num_visits)
        shapes.append(circle(*here[id(node)], max(radius, 5 if node in new else 0), kind))
    return "".join(shapes) + words(WIDTH / 2, 382, caption, "mid")


def _small_board(node: ps2_uct.TreeNode, x: float, y: float, *, marked: bool) -> list[str]:
    """Draw the board of a node around a point, and its visits beside it."""
    side, left, top = 18, x - 27, y - 27
    shapes = [rect(left, top, 54, 54, "hot" if marked else "blank")]
    for at in (side, 2 * side):
        shapes += [line((left + at, top), (left + at, top + 54), 0.6), line((left, top + at), (left + 54, top + at), 0.6)]
    for row, signs in enumerate(rows(TREE_GAME, node.state)):
        for column, sign in enumerate(signs):
            if sign != ".":
                new = node.action == 3 * row + column
                shapes.append(words(left + side * (column + .5), top + side * (row + .5) + 5.5, sign,
                                    f"mid {sign.lower()}" + (" bold" if new else ""), 20 if new else 15))
    visits = f"{node.num_visits} visits" if node.parent is None else str(node.num_visits)  # the word explains the other numbers
    return [*shapes, words(x + 32, y + 6, visits, "bold" if marked else "soft")]


# ---- four players

def player_frames() -> Iterator[Frame]:
    """Yield what the solver, plain UCT, a network and AlphaZero's search say of one position, with more and more simulations."""
    position = open_position("connect_four", POSITION)
    net = _loaded(usual_net("connect_four"))
    truth = Truth(position, connect_four_judge(_loaded(perfect())), random.Random(0))
    truth.step(len(position.legal))
    uct, puct = UCT(position.game, position.state, random.Random(1)), net.puct(position.state)
    results = {move.action: move.value or 0.0 for move in truth.thought().moves}
    same = _players_still(position, results) + _row(1, "exact solver", results, truth.thought(), results)
    prior = net.prior(position.state).thought()
    for before, budget in pairwise((0, *BUDGETS)):
        for mind in (uct, puct):
            mind.step(budget - before)
        rows_now = [
            _row(2, f"tree search, {budget} simulations", _shares(uct.thought()), uct.thought(), results),
            _row(3, "network, no search", {move.action: move.prior or 0.0 for move in prior.moves}, prior, results),
            _row(4, f"AlphaZero, {budget} simulations", _shares(puct.thought()), puct.thought(), results),
        ]
        yield Frame({0: 2.5, BUDGETS[-1]: 5.0}.get(budget, 1.8), same + "".join(rows_now))


def _loaded(later: Later[Made]) -> Made:
    """Wait for what a thread loads."""
    while True:
        try:
            return later.get()
        except Loading:
            time.sleep(.1)


def _shares(thought: Thought) -> dict[int, float]:
    """The share of the visits at each move."""
    total = sum(move.visits or 0 for move in thought.moves)
    return {move.action: (move.visits or 0) / max(total, 1) for move in thought.moves}


def _players_still(position: Position, results: Mapping[int, float]) -> str:
    """Draw the board, the numbers of the columns there and below the bars, and what is asked."""
    side, left, top = 34.0, 18.0, 74.0
    winning = max(results, key=lambda action: results[action])
    shapes = [words(18, 30, "Four players look at one position of Connect Four", "", 20),
              words(18, 54, f"{'XO'[position.mover]} is to move; only column {winning} wins", "soft")]
    for row, signs in enumerate(rows(position.game, position.state)):
        for column, sign in enumerate(signs):
            x, y = left + side * (column + .5), top + side * (row + .5)
            shapes.append(circle(x, y, 14, {"X": "x", "O": "o"}.get(sign, "blank")))
            if sign != ".":
                shapes.append(words(x, y + 5.5, sign, "mid bold stone", 15))
    for column in range(7):
        shapes += [words(left + side * (column + .5), top + side * 6 + 22, str(column), "mid soft", 16),
                   words(284 + 36 * column + 14, 376, str(column), "mid soft", 16)]
    return "".join(shapes)


def _row(number: int, name: str, heights: Mapping[int, float], thought: Thought, results: Mapping[int, float]) -> str:
    """Draw a player's line: its name, a bar for each column, and the column that it would play.

    Args:
        number: 1 is the line on top.
        heights: the bar of each column, in [0, 1]; at most 0 for a move that does not win.
        results: the exact result of each column for the player to move: +1 wins, 0 draws, -1 loses.
    """
    left, base, wide = 284.0, 78.0 * number + 44, 36.0
    shapes = [words(left, base - 42, name, "", 17)]
    for column in range(7):
        kind = "bar" if column != thought.best else "good" if results[column] > 0 else "o"
        height = 2 + 32 * max(heights.get(column, 0.0), 0.0)
        shapes.append(rect(left + wide * column, base - height, wide - 8, height, kind))
    if thought.best is not None:
        result, kind = ("wins", "good") if results[thought.best] > 0 else ("loses", "o")
        shapes += [words(left + 7 * wide + 4, base - 14, f"plays {thought.best}", f"bold {kind}", 17),
                   words(left + 7 * wide + 4, base + 4, result, kind, 16)]
    return "".join(shapes)


# ---- the files

def moving(frames: Sequence[Frame]) -> str:
    """Return the frames as one picture that shows them in turn for ever; without motion it shows the last one."""
    total, start = sum(frame.seconds for frame in frames), 0.0
    styles: list[str] = []
    groups: list[str] = []
    for number, frame in enumerate(frames):
        begin, end = 100 * start / total, 100 * (start + frame.seconds) / total
        start += frame.seconds
        steps = ["0% { opacity: 0 }"] if number else []
        steps += [f"{begin:.2f}% {{ opacity: 1 }}", f"{end:.2f}%, 100% {{ opacity: {int(number == len(frames) - 1)} }}"]
        styles.append(f"@keyframes f{number} {{ {' '.join(steps)} }}")
        groups.append(f'<g class="f" style="animation-name: f{number}">{frame.shapes}</g>')
    motion = f".f {{ opacity: 0; animation: {total:g}s step-end infinite }} .f:last-child {{ opacity: 1 }}\n"
    no_motion = "@media (prefers-reduced-motion: reduce) { .f { animation: none } }\n"
    return _file(HEIGHT, motion + "\n".join(styles) + "\n" + no_motion, "\n".join(groups))


def still(first: Frame, second: Frame) -> str:
    """Return two frames, one below the other, as one picture."""
    return _file(2 * HEIGHT + 8, "", f'{first.shapes}\n<g transform="translate(0 {HEIGHT + 8})">{second.shapes}</g>')


def _file(height: int, style: str, shapes: str) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">\n<title>{escape(ALT)}</title>\n'
            f'<style>{STYLE}{style}</style>\n<rect width="{WIDTH}" height="{height}" rx="8" class="card"/>\n{shapes}\n</svg>\n')


def main() -> None:
    """Write both files."""
    tree, players = list(tree_frames()), list(player_frames())
    MOVING.write_text(moving([*tree, *players]), encoding="utf-8")
    STILL.write_text(still(tree[-1], players[-1]), encoding="utf-8")
    for path in (MOVING, STILL):
        print(f"wrote {path.relative_to(REPOSITORY)}, {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
