"""The network to train: ours, or the `Policy` of problem set 5, from a student or the solution."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from arena.errors import UserError
from arena.players.network import new_net
from arena.players.rules import CompiledRules

OURS = "residual"


@dataclass(frozen=True)
class NetMaker:
    """Makes an untrained network for a game.

    Attributes:
        kind: "residual" for `arena.players.network.ResidualNet`, or the path of a module with a class `Policy`, such as
            solutions/ps5_alphazero.py or your own assignments/ps5_alphazero/ps5_alphazero.py. The module is run: name
            only a file that you trust.
        channels: of every convolution; `Policy` gets them too.
        blocks: residual blocks of two convolutions; `Policy` has none.
    """

    kind: str = OURS
    channels: int = 64
    blocks: int = 2

    def __call__(self, rules: CompiledRules) -> nn.Module:
        """Return the network; its weights are drawn from torch's generator.

        Raises:
            UserError: the file does not exist, or it has no `Policy` that takes these sizes.
        """
        if self.kind == OURS:
            return new_net(rules, self.channels, self.blocks)
        path = Path(self.kind)
        if not path.is_file():
            raise UserError(f"{path} does not exist: for the network give {OURS!r}, or the path of a module with a class Policy")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None:
            raise UserError(f"{path} is not a Python module: its name must end with .py")
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            policy: nn.Module = module.Policy(*rules.bits.shape, rules.num_actions, channels=self.channels)
        except NotImplementedError as error:
            raise UserError(f"{path}: {error}") from None
        except Exception as error:  # a student's module may raise anything
            raise UserError(f"{path}: no network: {type(error).__name__}: {error}") from None
        return policy
