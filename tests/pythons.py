"""Other interpreters of this machine."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.paths import REPOSITORY
from scripts import install

WITHOUT = ("torch",)  # its build for graphics cards is as large as everything else together


def program_of(version: tuple[int, int]) -> Path | None:
    """An interpreter of this version, on PATH or among those of pyenv, that can make a virtual environment."""
    name = "python{}.{}".format(*version)
    kept = sorted((Path.home() / ".pyenv" / "versions").glob("{}.{}.*/bin/python3".format(*version)))
    for program in (*filter(None, [shutil.which(name)]), *map(str, kept)):
        if install._minor(install._version(program)) == version:
            return Path(program)
    return None


def python_with_packages(version: tuple[int, int], folder: Path) -> Path:
    """Make a virtual environment of another Python with the locked packages in `folder/venv`, and return its interpreter.

    The test is skipped if this machine has no such Python, or if the registry does not answer.
    """
    program = program_of(version)
    if program is None:
        pytest.skip("this machine has no Python {}.{}".format(*version))
    lock = folder / "requirements.lock"
    locked = install.LOCK.read_text().split()
    lock.write_text("\n".join(line for line in locked if line.partition("==")[0] not in WITHOUT))
    uv, python = Path(sys.executable).with_name("uv"), folder / "venv" / "bin" / "python"
    made = _run(uv, "venv", "--quiet", "--python", program, folder / "venv")
    assert made.returncode == 0, made.stderr
    places = install._places([sys.executable, "-m", "pip"])
    installed = _run(uv, "pip", "install", "--quiet", "--no-deps", "--python", python, *places, "--requirement", lock)
    if re.search(r"Failed to fetch|error sending request", installed.stderr):
        pytest.skip(f"the registry does not answer: {installed.stderr.strip()[-200:]}")
    assert installed.returncode == 0, installed.stderr
    return python


def _run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
                          text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
