"""Take the pictures of docs/looks.md: the first screen of each page, on a desk and on a phone, light and dark.

`python -m scripts.looks` runs tests/browser/test_first_screens.py with screenshots, and keeps them as small files. The same pages
are looked at that the tests look at.
"""

import subprocess
import sys
from pathlib import Path

from PIL import Image

from autograder.paths import REPOSITORY

TAKEN, KEPT = REPOSITORY / "build" / "screenshots", REPOSITORY / "docs" / "figures" / "looks"
TEST = "tests/browser/test_first_screens.py"
QUALITY = 60  # of WebP, from 0 to 100: letters stay sharp


def keep(picture: Path, folder: Path = KEPT) -> Path:
    """Write a screenshot as a WebP file of its name without the beginning; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{picture.stem.removeprefix('look_')}.webp"
    with Image.open(picture) as shown:
        shown.convert("RGB").save(kept, quality=QUALITY, method=6)
    return kept


def main() -> int:
    """Take and keep all pictures; return the tests' exit code."""
    code = subprocess.run([sys.executable, "-m", "pytest", "-q", TEST, "--screenshots"], cwd=REPOSITORY).returncode
    for picture in sorted(TAKEN.glob("look_*.png")):
        kept = keep(picture)
        print(f"wrote {kept.relative_to(REPOSITORY)}, {kept.stat().st_size // 1000} kB")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
