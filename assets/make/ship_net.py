"""Ship the network of a finished training run: `python -m assets.make.ship_net connect_four [FOLDER]`.

The command copies weights, log and curves to assets/nets under the given name, measures the network as `make strength`
does, and writes its own settings and the figures into that folder's README.md. With --again it measures the stored network,
and replaces nothing but the figures; with --tables only the tables of Connect Four, not the matches.

`NAME.strength.log.jsonl` keeps what the tables of Connect Four count, a line for each row: a stopped measurement goes on there.
A line counts only as long as the code, the positions and the network are those that it measured (`inputs`).
"""

import argparse
import json
import subprocess
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torch import nn

from arena.errors import UserError
from arena.files import write_atomic
from arena.players.network import load_net
from arena.players.rules import CompiledRules, compiled
from arena.shipped import CHECKOUT
from arena.strength import STRATA
from assets.make.inputs import SEARCH, hash_of
from assets.make.nets_page import FOLDER, read_log, read_sections, write_log, write_section
from trainer.__main__ import FOLDER as RUNS
from trainer.__main__ import GAMES as DEFAULTS
from trainer.measure import PUBLIC_SETS, Counts, Row, count_in_stratum, full, measured, rows, tables
from trainer.page import curves
from trainer.training_run import LOG, NET, read_settings

SEEDS = {f"seeds/connect_four_{seed}": f"Connect Four, seed {seed}" for seed in (1, 2)}
HEADINGS = {"tic_tac_toe": "Tic-Tac-Toe", "connect_four": "Connect Four", **SEEDS, "othello": "Othello by self-play"}
SIMULATIONS = {"tic_tac_toe": (0, 25), "connect_four": (0, 100, 600), "othello": (0, 50, 600)}
MATCH_GAMES = 400
MEASURE = "make strength NET=assets/nets/{name}.npz GAME={game}"
COUNTED_BY = "python -m assets.make.ship_net {name} --tables"
POSITIONS = {True: "assets/strength/public_positions.npz", False: "assets/connect_four_positions.npz"}
# enough to compare the seeds; with all rows and matches a measurement takes an hour
ROWS_OF_SEEDS, MATCHES_OF_SEEDS = [Row(PUBLIC_SETS, count) for count in SIMULATIONS["connect_four"]], {"Mountain": (100,)}


def ship(name: str, run: Path) -> None:
    """Copy the files of a finished run to assets/nets, measure its network, and write its section of the page."""
    settings = read_settings(run)
    game = settings["game"]
    logged = [json.loads(line) for line in (run / LOG).read_text().splitlines()]
    (FOLDER / name).parent.mkdir(exist_ok=True)
    write_atomic(FOLDER / f"{name}.npz", (run / NET).read_bytes())
    write_atomic(FOLDER / f"{name}.svg", curves(logged))
    write_log(name, [_short(row) for row in logged])
    last = logged[-1]
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
    net = load_net(rules, FOLDER / f"{name}.npz")
    matches, chosen = (MATCHES_OF_SEEDS, ROWS_OF_SEEDS) if name in SEEDS else (None, None)
    counted = counting(name, rules, net)
    for line in full(rules, measured(rules, net), SIMULATIONS[game], MATCH_GAMES, 0, matches, chosen, counted):
        print(line, flush=True)
        lines.append(line)
    return "\n".join(f"    {line}" if line else "" for line in lines)


def measure_tables(name: str) -> None:
    """Measure the tables of a network of Connect Four again, and put them in place of the older ones in its section."""
    text, rules = read_sections()[HEADINGS[name]], compiled("connect_four")
    before, _, after = text.partition(f"    {MEASURE.format(name=name, game='connect_four')}\n")
    lines = []
    for line in tables(rows_of(name), counting(name, rules, load_net(rules, FOLDER / f"{name}.npz"))):
        print(line, flush=True)
        lines.append(f"    {line}")
    matches = [line for line in after.splitlines() if " simulations against " in line]
    shown = "\n".join([f"    {MEASURE.format(name=name, game='connect_four')}", "", *lines, *matches])
    write_section(HEADINGS[name], f"{before}{shown}\n\nSettings: {after.partition('Settings: ')[2]}")


def counting(name: str, rules: CompiledRules, net: nn.Module) -> Callable[[Row], Counts]:
    """Return a function that takes the counts of a row from the log of this network, and measures what the log has not."""
    network, commit, evaluated = measured(rules, net), newest_commit(SEARCH), 0

    def heard(planes: Any, legal: Any) -> Any:
        nonlocal evaluated
        evaluated += len(planes)
        return network(planes, legal)

    def counted(row: Row) -> Counts:
        nonlocal evaluated
        key = asdict(row) | {"inputs": inputs_of(name, row)}
        of_others = [line for line in read_log(f"{name}.strength") if {part: line[part] for part in asdict(row)} != asdict(row)]
        line = next((line for line in read_log(f"{name}.strength") if {part: line[part] for part in key} == key), None)
        line = line or key | {"mistakes": {}, "positions evaluated": 0, "dtype": "float32", "commit": commit,
                              "command": COUNTED_BY.format(name=name)}  # fmt: skip
        for stratum in STRATA:
            if stratum not in line["mistakes"]:
                evaluated = 0
                line["mistakes"][stratum] = count_in_stratum(rules, heard, row, stratum)
                line["positions evaluated"] += evaluated
                write_log(f"{name}.strength", [*of_others, line])
        return {stratum: (wrong, count) for stratum, (wrong, count) in line["mistakes"].items()}

    return counted


def rows_of(name: str) -> list[Row]:
    """Return the rows that are measured of a network of Connect Four."""
    return ROWS_OF_SEEDS if name in SEEDS else rows(SIMULATIONS["connect_four"])


def inputs_of(name: str, row: Row) -> str:
    """Return the hash of what a row measures: the search, the network, the positions."""
    return hash_of([*SEARCH, f"assets/nets/{name}.npz", POSITIONS[row.table == PUBLIC_SETS]])


def newest_commit(patterns: tuple[str, ...]) -> str:
    """Return the short name of the newest commit that changed one of these files; "not committed" while one is changed."""
    changed = _git("status", "--porcelain", "--", *patterns)
    return "not committed" if changed else _git("log", "-1", "--format=%h", "--", *patterns)


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout.strip()


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
    parser.add_argument("--tables", action="store_true", help="measure the tables of Connect Four again, and no match")
    given = parser.parse_args()
    try:
        if given.tables:
            measure_tables(given.name)
            return
        measure_again(given.name) if given.again else ship(given.name, given.run or RUNS / given.name)
    except UserError as failure:
        parser.error(str(failure))


if __name__ == "__main__":
    main()
