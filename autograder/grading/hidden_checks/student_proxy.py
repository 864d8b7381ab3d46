"""The `student` fixture: a hidden check uses a submission's functions and objects as if they were local.

Every answer is a value of the protocol, read by the suite's TYPES table, or a handle on an object that stays in the sandbox.
Nothing here runs student code, and no verdict ever comes from the sandbox.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.grading.hidden_checks.answer_types import (
    Handle,
    Type,
    anything,
    array,
    integer,
    mapping,
    node,
    real,
    text,
    wrong_type,
)
from autograder.grading.hidden_checks.observed_game import ObservedGame
from autograder.grading.hidden_checks.outbound import Outbound, Signatures
from autograder.sandbox.codec import Special, state_digest
from autograder.sandbox.errors import Raised, StudentError
from autograder.sandbox.session import Session


class DidNotRaise(StudentError, AssertionError):
    """The docstring promises an error, and none was raised: a property that fails, so that the question of `ask` applies."""


class RemoteHandle(Handle):
    """An object in the sandbox: its fields are read and written there, its methods run there.

    Two handles are equal if they are handles of the same object.
    """

    __slots__ = ("_id", "_student")

    def __init__(self, student: Student, id: int) -> None:
        object.__setattr__(self, "_student", student)
        object.__setattr__(self, "_id", id)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # Python and pytest ask for such names of any object; the student's code is not asked
        return self._student._attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._student._later("set", self, name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RemoteHandle) and other._id == self._id and other._student is self._student

    def __hash__(self) -> int:
        return hash(self._id)

    def __repr__(self) -> str:
        return f"<object {self._id} of the submission>"


class Functions:
    """`student.functions["simulate"]`: a reference to a function in the sandbox, for use as an argument."""

    def __getitem__(self, name: str) -> Special:
        return Special("function", name)


class Student:
    """One submission in one process, for the checks of one exercise.

    Args:
        session: the conversation with the process that has loaded the submission.
        types: the suite's table: the type of the answer of each function and each field.
        signatures: the parameters of functions, and of the functions that are passed to them.
        methods: the names of methods; every other name after a dot is a field.
        with_torch: the sandbox has torch, whose generator is then one of the global generators.
        mode: "ours" if the reference replaces the exercises that it calls, "own" if nothing is replaced.
    """

    def __init__(
        self,
        session: Session,
        types: Mapping[str, Type],
        methods: frozenset[str],
        mode: str,
        with_torch: bool = False,
        signatures: Signatures | None = None,
    ) -> None:
        self._session, self._types, self._methods, self._with_torch = session, types, methods, with_torch
        self._outbound = Outbound(session, signatures or Signatures())
        self._mode, self.mode_asked = mode, False
        self.functions = Functions()
        self._rngs = 0
        session.handles_become(lambda number: RemoteHandle(self, number))
        session.arguments_become(anything)

    @property
    def mode(self) -> str:
        """The mode of this attempt; a check that asks for it makes its inputs in another way in the other mode."""
        self.mode_asked = True
        return self._mode

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def call(*args: Any, **kwargs: Any) -> Any:
            return self._types[name](self._ask("call", Special("function", name), *self._outbound.named(name, args, kwargs)))

        return call

    def _attribute(self, owner: RemoteHandle, name: str) -> Any:
        read = self._types[f".{name}"]
        if name in self._methods:
            return lambda *args, **kwargs: read(self._ask("method", owner, name, *self._outbound.named(f".{name}", args, kwargs)))
        return read(self._ask("get", owner, name))

    def _ask(self, operation: str, *arguments: Any) -> Any:
        return self._session.request(operation, *(self._outbound.travelling(argument) for argument in arguments))

    def _later(self, operation: str, *arguments: Any) -> None:
        self._session.later(operation, *(self._outbound.travelling(argument) for argument in arguments))

    def many(self, name: str, calls: list[tuple[Any, ...]]) -> list[Any]:
        """Call a function once for each tuple in `calls`, all of one length, in one message; raise the exception of a call."""
        answers = self._ask("many", Special("function", name), len(calls), self._outbound.columns(name, calls))
        if type(answers) is not list or len(answers) != len(calls):
            raise wrong_type(f"{len(calls)} answers", answers)
        return [self._types[name](answer) for answer in answers]

    def many_of(self, owner: RemoteHandle, name: str, calls: list[tuple[Any, ...]]) -> list[Any]:
        """Call a method of an object once for each tuple in `calls`, all of one length, in two messages; raise as `many` does."""
        answers = self._ask("many", node(self._ask("get", owner, name)), len(calls), self._outbound.columns(f".{name}", calls))
        if type(answers) is not list or len(answers) != len(calls):
            raise wrong_type(f"{len(calls)} answers", answers)
        return [self._types[f".{name}"](answer) for answer in answers]

    def call_and_keep(self, name: str, *args: Any, **kwargs: Any) -> RemoteHandle:
        """Call a function and return a handle on its result, of any type: a tensor, for example, whose fields matter."""
        return _handle(self._ask("call_and_keep", Special("function", name), *self._outbound.named(name, args, kwargs)))

    def tensor(self, values: np.ndarray, requires_grad: bool = False) -> Special:
        """Return an argument that is a new torch tensor in the sandbox, of the array's own dtype."""
        return Special("tensor", (np.asarray(values), requires_grad))

    def with_arrays(self, function: Callable[..., Any]) -> Special:
        """Return an argument that is `function`, here in the grader; it gets arrays, not lists."""
        return Special("callback", (self._session.callback_number(function, raw=True), ()))

    def implementation(self, function: Callable[..., Any], kind: str) -> Special:
        """Return an argument that is a function in the sandbox; its body is `function`, here in the grader.

        Args:
            function: gets the arguments as a list and as a dict of those by name, in the form that `kind` gives them.
            kind: how arguments travel, see sandbox/inside/implementations.py.
        """
        return Special("implementation", (self._session.callback_number(function, raw=True), kind))

    def network(self, function: Callable[..., Any]) -> Special:
        """Return an argument that is a torch module in the sandbox; its forward pass is `function`, here in the grader.

        `function` gets arrays for tensors, and returns an array, or a tuple of arrays for several tensors.
        """
        return Special("network", (self._session.callback_number(function, raw=True), ()))

    def state(self, module: RemoteHandle) -> dict[str, np.ndarray]:
        """Return the weights of a torch module by name, as float64 arrays."""
        weights: dict[str, np.ndarray] = mapping(text, array())(self._ask("state", module))
        return weights

    def load_state(self, module: RemoteHandle, weights: Mapping[str, np.ndarray]) -> None:
        """Load these weights into a torch module; all names are needed."""
        self._ask("load_state", module, dict(weights))

    def rng(self, seed: int) -> Special:
        """Return a random.Random(seed) in the sandbox; it is made at its first use, and later uses get the same object."""
        self._rngs += 1
        return Special("rng", (self._rngs, seed))

    def each(self, owners: list[RemoteHandle], name: str) -> list[Any]:
        """Return one field of many objects, in one message."""
        return [answer for answer, in self._fields(owners, name)]

    def both(self, owners: list[RemoteHandle], first: str, second: str) -> list[tuple[Any, Any]]:
        """Return two fields of each of many objects, in one message."""
        return self._fields(owners, first, second)

    def _fields(self, owners: list[RemoteHandle], *names: str) -> list[Any]:
        answers = self._ask("fields", [node(owner) for owner in owners], names)
        if type(answers) is not list or len(answers) != len(owners) * len(names):
            raise wrong_type(f"{len(owners) * len(names)} answers", answers)
        reads, width = [self._types[f".{name}"] for name in names], len(names)
        rows = (answers[start : start + width] for start in range(0, len(answers), width))
        return [tuple([read(answer) for read, answer in zip(reads, row, strict=False)]) for row in rows]

    def answers(self, values: Mapping[Any, Any] | None = None, other: Any = 0.0) -> Special:
        """Return an argument that is a function in the sandbox: it looks up its first argument in a table, else returns `other`.

        For checks that need not see the calls: a function of the check itself sees each call, but each call costs a message.
        """
        return Special("answers", ((dict(values or {}), other), ()))

    def in_turn(self, values: list[Any]) -> Special:
        """Return an argument that is a function in the sandbox: it returns these values in order, then the last one again."""
        return Special("in_turn", (list(values), ()))

    def keep(self, value: Any) -> RemoteHandle:
        """Return a handle on a copy of `value` in the sandbox, for functions that change their argument."""
        return _handle(self._ask("keep", value))

    def read(self, handle: RemoteHandle) -> Any:
        """Return the whole present value of a kept object."""
        return anything(self._ask("read", handle))

    def draw(self, rng: RemoteHandle) -> float:
        """Return the next random() of a kept rng; it shows whether anything was drawn before."""
        return real(self._ask("method", rng, "random", [], {}))

    def children(self, owner: RemoteHandle) -> dict[int, RemoteHandle]:
        """Return a node's children by action, from a dict or from a list."""
        answer = self._ask("get", node(owner), "children")
        if type(answer) in (list, tuple):
            return {integer(self._ask("get", node(child), "action")): child for child in answer}
        if type(answer) is not dict:
            raise wrong_type("a dict of children", answer)
        return {integer(action): node(child) for action, child in answer.items()}

    def link(self, parent: RemoteHandle, child: RemoteHandle, action: int | None = None) -> None:
        """Put `child` among the children of `parent`, under its action."""
        action = integer(self._ask("get", child, "action")) if action is None else action
        self._later("link", parent, action, child)

    def plant(
        self, kind: str, spots: list[tuple[Any, ...]], fields: tuple[str, ...], first: tuple[Any, ...] = ()
    ) -> list[RemoteHandle]:
        """Make a tree of the submission's own nodes, in one message, and return its nodes.

        Args:
            kind: the name of the nodes' class.
            spots: for each node: the place of its parent in this list (-1 for the root), state, action, and values of `fields`.
            first: what the class takes before the state.
        """
        nodes = self._ask("plant", Special("function", kind), spots, first, fields)
        if type(nodes) is not list or len(nodes) != len(spots):
            raise wrong_type(f"{len(spots)} nodes", nodes)
        return [self._types[kind](each) for each in nodes]

    def watch(self, game: Any) -> ObservedGame:
        """Return the grader's own `game`: in the sandbox its states are only names, and every question comes to the grader."""
        return ObservedGame(game)

    @contextmanager
    def raises(self, kind: type[Exception]) -> Iterator[None]:
        """Expect the student's code to raise `kind` (a built-in exception) or a subclass of it."""
        try:
            yield
        except Raised as error:
            if kind.__name__ not in error.names:
                raise
        else:
            raise DidNotRaise(f"no {kind.__name__} was raised")

    def last_error(self) -> RemoteHandle:
        """Return a handle on the latest exception of the student's code, so that a check can read its fields."""
        return _handle(self._ask("last_error"))

    def disturb(self, seed: int) -> list[int]:
        """Seed the process's global generators; return the digests that their states must have, computed here."""
        self._ask("disturb", seed)
        return list(_seeded(seed, self._with_torch))

    def global_state(self) -> list[int]:
        """Return digests of the global generators' states; a changed digest means that a generator was used."""
        digests: list[int] = anything(self._ask("global_state"))
        return digests


@lru_cache(maxsize=1024)  # a check has the same seed for everybody
def _seeded(seed: int, with_torch: bool) -> tuple[int, ...]:
    """Return the digests of global generators that were just seeded."""
    states = [random.Random(seed).getstate(), np.random.RandomState(seed % 2**32).get_state()]
    if with_torch:
        import torch  # takes a second, which other sets need not wait for

        states.append([torch.Generator().manual_seed(seed).get_state()])
    return tuple(map(state_digest, states))


def _handle(value: Any) -> RemoteHandle:
    handle: RemoteHandle = node(value)
    return handle
