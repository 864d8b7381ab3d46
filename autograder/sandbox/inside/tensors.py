"""The worker's part for problem sets with torch: tensors, states of modules, and a network that the grader answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch


class Network(torch.nn.Module):
    """A network whose forward pass runs in the grader: arrays go there, arrays come back.

    `modes` records, for every pass, whether the network was in training mode and whether gradients were recorded.
    """

    def __init__(self, ask: Callable[..., Any]) -> None:
        super().__init__()
        self._ask = ask
        self.modes: list[tuple[bool, bool]] = []

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """Return the grader's answer to `inputs`: a tensor for an array, a tuple for a tuple or list."""
        self.modes.append((self.training, torch.is_grad_enabled()))
        return _tensors(self._ask(*map(_array, inputs), **{name: _array(each) for name, each in named.items()}))


def _array(value: Any) -> Any:
    return value.detach().cpu().numpy() if torch.is_tensor(value) else value


def _tensors(answer: Any) -> Any:
    if isinstance(answer, (tuple, list)):
        return tuple(map(_tensors, answer))
    return torch.from_numpy(answer) if isinstance(answer, np.ndarray) else answer


def tensor(array: np.ndarray, requires_grad: bool) -> torch.Tensor:
    """Return a new tensor with the values of `array`."""
    return torch.from_numpy(np.ascontiguousarray(array)).reshape(array.shape).requires_grad_(requires_grad)


def state(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Return the module's weights by name."""
    return dict(module.state_dict())


def load_state(module: torch.nn.Module, arrays: dict[str, np.ndarray]) -> None:
    """Load these weights into the module; every name must be known, and none may be missing."""
    module.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})


def seed(number: int) -> None:
    """Seed torch's own generator."""
    torch.manual_seed(number)


def generator_state() -> list[torch.Tensor]:
    """Return the state of torch's own generator, for a digest."""
    return [torch.get_rng_state()]


def usual_settings() -> None:
    """Set torch's global settings to their values after import."""
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.use_deterministic_algorithms(False)
    torch.autograd.set_detect_anomaly(False)
