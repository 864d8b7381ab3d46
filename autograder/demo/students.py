"""Who is in a demo class, and how each of them came by a submission. It is the same for every problem set."""

from collections.abc import Callable
from dataclasses import dataclass

from autograder.demo import forgeries
from autograder.demo.cast import Cast
from autograder.demo.workshop import Files, Workshop, added, added_to_module, without_markers
from autograder.verify.bank import Answer

ENDLESS_LOOP = '''
def {name}(*arguments, **options):
    """Go round and round."""
    number = 0
    while number != 1:
        number = -number  # it never moves
'''

MEMORY_HOG = '''
def {name}(*arguments, **options):
    """Make room for everything that there could be, just in case."""
    return [arguments] * 10**10
'''

FLOOD = '''
# what is going on here?
for number in range(100_000):
    print("number", number, "x" * 986)
'''

TALKATIVE = '''
import sys
import warnings

quiet = {name}


def talking(*arguments, **options):
    print("called with", len(arguments), "arguments", file=sys.stderr)
    print("and", len(options), "options")
    warnings.warn("this may take a while")
    return quiet(*arguments, **options)


{name} = talking
'''

SCRIPT = """
My notes: <script>document.body.innerHTML = "100 of 100"</script> and <img src=x onerror="alert('graded')">.

No heuristic is needed.
"""


@dataclass(frozen=True)
class Student:
    """One made-up student: the folder's name and how the files are made."""

    handle: str
    make: Callable[[Workshop], Files]


def class_of(cast: Cast) -> tuple[Student, ...]:
    """Return the 30 students of a set's demo class."""
    return (*_right_ones(cast), *_wrong_ones(cast), *_unfinished(cast), *_broken(cast), *_forged())


def _right_ones(cast: Cast) -> list[Student]:
    return [
        Student("ada", lambda shop: shop.notebook(shop.solved)),
        *(Student(handle, _answer(lambda shop, name=name: shop.right[name], form))
          for handle, name, form in zip(("bela", "chidi", "dana", "emeka"), cast.right,
                                        ("module", "notebook", "notebook", "module"), strict=True)),
        Student("freya", _solved_with(TALKATIVE.format(name=cast.talkative))),
    ]


def _wrong_ones(cast: Cast) -> list[Student]:
    handles = ("gita", "hugo", "ines", "jonas", "kenji", "lara", "milo", "nadia")
    forms = {"ines": "module", "lara": "module"}
    return [Student(handle, _answer(lambda shop, key=key: shop.wrong[key], forms.get(handle, "notebook")))
            for handle, key in zip(handles, cast.wrong, strict=True)]


def _unfinished(cast: Cast) -> list[Student]:
    return [
        Student("otto", lambda shop: shop.notebook(shop.stub) | shop.module(shop.stub_module)),
        Student("petra", lambda shop: shop.notebook(shop.written_up_to(cast.half))),
        # both forms at once
        Student("quinn", lambda shop: shop.notebook(shop.solved) | shop.module(without_markers(shop.solved_module))),
        Student("rosa", lambda shop: shop.notebook(shop.written_up_to(cast.half)) | shop.module(shop.solved_module)),
    ]


def _broken(cast: Cast) -> list[Student]:
    return [
        Student("samir", lambda shop: shop.notebook(shop.solved[: len(shop.solved) * 3 // 5])),
        Student("tove", lambda shop: {}),
        Student("umar", lambda shop: shop.notebook(shop.filled(shop.solved, {cast.syntax: _misspelt(shop, cast.syntax)}))),
        Student("vera", lambda shop: shop.notebook(shop.replaced(cast.endless, ENDLESS_LOOP))),
        Student("wanda", lambda shop: shop.notebook(shop.replaced(cast.hog, MEMORY_HOG))),
        Student("xavi", _solved_with(FLOOD)),
        Student("yara", _solved_with(SCRIPT, "markdown")),
    ]


def _forged() -> list[Student]:
    codes = zip(("zeno", "abel", "brix", "cleo", "dorn"), forgeries.ALL, strict=True)
    return [Student(handle, lambda shop, code=code: shop.notebook(added(shop.stub, code(shop.ps, shop.functions))))
            for handle, code in codes]


def _answer(find: Callable[[Workshop], Answer], form: str) -> Callable[[Workshop], Files]:
    def make(shop: Workshop) -> Files:
        answer = find(shop)
        if form == "module":
            return shop.module(added_to_module(shop.solved_module, answer.code))
        return shop.notebook(shop.answered(answer))

    return make


def _misspelt(shop: Workshop, id: str) -> str:
    return "retrun ".join(shop.solutions[id].rsplit("return ", 1))


def _solved_with(source: str, cell_type: str = "code") -> Callable[[Workshop], Files]:
    return lambda shop: shop.notebook(added(shop.solved, source, cell_type))
