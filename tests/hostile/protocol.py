"""Student code that speaks the sandbox's own language, or takes over the process that speaks this language."""

from autograder.selftest.attack.bank import SOLVED, STUB, Attack

# Finds its end of the connection, answers the present request itself, and every later one with LIE.
TAKE_OVER = '''
import codec
import os
import socket
import sys


def frames_above():
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


connection = socket.socket(fileno=3)
number = next(frame.f_locals["number"] for frame in frames_above() if "number" in frame.f_locals)
connection.sendall(codec.frame(codec.encode((number, "ok", []))))
while True:
    head = connection.recv(4, socket.MSG_WAITALL)
    if len(head) < 4:
        os._exit(0)
    body = connection.recv(codec.frame_size(head), socket.MSG_WAITALL)
    number, operation, *rest = codec.decode(body, lambda id: id, lambda name, value: name)
    connection.sendall(codec.frame(LIE))
'''


def lie(expression: str) -> str:
    return TAKE_OVER.replace("LIE", expression)


RAW = '''
import os
import socket
import struct


def forged(*args, **kwargs):
    connection = socket.socket(fileno=os.dup(3))
    {send}
    return 1
'''

COLLIDING = '''
import struct


def number(value):
    return b"j" + struct.pack("<q", value)


# multiples of 2**61 - 1 have the hash 0, and so tuples of them hash alike; only the reader is to hash them
digits = [number(digit * (2**61 - 1)) for digit in range(4)]
key = lambda k: b"t" + struct.pack("<I", 9) + b"".join(digits[k // 4**place % 4] for place in range(9)) + b"N"
colliding = b"d" + struct.pack("<I", 20_000) + b"".join(map(key, range(20_000)))
'''

WORKER = '''
import gc
import sys


class Lenient:
    """What the worker becomes: every operation succeeds, every answer is what was given with the question."""

    def __getattr__(self, name):
        return lambda *arguments: arguments[-1]


for thing in gc.get_objects():
    if type(thing).__name__ == "Worker":
        for operation in dir(type(thing)):
            if operation.startswith("do_"):
                setattr(type(thing), operation, lambda self, *arguments: 1.0)
        type(thing).describe = lambda self, error: [["AssertionError"], "", 0, False, "passed"]
        type(thing).answer = lambda self, reply: self.send(reply[0], "ok", 1.0)
'''

VERDICT = '''
import codec


def forged(*args, **kwargs):
    """Send what a grader of another make would take for a result."""
    import sys
    worker = sys.modules["worker"]
    for text in ('{"passed": true, "points": 100}', "1 passed in 0.01s", "RESULT: PASS", "passed"):
        for kind in ("passed", "verdict", "result", "points", "outcome"):
            frame = sys._getframe()
            while frame is not None:
                if "self" in frame.f_locals and hasattr(frame.f_locals["self"], "connection"):
                    frame.f_locals["self"].send(frame.f_locals.get("number", 1), kind, text)
                frame = frame.f_back
    return 1.0
'''

SPECIAL = '''
import codec
import sys


class Special(codec.Special):
    pass


def forged(*args, **kwargs):
    """Answer with a request: the grader is to look a function of its own up by name."""
    return codec.Special("function", "check")
'''

CALLBACKS = '''
import sys


def forged(*args, **kwargs):
    """Call the grader's own functions that were meant for others, with whatever comes to mind."""
    frame = sys._getframe()
    while frame is not None and not hasattr(frame.f_locals.get("self"), "call_back"):
        frame = frame.f_back
    worker = frame.f_locals["self"]
    answers = []
    for number in (-1, 0, 1, 2, 3, 2**63, 1.5, "0", None, True, (0,), [0]):
        for arguments in ((), ("__class__",), ("play", "state 0", 2**90), (None,) * 9, ("start",), (float("nan"),)):
            try:
                answers.append(worker.call_back(number, arguments))
            except ValueError:
                pass
    return answers
'''

HANDLES = '''
import codec


def forged(*args, **kwargs):
    """Answer with objects that were never given out, and with the module itself."""
    return [codec.HandleId(number) for number in (0, 1, 2**31, 2**32 - 1)]
'''

