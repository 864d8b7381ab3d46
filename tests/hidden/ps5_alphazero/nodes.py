"""Nodes in the worker, made and read by the grader."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.grading.hidden_checks.answer_types import node
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.codec import Special
from tests.hidden.ps5_alphazero.conftest import CALLBACKS


def keep(student: Any, value: Any) -> Any:
    """A handle on a copy of `value` in the worker, and nothing else: the check reads its fields later."""
    return node(student.keep(value))


def keep_function(student: Any, function: Any, parameter: str) -> Any:
    """A handle on one function in the worker. It takes its arguments by the names that functions passed for `parameter` have."""
    return keep(student, Special(function.name, (function.value[0], CALLBACKS[parameter])))


def keep_network(student: Any, answer: Any) -> Any:
    """A handle on one network in the worker that `answer` answers for, and that knows the names of its parameters."""
    return keep_function(student, student.network(answer), "net")


def left_in_training(student: Any, game: Any, head_only: bool = False) -> Any:
    """A PencilNet in train mode, or with its value head alone in train mode.

    Its value of a board with one stone is tanh(1/2) if all layers are in eval mode, else 0.
    """
    _, height, width = game.planes(game.start()).shape
    size, net = 2 * height * width, made(student, "PencilNet", height, width, game.num_actions)
    linear = made(student, "torch.nn.Linear", size, 1)
    student.load_state(linear, {"weight": np.full((1, size), 0.5, np.float32), "bias": np.zeros(1, np.float32)})
    head = student.call_and_keep("torch.nn.Sequential", student.call_and_keep("torch.nn.Dropout", 1.0), linear)
    net.value_head = head
    student.call_and_keep("torch.nn.Module.train", net, not head_only)
    student.call_and_keep("torch.nn.Module.train", head)
    return net


def asked_in_eval_mode(student: Any, net: Any, question: list[Any], times: int) -> None:
    """The network was called so often, in eval mode and without a gradient; a later call in train mode has a gradient again."""
    student.call_and_keep("torch.nn.Module.__call__", net, *question)
    modes = net.modes
    ask("do you call the network every time, or return an earlier answer?")
    assert len(modes) == times + 1
    ask("in which mode do you call a network, whatever mode it was in before?")
    assert [training for training, _ in modes[:-1] if training] == []
    ask("the network only answers: who needs a gradient here?")
    assert [gradient for _, gradient in modes[:-1] if gradient] == []
    ask("are gradients on again afterwards, for the next training?")
    assert modes[-1][1] is True


def gradients_stay_off(student: Any, net: Any, question: list[Any], call: Callable[[], object]) -> None:
    """Gradients that are off before `call` are off after it."""
    student.call_and_keep("torch.set_grad_enabled", False)
    call()
    student.call_and_keep("torch.nn.Module.__call__", net, *question)
    student.call_and_keep("torch.set_grad_enabled", True)
    ask("gradients were off before your call: are they still off afterwards?")
    assert net.modes[-1][1] is False


def made(student: Any, name: str, *arguments: Any, **options: Any) -> Any:
    """A handle on the result of a function, and nothing else."""
    return node(student.call_and_keep(name, *arguments, **options))


def plant_many(student: Any, spots: list[tuple[Any, Any, list[float], list[int], list[float]]]) -> list[Any]:
    """A node of the submission's class for each (game, state, P, N, Q)."""
    nodes = student.many("Node", [(game, state) for game, state, *_ in spots])
    for planted, (_, _, *numbers) in zip(nodes, spots, strict=True):
        for name, values in zip("PNQ", numbers, strict=True):
            setattr(planted, name, values)
    return nodes


def plant(student: Any, game: Any, state: Any, priors: list[float] | None = None, visits: list[int] | None = None,
          means: list[float] | None = None) -> Any:
    """A node of the submission's class with these P, N and Q; the other fields are those of a new node."""
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
