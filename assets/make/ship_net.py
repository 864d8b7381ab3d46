"""Ship the network of a finished training run: `python -m assets.make.ship_net connect_four [FOLDER]`.

The command copies weights, log and curves to assets/nets under the given name, measures the network as `make strength`
does, and writes its own settings and the figures into that folder's README.md.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from arena.errors import UserError
from arena.files import write_atomic
from arena.players.network import load_net
from arena.players.rules import compiled
from assets.make.nets_page import FOLDER, write_section
from trainer.__main__ import FOLDER as RUNS
from trainer.__main__ import GAMES as DEFAULTS
from trainer.measure import full, measured
from trainer.page import curves
from trainer.run import LOG, NET, read_settings

SEEDS = {f"seeds/connect_four_{seed}": f"Connect Four, seed {seed}" for seed in (1, 2)}
HEADINGS = {"tic_tac_toe": "Tic-Tac-Toe", "connect_four": "Connect Four", **SEEDS, "othello": "Othello by self-play"}
SIMULATIONS = {"tic_tac_toe": (0, 25), "connect_four": (0, 100, 600), "othello": (0, 50, 600)}
MATCH_GAMES = 400
MATCHES_OF_SEEDS = {"Mountain": (100,)}  # enough to compare the seeds; with all matches a measurement takes half an hour


def ship(name: str, run: Path) -> None:
    """Copy the files of a finished run to assets/nets, measure its network, and write its section of the page."""
    settings = read_settings(run)
    game = settings["game"]
    rows = [json.loads(line) for line in (run / LOG).read_text().splitlines()]
    (FOLDER / name).parent.mkdir(exist_ok=True)
    write_atomic(FOLDER / f"{name}.npz", (run / NET).read_bytes())
    write_atomic(FOLDER / f"{name}.svg", curves(rows))
    write_atomic(FOLDER / f"{name}.log.jsonl", "".join(json.dumps(_short(row)) + "\n" for row in rows))
    rules, last, lines = compiled(game), rows[-1], []
    matches = MATCHES_OF_SEEDS if name in SEEDS else None
    net = load_net(rules, FOLDER / f"{name}.npz")
    for line in full(rules, measured(rules, net), SIMULATIONS[game], MATCH_GAMES, 0, matches):
        print(line, flush=True)
        lines.append(line)
    weights = sum(weight.numel() for weight in net.parameters())
    made = (f"`{name}.npz`: {weights:,} weights after {last['iteration']:.0f} iterations, {last['games so far']:,.0f} games and "
            f"{last['simulations so far']:,.0f} simulations in {last['minutes']:.0f} minutes on {settings['workers']} cores.")
    given = ", ".join(f"{key} {json.dumps(value)}" for key, value in settings.items())
    write_section(HEADINGS[name], "\n".join([
        f"    {command(settings, last['minutes'])}", "", made, f"The log is `{name}.log.jsonl`.", "",
        f"![curves]({name}.svg)", "", f"    make strength NET=assets/nets/{name}.npz GAME={game}", "",
        *(f"    {line}" for line in lines), "", f"Settings: {given}"]))


def command(settings: dict[str, Any], minutes: float) -> str:
    """Return the command for a run with these settings; a short one if they are the game's own."""
    game, (play, _, net) = settings["game"], DEFAULTS[settings["game"]]
    options = {
        "--start": (settings["start"], ""),
        "--blocks": (settings["net"]["blocks"], net.blocks),
        "--channels": (settings["net"]["channels"], net.channels),
        "--random-share": (settings["play"]["random_share"], play.random_share),
        "--seed": (settings["seed"], 0),
    }
    other = "".join(f" {option} {value}" for option, (value, default) in options.items() if value != default)
    if not other:
        return f"make train GAME={game} MINUTES={minutes:.0f}"
    return f"python -m trainer train {game} --minutes {minutes:.0f}{other}"


def _short(row: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in row.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=HEADINGS)
    parser.add_argument("run", nargs="?", type=Path, help="the run's folder; build/train/NAME by default")
    given = parser.parse_args()
    try:
        ship(given.name, given.run or RUNS / given.name)
    except UserError as failure:
        parser.error(str(failure))


if __name__ == "__main__":
    main()
