"""A training run: self-play on all cores and learning beside it, saved so that the run can stop and go on.

In every iteration the workers play with the weights from the end of the previous iteration, while the learner learns from
earlier games. Neither waits, and the result does not depend on their speed: the same seed, settings and number of workers
give the same networks, with or without interruptions.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import torch
from torch import nn

from arena.errors import UserError
from arena.files import write_atomic
from arena.players.network import load_net, read_weights, save_net
from arena.players.rules import CompiledRules, compiled
from trainer.learner import Learner, LearnSettings
from trainer.metrics import Metrics
from trainer.nets import NetMaker
from trainer.selfplay import ARRAYS, Examples, PlaySettings
from trainer.workers import Order, Workers

CHECKPOINT, LOG, NET = "checkpoint.pt", "log.jsonl", "net.npz"


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run; the same settings in the same folder continue it."""

    game: str
    play: PlaySettings
    learn: LearnSettings
    net: NetMaker = NetMaker()
    workers: int = 2
    seed: int = 0
    device: str = "cpu"
    dtype: str = "float32"
    examples: int = 4096  # new ones in each iteration
    start: str = ""  # path of weights to begin with; they have as many blocks or fewer


class StoppedRun(UserError):
    """A folder holds a run that cannot continue with these settings; the text says why, and what to do."""


class Run:
    """A run in a folder; `iterate` does one iteration and writes everything that the next one needs.

    Args:
        limit: the end of the run, ("minutes", 30) or ("iterations", 80); learning rate and window depend on it.

    Raises:
        StoppedRun: the folder holds a run with other settings, or a damaged one.
    """

    def __init__(self, settings: RunSettings, folder: Path, limit: tuple[str, float]) -> None:
        self.settings, self.folder, self.limit = settings, folder, limit
        self.rules = compiled(settings.game)
        torch.manual_seed(settings.seed)
        saved = self._read()
        net = settings.net(self.rules)
        if settings.start and saved is None:
            _begin_with(net, Path(settings.start))
        self.learner = Learner(self.rules, net, settings.learn, settings.seed, settings.device, settings.dtype)
        self.window = Examples.none(self.rules.num_actions)
        self.metrics: list[Metrics] = []
        self.spent_s = 0.0
        self._new = 0  # examples of the window that the learner has not used yet
        if saved is not None:
            self._restore(saved)
        order = Order(settings.game, settings.play, settings.net, settings.device, settings.dtype)
        self.workers = Workers(order, settings.workers, 1000 * settings.seed + 1)
        if saved is not None:
            self._restore_workers(saved["workers"])

    @property
    def progress(self) -> float:
        """The finished part of the run, from 0 to 1."""
        unit, amount = self.limit
        done = self.spent_s / 60 if unit == "minutes" else len(self.metrics)
        return min(1.0, done / amount)

    def iterate(self) -> Metrics:
        """Play and learn once; return the figures of this iteration."""
        began, progress = time.monotonic(), self.progress
        self.workers.begin(self.learner.averaged, self.settings.examples)
        losses = self.learner.learn(self.window, self._new, progress) if len(self.window) else None
        new, played = self.workers.wait()
        self.window = Examples.joined([self.window, new]).newest(self.settings.learn.window(progress))
        self._new = len(new)
        self.spent_s += time.monotonic() - began
        before = self.metrics[-1] if self.metrics else None
        self.metrics.append(Metrics(
            len(self.metrics) + 1, self.spent_s / 60, len(new), played, losses, len(self.window), unique_share(self.window),
            played.games + (before.games_so_far if before else 0),
            played.simulations + (before.simulations_so_far if before else 0)))
        return self.metrics[-1]

    def note(self, strength: dict[str, float]) -> Metrics:
        """Add what was measured to the figures of the last iteration, and return them."""
        self.metrics[-1] = replace(self.metrics[-1], strength=strength)
        return self.metrics[-1]

    def save(self) -> None:
        """Write checkpoint, log and the network that plays; a stop in the middle leaves the older files whole."""
        write_atomic(self.folder / CHECKPOINT, _written(lambda file: torch.save(self._state(), file)))
        write_atomic(self.folder / LOG, "".join(json.dumps(line.row()) + "\n" for line in self.metrics))
        write_atomic(self.folder / NET, _written(lambda file: save_net(self.learner.averaged, file)))

    def close(self) -> None:
        """End the workers."""
        self.workers.close()

    def _state(self) -> dict[str, Any]:
        window = {name: torch.from_numpy(np.ascontiguousarray(getattr(self.window, name))) for name in ARRAYS}
        workers = self.workers.states()
        for state in workers:
            state["arrays"] = {name: torch.from_numpy(array) for name, array in state["arrays"].items()}
        return {"settings": json.dumps(asdict(self.settings)), "learner": self.learner.state(), "window": window,
                "new": self._new, "workers": workers, "metrics": list(map(asdict, self.metrics)), "spent_s": self.spent_s}

    def _read(self) -> dict[str, Any] | None:
        path = self.folder / CHECKPOINT
        if not path.exists():
            return None
        saved = _read_checkpoint(path)
        stored = json.loads(saved["settings"])
        ours = json.loads(json.dumps(asdict(self.settings)))
        if stored != ours:
            differing = [name for name in ours if stored.get(name) != ours[name]]
            other = ", ".join(f"{name} {stored.get(name)} (asked for: {ours[name]})" for name in differing)
            raise StoppedRun(f"{self.folder} holds a run with {other}; ask for the same, or give another folder")
        if "metrics" not in saved:
            raise StoppedRun(f"{self.folder} holds a run of an older version; move the folder away to begin anew")
        return saved

    def _restore(self, saved: dict[str, Any]) -> None:
        try:
            self.learner.restore(saved["learner"])
        except (RuntimeError, ValueError, KeyError):  # torch's text would name every layer
            reason = f"{self.folder} holds a run of another network: {self.settings.net.kind} has changed since"
            raise StoppedRun(f"{reason}; move the folder away, or give another one") from None
        self.window = Examples(*(saved["window"][name].numpy() for name in ARRAYS))
        self._new, self.spent_s = saved["new"], saved["spent_s"]
        self.metrics = list(map(Metrics.from_dict, saved["metrics"]))

    def _restore_workers(self, states: list[dict[str, Any]]) -> None:
        for state in states:
            state["arrays"] = {name: tensor.numpy() for name, tensor in state["arrays"].items()}
        self.workers.restore(states)


