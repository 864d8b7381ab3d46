"""Nodes over there, made and read by the grader."""

from typing import Any


def plant(student: Any, game: Any, state: Any, priors: list[float] | None = None, visits: list[int] | None = None,
          means: list[float] | None = None) -> Any:
    """A node of the submission's with these P, N and Q; what is not given stays as a new node has it."""
    node = student.Node(game, state)
    for name, values in (("P", priors), ("N", visits), ("Q", means)):
        if values is not None:
            setattr(node, name, values)
    return node


def contents(node: Any) -> tuple[list[float], list[int], list[float]]:
    """P, N and Q of a node."""
    return node.P, node.N, node.Q


def hang(parent: Any, children: dict[int, Any], actions: int) -> None:
    """Put nodes below a node, by index."""
    parent.children = [children.get(index) for index in range(actions)]