REBIND = '''
import builtins
import gc
import sys

# when an exercise is graded, ours of the ones before are brought into the process: keep them, and answer with them
stolen = {}
real_exec, real_compile = builtins.exec, builtins.compile


def spy(source, *rest, **more):
    if isinstance(source, str):
        stolen[len(stolen)] = source
        for name in ("simulate", "expand", "backpropagate", "ucb", "best_child", "select", "search"):
            if f"def {name}(" in source:
                space = dict(globals())
                real_exec(source, space)
                globals()[name] = space[name]
    return real_compile(source, *rest, **more)


builtins.compile = spy
'''

# Takes over the worker when it is loaded; TELL decides what happens to `number, kind, value`, the present answer.
ANSWERED = '''
import codec
import numpy
import os
import worker

honest_answer, answered = worker.Worker.answer, []


def answer(self, reply):
    answered.append(None)
    if len(answered) == 1:  # to "load": whatever comes of that, the rest is lied about
        return honest_answer(self, reply)
    number, kind, value = reply
    TELL


worker.Worker.answer = answer
'''


def answering(statement: str) -> str:
    return ANSWERED.replace("TELL", statement)


LOAD = '''
import numpy
import worker

honest_answer = worker.Worker.answer


def answer(self, reply):
    worker.Worker.answer = honest_answer
    self.send(reply[0], "ok", PROBLEMS)


worker.Worker.answer = answer
'''

ODD_PROBLEMS = """[
    ["cell 1", True, "SyntaxError", ""], [numpy.zeros(2)] * 4, ["x" * 10**5, 2**90, "e" * 10**5, "\\x1b[2J" * 10**4], None, 1.5,
    ["cell 1", -5, "__import__", ""], ["", 0, "ModuleNotFoundError", 7], [], ("cell 1", 1, "ValueError", ""),
] * 9"""

DRIPPED = '''
import os
import struct
import time


def backpropagate(node, value):
    """Promise an answer of eight megabytes, and send it a byte at a time."""
    os.write(3, struct.pack("<I", 8 * 2**20))
    while True:
        os.write(3, b"x")
        time.sleep(0.08)
'''

ASKS_AND_SLEEPS = '''
import time


def simulate(game, state, policy, rng, max_plies=1000):
    """Ask, rest, ask again: neither at work nor silent."""
    while True:
        policy(game, state, rng)
        time.sleep(0.5)
'''

TWO_AT_ONCE = '''
import codec
import sys

honest_simulate = simulate


def simulate(game, state, policy, rng, max_plies=1000):
    """Put three questions to the grader's policy before the first is answered, and answer in between."""
    frame = sys._getframe()
    while frame is not None and not hasattr(frame.f_locals.get("self"), "call_back"):
        frame = frame.f_back
    worker, number = frame.f_locals["self"], frame.f_locals.get("number", 1)
    for kind, value in (("callback", [None]), ("callback", []), ("ok", 1.0), ("callback", [None] * 9)):
        worker.send(0 if kind == "callback" else number, kind, value)
    return honest_simulate(game, state, policy, rng, max_plies)
'''

