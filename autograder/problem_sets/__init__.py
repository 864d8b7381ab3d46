"""From one source per problem set to its solution notebook, stub notebook and stub module.

`source` reads a set, `strip` makes stubs, `notebook` makes notebooks, `assignments` writes the files.
"""

from autograder.problem_sets.assignments import build, check_assignments, write_assignments

__all__ = ["build", "check_assignments", "write_assignments"]
