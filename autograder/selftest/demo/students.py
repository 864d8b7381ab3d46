"""The students of a demo class and the origin of their submissions; the same for every problem set."""

from collections.abc import Callable
from dataclasses import dataclass

from autograder.problem_sets.bank.answers import Answer
from autograder.selftest.demo import forgeries
from autograder.selftest.demo.members import Cast
from autograder.selftest.demo.submission_maker import Files, SubmissionMaker, added, added_to_module, without_markers

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
    """One invented student: the folder's name and the function that makes the files."""

    handle: str
    make: Callable[[SubmissionMaker], Files]


def class_of(cast: Cast) -> tuple[Student, ...]:
    """Return the 30 students of a set's demo class."""
    return (*_right_ones(cast), *_wrong_ones(cast), *_unfinished(cast), *_broken(cast), *_forged())


def _right_ones(cast: Cast) -> list[Student]:
    return [
        Student("ada", lambda maker: maker.notebook(maker.solved)),
        *(Student(handle, _right(name, form))
          for handle, name, form in zip(("bela", "chidi", "dana", "emeka"), cast.right,
                                        ("module", "notebook", "notebook", "module"), strict=True)),
        Student("freya", _solved_with(TALKATIVE.format(name=cast.talkative))),
    ]


def _wrong_ones(cast: Cast) -> list[Student]:
    handles = ("gita", "hugo", "ines", "jonas", "kenji", "lara", "milo", "nadia")
    forms = {"ines": "module", "lara": "module"}
    return [Student(handle, _wrong(key, forms.get(handle, "notebook")))
            for handle, key in zip(handles, cast.wrong, strict=True)]


def _unfinished(cast: Cast) -> list[Student]:
    return [
        Student("otto", lambda maker: maker.notebook(maker.stub) | maker.module(maker.stub_module)),
        Student("petra", lambda maker: maker.notebook(maker.written_up_to(cast.half))),
        # both forms at once
        Student("quinn", lambda maker: maker.notebook(maker.solved) | maker.module(without_markers(maker.solved_module))),
        Student("rosa", lambda maker: maker.notebook(maker.written_up_to(cast.half)) | maker.module(maker.solved_module)),
    ]


def _broken(cast: Cast) -> list[Student]:
    return [
        Student("samir", lambda maker: maker.notebook(maker.solved[: len(maker.solved) * 3 // 5])),
        Student("tove", lambda maker: {}),
        Student("umar", lambda maker: maker.notebook(maker.filled(maker.solved, {cast.syntax: _misspelt(maker, cast.syntax)}))),
        Student("vera", lambda maker: maker.notebook(maker.replaced(cast.endless, ENDLESS_LOOP))),
        Student("wanda", lambda maker: maker.notebook(maker.replaced(cast.hog, MEMORY_HOG))),
        Student("xavi", _solved_with(FLOOD)),
        Student("yara", _solved_with(SCRIPT, "markdown")),
    ]


def _forged() -> list[Student]:
    codes = zip(("zeno", "abel", "brix", "cleo", "dorn"), forgeries.ALL, strict=True)
    return [Student(handle, _forged_by(code)) for handle, code in codes]


def _right(name: str, form: str) -> Callable[[SubmissionMaker], Files]:
    return _answer(lambda maker: maker.right[name], form)


def _wrong(key: tuple[str, str], form: str) -> Callable[[SubmissionMaker], Files]:
    return _answer(lambda maker: maker.wrong[key], form)


def _forged_by(code: Callable[[str, list[str]], str]) -> Callable[[SubmissionMaker], Files]:
    return lambda maker: maker.notebook(added(maker.stub, code(maker.ps, maker.functions)))


def _answer(find: Callable[[SubmissionMaker], Answer], form: str) -> Callable[[SubmissionMaker], Files]:
    def make(maker: SubmissionMaker) -> Files:
        answer = find(maker)
        if form == "module":
            return maker.module(added_to_module(maker.solved_module, answer.code))
        return maker.notebook(maker.answered(answer))

    return make


def _misspelt(maker: SubmissionMaker, id: str) -> str:
    return "retrun ".join(maker.solutions[id].rsplit("return ", 1))


def _solved_with(source: str, cell_type: str = "code") -> Callable[[SubmissionMaker], Files]:
    return lambda maker: maker.notebook(added(maker.solved, source, cell_type))
