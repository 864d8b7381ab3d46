"""Nodes over there, made and read by the grader."""

from typing import Any

import numpy as np

from autograder.grading.hidden_checks.answer_types import node
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.codec import Special
from tests.hidden.ps5_alphazero.conftest import CALLBACKS


def keep(student: Any, value: Any) -> Any:
    """A handle on a copy of `value` over there, and nothing else: its fields are asked for later."""
    return node(student.keep(value))


def keep_function(student: Any, function: Any, parameter: str) -> Any:
    """A handle on one function over there, which takes its arguments by the names that functions passed for `parameter` have."""
    return keep(student, Special(function.name, (function.value[0], CALLBACKS[parameter])))


def keep_network(student: Any, answer: Any) -> Any:
    """A handle on one network over there that `answer` answers for, and that knows the names of its parameters."""
    return keep_function(student, student.network(answer), "net")


def left_in_training(student: Any, game: Any) -> Any:
    """A PencilNet in train mode; its value of a board of one stone is tanh(1/2) where its layers are in eval mode too, else 0."""
    _, height, width = game.planes(game.start()).shape
    size, net = 2 * height * width, made(student, "PencilNet", height, width, game.num_actions)
    linear = made(student, "torch.nn.Linear", size, 1)
    student.load_state(linear, {"weight": np.full((1, size), 0.5, np.float32), "bias": np.zeros(1, np.float32)})
    net.value_head = student.call_and_keep("torch.nn.Sequential", student.call_and_keep("torch.nn.Dropout", 1.0), linear)
    student.call_and_keep("torch.nn.Module.train", net)
    return net


def asked_in_eval_mode(student: Any, net: Any, question: list[Any], times: int) -> None:
    """The network was asked so often, in eval mode and without a gradient; the next question, in train mode, has one again."""
    student.call_and_keep("torch.nn.Module.__call__", net, *question)
    modes = net.modes
    ask("is the network asked every time, or is an answer kept from an earlier time?")
    assert len(modes) == times + 1
    ask("in which mode is a network asked, whatever mode it was left in?")
    assert not any(training for training, _ in modes[:-1])
    ask("who needs a gradient where the network is only asked?")
    assert not any(gradient for _, gradient in modes[:-1])
    ask("are gradients on again afterwards, for the training that comes next?")
    assert modes[-1][1] is True


def made(student: Any, name: str, *arguments: Any, **options: Any) -> Any:
    """A handle on what a function gives back, and nothing else."""
    return node(student.call_and_keep(name, *arguments, **options))


def plant_many(student: Any, spots: list[tuple[Any, Any, list[float], list[int], list[float]]]) -> list[Any]:
    """A node of the submission's for each (game, state, P, N, Q)."""
    nodes = student.many("Node", [(game, state) for game, state, *_ in spots])
    for one, (_, _, *numbers) in zip(nodes, spots, strict=True):
        for name, values in zip("PNQ", numbers, strict=True):
            setattr(one, name, values)
    return nodes


def plant(student: Any, game: Any, state: Any, priors: list[float] | None = None, visits: list[int] | None = None,
          means: list[float] | None = None) -> Any:
    """A node of the submission's with these P, N and Q; what is not given stays as a new node has it."""
    node = student.Node(game, state)
    for name, values in (("P", priors), ("N", visits), ("Q", means)):
        if values is not None:
            setattr(node, name, values)
    return node


def contents(node: Any) -> tuple[list[float], list[int], list[float]]:
    """P, N and Q of a node."""
    return node.P, node.N, node.Q


def hang(parent: Any, children: dict[int, Any], actions: int) -> None:
    """Put nodes below a node, by index."""
    parent.children = [children.get(index) for index in range(actions)]
