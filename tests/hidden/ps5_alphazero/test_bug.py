"""5.15: the bug in a tree. The answer comes from the solver, which knows the tree by its numbers alone."""

import pytest

from tests.hidden.find_the_bug import names_the_mistake


@pytest.mark.exercise("5.15")
@pytest.mark.hint("which is the first line that is wrong when you compute it again from its children, "
                  "and which mistake explains all lines?")
def test_the_first_wrong_node_and_the_mistake_are_named(student):
    """the answer is the first wrong node of the list, with the one mistake that explains every line

    Promised: Return (name, kind): the first wrong node of TREE from the top of the list, and the mistake, a key of KINDS.
    The first node is the first whose line does not follow from itself and its children's lines. The kind is the one mistake
    with which a search writes every line of the list as it stands.
    """
    names_the_mistake(student, "ps5_alphazero")
