"""Functions whose body is in the grader: what a student's own check is given to tell right implementations from wrong ones.

Arguments go there as plain values and come back as plain values. Nothing of an implementation is in the sandbox, and all of them
look the same from here: one function, with one name and one call of the grader.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST_SENT = 2_000  # nodes of one tree; more than any set allows
Ask = Callable[[list[Any], dict[str, Any]], Any]  # the grader's own function: arguments by place and by name


def stand_in(kind: str, ask: Ask) -> Callable[..., Any]:
    """Return the function that a check calls.

    Args:
        kind: "values" if arguments and result are plain; "tree" for (node, value), which changes the statistics of nodes;
            "priors" for (node, rng, ...), which changes the priors of a node and draws from rng.
    """
    changing = {"tree": _on_tree, "priors": _on_priors}.get(kind)

    def implementation(*args: Any, **named: Any) -> Any:
        return ask(list(args), named) if changing is None else changing(ask, list(args), named)

    return implementation


def _on_tree(ask: Ask, args: list[Any], named: dict[str, Any]) -> Any:
    """Send the whole tree around a node in place of the node, and write the new statistics into the nodes."""
    node = args.pop(0) if args else named.pop("node")
    nodes = [] if node is None else _whole_tree(node)
    places = {id(each): place for place, each in enumerate(nodes)}
    rows = [(places.get(id(each.parent), -1), each.num_visits, each.total_value) for each in nodes]
    result, after = ask([rows, -1 if node is None else places.get(id(node), -1), *args], named)
    for each, (visits, total) in zip(nodes, after, strict=True):
        if (each.num_visits, each.total_value) != (visits, total):
            each.num_visits, each.total_value = visits, total
    return result


def _whole_tree(node: Any) -> list[Any]:
    """Return the nodes of a tree, the root first, every parent before its children; of a huge tree a part, which is refused too.

    It ends for any links. If the parents go in a circle, the last new node counts as the root, and its row shows the grader that
    this node has a parent.
    """
    way, passed = [node], {id(node)}
    while (above := way[-1].parent) is not None and id(above) not in passed and len(way) < MOST_SENT:
        way.append(above)
        passed.add(id(above))
    onward = {id(above): below for below, above in zip(way, way[1:], strict=False)}  # a parent may not know its child
    nodes, seen = [way[-1]], {id(way[-1])}
    for parent in nodes:
        below = parent.children.values() if isinstance(parent.children, dict) else parent.children
        for child in [*([onward[id(parent)]] if id(parent) in onward else []), *below]:
            if id(child) not in seen and len(nodes) < MOST_SENT:
                seen.add(id(child))
                nodes.append(child)
    return nodes


def _on_priors(ask: Ask, args: list[Any], named: dict[str, Any]) -> Any:
    """Send a node's statistics and a seed from rng; write back what has changed, and undo the draw if none was needed."""
    node = args.pop(0) if args else named.pop("node")
    rng = args.pop(0) if args else named.pop("rng")
    before = rng.getstate()
    row = ([float(p) for p in node.P], list(node.N), list(node.Q), bool(node.noisy))
    seed, drew = rng.getrandbits(64), False
    try:
        result, drew, (priors, visits, means, noisy) = ask([row, seed, *args], named)
    finally:  # also after an error
        if not drew:
            rng.setstate(before)
    for name, old, new in zip(("P", "N", "Q", "noisy"), row, (priors, visits, means, noisy), strict=True):
        if old != new:
            setattr(node, name, new)
    return result
