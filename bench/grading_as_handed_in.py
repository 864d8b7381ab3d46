"""Grading a class as handed in, with experiment cells: stock nbgrader runs these cells, we do not; that is most of the ratio."""
from bench import Row
from bench.grading_vs_nbgrader import CLASS, OURS, clock, measure


def rows() -> list[Row]:
    """Submissions a minute. Stock nbgrader grades one after another: 3 of the 30 show its rate, other ones in each turn."""
    peer = f"peer: `nbgrader autograde`, visible checks only, no torch, 3 of the 30 each turn; {clock()}"
    return [measure("grading_as_handed_in", experiments=True, step=10, how=f"{CLASS}, as handed in; {OURS}; {peer}")]
