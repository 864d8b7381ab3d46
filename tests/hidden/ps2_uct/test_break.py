"""2.15: the student's check of backpropagate accepts right implementations and rejects wrong ones."""

from types import SimpleNamespace

import pytest

from tests.hidden.break_it import BreakIt, cases, need, number, whole

MOST_NODES = 500


def run(function, rows, place, value):
    """Call backpropagate on a tree with these rows of (place of the parent, n, W); return its result and the new n and W."""
    need(type(rows) is list and len(rows) <= MOST_NODES, f"a tree of more than {MOST_NODES} nodes")
    need(type(place) is int and -1 <= place < len(rows), "a node that is in no tree")
    need(all(type(row) in (tuple, list) and len(row) == 3 for row in rows), "a node without parent, n or W")
    # every parent stands before its children; else the way up would never end, here in the grader
    need(all(type(above) is int and -1 <= above < here for here, (above, _, _) in enumerate(rows)),
         "a node that is not below its own parent")
    need(all(whole(n) and n >= 0 and number(total) for _, n, total in rows),
         "a node whose n is not a whole number of at least 0, or whose W is not a number")
    need(number(value), "a value that is not a number")
    nodes = [SimpleNamespace(parent=None, children={}, num_visits=n, total_value=total, action=None) for _, n, total in rows]
    for here, (above, _, _) in zip(nodes, rows, strict=True):
        if above >= 0:
            here.parent, here.action = nodes[above], len(nodes[above].children)
            here.parent.children[here.action] = here
    result = function(None if place < 0 else nodes[place], value)
    return result, [(node.num_visits, node.total_value) for node in nodes]


BREAK = BreakIt("ps2_uct", "2.5", "backpropagate", "tree", run)


@pytest.mark.exercise("2.15", fresh=True)
@cases("ps2_uct", "right")
def test_a_right_implementation_passes(student, place):
    """your check passes every right implementation

    Promised: return None if it keeps them.
    Promised: A tree may have up to 500 nodes. Your check may call the implementation up to 3,000 times, with 100,000 nodes
    in all.
    """
    BREAK.passes_right(student, place)


@pytest.mark.exercise("2.15", fresh=True, partial_credit=True)
@cases("ps2_uct", "wrong")
def test_a_wrong_implementation_is_caught(student, place):
    """your check fails a wrong implementation

    Promised: Raise AssertionError if `backpropagate` breaks a promise of the docstring of 2.5;
    """
    BREAK.fails_wrong(student, place)