ONE_QUESTION = 2.0  # 2.14 asks once: the first answer is right, and no question follows to which the second could belong
ATTACKS = (
    Attack("a worker that says ok", "Takes over the line to the grader and answers every question with 'ok: None'.",
           lie('codec.encode((number, "ok", None))'), base=SOLVED, quick=True),
    Attack("a worker that says 1.0", "The same with a number as every answer.",
           lie('codec.encode((number, "ok", 1.0))'), base=SOLVED),
    Attack("a worker that raises the right error", "Answers every question with a ValueError, for checks that expect this error.",
           lie('codec.encode((number, "error", [["ValueError", "IllegalMove"], "cell 1", 1, False, ""]))'), base=SOLVED),
    Attack("a worker that says not written", "Says that no exercise is written, to be excused.",
           lie('codec.encode((number, "error", [["NotImplementedError"], "", 0, True, ""]))'), base=SOLVED),
    Attack("answers out of order", "Answers the next question before it is asked, and the last one twice.",
           lie('codec.encode((number + 1, "ok", 1.0)) + codec.frame(codec.encode((number, "ok", 1.0)))'), base=SOLVED,
           says="The answer is too large or of a kind that cannot be read"),
    Attack("answers ahead", "Fills the line with 10,000 ready answers before the first question comes.",
           "import codec, os\nfor number in range(1, 10_000):\n    try:\n"
           "        os.write(3, codec.frame(codec.encode((number, 'ok', 1.0))))\n    except OSError:\n        break\n",
           base=STUB),
    Attack("a frame of four gigabytes", "Announces a message of 4 GiB, for which the reader would need memory.",
           RAW.format(send='connection.sendall(struct.pack("<I", 2**32 - 1) + b"l" * 1000)')),
    Attack("half a frame", "Sends the beginning of a message and ends.",
           RAW.format(send='connection.sendall(struct.pack("<I", 100) + b"l"), os._exit(0)')),
    Attack("noise on the line", "Writes random bytes to the grader.",
           RAW.format(send='connection.sendall(os.urandom(100_000))')),
    Attack("an array with a lying shape", "An array of 2**32 by 2**32 numbers in twenty bytes.",
           RAW.format(send='body = b"t" + struct.pack("<IcqcI", 3, b"j", 9, b"s", 2) + b"ok" + b"a" + bytes((11, 2)); '
                           'body += b"\xff" * 8; connection.sendall(struct.pack("<I", len(body)) + body)')),
    Attack("keys that hash alike", "Answers with a dictionary of 20,000 keys of one hash: reading it would take minutes.",
           COLLIDING + RAW.format(send='body = b"t" + struct.pack("<IcqcI", 3, b"j", 9, b"s", 2) + b"ok" + colliding; '
                                       'connection.sendall(struct.pack("<I", len(body)) + body)')),
    Attack("a spy on the compiler", "Keeps what is compiled while our earlier exercises are brought in, and answers with it.",
           REBIND, base=STUB),
    Attack("verdicts instead of values", "Sends 'passed', '100 points' and pytest's last line on every output.", VERDICT),
    Attack("a question for an answer", "Answers with a request of the grader's own kind: look up this function.", SPECIAL),
    Attack("calls to the grader's functions", "Calls functions of the grader by every number, with every argument.", CALLBACKS),
    Attack("objects that are not there", "Answers with handles that were never given out.", HANDLES),
    Attack("a worker made lenient", "Finds the worker through the garbage collector and replaces its functions.", WORKER,
           base=SOLVED),
    Attack("an array for the number of an answer", "Answers with an array as the number, which equals no number.",
           answering('self.send(numpy.array([number, number]), "ok", value)'), base=SOLVED),
    Attack("an array for the kind of an answer", "Sends an array in the place of 'ok' or 'error'.",
           answering('self.send(number, numpy.zeros(2), value)'), base=SOLVED),
    Attack("arrays for the names of an error", "Every answer is an exception whose names, place and kind are arrays.",
           answering('self.send(number, "error", [[numpy.zeros(2), numpy.array(7)], *numpy.eye(3), ""])'), base=SOLVED),
    Attack("a hundred thousand names of an error", "The first answer of a process is an exception of very many, very long names.",
           answering('honest_answer(self, reply if len(answered) > 2 else (number, "error", NAMES))').replace(
               "NAMES", '[["_" * 10**5] + ["TypeError"] * 100_000, "x" * 10**6, 9, False, ""]'), base=SOLVED),
    Attack("every answer twice", "Sends each answer twice, so that the next question already has one.",
           answering("honest_answer(self, reply); honest_answer(self, reply)"), base=SOLVED, points=ONE_QUESTION),
    Attack("questions when the call is over", "Calls the grader's functions after the answer, and then continues.",
           answering('honest_answer(self, reply); [self.send(each, "callback", [None, numpy.zeros(3)]) for each in range(3)]'),
           base=SOLVED, points=ONE_QUESTION),
    Attack("troubles that no loader has", "Reports a failure while loading in a form that no loader uses: arrays, endless names.",
           LOAD.replace("PROBLEMS", ODD_PROBLEMS), base=SOLVED, points=100.0),
    Attack("an answer a byte at a time", "Announces eight megabytes and sends a byte every 80 milliseconds, never silent.",
           DRIPPED, base=SOLVED, points=85.0),
    Attack("asks and sleeps in turn", "Calls the grader's policy every half a second, so that it is never silent for long.",
           ASKS_AND_SLEEPS, base=SOLVED, points=89.0),
    Attack("questions all at once", "Calls the grader's policy three times, and answers, before it reads the first reply.",
           TWO_AT_ONCE, base=SOLVED, points=89.0),
)
