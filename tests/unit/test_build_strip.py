"""The stripper: the stub keeps signature, docstring and TODO; a doubtful case stops the build with file and line."""

import pytest

from autograder.problem_sets.strip import Stub, strip
from autograder.problem_sets.syntax import SourceError

SOLVED = '''\
def add(a: int, b: int = 0) -> int:
    """Return the sum."""
    # TODO 7.1: add. 1 line.
    ### BEGIN SOLUTION 7.1
    total = a + b
    return total
    ### END SOLUTION 7.1'''


def stripped(text: str, exercise: str | None = "7.1") -> Stub:
    return strip(text, exercise, {"7.1", "7.2"}, lambda line: f"small.py:{100 + line}")


def refused(text: str, exercise: str | None = "7.1") -> str:
    with pytest.raises(SourceError) as error:
        stripped(text, exercise)
    return str(error.value)


def test_a_region_becomes_one_raise():
    assert stripped(SOLVED).text == '''\
def add(a: int, b: int = 0) -> int:
    """Return the sum."""
    # TODO 7.1: add. 1 line.
    raise NotImplementedError("exercise 7.1 (add) is not written yet")'''


def test_the_stub_names_its_functions_and_the_lines_it_has_lost():
    stub = stripped(SOLVED)
    assert (stub.functions, stub.removed) == (("add",), (5, 6))


def test_each_function_of_a_cell_is_named_by_itself():
    text = SOLVED + "\n\n\n" + SOLVED.replace("def add", "def plus")
    stub = stripped(text)
    assert stub.functions == ("add", "plus")
    assert [line.strip() for line in stub.text.split("\n") if "raise" in line] == [
        'raise NotImplementedError("exercise 7.1 (add) is not written yet")',
        'raise NotImplementedError("exercise 7.1 (plus) is not written yet")',
    ]


def test_a_method_is_qualified_by_its_class_but_raises_its_own_name():
    text = "class Sum:\n" + "\n".join("    " + line for line in SOLVED.split("\n"))
    stub = stripped(text)
    assert stub.functions == ("Sum.add",)
    assert '\n        raise NotImplementedError("exercise 7.1 (add) is not written yet")' in stub.text


def test_a_cell_without_exercise_stays_as_it_is():
    assert stripped("%matplotlib inline\nx = 1", None) == Stub("%matplotlib inline\nx = 1")


def test_end_without_begin():
    assert refused(SOLVED.replace("    ### BEGIN SOLUTION 7.1\n", "")) == "small.py:106: END SOLUTION 7.1 without BEGIN"


def test_begin_without_end():
    assert refused(SOLVED.replace("\n    ### END SOLUTION 7.1", "")) == "small.py:104: BEGIN SOLUTION 7.1 without END"


def test_a_marker_inside_another_region():
    text = SOLVED.replace("    return total", "    ### BEGIN SOLUTION 7.1\n    return total")
    assert refused(text) == "small.py:106: BEGIN SOLUTION 7.1 inside another region"


def test_an_unknown_exercise():
    assert refused(SOLVED.replace("SOLUTION 7.1", "SOLUTION 7.9")) == \
        "small.py:104: BEGIN SOLUTION names exercise 7.9, which this set does not have"


def test_an_end_that_names_another_exercise():
    assert refused(SOLVED.replace("END SOLUTION 7.1", "END SOLUTION 7.2")) == \
        "small.py:107: END SOLUTION 7.2 is in a cell of 7.1"


def test_a_region_in_a_cell_of_no_exercise():
    assert refused(SOLVED, None) == "small.py:104: BEGIN SOLUTION 7.1 is in a cell of no exercise"


@pytest.mark.parametrize("marker", [
    "## BEGIN SOLUTION 7.1", "### begin solution 7.1", "### BEGIN SOLUTION", "### BEGIN SOLUTION 7.1 (add)",
    "x = 1  ### BEGIN SOLUTION 7.1", "### BEGIN THE SOLUTION 7.1",
])
def test_a_line_that_is_nearly_a_marker(marker):
    assert refused(SOLVED.replace("### BEGIN SOLUTION 7.1", marker)).startswith("small.py:104: `")


@pytest.mark.parametrize("body", ["", "    # total = a + b\n", "    pass\n", "    ...\n\n"])
def test_an_empty_region(body):
    text = SOLVED.replace("    total = a + b\n    return total\n", body)
    assert refused(text) == "small.py:104: the solution region of exercise 7.1 is empty"


def test_an_exercise_without_a_region():
    assert refused("def add(a, b):\n    return a + b") == "small.py:101: the cell of exercise 7.1 has no solution region"


def test_a_region_outside_of_functions():
    text = "### BEGIN SOLUTION 7.1\ntotal = 1\n### END SOLUTION 7.1"
    assert refused(text) == "small.py:101: this solution region is in no function"


def test_two_regions_in_one_function():
    text = SOLVED.replace("    return total", "    ### END SOLUTION 7.1\n    ### BEGIN SOLUTION 7.1\n    return total")
    assert refused(text) == "small.py:104: a second solution region in add"


def test_a_solution_that_does_not_parse():
    assert refused(SOLVED.replace("a + b", "a +")).startswith("small.py:105: the solution does not parse")


def test_a_stub_that_does_not_parse():
    text = SOLVED.replace("    ### BEGIN", "    total = (\n    ### BEGIN").replace("total = a + b", "a + b)")
    assert refused(text).startswith("small.py:101: the stub of exercise 7.1 does not parse")


def test_a_region_that_swallows_the_next_signature():
    text = SOLVED.replace("    ### END", "\n\ndef plus(a, b):\n    return a + b\n    ### END")
    assert refused(text) == "small.py:109: the stub loses the signature of plus"


def test_a_region_that_swallows_the_docstring():
    docstring = '    """Return the sum."""\n'
    text = SOLVED.replace(docstring, "").replace("    total = a + b", docstring + "    total = a + b")
    assert refused(text) == "small.py:101: the stub loses the docstring of add"


@pytest.mark.parametrize("where", ["before", "behind"])
def test_code_in_the_function_but_outside_its_region(where):
    text = SOLVED.replace("    # TODO", "    a = abs(a)\n    # TODO") if where == "before" else SOLVED + "\n    print(total)"
    assert refused(text) == "small.py:101: add has code outside its solution region"


def test_a_region_that_swallows_what_follows_the_function():
    text = SOLVED.replace("    ### END", "LIMIT = 3\n    ### END")
    assert refused(text) == "small.py:101: the stub loses code that is outside the solution regions"
