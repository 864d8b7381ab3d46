"""The opening book of Connect Four: check it against the solver, or make it again.

    python -m assets.make.opening_book check --sample 200     solve a random sample without the book (about 0.2 s each)
    python -m assets.make.opening_book build                  solve all 91,295 positions of 8 plies: about 6 hours a core

`build` derives positions of fewer plies from those of 8. It saves its work every few minutes and continues from there.
"""

import argparse
import random
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from arena.games import ConnectFour
from arena.players import book
from arena.players.solver import Solver, end_score

GAME = ConnectFour()
State = tuple[int, int]
KEEP_EVERY = 500
_solver: list[Solver] = []  # one for each process


def levels(depth: int = book.DEPTH) -> list[dict[int, State]]:
    """Return for each number of plies, 0 to `depth`, all unfinished positions by their key; of two mirror images, one."""
    by_key = [{book.key_of(GAME.start()): GAME.start()}]
    for _ in range(depth):
        after = (GAME.play(state, column) for state in by_key[-1].values() for column in GAME.legal_actions(state))
        by_key.append({book.key_of(state): state for state in after if GAME.outcome(state) is None})
    return by_key


def with_shorter(last: dict[int, int], positions: list[dict[int, State]]) -> dict[int, int]:
    """Return the scores of all positions by key, from those of the last level."""
    scores = dict(last)
    for level in reversed(positions[:-1]):
        for key, state in level.items():
            scores[key] = max(_after(GAME.play(state, column), scores) for column in GAME.legal_actions(state))
    return scores


def _after(state: State, scores: dict[int, int]) -> int:
    outcome = GAME.outcome(state)
    return -scores[book.key_of(state)] if outcome is None else end_score(state, outcome)


def write(scores: dict[int, int], path: Path) -> None:
    """Write a book, or the beginning of one."""
    keys = np.array(sorted(scores), np.int64)
    np.savez_compressed(path, key=keys, score=np.array([scores[key] for key in keys.tolist()], np.int8))


def solve(state: State) -> int:
    """Return the score of `state`, from this process's own solver."""
    if not _solver:
        _solver.append(Solver(24))
    return _solver[0].score(state)


def build(draft: Path) -> None:
    """Solve every position of the last level on all cores and write the book."""
    positions = levels()
    keys, scores = book.load.__wrapped__(draft) if draft.exists() else (np.zeros(0, np.int64), np.zeros(0, np.int8))
    known = dict(zip(keys.tolist(), scores.tolist(), strict=True))
    open_keys = [key for key in positions[-1] if key not in known]
    start = time.monotonic()
    with ProcessPoolExecutor() as pool:
        for begin in range(0, len(open_keys), KEEP_EVERY):
            some = open_keys[begin : begin + KEEP_EVERY]
            solved = pool.map(solve, [positions[-1][key] for key in some], chunksize=10)
            known |= zip(some, solved, strict=True)
            write(known, draft)
            left_h = (time.monotonic() - start) / (begin + len(some)) * (len(open_keys) - begin - len(some)) / 3600
            print(f"\r{len(known)} of {len(positions[-1])} positions, about {left_h:.1f} h left", end="", flush=True)
    write(with_shorter(known, positions), book.BOOK)
    print(f"\nwritten: {book.BOOK}")


def check(sample: int, seed: int) -> int:
    """Solve a random sample of 8 plies without the book, and derive every shorter position; return the number of misses."""
    positions = levels()
    keys, scores = book.load()
    known: dict[int, int] = dict(zip(keys.tolist(), scores.tolist(), strict=True))
    last = {key: known[key] for key in positions[-1]}
    misses = sum(known.get(key) != score for key, score in with_shorter(last, positions).items()) + abs(
        len(known) - sum(map(len, positions))
    )
    print(f"{len(known)} positions; {misses} of them do not follow from those of {book.DEPTH} plies")
    chosen = random.Random(seed).sample(sorted(last), sample)
    for number, key in enumerate(chosen, 1):
        misses += solve(positions[-1][key]) != last[key]
        print(f"\rsolved again: {number} of {sample}, misses: {misses}", end="", flush=True)
    print()
    return misses


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m assets.make.opening_book", description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("check", "build"))
    parser.add_argument("--sample", type=int, default=200, help="positions to solve again")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draft", type=Path, default=Path("build/connect_four_book_draft.npz"))
    options = parser.parse_args()
    if options.what == "check":
        return 1 if check(options.sample, options.seed) else 0
    options.draft.parent.mkdir(exist_ok=True)
    build(options.draft)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
