"""A search tree for the screen: requests in, plain data out, without any transport.

A page, a notebook's widget and a server all ask the same three things: the root, some nodes with their children, and the
next phase of a simulation.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.errors import UserError
from arena.games.boards import changed, mover, must_pass, rows, shape_of, to_move
from arena.games.game import BoardShape, Game, IllegalMove, State
from arena.match import reason_of
from arena.show.nodes import Node, NodeReading, SearchTree, UnreadableNode, bound_parts, read_tree
from arena.show.step import Phase, Phases, simulate

ROOT = "r"
ID = re.compile(r"r(?:\.\d{1,4}){0,500}")  # r.4.0: from the root to its child number 4, then to that one's child number 0
MAX_IDS = 2000  # of one request

Reply = dict[str, Any]  # what JSON can hold


class TreeView:
    """The tree under one root, read on demand: the nodes that a viewer shows, and the phases of a simulation.

    Args:
        tree: a root, or an object with tables; see `arena.show.nodes.read_tree`.
        state: the position at the root of a tree in tables; None: the start.
        exploration: c of the bounds that are shown.
        phases: the four functions of a simulation; the tree then grows with each `phase` request. None: it only is looked at.
        rng: for `phases`; None: a generator with seed 1.

    Raises:
        UnreadableNode: `tree` is not a search tree, or its root lacks what a viewer needs.
    """

    def __init__(self, game: Game, tree: Any, *, state: State | None = None, exploration: float = 1.0,
                 phases: Phases | None = None, rng: random.Random | None = None):
        self.game, self.exploration, self.phases = game, exploration, phases
        self._tree: SearchTree = read_tree(game, tree, state)
        self._tree.root()
        self._top: Node = tree
        self._shape = shape_of(game)
        self._rng = random.Random(1) if rng is None else rng
        self._running: Iterator[Phase] | None = None
        self._simulations = 0

    def answer(self, request: Mapping[str, Any]) -> Reply:
        """Return the reply to one request; a request that cannot be answered gets {"error": sentence}.

        {"kind": "start"}: {"shape", "exploration", "phases" (whether there are any), "nodes"}.
        {"kind": "nodes", "ids": [...]}: {"nodes": {id: {"node", "children"}}}.
        {"kind": "phase"}: {"simulation", "name", "lines", "path" (ids), "new" (ids), "notes" and "before" ({id: ...}), "nodes"}.
        """
        kinds: dict[str, Callable[[], Reply]] = {
            "start": self._start, "nodes": lambda: self._nodes(request.get("ids")), "phase": self._phase}
        try:
            kind = request.get("kind") if isinstance(request, Mapping) else None
            if not isinstance(kind, str) or kind not in kinds:
                raise UserError(f"the kind of a request is one of {', '.join(kinds)}")
            return kinds[kind]()
        except (UserError, UnreadableNode, IllegalMove, NotImplementedError) as failure:
            return {"error": str(failure)}
        except Exception as error:  # a student's code runs here: its own sentence, not our traceback
            return {"error": f"your code raised {reason_of(error)}"}

    def _start(self) -> Reply:
        look = _Look(self.game, self._tree, self._shape, self.exploration)
        return {"shape": _shape_data(self._shape), "exploration": self.exploration, "phases": self.phases is not None,
                "nodes": {ROOT: look.reply(ROOT)}}

    def _nodes(self, ids: Any) -> Reply:
        if not isinstance(ids, list) or len(ids) > MAX_IDS or not all(isinstance(id, str) for id in ids):
            raise UserError(f"`ids` is a list of at most {MAX_IDS} names of nodes")
        look = _Look(self.game, self._tree, self._shape, self.exploration)
        return {"nodes": {id: look.reply(id) for id in ids}}

    def _phase(self) -> Reply:
        """Run the next phase; a function that raises ends its simulation, and the next request begins a new one."""
        if self.phases is None:
            raise UserError("this tree can only be looked at, because no functions of a simulation were given")
        if self._running is None:
            self._running = simulate(self.game, self._top, self.phases, self.exploration, self._rng)
            self._simulations += 1
        try:
            phase = next(self._running)
        except BaseException:
            self._running = None
            raise
        if phase.name == "backpropagation":
            self._running = None
        look = _Look(self.game, self._tree, self._shape, self.exploration)
        path = look.ids(phase.path)
        names = dict(zip(map(id, phase.path), path, strict=True))
        return {"simulation": self._simulations, "name": phase.name, "lines": phase.lines, "path": path,
                "new": [names[id(node)] for node in phase.new if id(node) in names],
                "notes": {names[key]: note for key, note in phase.notes.items() if key in names},
                "before": {names[key]: list(numbers) for key, numbers in phase.before.items() if key in names},
                "nodes": {name: look.reply(name) for name in path}}


@dataclass
class _Look:
    """One look at the tree: what was read for one reply is read once."""

    game: Game
    tree: SearchTree
    shape: BoardShape | None
    exploration: float

    def __post_init__(self) -> None:
        self._readings: dict[str, NodeReading] = {ROOT: self.tree.root()}
        self._children: dict[str, list[NodeReading | UnreadableNode]] = {}

    def reply(self, id: str) -> Reply:
        """Return {"node", "children"} of the node with this name."""
        node = self._find(id)
        children = []
        for place, child in enumerate(self._below(id)):
            name = f"{id}.{place}"
            if isinstance(child, NodeReading):
                self._readings[name] = child
                children.append(self._node(name, child, node))
            else:
                children.append({"id": name, "fault": str(child)})
        parent = self._find(id.rpartition(".")[0]) if id != ROOT else None
        return {"node": self._node(id, node, parent), "children": children}

    def ids(self, path: Iterable[Node]) -> list[str]:
        """Return the names of the nodes from the root down.

        Raises:
            UnreadableNode: a node is not among the children of the node above it.
        """
        names = [ROOT]
        for node in list(path)[1:]:
            places = [place for place, child in enumerate(self._below(names[-1]))
                      if isinstance(child, NodeReading) and child.source is node]
            if not places:
                raise UnreadableNode("a node of this simulation is not among the `children` of its parent")
            names.append(f"{names[-1]}.{places[0]}")
            self._find(names[-1])
        return names

    def _find(self, id: str) -> NodeReading:
        if not ID.fullmatch(id):
            raise UserError(f"no node has the name {id[:60]!r}")
        if id not in self._readings:
            above, _, place = id.rpartition(".")
            self._find(above)
            children = self._below(above)
            if int(place) >= len(children):
                raise UserError(f"no node has the name {id[:60]!r}: the tree has changed, load it again")
            child = children[int(place)]
            if isinstance(child, UnreadableNode):
                raise child
            self._readings[id] = child
        return self._readings[id]

    def _below(self, id: str) -> list[NodeReading | UnreadableNode]:
        if id not in self._children:
            self._children[id] = self.tree.children(self._find(id))
        return self._children[id]

    def _node(self, id: str, node: NodeReading, parent: NodeReading | None) -> Reply:
        """Return what a viewer shows of one node; a fault is one sentence in place of all the rest."""
        parts = bound_parts(node, self.exploration)
        try:
            squares = rows(self.game, node.state)
            last = [] if parent is None or self.shape is None else sorted(changed(self.game, parent.state, node.state))
            words = to_move(self.game, node.state)
            chooser = None if parent is None else mover(self.game, parent.state)
            passed = self.shape is not None and parent is not None and must_pass(self.game, parent.state)
        except Exception as error:  # the game may be a student's too
            return {"id": id, "fault": f"the game cannot show the node: {reason_of(error)}"}
        try:
            count, fault = len(self.tree.children(node)), None
        except UnreadableNode as failure:
            count, fault = 0, str(failure)
        action = None if parent is None else "pass" if passed else str(node.action)
        return {
            "id": id, "action": action, "chooser": chooser, "words": words, "rows": squares, "last": list(map(list, last)),
            "n": node.num_visits, "W": node.total_value, "N": node.parent_visits, "prior": node.prior,
            "parts": None if parts is None else list(parts), "children": count, "note": fault,
        }  # fmt: skip


def _shape_data(shape: BoardShape | None) -> Reply | None:
    """Return the shape for the drawing: squares with letters, or stones as discs."""
    if shape is None:
        return None
    return {"height": shape.height, "width": shape.width, "discs": shape.stones_fall or shape.pass_action is not None,
            "holes": shape.stones_fall}
