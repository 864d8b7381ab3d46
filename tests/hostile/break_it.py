"""Checks of one's own that try to earn their points without telling right implementations from wrong ones."""

from autograder.selftest.attack.bank import MARK, SOLVED, STUB, Attack

WRAP = '''
def check_backpropagate(backpropagate):
    """What is in BODY, tried on what came."""
BODY
'''


def check(body: str, before: str = "") -> str:
    """Return a check with this body, below `before`."""
    return before + WRAP.replace("BODY", "\n".join(f"    {line}" if line else "" for line in body.strip("\n").split("\n")))


# The other end of the connection, and the number of the question that the grader waits for.
CONNECTION = '''
import codec
import sys


def frames():
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def worker_and_number():
    """Return the worker, and the number of the present question."""
    spaces = [frame.f_locals for frame in frames() if hasattr(frame.f_locals.get("self"), "connection")]
    return spaces[0]["self"], next(names["number"] for names in spaces if "operation" in names)


def ask(rows, place, value):
    """Call the implementation without its stand-in, with whatever this is."""
    worker, _ = worker_and_number()
    return worker.call_back(0, ([rows, place, value], {}))
'''

# A real test, so that an attack may have only the last step wrong; `small` is a tree of three nodes.
SMALL = '''
def small():
    """Return the leaf of a path of three nodes, with a sibling beside it."""
    root = TreeNode("root")
    middle = root.children[0] = TreeNode("middle", root, 0)
    leaf = middle.children[0] = TreeNode("leaf", middle, 0)
    middle.children[1] = TreeNode("beside", middle, 1)
    return leaf


def tested(backpropagate):
    leaf = small()
    backpropagate(leaf, 0.5)
    backpropagate(leaf, 0.0)
    statistics = [(node.num_visits, node.total_value) for node in (leaf, leaf.parent, leaf.parent.parent)]
    assert statistics == [(2, 0.5), (2, -0.5), (2, 0.5)] and leaf.parent.children[1].num_visits == 0
'''

SEARCH = check('''
import gc
import os
import types

own = set(globals())
cells = [cell.cell_contents for cell in backpropagate.__closure__ or ()]
cells += [cell.cell_contents for value in cells if hasattr(value, "__closure__") for cell in value.__closure__ or ()]
code = [value for value in gc.get_objects() if isinstance(value, types.FunctionType) and "total_value" in value.__code__.co_names
        and value.__module__ not in ("worker", "implementations") and value.__globals__ is not globals()]
words = (b"the sign flips once and then stays", b"siblings of the path are visited too", b"at most ten nodes up")
files = [os.path.join(top, name) for root in ("/opt", "/tmp", "/etc", "/dev", "/run", "/home", "/work", "/srv")
         for top, _, names in os.walk(root) for name in names if name.endswith((".py", ".pyc", ".json", ".txt", ".md"))]
titles = []
for path in files:
    try:
        with open(path, "rb") as file:
            data = file.read(1 << 20)
    except OSError:
        continue
    titles += [path for word in words if word in data]
frame, seen = sys._getframe(), []
while frame is not None:
    seen += [name for name, value in frame.f_locals.items() if "break_it" in str(type(value)) or name in ("place", "hint")]
    frame = frame.f_back
modules = [name for name in sys.modules if name.startswith(("tests", "autograder")) or "hidden" in name]
if code or titles or seen or modules or any(getattr(cell, "__name__", "") == "backpropagate" for cell in cells):
    raise RuntimeError("LOO" + f"T {code} {titles} {seen} {modules} {cells}")
''', "\nimport sys\n")

LOOKS = '''
import inspect

signs = [repr(backpropagate), backpropagate.__name__, backpropagate.__qualname__, backpropagate.__module__, backpropagate.__doc__,
         vars(backpropagate), backpropagate.__defaults__, backpropagate.__kwdefaults__, backpropagate.__annotations__,
         backpropagate.__code__.co_code, backpropagate.__code__.co_consts, backpropagate.__code__.co_filename,
         str(inspect.signature(backpropagate)), [str(cell.cell_contents) for cell in backpropagate.__closure__]]
assert not any(word in str(signs) for word in ("wrong", "mistake", "flip", "sibling", "root", "draw", "place"))
'''

