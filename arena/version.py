"""The version of this project, as `--version` says it."""

import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

PROJECT = "mcts-to-alphazero"


def version_text(program: str) -> str:
    """Return one line: the program, the version of the project, and the Python that runs it.

    A clone has the version in its pyproject.toml, which may be newer than the last `make setup`; an installed package knows its own.
    """
    project = Path(__file__).resolve().parent.parent / "pyproject.toml"
    if project.is_file():
        number = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    else:
        number = version(PROJECT)
    return f"{program} {number} (Python {sys.version.split()[0]})"
