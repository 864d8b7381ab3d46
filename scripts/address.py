"""The public address of this repository, in badges, commands and the first cell of docs/start.ipynb.

    python -m scripts.address https://github.com/you/mcts

The address stands in pyproject.toml, [project.urls]. This command writes another one there and into the files that repeat it.
"""

import re
import sys
import tomllib
from pathlib import Path

from arena.files import write_if_changed

ROOT = Path(__file__).resolve().parent.parent
FILES = ("pyproject.toml", "README.md", "docs/students.md", "docs/start.ipynb")
ADDRESS = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")


def address(root: Path = ROOT) -> str:
    """Return the address that pyproject.toml names."""
    found: str = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]
    return found


def write_address(new: str, root: Path = ROOT) -> list[str]:
    """Write another address of the form https://github.com/owner/name everywhere; return the names of the changed files.

    Raises:
        ValueError: it has another form.
    """
    asked, present = ADDRESS.fullmatch(new), ADDRESS.fullmatch(address(root))
    if asked is None or present is None:
        raise ValueError(f"{new!r} is no address such as https://github.com/you/mcts")
    texts = {name: (root / name).read_text(encoding="utf-8") for name in FILES}
    return [name for name, text in texts.items()
            if write_if_changed(root / name, text.replace(present[1], asked[1]).encode())]


if __name__ == "__main__":
    try:
        print("\n".join(write_address(sys.argv[1] if sys.argv[1:] else "")) or "nothing changed")
    except ValueError as error:
        sys.exit(f"address: {error}")