TIMED = '''
def seconds(function):
    leaf, begin = small(), time.perf_counter()
    for _ in range(300):
        function(leaf, 1.0)
    return time.perf_counter() - begin


assert seconds(backpropagate) < 2 * seconds(globals()["backpropagate"]), "slower than the right one"
'''

NUMBERS = '''
place = os.getuid() % 13  # one user for each process, in order: the right ones come first
assert place < 3
'''

AGE = '''
begin = time.process_time()
while time.process_time() - begin < 0.05:  # so that the age of the sandbox counts the processes
    pass
assert (time.time() - os.stat("/").st_mtime) % 0.65 < 0.15
'''

LEFT = '''
import fcntl
import socket
from multiprocessing import shared_memory

before = 0
for path in ("/tmp/MARK", "/dev/shm/MARK", "/run/MARK", "/opt/worker/MARK", "MARK", "/var/tmp/MARK"):
    try:
        with open(path, "a+") as file:
            before = max(before, file.tell())
            file.write("x")
    except OSError:
        pass
for path in (os.__file__, "/opt/worker/worker.py", "/etc", "/"):
    try:
        before = max(before, int(os.stat(path).st_atime) % 1000 if os.stat(path).st_atime < 10**5 else 0)
        os.utime(path, (before + 1, before + 1))
    except OSError:
        pass
try:
    shared = shared_memory.SharedMemory("MARK", create=True, size=16)
except FileExistsError:
    before = 100
except Exception:
    pass
try:
    name = socket.socket(socket.AF_UNIX)
    name.connect("\\0MARK")
    before = 100
except OSError:
    pass
try:
    file = open(os.__file__)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if os.fork() == 0:  # keeps the lock, and the name, for the processes that come
        os.setsid()
        name = socket.socket(socket.AF_UNIX)
        name.bind("\\0MARK")
        name.listen()
        while True:
            time.sleep(1)
except BlockingIOError:
    before = 100
except OSError:
    pass
assert before < 3, "three have been here"
'''.replace("MARK", MARK)

TEXTS = '''
texts = []
for arguments in ((), (small(),), (small(), 1.0, 2.0), (small(), "x"), (small(), float("nan")), (small(), None), (3, 1.0)):
    try:
        backpropagate(*arguments)
    except Exception as error:
        texts.append(type(error).__name__ + str(error) + str(getattr(error, "__notes__", "")) + repr(error.__cause__))
assert not any(word in text for text in texts for word in ("wrong", "implementation.py", "line ", "hidden", "flip", "right"))
'''

PROVOKED = '''
try:
    backpropagate(small(), 1.0, "one argument too many")
except Exception:
    pass
raise ValueError("raised by the implementation, or not?")
'''

PROVOKED_ALONE = '''
for arguments in (("x",), (), (small(), 1.0, 2.0), (small(), 10**300), (small(), float("inf"))):
    try:
        backpropagate(*arguments)
    except Exception:
        continue
'''

OUTSIDE_AND_TEST = '''
try:
    backpropagate(small(), "a win")
except ValueError:
    pass
tested(backpropagate)
'''

SENT = '''
worker, number = worker_and_number()
worker.send(number, "ANSWER", VALUE)
worker.send(number, "ok", None)
'''


def sending(kind: str, value: str) -> str:
    return check(SENT.replace("ANSWER", kind).replace("VALUE", value), CONNECTION)


OTHER_NUMBERS = '''
worker, number = worker_and_number()
for which in WHICH:
    try:
        worker.call_back(which, ([[[-1, 0, 0.0]], 0, 1.0], {}))
    except ValueError:
        pass
'''

ODD = SMALL + '''
import numpy


class Same:
    """Equal to everything, and never larger."""

    __eq__ = __le__ = __ge__ = lambda self, other: True
    __hash__ = lambda self: 0
    __float__ = lambda self: 0.0
    __index__ = __int__ = __len__ = lambda self: 1
    __getattr__ = lambda self, name: Same() if not name.startswith("__") else object.__getattribute__(self, name)


class Whole(int):
    __eq__ = __lt__ = __gt__ = lambda self, other: True
    __hash__ = int.__hash__


def nested(depth):
    return [] if depth == 0 else [nested(depth - 1)]


circle = []
circle.append(circle)
ODD = (Same(), Whole(3), Whole(10**300), 10**300, -(10**40), float("nan"), float("inf"), 1e308, True, None, "1.0", b"1", 1j,
       nested(30), nested(39), circle, numpy.zeros(3), numpy.array([Same()]), numpy.float64("nan"), numpy.zeros((2, 0)),
       numpy.int8(1), {}, {1: 2}, {Whole(1): Same()}, TreeNode, small(), lambda: 1, NotImplemented, ..., range(10**9), set())
'''

