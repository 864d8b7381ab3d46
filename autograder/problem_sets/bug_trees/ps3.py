"""ps3_connect_four: a tree of MCTS-Solver with rewards as pairs and proofs, and the mistakes of `backup` and `prove`."""

import math
from random import Random

from autograder.problem_sets.bug_trees.game import draw_game, rollout
from autograder.problem_sets.bug_trees.lines import Family, Law, Line, Row, Spot, rows_of

COLUMNS = ("moved", "legal", "outcome", "rewards", "n", "q", "proven")
Proof = int | None


def grow(rng: Random, kind: str) -> list[Row]:
    """Search with the mistake `kind`, and return the tree."""
    root, first = Spot(draw_game(rng, 4)), rng.choice((0, 1))  # `first`: the player to move at the root
    proven: dict[int, Proof] = {}
    for _ in range(rng.randint(9, 16)):
        if proven.get(id(root)) is not None:
            break
        leaf = root
        while leaf.place.outcome is None and len(leaf.below) == len(leaf.place.below):
            unknown = [child for child in leaf.below if proven.get(id(child)) is None]
            if not unknown:
                return []  # this mistake leaves nothing to visit here
            leaf = max(unknown, key=_bound)
        if leaf.place.outcome is None:
            untried = [place for place in leaf.place.below if all(child.place is not place for child in leaf.below)]
            leaf.below.append(Spot(rng.choice(untried), leaf))
            leaf = leaf.below[-1]
        value, mover = rollout(leaf.place, rng), (first + leaf.depth()) % 2
        rewards = (value, -value) if mover == 0 else (-value, value)
        leaf.results.append(rewards)
        _backup(leaf, rewards, first, kind)
        _prove(leaf, proven, kind)
    return rows_of(root, lambda spot: (_moved(spot, first), len(spot.place.below), spot.place.outcome, spot.results,
                                       spot.visits, int(spot.total), proven.get(id(spot))))


def _moved(spot: Spot, first: int) -> int:
    """The player who moved into the node; for the root the player who is not to move there."""
    return (first + spot.depth() + 1) % 2


def _bound(spot: Spot) -> float:
    above = spot.parent.visits if spot.parent else 1
    return spot.total / spot.visits + math.sqrt(math.log(max(1, above)) / spot.visits)


def _backup(leaf: Spot, rewards: tuple[int, int], first: int, kind: str) -> None:
    spot: Spot | None = leaf
    while spot is not None and not (kind == "root left out" and spot.parent is None):
        moved = _moved(spot, first)
        spot.visits += 1
        spot.total += rewards[{"other player's reward": 1 - moved, "always player 0's reward": 0}.get(kind, moved)]
        spot = spot.parent


def _prove(leaf: Spot, proven: dict[int, Proof], kind: str) -> None:
    if leaf.place.outcome or (leaf.place.outcome == 0 and kind == "draw is a proven loss"):
        proven[id(leaf)] = leaf.place.outcome or -1
    spot = leaf.parent
    while spot is not None:
        below = [proven.get(id(child)) for child in spot.below]
        proof = _proof(kind, below, len(spot.place.below))
        if proof is None:
            break
        proven[id(spot)] = proof
        spot = spot.parent


def _proof(kind: str, below: list[Proof], legal: int) -> Proof:
    """What the children prove of a node, by the rule with the mistake `kind`."""
    wins, loses = (1, -1) if kind == "proof keeps its sign" else (-1, 1)
    if wins in below:
        return 1
    if kind == "one lost move is enough":
        return -1 if loses in below else None
    there = kind == "missing moves forgotten" or len(below) == legal
    return -1 if below and there and all(proof == loses for proof in below) else None


def _law(kind: str = "", *, own: int | None = None, sign: int = -1, root: bool = True) -> Law:
    """The law of a search: whose reward of a pair is added (None: the mover's), the sign of what comes from below, ..."""
    def holds(line: Line) -> bool:
        if line.outcome is not None:
            proof = line.outcome or (-1 if kind == "draw is a proven loss" else None)
        else:
            proof = _proof_by_table([child.proven for child in line.below], line.legal, kind)
        if line.parent is None and not root:
            return (line.n, line.q, line.proven) == (0, 0, proof)
        whose = {None: line.moved, 2: 1 - line.moved}.get(own, own)
        n = len(line.rewards) + sum(child.n for child in line.below)
        q = sum(pair[whose] for pair in line.rewards) + sign * sum(child.q for child in line.below)
        return (line.n, line.q, line.proven) == (n, q, proof)
    return holds


def _proof_by_table(below: list[Proof], legal: int, kind: str) -> Proof:
    """The same rules, written once more from the table of 3.8: the solver shares nothing with the search."""
    won = any(proof == (1 if kind == "proof keeps its sign" else -1) for proof in below)
    lost = [proof for proof in below if proof == (-1 if kind == "proof keeps its sign" else 1)]
    needed = {"missing moves forgotten": max(1, len(below)), "one lost move is enough": 1}.get(kind, legal)
    return 1 if won else -1 if len(lost) >= needed else None


PROOFS = ("missing moves forgotten", "one lost move is enough", "proof keeps its sign", "draw is a proven loss")
FAMILY = Family(COLUMNS, _law(), {
    "other player's reward": _law(own=2),
    "always player 0's reward": _law(own=0, sign=1),
    "root left out": _law(root=False),
} | {kind: _law(kind) for kind in PROOFS}, grow)
