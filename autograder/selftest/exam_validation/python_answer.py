"""A wrong answer of the bank as a player in plain Python; the compiled players of `flawed_uct.py` copy such players."""

import importlib.util
import random
from pathlib import Path
from types import ModuleType

from arena.games import ConnectFour
from autograder.problem_sets.bank.answers import Answer

GAME = ConnectFour()
SOLUTION = Path("solutions/ps3_connect_four.py")


class PythonPlayer:
    """A player for `arena.match`: our `uct` of problem set 3, changed by an answer of the bank."""

    def __init__(self, answer: Answer | None = None) -> None:
        self._module = solution_with(answer.code, answer.title) if answer is not None else solution_with()

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        """Return the move of the answer's `uct`."""
        action: int = self._module.uct(GAME, state, rng, simulations=simulations)[0]
        return action


def solution_with(code: str = "", title: str = "nothing") -> ModuleType:
    """Return the solution as a new module, so that answers do not influence each other, changed by the code below it.

    Args:
        title: names the code in tracebacks.
    """
    spec = importlib.util.spec_from_file_location("python_answer", SOLUTION)
    assert spec and spec.loader  # the path is a Python file
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    exec(compile(code, title, "exec"), module.__dict__)
    return module
