"""What several files of these tests use."""

from collections.abc import Iterator

import pytest

from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver


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
