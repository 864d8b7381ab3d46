"""Advice about names, places and signatures: from the text alone, in few sentences, and only about lost exercises."""

import pytest

from autograder.grading.diagnose import MOST_LETTERS, MOST_SENTENCES, advice
from autograder.problem_sets.source import load
from autograder.submission.parse import Cell
from autograder.submission.read import Submission

pytestmark = pytest.mark.usefixtures("processes")

UCB = "def ucb(node, exploration):\n    return 1.0"


def advice_on(*cells: str | Cell, lost: dict[str, str] | None = None) -> list[str]:
    """The advice for a notebook with these code cells; 2.6 is lost."""
    made = [cell if isinstance(cell, Cell) else Cell(f"cell {number}", cell, None, "code")
            for number, cell in enumerate(cells, 1)]
    return advice(Submission(load("ps2_uct"), "notebook", tuple(made), "", "0"), lost or {"2.6": "not written"})


@pytest.mark.parametrize("cells, sentence", [
    (["x = 1"], "2.6: the function ucb is missing."),
    (["def UCB(node, exploration): pass"], "2.6: the function ucb is missing; is it the one that you call UCB?"),
    (["def ucb_(node): pass", "def other(): pass"], "2.6: the function ucb is missing; is it the one that you call ucb_?"),
    (["def select():\n    def ucb(node, exploration): pass"],
     "2.6: ucb is inside select: move it to the left margin."),
    (["x = 1", Cell("cell 2", UCB, None, "markdown")], "2.6: ucb is in cell 2, which is a text cell: make it a code cell."),
    ([f"{UCB} +"], "2.6: ucb is in code of cell 1 that could not be run."),
    ([UCB, UCB], "2.6: ucb is defined more than once, last in cell 2: the last one counts."),
    ([f'{UCB}\n    raise NotImplementedError("exercise 2.6")'],
     "2.6: ucb still raises NotImplementedError, as the stub does: delete that line."),
    ([Cell("cell 1", "text", None, "markdown")],
     "There is no code in your notebook: its code cells are gone, or have become text."),
])
def test_what_is_missing_and_where_it_may_be(cells: list, sentence: str) -> None:
    assert advice_on(*cells) == [sentence]


@pytest.mark.parametrize("header, fits", [
    ("node, exploration", True), ("node, exploration, *, debug=False", True), ("node, c", True), ("*args", True),
    ("node, exploration, extra=1", True), ("node", False), ("exploration, node", False), ("node, exploration, extra", False),
    ("node, exploration, *, debug", False),
])
def test_a_signature_that_no_call_fits_is_named(header: str, fits: bool) -> None:
    sentences = advice_on(f"def ucb({header}):\n    return 1", lost={"2.6": "not yet"})
    assert (sentences == []) == fits
    assert fits or sentences[0].startswith("2.6: ucb takes (node, exploration) in the assignment and (")


def test_a_method_outside_of_its_class() -> None:
    sentences = advice_on("class TreeNode:\n    def is_fully_expanded(self, game): pass", "def is_terminal(self, game): pass",
                          lost={"2.3": "not yet"})
    assert sentences == ["2.3: is_terminal is outside class TreeNode: indent it."]


def test_methods_that_are_assigned_are_there() -> None:
    assert advice_on("TreeNode.is_terminal = f\nTreeNode.is_fully_expanded = f", lost={"2.3": "not yet"}) == []


def test_the_bare_stub_is_no_mistake() -> None:
    from autograder.problem_sets.source import load

    stubs = [cell.stub for cell in load("ps2_uct").cells if cell.role in ("given", "exercise")]
    assert advice_on(*stubs, lost={exercise.id: "not written" for exercise in load("ps2_uct").exercises}) == []


def test_who_lost_nothing_is_told_nothing() -> None:
    assert advice_on("max = 3", lost={"2.6": "passed"}) == []


def test_names_of_pythons_own_and_marks_of_a_merge() -> None:
    sentences = advice_on(UCB, "max, total = 1, 2", "<<<<<<< HEAD\nx = 1", lost={"2.6": "not yet"})
    assert sentences == ["Marks of an unfinished merge (<<<<<<<) are in cell 3: keep one of the two versions.",
                         "max is one of Python's own names, and is overwritten in cell 2: take another."]


@pytest.mark.parametrize("source", [
    "(" * 10_000, "-" * 100_000 + "1", "x = " + "[" * 5_000, "\0", "a" * (MOST_LETTERS + 1), "\ud800 = 1",
])
def test_text_that_breaks_a_parser_breaks_nothing(source: str) -> None:
    assert len(advice_on(source, UCB, lost={"2.6": "not yet"})) <= MOST_SENTENCES


def test_a_name_without_end_is_not_repeated() -> None:
    long = "ucb" + "b" * 5_000
    assert advice_on(f"def {long}(a): pass\ndef ucb({long}): pass", lost={"2.6": "not yet"}) == []
