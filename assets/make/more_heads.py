"""Networks that learn more than a policy and a value, for `assets.make.steps`. None of this is in the run that ships.

Three heads: the result of the game as probabilities of a win, a draw and a loss, whose difference is the value that plays; the
policy of the next ply, where the opponent moves; the number of plies until the game ends. The last two heads teach the layers
that all heads share, and play no part in the search.

Sources: Wu, "Accelerating self-play learning in Go" (2019), 3.4 for the opponent's policy; the three results and the moves that
are left are heads of Leela Chess Zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from arena.players.network import ResidualNet, log_policy
from arena.players.planes import rule_planes
from arena.players.rules import CompiledRules
from trainer.learner import Learner
from trainer.nets import NetMaker
from trainer.selfplay import Examples

RESULT, REPLY, PLIES_LEFT = "result", "reply", "plies left"
WEIGHTS = {RESULT: 0.5, REPLY: 0.15, PLIES_LEFT: 0.1}  # of each loss beside those of policy and value
LONGEST = 42  # plies of a game


class AnswersOfAll(NamedTuple):
    """What every head says of B positions; a head that the network does not have says nothing sensible."""

    log_p: Tensor  # (B, A)
    value: Tensor  # (B,), in [-1, 1], for the player to move
    results: Tensor  # (B, 3), logits of a win, a draw and a loss of the player to move
    log_reply: Tensor  # (B, A), of the opponent's next move
    plies_left: Tensor  # (B,), as a share of LONGEST


class MoreHeads(ResidualNet):
    """The network that ships, with one more head."""

    def __init__(self, rules: CompiledRules, channels: int, blocks: int, head: str) -> None:
        height, width = rules.bits.shape
        super().__init__(height, width, rules.num_actions, channels, blocks, rule_planes(rules))
        self.head = head
        self.result_head = nn.Linear(channels, 3)
        self.reply_head = nn.Linear(8 * height * width, rules.num_actions)
        self.plies_head = nn.Linear(channels, 1)

    def forward(self, planes: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return log_p (B, A) and the value (B,), as `ResidualNet` does."""
        answers = self.all_answers(planes, legal)
        return answers.log_p, answers.value

    def all_answers(self, planes: Tensor, legal: Tensor) -> AnswersOfAll:
        """Return what every head says."""
        of_policy, of_value = self.hidden(planes)
        results = self.result_head(of_value).float()
        shares = results.softmax(dim=1)
        value = shares[:, 0] - shares[:, 2] if self.head == RESULT else torch.tanh(self.value_head(of_value).float()).squeeze(1)
        return AnswersOfAll(log_policy(self.policy_head(of_policy), legal), value, results,
                            torch.log_softmax(self.reply_head(of_policy).float(), dim=1),
                            torch.sigmoid(self.plies_head(of_value).float()).squeeze(1))


@dataclass(frozen=True)
class HeadMaker(NetMaker):
    """Makes the network that ships with one more head."""

    head: str = RESULT

    def __call__(self, rules: CompiledRules) -> nn.Module:
        """Return the network."""
        return MoreHeads(rules, self.channels, self.blocks, self.head)


class Future(NamedTuple):
    """What came after n positions in their games."""

    results: NDArray[np.int64]  # (n,), 0 for a win of the player to move, 1 for a draw, 2 for a loss
    plies_left: NDArray[np.int64]  # (n,), until the game ended; at least 1
    followed: NDArray[np.bool_]  # (n,), whether the next example is the next ply of the same game


def future(window: Examples) -> Future:
    """Find what came after each example; in a window with an example of every ply, a game's examples lie one after another.

    The value target of a game's last ply is mostly the result, so that its sign is the result's.
    """
    fresh = window.theirs[1:] & ~window.own[:-1]  # the stone between two plies, if they are of one game
    followed = (window.own[1:] == window.theirs[:-1]) & (window.own[:-1] & ~window.theirs[1:] == 0)
    followed &= (fresh != 0) & (fresh & (fresh - 1) == 0)
    followed = np.append(followed, False)
    rows = np.arange(len(window))
    last = np.minimum.accumulate(np.where(followed, len(window), rows)[::-1])[::-1]
    for_the_last = np.where(np.abs(window.values[last]) > 0.5, np.sign(window.values[last]), 0)
    sign = for_the_last * np.where((last - rows) % 2 == 0, 1, -1)
    return Future((1 - sign).astype(np.int64), last - rows + 1, followed)


class LearnerOfAll(Learner):
    """Learns with the loss of one more head."""

    _of: Examples | None = None  # the window of `_future`

    def _arrays(self, window: Examples, rows: NDArray[np.int64], turns: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
        if self._of is not window:
            self._of, self._future = window, future(window)
        after = np.minimum(rows + 1, len(window) - 1)
        replies = np.take_along_axis(window.policies[after], self.rules.turned_actions[turns], axis=1)
        replies *= self._future.followed[rows, None]  # no reply, no loss
        left = (self._future.plies_left[rows] / LONGEST).astype(np.float32)
        return *super()._arrays(window, rows, turns), self._future.results[rows], replies, left

    def _losses(self, planes: Tensor, allowed: Tensor, policies: Tensor, values: Tensor, *more: Tensor) -> tuple[Tensor, Tensor]:
        results, replies, plies_left = more
        net = cast(MoreHeads, self.net)
        with torch.autocast(self.device, torch.bfloat16, enabled=self.dtype == "bfloat16"):
            told = net.all_answers(planes.to(memory_format=torch.channels_last), allowed)
        extra = {
            RESULT: lambda: functional.cross_entropy(told.results, results),
            REPLY: lambda: -(replies * told.log_reply).sum(dim=1).mean(),
            PLIES_LEFT: lambda: ((plies_left - told.plies_left) ** 2).mean(),
        }[net.head]()
        policy, value = -(policies * told.log_p).sum(dim=1).mean(), ((values - told.value) ** 2).mean()
        return policy + WEIGHTS[net.head] * extra, value
