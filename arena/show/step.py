"""Simulations step by step, phase by phase: what the search does, drawn and printed, with the student's own functions."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from arena.games.boards import has_board, mover, rows, to_move
from arena.games.game import Game, State
from arena.show.nodes import Node, child_nodes, number, ucb_text
from arena.show.pages import Page, slider
from arena.show.tree import Limits, Marks, picture

PHASES = ("selection", "expansion", "simulation", "backpropagation")
Numbers: TypeAlias = tuple[Node, int, float]  # a node, its num_visits and its total_value


@dataclass(frozen=True)
class Phases:
    """The four functions that make one simulation.

    Args:
        select: (game, node, exploration, rng) -> the node where the walk down from `node` ends.
        expand: (game, node, rng) -> a new child of `node`.
        evaluate: (state) -> the value of a rollout from `state`, for the player to move there.
        backpropagate: (node, value) -> None; `value` is for the player to move at `node`.
    """

    select: Callable[[Game, Node, float, random.Random], Node]
    expand: Callable[[Game, Node, random.Random], Node]
    evaluate: Callable[[State], float]
    backpropagate: Callable[[Node, float], None]


@dataclass(frozen=True)
class Steps:
    """The pages that `step` made. A notebook shows them with a slider; `print` gives the trace; `pages` holds them all."""

    pages: tuple[Page, ...]

    @property
    def trace(self) -> str:
        """All pages as text."""
        return "\n".join(page.text for page in self.pages)

    def __str__(self) -> str:
        return self.trace

    def _repr_html_(self) -> str:
        return slider(self.pages, PHASES)


def step(game: Game, root: Node, phases: Phases, *, num_simulations: int = 1, exploration: float = 1.0,
         rng: random.Random) -> Steps:
    """Run simulations on the tree under `root`, and keep a page for each of their four phases.

    Args:
        root: a node with the fields of `TreeNode`; the tree grows, so that a second call continues where this one ended.
        phases: the four functions, the student's or ours.
        exploration: the constant c for `select`, and for the UCB in the pictures.

    The simulation of a finished game is its outcome; nothing is expanded there.

    Raises:
        ValueError: a function returned something that is not a node of this tree.
    """
    pages: list[Page] = []
    for i in range(1, num_simulations + 1):
        title = f"simulation {i} of {num_simulations}"
        pages += [_page(game, root, exploration, title, phase) for phase in simulate(game, root, phases, exploration, rng)]
    return Steps(tuple(pages))


@dataclass(frozen=True)
class Phase:
    """One phase of one simulation, as it has just ended.

    Attributes:
        name: one of PHASES.
        lines: what happened, in words.
        path: the nodes from the root to where the simulation stands.
        new: the nodes that the phase added, or evaluated.
        notes: id(node) -> a line under the node.
        before: id(node) -> (num_visits, total_value), for the nodes that backpropagation should have changed or has changed.
    """

    name: str
    lines: list[str]
    path: tuple[Node, ...]
    new: tuple[Node, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)
    before: Mapping[int, tuple[int, float]] = field(default_factory=dict)


def simulate(game: Game, root: Node, phases: Phases, exploration: float, rng: random.Random) -> Iterator[Phase]:
    """Run one simulation, and stop after each of its four phases, so that the tree can be read before the next one changes it.

    Raises:
        ValueError: a function returned something that is not a node of this tree.
    """
    see = _Names(game, root, exploration)
    leaf = phases.select(game, root, exploration, rng)
    path = see.path(leaf, "select")
    yield Phase("selection", _selected(see, path), path)

    known = see.numbers()
    if game.outcome(leaf.state) is None:
        parent, leaf = leaf, phases.expand(game, leaf, rng)
        path = see.path(leaf, "expand")
        new = tuple(node for key, (node, _, _) in see.numbers().items() if key not in known)
        lines = [f"action {leaf.action} leads from {see.name(parent)} to the new node {see.name(leaf)}"]
    else:
        ending = f" ({to_move(game, leaf.state)})" if has_board(game) else ""
        new, lines = (), [f"nothing to expand: the game is over at {see.name(leaf)}{ending}"]
    yield Phase("expansion", lines, path, new)

    outcome = game.outcome(leaf.state)
    value = phases.evaluate(leaf.state) if outcome is None else outcome
    source = "a rollout" if outcome is None else "the outcome"
    note = f"{source}: {number(value)} for {mover(game, leaf.state)}"
    yield Phase("simulation", [f"{note}, who is to move at {see.name(leaf)}"], path, (leaf,), notes={id(leaf): note})

    known = see.numbers()
    phases.backpropagate(leaf, value)
    moved = [*map(id, path), *(key for key, entry in known.items() if _differs(entry))]
    yield Phase("backpropagation", _changes(see, path, known), path,
                before={key: known[key][1:] for key in moved if key in known})


def _page(game: Game, root: Node, exploration: float, title: str, phase: Phase) -> Page:
    """Draw and describe the tree at once, before the next phase changes it."""
    marks = Marks(phase.path, phase.new, phase.before, phase.notes)
    text = f"  {phase.name:<16} " + ("\n" + " " * 19).join(phase.lines)
    if phase.name == PHASES[0]:
        text = f"{title}\n{text}"
    return Page(title, phase.name, phase.lines, text, picture(game, root, exploration, Limits(), marks))


@dataclass(frozen=True)
class _Names:
    """The names of nodes in sentences, and what the whole tree holds at one moment."""

    game: Game
    root: Node
    exploration: float

    def path(self, node: Node, function: str) -> tuple[Node, ...]:
        """Return the nodes from the root down to `node`."""
        upwards = [node]
        while upwards[-1] is not self.root:
            parent = getattr(upwards[-1], "parent", None)
            if parent is None or len(upwards) > 1000:
                raise ValueError(f"{function} returned {node!r}: no way leads from there up to the root")
            upwards.append(parent)
        return tuple(reversed(upwards))

    def numbers(self) -> dict[int, Numbers]:
        """Return every node of the tree by identity, with its num_visits and total_value."""
        by_identity: dict[int, Numbers] = {}
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if id(node) not in by_identity:  # a wrong `expand` can make a circle
                by_identity[id(node)] = (node, node.num_visits, node.total_value)
                waiting += child_nodes(node)
        return by_identity

    def name(self, node: Node) -> str:
        """Name a node by its board in one line, or by its moves if the board is big."""
        lines = rows(self.game, node.state)
        if len(lines) <= 3:
            return "/".join(lines)
        moves = [str(step.action) for step in self.path(node, "name")[1:]]
        return "moves " + " ".join(moves) if moves else "root"


def _selected(see: _Names, path: tuple[Node, ...]) -> list[str]:
    """Say for every step down which child was chosen, with its UCB and the UCB of the others."""
    lines = []
    for node, taken in pairwise(path):
        others = [ucb_text(child, see.exploration) for child in child_nodes(node) if child is not taken]
        lines.append(f"{see.name(node)}: action {taken.action}, UCB {ucb_text(taken, see.exploration)}"
                     + (f", over {', '.join(others)}" if others else ""))
    return [*lines, f"ends at {see.name(path[-1])}"]


def _changes(see: _Names, path: tuple[Node, ...], known: dict[int, Numbers]) -> list[str]:
    """Say how backpropagation changed each node, from the leaf up, and any node that is not on the path."""
    on_path = [id(node) for node in reversed(path) if id(node) in known]
    elsewhere = [key for key, entry in known.items() if key not in on_path and _differs(entry)]
    return [f"{see.name(node)}: n {visits} → {node.num_visits}, W {number(total)} → {number(node.total_value)}"
            for node, visits, total in (known[key] for key in on_path + elsewhere)]


def _differs(entry: Numbers) -> bool:
    node, visits, total = entry
    return (node.num_visits, node.total_value) != (visits, total)
