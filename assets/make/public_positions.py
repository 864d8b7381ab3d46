"""Score every move of the six public position sets: `python -m assets.make.public_positions FOLDER`.

FOLDER holds the sets of Pascal Pons' solver (blog.gamesolver.org, "Solving Connect Four", part 2: test protocol) under their
names there, Test_L1_R1 and so on; AlphaZero.jl's benchmark uses the same files (games/connect-four/benchmark). A line has the
columns played from the empty board (1 to 7) and the exact score for the player to move. The asset has the positions, which are
facts, and the score of each move by our own solver. The command ends with an error if a file is not the one of SETS, or if our
score of a position is another one. A position belongs to the set whose file has it: 28 of begin-easy and 79 of middle-easy are
decided in 14 plies, where our own positions say medium from 14 on.

About a quarter of an hour of one core; a stopped run goes on.
"""

import argparse
import hashlib
import json
import time
from concurrent.futures import ProcessPoolExecutor
from functools import reduce
from pathlib import Path

from arena.files import write_atomic
from arena.games import ConnectFour
from arena.players.perfect import PerfectPlayer
from arena.players.solver import UNKNOWN, Solver
from arena.strength import STRATA
from arena.strength.drawing import Row
from arena.strength.positions import State
from assets.make.quality_positions import KEEP_EVERY_S, write
from trainer.strength import PUBLIC

GAME = ConnectFour()
EACH, PARTS = 1000, 4  # positions of a set, and the pieces of work that it makes
# stratum -> the file's name and SHA-256
SETS = {
    "begin-easy": ("Test_L1_R1", "003b7f5cc2b9b2d07ee2663cf92dfe99a50d7f4f57c556b6f35048e1bfaedb68"),
    "begin-medium": ("Test_L1_R2", "ba3df3282804270661239d0fc357761a5c7cc31bbd581f3c502222abffa31113"),
    "begin-hard": ("Test_L1_R3", "7b6eb6c7c9e7342f8065188cac01a25df2413a5b77de062cf14a4a8b237b140a"),
    "middle-easy": ("Test_L2_R1", "52b9ee96ab6e92fd755ca4c545792c07c548a5a994fd32beec2775939d071b3c"),
    "middle-medium": ("Test_L2_R2", "a0bb9983650ad5b6c6080da47c31065f6efa11bfadf2e1149af1619d7d65b745"),
    "end-easy": ("Test_L3_R1", "fae47639d993cc91f074d0b642a5f2bb251d31b15cea9df496d672c01fb2efec"),
}


def read(folder: Path, stratum: str) -> list[tuple[State, int]]:
    """Return the positions of a set with their scores for the player to move.

    Raises:
        SystemExit: the file is another one than ours was.
    """
    name, sha256 = SETS[stratum]
    data = (folder / name).read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise SystemExit(f"{folder / name} is not the file whose SHA-256 is {sha256}")
    return [parsed(line) for line in data.decode().splitlines()]


def parsed(line: str) -> tuple[State, int]:
    """Return position and score of a line such as "32164625 11"."""
    columns, score = line.split()
    return reduce(GAME.play, [int(column) - 1 for column in columns], GAME.start()), int(score)


def scored(state: State, score: int, perfect: PerfectPlayer) -> Row:
    """Return the row of a position.

    Raises:
        SystemExit: our solver has another score.
    """
    scores = perfect.scores(state)
    if max(scores.values()) != score:
        raise SystemExit(f"{state}: the file says {score}, our solver says {scores}")
    return (*state, [scores.get(column, UNKNOWN) for column in range(GAME.num_actions)])


def rows_of_part(stratum: str, part: int, folder: Path, drafts: Path) -> list[Row]:
    """Return the rows of every PARTS-th position of a set, from `part` on; finished ones are kept in the folder `drafts`."""
    draft, wanted = drafts / f"{stratum}_{part}.json", read(folder, stratum)[part::PARTS]
    rows: list[Row] = json.loads(draft.read_text()) if draft.exists() else []
    perfect, kept_at = PerfectPlayer(Solver(24)), time.monotonic()
    for state, score in wanted[len(rows) :]:
        rows.append(scored(state, score, perfect))
        if time.monotonic() - kept_at > KEEP_EVERY_S or len(rows) == len(wanted):
            write_atomic(draft, json.dumps(rows))
            print(f"{draft.stem}: {len(rows)} of {len(wanted)}", flush=True)
            kept_at = time.monotonic()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", type=Path, default=PUBLIC)
    parser.add_argument("--drafts", type=Path, default=Path("build/public_positions"))
    options = parser.parse_args()
    options.drafts.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        jobs = [(stratum, part) for stratum in STRATA for part in range(PARTS)]
        futures = {job: pool.submit(rows_of_part, *job, options.folder, options.drafts) for job in jobs}
        rows = {stratum: [futures[stratum, number % PARTS].result()[number // PARTS] for number in range(EACH)]
                for stratum in STRATA}
    write(rows, options.to)


if __name__ == "__main__":
    main()
