"""What a release hands to students: the wheel of `arena`, a zip of each problem set, and the documentation as a site.

`python -m scripts.release` writes them into build/release, from the last commit and from build/docs. It hands out nothing that
holds a line of our solutions or hidden checks.
"""

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from arena.files import write_atomic
from autograder.course.new_course import handout
from autograder.paths import REPOSITORY
from autograder.problem_sets.source import released
from autograder.selftest.leaks import leaks

SITE = REPOSITORY / "build" / "docs"
RELEASE = REPOSITORY / "build" / "release"


def main() -> int:
    """Write the files of a release; return 1 if one of them holds what belongs to staff."""
    if not (SITE / "index.html").is_file():
        print(f"{SITE} has no site: run `make docs` first")
        return 2
    shutil.rmtree(RELEASE, ignore_errors=True)
    RELEASE.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        write_release(committed(Path(folder)), RELEASE)
        shutil.make_archive(str(RELEASE / "documentation"), "zip", SITE)
    found = [line for path in sorted(RELEASE.iterdir()) for line in leaks(path)]
    if found:
        shutil.rmtree(RELEASE)
    for line in found or sorted(str(path) for path in RELEASE.iterdir()):
        print(line)
    return 1 if found else 0


def committed(folder: Path) -> Path:
    """Lay out the last commit in a folder: what lies about in the checkout is no part of a release."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=REPOSITORY, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def write_release(checkout: Path, to: Path) -> None:
    """Write the wheel and the zips of a checkout into a folder."""
    for ps in released():
        write_atomic(to / f"{ps}.zip", handout(checkout / "assignments" / ps))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", to, checkout], check=True)


if __name__ == "__main__":
    sys.exit(main())
