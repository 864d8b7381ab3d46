"""The documentation, built once for all tests that open it: as `make docs` builds it, with the outputs of one lesson."""

import subprocess
import sys
from pathlib import Path

from autograder.paths import REPOSITORY

BUILT = REPOSITORY / "build" / "docs"
RUN = "ps1_games"  # the lesson that shows its outputs; the test of the notebooks runs all of them


def build(folder: Path) -> None:
    """Build the documentation; what it prints is kept in the folder."""
    command = [sys.executable, "-m", "docs.site", "--run", RUN]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=1800)
    (folder / "output").write_text(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == str(BUILT / "index.html")
