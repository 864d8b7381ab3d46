"""OpenSpiel's AlphaZero in Python in a process of its own, for comparisons only: it needs jax, which nothing else here does."""
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from arena.games import ConnectFour, after
from arena.strength.positions import State
from bench import must

PYTHON = Path("build/openspiel/bin/python")
INSTALL = (f"python3 -m venv {PYTHON.parents[1]} && {PYTHON.parent}/pip install open_spiel==2.0.2 jax==0.10.2 flax optax chex "
           "orbax-checkpoint")
GAME = ConnectFour()


class Missing(Exception):
    """The peer is not installed; the text says how to install it."""


class OpenSpiel:
    """One network of the peer and its training, on one core; it ends with the `with` block.

    Args:
        channels: of the residual network. blocks: of it, two convolutions each. simulations: of a search.
        compiled: ask a compiled network; without it the library's own method, as published.

    Raises:
        Missing: the peer is not installed.
        RuntimeError: positions mean something else over there.
    """

    def __init__(self, *, channels: int, blocks: int, simulations: int, seed: int, compiled: bool = True) -> None:
        if not PYTHON.exists() or subprocess.run([PYTHON, "-c", "import jax, flax, pyspiel"], capture_output=True).returncode:
            raise Missing(f"OpenSpiel's AlphaZero is not installed; to install it: {INSTALL}")
        one_thread = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false", "JAX_PLATFORMS": "cpu", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [PYTHON, "-W", "ignore", Path(__file__).with_name("openspiel_worker.py")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=one_thread)
        line = [3, 3, 2, 6, 0, 0, 5]
        if not np.array_equal(self._ask("observation", line=line), _observed([after(GAME, line)])[0]):
            raise RuntimeError("OpenSpiel's input of a network has another order of squares than expected here")
        self._ask("new", channels=channels, blocks=blocks, simulations=simulations, seed=seed, compiled=compiled)

    def __enter__(self) -> "OpenSpiel":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()

    def rate(self, games: int) -> float:
        """Return the simulations a CPU second of self-play, over this many games."""
        rate = float(self._ask("rate", games=games))
        must(rate > 0, f"OpenSpiel played no position in {games} games")
        return rate

    def train(self, cpu_s: float) -> int:
        """Play and learn for this number of CPU seconds; return the number of positions played."""
        return int(self._ask("train", cpu_s=cpu_s))

    def moves(self, states: Sequence[State]) -> list[int]:
        """Return the network's move, without a search, in each position."""
        legal = [[column in GAME.legal_actions(state) for column in range(7)] for state in states]
        return list(self._ask("moves", observations=_observed(states), legal=legal))

    def _ask(self, request: str, **arguments: object) -> Any:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps([request, arguments]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"OpenSpiel's process has ended at {request!r}; to see why, run "
                               f"{PYTHON} bench/openspiel_worker.py")
        return json.loads(answer)


def _observed(states: Sequence[State]) -> list[list[float]]:
    """Return the peer's input: planes of the first player's stones, the second's, and of free squares; the bottom row first."""
    rows = []
    for state in states:
        planes = GAME.planes(state)[:, ::-1]
        first, second = planes if GAME.player(state) == 0 else planes[::-1]
        rows.append(np.stack([first, second, 1 - first - second]).ravel().tolist())
    return rows
