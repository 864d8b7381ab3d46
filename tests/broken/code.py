"""Code that students write: prints, plots, magics, names, signatures, types of answers, and lines at the end of a file."""

import sys

from autograder.grading.report import Outcome
from autograder.selftest.broken.bank import Mess
from autograder.selftest.broken.editing import code_cell, edited, replaced, rewritten
from autograder.selftest.demo.submission_maker import added, added_to_module, name_of_added

NONE = "The docstring promises a float, and your code gives None (from a branch that ends without a value?)"
BELOW = name_of_added("ps2_uct")
LOADED = "The rest of your code was loaded."
GRADED_WITH = f"Your code is graded with Python {sys.version_info.major}.{sys.version_info.minor}"

LAMBDA = """
ucb = lambda node, exploration: math.inf if not node.num_visits else (
    -node.total_value / node.num_visits
    + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
)
"""

SHORT_NAMES = """
def ucb(n, c):
    if n.num_visits == 0:
        return math.inf
    return -n.total_value / n.num_visits + c * math.sqrt(math.log(n.parent.num_visits) / n.num_visits)
"""

OF_NUMPY = """
import numpy as np


def as_numpy(function, kind):
    return lambda *args, **kwargs: kind(function(*args, **kwargs))


random_policy = as_numpy(random_policy, np.int64)
ucb = as_numpy(ucb, np.float64)
simulate = as_numpy(simulate, np.float32)
TreeNode.is_terminal = as_numpy(TreeNode.is_terminal, np.bool_)
"""

NOTES = "# %% [markdown]\n# what I think of bandits\n"

FLOAT_MOVE = """
exact = search


def search(*args, **kwargs):
    action, root = exact(*args, **kwargs)
    return float(action), root
"""

ENDLESS = """
def backpropagate(node, value):
    node.num_visits += 1
    node.total_value += value
    backpropagate(node, -value)
"""
# the consequences of a mistake in one exercise; the joint check waits for this exercise
LOST = {id: {id: Outcome.NOT_YET, "joint": Outcome.NOT_YET} for id in ("2.2", "2.4", "2.5", "2.6", "2.7", "2.9")}
UNWRITTEN = {id: {id: Outcome.NOT_WRITTEN, "joint": Outcome.NOT_YET} for id in ("2.3", "2.5", "2.6")}


def last(code):
    """A cell at the end of the right answer."""
    return lambda maker: maker.notebook(added(maker.solved, code))


def first(code):
    """A line at the start of the first exercise's cell."""
    return lambda maker: maker.notebook(rewritten(maker, "2.0", lambda text: f"{code}\n{text}"))


def swap(id, old, new):
    """Other text in an exercise's cell."""
    return lambda maker: maker.notebook(replaced(maker, id, old, new))


def tail(code):
    """The module form with something at its end."""
    return lambda maker: maker.module(added_to_module(maker.solved_module, code))


def nested(maker):
    """ucb, pasted into the function before it."""
    inner = "\n".join(f"    {line}" for line in maker.solutions["2.6"].splitlines())
    return maker.notebook(maker.filled(maker.solved, {"2.5": f"{maker.solutions['2.5']}\n\n{inner}", "2.6": "# see above"}))


def outside_of_its_class(text):
    """is_terminal at the left margin, below the class."""
    lines = text.split("\n")
    start = next(number for number, line in enumerate(lines) if "def is_terminal" in line)
    end = next(number for number, line in enumerate(lines) if "def is_fully_expanded" in line)
    moved = [line[4:] for line in lines[start:end]]
    return "\n".join([*lines[:start], *lines[end:], "", "", *moved])


def bodies_outside(text):
    """The body of ucb in a wrong place: at the left margin, below its function."""
    head, body = text.rsplit('"""\n', 1)
    return f'{head}"""\n    raise NotImplementedError("exercise 2.6 (ucb) is not written yet")\n\n' + "\n".join(
        line.removeprefix("    ") for line in body.split("\n")
    )


def tabs(text):
    """One line of the body with a tab instead of its blanks."""
    return text.replace("        return math.inf", "\t\treturn math.inf").replace("    mean =", "\tmean =")


