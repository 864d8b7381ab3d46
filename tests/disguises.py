"""The published solution of ps2, handed in by somebody who hides where it comes from."""

import ast
import re

from autograder.problem_sets.bank.answers import right_answers
from autograder.problem_sets.source import load
from tests.students import solved, stub

PS = "ps2_uct"
COPIED = ("2.2", "2.9", "2.10")  # the exercises of a partial copy
# What Python lets everybody write in another way; each text is in our solution once.
OTHER_WAYS = {
    "plies += 1": "plies = plies + 1",
    "N[state][action] += 1": "N[state][action] = N[state][action] + 1",
    "return rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])":
        "chosen: int = rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])\n    return chosen",
    'raise ValueError("nothing to expand: the game is over, or every action has its child")':
        'raise ValueError(f"no child can be added to {node}")',
    "root.is_terminal(game) or num_simulations < 1": "root.is_terminal(game) or 1 > num_simulations",
    "elif evaluate is not None:\n": "elif not evaluate is None:\n            print('evaluating')\n",
    "        return outcome\n    if state not in N:": "        return outcome\n    elif state not in N:",
    "math.sqrt(math.log(visits) / count)": "root_of(log(visits) / count)",
    "import math\n": "import math\nfrom math import log, sqrt as root_of\n",
    "def expand(game: Game, node: TreeNode, rng: random.Random) -> TreeNode:": "def expand(game, node, rng):",
}


def disguises() -> dict[str, str]:
    """The whole solution as a module, by what hides it."""
    ours = solved(PS)
    return {"other names and layout": other_names(ours), "other comments": other_comments(ours),
            "another order": another_order(ours), "written in other ways": other_ways(ours)}


def partial_copy() -> str:
    """The stub with somebody's own answers; three of them are ours, under other names."""
    own = "\n\n".join(f"# %%\n{code}" for code in right_answers(PS)[2:5])
    ours = [cell.solution for cell in load(PS).cells if cell.role == "exercise" and cell.id in COPIED]
    return "\n\n".join([stub(PS), own, *(f"# %%\n{other_names(code)}" for code in ours)])


def other_names(code: str) -> str:
    """The same code with another name for whatever a function names; no comment and no line end is as before."""
    tree = ast.parse(code)
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        nodes = list(ast.walk(function))
        names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        for node in nodes:
            if isinstance(node, ast.Name) and node.id in names:
                node.id = f"my_{node.id[::-1]}"
            elif isinstance(node, ast.arg):
                node.arg = f"my_{node.arg[::-1]}"
    return ast.unparse(tree)


def other_comments(code: str) -> str:
    """The same code with a comment on every other line of code, blank lines, and other docstrings."""
    code = re.sub(r'(?m)^( *)"""[^"]*"""$', r'\1"""I wrote this."""', code)
    return re.sub(r"(?m)^(    .*[\w)\]])$(?!\n +[+*/.])", r"\1  # as I see it\n", re.sub(r"(?m)  # .*$", "", code))


def another_order(code: str) -> str:
    """The same cells, with those of the exercises from the last to the first."""
    head, *cells = re.split(r"(?m)^(?=# %%)", code)
    exercises = [cell for cell in cells if cell.startswith("# %% exercise")]
    return head + "".join(exercises.pop() if cell.startswith("# %% exercise") else cell for cell in cells)


def other_ways(code: str) -> str:
    """The same code, with each of OTHER_WAYS."""
    for ours, other in OTHER_WAYS.items():
        assert code.count(ours) == 1, ours
        code = code.replace(ours, other)
    return code
