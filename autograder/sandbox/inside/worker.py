"""The worker: one process that holds one student's code for one exercise and answers the grader.

It applies the grader's requests to the student's objects, and sends values back. It never judges: it does not
know the right answers.
"""

from __future__ import annotations

import marshal
import os
import random
import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from autograder.sandbox import codec
    from autograder.sandbox.inside import implementations, loader, stand_ins
else:  # in the sandbox they are beside this file
    import codec
    import implementations
    import loader
    import stand_ins

Reply = tuple[int, str, Any]
FLOATING_ERRORS = numpy.geterr()


class Gone(BaseException):
    """The grader has closed the connection."""


class Worker:
    """Serves requests `(number, operation, arguments)` from a socket until it closes."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.module = loader.new_module()
        self.objects: list[Any] = []
        self.numbers: dict[int, int] = {}  # id(object) -> handle; the objects are kept, so that no other object gets the same id
        self.games: dict[int, Any] = {}
        self.callbacks: dict[int, Any] = {}
        self.rngs: dict[int, random.Random] = {}
        self.last_error: BaseException | None = None

    # -- the protocol ---------------------------------------------------------------------------------

    def receive(self) -> Any:
        return codec.decode(self._frame(), self.objects.__getitem__, self.special, start=4)

    def _frame(self) -> bytes:
        """Return the next frame with its length in front. The grader sends the next frame only after our answer."""
        data = self._more()
        size = 4 + codec.frame_size(data)
        if len(data) < size:
            whole = bytearray(data)
            while len(whole) < size:
                whole += self._more()
            data = bytes(whole)
        return data

    def _more(self) -> bytes:
        piece = self.connection.recv(65536)
        if not piece:
            raise Gone
        return piece

    def send(self, *message: Any) -> None:
        self.connection.sendall(codec.framed(message, self.handle))

    def handle(self, value: Any) -> int:
        """Return the number of an object that stays here; one object has one number."""
        number = self.numbers.get(id(value))
        if number is None:
            number = self.numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return number

    def special(self, name: str, value: Any) -> Any:
        """Return an object that only the grader may ask for: a function by name, a callback, a generator, a game of ours."""
        if name == "plain":  # only the grader sends it
            return marshal.loads(value)
        if name == "function":
            try:
                return self.named(value)
            except LookupError:
                return stand_ins.not_there(value)
        if name == "callback":
            if value not in self.callbacks:
                number, names = value
                self.callbacks[value] = lambda *args, **named: self.call_back(number, stand_ins.in_order(names, args, named))
            return self.callbacks[value]
        if name == "rng":
            key, seed = value
            if key not in self.rngs:
                self.rngs[key] = random.Random(seed)
            return self.rngs[key]
        if name == "watched":
            which, num_actions = value
            return stand_ins.ObservedGame(lambda *question: self.call_back(which, question), num_actions)
        if name == "tensor":
            return _tensors().tensor(*value)
        if name == "network":
            return _tensors().Network(self.special("callback", value))
        if name == "implementation":
            which, kind = value
            return implementations.stand_in(kind, lambda *question: self.call_back(which, question))
        if name == "answers":
            return stand_ins.answers(*value)
        if name == "in_turn":
            return stand_ins.in_turn(*value)
        if type(value) is tuple:  # the first time: number, name and data
            number, game, data = value
            self.games[number] = stand_ins.game(game, data, self.module)
            return self.games[number]
        return self.games[value]

    def call_back(self, number: int, args: tuple[Any, ...]) -> Any:
        """Call the grader's own function; return its answer, or raise its refusal."""
        self.send(number, "callback", list(args))
        how, value = self.receive()
        if how == "return":
            return value
        if how == "illegal":
            raise stand_ins.illegal_move(self.module)(*value, str(value[1]))
        raise ValueError(value)

    # -- the operations ---------------------------------------------------------------------------

    def serve(self) -> None:
        while True:
            try:
                number, operation, before, arguments = self.receive()
            except (Gone, ConnectionError):
                return
            try:
                for earlier, its_arguments in before:
                    getattr(self, f"do_{earlier}")(*its_arguments)
                reply: Reply = (number, "ok", getattr(self, f"do_{operation}")(*arguments))
            except Gone:
                return
            except BaseException as error:  # any error of the student's code: reported to the grader, never raised here
                self.last_error = error
                reply = (number, "error", self.describe(error))
            self.answer(reply)

    def answer(self, reply: Reply) -> None:
        try:
            self.send(*reply)
        except codec.ProtocolError as error:
            self.send(reply[0], "unsendable", str(error))

    def describe(self, error: BaseException) -> list[Any]:
        label, line = loader.place_of(error)
        try:
            text = str(error.args[0]) if error.args else ""
        except BaseException:
            text = ""
        is_stub = isinstance(error, NotImplementedError) and text.startswith("exercise ") and text.endswith("is not written yet")
        return [loader.builtin_names(error)[:12], label, line, is_stub, loader.staff_text(error)]

    def named(self, name: str) -> Any:
        """Return `f` or `Class.method` of the submission; LookupError if it does not exist."""
        value: Any = self.module
        for part in name.split("."):
            if part not in vars(value):
                raise LookupError(name)
            value = getattr(value, part)
        return value

    def do_compile(self, cells: loader.Cells) -> Any:
        """Return the cells' code for the other processes of this submission; called before any cell has run."""
        return numpy.frombuffer(loader.compiled(cells), "u1")

    def do_load(
        self, cells: loader.Cells, definitions_only: bool, given: loader.Cells = (), name: str = loader.MODULE_NAME,
        code: Any = None,
    ) -> list[list[Any]]:
        problems = [list(problem) for problem in loader.load(self.module, cells, definitions_only, given, name, code)]
        numpy.seterr(**FLOATING_ERRORS)  # a cell may have changed this setting for good: that is not the exercise's mistake
        if "torch" in sys.modules:
            _tensors().usual_settings()
        return problems

    def do_rebind(self, code: Any) -> None:
        """Replace the student's earlier exercises by our versions.

        Our versions run with the imports of the reference, see the student's classes, and call one another.
        """
        space: dict[str, Any] = {"__name__": "reference"}
        for name, value in vars(self.module).items():
            space.setdefault(name, value)
        imports, functions = marshal.loads(code)  # only the grader sends it
        exec(imports, space)  # may use the student's classes
        for name, definition in functions:
            owner, _, short = name.rpartition(".")
            try:
                place = self.named(owner) if owner else self.module
            except LookupError:
                continue  # the student has no such class, so that no student code can call its methods
            exec(definition, space)
            setattr(place, short, space[short])

    def do_call(self, target: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        return target(*args, **kwargs)

    def do_call_and_keep(self, target: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> codec.HandleId:
        return codec.HandleId(self.handle(target(*args, **kwargs)))

    def do_many(self, target: Any, number: int, columns: list[tuple[str, Any]]) -> list[Any]:
        """Call `target` `number` times; a column is one argument: "each" call's own, or one "shared" or "copied" for all."""
        if not columns:
            return [target() for _ in range(number)]
        return [target(*args) for args in zip(*(stand_ins.column(how, values, number) for how, values in columns), strict=False)]

    def do_get(self, owner: Any, name: str) -> Any:
        return getattr(owner, name)

    def do_fields(self, owners: list[Any], names: tuple[str, ...]) -> list[Any]:
        return [getattr(owner, name) for owner in owners for name in names]

    def do_plant(self, make: Any, spots: list[Any], first: Sequence[Any], fields: Sequence[str]) -> list[Any]:
        """Make a tree of nodes; each spot is (place of the parent or -1, state, action, a value for each of `fields`).

        A node is `make(*first, state)` or `make(*first, state, parent, action)`.
        """
        nodes: list[Any] = []
        for parent, state, action, *values in spots:
            nodes.append(make(*first, state) if parent < 0 else make(*first, state, nodes[parent], action))
            if parent >= 0:
                self.do_link(nodes[parent], action, nodes[-1])
            if any(values):  # a new node has 0 and 0.0
                for name, value in zip(fields, values, strict=True):
                    setattr(nodes[-1], name, value)
        return nodes

    def do_set(self, owner: Any, name: str, value: Any) -> None:
        setattr(owner, name, value)

    def do_method(self, owner: Any, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        return getattr(owner, name)(*args, **kwargs)

    def do_link(self, parent: Any, action: Any, child: Any) -> None:
        if isinstance(parent.children, list):
            parent.children.append(child)
        else:
            parent.children[action] = child

    def do_keep(self, value: Any) -> codec.HandleId:
        return codec.HandleId(self.handle(value))

    def do_read(self, value: Any) -> Any:
        return value

    def do_state(self, module: Any) -> Any:
        return _tensors().state(module)

    def do_load_state(self, module: Any, arrays: dict[str, numpy.ndarray]) -> None:
        _tensors().load_state(module, arrays)

    def do_disturb(self, seed: int) -> None:
        """Seed the process's global generators, so that a later use of them is noticed."""
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)
        if "torch" in sys.modules:
            _tensors().seed(seed)

    def do_last_error(self) -> BaseException | None:
        """Return the latest described exception, so that the grader can read its fields."""
        return self.last_error

    def do_global_state(self) -> list[int]:
        """Return digests of the process's global generators."""
        states: list[Any] = [random.getstate()]
        if "numpy" in sys.modules:
            states.append(sys.modules["numpy"].random.get_state())
        if "torch" in sys.modules:
            states.append(_tensors().generator_state())
        return [codec.state_digest(state) for state in states]


def _tensors() -> Any:
    return __import__("tensors")  # only sets that use torch have it


def run(connection: socket.socket) -> None:
    """Serve one exercise; never returns."""
    try:
        Worker(connection).serve()
    finally:
        os._exit(0)