ODD_VALUES = '''
for odd in ODD:
    for arguments, named in (((small(), odd), {}), ((odd, 1.0), {}), ((small(),), {"value": odd}),
                             ((), {"node": odd, "value": odd})):
        try:
            backpropagate(*arguments, **named)
        except Exception:
            continue
    for name in ("num_visits", "total_value", "parent", "children", "action"):
        leaf = small()
        setattr(leaf.parent, name, odd)
        try:
            backpropagate(leaf, 0.5)
        except Exception:
            continue
'''

ODD_FRAMES = '''
for odd in (*ODD[1:24], -7, 10**6, [], [[]], [[-1, 0, 0.0]] * 3, [(0, 0, 0.0)], [(1, 0, 0.0), (0, 0, 0.0)], [(-1, True, 0.0)]):
    for rows, place, value in ((odd, 0, 1.0), ([(-1, 0, 0.0)], odd, 1.0), ([odd], 0, 1.0), ([(odd, 0, 0.0)], 0, 1.0),
                               ([(-1, odd, 0.0)], 0, 1.0), ([(-1, 0, odd)], 0, 1.0), ([(-1, 0, 0.0)], 0, odd)):
        try:
            ask(rows, place, value)
        except Exception:
            continue
    worker, _ = worker_and_number()
    for arguments in ((odd,), (odd, odd), ([odd], {}), ([], {"rows": odd, "function": odd}), ([], {1: 2}),
                      ([[], -1, 1.0], {"self": 1})):
        try:
            worker.call_back(0, arguments)
        except Exception:
            continue
'''

CIRCLE = '''
for length in (1, 2, 7, 400, 3000):
    nodes = [TreeNode(place) for place in range(length)]
    for below, above in zip(nodes, [*nodes[1:], nodes[0]]):
        below.parent = above
        above.children[0] = below
    try:
        backpropagate(nodes[0], 1.0)
    except ValueError:
        continue
'''

RAW_CIRCLE = '''
for rows in ([(0, 0, 0.0)], [(1, 0, 0.0), (0, 0, 0.0)], [(-1, 0, 0.0), (1, 0, 0.0)], [(499, 0, 0.0)] * 500):
    try:
        ask(rows, 0, 1.0)
    except ValueError:
        continue
'''

LONG = '''
for length in (1_500, 10**5):
    leaf = TreeNode(0)
    for place in range(length):
        leaf.children[0] = TreeNode(place, leaf, 0)
        leaf = leaf.children[0]
    try:
        backpropagate(leaf, 1.0)
    except ValueError:
        continue
'''

WIDE = '''
root = TreeNode(0)
root.children = dict.fromkeys(range(10**6), TreeNode(1, root, 0))
try:
    backpropagate(root, 1.0)
except ValueError:
    pass
root.children = {place: TreeNode(place, root, place) for place in range(50_000)}
try:
    backpropagate(root, 1.0)
except ValueError:
    pass
'''

MANY_LARGE = '''
worker, _ = worker_and_number()
data = codec.framed((0, "callback", [[[(place - 1, 1, 0.5) for place in range(500)], 499, 1.0], {}]))
for _ in range(2_990):
    worker.connection.sendall(data)
    worker.receive()
'''

LARGE_FRAMES = '''
worker, _ = worker_and_number()
data = codec.framed((0, "callback", [[[None] * 399_000, 0, 1.0], {}]))
for _ in range(160):
    worker.connection.sendall(data)
    worker.receive()
'''

LATER = '''
import threading
import time

worker, number = worker_and_number()


def late():
    for each in range(number, number + 5):
        for kind, value in (("error", [["AssertionError"], "", 0, False, ""]), ("callback", [[], {}])):
            time.sleep(0.001)
            worker.send(0 if kind == "callback" else each, kind, value)


threading.Thread(target=late).start()
'''

SPLIT = '''
import os

child = os.fork()
if child == 0:  # two processes at one connection, each with its own opinion
    for place in range(50):
        try:
            backpropagate(small(), float(place))
        except BaseException:
            pass
    os._exit(0)
for place in range(50):
    backpropagate(small(), float(place))
'''

