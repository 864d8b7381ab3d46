"""Learning from a window of self-play: turned and mirrored positions, a falling learning rate, averaged weights."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from arena.players.network import Flags, Numbers, fast_layout
from arena.players.rules import CompiledRules, mark_legal
from trainer.metrics import Losses
from trainer.selfplay import Examples


@dataclass(frozen=True)
class LearnSettings:
    """The parameters of learning. Progress is the finished part of the run, from 0 to 1."""

    batch_size: int = 256
    reuse: float = 6.0  # how often each example is drawn, on average
    learning_rate: float = 2e-3  # highest rate; a cosine lowers it to a hundredth
    warm_up: int = 200  # steps in which the rate rises from 0: large first steps can silence units of the network for ever
    weight_decay: float = 1e-4
    value_weight: float = 1.0  # weight of the squared error beside the cross-entropy
    window_first: int = 20_000  # examples; the window grows in proportion to progress
    window_last: int = 300_000
    average: float = 0.999  # decay of the averaged weights, for each step
    clip: float = 1.0  # maximum norm of a gradient

    def window(self, progress: float) -> int:
        """Return the number of newest examples to learn from."""
        return int(self.window_first + (self.window_last - self.window_first) * min(1.0, progress))

    def rate(self, progress: float, steps: int) -> float:
        """Return the learning rate after a number of steps; `progress` is the finished part of the run, 0 to 1."""
        rising = min(1.0, (steps + 1) / self.warm_up)
        return self.learning_rate * rising * (0.01 + 0.99 * (1 + math.cos(math.pi * min(1.0, progress))) / 2)


class Learner:
    """A network that learns, its optimizer, and the average of its latest weights; the average plays.

    Args:
        dtype: float32; or bfloat16 in the operations that torch.autocast chooses, with weights and losses still in float32. On
            a processor with instructions for bfloat16, a batch takes a third of the time.
    """

    def __init__(self, rules: CompiledRules, net: nn.Module, settings: LearnSettings, seed: int,
                 device: str = "cpu", dtype: str = "float32") -> None:  # fmt: skip
        self.rules, self.settings, self.device, self.dtype = rules, settings, device, dtype
        layout = fast_layout(net)
        self.net: nn.Module = net.to(device, memory_format=layout)  # type: ignore[call-overload]  # torch does not declare it
        self.averaged = copy.deepcopy(self.net).eval()
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay)
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.steps = 0

    def learn(self, window: Examples, num_new: int, progress: float) -> Losses:
        """Learn from the window, which is not empty; `num_new` new examples set the number of batches (0: one batch).

        Returns the means over these batches; the cross-entropy cannot be lower than the entropy of the policy targets.
        """
        steps = max(1, round(num_new * self.settings.reuse / self.settings.batch_size))
        self.net.train()
        sums = np.zeros(3)
        for _ in range(steps):
            for group in self.optimizer.param_groups:
                group["lr"] = self.settings.rate(progress, self.steps)
            sums += self._step(self._batch(window))
        return Losses(*(sums / steps).tolist())

    def _batch(self, window: Examples) -> tuple[torch.Tensor, ...]:
        """Draw examples, each in one of its symmetric forms.

        Returns planes (B, 2, H, W), legal actions (B, A), policies (B, A) and values (B,) for the player to move.
        """
        rows = self.rng.integers(len(window), size=self.settings.batch_size)
        turns = self.rng.integers(len(self.rules.turned_squares), size=len(rows))
        planes, allowed = planes_and_legal(self.rules, window.own[rows], window.theirs[rows])
        squares, actions = self.rules.turned_squares[turns], self.rules.turned_actions[turns]
        turned = np.take_along_axis(planes.reshape(len(rows), 2, -1), squares[:, None, :], axis=2).reshape(planes.shape)
        moved = [np.take_along_axis(array, actions, axis=1) for array in (allowed, window.policies[rows])]
        return tuple(torch.from_numpy(array).to(self.device) for array in (turned, *moved, window.values[rows]))

    def _step(self, batch: tuple[torch.Tensor, ...]) -> NDArray[np.float64]:
        policy, value = self._losses(*batch)
        self.optimizer.zero_grad(set_to_none=True)
        (policy + self.settings.value_weight * value).backward()  # type: ignore[no-untyped-call]  # torch does not annotate it
        nn.utils.clip_grad_norm_(self.net.parameters(), self.settings.clip)
        self.optimizer.step()
        self.steps += 1
        keep = min(self.settings.average, self.steps / (self.steps + 10))  # at the start the weights change fast
        with torch.no_grad():
            self._average(keep)
            entropy = -(batch[2] * batch[2].clamp(min=1e-9).log()).sum(dim=1).mean()
        return np.array([policy.item(), value.item(), entropy.item()])

    def _losses(
        self, planes: torch.Tensor, allowed: torch.Tensor, policies: torch.Tensor, values: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the cross-entropy of the policies and the squared error of the values, means over the batch."""
        with torch.autocast(self.device, torch.bfloat16, enabled=self.dtype == "bfloat16"):
            log_p, predicted = self.net(planes.to(memory_format=fast_layout(self.net)), allowed)
        return -(policies * log_p).sum(dim=1).mean(), ((values - predicted) ** 2).mean()

    def _average(self, keep: float) -> None:
        """Update the averaged network: weights and running statistics are averaged, counters are copied.

        Batch normalization plays with its running mean and variance, which are buffers, not parameters; an average of two
        variances is a variance. Values that are not floats (its count of batches) or not finite (a mask) have no average.
        """
        for mean, weight in zip(self.averaged.parameters(), self.net.parameters(), strict=True):
            mean.lerp_(weight, 1 - keep)
        for mean, latest in zip(self.averaged.buffers(), self.net.buffers(), strict=True):
            mixed = mean.lerp(latest, 1 - keep) if mean.is_floating_point() else latest
            mean.copy_(torch.where(mixed.isfinite(), mixed, latest))

    def state(self) -> dict[str, Any]:
        """Return everything on which the next step depends."""
        return {"net": self.net.state_dict(), "averaged": self.averaged.state_dict(), "optimizer": self.optimizer.state_dict(),
                "rng": self.rng.bit_generator.state, "steps": self.steps}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `state`."""
        self.net.load_state_dict(state["net"])
        self.averaged.load_state_dict(state["averaged"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.rng.bit_generator.state = state["rng"]
        self.steps = state["steps"]


def planes_and_legal(rules: CompiledRules, own: NDArray[np.int64], theirs: NDArray[np.int64]) -> tuple[Numbers, Flags]:
    """Return planes (B, 2, H, W) float32 and legal actions (B, A) bool of positions given as bits.

    Args:
        own, theirs: (B,), stones of the player to move, who has plane 0, and of the other player.
    """
    planes = np.stack([stones[:, None, None] >> rules.bits & 1 for stones in (own, theirs)], axis=1).astype(np.float32)
    allowed = np.zeros((len(own), rules.num_actions), np.bool_)
    mark_legal(rules.number, own, theirs, allowed)
    return planes, allowed
