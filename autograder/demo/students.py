"""Who is in the demo class of ps2_uct, and how each of them came by a submission."""

from collections.abc import Callable
from dataclasses import dataclass

from autograder.demo import forgeries
from autograder.demo.workshop import Files, Workshop, added, added_to_module, without_markers

ENDLESS_LOOP = '''
def backpropagate(node, value):
    """Add the result of one simulation to every node up to the root."""
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        value = -value  # and node never moves
'''

MEMORY_HOG = '''
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    """Search, with room for every board that there could be, just in case."""
    seen = [state] * 10**10
    return seen
'''

FLOOD = '''
# what is going on here?
for number in range(100_000):
    print("node", number, "x" * 988)
'''

TALKATIVE = '''
import sys
import warnings

quiet_search = search


def search(*args, **kwargs):
    print("searching", args[1], file=sys.stderr)
    print("with", args[2], "simulations")
    warnings.warn("this may take a while")
    return quiet_search(*args, **kwargs)
'''

SCRIPT = """
My notes on 2.13: <script>document.body.innerHTML = "100 of 100"</script> and <img src=x onerror="alert('graded')">.

MCTS needs no heuristic.
"""


@dataclass(frozen=True)
class Student:
    """One made-up student: the folder's name and how the files are made."""

    handle: str
    make: Callable[[Workshop], Files]


def _right(name: str, form: str = "notebook") -> Callable[[Workshop], Files]:
    return lambda shop: _in_form(shop, shop.right[name], form)


def _wrong(exercise: str, name: str, form: str = "notebook") -> Callable[[Workshop], Files]:
    return lambda shop: _in_form(shop, shop.wrong[exercise, name], form)


def _in_form(shop: Workshop, answer: object, form: str) -> Files:
    if form == "module":
        return shop.module(added_to_module(shop.solved_module, answer.code))
    return shop.notebook(shop.answered(answer))


def _forged(code: str) -> Callable[[Workshop], Files]:
    return lambda shop: shop.notebook(added(shop.stub, code))


def _syntax_error(shop: Workshop) -> Files:
    wrong = "retrun ".join(shop.solutions["2.6"].rsplit("return ", 1))
    return shop.notebook(shop.filled(shop.solved, {"2.6": wrong}))


def _both_equal(shop: Workshop) -> Files:
    return shop.notebook(shop.solved) | shop.module(without_markers(shop.solved_module))


def _both_different(shop: Workshop) -> Files:
    return shop.notebook(shop.written_up_to("2.5")) | shop.module(shop.solved_module)


def _cut_off(shop: Workshop) -> Files:
    return shop.notebook(shop.solved[: len(shop.solved) * 3 // 5])


def _solved_with(source: str, cell_type: str = "code") -> Callable[[Workshop], Files]:
    return lambda shop: shop.notebook(added(shop.solved, source, cell_type))


def _filled(id: str, source: str) -> Callable[[Workshop], Files]:
    return lambda shop: shop.notebook(shop.filled(shop.solved, {id: source}))


PS2_UCT = (
    # six right answers
    Student("ada", lambda shop: shop.notebook(shop.solved)),
    Student("bela", _right("recursive backpropagate", "module")),
    Student("chidi", _right("numpy everywhere")),
    Student("dana", _right("a list of untried actions in every node")),
    Student("emeka", _right("a dataclass", "module")),
    Student("freya", _solved_with(TALKATIVE)),
    # eight wrong ones
    Student("gita", _wrong("2.5", "backpropagate does not flip the sign")),
    Student("hugo", _wrong("2.6", "the logarithm of the child's visits")),
    Student("ines", _wrong("2.2", "a draw is a loss", "module")),
    Student("jonas", _wrong("2.4", "the same child again and again")),
    Student("kenji", _wrong("2.1", "the global generator instead of rng")),
    Student("lara", _wrong("2.7", "ties go to the first child", "module")),
    Student("milo", _wrong("2.9", "the move with the best mean")),
    Student("nadia", _wrong("2.10", "the value from below is not negated")),
    # unfinished
    Student("otto", lambda shop: shop.notebook(shop.stub) | shop.module(shop.stub_module)),
    Student("petra", lambda shop: shop.notebook(shop.written_up_to("2.5"))),
    # both forms at once
    Student("quinn", _both_equal),
    Student("rosa", _both_different),
    # broken
    Student("samir", _cut_off),
    Student("tove", lambda shop: {}),
    Student("umar", _syntax_error),
    Student("vera", _filled("2.5", ENDLESS_LOOP)),
    Student("wanda", _filled("2.9", MEMORY_HOG)),
    Student("xavi", _solved_with(FLOOD)),
    Student("yara", _solved_with(SCRIPT, "markdown")),
    # forged
    Student("zeno", _forged(forgeries.ALWAYS_EQUAL)),
    Student("abel", _forged(forgeries.EXIT)),
    Student("brix", _forged(forgeries.PATCHED)),
    Student("cleo", _forged(forgeries.WRITING)),
    Student("dorn", _forged(forgeries.READING)),
)
STUDENTS = {"ps2_uct": PS2_UCT}
