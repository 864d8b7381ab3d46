"""Measure what each step of the trainer brings at Connect Four: `python -m assets.make.steps`.

Each row is the run that ships with one of its steps taken back, from nothing, for MINUTES of one core and each of SEEDS. The log
is `assets/nets/steps.log.jsonl`, with a line for each run, also of rows that this file no longer measures; the command prints
the table of docs/training.md at its end.

About five minutes of one core for each run that the log has not yet; a command that was stopped goes on behind the last line.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import torch
from torch import nn

from arena.players.network import asking, new_net
from arena.players.rules import CompiledRules
from assets.make.nets_page import read_log, write_log
from trainer.__main__ import GAMES
from trainer.metrics import Metrics
from trainer.nets import NetMaker
from trainer.strength import choosing, mistakes
from trainer.training_run import Run, RunSettings

MINUTES, SEEDS = 4, (0, 1, 2)
LOG = "steps"
GAME = "connect_four"


@dataclass(frozen=True)
class StonesOnly(NetMaker):
    """Makes the network that ships without the planes of `arena.players.planes`."""

    def __call__(self, rules: CompiledRules) -> nn.Module:
        """Return the network."""
        return new_net(rules, self.channels, self.blocks, stones_only=True)


PLAY, LEARN, NET = GAMES[GAME]
PUCT = replace(PLAY, simulations=128, quick_simulations=24, full_share=0.25, considered=0)
ROWS = {
    "the run that ships": (PLAY, LEARN, NET),
    "PUCT with noise, 128 and 24 simulations, in place of Gumbel's root": (PUCT, LEARN, NET),
    "the stones alone, without the planes of the rules": (PLAY, LEARN, StonesOnly(blocks=NET.blocks)),
    "one game in four, not 95 %, begins with random moves": (
        replace(PLAY, random_share=0.25, random_plies=(2, 6), drawn_plies=12), LEARN, NET),
    "the result is the value to learn": (replace(PLAY, trace_decay=1.0), LEARN, NET),
    "values weigh .3 in the improved policy, not .1": (replace(PLAY, value_scale=0.3), LEARN, NET),
    "two blocks, not four": (PLAY, LEARN, replace(NET, blocks=2)),
    "the run that ships, with wins by threats": (PLAY, LEARN, NET),  # added to the search later: the rows above are without them
}  # fmt: skip


class CoreRun(Run):
    """A run whose minutes are of one core, by the processor's clock: other programs beside it change nothing."""

    def iterate(self) -> Metrics:
        """Play and learn once; return the figures of this iteration."""
        before, began = self.spent_s, time.process_time()
        metrics = super().iterate()
        self.spent_s = before + time.process_time() - began + metrics.played.core_s
        self.metrics[-1] = replace(metrics, minutes=self.spent_s / 60)
        return self.metrics[-1]


def table(lines: list[dict[str, Any]]) -> list[list[str]]:
    """Return a row's name, its mistakes with 0 and 100 simulations in %, and its games; a mean and a deviation over the seeds."""
    rows = []
    for name in dict.fromkeys(line["row"] for line in lines):
        of_row = [line for line in lines if line["row"] == name]
        cells = []
        for simulations in (0, 100):
            rates = [100 * mean(line[f"mistakes at {simulations}"].values()) for line in of_row]
            cells.append(f"{mean(rates):.1f} ± {stdev(rates):.1f}")
        rows.append([name, *cells, f"{mean(line['games'] for line in of_row):,.0f}"])
    return rows


def measured(row: str, seed: int) -> dict[str, Any]:
    """Train from nothing, and return the line of the log for this run."""
    play, learn, net = ROWS[row]
    settings = RunSettings(GAME, play, learn, net, workers=1, seed=seed, dtype="bfloat16", examples=1024)
    with tempfile.TemporaryDirectory() as folder:
        run = CoreRun(settings, Path(folder), ("minutes", MINUTES))
        while run.progress < 1:
            latest = run.iterate()
            print(f"{row}, seed {seed}: {latest.minutes:.1f} of {MINUTES} minutes", flush=True)
        run.close()
    line: dict[str, Any] = {"row": row, "seed": seed, "minutes": round(latest.minutes, 2), "games": latest.games_so_far}
    network = asking(run.learner.averaged, "cpu")
    for simulations in (0, 100):
        of_strata = mistakes(run.rules, network, simulations, choosing())
        line[f"mistakes at {simulations}"] = {stratum: round(rate, 4) for stratum, rate in of_strata.items()}
    return line


def main() -> None:
    """Measure every row with every seed, and write the log after each run."""
    torch.set_num_threads(1)
    lines = read_log(LOG)
    done = {(line["row"], line["seed"]) for line in lines}
    for seed in SEEDS:
        for row in ROWS:
            if (row, seed) not in done:
                lines.append(measured(row, seed))
                write_log(LOG, lines)
    for cells in table(lines):
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
