"""Train problem set 5's own code at Connect Four, as a student does, and measure it: `python -m assets.make.own_nets`.

The run is the lesson's cell "Connect Four" with more MINUTES: the same settings, one core. A minute is one of that core, without
the measurements. After each of MARKS the network answers critical positions, alone and with its search; after each of EXAMS
with the simulations of the final challenge too, and it climbs the ladder of bots. The log is `assets/nets/own_net.log.jsonl`, its
picture docs/figures/own_net.svg (--draw draws it again from the log).

About an hour and a half on one core. A run that was stopped goes on from its last mark; after a whole run, --afresh begins again.
"""

import argparse
import io
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch

from arena.files import write_atomic
from arena.games import ConnectFour
from arena.shipped import CHECKOUT
from arena.strength.points import read_points
from arena.strength.positions import answers, sample
from assets.make.nets_page import log_of, read_log, write_log
from solutions import ps5_alphazero as ps5

MARKS, EXAMS = (0, 1, 2, 5, 10, 15, 20, 30, 40), (10, 20, 40)  # minutes
EACH = 50  # positions of each stratum
CHALLENGE = 400  # simulations a move
LOG, ROOM = "own_net", CHECKOUT / "build" / "own_net"
PICTURE = CHECKOUT / "docs" / "figures" / "own_net.svg"
BESIDE = ("UCT, 400 simulations (Stone)", "the network that ships, and 100 simulations")  # points of the axis of strength
GAME = ConnectFour()


def new_run() -> ps5.Training:
    """Return the run of the lesson's cell before its first game."""
    settings = ps5.Config(simulations=50, games=64, exploring_plies=10, window=40_000, epochs=1, batch_size=256)
    torch.manual_seed(0)
    return ps5.new_training(GAME, ps5.make_net(GAME), settings, seed=0)


def checkpoint(minutes: int) -> Path:
    """Return the file of the run after this number of minutes."""
    return ROOM / f"after_{minutes}.pt"


def train_until(run: ps5.Training, spent_s: float, minutes: float) -> float:
    """Iterate until the run has used `minutes` of one core; return the seconds that it has used."""
    while spent_s < 60 * minutes:
        began = time.process_time()
        ps5.learn(run, 1, ps5.play_together, ps5.train_with_gate)
        spent_s += time.process_time() - began
        print(f"iteration {run.iteration}, {spent_s / 60:.1f} of {minutes} minutes", flush=True)
    return spent_s


def mistakes(run: ps5.Training, simulations: int) -> float:
    """Return the share of mistakes of the network with its search; with one simulation it plays the network's favourite."""
    replies = answers(ps5.AlphaMCTS(GAME, run.net), simulations, 0, sample(EACH, random.Random(0)))
    return sum(answer.is_mistake for answer in replies) / len(replies)


def climb(run: ps5.Training) -> dict[str, Any]:
    """Hand in the network and its code to the challenge at home; return the rungs that they pass, and all scores and games."""
    write_atomic(ROOM / "ps5_alphazero.py", (CHECKOUT / "solutions" / "ps5_alphazero.py").read_bytes())
    ps5.save_weights(run.net, str(ROOM / "weights.npz"))
    subprocess.run([sys.executable, "-m", "autograder", "challenge", str(ROOM)], check=True)
    rungs = json.loads((ROOM / "challenge.json").read_text(encoding="utf-8"))["rungs"]
    scores = {rung["name"]: [rung["score"], len(rung["games"])] for rung in rungs}
    return {"passed": [rung["name"] for rung in rungs if rung["verdict"] == "passed"], "scores": scores}


def measure(run: ps5.Training, spent_s: float, minutes: int) -> dict[str, Any]:
    """Return the line of the log for a mark."""
    line: dict[str, Any] = {
        "minutes": minutes,
        "spent_s": round(spent_s, 1),
        "iteration": run.iteration,
        "games": run.config.games * run.iteration,
        "positions": 6 * EACH,
    }
    budgets = (1, run.config.simulations, *((CHALLENGE,) if minutes in EXAMS else ()))
    line |= {f"mistakes at {count}": round(mistakes(run, count), 4) for count in budgets}
    return line | (climb(run) if minutes in EXAMS else {})


def picture(lines: list[dict[str, Any]]) -> bytes:
    """Return an SVG: mistakes over minutes for each number of simulations, and two players of the course beside them."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "own net", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}):
        figure = Figure(figsize=(7.6, 4), layout="constrained", facecolor="white")
        axes = figure.add_subplot(xlabel="minutes of one core", ylabel="mistakes at the critical positions, %")
        for count, mark in ((1, "o"), (50, "s"), (CHALLENGE, "D")):
            points = [(line["minutes"], 100 * line[key]) for line in lines if (key := f"mistakes at {count}") in line]
            axes.plot(*zip(*points, strict=True), marker=mark, label=f"{count} simulations" if count > 1 else "the network alone")
        for point in read_points():
            if point.name in BESIDE:
                axes.axhline(100 * point.mistakes, color="#777777", linestyle="--", linewidth=1)
                name, at = point.name.replace(", ", ",\n"), (1.01, 100 * point.mistakes)
                axes.annotate(name, at, xycoords=("axes fraction", "data"), verticalalignment="center", color="#444444")
        axes.set(xticks=[line["minutes"] for line in lines], ylim=(0, None))
        axes.legend()
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def main() -> None:
    """Train from mark to mark, and draw the log."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--afresh", action="store_true", help="begin again, without the log and the checkpoint of before")
    parser.add_argument("--draw", action="store_true", help="draw the picture of the log, and train nothing")
    given = parser.parse_args()
    lines = [] if given.afresh else read_log(LOG)
    if not given.draw:
        train(lines)
    elif not lines:
        parser.error(f"the log to draw does not exist: {log_of(LOG)}")
    write_atomic(PICTURE, picture(lines))


def train(lines: list[dict[str, Any]]) -> None:
    """Train from mark to mark, and add a line for each; go on after the last line."""
    torch.set_num_threads(1)
    ROOM.mkdir(parents=True, exist_ok=True)
    run = new_run()
    if lines:
        ps5.resume_checkpoint(run, str(checkpoint(lines[-1]["minutes"])))
    for minutes in MARKS[len(lines) :]:
        spent_s = train_until(run, lines[-1]["spent_s"] if lines else 0.0, minutes)
        ps5.save_checkpoint(run, str(checkpoint(minutes)))
        lines.append(measure(run, spent_s, minutes))
        write_log(LOG, lines)
        print(lines[-1], flush=True)


if __name__ == "__main__":
    main()
