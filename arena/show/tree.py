"""A search tree as a picture: at every node the board, W, n and UCB; the visited path in colour; the rest left out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.games.boards import changed, has_board, rows, to_move
from arena.games.game import Game, State
from arena.show.board import GRID, small_board
from arena.show.cards import SOFT, Card, Drawing, Line, Picture, draw_cards, line
from arena.show.nodes import Node, child_nodes, number, ucb_text

PATH, PATH_FILL, NEW, NEW_FILL = "#0a8f6a", "#e6f6f0", "#8a4fbe", "#f4ecfb"
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
              max_children: int = 5, highlight: Iterable[Node] = ()) -> Picture:
    """Draw the tree under `root`: the board, W (`total_value`), n (`num_visits`) and UCB of each node.

    Args:
        root: any node with the fields state, parent, action, children, num_visits and total_value.
        exploration: the constant c of the UCB that is shown, -W/n + c sqrt(ln N / n); N is the parent's visits.
        path: nodes to colour as visited, with the edges between them.
        max_depth, max_children: the levels below the root, and the children of one node, that are drawn; the most visited
            children are drawn, in the order of their actions, and "+ 12 more" stands for the others.
        highlight: nodes to colour as new.

    W is in the mover's view: it belongs to the player to move at the node. A notebook shows the result by itself;
    `.save("tree.svg")` writes a file.
    """
    marks = Marks(path=tuple(path), new=tuple(highlight))
    return picture(game, root, exploration, Limits(max_depth, max_children), marks)


def draw_tables(game: Game, tables: Any, state: State, *, plies: int = 2, width: int = 3) -> Picture:
    """Draw a search over tables: below each state its most visited actions, with N, Q and P of the action.

    Args:
        tables: an object with `N`, `Q` and `P`, {state: {action: number}} each, as `MCTS` of problem set 4 has them.
        state: the position at the root.
        plies, width: how deep the picture goes, and how many actions of a state it shows.

    N and Q stand at the board after the action, and Q is for the player who chose the action.
    """
    told: list[str] = []
    root = Card([line(to_move(game, state), 9, SOFT), _board(game, state, None)])
    level = [(root, state, "")]
    for _ in range(plies):
        below: list[tuple[Card, State, str]] = []
        for card, parent, way in level:
            visits = {action: count for action, count in tables.N.get(parent, {}).items() if count}
            for action in sorted(visits, key=lambda action: visits[action], reverse=True)[:width]:
                after = game.play(parent, action)
                q, p = (number(round(table[parent][action], 2) + 0.0) for table in (tables.Q, tables.P))  # never -0.00
                child = Card([line(f"N {visits[action]}", 11, bold=True), line(f"Q {q}\xa0\xa0P {p}", 10),
                              _board(game, after, parent)], edge=str(action))
                card.children.append(child)
                below.append((child, after, f"{way}{action} "))
                told.append(f"action {way}{action}: N {visits[action]}, Q {q}, P {p}")
        level = below
    return draw_cards([root], title=f"the most visited actions, {plies} plies deep", describe="; ".join(told))


def picture(game: Game, root: Node, exploration: float, limits: Limits, marks: Marks) -> Picture:
    """Draw like `draw_tree`, with values before and after, and with notes."""
    shown = visible(root, limits, marks)
    cards = {id(node): _card(game, node, None if node is root else exploration, len(child_nodes(node)) - len(children), marks)
             for node, children in shown}
    for node, children in shown:
        for child in children:
            card = cards[id(child)]
            card.edge = str(child.action)
            card.edge_colour = PATH if marks.on_path(node) and marks.on_path(child) else None
            cards[id(node)].children.append(card)
    return draw_cards([cards[id(root)]])


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


def _card(game: Game, node: Node, exploration: float | None, folded: int, marks: Marks) -> Card:
    """Return the card of a node: the player to move, the board, the numbers; the root has no UCB."""
    border, fill, thickness = GRID, "white", 1
    if marks.on_path(node):
        border, fill, thickness = PATH, PATH_FILL, 2
    if marks.is_new(node):
        border, fill, thickness = NEW, NEW_FILL, 2
    before = None if node.parent is None else node.parent.state
    lines = [line(to_move(game, node.state), 8, SOFT), _board(game, node.state, before)]
    visits, total = str(node.num_visits), number(node.total_value)
    if id(node) in marks.before:
        old_visits, old_total = marks.before[id(node)]
        lines += [Line((("W ", False), (f"{number(old_total)} → {total}", True))),
                  Line((("n ", False), (f"{old_visits} → {visits}", True)))]
    else:
        lines.append(Line((("W ", False), (total, True), ("\xa0\xa0n ", False), (visits, True))))
    if exploration is not None:
        lines.append(line(f"UCB {ucb_text(node, exploration)}", 10, SOFT))
    if id(node) in marks.notes:
        lines.append(line(marks.notes[id(node)], 10, NEW, bold=True))
    if folded:
        lines.append(line(f"+ {folded} more", 9, SOFT))
    return Card(lines, border, fill, thickness)


def _board(game: Game, state: State, before: State | None) -> Line | Drawing:
    """Return the board of `state`, the last move on a yellow square; for a toy game the name of the state.

    Args:
        before: the state one move earlier; None at the root.
    """
    lines = rows(game, state)
    if not has_board(game):
        return line(lines[0], 14, bold=True)
    last = set() if before is None else changed(game, before, state)
    side = 11 if len(lines) > 3 else 17
    return Drawing(small_board(game, state, last, side), side * len(lines[0]), side * len(lines))
