"""The code inside the sandbox when a submission lies: it takes the worker over and answers by its plan.

This is not a module of the grader's process: `lies` pastes the text into a cell, below the text of `odd`. The plan is a dict:

    family, seed    which lies, and the seed of the dice; the same message gives the same dice
    chance          the probability of a lie at each answer or question
    start           this many requests are answered truly first
    names           only after a request that names one of these functions: so the lies reach one exercise only
    operations      lies only in answers to these operations of the worker, if there are any
    again           the largest number of lies; 0: no limit
"""

import ctypes
import mmap
import os
import signal
import socket
import struct
import threading
import time
import zlib
from random import Random
from typing import Any

import codec
import numpy as np
import worker

from tests.fuzz.odd import FLOATS, INTS, TEXTS, as_array, near, nested, odd_array, odd_value, spoilt

DRIP_S = 0.08
NO_VALUES = (
    b"", b"p\x00", b"p\x09", b"h\x00", b"i\xff", b"l" + b"\xff" * 4, b"t\x00\x00\x00\x00", b"a\x0b\x02" + b"\xff" * 8,
    b"l\x01\x00\x00\x00" * 60 + b"N", b"d\x01\x00\x00\x00l\x00\x00\x00\x00N",
)  # fmt: skip
HOOKED = worker.Worker
HONEST = {name: getattr(HOOKED, name) for name in ("receive", "answer", "call_back")}


class Liar:
    """The memory of the lies in a conversation."""

    def __init__(self, plan: dict) -> None:
        self.plan, self.rng = plan, Random(plan["seed"])
        self.frame, self.operation, self.number = b"", "", 0
        self.requests, self.lies, self.awake = 0, 0, not plan["names"]
        self.busy = self.asking = False
        self.earlier: list = []

    def lying(self) -> bool:
        """Return whether the plan lets the next answer or question be a lie."""
        plan = self.plan
        if self.busy or not self.awake or self.requests <= plan["start"] or 0 < plan["again"] <= self.lies:
            return False
        if plan["operations"] and self.operation not in plan["operations"]:
            return False
        if (self.operation in ("load", "rebind")) != (plan["family"] == "load") and not plan["operations"]:
            return False
        self.rng.seed(zlib.crc32(self.frame) ^ plan["seed"] ^ self.lies)
        lie = self.rng.random() < plan["chance"]
        self.lies += lie
        return lie


# -- answers: each takes the worker and the present reply, and sends something -----------------------------


def plain(taken: Any, value: Any) -> Any:
    """Return the form in which a value would travel, with objects as their handles."""
    try:
        return codec.decode(codec.encode(value, taken.handle), codec.HandleId)
    except codec.ProtocolError:
        return None


def raw(taken: Any, message: Any) -> None:
    """Send a message unchanged; a value that cannot travel is replaced by a text."""
    try:
        taken.connection.sendall(codec.framed(message, taken.handle))
    except codec.ProtocolError:
        taken.connection.sendall(codec.framed((message[0] if type(message) is tuple else 0, "ok", "x"), taken.handle))


def lie_bytes(rng: Random, taken: Any, reply: tuple) -> None:
    """Bytes that are not a message; the process ends after bytes that announce more than comes."""
    body = bytearray(codec.encode((reply[0], "ok", plain(taken, reply[2])), taken.handle))
    how = rng.randrange(12)
    if how < 4:
        for _ in range(rng.choice((1, 1, 2, 8))):
            body[rng.randrange(len(body))] = rng.randrange(256)
    elif how < 6:
        place = rng.randrange(len(body) + 1)
        body[place:place] = rng.randbytes(rng.choice((1, 4, 5)))
    elif how == 6:
        body = bytearray(rng.randbytes(rng.choice((0, 1, 7, 100, 5_000))))
    elif how == 7:
        body = bytearray(rng.choice(NO_VALUES))
    elif how == 8:
        body = bytearray(codec.encode((reply[0], "ok"))[:-4]) + b"p" + bytes((rng.randrange(12),)) + b"s\x01\x00\x00\x00x"
    head = struct.pack("<I", len(body))
    if how == 9:
        head = struct.pack("<I", rng.choice((2**32 - 1, 8 * 2**20 + 1, 2**31)))
    elif how >= 10:
        head, body = struct.pack("<I", len(body) + 9), body[: rng.randrange(len(body) + 1)]
    taken.connection.sendall(head + body)
    if how >= 10:
        os._exit(0)


