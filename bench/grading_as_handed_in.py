"""Grading a class as it hands in, experiment cells and all: stock nbgrader runs them, we do not; most of the ratio is that."""
from bench import Row
from bench.grading_vs_nbgrader import CLASS, OURS, clock, measure


def rows() -> list[Row]:
    """Submissions a minute. Stock grades one after another, so every tenth of the 30 tells its rate, others in each turn."""
    peer = f"peer: `nbgrader autograde`, visible checks only, no torch, 3 of the 30 each turn; {clock()}"
    return [measure("grading_as_handed_in", experiments=True, step=10, how=f"{CLASS}, as handed in; {OURS}; {peer}")]
