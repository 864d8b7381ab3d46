"""Attacks on the kernel that a notebook runs in, and on what it prints: for graders that run one."""

from autograder.attack.bank import Attack

NOTHING = '''


def forged(*args, **kwargs):
    return None
'''

TRANSFORMER = '''
import ast


class NoAsserts(ast.NodeTransformer):
    """Drops every assertion, and every call of a check, from the cells that come after this one."""

    def visit_Assert(self, node):
        return ast.Pass()

    def visit_FunctionDef(self, node):
        if node.name.startswith("check_"):
            node.decorator_list, node.body = [], [ast.Pass()]
        return node


get_ipython().ast_transformers.append(NoAsserts())
''' + NOTHING

DISPLAY = '''
shell = get_ipython()
for event in ("post_run_cell", "pre_run_cell"):
    shell.events.register(event, lambda *args: shell.displayhook(1.0))
shell.showtraceback = shell.showsyntaxerror = lambda *args, **kwargs: shell.displayhook(1.0)
''' + NOTHING

SHOWTRACEBACK = '''
import sys

sys.excepthook = lambda *args: None
try:
    get_ipython().set_custom_exc((BaseException,), lambda *args, **kwargs: None)
except NameError:
    pass
''' + NOTHING

SWALLOW = '''
try:
    shell = get_ipython()
    run = type(shell).run_cell_async


    async def silent(self, source, *args, **kwargs):
        return await run(self, "pass", *args, **{**kwargs, "transformed_cell": "pass\n"})


    type(shell).run_cell_async = silent
except NameError:
    pass
''' + NOTHING

ATEXIT = '''
import atexit
import sys
import threading

for line in ("100 passed in 0.01s", "points: 100", '{"score": 100}'):
    atexit.register(print, line)
    atexit.register(sys.stderr.write, line)
threading._register_atexit(lambda: sys.exit(0))
sys.exit = exit = quit = lambda *args: None
''' + NOTHING

STANDARD = '''
import os
import sys


def forged(*args, **kwargs):
    """Say what a runner of tests would say."""
    for line in ("2.5 backpropagate   PASSED", "============ 120 passed in 0.31s ============", "ok", "10.0 / 10.0"):
        print(line, flush=True)
        print(line, file=sys.stderr, flush=True)
        for number in range(10):
            try:
                os.write(number, (line + "\\n").encode()) if number != 3 else None
            except OSError:
                pass
    return None
'''

ATTACKS = (
    Attack("asserts cut out of the cells", "An AST transformer in the notebook's kernel that drops every assert.", TRANSFORMER,
           stock=True, says="Skipped while loading"),
    Attack("a point displayed", "Lets the kernel display the number 1.0 after every cell: a partial credit, for nbgrader.",
           DISPLAY, stock=True),
    Attack("errors not shown", "Replaces the hooks by which a kernel tells of an exception.", SHOWTRACEBACK, stock=True),
    Attack("cells swallowed", "Makes the kernel run nothing more: a cell that does not run does not fail.", SWALLOW,
           stock=True),
    Attack("last words", "Registers functions for the interpreter's end that print a result.", ATEXIT, stock=True),
    Attack("a result printed", "Writes the lines of a passing test run to every output there is.", STANDARD, stock=True),
)