def lie_kinds(rng: Random, taken: Any, reply: tuple) -> None:
    """Any value in the answer's place."""
    raw(taken, (reply[0], "ok", odd_value(rng)))


def lie_inside(rng: Random, taken: Any, reply: tuple) -> None:
    """The right answer with one part of it replaced by a value of any type."""
    raw(taken, (reply[0], "ok", spoilt(rng, plain(taken, reply[2]), lambda rng, part: odd_value(rng, 3))))


def lie_arrays(rng: Random, taken: Any, reply: tuple) -> None:
    """The right answer with an array in the place of a number, a name or a list."""
    raw(taken, (reply[0], "ok", spoilt(rng, plain(taken, reply[2]), as_array)))


def lie_near(rng: Random, taken: Any, reply: tuple) -> None:
    """An answer of the right type that is not the right answer."""
    raw(taken, (reply[0], "ok", spoilt(rng, plain(taken, reply[2]), near)))


def lie_protocol(rng: Random, taken: Any, reply: tuple) -> None:
    """Messages with a wrong number, type or form; an array is in the place of a name or a number."""
    number, kind, value = reply[0], reply[1], plain(taken, reply[2])
    odd = odd_value(rng, 2)
    messages = (
        (odd, kind, value), (np.array(number), "ok", value), (np.array([number, number]), "ok", value),
        (float(number), "ok", value), (np.int64(number), "ok", value), (number, odd, value), (number, np.array([1, 2]), value),
        (number, np.array(111), value), (number, "error", odd), (number, "unsendable", odd), (number, "callback", odd),
        (odd, "callback", [odd]), (np.array(0), "callback", [1]), (True, "callback", []), (-1, "callback", []),
        (number + 1, "ok", value), (number - 1, "ok", value), (number, "ok"), (number, "ok", value, value),
        [number, "ok", value], np.zeros(3), odd, None, (), (number, "return", value), (number, "illegal", value),
        (2**90, "ok", value), {0: number, 1: "ok", 2: value},
    )  # fmt: skip
    raw(taken, rng.choice(messages))


def lie_order(rng: Random, taken: Any, reply: tuple) -> None:
    """Earlier answers, under this number or their own; the same one several times."""
    LIAR.earlier = [*LIAR.earlier[-50:], reply]
    other = rng.choice(LIAR.earlier)
    renumbered = (reply[0], *other[1:])
    for message in rng.choice(((renumbered,), (other,), (other, reply), (reply, reply), (reply, other), (reply,) * 3)):
        raw(taken, message)


def lie_extra(rng: Random, taken: Any, reply: tuple) -> None:
    """Messages that no code asked for, before and after the answer: future answers, questions, thousands of them."""
    many = rng.choice((1, 1, 3, 50, 3_000))
    extra = [(reply[0] + n, "ok", odd_value(rng, 2)) for n in range(1, 4)]
    if many <= 50:  # each is answered; if the other side reads no answers both stop
        extra += [(n, "callback", ["start"]) for n in range(3)]
    before = rng.random() < 0.3
    messages = [rng.choice(extra) for _ in range(many)]
    for message in [*messages, reply] if before else [reply, *messages]:
        raw(taken, message)


