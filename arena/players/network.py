"""Players with a network: the search of `arena.players.puct`, for one position or for hundreds side by side."""

from __future__ import annotations

import copy
import random
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias
from zipfile import BadZipFile

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from arena.errors import UserError
from arena.games import State
from arena.players.planes import PLANES, RulePlanes, rule_planes
from arena.players.puct import Forest, Settings, answer, ask, new_forest, new_memory, plant, root_policy, root_value, walk
from arena.players.rules import OPEN, CompiledRules, mark_legal, outcome

ANSWERS = 1 << 16  # that a search keeps: other sequences of the same moves need not ask again
Numbers: TypeAlias = NDArray[np.float32]
Flags: TypeAlias = NDArray[np.bool_]
# planes (B, 2, H, W) and legal actions (B, A) -> priors (B, A) and values (B,), in the mover's view
Network: TypeAlias = Callable[[Numbers, Flags], tuple[Numbers, Numbers]]


class ResidualNet(nn.Module):
    """A small residual network: planes in, a policy and a value out, as `Policy` of problem set 5 promises.

    Args:
        height, width, num_actions: H, W and A of the game.
        channels: planes of every convolution's output.
        blocks: residual blocks of two 3 x 3 convolutions; there is one more convolution before them.
        more_planes: adds planes to the stones, which the first convolution sees too.

    There is no batch normalization: the answer for one board must not depend on the other boards. Instead, the weights of
    the last convolution in every block begin at 0, so that every block begins close to the identity.

    Source: He et al., "Deep residual learning" (2016); Zhang, Dauphin and Ma, "Fixup initialization" (2019).
    """

    def __init__(self, height: int, width: int, num_actions: int, channels: int = 64, blocks: int = 2,
                 more_planes: RulePlanes | None = None) -> None:  # fmt: skip
        super().__init__()
        self.more_planes = more_planes
        self.stem = nn.Conv2d(2 if more_planes is None else PLANES, channels, 3, padding=1)
        self.first = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(blocks))
        self.second = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(blocks))
        self.policy_squares = nn.Conv2d(channels, 8, 1)
        self.value_squares = nn.Conv2d(channels, 8, 1)
        self.policy_head = nn.Linear(8 * height * width, num_actions)
        self.value_hidden = nn.Linear(8 * height * width, channels)
        self.value_head = nn.Linear(channels, 1)
        for layer in (self.stem, *self.first, self.policy_squares, self.value_squares, self.value_hidden):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        for layer in self.second:
            nn.init.zeros_(layer.get_parameter("weight"))

    def forward(self, planes: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return log_p (B, A), about -1e9 at illegal actions, and the value (B,) in [-1, 1], for the player to move."""
        of_policy, of_value = self.hidden(planes)
        return log_policy(self.policy_head(of_policy), legal), torch.tanh(self.value_head(of_value).float()).squeeze(1)

    def hidden(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the last layer of each head sees: (B, 8 H W) of the policy, (B, channels) of the value."""
        seen = planes if self.more_planes is None else self.more_planes(planes)
        x = torch.relu_(self.stem(seen.contiguous(memory_format=torch.channels_last)))
        for first, second in zip(self.first, self.second, strict=True):
            x = torch.relu_(second(torch.relu_(first(x))).add_(x))
        of_policy = torch.relu_(self.policy_squares(x)).flatten(1)
        return of_policy, torch.relu_(self.value_hidden(torch.relu_(self.value_squares(x)).flatten(1)))


def log_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """Return log-probabilities (B, A) among the legal actions, and -1e9 at the others."""
    log_p = torch.log_softmax(torch.where(legal, logits.float(), -1e9), dim=1)
    return torch.where(legal, log_p, -1e9)


def new_net(rules: CompiledRules, channels: int = 64, blocks: int = 2, stones_only: bool = False) -> ResidualNet:
    """Return a new network for a game; its weights are drawn from torch's generator.

    Args:
        stones_only: without the planes of `arena.players.planes`.
    """
    height, width = rules.bits.shape
    return ResidualNet(height, width, rules.num_actions, channels, blocks, None if stones_only else rule_planes(rules))


def save_net(net: nn.Module, file: Path | BinaryIO) -> None:
    """Write the weights as float32 arrays, by their names in the state_dict: numbers only, so that nothing is unpickled."""
    np.savez_compressed(file, **{name: weight.detach().cpu().numpy() for name, weight in net.state_dict().items()})


def read_weights(path: Path) -> dict[str, Tensor]:
    """Return the weights that `save_net` wrote, by their names.

    Raises:
        OSError: the file cannot be read. ValueError: the file holds something else.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: torch.from_numpy(archive[name]) for name in archive.files}
    except (ValueError, EOFError, TypeError, AttributeError, KeyError, BadZipFile, zlib.error):  # numpy's errors for other files
        raise ValueError(f"{path} holds no weights that `make train` wrote") from None


def load_net(rules: CompiledRules, path: Path) -> ResidualNet:
    """Return the network whose weights `save_net` wrote; the weights give its sizes.

    Raises:
        OSError: the file cannot be read. ValueError: the file holds no such network for this game.
    """
    weights = read_weights(path)
    blocks = sum(name.startswith("first.") and name.endswith(".weight") for name in weights)
    try:
        net = new_net(rules, len(weights["stem.bias"]), blocks, stones_only=weights["stem.weight"].shape[1] == 2)
        net.load_state_dict(weights)
    except (KeyError, IndexError, TypeError, RuntimeError):  # arrays of other shapes; torch's text would name every layer
        raise ValueError(f"{path} holds no network for {rules.name}: it is of another game or of another kind") from None
    return net.eval()


def fast_layout(net: nn.Module) -> torch.memory_format:
    """Return the memory layout that is fast for this network: channels last for ours, the author's for another.

    A student's `view` after a convolution is correct, but raises RuntimeError if the channels of the planes come last.
    """
    return torch.channels_last if isinstance(net, ResidualNet) else torch.contiguous_format


def asking(net: nn.Module, device: str = "cpu", dtype: str = "float32") -> Network:
    """Return a copy of `net` as a function of arrays, without gradients, that computes in `dtype`: float32 or bfloat16.

    bfloat16 is more than twice as fast on processors with instructions for it, and half as fast on others. It changes a
    probability by about .01, too little to matter to a search. The mask and the softmax stay float32.
    """
    number, layout = getattr(torch, dtype), fast_layout(net)
    net = copy.deepcopy(net).to(device, number)
    net = net.to(memory_format=layout).eval()  # type: ignore[call-overload]  # torch declares no `memory_format` here

    def network(planes: Numbers, legal: Flags) -> tuple[Numbers, Numbers]:
        with torch.inference_mode():
            seen = torch.from_numpy(planes).to(device, number, memory_format=layout)
            log_p, value = net(seen, torch.from_numpy(legal).to(device))
            return log_p.float().exp().cpu().numpy(), value.float().cpu().numpy()

    return network


def faster_dtype(rules: CompiledRules, net: nn.Module, device: str) -> str:
    """Return "bfloat16" where this network answers in it, and faster than in float32 on this machine, else "float32".

    Raises:
        UserError: the network does not answer in float32 either.
    """
    seconds = {}
    planes = np.zeros((256, 2, *rules.bits.shape), np.float32)
    legal = np.ones((256, rules.num_actions), np.bool_)
    for dtype in ("float32", "bfloat16"):
        try:
            network = asking(net, device, dtype)
            network(planes, legal)
        except Exception as error:  # a student's network may raise any exception
            if dtype == "bfloat16":
                break  # as where it makes a float32 tensor of its own
            raise UserError(f"the network gives no answer: {type(error).__name__}: {error}") from error
        began = time.perf_counter()
        for _ in range(4):
            network(planes, legal)
        seconds[dtype] = time.perf_counter() - began
    return min(seconds, key=seconds.__getitem__)


class Asking:
    """The arrays for questions of a forest to its network, made once, and the answers so far.

    Args:
        answers: how many answers to keep, a power of two or 0; `forget` them before the questions go to another network.
    """

    def __init__(self, rules: CompiledRules, num_trees: int, answers: int = 0) -> None:
        self.rules = rules
        self.leaves = np.zeros((2, num_trees), np.int64)
        self.planes = np.zeros((num_trees, 2, *rules.bits.shape), np.float32)
        self.legal = np.zeros((num_trees, rules.num_actions), np.bool_)
        self._memory = new_memory(answers, rules.num_actions)

    def forget(self) -> None:
        """Forget all answers."""
        self._memory.taken[:] = False

    def roots(self, forest: Forest, network: Network) -> tuple[Numbers, Numbers]:
        """Return the network's answers for the roots, also where a result is proved; the forest does not change."""
        self.leaves[0], self.leaves[1] = np.arange(self.leaves.shape[1]), 0
        ask(forest, self.leaves, self.rules.bits, self.planes, self.legal)
        # all legal actions: without a search nothing looks ahead
        mark_legal(self.rules.number, forest.own[:, 0], forest.theirs[:, 0], self.legal)
        return network(self.planes, self.legal)

    def step(self, forest: Forest, budgets: NDArray[np.int32], settings: Settings, network: Network) -> int:
        """Move every unfinished search on by one network answer; return the number of leaves that the network was asked about."""
        found = walk(self.rules.number, forest, budgets, settings, self.leaves, self._memory)
        if found:
            leaves, planes, allowed = self.leaves[:, :found], self.planes[:found], self.legal[:found]
            ask(forest, leaves, self.rules.bits, planes, allowed)
            answer(forest, leaves, *network(planes, allowed), self._memory)
        return found


def search_all(
    rules: CompiledRules, network: Network, states: Sequence[State], simulations: int, settings: Settings = Settings()
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Search unfinished positions, side by side and without noise.

    Args:
        simulations: of each search; 0 asks the network alone.

    Returns:
        policies: (B, A) float64, shares of the visits; with 0 simulations the priors. Illegal actions get 0.
        values: (B,) float64, the values that the searches found, for the players to move.

    Raises:
        ValueError: a game is over, or the number of simulations is negative.
    """
    if simulations < 0:
        raise ValueError(f"a search needs 0 simulations (the network alone) or more, not {simulations}")
    if any(outcome(rules.number, *rules.bits_of(state)) != OPEN for state in states):
        raise ValueError("the game is over: there is nothing to search")
    forest = new_forest(len(states), simulations, rules.num_actions)
    for tree, state in enumerate(states):
        plant(rules.number, forest, tree, *rules.bits_of(state), settings.threats)
    asked = Asking(rules, len(states), ANSWERS if simulations else 0)
    if not simulations:
        priors, values = asked.roots(forest, network)
        return _among_legal(priors, asked.legal), values
    budgets = np.full(len(states), simulations, np.int32)
    while asked.step(forest, budgets, settings, network):
        pass
    trees, allowed = range(len(states)), forest.actions[:, 0, None] >> np.arange(rules.num_actions) & 1 == 1
    policies = np.stack([root_policy(forest, tree) for tree in trees])
    return _among_legal(policies, allowed), np.array([root_value(forest, tree) for tree in trees])


def _among_legal(policies: NDArray[np.floating], allowed: Flags) -> NDArray[np.floating]:
    """Return policies (B, A) without illegal actions and nan; if no probability is left, all legal actions get the same one."""
    kept = np.where(allowed, np.nan_to_num(policies), 0)
    left = (kept > 0).any(axis=1, keepdims=True)
    return np.where(left, kept, allowed / allowed.sum(axis=1, keepdims=True))


class NetworkPlayer:
    """A player for `arena.match`: it plays the most visited move, the first of several; it keeps no memory between moves."""

    def __init__(self, rules: CompiledRules, network: Network, settings: Settings = Settings()) -> None:
        self.rules, self.network, self.settings = rules, network, settings

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the move after `simulations` simulations, after 0 the network's favourite; `rng` is not used."""
        policies, _ = search_all(self.rules, self.network, [state], simulations, self.settings)
        return int(policies[0].argmax())