MESSES = [
    # lines that are not Python, and lines that need something that is not there
    Mess(
        "pip in a cell",
        "!pip install and %matplotlib inline above an exercise",
        first("!pip install --quiet numpy\n%matplotlib inline"),
        quick=True,
    ),
    Mess(
        "magics all over",
        "cells that begin with %%time, and %load_ext",
        lambda maker: maker.notebook(
            rewritten(maker, "2.6", lambda text: f"%%time\n%load_ext autoreload\n%autoreload 2\n{text}")),
    ),
    Mess("help with a question mark", "a cell that asks Jupyter what a function does", last("random.Random?\nucb??")),
    Mess("reset at the end", "a cell that clears the kernel", last("%reset -f")),
    Mess(
        "writefile above an exercise",
        "%%writefile copies the cell of 2.6 into a file instead of running it",
        lambda maker: maker.notebook(rewritten(maker, "2.6", lambda text: f"%%writefile ucb.py\n{text}")),
        points=85,
        lost=UNWRITTEN["2.6"],
        says=("2.6: ucb is in code of cell 40 that could not be run.",),
    ),
    Mess(
        "input",
        "asks for a number at the top",
        last('wanted = int(input("how many simulations? "))'),
        says=(f"Skipped while loading: EOFError in {BELOW}, line 1. " + LOADED,),
    ),
    Mess(
        "a million lines", "prints a million lines while it is loaded", last('for n in range(1_000_000):\n    print("line", n)')
    ),
    Mess(
        "prints in every function", "traces of a long night", swap("2.6", "    mean =", "    print('ucb of', node)\n    mean =")
    ),
    Mess(
        "a plot",
        "draws what it has found",
        last("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"),
        says=(f"Skipped while loading: ModuleNotFoundError in {BELOW}, line 1, and 2 statements that need this import. ",),
    ),
    Mess(
        "a package that is not there",
        "pandas, for a table",
        last("import pandas as pd\npd.DataFrame()"),
        says=(
            f"Skipped while loading: ModuleNotFoundError in {BELOW}, line 1",
            "Graded code may import numpy, arena and Python's own modules, and nothing else.",
        ),
    ),
    Mess(
        "numba on a function",
        "ucb is compiled by a package that is not there",
        lambda maker: maker.notebook(rewritten(maker, "2.6", lambda text: f"from numba import njit\n\n\n@njit\n{text}")),
        points=85,
        lost=UNWRITTEN["2.6"],
        says=("ModuleNotFoundError in cell 40, line 1, and 1 statement that needs this import. ",
              "ucb in cell 40, line 4, was not loaded."),
    ),
    Mess(
        "numba on a second version",
        "ucb is compiled in a cell below, by a package that is not there",
        last("from numba import njit\n\n\n@njit\ndef ucb(node, exploration):\n    return 0"),
        says=(f"ucb in {BELOW}, line 4, was not loaded, so the one in cell 40, line ",),
    ),
    Mess(
        "writes a file",
        "saves a tree beside the notebook",
        last('open("tree.txt", "w").write("a tree")'),
        says=(f"Skipped while loading: OSError in {BELOW}, line 1. " + LOADED,),
    ),
    Mess(
        "raises at the top",
        "a cell that divides by zero, on purpose",
        last("1 / 0\nx = 5"),
        says=(f"Skipped while loading: ZeroDivisionError in {BELOW}, line 1. " + LOADED,),
        quick=True,
    ),
    Mess(
        "exits at the end",
        "a script's last line",
        tail("import sys\nsys.exit(0)"),
        form="module",
        says=("Skipped while loading: SystemExit in ps2_uct.py, line ",),
    ),
    Mess(
        "trains under __main__",
        "a long run below `if __name__ == '__main__'`",
        tail('if __name__ == "__main__":\n    while True:\n        self_play(TicTacToe(), 10_000, 1.0, random.Random())'),
        form="module",
    ),
    Mess(
        "runs for hours at the top",
        "a tournament in a plain cell",
        last("while True:\n    self_play(TicTacToe(), 500, 1.0, random)"),
        says=(
            "Running all your cells ended the program or took too long, so only imports, definitions and constants were loaded.",
        ),
    ),
    Mess(
        "imports itself", "from ps2_uct import *, in a notebook that has everything", first("from ps2_uct import *"), quick=True
    ),
    Mess(
        "relative import",
        "from . import helpers, from a package at home",
        first("from . import helpers"),
        says=("Skipped while loading: ImportError in cell 9, line 1. " + LOADED,),
    ),
    Mess(
        "a helper beside it",
        "ucb calls a module of the student's own that was not handed in",
        swap("2.6", "    mean =", "    import helpers\n    mean ="),
        points=85,
        lost=LOST["2.6"],
        says=("ModuleNotFoundError in cell 40, line ",),
    ),
    Mess(
        "a notebook that imports its module",
        "the work is in ps2_uct.py; the notebook says from ps2_uct import * at its end",
        lambda maker: maker.module(maker.solved_module) | maker.notebook(added(maker.stub, "from ps2_uct import *")),
        quick=True,
        says=("Your notebook imports the module beside it, so the module was loaded there.",),
    ),
    Mess(
        "a notebook that imports notes",
        "the notebook has everything and says from ps2_uct import *; the module beside it holds notes and no code",
        lambda maker: maker.module(NOTES) | first("from ps2_uct import *")(maker),
        quick=True,
    ),
    Mess(
        "an import of notes alone",
        "from ps2_uct import *, and beside it a module that holds notes and no code",
        lambda maker: maker.module(NOTES) | maker.notebook(edited(maker.stub, lambda content: content.update(cells=[
            code_cell("from ps2_uct import *")]))),
        points=0,
        lost=None,
        quick=True,
        says=("2.0: the function ucb1 is missing.",),
    ),
    # text that takes long to read
    Mess(
        "a line of blanks",
        "100,000 blanks and a dollar, where a key was held down",
        last(" " * 100_000 + "$"),
        quick=True,
        says=(f"Skipped while loading: IndentationError in {BELOW}, line 1.",),
    ),
    Mess(
        "signs without end",
        "ucb ends in an exception with 1,400 signs before its argument",
        last(f"def ucb(node, exploration):\n    x = 1\n    raise NotImplementedError({'-' * 1_400}1)"),
        points=85,
        lost=LOST["2.6"],
        says=(f"2.6: ucb is defined more than once, last in {BELOW}: the last one counts.",),
    ),
    Mess("brackets without end", "5,000 brackets that do not close", last("x = " + "[" * 5_000),
         says=(f"Skipped while loading: SyntaxError in {BELOW}, line 1.",)),
    Mess("dots without end", "100,000 dots in a row", last("x" + ".x" * 50_000), says=("Skipped while loading: ",)),
    # names, signatures, places
    Mess(
        "a typo in a name",
        "the function is called backpropogate",
        swap("2.5", "def backpropagate", "def backpropogate"),
        points=85,
        lost=UNWRITTEN["2.5"],
        says=("2.5: the function backpropagate is missing; is it the one that you call backpropogate?",),
        quick=True,
    ),
    Mess(
        "a name in another style",
        "bestChild, as in another language",
        swap("2.7", "def best_child", "def bestChild"),
        points=88,
        lost={"2.7": Outcome.NOT_WRITTEN, "joint": Outcome.NOT_YET},
        says=("2.7: the function best_child is missing; is it the one that you call bestChild?",),
    ),
    Mess(
        "a parameter left out",
        "ucb without exploration",
        lambda maker: maker.notebook(
            rewritten(
                maker, "2.6", lambda text: text.replace(", exploration: float", "").replace("exploration * math", "1.0 * math")
            )
        ),
        points=85,
        lost=LOST["2.6"],
        says=("2.6: ucb takes (node, exploration) in the assignment and (node) in yours.",),
    ),
    Mess(
        "parameters in another order",
        "best_child(node, rng, exploration)",
        swap("2.7", "exploration: float, rng: random.Random", "rng: random.Random, exploration: float"),
        points=88,
        lost=LOST["2.7"],
        says=("2.7: best_child takes (node, exploration, rng) in the assignment and (node, rng, exploration) in yours.",),
    ),
    Mess(
        "one more parameter",
        "ucb has a parameter of its own, with a default",
        swap("2.6", "exploration: float)", "exploration: float, debug: bool = False)"),
    ),
    Mess(
        "renamed parameters",
        "ucb(n, c), which nobody calls by name",
        lambda maker: maker.notebook(maker.filled(maker.solved, {"2.6": SHORT_NAMES})),
    ),
    Mess("a lambda", "ucb as a lambda", lambda maker: maker.notebook(maker.filled(maker.solved, {"2.6": LAMBDA}))),
    Mess(
        "inside another function",
        "ucb was pasted into backpropagate",
        nested,
        points=85,
        lost=UNWRITTEN["2.6"],
        says=("2.6: ucb is inside backpropagate: move it to the left margin.",),
    ),
    Mess(
        "outside of its class",
        "is_terminal at the left margin",
        lambda maker: maker.notebook(rewritten(maker, "2.3", outside_of_its_class)),
        points=89,
        lost=UNWRITTEN["2.3"] | {"2.3": Outcome.NOT_YET},
        says=("2.3: is_terminal is outside class TreeNode: indent it.",),
    ),
    Mess(
        "a body outside",
        "the body of ucb stands below its function, at the left margin",
        lambda maker: maker.notebook(rewritten(maker, "2.6", bodies_outside)),
        points=85,
        lost=UNWRITTEN["2.6"],
        says=("SyntaxError in cell 40, line ",),
    ),
    Mess(
        "the stub's raise left in",
        "backpropagate is written, and the raise still stands below it",
        lambda maker: maker.notebook(
            rewritten(
                maker,
                "2.5",
                lambda text: (
                    f'{text.rstrip()}\n    raise NotImplementedError("exercise 2.5 (backpropagate) is not written yet")\n'
                ),
            )
        ),
        points=85,
        lost=UNWRITTEN["2.5"],
        says=("2.5: backpropagate still raises NotImplementedError, as the stub does: delete that line.",),
        quick=True,
    ),
    Mess(
        "a raise that is never reached",
        "ucb returns before the stub's raise",
        lambda maker: maker.notebook(
            rewritten(
                maker,
                "2.6",
                lambda text: f'{text.rstrip()}\n    raise NotImplementedError("exercise 2.6 (ucb) is not written yet")\n',
            )
        ),
    ),
    Mess(
        "a variable called max",
        "a score kept under the name of a built-in",
        last("max = 0\nlist = [1, 2, 3]"),
        points=46,
        lost=None,
        says=("TypeError in cell ", f"max is one of Python's own names, and is overwritten in {BELOW}: take another."),
    ),
    Mess(
        "tabs and blanks",
        "one editor for the one line, another for the next",
        lambda maker: maker.notebook(rewritten(maker, "2.6", tabs)),
        points=85,
        lost=UNWRITTEN["2.6"],
        says=("TabError in cell 40, line ",),
    ),
    Mess(
        "a blank from a web page",
        "a no-break space in the code",
        swap("2.6", "    mean =", "\u00a0   mean ="),
        points=85,
        lost=UNWRITTEN["2.6"],
        says=("SyntaxError in cell 40, line ",),
    ),
    *([Mess(
        "f-string of Python 3.12",
        "quotes within the same quotes",
        swap("2.6", "    mean =", '    text = f"{"ucb"}"\n    mean ='),
        points=85,
        lost=UNWRITTEN["2.6"],
        says=("Skipped while loading: syntax of Python 3.12 in cell 40, line ", f"{GRADED_WITH}, and cell 40, line ",
              ", needs Python 3.12 (quotes, a backslash, "),
    )] if sys.version_info < (3, 12) else []),
    *([Mess(
        "except of Python 3.14",
        "two exceptions without brackets",
        last("try:\n    x = 1\nexcept ValueError, TypeError:\n    pass"),
        says=(f"syntax of Python 3.14 in {BELOW}, line 3", f"{GRADED_WITH}, and {BELOW}, line 3, needs Python 3.14 (several "),
    )] if sys.version_info < (3, 14) else []),
    Mess(
        "conflict markers in a cell",
        "a merge that was never ended, in the cell of 2.6",
        swap("2.6", "    mean =", "<<<<<<< HEAD\n    mean = 0\n=======\n    mean ="),
        points=85,
        lost=UNWRITTEN["2.6"],
        says=(
            "SyntaxError in cell 40, line ",
            "Marks of an unfinished merge (<<<<<<<) are in cell 40: keep one of the two versions.",
        ),
    ),
    # types of answers
    Mess(
        "returns None",
        "ucb computes and forgets to return",
        swap("2.6", "    return mean +", "    mean = mean +"),
        points=85,
        lost=LOST["2.6"],
        says=(NONE,),
        quick=True,
    ),
    Mess(
        "prints instead of returning",
        "ucb shows its bound",
        lambda maker: maker.notebook(
            rewritten(
                maker, "2.6", lambda text: text.replace("    return mean + exploration", "    print(mean + exploration") + ")"
            )
        ),
        points=85,
        lost=LOST["2.6"],
        says=(NONE,),
    ),
    Mess(
        "yields",
        "ucb is a generator",
        swap("2.6", "    return mean", "    yield mean"),
        points=85,
        lost=LOST["2.6"],
        says=("The docstring promises a float, and your code gives an object",),
    ),
    Mess("numbers of numpy", "actions, values and truths of numpy", last(OF_NUMPY), quick=True),
    Mess(
        "whole numbers for values",
        "simulate returns 1, 0 and -1",
        last("exact = simulate\n\n\ndef simulate(*args, **kwargs):\n    value = exact(*args, **kwargs)\n"
             "    return int(value) if value in (1, 0, -1) else value"),
    ),
    Mess(
        "text for a number",
        "ucb returns a formatted number",
        swap("2.6", "    return mean +", "    return '%.3f' % mean +"),
        points=85,
        lost=LOST["2.6"],
        says=("TypeError in cell 40, line ",),
    ),
    Mess(
        "True for one",
        "an arm is True, which is 1",
        last(
            "exact = epsilon_greedy\n\n\ndef epsilon_greedy(*args):\n    arm = exact(*args)\n    return True if arm == 1 else arm"
        ),
        points=92,
        lost={"2.0": Outcome.NOT_YET},
        says=("The docstring promises an int, and your code gives a bool",),
    ),
    Mess(
        "a float for a move",
        "search returns 3.0 for 3",
        last(FLOAT_MOVE),
        points=81,
        lost={"2.9": Outcome.NOT_YET, "joint": Outcome.NOT_YET},
        says=("The docstring promises an int, and your code gives a float",),
    ),
    Mess(
        "only the move",
        "search returns the move and forgets the root",
        swap("2.9", "    return action, root", "    return action"),
        points=81,
        lost=LOST["2.9"],
        says=("The docstring promises a tuple of 2, and your code gives an int",),
    ),
    # time and memory
    Mess(
        "endless recursion",
        "backpropagate calls itself once too often",
        lambda maker: maker.notebook(maker.filled(maker.solved, {"2.5": ENDLESS})),
        points=85,
        lost=LOST["2.5"],
        says=("RecursionError in cell ",),
    ),
    Mess(
        "slow but right",
        "ucb counts to a hundred before it answers",
        swap("2.6", "    mean =", "    for _ in range(100):\n        pass\n    mean ="),
    ),
    Mess(
        "far too slow",
        "ucb counts to a million before it answers",
        swap("2.6", "    mean =", "    for _ in range(100_000_000):\n        pass\n    mean ="),
        points=85,
        lost={"2.6": Outcome.TOO_SLOW, "joint": Outcome.NOT_YET},
        says=("Your code used up its time",),
    ),
    Mess(
        "sleeps",
        "a pause between two moves, to watch the game",
        swap("2.11", "        actions.append", "        import time; time.sleep(0.01)\n        actions.append"),
    ),
    Mess(
        "deprecated but right",
        "the style of ten years ago",
        lambda maker: maker.notebook(
            rewritten(
                maker,
                "2.6",
                lambda text: (
                    "import warnings\nfrom typing import Dict, List, Optional\n\nwarnings.simplefilter('error')\n"
                    "warnings.filterwarnings('default')\n\n\n"
                    + text.replace("    mean =", "    assert (node, 'never false') is not None\n    mean =")
                ),
            )
        ),
    ),
    Mess(
        "seeds everything",
        "random.seed(0) and numpy's too, at the top",
        first("import numpy as np\nrandom.seed(0)\nnp.random.seed(0)"),
    ),
    Mess(
        "a global counter",
        "counts its own calls in a global",
        swap("2.6", "    mean =", "    global calls\n    calls = globals().get('calls', 0) + 1\n    mean ="),
    ),
]
