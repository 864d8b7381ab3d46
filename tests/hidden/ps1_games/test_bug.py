"""1.13: the bug in a tree. The answer comes from the solver, which knows the tree by its numbers alone."""

import pytest

from autograder.problem_sets.bug_trees import answers, drawn


@pytest.mark.exercise("1.13")
@pytest.mark.hint("which line is the first that does not follow from itself and its children's, "
                  "and which mistake explains all lines?")
def test_the_first_wrong_node_and_the_mistake_are_named(student):
    """the answer is the first wrong node of the list, with the one mistake that explains every line"""
    (right,) = answers("ps1_games", drawn("ps1_games").rows)
    assert tuple(student.first_wrong_node()) == right
