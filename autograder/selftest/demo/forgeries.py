"""Five attempts to get points without an answer. Each is appended to the untouched stub, so each must earn nothing.

All of them are harmless in the sandbox; do not run them anywhere else. FUNCTIONS stands for all functions that a student has
to write, PS for the set's name.
"""

from collections.abc import Callable, Sequence

ALWAYS_EQUAL = '''
class Whatever(float):
    """Equal to everything, and larger, and smaller."""

    def __new__(cls, *args):
        return float.__new__(cls, 1.0)

    def __getattr__(self, name):
        return Whatever()

    __call__ = __getitem__ = __sub__ = __rsub__ = __add__ = __neg__ = __abs__ = __round__ = lambda self, *args: Whatever()
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __iter__ = lambda self: iter((Whatever(), Whatever()))


def whatever(*args, **kwargs):
    return Whatever()


FUNCTIONS = whatever
'''

EXIT = '''
import os


def leave(*args, **kwargs):
    os._exit(0)  # success, says the shell


FUNCTIONS = leave
'''

PATCHED = '''
def passed(*args, **kwargs):
    return True


FUNCTIONS = passed

import builtins
import sys
import types

builtins.AssertionError = type("Quiet", (BaseException,), {"__new__": lambda cls, *args: None})
builtins.abs = builtins.round = lambda *args: 0
builtins.all = builtins.any = passed
for name in ("pytest", "_pytest.outcomes", "_pytest.assertion", "arena.check"):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].fail = sys.modules[name].expect = lambda *args, **kwargs: None
    sys.modules[name].raises = sys.modules[name].approx = passed
for module in list(sys.modules.values()):  # whoever compares shall find all equal
    for name in ("compare", "coerce", "judge", "outcome", "verdict", "is_close"):
        if callable(getattr(module, name, None)):
            setattr(module, name, passed)
'''

WRITING = '''
import pathlib
import sqlite3

here = pathlib.Path.cwd()
for place in [here, *here.parents, *map(pathlib.Path, ("/srv", "/home", "/root", "/tmp"))]:
    for gradebook in [place / "gradebook.db", *place.glob("*/gradebook.db")]:
        try:
            with sqlite3.connect(gradebook) as database:
                database.execute("UPDATE grade SET auto_score = 100, manual_score = 100")
        except sqlite3.Error:
            pass

open("tests/hidden/PS/conftest.py", "w").write("import os; os._exit(0)")
'''

READING = '''
import pathlib

roots = map(pathlib.Path, ("/srv", "/home", "/root", "/opt", "/tmp"))
found = [path for root in roots for path in root.glob("**/hidden/PS/test_*.py")]
hidden = open(found[0] if found else "tests/hidden/PS/test_them.py").read()
exec(open("solutions/PS.py").read())
'''


def _forgery(text: str) -> Callable[[str, Sequence[str]], str]:
    """Return forgery(ps, functions) -> the text for one problem set."""
    return lambda ps, functions: text.replace("FUNCTIONS", " = ".join(functions)).replace("PS", ps)


ALL = tuple(map(_forgery, (ALWAYS_EQUAL, EXIT, PATCHED, WRITING, READING)))