def lie_odd_error(rng: Random, taken: Any, reply: tuple) -> None:
    """A description of an exception that no real exception has."""
    names = rng.choice((
        ["ValueError"], [], [1], [None] * 9, [["ValueError"]], ["x" * 100_000], ["TypeError"] * 100_000, [np.zeros(2)],
        ["_" * 50_000], ["MemoryError"], "ValueError", {}, [np.array(97)], ["__import__"], ["KeyboardInterrupt"],
    ))  # fmt: skip
    fields = [names, rng.choice(("cell 1", "", "x" * 10**5, 7, np.zeros(1))), rng.choice((1, -1, 2**62, 1.0, "1", True)),
              rng.choice((False, False, True, 1, np.array(True), None)), rng.choice(TEXTS)]
    if rng.random() < 0.3:
        fields[rng.randrange(5)] = odd_value(rng, 2)
    raw(taken, (reply[0], "error", fields[: rng.choice((5, 5, 5, 5, 4, 0))] + [0] * rng.choice((0, 0, 0, 1))))


def lie_hostile_error(rng: Random, taken: Any, reply: tuple) -> None:
    """An exception whose name, arguments, text, notes or traceback attack their reader."""
    HONEST["answer"](taken, (reply[0], "error", taken.describe(hostile_error(rng))))


def hostile_error(rng: Random) -> BaseException:
    """Return an exception that cannot be read."""

    class Nobody:
        def __str__(self) -> str:
            raise RecursionError

        __repr__ = __str__

    def refuse(self: Any, *rest: Any) -> Any:
        raise SystemExit(0)

    name = rng.choice(("x" * 10_000, "\x1b[2J", "ValueError", "é\0", "E"))
    base = rng.choice((Exception, TypeError, KeyError, OSError, RecursionError, BaseException))
    body = rng.choice((
        {}, {"__str__": refuse}, {"args": property(refuse)}, {"__traceback__": property(refuse)}, {"__cause__": property(refuse)},
        {"__str__": lambda self: "-" * 10**6}, {"__str__": lambda self: 7}, {"__class__": int}, {"__notes__": 7},
    ))  # fmt: skip
    kind = type(name, (base,), body)
    for number in range(rng.choice((0, 0, 300))):
        kind = type(f"E{number}", (kind,), {})
    error = kind(rng.choice((Nobody(), "-" * 1_400, nested(500, 1), np.zeros(3), "x" * 10**6, type)))
    try:
        raise error
    except BaseException as caught:
        if rng.random() < 0.3 and body.keys() <= {"__str__"}:
            caught.__cause__, caught.__context__ = caught, ValueError(nested(900, "x"))
        return caught


