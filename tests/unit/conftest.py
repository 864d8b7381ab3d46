"""What several files of these tests use."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver
from autograder.sandbox.host import host_lock


@pytest.fixture(scope="module")
def perfect() -> PerfectPlayer:
    """Perfect play of Connect Four, with a table of a million positions."""
    return PerfectPlayer(Solver(20))


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Small networks compute in one thread: on a busy machine a second one mostly waits for the first."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def host_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks that no other grader on this machine has: it may hold them longer than a test waits."""
    monkeypatch.setattr(host_lock, "open_lock", lambda name: os.open(tmp_path / name, os.O_RDWR | os.O_CREAT))
