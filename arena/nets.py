"""Trained networks and stored games that ship with the course, as plain arrays: no torch, and nothing is unpickled.

They are in `assets/nets/` of the repository and are installed with `arena`, as NumPy archives:

    othello6_policy.npz, othello6_value.npz    one array for each name of the network's state_dict, float32
    othello6_games.npz                         `actions`: int8 (games, plies), -1 after the end of a game
    tic_tac_toe.npz, connect_four.npz, othello.npz
                                               made by `make train`, for `arena.players.network.load_net`

The README.md of the folder lists the commands, seeds and figures of each.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.shipped import shipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = Path("assets") / "nets"


def find(name: str) -> Path:
    """Return the path of `name`.npz: shipped with `arena`, or in `assets/nets` of the current folder or a folder above it.

    Raises:
        FileNotFoundError: the file is in none of these places; the message names them.
    """
    places = [place / FOLDER / f"{name}.npz" for place in (Path.cwd(), *Path.cwd().parents)]
    for path in (shipped(f"nets/{name}.npz"), *places):
        if path.is_file():
            return path
    raise FileNotFoundError(f"{name}.npz did not ship with arena, and is not in {FOLDER} of {Path.cwd()} or a folder above it")


def load(name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of `name`.npz by their names, such as the weights of a network."""
    import numpy as np  # whoever only asks where a file is does without it

    with np.load(find(name), allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}


def games(name: str = "othello6_games") -> list[list[int]]:
    """Return stored games, each as the list of its actions from the start."""
    return [[int(action) for action in row if action >= 0] for row in load(name)["actions"]]
