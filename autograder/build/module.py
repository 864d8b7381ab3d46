"""The module form of a problem set: the same cells as the notebook, as a percent script."""

from autograder.build.percent import PercentCell, write
from autograder.build.source import ProblemSet


def module_text(ps: ProblemSet, *, solution: bool) -> str:
    """Return the script that a student gets, or the solved one; experiments stand in it as comments."""
    return write([PercentCell(cell.line, cell.markdown, cell.solution if solution else cell.stub, dict(cell.header))
                  for cell in ps.cells])