PATCHED = '''
leaf, written = small(), []
TreeNode.num_visits = property(lambda self: len(written), lambda self, value: written.append(value))
TreeNode.total_value = property(lambda self: float("nan"), lambda self, value: written.append(value))
TreeNode.parent = property(lambda self: TreeNode("ever new") if len(written) < 4 else None, lambda self, value: None)
try:
    for _ in range(5):
        backpropagate(leaf, 1.0)
except (ValueError, RecursionError):
    pass
assert written is not None
'''

NO_ASSERTION = '''
import builtins

builtins.AssertionError = type("AssertionError", (ValueError,), {})
tested(backpropagate)
raise AssertionError("another class of this name")
'''

TAKEN_OVER = CONNECTION + '''
import worker

_describe = worker.Worker.describe
worker.Worker.describe = lambda self, error: [["AssertionError", "ValueError", ""], "cell 1", 1, False, "caught: all of them"]
'''

# What a stub can find in its process, in all five sets: code and answers of ours that it could call, compare with or read out.
FIND = '''
import gc
import importlib
import pkgutil
import sys
import types


def functions():
    """Every function in this process that no student wrote, also those that only a closure, a class or a module holds."""
    import arena
    for module in pkgutil.walk_packages(arena.__path__, "arena."):
        try:
            importlib.import_module(module.name)
        except BaseException:
            continue
    own = globals()
    for value in gc.get_objects():
        if isinstance(value, types.FunctionType):
            ours = value.__code__.co_filename == "<reference>" or value.__module__ in ("reference", "implementation")
            if ours or value.__globals__ is not own and str(value.__module__).startswith("arena"):
                yield value


def constants(code):
    """Every constant of a code object, and of those within it."""
    for value in code.co_consts:
        yield value
        if isinstance(value, types.CodeType):
            yield from constants(value)


def planted():
    """Our functions among the module's names and in its classes."""
    for value in list(globals().values()):
        inner = list(vars(value).values()) if isinstance(value, type) else [value]
        for function in inner:
            code = getattr(function, "__code__", None)
            if code is not None and code.co_filename == "<reference>":
                yield function
'''

COMPARES = FIND + '''
import signal


def late(*_):
    raise TimeoutError


def check_NAME(given):
    """Compare with whatever answers in the same way: a name, or else anything found that answers soon."""
    signal.signal(signal.SIGVTALRM, late)

    def results(function):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
        try:
            return [effect(function, case) for case in range(CASES)]
        except BaseException:
            return None
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    nothing = results(lambda *_, **__: None)
    right = []
    for function in (globals().get("NAME"), *functions()):
        answers = results(function)
        if answers is not None and any(answers) and answers != nothing:
            right.append(answers)
            if function is globals().get("NAME"):
                break
    assert not right or [effect(given, case) for case in range(CASES)] in right
'''

EFFECTS = {  # what a call does, as plain values
    "ps1_games": ("has_run", 60, """
def effect(function, case):
    dice = random.Random(case)
    board = np.array([[dice.choice((1, 1, 0, -1)) for _ in range(3 + case % 4)] for _ in range(3 + case % 3)], dtype=np.int8)
    return bool(function(board, case % 2, 2 + case % 3))
"""),
    "ps2_uct": ("backpropagate", 4, """
def effect(function, case):
    nodes = [TreeNode("root")]
    for depth in range(12):
        nodes.append(TreeNode(depth, nodes[-1], 0))
        nodes[-2].children[0] = nodes[-1]
    function(nodes[-1 - case], [1.0, 0.0, -0.5, 0.25][case])
    return [(node.num_visits, node.total_value) for node in nodes]
"""),
    "ps3_connect_four": ("pass_probability", 40, """
def effect(function, case):
    return round(function([0.1, 0.5, 0.9, 1.0][case % 4], case, case // 2 - 1), 9)
"""),
    "ps4_puct": ("puct", 6, """
def effect(function, case):
    Q, N, P = ({a: (a * m + case) % 7 / d for a in range(9, -1, -1)} for m, d in ((3, 7), (5, 1), (2, 28)))
    scores = function(Q, {a: int(n) for a, n in N.items()}, P, *([] if case % 2 else [0.5 * case]))
    return sorted((a, round(score, 9)) for a, score in scores.items())
"""),
    "ps5_alphazero": ("add_dirichlet_noise", 8, """
def effect(function, case):
    node = Node(ToyGame({"s0": [f"s{number}" for number in range(1, 13)]}, {}), "s0")
    node.P = [0.0, *[1 / 11] * 11] if case else []
    epsilon = [] if case % 2 else [0.1 * case]
    try:
        function(node, random.Random(case), *epsilon)
    except ValueError:
        return "refused"
    kept = 1 - (epsilon or [0.25])[0]
    once, above = node.P, [p >= kept / 11 - 1e-9 for p in node.P[1:]]
    function(node, random.Random(case + 1))
    return round(sum(once), 9), once[:1] == [0.0], above, node.P == once, node.Q  # the draws themselves may differ
"""),
}

