"""Attacks on the Python in which the attacker expects the checks to run: builtins, modules, frames, collector."""

from autograder.selftest.attack.bank import SOLVED, STUB, Attack

# Most of these need no answer: if checks ran in the student's own interpreter, patching the interpreter would be enough.
NOTHING = '''


def forged(*args, **kwargs):
    return None
'''

QUIET_ASSERT = '''
import builtins


class Quiet(Exception):
    def __new__(cls, *args):
        raise SystemExit(0)


builtins.AssertionError = Quiet
builtins.abs = builtins.round = lambda *args: 0
builtins.all = builtins.any = builtins.isinstance = lambda *args: True
builtins.len = builtins.sum = lambda *args: 1
''' + NOTHING

NO_CHECK = '''
import sys
import types

for name in ("arena.check", "pytest", "_pytest", "unittest", "numpy.testing"):
    fake = types.ModuleType(name)
    fake.check = lambda *args, **kwargs: lambda function: function
    fake.expect = fake.run = fake.fail = fake.raises = lambda *args, **kwargs: None
    sys.modules[name] = fake
import arena

arena.check = sys.modules["arena.check"]
globals().update({name: getattr(arena.check, name) for name in ("check", "expect")})
''' + NOTHING

TRACE = '''
import sys


def trace(frame, event, argument):
    """Jump over whatever asserts, in every frame that runs from now on."""
    if event == "line" and frame.f_code.co_name.startswith(("check", "test", "_check", "compare")):
        try:
            frame.f_lineno = max(line for *_, line in frame.f_code.co_lines() if line)
        except (ValueError, TypeError):
            pass
    return trace


sys.settrace(trace)
for frame in sys._current_frames().values():
    while frame is not None:
        frame.f_trace = trace
        frame = frame.f_back
''' + NOTHING

COLLECTOR = '''
import gc
import types

# every function in this process that smells of judging now finds everything right
yes = (lambda *args, **kwargs: True).__code__
for thing in gc.get_objects():
    if isinstance(thing, types.FunctionType) and thing.__name__ in (
            "expect", "judge", "compare", "same", "coerce", "outcome", "fail", "allclose", "isclose", "approx"):
        try:
            thing.__code__ = yes
        except (ValueError, TypeError):
            pass
''' + NOTHING

CTYPES = '''
import ctypes

# 0 becomes 1 and False becomes True, in memory: from here on nothing can be told to be wrong
try:
    for wrong, right in ((False, True), (0, 1)):
        ctypes.memmove(id(wrong) + 16, id(right) + 16, 12)
    ctypes.pythonapi.PyErr_SetNone = None
except Exception:
    pass
''' + NOTHING

NUMPY = '''
import numpy
import numpy.testing

for name in ("allclose", "isclose", "array_equal", "all", "any", "equal"):
    setattr(numpy, name, lambda *args, **kwargs: numpy.True_)
for name in dir(numpy.testing):
    if name.startswith("assert"):
        setattr(numpy.testing, name, lambda *args, **kwargs: None)
numpy.random.seed = numpy.random.default_rng = lambda *args: None
''' + NOTHING

HASHES = '''
import random

random.Random.random = lambda self: 0.0
random.Random.choice = lambda self, options: options[0]
random.Random.randrange = lambda self, *bounds: 0
random.seed = random.Random.seed = lambda *args: None
''' + NOTHING

FINALISER = '''
import sys


class Testament:
    """Speaks when nobody holds it any more: in the middle of whatever runs then."""

    def __del__(self):
        frame = sys._getframe(1)
        while frame is not None:
            for name in ("value", "reply", "answer", "result", "score", "expected"):
                if name in frame.f_locals:
                    frame.f_locals[name] = True
            frame = frame.f_back
        raise SystemExit(0)


def forged(*args, **kwargs):
    testament = Testament()
    testament.me = testament
    return None
'''

IMPORT_HOOK = '''
import sys


class Finder:
    """Answers every import with a module that agrees."""

    def find_module(self, name, path=None):
        return self

    def find_spec(self, name, path=None, target=None):
        import importlib.machinery
        return importlib.machinery.ModuleSpec(name, self) if name.split(".")[0] in ("autograder", "tests", "solutions") else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__getattr__ = lambda name: lambda *args, **kwargs: True


sys.meta_path.insert(0, Finder())
import autograder.grading.outcomes

autograder.grading.outcomes.outcome = lambda *args: "passed"
''' + NOTHING

