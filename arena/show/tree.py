"""A search tree as a picture: at every node the board, W, n and UCB; the visited path in colour; the rest left out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from arena.games.boards import changed, has_board, rows, to_move
from arena.games.game import Game
from arena.show.board import COLOURS, FONT, GRID, INK, LAST
from arena.show.nodes import Node, child_nodes, number, ucb_text

if TYPE_CHECKING:
    import graphviz

PATH, PATH_FILL, NEW, NEW_FILL, SOFT = "#0a8f6a", "#e6f6f0", "#8a4fbe", "#f4ecfb", "#6b7683"
SPACE = "&#160;"  # SVG drops an ordinary space at the edge of a text
MAX_WIDTH = 10  # nodes side by side; with more, a picture as wide as a notebook is not readable


@dataclass(frozen=True)
class Marks:
    """The marks on a tree; nodes are known by identity, so that any node class will do."""

    path: tuple[Node, ...] = ()
    new: tuple[Node, ...] = ()
    before: Mapping[int, tuple[int, float]] = field(default_factory=dict)  # id(node) -> (num_visits, total_value)
    notes: Mapping[int, str] = field(default_factory=dict)                 # id(node) -> a line under its numbers

    def on_path(self, node: Node) -> bool:
        """Say whether a node is on the path that is shown."""
        return any(node is other for other in self.path)

    def is_new(self, node: Node) -> bool:
        """Say whether a node has just been added."""
        return any(node is other for other in self.new)


@dataclass(frozen=True)
class Limits:
    """The part of a big tree that is drawn; marked nodes are always drawn."""

    max_depth: int = 3
    max_children: int = 5
    max_width: int = MAX_WIDTH


def draw_tree(game: Game, root: Node, *, exploration: float = 1.0, path: Iterable[Node] = (), max_depth: int = 3,
              max_children: int = 5, highlight: Iterable[Node] = ()) -> "graphviz.Digraph":
    """Draw the tree under `root`: the board, W (`total_value`), n (`num_visits`) and UCB of each node.

    Args:
        root: any node with the fields state, parent, action, children, num_visits and total_value.
        exploration: the constant c of the UCB that is shown, -W/n + c sqrt(ln N / n); N is the parent's visits.
        path: nodes to colour as visited, with the edges between them.
        max_depth, max_children: the levels below the root, and the children of one node, that are drawn; the most visited
            children are drawn, in the order of their actions, and "+ 12 more" stands for the others.
        highlight: nodes to colour as new.

    W is in the mover's view: it belongs to the player to move at the node. A notebook shows the result by itself;
    `.render(...)` writes a file.
    """
    marks = Marks(path=tuple(path), new=tuple(highlight))
    return picture(game, root, exploration, Limits(max_depth, max_children), marks)


def picture(game: Game, root: Node, exploration: float, limits: Limits, marks: Marks) -> "graphviz.Digraph":
    """Draw like `draw_tree`, with values before and after, and with notes."""
    import graphviz

    dot = graphviz.Digraph(
        graph_attr={"nodesep": "0.1", "ranksep": "0.35", "splines": "line", "size": "10.5,40", "bgcolor": "transparent"},
        node_attr={"shape": "plain", "fontsize": "11", "fontname": FONT, "fontcolor": INK},
        edge_attr={"arrowhead": "none", "tailport": "s", "headport": "n", "color": GRID, "fontsize": "9", "fontname": FONT,
                   "fontcolor": SOFT})  # grey: readable on a light and on a dark page
    shown = visible(root, limits, marks)
    names = {id(node): f"n{i}" for i, (node, _) in enumerate(shown)}
    for node, children in shown:
        folded = len(child_nodes(node)) - len(children)
        dot.node(names[id(node)], _label(game, node, None if node is root else exploration, folded, marks))
    for node, children in shown:
        for child in children:
            coloured = marks.on_path(node) and marks.on_path(child)
            style = {"color": PATH, "penwidth": "3"} if coloured else {}
            dot.edge(names[id(node)], names[id(child)], label=f"{2 * SPACE}{child.action}", **style)
    return dot


def visible(root: Node, limits: Limits, marks: Marks) -> list[tuple[Node, list[Node]]]:
    """Choose the nodes to draw, level by level: each drawn node with its drawn children."""
    def rank(node: Node) -> tuple[bool, int]:
        return (marks.on_path(node) or marks.is_new(node), node.num_visits)

    shown, level, depth = [], [root], 0
    while level:
        wanted = []
        for node in level:
            ranked = sorted(child_nodes(node), key=rank, reverse=True)
            wanted += [child for i, child in enumerate(ranked)
                       if rank(child)[0] or i < limits.max_children and depth < limits.max_depth]
        wanted.sort(key=rank, reverse=True)
        kept = {id(child) for i, child in enumerate(wanted) if rank(child)[0] or i < limits.max_width}
        below = []
        for node in level:
            children = sorted((child for child in child_nodes(node) if id(child) in kept), key=lambda child: child.action)
            shown.append((node, children))
            below += children
        level, depth = below, depth + 1
    return shown


def _label(game: Game, node: Node, exploration: float | None, folded: int, marks: Marks) -> str:
    """Return a node as a table in graphviz' HTML: the player to move, the board, the numbers; the root has no UCB."""
    border, fill, width = GRID, "white", 1
    if marks.on_path(node):
        border, fill, width = PATH, PATH_FILL, 2
    if marks.is_new(node):
        border, fill, width = NEW, NEW_FILL, 2
    lines = [f'<FONT POINT-SIZE="8" COLOR="{SOFT}">{SPACE}{escape(to_move(game, node.state))}{SPACE}</FONT>', _board(game, node)]
    visits, total = str(node.num_visits), number(node.total_value)
    if id(node) in marks.before:
        old_visits, old_total = marks.before[id(node)]
        visits, total = f"{old_visits} → {visits}", f"{number(old_total)} → {total}"
        lines += [f"W <B>{total}</B>", f"n <B>{visits}</B>"]
    else:
        lines.append(f"W <B>{total}</B>{SPACE}{SPACE}n <B>{visits}</B>")
    if exploration is not None:
        lines.append(f'<FONT POINT-SIZE="10" COLOR="{SOFT}">UCB {ucb_text(node, exploration)}</FONT>')
    if id(node) in marks.notes:
        lines.append(f'<FONT POINT-SIZE="10" COLOR="{NEW}"><B>{escape(marks.notes[id(node)])}</B></FONT>')
    if folded:
        lines.append(f'<FONT POINT-SIZE="9" COLOR="{SOFT}">+ {folded} more</FONT>')
    body = "".join(f"<TR><TD>{line}</TD></TR>" for line in lines)
    return (f'<<TABLE BORDER="{width}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2" STYLE="ROUNDED" COLOR="{border}" '
            f'BGCOLOR="{fill}">{body}</TABLE>>')


