"""The trees of our own searches on the positions that feedback pages show: `python -m assets.make.search_trees`.

Beside the tree of one seed the file has each node's range of its numbers over SEEDS seeds, a quarter of its width added on each
side: a right search of another style or seed hardly ever leaves it.
"""

import json
import random
from importlib import import_module
from pathlib import Path
from typing import Any

from arena.shipped import CHECKOUT
from autograder.grading.hidden_checks.observed_tree import SEED
from autograder.grading.hidden_checks.shown_search import DIGITS, ShownSearch, shown_search, tree_of
from autograder.grading.report import SearchTree
from autograder.problem_sets.source import names

SEEDS = 200
LEAST_VISITS, LEAST_VALUE = 3.0, 0.05  # what is added on each side at least
FILE = CHECKOUT / "assets" / "search_trees.json"
Row = dict[str, Any]


def our_tree(ps: str, shown: ShownSearch, seed: int) -> SearchTree:
    """Return the tree of our search."""
    root = shown.search(import_module(f"solutions.{ps}"), shown, random.Random(seed))
    below = {(action, reply): node for action, child in root.children.items() for reply, node in child.children.items()}
    nodes = {(action,): child for action, child in root.children.items()} | below
    tree = tree_of(shown, {path: (node.num_visits, shown.sign * getattr(node, shown.total)) for path, node in nodes.items()})
    assert tree is not None
    return tree


def rows(ps: str, shown: ShownSearch) -> list[Row]:
    """Return a row for each node: its path, its numbers in the tree of SEED, and the ranges."""
    trees = [{node.path: node for node in our_tree(ps, shown, seed).nodes} for seed in range(SEEDS)]
    made = []
    for path in sorted(shown.paths(), key=lambda path: (len(path), path)):
        seen = [tree[path] for tree in trees if path in tree]
        values = [node.value for node in seen if node.value is not None]
        visits = [float(node.visits) for node in seen] + [0.0] * (SEEDS - len(seen))
        node = trees[SEED].get(path)
        made.append({"path": path, "visits": node.visits if node else 0, "value": node.value if node else None,
                     "visits_range": _wider(visits, LEAST_VISITS), "value_range": _wider(values, LEAST_VALUE)})
    return made


def _wider(values: list[float], least: float) -> list[float]:
    margin = max((max(values) - min(values)) / 4, least)
    return [round(min(values) - margin, DIGITS), round(max(values) + margin, DIGITS)]


def text() -> str:
    """Return the contents of the file."""
    searches = {ps: shown for ps in names() if (shown := shown_search(ps))}
    lines = {ps: "[\n  " + ",\n  ".join(map(json.dumps, rows(ps, shown))) + "\n ]" for ps, shown in searches.items()}
    return "{\n " + ",\n ".join(f'"{ps}": {text}' for ps, text in lines.items()) + "\n}\n"


if __name__ == "__main__":
    Path(FILE).write_text(text())
    print(f"wrote {FILE}")
