"""Make the boards of problem set 3's hidden suite that have one right move: 1,000 for each depth and each player to move.

    python -m assets.make.near_ends        the same seed gives the same file

Depth 1: one move wins at once, and no other move wins at all. Depth 2: no move wins at once, and every move but one loses at
once. Depth 3: one move wins in three plies against every defence, and no other move wins at all.
A board comes from a random game. It is kept if a search finds the move from each of 140 seeds. Because of the large
number, two editions, which draw some dozens each, rarely have a board in common.
"""

import itertools
import random
import sys
from pathlib import Path

from arena.files import write_atomic
from arena.games import ConnectFour
from arena.players.solver import Solver
from arena.players.uct import visit_counts
from autograder.paths import REPOSITORY

GAME, FILE = ConnectFour(), REPOSITORY / "tests" / "hidden" / "ps3_connect_four" / "near_ends.txt"
BOARDS, SEEDS = 1000, 140
SIMULATIONS = {1: 100, 2: 150, 3: 300}  # in which a right search finds the move, by depth
STONES = (26, 33)  # on the board, from and to
State = tuple[int, int]


def wins(state: State) -> list[int]:
    """Return the actions that win at once."""
    return [action for action in GAME.legal_actions(state) if GAME.outcome(GAME.play(state, action)) == -1.0]


def right_move(state: State, depth: int, solver: Solver) -> int | None:
    """Return the one right move of this depth, or None if the board has none."""
    actions = GAME.legal_actions(state)
    now, after = wins(state), {action: GAME.play(state, action) for action in actions}
    if len(actions) < 4 or len(now) != (depth == 1):
        return None
    if depth == 2:
        safe = [action for action in actions if GAME.outcome(after[action]) is None and not wins(after[action])]
        return safe[0] if len(safe) == 1 else None
    winning = now or [action for action in actions if _wins_in_three(after[action])]
    others = [after[action] for action in actions if action not in winning]
    won = (GAME.outcome(state) is None and solver.score(state) < 0 for state in others)  # the score is the other player's
    return winning[0] if len(winning) == 1 and not any(won) else None


def _wins_in_three(below: State) -> bool:
    """Whether every reply to the move that led to `below` allows a win at once, and no reply wins."""
    if GAME.outcome(below) is not None or wins(below):
        return False
    replies = [GAME.play(below, reply) for reply in GAME.legal_actions(below)]
    return all(GAME.outcome(reply) is None and wins(reply) for reply in replies)


def always_found(state: State, right: int, depth: int) -> bool:
    """Whether the search finds the move from every seed."""
    return all(visit_counts(state, SIMULATIONS[depth], 1.0, seed).argmax() == right for seed in range(SEEDS))


def random_line(rng: random.Random, stones: int) -> tuple[list[int], State]:
    """Return the moves of a random game, and the board after this number of stones; the game goes on there."""
    while True:
        state, moves = GAME.start(), list[int]()
        while len(moves) < stones and GAME.outcome(state) is None:
            moves.append(rng.choice(GAME.legal_actions(state)))
            state = GAME.play(state, moves[-1])
        if GAME.outcome(state) is None:
            return moves, state


def boards(depth: int, player: int) -> list[str]:
    """Return lines "depth moves right", sorted, for this player to move; a mirror image counts as the same board."""
    rng, solver, known, lines = random.Random(f"{depth} {player}"), Solver(20), set[frozenset[State]](), list[str]()
    sizes = [stones for stones in range(STONES[0], STONES[1] + 1) if stones % 2 == player]
    while len(lines) < BOARDS:
        moves, state = random_line(rng, rng.choice(sizes))
        right = right_move(state, depth, solver)
        images = frozenset(image for image, _ in GAME.symmetries(state, [0.0] * GAME.num_actions))
        if right is not None and images not in known and always_found(state, right, depth):
            known.add(images)
            lines.append(f"{depth} {''.join(map(str, moves))} {right}")
    return sorted(lines)


def main(file: Path = FILE) -> None:
    """Write the file."""
    lines = []
    for depth, player in itertools.product(SIMULATIONS, (0, 1)):
        lines += boards(depth, player)
        print(f"depth {depth}, player {player}: {BOARDS} boards", file=sys.stderr)
    write_atomic(file, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
