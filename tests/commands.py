"""The commands of `autograder` as staff run them: in the repository, in a process of their own."""

import os
import subprocess
import sys
from typing import Any

from autograder.paths import REPOSITORY


def autograder(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run `python -m autograder` and return what came of it; `options` are those of subprocess.run."""
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    usual = {"cwd": REPOSITORY, "env": {**os.environ, "COLUMNS": "200"}, "timeout": 300}  # wide: no sentence is broken in two
    return subprocess.run(command, capture_output=True, text=True, **(usual | options))


def output_of(*arguments: object, **options: Any) -> str:
    """Run `python -m autograder`, which must succeed, and return its standard output."""
    done = autograder(*arguments, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
