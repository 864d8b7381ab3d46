"""Make the frozen positions of move quality: 1,000 for each stratum, every move scored by the solver.

    python -m assets.make.quality_positions        the same seed gives the same file, with or without interruptions

`arena.strength.drawing` says how they are found.
"""

import argparse
import json
import random
import time
from pathlib import Path
from typing import TypedDict

import numpy as np

from arena.challenge.ladder import MOST_EACH
from arena.files import write_atomic
from arena.players import book
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver
from arena.strength import STRATA
from arena.strength.drawing import AFTER_THE_BEGINNING, Row, Weights, first_kept, positions_of_a_game
from arena.strength.positions import POSITIONS

# stones: weight; 8 to 11 are rare, because a position beyond the book takes a second to score
STONES: dict[str, Weights] = {
    "begin": dict(zip(range(4, 15), (2, 4, 4, 4, 1, 1, 1, 1, 6, 6, 6), strict=True)), **AFTER_THE_BEGINNING,
}
KEEP_EVERY_S = 20.0


class Kept(TypedDict):
    """The contents of a draft's file."""

    made_for: list[int]
    games: dict[str, int]
    rows: dict[str, list[Row]]


class Draft:
    """The results so far, in a file: the games played for each phase, the positions of each stratum.

    Each game has its own generator, made from the seed, the phase and the game's number.
    """

    def __init__(self, path: Path, seed: int, each: int) -> None:
        self.path, self.made_for, self.kept_at = path, [seed, each], time.monotonic()
        begun: Kept = {"made_for": self.made_for, "games": {}, "rows": {}}
        kept: Kept = json.loads(path.read_text()) if path.exists() else begun
        if kept["made_for"] != self.made_for:
            raise SystemExit(f"{path} was begun with --seed and --each {kept['made_for']}: use these again, or delete it")
        self.games = dict.fromkeys(STONES, 0) | kept["games"]
        self.rows: dict[str, list[Row]] = {stratum: [] for stratum in STRATA} | kept["rows"]

    def keep(self) -> None:
        """Write the draft."""
        kept: Kept = {"made_for": self.made_for, "games": self.games, "rows": self.rows}
        write_atomic(self.path, json.dumps(kept))
        self.kept_at = time.monotonic()

    def collect(self, phase: str, perfect: PerfectPlayer) -> None:
        """Find positions until every stratum of a phase is complete."""
        seed, each = self.made_for
        strata = [stratum for stratum in STRATA if stratum.startswith(phase)]
        known = {book.key_of((own, other)) for stratum in strata for own, other, _ in self.rows[stratum]}
        while wanted := [stratum for stratum in strata if len(self.rows[stratum]) < each]:
            rng = random.Random(f"{seed} {phase} {self.games[phase]}")
            self.games[phase] += 1
            kept = first_kept(positions_of_a_game(STONES[phase], rng), wanted, known, perfect)
            if kept:
                stratum, row = kept
                self.rows[stratum].append(row)
                counts = ", ".join(f"{stratum} {len(self.rows[stratum])}" for stratum in strata)
                print(f"\r{self.games[phase]} games: {counts}", end="", flush=True)
            if time.monotonic() - self.kept_at > KEEP_EVERY_S:
                self.keep()
        self.keep()
        print()


def write(rows: dict[str, list[Row]], path: Path) -> None:
    """Write the asset that `arena.strength.positions` reads."""
    flat = [(STRATA.index(stratum), row) for stratum in STRATA for row in rows[stratum]]
    np.savez_compressed(
        path,
        stratum=np.array([number for number, _ in flat], np.uint8),
        stones=np.array([row[:2] for _, row in flat], np.int64),
        scores=np.array([row[2] for _, row in flat], np.int8),
    )
    print(f"written: {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=MOST_EACH)
    parser.add_argument("--to", type=Path, default=POSITIONS)
    parser.add_argument("--draft", type=Path, default=Path("build/connect_four_positions_draft.json"))
    options = parser.parse_args()
    options.draft.parent.mkdir(exist_ok=True)
    collected, perfect = Draft(options.draft, options.seed, options.each), PerfectPlayer(Solver(24))
    for phase in STONES:
        collected.collect(phase, perfect)
    write(collected.rows, options.to)


if __name__ == "__main__":
    main()
