"""Self-play in separate processes, one for each core; the games depend on seeds and weights, never on timing."""

from __future__ import annotations

import multiprocessing
import signal
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from arena.errors import UserError
from arena.players.network import asking
from arena.players.rules import compiled
from trainer.metrics import Played
from trainer.nets import NetMaker
from trainer.selfplay import Examples, PlaySettings, SelfPlay

Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Order:
    """The start parameters of every worker."""

    game: str
    settings: PlaySettings
    net: NetMaker
    device: str
    dtype: str


class Workers:
    """`count` processes with a SelfPlay each; worker k has the seed `seed` + k."""

    def __init__(self, order: Order, count: int, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes = []
        for number in range(count):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, order, seed + number), daemon=True)
            process.start()
            there.close()
            self._pipes.append(here)
            self._processes.append(process)

    def begin(self, net: nn.Module, examples: int) -> None:
        """Let all workers play with these weights, until they have `examples` examples together."""
        weights = {name: weight.detach().float().cpu().numpy() for name, weight in net.state_dict().items()}
        for pipe in self._pipes:
            pipe.send(("play", weights, -(-examples // len(self._pipes))))

    def wait(self) -> tuple[Examples, Played]:
        """Return the workers' examples, in the order of the workers, and the sums of games, simulations and core-seconds.

        Raises:
            UserError: a worker has ended.
        """
        answers: list[tuple[Examples, Played]] = [self._receive(pipe) for pipe in self._pipes]
        return Examples.joined([examples for examples, _ in answers]), sum((played for _, played in answers), Played())

    def states(self) -> list[dict[str, Any]]:
        """Return the state of every worker, while none of them plays."""
        for pipe in self._pipes:
            pipe.send(("state",))
        return [self._receive(pipe) for pipe in self._pipes]

    def restore(self, states: list[dict[str, Any]]) -> None:
        """Give every worker its state back.

        Raises:
            ValueError: the numbers of workers and of states differ.
        """
        if len(states) != len(self._pipes):
            raise ValueError(f"made by {len(states)} self-play processes, it needs as many to go on, not {len(self._pipes)}")
        for pipe, state in zip(self._pipes, states, strict=True):
            pipe.send(("restore", state))

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.terminate()
            process.join()

    def _receive(self, pipe: Connection) -> Any:
        try:
            return pipe.recv()
        except EOFError:
            raise UserError("a self-play process has ended, perhaps because there was not enough memory; run the same command "
                            "again: it continues after the last finished iteration") from None


def _work(pipe: Connection, order: Order, seed: int) -> None:
    """Execute the commands from the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal reaches every process; the parent ends its workers
    torch.set_num_threads(1)
    rules = compiled(order.game)
    selfplay, net = SelfPlay(rules, order.settings, seed), order.net(rules)
    while True:
        try:
            command, *rest = pipe.recv()
        except EOFError:
            return
        if command == "play":
            pipe.send(_play(selfplay, net, order, *rest))
        elif command == "state":
            pipe.send(selfplay.state())
        else:
            selfplay.restore(rest[0])


def _play(selfplay: SelfPlay, net: nn.Module, order: Order, weights: Weights, examples: int) -> tuple[Examples, Played]:
    net.load_state_dict({name: torch.from_numpy(weight) for name, weight in weights.items()})
    before, games, simulations = time.process_time(), selfplay.finished_games, selfplay.simulations
    new = selfplay.play(asking(net, order.device, order.dtype), examples)
    return new, Played(selfplay.finished_games - games, selfplay.simulations - simulations, time.process_time() - before)
