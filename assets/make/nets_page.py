"""The folder assets/nets: its logs, and its page with a section for each piece of work; the commands that work write both."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.files import write_atomic
from arena.shipped import CHECKOUT

FOLDER = CHECKOUT / "assets" / "nets"
INTRODUCTION = """# Stored games and trained networks

    python -m assets.make.ps4_nets              # problem set 4, Othello on 6x6: games, networks, table
    python -m assets.make.ps4_nets nets table   # the networks only, from the games as they are
    python -m assets.make.ship_net connect_four       # the network of a finished `make train`, measured
    python -m assets.make.ship_net seeds/connect_four_1 FOLDER   # of a run with `--seed 1`; nothing plays with it
    python -m assets.make.ship_net connect_four --again   # measure the stored network again, after a change of the search
    python -m assets.make.ship_net connect_four --tables  # its tables alone, counted in `connect_four.strength.log.jsonl`
    python -m assets.make.steps                # what each step of the trainer brings, over three seeds: `steps.log.jsonl`

The files hold numbers only and are read with `allow_pickle=False` (`arena.nets`, `arena.players.network`). The
sections below are written by these commands.
"""
ORDER = ("The games", "The networks", "The table", "Tic-Tac-Toe", "Connect Four", "Connect Four, seed 1", "Connect Four, seed 2",
         "Othello by self-play")
PAGE = FOLDER / "README.md"


def log_of(name: str) -> Path:
    """Return the file of a log: one JSON object a line."""
    return FOLDER / f"{name}.log.jsonl"


def read_log(name: str) -> list[dict[str, Any]]:
    """Return the lines of a log; none if the log does not exist yet."""
    path = log_of(name)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def write_log(name: str, lines: Sequence[dict[str, Any]]) -> None:
    """Replace a log by these lines."""
    write_atomic(log_of(name), "".join(json.dumps(line) + "\n" for line in lines))


def read_sections() -> dict[str, str]:
    """Return the text below each heading of the page."""
    sections = PAGE.read_text(encoding="utf-8").split("\n## ")[1:] if PAGE.exists() else []
    return {heading: text.strip("\n") for heading, _, text in (section.partition("\n") for section in sections)}


def write_section(heading: str, text: str) -> None:
    """Put `text` under `heading`, one of ORDER; it replaces the older text there."""
    sections = read_sections() | {heading: text.strip("\n")}
    written = (f"{name}\n\n{sections[name]}\n" for name in ORDER if name in sections)
    PAGE.write_text("\n## ".join([INTRODUCTION, *written]), encoding="utf-8")