def lie_end(rng: Random, taken: Any, reply: tuple) -> None:
    """The end of the process, of its line or of its memory, before, within or after an answer."""
    data = codec.framed((reply[0], "ok", plain(taken, reply[2])), taken.handle)
    taken.connection.sendall(data[: rng.choice((0, 2, 4, len(data) // 2, len(data)))])
    how = rng.randrange(6)
    if how == 0:
        os._exit(rng.choice((0, 1, 99, 98)))
    elif how == 1:
        taken.connection.shutdown(rng.choice((socket.SHUT_RDWR, socket.SHUT_WR)))
    elif how == 2:
        taken.connection.close()
    elif how == 3:
        ctypes.string_at(0)
    elif how == 4:
        os.kill(os.getpid(), rng.choice((signal.SIGKILL, signal.SIGABRT, signal.SIGTERM, signal.SIGXCPU, signal.SIGPIPE)))
    raise worker.Gone


def lie_memory(rng: Random, taken: Any, reply: tuple) -> None:
    """Much memory at a random moment, private or shared, kept or given back."""
    size = rng.choice((50, 300, 900, 2_000)) * 2**20
    try:
        if rng.random() < 0.5:
            LIAR.earlier.append(bytearray(size))
        else:
            room = mmap.mmap(-1, size)
            for place in range(0, size, 4096):
                room[place] = 1
            room.madvise(mmap.MADV_DONTNEED)
    except (OSError, ValueError):
        pass
    HONEST["answer"](taken, reply)


def lie_drip(rng: Random, taken: Any, reply: tuple) -> None:
    """The answer, a byte at a time. A `long` plan makes it an answer without an end."""
    value = "x" * 2**20 if LIAR.plan["long"] else plain(taken, reply[2])
    data = codec.framed((reply[0], "ok", value), taken.handle)
    dripping = len(data) if LIAR.plan["long"] else min(len(data), 80)
    for byte in data[:dripping]:
        time.sleep(DRIP_S if LIAR.plan["long"] else 0.002)
        taken.connection.sendall(bytes((byte,)))
    taken.connection.sendall(data[dripping:])


def lie_late(rng: Random, taken: Any, reply: tuple) -> None:
    """The answer, after a while."""
    time.sleep(10_000 if LIAR.plan["long"] else rng.choice((0.05, 0.15, 0.4)))
    HONEST["answer"](taken, reply)


def lie_whisper(rng: Random, taken: Any, reply: tuple) -> None:
    """A thread that sends at times of its own."""
    kind = rng.choice(("ok", "callback", "error"))
    message = codec.framed((reply[0] + rng.randrange(3), kind, odd_value(rng, 2)), taken.handle)

    def whisper() -> None:
        for _ in range(20):
            time.sleep(0.003)
            taken.connection.sendall(message)

    threading.Thread(target=whisper, daemon=True).start()
    HONEST["answer"](taken, reply)


def lie_load(rng: Random, taken: Any, reply: tuple) -> None:
    """The report of a failed load, in a form that no loader uses."""
    problem = ["cell 1", 1, "ValueError", "text"]
    odd = spoilt(rng, [problem], lambda rng, part: odd_value(rng, 2))
    lists = (
        [], None, 0, odd, [problem] * 1_000, [problem * 2], [tuple(problem)], [["x" * 10**5, 2**90, "é" * 10**5, "\x1b" * 10**5]],
        [[np.zeros(2)] * 4], [["cell 1", True, "SyntaxError", ""]], [["<given>", 0, "", ""]], np.zeros((2, 4)), {"0": problem},
        [["cell 1", -5, "__import__", ""]], [["", 0, "ModuleNotFoundError", TEXTS[6]]] * 60, odd_value(rng),
    )  # fmt: skip
    raw(taken, (reply[0], "ok", rng.choice(lists)))


def lie_any(rng: Random, taken: Any, reply: tuple) -> None:
    """Any of the quick lies."""
    quick = ("bytes", "kinds", "inside", "arrays", "near", "protocol", "order", "extra", "odd_error", "hostile_error")
    ANSWERS[rng.choice(quick)](rng, taken, reply)


ANSWERS = {
    "bytes": lie_bytes, "kinds": lie_kinds, "inside": lie_inside, "arrays": lie_arrays, "near": lie_near,
    "protocol": lie_protocol, "order": lie_order, "extra": lie_extra, "odd_error": lie_odd_error,
    "hostile_error": lie_hostile_error, "end": lie_end,
    "memory": lie_memory, "drip": lie_drip, "late": lie_late, "whisper": lie_whisper, "load": lie_load, "any": lie_any,
}  # fmt: skip


# -- questions: calls of the functions that the grader gives to student code --------------------------------


def odd_arguments(rng: Random, args: list) -> Any:
    """Return arguments that do not fit, by their number or by their type."""
    how = rng.randrange(10)
    if how == 0:
        return []
    if how == 1:
        return [*args, *rng.choice(([None], [odd_value(rng, 2)] * 9, args))]
    if how == 2:
        return args[: rng.randrange(len(args) + 1)]
    if how == 3:
        return [{"state": args, "rng": None}]
    if how == 4:
        return [odd_array(rng, rng.choice(((), (2,), (7,)))) for _ in args]
    if how == 5:
        return list(args)[::-1]
    if how == 6:
        odd = (None, 1e308, -1, "x", (), [], (1,), {}, codec.HandleId(0), rng.choice(INTS), rng.choice(FLOATS))
        return [rng.choice(odd) for _ in args]
    if how == 7:
        return odd_value(rng, 1)  # no list of arguments at all
    return spoilt(rng, list(args), rng.choice((as_array, near, lambda rng, part: odd_value(rng, 2))))


def ask(taken: Any, number: Any, args: Any) -> None:
    """Call a function of the grader and ignore its answer."""
    LIAR.busy = LIAR.asking = True
    try:
        HONEST["call_back"](taken, number, args) if isinstance(args, (list, tuple)) else unanswered(taken, number, args)
    except Exception:
        pass
    finally:
        LIAR.busy = LIAR.asking = False


def unanswered(taken: Any, number: Any, args: Any) -> None:
    """Send a question whose arguments are not a list; the grader then ends the conversation."""
    raw(taken, (number, "callback", args))
    HONEST["receive"](taken)


def odd_question(rng: Random, taken: Any, number: int, args: list) -> None:
    """Ask something odd beside the question of the present code."""
    how = rng.randrange(8)
    if how < 4:
        for _ in range(rng.choice((1, 1, 2, 10))):
            ask(taken, number, odd_arguments(rng, args))
    elif how == 4:  # the same again and again: a list that is dealt out comes to its end
        for _ in range(rng.choice((1, 5, 50, 1_000))):
            ask(taken, number, args)
    elif how == 5:
        for other in range(6):
            ask(taken, other, odd_arguments(rng, args))
    elif how == 6:  # two questions at once, and then both answers
        raw(taken, (number, "callback", args))
        ask(taken, number, args)
        HONEST["receive"](taken)
    else:
        ask(taken, rng.choice((-1, 0, 1, 99, 2**63, 1.5, None, "0", True, np.int64(0), np.array([0]))), args)


def without_end(taken: Any, number: int, args: list) -> None:
    """Ask without end."""
    while True:
        ask(taken, number, args)


# -- the worker, taken over ----------------------------------------------------------------------------


def hooked_frame(self: Any) -> bytes:
    """Return the next frame and not a byte more: after two questions at once, two answers wait."""
    head = exactly(self, 4)
    LIAR.frame = head + exactly(self, codec.frame_size(head))
    return LIAR.frame


def exactly(taken: Any, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = taken.connection.recv(size - len(data))
        if not piece:
            raise worker.Gone
        data += piece
    return data


def hooked_receive(self: Any) -> Any:
    message = HONEST["receive"](self)
    while type(message) is tuple and not LIAR.asking:  # the answer to a question between the others
        message = HONEST["receive"](self)
    if type(message) is list and len(message) == 4:
        LIAR.number, LIAR.operation = message[0], message[1]
        LIAR.requests += 1
        LIAR.awake = LIAR.awake or any(name in LIAR.frame for name in LIAR.plan["names"])
    return message


def hooked_answer(self: Any, reply: tuple) -> None:
    family = LIAR.plan["family"]
    if family in ANSWERS and LIAR.lying():
        ANSWERS[family](LIAR.rng, self, reply)
    else:
        if family == "order":
            LIAR.earlier = [*LIAR.earlier[-50:], reply]
        HONEST["answer"](self, reply)
    if family == "after" and LIAR.lying():  # questions when the call is over
        for number in range(3):
            raw(self, (number, "callback", odd_arguments(LIAR.rng, ["start"])))


def hooked_call_back(self: Any, number: int, args: Any, *more: Any) -> Any:
    family = LIAR.plan["family"]
    if family in ("questions", "talk", "instead") and LIAR.lying():
        if family == "talk":
            without_end(self, number, args)
        elif family == "questions":
            odd_question(LIAR.rng, self, number, list(args))
        else:
            changed = odd_arguments(LIAR.rng, list(args))
            args = changed if isinstance(changed, list) else [changed]
    LIAR.asking = True
    try:
        return HONEST["call_back"](self, number, args, *more)
    finally:
        LIAR.asking = False


def begin(plan: dict) -> None:
    """Take the worker over; the answer to the present request, which loads this code, is the first possible lie."""
    LIAR.plan.update(plan)
    LIAR.awake, LIAR.operation = not plan["names"], "load"
    LIAR.requests = plan["start"] + 1 if plan["family"] == "load" else 0
    HOOKED._frame, HOOKED.receive = hooked_frame, hooked_receive
    HOOKED.answer, HOOKED.call_back = hooked_answer, hooked_call_back


LIAR = Liar({"family": "", "seed": 0, "chance": 0.0, "start": 0, "names": [], "operations": [], "again": 0, "long": False})
