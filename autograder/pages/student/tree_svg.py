"""Two search trees side by side: the student's, as the report has it, and ours; moves that differ are marked.

Ours is in assets/search_trees.json (made by `assets.make.search_trees`), with the range of each number over many seeds. A
move is marked when the student's numbers leave that range.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from arena.shipped import CHECKOUT
from arena.show.board import draw_board
from autograder.grading.hidden_checks.shown_search import Path, shown_search
from autograder.grading.report import SearchTree, SeenNode
from autograder.problem_sets.source import ProblemSet

FILE = CHECKOUT / "assets" / "search_trees.json"
WIDTH, ROW, INDENT = 340, 24, 22  # of a picture, a row and a ply, in pixels
NAME_AT, BAR_AT, BAR, NUMBERS_AT = 26, 128, 66, 202
JUDGED_FROM = 10  # visits: the mean of fewer results says little
MARK = "≠"


@dataclass(frozen=True)
class OurNode:
    """A node of our tree, and the ranges of its visits and of its value over many seeds."""

    node: SeenNode
    visits_range: tuple[float, float]
    value_range: tuple[float, float]

    def differs(self, theirs: SeenNode | None) -> bool:
        """Say whether a student's node lies outside the ranges; None is a node that their tree does not have."""
        visits = theirs.visits if theirs else 0
        value = theirs.value if theirs and visits >= JUDGED_FROM else None
        return not _within(visits, self.visits_range) or (value is not None and not _within(value, self.value_range))


def compared(problem_set: ProblemSet, tree: SearchTree) -> dict[str, Any] | None:
    """Return what a page shows of a student's tree beside ours: pictures, rows of a table, and the position.

    None if the set shows no tree any more.
    """
    if (shown := shown_search(problem_set.name)) is None:
        return None
    ours = our_tree(problem_set.name)
    theirs = {node.path: node for node in tree.nodes}
    marked = {path for path, node in ours.items() if node.differs(theirs.get(path))}
    exercise, numbers = problem_set.exercise(shown.exercise), {path: node.node for path, node in ours.items() if node.node.visits}
    yours = _picture(theirs, ours, marked, shown.simulations, "the tree of your search")
    return {
        "exercise": f"{exercise.id} {exercise.title}", "simulations": shown.simulations,
        "board": Markup(draw_board(shown.game, shown.state, square=30).svg), "caption": shown.caption,
        "pictures": [
            ("your search", Markup(yours)),
            ("our search", Markup(_picture(numbers, ours, set(), shown.simulations, "the tree of our search"))),
        ],
        "rows": [(moves_text(path), theirs.get(path), node.node, path in marked) for path, node in ours.items()],
        "marked": len(marked), "mark": MARK, "most": most_visited(theirs, numbers),
    }


@cache
def our_tree(ps: str) -> dict[Path, OurNode]:
    """Return the nodes of our tree by path; each child follows its parent."""
    nodes = {}
    for row in json.loads(FILE.read_text(encoding="utf-8"))[ps]:
        path = tuple(row["path"])
        nodes[path] = OurNode(SeenNode(path, row["visits"], row["value"]), tuple(row["visits_range"]), tuple(row["value_range"]))
    return dict(sorted(nodes.items()))


def most_visited(theirs: Mapping[Path, SeenNode], ours: Mapping[Path, SeenNode]) -> str:
    """Say which first move each search visits most, which is the one that it plays; "" if theirs has none, or two."""
    (theirs_n, move), (ours_n, our_move) = (_first_move(nodes) for nodes in (theirs, ours))
    if not move:
        return ""
    if move == our_move:
        return f"Both visit move {move} most: yours {theirs_n} times, ours {ours_n}."
    return f"Your search visits move {move} most, {theirs_n} times; ours visits move {our_move}, {ours_n} times."


def _first_move(nodes: Mapping[Path, SeenNode]) -> tuple[int, str]:
    """Return the visits and the name of the first move with the most visits; no name if none, or two, have them."""
    visits = [(node.visits, moves_text(path)) for path, node in nodes.items() if len(path) == 1]
    most = max((number for number, _ in visits), default=0)
    names = [name for number, name in visits if number == most and most]
    return most, names[0] if len(names) == 1 else ""


def moves_text(path: Path) -> str:
    """Return a node's moves for a table: "4, then 3"."""
    return ", then ".join(map(str, path))


def value_text(node: SeenNode | None) -> str:
    """Return a node's mean with its sign, or a dash."""
    return "–" if node is None or node.value is None else f"{node.value:+.2f}".replace("-", "−")


def _picture(nodes: Mapping[Path, SeenNode], paths: Iterable[Path], marked: set[Path], simulations: int, words: str) -> str:
    """Draw the nodes at `paths`, a row for each, in one order for both trees; dashes stand for a node that is not there."""
    shapes = [f'<text x="2" y="16" class="strong">the position, N = {simulations}</text>']
    last_row: dict[Path, int] = {(): 0}
    for row, path in enumerate(paths, 1):
        depth, middle = len(path), row * ROW + ROW / 2
        x = (depth - 1) * INDENT + 8
        shapes.append(f'<path class="line" d="M{x} {last_row[path[:-1]] * ROW + 20}V{middle:g}H{x + 12}"/>')
        last_row[path] = row
        node = nodes.get(path)
        if path in marked:
            place = f'x="{x + 13}" y="{row * ROW + 2}" width="{WIDTH - x - 14}" height="{ROW - 4}"'
            shapes.append(f'<rect class="differs" {place} rx="3"/>')
        shapes.append(f'<text x="{x + NAME_AT - 10}" y="{middle + 4:g}" class="strong">{path[-1]}</text>')
        above = simulations if depth == 1 else nodes[path[:-1]].visits if path[:-1] in nodes else 0
        share = min(1.0, node.visits / above) if node and above else 0.0
        shapes.append(f'<rect class="whole" x="{BAR_AT}" y="{middle - 5:g}" width="{BAR}" height="10"/>'
                      f'<rect class="share" x="{BAR_AT}" y="{middle - 5:g}" width="{BAR * share:.1f}" height="10"/>')
        figures = f"n {node.visits}\u00a0\u00a0 {value_text(node)}" if node else "not in the tree"
        shapes.append(f'<text x="{NUMBERS_AT}" y="{middle + 4:g}">{figures}</text>')
        if path in marked:
            shapes.append(f'<text x="{WIDTH - 16}" y="{middle + 5:g}" class="strong">{MARK}</text>')
    height = len(last_row) * ROW + 4
    return (f'<svg class="tree" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{words}; the table below has its numbers">'
            f'{"".join(shapes)}</svg>')


def _within(number: float, ends: tuple[float, float]) -> bool:
    return ends[0] <= number <= ends[1]
