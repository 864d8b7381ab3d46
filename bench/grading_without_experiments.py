"""Grading a class when neither side has experiments to run: what sandbox, hidden suite and gradebook cost by themselves."""
from bench import Row
from bench.grading_vs_nbgrader import CLASS, OURS, STUDENTS, clock, measure


def rows() -> list[Row]:
    """Submissions a minute, all 30 notebooks for both in every turn."""
    peer = f"peer: `nbgrader autograde`, visible checks only, no torch, all {STUDENTS}; {clock()}"
    how = f"{CLASS}, experiment cells cut down to their imports; {OURS}; {peer}"
    return [measure("grading_without_experiments", experiments=False, step=1, how=how)]
