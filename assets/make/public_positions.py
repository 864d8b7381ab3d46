"""Score every move of the six public position sets: `python -m assets.make.public_positions FOLDER`.

FOLDER holds the sets of Pascal Pons' solver (blog.gamesolver.org, "Solving Connect Four", part 2: test protocol) under their
names there, Test_L1_R1 and so on; AlphaZero.jl's benchmark uses the same files (games/connect-four/benchmark). A line has the
columns played from the empty board (1 to 7) and the exact score for the player to move. The asset has the positions, which are
facts, and the score of each move by our own solver. The command ends with an error if a file is not the one of SETS, or if our
score of a position is another one.

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
from arena.strength.positions import State, stratum_of
from assets.make.quality_positions import KEEP_EVERY_S, write
from trainer.strength import PUBLIC

GAME = ConnectFour()
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


def scored(state: State, score: int, stratum: str, perfect: PerfectPlayer) -> Row:
    """Return the row of a position.

    Raises:
        SystemExit: our solver has another score, or the position belongs to another stratum.
    """
    scores = perfect.scores(state)
    if max(scores.values()) != score or stratum_of(state, score) != stratum:
        raise SystemExit(f"{state} of {stratum}: the file says {score}, our solver says {scores}")
    return (*state, [scores.get(column, UNKNOWN) for column in range(GAME.num_actions)])


def rows_of_set(stratum: str, folder: Path, draft: Path) -> list[Row]:
    """Return the rows of a set; finished ones are kept in the file `draft`."""
    rows: list[Row] = json.loads(draft.read_text()) if draft.exists() else []
    perfect, kept_at = PerfectPlayer(Solver(24)), time.monotonic()
    wanted = read(folder, stratum)
    for state, score in wanted[len(rows) :]:
        rows.append(scored(state, score, stratum, perfect))
        if time.monotonic() - kept_at > KEEP_EVERY_S or len(rows) == len(wanted):
            write_atomic(draft, json.dumps(rows))
            print(f"{stratum}: {len(rows)} of {len(wanted)}", flush=True)
            kept_at = time.monotonic()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", type=Path, default=PUBLIC)
    parser.add_argument("--drafts", type=Path, default=Path("build/public_positions"))
    options = parser.parse_args()
    options.drafts.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:  # begin-medium takes as long as all others together
        order = sorted(STRATA, key=lambda stratum: stratum != "begin-medium")
        found = {name: pool.submit(rows_of_set, name, options.folder, options.drafts / f"{name}.json") for name in order}
        write({stratum: rows.result() for stratum, rows in found.items()}, options.to)


if __name__ == "__main__":
    main()
