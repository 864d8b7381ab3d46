"""How a student's cells are loaded: statement by statement, so that one bad line loses nothing else."""

import linecache
import sys
import types
from pathlib import Path

import pytest

INSIDE = Path(__file__).resolve().parents[2] / "autograder" / "sandbox" / "inside"


@pytest.fixture
def loader(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The loader, as the worker imports it; its changes in this process are undone."""
    monkeypatch.syspath_prepend(str(INSIDE))
    monkeypatch.setattr(linecache, "cache", {})
    for name in ("loader", "cell_text", "submission"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import loader

    yield loader
    for name in ("loader", "cell_text", "submission"):
        sys.modules.pop(name, None)


def loaded(loader: types.ModuleType, *sources: str, definitions_only: bool = False) -> tuple[dict, list[tuple]]:
    """Load twice: like the first process of a submission, and with the code that this process made for the others."""
    cells = [(f"cell {number}", source) for number, source in enumerate(sources, 1)]
    code = loader.compiled(cells)
    (_, first), (module, problems) = (_loaded(loader, cells, definitions_only, each) for each in (None, code))
    assert problems == first
    return vars(module), [problem[:3] for problem in problems]


def _loaded(
    loader: types.ModuleType, cells: list[tuple[str, str]], definitions_only: bool, code: bytes | None
) -> tuple[types.ModuleType, list[tuple]]:
    linecache.cache.clear()
    module = loader.new_module()
    return module, loader.load(module, cells, definitions_only, code=code)


def test_a_statement_that_fails_is_skipped_and_named(loader):
    space, problems = loaded(loader, "a = 1\nb = 1 / 0\nimport no_such_package\nc = a + 1", "d = c + 1")
    assert (space["a"], space["c"], space["d"]) == (1, 2, 3) and "b" not in space
    assert problems == [("cell 1", 2, "ZeroDivisionError"), ("cell 1", 3, "ModuleNotFoundError")]


def test_a_cell_that_does_not_parse_is_skipped_as_a_whole(loader):
    space, problems = loaded(loader, "a = 1\ndef f(:\n    pass", "b = 2")
    assert "a" not in space and space["b"] == 2
    assert problems == [("cell 1", 2, "SyntaxError")]


@pytest.mark.parametrize(
    "ending", ["raise SystemExit", "import sys\nsys.exit(3)", "raise KeyboardInterrupt", "exit()", "raise BaseException"]
)
def test_a_cell_that_wants_to_end_everything_does_not(loader, ending):
    space, problems = loaded(loader, f"a = 1\n{ending}", "b = 2")
    assert (space["a"], space["b"]) == (1, 2) and len(problems) == 1


def test_an_error_inside_a_called_function_names_the_line_in_the_students_cell(loader):
    _, problems = loaded(loader, "def f():\n    return [][1]\n\n\nx = f()")
    assert problems == [("cell 1", 2, "IndexError")]


def test_an_exception_of_their_own_has_no_name(loader):
    _, problems = loaded(loader, "class ValueError(Exception): pass\nraise ValueError")
    assert problems == [("cell 1", 2, "")]


def test_magics_are_taken_out_and_line_numbers_stay(loader):
    lines = ["%matplotlib inline", "!pip install x", "files = !ls", "?print", "print?", "value = %time 3"]
    source = "\n".join([*lines, "if True:", "    %time f()", "    a = 7 % 4", "raise OSError"])
    space, problems = loaded(loader, source, "%%bash\nrm -rf x", "%%time\nb = 5")
    assert space["a"] == 3 and space["b"] == 5
    assert problems == [("cell 1", 10, "OSError")]


def test_a_percent_sign_in_a_sound_cell_is_no_magic(loader):
    space, problems = loaded(loader, 'text = """\n%matplotlib\n!ls\n"""\nrest = (7\n% 4)')
    assert space["text"] == "\n%matplotlib\n!ls\n" and space["rest"] == 3 and problems == []


def test_future_imports_hold_for_what_follows(loader):
    space, problems = loaded(loader, "from __future__ import annotations", "def f(x: no_such_name) -> nor_this: return x")
    assert space["f"](3) == 3 and problems == []
    space, problems = loaded(loader, "%time\nfrom __future__ import annotations", "def f(x: no_such_name): return x")
    assert space["f"](3) == 3 and problems == []


@pytest.mark.parametrize("name", ["braces", "no_such_feature", "all_feature_names", "_Feature", "CO_NESTED"])
def test_a_future_import_that_is_none_does_not_stop_the_loading(loader, name):
    space, problems = loaded(loader, f"from __future__ import {name}", "a = 1")
    assert space["a"] == 1 and [problem[2] for problem in problems] in ([], ["SyntaxError"])


def test_definitions_only(loader):
    kept = ["import math", "N = 5", "M: int = 6", "L = [1, {2: (3, None)}]", "T = list[dict[str, int]] | None"]
    kept.append("G = lambda x: f(x)")
    left_out = ["W = 9 ** 9 ** 9", "X = print(1)", "for i in range(3): pass", "N + 1"]
    source = "\n".join([*kept, *left_out, "def f(): return N", "class A: pass"])
    space, problems = loaded(loader, source, definitions_only=True)
    assert {"math", "N", "M", "L", "T", "G", "f", "A"} <= set(space) and not {"W", "X", "i"} & set(space) and problems == []


def test_cells_of_a_module_share_a_label_and_keep_the_lines_of_the_file(loader):
    module = loader.new_module()
    cells = [("ps2_uct.py", "\n\ndef f():\n    return 1 / 0\n"), ("ps2_uct.py", "\n" * 8 + "x = f()\n")]
    assert [problem[:3] for problem in loader.load(module, cells, False)] == [("ps2_uct.py", 4, "ZeroDivisionError")]
    assert linecache.getline("ps2_uct.py", 4).strip() == "return 1 / 0"
    assert linecache.getline("ps2_uct.py", 9).strip() == "x = f()"


def test_definitions_in_another_order_are_run_when_what_they_name_is_there(loader):
    cells = ["def f(node: Node) -> int:\n    return 1", "class Node(Base): pass", "class Base: pass", "x = y"]
    space, problems = loaded(loader, *cells)
    assert space["f"](None) == 1 and issubclass(space["Node"], space["Base"])
    assert problems == [("cell 4", 1, "NameError")]


def test_a_later_definition_of_that_name_is_not_replaced(loader):
    space, problems = loaded(loader, "def f(a=Late): return 1", "def f(a): return 2", "class Late: pass")
    assert space["f"](0) == 2 and problems == [("cell 1", 1, "NameError")]


def test_what_was_given_fills_what_is_missing_and_replaces_nothing(loader):
    module = loader.new_module()
    given = [("math", "import math"), ("after", "from operator import add as after"), ("Kind", "Kind = list[int]")]
    cells = [("cell 1", "after = 7\ndef f(x, kind=Kind): return math.sqrt(x)")]
    problems = loader.load(module, cells, False, given)
    assert module.f(9.0) == 3.0 and module.after == 7 and problems == [(loader.cell_text.GIVEN, 0, "", "")]
    assert loader.load(loader.new_module(), [("cell 1", "x = 1")], False, given) == []


def test_a_submission_may_import_itself_by_the_sets_name(loader):
    module = loader.new_module()
    cells = [("cell 1", "def f(): return 5"), ("cell 2", "from ps2_uct import *\nimport ps2_uct\nx = ps2_uct.f()")]
    try:
        assert loader.load(module, cells, False, [], "ps2_uct") == [] and module.x == 5
    finally:
        sys.modules.pop("ps2_uct")


def test_dataclasses_and_pickles_find_their_module(loader):
    space, problems = loaded(
        loader,
        "from dataclasses import dataclass\n@dataclass\nclass Node:\n    n: int = 0",
        "import pickle\ny = pickle.loads(pickle.dumps(Node(3))).n",
    )
    assert space["y"] == 3 and problems == []


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize(
    "source",
    ["(" * 5000, "x = " + "-" * 100_000 + "1", "x = [" * 300, "x = " + "a." * 20_000 + "b", "\0", "x = 1" + "+1" * 50_000],
)
def test_text_that_breaks_a_parser_is_one_problem(loader, source):
    for definitions_only in (False, True):
        space, problems = loaded(loader, source, "a = 1", definitions_only=definitions_only)
        assert space["a"] == 1 and len(problems) <= 1


def test_an_exception_whose_text_fails_is_told_all_the_same(loader):
    class Odd(ValueError):
        def __str__(self):
            raise RuntimeError("no")

    assert "Odd" in loader.staff_text(Odd())
    assert loader.builtin_names(Odd())[:2] == ["", "ValueError"]
