"""The places of the files that ship with `arena`: the opening book, the trained networks, and the problem sets as released."""

from importlib.resources import files
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]


def shipped(name: str, folder: str = "assets") -> Path:
    """Return the path of a file such as "nets/othello.npz": installed with `arena`, or in the checkout's `assets`.

    Args:
        folder: "assets", or "assignments" for the problem sets. A build copies both into `arena` (setup.py).

    The function does not check that the file exists.
    """
    installed = Path(str(files("arena") / folder / name))
    return installed.resolve() if installed.exists() else CHECKOUT / folder / name