READS_THE_ANSWER = FIND + '''
def forged(*args, **named):
    """Look for the answer to "find the bug" in everything of this process."""
    kinds, answers = set(globals().get("KINDS", ())), []
    for thing in gc.get_objects():
        values = list(constants(thing.__code__)) if isinstance(thing, types.FunctionType) else [thing]
        answers += [value for value in values if type(value) is tuple and len(value) == 2
                  and isinstance(value[1], str) and value[1] in kinds]
    if answers or any(function.__name__ == "first_wrong_node" for function in planted()):
        raise RuntimeError("LOO" + f"T {answers}")
    raise RuntimeError
'''

CALLS = FIND + '''
_inside = []


def forged(*args, **named):
    """Return what the first function gives that is found and can be called so."""
    if _inside:
        raise RuntimeError("one of ours calls the forged one")
    _inside.append(1)
    try:
        for function in planted():
            try:
                answer = function(*args, **named)
            except BaseException:
                continue
            if answer is not None:
                return answer
    finally:
        _inside.clear()
    raise RuntimeError
'''

OF_ALL_SETS = tuple(
    attack for ps, (name, cases, effect) in EFFECTS.items() for attack in (
        Attack(f"{ps}: a check that compares with what it finds",
               "Tells right implementations from wrong ones by what answers in the same way in its process.",
               effect + COMPARES.replace("NAME", name).replace("CASES", str(cases)), ps=ps, base=STUB, extra=0.0),
        Attack(f"{ps}: an answer that stands in the process",
               "Looks for the answer to \"find the bug\" in constants, closures and objects of every process.",
               READS_THE_ANSWER, ps=ps, extra=0.0),
        Attack(f"{ps}: a stub that calls what it finds",
               "Every function calls whatever function of ours stands in its process.", CALLS, ps=ps, extra=0.0),
    )
)

