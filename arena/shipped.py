"""The places of the files that ship with `arena`: the opening book, the trained networks, and the problem sets as released."""

import re
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


def set_number(name: str) -> str:
    """Return the number in the name of a problem set, such as "10" in "ps10_chess"; "" if it is not such a name."""
    match = re.match(r"ps([0-9]+)_", name)
    return match[1] if match else ""


def set_order(name: str) -> tuple[int, str]:
    """Return the sort key of a problem set by its name: ps2_uct comes before ps10_chess. Other names come first."""
    return len(set_number(name)), name  # numbers have no zeros in front, so fewer digits are a smaller number
