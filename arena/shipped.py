"""The places of the files that ship with `arena`: the opening book and the trained networks."""

from importlib.resources import files
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1] / "assets"


def shipped(name: str) -> Path:
    """Return the path of a file such as "nets/othello.npz": installed with `arena`, or in the checkout's `assets/`.

    In the checkout, `arena/assets` is a link to `assets`. Where links are lost, as in an archive unpacked on Windows, the
    folder `assets` itself is used. The function does not check that the file exists.
    """
    installed = Path(str(files("arena") / "assets" / name))
    return installed.resolve() if installed.is_file() else CHECKOUT / name
