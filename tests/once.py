"""Folders that are costly to build: the first worker that needs one builds it, once a run, and all workers share it.

A test that changes a folder works on a copy.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return the folder `name` that `build` has filled; the first caller of this run fills it, the others wait.

    A build that failed is not tried again: each further caller fails with the first one's words.
    """
    base = factory.getbasetemp()
    room = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base  # a worker's folder is in that of the run
    folder, done, failed = room / name, room / f"{name}.done", room / f"{name}.failed"
    with FileLock(room / f"{name}.lock"):
        if failed.exists():
            pytest.fail(f"{name} could not be built, see the first test that needed it: {failed.read_text()}", pytrace=False)
        if not done.exists():
            folder.mkdir()
            try:
                build(folder)
            except BaseException as error:
                failed.write_text(repr(error))
                raise
            done.touch()
    return folder
