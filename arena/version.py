"""The version of this project, as `--version` says it."""

import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

PROJECT = "mcts-to-alphazero"


def version_text(program: str) -> str:
    """Return one line: the program, the version of the project, and the Python that runs it."""
    return f"{program} {number()} (Python {sys.version.split()[0]})"


def number() -> str:
    """Return the version of the project.

    A clone has the version in its pyproject.toml, which may be newer than the last `make setup`. An installed package, in the
    folder of another project for example, knows its own.
    """
    file = Path(__file__).resolve().parent.parent / "pyproject.toml"
    about = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {}) if file.is_file() else {}
    return str(about["version"]) if about.get("name") == PROJECT else version(PROJECT)
