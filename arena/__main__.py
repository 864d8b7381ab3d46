"""`python -m arena FOLDER`: the visible checks of the problem sets in a folder, as their student reads them."""

import sys
from pathlib import Path

from arena.work import check_folder


def main(arguments: list[str]) -> int:
    """Check the folder that is named, or the present one; return the exit code: 0 done, 2 nothing to check."""
    folder = Path(arguments[0] if arguments else ".")
    if not check_folder(folder):
        print(f"no problem set in {folder}: name a folder with ps2_uct.ipynb or ps2_uct.py, or the one above", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