def read_settings(folder: Path) -> dict[str, Any]:
    """Return the settings of the run in a folder, as the run wrote them.

    Raises:
        StoppedRun: the folder has no run, or it cannot be read.
    """
    settings: dict[str, Any] = json.loads(_read_checkpoint(folder / CHECKPOINT)["settings"])
    return settings


def load_trained(rules: CompiledRules, path: Path) -> nn.Module:
    """Return the network of a run; a student's `Policy` needs the checkpoint beside it, and its module is run.

    Raises:
        OSError: the file cannot be read. ValueError: it holds no network for this game.
        UserError: the module with the Policy is gone or has changed.
    """
    try:
        return load_net(rules, path)
    except ValueError:  # not our network, or another game's: only now read the checkpoint, which is large and may be damaged
        if not (path.parent / CHECKPOINT).is_file():
            raise
    made = read_settings(path.parent)["net"]
    net = NetMaker(made["kind"], made["channels"], made["blocks"])(rules)
    try:
        net.load_state_dict(read_weights(path))
    except RuntimeError:  # torch's text would name every layer
        raise ValueError(f"{path} was trained for another game than {rules.name}, or by another {made['kind']}") from None
    return net.eval()


def _read_checkpoint(path: Path) -> dict[str, Any]:
    try:
        saved: dict[str, Any] = torch.load(path, weights_only=True)
    except Exception as error:  # a damaged file may raise any exception in torch
        raise StoppedRun(f"{path} cannot be read ({error}); move the folder away to start again") from None
    return saved


def unique_share(window: Examples) -> float:
    """Return the share of different positions among the examples."""
    pairs = np.stack([window.own, window.theirs], axis=1)
    return len(np.unique(pairs, axis=0)) / max(1, len(pairs))


def _begin_with(net: nn.Module, path: Path) -> None:
    """Load weights into a network with the same layers and perhaps more blocks; the new blocks become the identity."""
    new = {name: torch.zeros_like(weight) if name.startswith("second.") else weight for name, weight in net.state_dict().items()}
    try:
        net.load_state_dict(new | read_weights(path))
    except (OSError, ValueError) as error:
        raise UserError(f"no weights to begin with: {error}") from None
    except RuntimeError:  # torch's text names all layers that do not fit
        reason = "it has another game, other channels, other planes, or more blocks"
        raise UserError(f"{path} does not fit this run: {reason}") from None


def _written(write: Callable[[BinaryIO], object]) -> bytes:
    """Return the bytes that `write` writes into a file."""
    file = io.BytesIO()
    write(file)
    return file.getvalue()
