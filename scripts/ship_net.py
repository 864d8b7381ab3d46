"""Ship the network of a finished training run: `python -m scripts.ship_net connect_four [FOLDER]`.

Copies weights, log and curves to assets/nets, measures the network as `make strength` does, and writes down the command,
the settings and the figures in that folder's README.md.
"""

import argparse
import json
import os
from pathlib import Path

from arena.players.network import load_net
from arena.players.rules import compiled
from autograder.files import write_atomic
from scripts.nets_page import FOLDER, write_section
from trainer.__main__ import FOLDER as RUNS
from trainer.measure import full, measured
from trainer.page import curves
from trainer.run import LOG, NET, read_settings

HEADINGS = {"tic_tac_toe": "Tic-Tac-Toe", "connect_four": "Connect Four", "othello": "Othello by self-play"}
SIMULATIONS = {"tic_tac_toe": (0, 25), "connect_four": (0, 100, 600), "othello": (0, 50, 600)}
GAMES = 400


def ship(game: str, run: Path) -> None:
    settings = read_settings(run)
    rows = [json.loads(line) for line in (run / LOG).read_text().splitlines()]
    write_atomic(FOLDER / f"{game}.npz", (run / NET).read_bytes())
    write_atomic(FOLDER / f"{game}.svg", curves(rows))
    write_atomic(FOLDER / f"{game}.log.jsonl", "".join(json.dumps(_short(row)) + "\n" for row in rows))
    rules, last, lines = compiled(game), rows[-1], []
    net = load_net(rules, FOLDER / f"{game}.npz")
    for line in full(rules, measured(rules, net), SIMULATIONS[game], GAMES, 0):
        print(line, flush=True)
        lines.append(line)
    weights = sum(weight.numel() for weight in net.parameters())
    made = (f"`{game}.npz`: {weights:,} weights after {last['iteration']:.0f} iterations, {last['games so far']:,.0f} games and "
            f"{last['simulations so far']:,.0f} simulations in {last['minutes']:.0f} minutes on {os.cpu_count()} cores.")
    given = ", ".join(f"{name} {json.dumps(value)}" for name, value in settings.items())
    write_section(HEADINGS[game], "\n".join([
        f"    make train GAME={game} MINUTES={last['minutes']:.0f}", "", made, f"The log is `{game}.log.jsonl`.", "",
        f"![curves]({game}.svg)", "", "    make strength NET=assets/nets/" + f"{game}.npz GAME={game}", "",
        *(f"    {line}" for line in lines), "", f"Settings: {given}"]))


def _short(row: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in row.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=HEADINGS)
    parser.add_argument("run", nargs="?", type=Path, help="the run's folder; build/train/GAME by default")
    given = parser.parse_args()
    ship(given.game, given.run or RUNS / given.game)


if __name__ == "__main__":
    main()