def _board(game: Game, node: Node) -> str:
    """Return the board as a table of glyphs, the last move on a yellow square; for a toy game the name of the state."""
    lines = rows(game, node.state)
    if not has_board(game):
        return f'<FONT POINT-SIZE="14"><B>{escape(lines[0])}</B></FONT>'
    last = set() if node.parent is None else changed(game, node.parent.state, node.state)
    many = len(lines) > 3
    side = 11 if many else 17
    cells = "".join("<TR>" + "".join(_cell(sign, (r, c) in last, many, side) for c, sign in enumerate(line)) + "</TR>"
                    for r, line in enumerate(lines))
    return (f'<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="0" COLOR="{GRID}" '
            f'FIXEDSIZE="TRUE" WIDTH="{side * len(lines[0])}" HEIGHT="{side * len(lines)}">{cells}</TABLE>')


def _cell(sign: str, last: bool, many: bool, side: int) -> str:
    """Return one square: a letter on a small board, a coloured patch on a board of many squares."""
    if many:
        fill, letter = COLOURS.get(sign, "white"), "•" if last else ""
        ink, size = "white", 7
    else:
        fill, letter = LAST if last else "white", sign.strip(".")
        ink, size = COLOURS.get(sign, INK), 12
    glyph = f'<FONT POINT-SIZE="{size}" COLOR="{ink}"><B>{letter}</B></FONT>' if letter else ""
    return f'<TD FIXEDSIZE="TRUE" WIDTH="{side}" HEIGHT="{side}" BGCOLOR="{fill}">{glyph}</TD>'
