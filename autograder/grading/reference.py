"""The reference run: a hidden check over our own solution, in the same edition and the same kind of sandbox.

If a check ends without a verdict, the reference run tells whose fault that is. If the check passes over our own solution,
grader and host are sound, and the submission is the cause. If it does not pass, the fault is the grader's or the host's.
"""

from __future__ import annotations

import hashlib
from functools import cache

from autograder.problem_sets.source import ProblemSet, module_text
from autograder.submission.discover import MODULE
from autograder.submission.parse import module_cells
from autograder.submission.read import Submission


@cache
def our_submission(problem_set: ProblemSet) -> Submission:
    """Return our own solution of a problem set as a submission."""
    return module_submission(problem_set, module_text(problem_set, solution=True))


def module_submission(problem_set: ProblemSet, text: str) -> Submission:
    """Return a module that we wrote as a submission."""
    data = text.encode()
    return Submission(problem_set, MODULE, tuple(module_cells(data, problem_set)), "", hashlib.sha256(data).hexdigest())
