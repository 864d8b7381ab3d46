"""The page of assets/nets: a section for each piece of work, written by the command that did the work."""

from arena.shipped import CHECKOUT

FOLDER = CHECKOUT / "assets" / "nets"
INTRODUCTION = """# Stored games and trained networks

    python -m assets.make.ps4_nets              # problem set 4, Othello on 6x6: games, networks, table
    python -m assets.make.ps4_nets nets table   # the networks only, from the games as they are
    python -m assets.make.ship_net connect_four       # the network of a finished `make train`, measured
    python -m assets.make.ship_net seeds/connect_four_1 FOLDER   # of a run with `--seed 1`; nothing plays with it

The files hold numbers only and are read with `allow_pickle=False` (`arena.nets`, `arena.players.network`). The
sections below are written by these commands.
"""
ORDER = ("The games", "The networks", "The table", "Tic-Tac-Toe", "Connect Four", "Connect Four, seed 1", "Connect Four, seed 2",
         "Othello by self-play")


def write_section(heading: str, text: str) -> None:
    """Put `text` under `heading`, one of ORDER; it replaces the older text there."""
    path = FOLDER / "README.md"
    found = path.read_text().split("\n## ")[1:] if path.exists() else []
    sections = {section.split("\n")[0]: section for section in found} | {heading: f"{heading}\n\n{text.rstrip()}\n"}
    path.write_text("\n## ".join([INTRODUCTION, *(sections[name] for name in ORDER if name in sections)]))
