"""Other interpreters of this machine."""

import shutil
from pathlib import Path

from scripts import install


def program_of(version: tuple[int, int]) -> Path | None:
    """An interpreter of this version, on PATH or among those of pyenv, that can make a virtual environment."""
    name = "python{}.{}".format(*version)
    kept = sorted((Path.home() / ".pyenv" / "versions").glob("{}.{}.*/bin/python3".format(*version)))
    for program in (*filter(None, [shutil.which(name)]), *map(str, kept)):
        if install._minor(install._version(program)) == version:
            return Path(program)
    return None
