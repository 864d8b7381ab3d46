"""Syntax of a newer Python is told as such: where it is, and which version reads it. Other mistakes stay what they are."""

import json
import re
import subprocess
import sys

import pytest

from autograder.grading.config import PYTHON
from autograder.grading.grade import _newer_syntax
from autograder.grading.newer_syntax import DEFAULT, EXCEPT, FSTRING, GENERIC, SINCE, TSTRING, TYPE, Newer, newer_syntax
from autograder.problem_sets.source import load
from autograder.submission.discover import NOTEBOOK
from autograder.submission.parse import Cell
from autograder.submission.read import Submission
from tests.pythons import program_of

HERE = sys.version_info[:2]
NEWER = {  # by text: the construct and its line
    'text = f"{"ucb"}"': (FSTRING, 1),
    "x = 1\n\ntext = f'{d['a']} and {x}'": (FSTRING, 3),
    'text = f"{"\\n".join(names)}"': (FSTRING, 1),
    'text = f"{x!r:>{width["a"]}}"': (FSTRING, 1),
    'def f():\n    return f"{f"{f"{1 + 1}"}"}"': (FSTRING, 2),
    'text = f"{\n    x  # the name\n}"': (FSTRING, 1),
    'text = "a" f"{d["a"]=}" \'b\'': (FSTRING, 1),
    'text = rf"\\d{d["a"]}"': (FSTRING, 1),
    'f = lambda x: f"{x["a"]:.2f}" if x["b"] != 1 else"#"': (FSTRING, 1),
    "type Vector = list[float]": (TYPE, 1),
    "if True:\n    type Pair[T] = tuple[T, T]": (TYPE, 2),
    "def first[T](items: list[T]) -> T:\n    return items[0]": (GENERIC, 1),
    "class Node[State, *Ts, **P]:\n    pass": (GENERIC, 1),
    "class Node[\n    State: (int, str),\n](object):\n    async def of[T: int](self): ...": (GENERIC, 1),
    "class Node[State = int]:\n    pass": (DEFAULT, 1),
    'text = t"{x}"': (TSTRING, 1),
    'text = rt"{x}" t"\\N{DASH}"': (TSTRING, 1),
    'text = f"{t"{x}"}"': (TSTRING, 1),
    "try:\n    x\nexcept ValueError, TypeError:\n    pass": (EXCEPT, 3),
    "try:\n    x\nexcept* ValueError, OSError: pass": (EXCEPT, 3),
    "%matplotlib inline\ntry:\n    x\nexcept (ValueError), errors['a']:\n    pass": (EXCEPT, 4),
}
PLAIN = (  # mistakes in every Python
    "x = (1", "if x\n    pass", "print 'a'", "x = 'a", 'x = f"{"', 'x = f"{}"', 'x = f"{a b}"', 'x = f"{a["b}"', "x = f'}'",
    "f'{(]}'",
    "try:\n    x\nexcept ValueError, TypeError as error:\n    pass",
    "def f[](x): pass", "def f[3](x): pass", "def f[T](x) pass", "type X", "class A[T", "except",
    'text = f"{"ucb"}"\nif x\n    pass',  # both
    '"""\ntype X = 3\nclass A[T]: pass\n"""\nx = (1', "# type X = 3\n)", "except_a, b = 1, 2\n)", "\\", "{", "f'", "f'{",
    "f'{a:", "f'\\N{", "f'\\", "'\\",
)
OF_PYTHON_2 = "try:\n    x\nexcept ValueError, error:\n    pass"  # 3.14 reads it, and it means something else
RIGHT = ("type = 3", "type(x)", "x = 1", "", "#", 'x = f"{a!r:>{b}}"', "'''\ntype X = 3\n'''",
         "if x:\n    pass\nelse:\n    type = x == 3")


@pytest.mark.parametrize("text", NEWER)
def test_newer_syntax_is_found_with_its_line(text: str) -> None:
    what, line = NEWER[text]
    newer = newer_syntax(text)
    since = tuple(map(int, SINCE[what].split(".")))
    assert max(newer, key=lambda each: each.version, default=None) == (Newer(line, what) if since > HERE else None)


@pytest.mark.parametrize("text", [*PLAIN, *RIGHT, OF_PYTHON_2])
def test_any_other_mistake_is_none_of_a_version(text: str) -> None:
    assert newer_syntax(text) == []


def test_all_newer_lines_of_a_cell_are_found() -> None:
    text = "def first[T](items):\n    try:\n        return items[0]\n    except IndexError, KeyError:\n        return None"
    expected = [Newer(1, GENERIC), Newer(4, EXCEPT)]
    assert newer_syntax(text) == [each for each in expected if each.version > HERE]


@pytest.mark.usefixtures("processes")
def test_a_hostile_text_is_left_alone_and_newer_syntax_beside_it_is_found() -> None:
    deep = "(" * 100_000 + "f'{" * 100_000
    nested = "f'{f\"{" * 25 + "1 $ 1" + "}\"}'" * 25
    cells = [Cell(f"cell {number}", text, None, "code") for number, text in enumerate((deep, nested, 'x = t"{y}"'))]
    submission = Submission(load("ps2_uct"), NOTEBOOK, tuple(cells), "", "")
    newer = _newer_syntax(submission, [(cell.label, 1, "SyntaxError", "") for cell in cells])
    assert newer == ({("cell 2", 1): Newer(1, TSTRING)} if HERE < (3, 14) else {})


PARSE = """
import ast, json, sys
def parses(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
print(json.dumps([parses(text) for text in json.load(sys.stdin)]))
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14)], ids="{0[0]}.{0[1]}".format)
def test_each_python_reads_what_we_say_of_it(version: tuple[int, int]) -> None:
    """the interpreters themselves, where this machine has them"""
    program = program_of(version)
    if program is None:
        pytest.skip("this machine has no Python {}.{}".format(*version))
    texts = [re.sub("^%.*", "", text) for text in (*NEWER, *PLAIN, *RIGHT)]
    done = subprocess.run([program, "-c", PARSE], input=json.dumps(texts), capture_output=True, text=True, timeout=60, check=True)
    read = {text for text, parses in zip((*NEWER, *PLAIN, *RIGHT), json.loads(done.stdout), strict=True) if parses}
    known = {text for text, (what, _) in NEWER.items() if tuple(map(int, SINCE[what].split("."))) <= version}
    assert read == {*known, *RIGHT}


def test_the_grading_python_is_the_one_that_runs() -> None:
    assert PYTHON == "{}.{}".format(*HERE)