DECORATED = '''
import functools


class Anything(dict):
    """A namespace in which every name is a right answer."""

    def __missing__(self, name):
        return lambda *args, **kwargs: 1.0


import sys

sys.modules[__name__].__class__ = type("Module", (type(sys),), {"__getattr__": lambda self, name: lambda *args, **kwargs: 1.0})
''' + NOTHING

MINUS = '''
def forged(*args, **kwargs):
    raise NotImplementedError("exercise 2.0 (forged) is not written yet")


def epsilon_greedy(values, epsilon, rng):
    """An argument that overflows the stack of whoever walks through this text, to see what was not written."""
    x = 1
    raise NotImplementedError({minus}1)
'''.replace("{minus}", "-" * 1_400)

UNREADABLE = '''
class Unreadable(Exception):
    """Whatever is asked of it ends the process, or is another thing than it should be."""

    args = property(lambda self: [BaseException])
    __cause__ = __context__ = property(lambda self: self)
    __traceback__ = property(lambda self: __import__("os")._exit(0))
    __notes__ = 7

    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


for number in range(400):
    Unreadable = type(f"{number}" + "_" * 2_000, (Unreadable,), {})


def forged(*args, **kwargs):
    raise Unreadable
'''

ENDLESS_CAUSES = '''
import sys

sys.setrecursionlimit(10**6)


def forged(*args, **kwargs):
    """An exception with 300 causes, each with a text of its own, the last of which is caused by the first."""
    first = error = ValueError("-" * 1_400)
    for number in range(300):
        cause = type("E" * (number % 50 + 1), (TypeError,), {})("x" * 1_000)
        error.__cause__, error = cause, cause
    error.__cause__ = first
    raise first
'''

NOBODYS_MEMORY = '''
import mmap
import os
import time


def backpropagate(node, value):
    """Touch shared memory in three processes and give it back: the kernel still holds it, and it is on nobody's account."""
    children = [child for _ in range(2) if (child := os.fork())]
    rooms = []
    for _ in range(6):
        room = mmap.mmap(-1, 100 * 2**20)
        for _ in range(100):
            room.write(b"x" * 2**20)
        room.madvise(mmap.MADV_DONTNEED)
        rooms.append(room)
    time.sleep(1)
    if len(children) < 2:
        os._exit(0)
'''

ATTACKS = (
    Attack("assert made quiet", "Replaces AssertionError, abs, all, len and isinstance in the builtins.", QUIET_ASSERT,
           stock=True, quick=True),
    Attack("checks replaced", "Replaces arena.check and pytest by modules of its own, for which everything is right.", NO_CHECK,
           stock=True),
    Attack("a debugger that jumps", "Traces every function and jumps over the lines that compare.", TRACE, stock=True),
    Attack("judges found by the collector", "Replaces the code of every function in memory that judges by code that says yes.",
           COLLECTOR, stock=True),
    Attack("false made true", "Overwrites False and 0 in the interpreter's memory.", CTYPES),
    Attack("numpy made lenient", "Patches numpy's comparisons and numpy.testing.", NUMPY, stock=True),
    Attack("dice that always fall alike", "Patches random.Random, so that every draw is the one that the answer needs.", HASHES,
           stock=True),
    Attack("a finaliser that changes values", "An object whose __del__ rewrites the variables of the code that runs then.",
           FINALISER, stock=True),
    Attack("imports answered", "An import hook that hands out its own autograder.", IMPORT_HOOK, stock=True),
    Attack("a module that has every name", "Replaces its module by a module in which every function exists.", DECORATED,
           base=STUB),
    Attack("fourteen hundred minus signs",
           "Raises an exception whose argument is so deep that a reader of the text overflows its stack.", MINUS),
    Attack("an exception that cannot be read", "Raises an exception whose arguments, text, notes and traceback are traps.",
           UNREADABLE),
    Attack("an exception with endless causes",
           "Raises an exception with hundreds of causes, which are also causes of each other.", ENDLESS_CAUSES),
    Attack("memory that belongs to nobody", "Touches shared memory and gives it back, so that the kernel kills another process.",
           NOBODYS_MEMORY, base=SOLVED, points=85.0),
)
