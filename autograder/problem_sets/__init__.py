"""One source per problem set in; solution notebook, stub notebook and stub module out."""

from autograder.problem_sets.assignments import build, check_assignments, write_assignments

__all__ = ["build", "check_assignments", "write_assignments"]
