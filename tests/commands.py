"""The commands of staff and of students, run as they run them, in a process of their own, or quickly in this one."""

import functools
import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer.main

from autograder.paths import REPOSITORY

_get_command = functools.cache(typer.main.get_command)  # typer reads all signatures at every call


def autograder(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run `python -m autograder` in the repository and return what came of it; `options` are those of subprocess.run."""
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    usual = {"cwd": REPOSITORY, "env": {**os.environ, "COLUMNS": "200"}, "timeout": 300}  # wide: no sentence is broken in two
    return subprocess.run(command, capture_output=True, text=True, **(usual | options))


def autograder_here(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the same command in this process, where everything is imported: for a test that asks nothing about the process."""
    from autograder.cli.app import main

    words, output, errors = [*map(str, arguments)], io.StringIO(), io.StringIO()
    with (patch.object(sys, "argv", ["autograder", *words]), patch.dict(os.environ, COLUMNS="200"),
          chdir(REPOSITORY), redirect_stdout(output), redirect_stderr(errors),
          patch.object(typer.main, "get_command", _get_command)):
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    return subprocess.CompletedProcess(words, status, output.getvalue(), errors.getvalue())


def output_of(*arguments: object, **options: Any) -> str:
    """Run `python -m autograder`, which must succeed, and return its standard output."""
    done = autograder(*arguments, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def nbgrader(course: Path, *arguments: str, umask: int = -1, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of nbgrader in a course folder and return what came of it."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # it runs alembic from there
    machine = {**os.environ, "PATH": path, "PYTHONPATH": str(REPOSITORY), **environment}
    command = [sys.executable, "-m", "nbgrader", *arguments]
    return subprocess.run(command, cwd=course, env=machine, umask=umask, capture_output=True, text=True, timeout=300)


def git(folder: Path, *words: str, status: int = 0) -> str:
    """Run git as a student does, who has a name and no other settings."""
    who = {f"GIT_{role}_{key}": "Kim" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    machine = {**kept, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "false"}
    done = subprocess.run(["git", *words], cwd=folder, env=machine, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr
