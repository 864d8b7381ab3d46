"""Ship the network of a finished training run: `python -m assets.make.ship_net connect_four [FOLDER]`.

The command copies weights, log and curves to assets/nets under the given name, measures the network as `make strength`
does, and writes its own settings and the figures into that folder's README.md. With --again it measures the stored network,
and replaces nothing but the figures.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from arena.errors import UserError
from arena.files import write_atomic
from arena.players.network import load_net
from arena.players.rules import compiled
from assets.make.nets_page import FOLDER, read_sections, write_log, write_section
from trainer.__main__ import FOLDER as RUNS
from trainer.__main__ import GAMES as DEFAULTS
from trainer.measure import full, measured
from trainer.page import curves
from trainer.run import LOG, NET, read_settings

SEEDS = {f"seeds/connect_four_{seed}": f"Connect Four, seed {seed}" for seed in (1, 2)}
HEADINGS = {"tic_tac_toe": "Tic-Tac-Toe", "connect_four": "Connect Four", **SEEDS, "othello": "Othello by self-play"}
SIMULATIONS = {"tic_tac_toe": (0, 25), "connect_four": (0, 100, 600), "othello": (0, 50, 600)}
MATCH_GAMES = 400
MEASURE = "make strength NET=assets/nets/{name}.npz GAME={game}"
MATCHES_OF_SEEDS = {"Mountain": (100,)}  # enough to compare the seeds; with all matches a measurement takes half an hour


def ship(name: str, run: Path) -> None:
    """Copy the files of a finished run to assets/nets, measure its network, and write its section of the page."""
    settings = read_settings(run)
    game = settings["game"]
    rows = [json.loads(line) for line in (run / LOG).read_text().splitlines()]
    (FOLDER / name).parent.mkdir(exist_ok=True)
    write_atomic(FOLDER / f"{name}.npz", (run / NET).read_bytes())
    write_atomic(FOLDER / f"{name}.svg", curves(rows))
    write_log(name, [_short(row) for row in rows])
    last = rows[-1]
    weights = sum(weight.numel() for weight in load_net(compiled(game), FOLDER / f"{name}.npz").parameters())
    made = (f"`{name}.npz`: {weights:,} weights after {last['iteration']:.0f} iterations, {last['games so far']:,.0f} games and "
            f"{last['simulations so far']:,.0f} simulations in {last['minutes']:.0f} minutes on {settings['workers']} cores.")
    with_settings = ", ".join(f"{key} {json.dumps(value)}" for key, value in settings.items())
    write_section(HEADINGS[name], "\n".join([
        f"    {command(settings, last['minutes'])}", "", made, f"The log is `{name}.log.jsonl`.", "",
        f"![curves]({name}.svg)", "", figures(name, game), "", f"Settings: {with_settings}"]))


def measure_again(name: str) -> None:
    """Measure the stored network of this name, and replace the figures of its section."""
    text = read_sections()[HEADINGS[name]]
    game = next(game for game in SIMULATIONS if f"GAME={game}" in text)
    before, _, after = text.partition(f"    {MEASURE.format(name=name, game=game)}\n")
    write_section(HEADINGS[name], f"{before}{figures(name, game)}\n\nSettings: {after.partition('Settings: ')[2]}")


def figures(name: str, game: str) -> str:
    """Measure the stored network; return the command that measures it, and what that command prints."""
    rules, lines = compiled(game), [MEASURE.format(name=name, game=game), ""]
    network = measured(rules, load_net(rules, FOLDER / f"{name}.npz"))
    for line in full(rules, network, SIMULATIONS[game], MATCH_GAMES, 0, MATCHES_OF_SEEDS if name in SEEDS else None):
        print(line, flush=True)
        lines.append(line)
    return "\n".join(f"    {line}" if line else "" for line in lines)


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
    parser.add_argument("--again", action="store_true", help="measure the stored network again, after a change of the search")
    given = parser.parse_args()
    try:
        measure_again(given.name) if given.again else ship(given.name, given.run or RUNS / given.name)
    except UserError as failure:
        parser.error(str(failure))


if __name__ == "__main__":
    main()
