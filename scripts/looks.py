"""Take the pictures of docs/looks.md: the first screen of each page, on a desk and on a phone, light and dark.

`python -m scripts.looks` runs the tests of first screens, with screenshots, and keeps them as small files: the tests look at the
same pages.
"""

import subprocess
import sys
from pathlib import Path

from PIL import Image

from autograder.paths import REPOSITORY

TAKEN, KEPT = REPOSITORY / "build" / "screenshots", REPOSITORY / "docs" / "figures" / "looks"
TESTS = ("tests/browser/test_first_screens.py", "tests/browser/test_jupyter.py", "tests/browser/test_site.py")
SHOWN = "first_screens or first_idea or front_page_is"  # which of them, by a part of their names
QUALITY = 60  # of WebP, from 0 to 100: letters stay sharp
TALL = 1000  # pixels; what is higher shows two screens, and is kept at half its size


def keep(picture: Path, folder: Path = KEPT) -> Path:
    """Write a screenshot as a WebP file of its name without the beginning; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{picture.stem.removeprefix('look_')}.webp"
    with Image.open(picture) as shown:
        times = 2 if min(shown.size) > TALL else 1
        shown.convert("RGB").resize((shown.width // times, shown.height // times)).save(kept, quality=QUALITY, method=6)
    return kept


def main() -> int:
    """Take and keep all pictures; return the tests' exit code."""
    code = subprocess.run([sys.executable, "-m", "pytest", "-q", *TESTS, "-k", SHOWN, "--screenshots"], cwd=REPOSITORY).returncode
    for picture in sorted(TAKEN.glob("look_*.png")):
        kept = keep(picture)
        print(f"wrote {kept.relative_to(REPOSITORY)}, {kept.stat().st_size // 1000} kB")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