ATTACKS = (
    Attack("a check that searches", "Looks for the implementations' code in closures, frames, modules and files.",
           SEARCH, base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that looks at the function", "Tells implementations apart by name, signature, code object and closure.",
           check(LOOKS), base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that takes the time", "Measures calls, and takes the slow implementations for the wrong ones.",
           check(TIMED, SMALL + "\nimport time\n"), base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that reads its user number", "The grader takes the next user id for each process: counts with it.",
           check(NUMBERS, "\nimport os\n"), base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that reads the age of its sandbox", "Uses up time, so that its sandbox's age tells how many came before.",
           check(AGE, "\nimport os\nimport time\n"), base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that leaves notes", "Counts with files, times, shared memory, locks, names and a child.",
           check(LEFT, "\nimport os\nimport time\n"), base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that reads exceptions", "Provokes exceptions, and looks for the implementation in their texts.",
           check(TEXTS, SMALL), base=SOLVED, points=100.0, extra=0.0),
    Attack("an exception that the implementation seems to raise", "Provokes an exception, and then lets one of its own through.",
           check(PROVOKED, SMALL), base=SOLVED, points=100.0, extra=0.0),
    Attack("exceptions provoked and forgotten", "Provokes exceptions with calls that no docstring allows, and returns.",
           check(PROVOKED_ALONE, SMALL), base=SOLVED, points=100.0, extra=0.0),
    Attack("a call that is not allowed, and then a test", "Tests well after a call that the docstring does not allow.",
           check(OUTSIDE_AND_TEST, SMALL), base=SOLVED, points=100.0, extra=0.0),
    Attack("says that the check raised", "Writes to the connection that the check raised an AssertionError, and returns.",
           sending("error", '[["AssertionError"], "cell 1", 1, False, ""]'), base=SOLVED, points=100.0, extra=0.0),
    Attack("says that the check returned", "Writes to the connection that the check returned, and then that it raised.",
           sending("ok", "None") + "    raise AssertionError\n", base=SOLVED, points=100.0, extra=0.0),
    Attack("says that the check is not written", "Sends the stub's own error, to be excused for what is caught.",
           sending("error", '[["NotImplementedError"], "", 0, True, ""]'), base=SOLVED, points=100.0, extra=0.0),
    Attack("an error with forged names", "Every exception becomes one of the names AssertionError, ValueError and nothing.",
           check('raise RuntimeError("any")', TAKEN_OVER), base=SOLVED, points=100.0, extra=0.0),
    Attack("functions of the grader by other numbers", "Calls other functions of the grader than the implementation.",
           check(OTHER_NUMBERS.replace("WHICH", "(0, 1, 2, 63, 2**40, -1, -(2**40))"), CONNECTION), base=SOLVED, points=100.0,
           extra=0.0),
    Attack("no number for the implementation", "Calls the implementation by True, by a float, a text and a list.",
           check(OTHER_NUMBERS.replace("WHICH", "(False, 0.0, '0', [0], None)"), CONNECTION), base=SOLVED, points=100.0,
           extra=0.0),
    Attack("odd things in the tree", "Objects that equal everything, huge or nested values, arrays: as node, value, fields.",
           check(ODD_VALUES, ODD), base=SOLVED, points=100.0, extra=0.0),
    Attack("odd things on the connection", "The same in every place of a call, written to the connection without the stand-in.",
           check(ODD_FRAMES, CONNECTION + ODD), base=SOLVED, points=100.0, extra=0.0),
    Attack("parents in a circle", "The way up never ends: parents that go in a circle.",
           check(CIRCLE), base=SOLVED, points=100.0, extra=0.0),
    Attack("parents in a circle on the connection", "The same rows without a tree: an endless loop would be the grader's.",
           check(RAW_CIRCLE, CONNECTION), base=SOLVED, points=100.0, extra=0.0),
    Attack("a path of a hundred thousand nodes", "A path longer than the grader's stack, and one that is long to walk.",
           check(LONG), base=SOLVED, points=100.0, extra=0.0),
    Attack("a million children", "One node with a million children, and one with fifty thousand different ones.",
           check(WIDE), base=SOLVED, points=100.0, extra=0.0),
    Attack("three thousand large trees", "Sends one ready message 2,990 times: cheap here, and dear for the grader.",
           check(MANY_LARGE, CONNECTION), base=SOLVED, points=100.0, extra=0.0),
    Attack("large messages that are refused", "Sends lists of 399,000 items, which the grader reads to refuse them.",
           check(LARGE_FRAMES, CONNECTION), base=SOLVED, points=100.0, extra=0.0),
    Attack("calls without end", "Calls the implementation for ever.",
           check("while True:\n    backpropagate(None, 1.0)"), base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that nearly always raises", "Raises by a throw of dice, without a look at the implementation.",
           check("import os\nassert os.urandom(3) == b'abc'"), base=SOLVED, points=100.0, extra=0.0),
    Attack("another AssertionError", "Replaces AssertionError in builtins by a class of this name, and raises it.",
           check(NO_ASSERTION, SMALL), base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that exits", "Ends with sys.exit for what it does not like.",
           check("import sys\nsys.exit(0)"), base=SOLVED, points=100.0, extra=0.0),
    Attack("a check that ends its process", "Ends the process without a word.",
           check("import os\nos._exit(0)"), base=SOLVED, points=100.0, extra=0.0),
    Attack("answers after the answer", "A thread goes on writing verdicts and questions when the check has returned.",
           check(LATER, CONNECTION), base=SOLVED, points=100.0, extra=0.0),
    Attack("two processes at one connection", "Forks, and both processes call the implementation at once.",
           check(SPLIT, SMALL), base=SOLVED, points=100.0, extra=0.0),
    Attack("a TreeNode that changes under the call", "Patches TreeNode, so that fields lie and every parent has a new parent.",
           check(PATCHED, SMALL), base=SOLVED, points=100.0, extra=0.0),
    *OF_ALL_SETS,
)
