"""The control: a hidden check over our own solution, in the same edition and the same kind of sandbox.

Where a check ends in something that is no verdict, the control tells whose doing it is: what passes over our own solution is
sound, so the submission has brought it about; what does not is a fault of the grader's or of the host's.
"""

from __future__ import annotations

import hashlib
from functools import cache

from autograder.problem_sets.source import load, module_text
from autograder.submission.discover import MODULE
from autograder.submission.parse import module_cells
from autograder.submission.read import Submission


@cache
def our_submission(ps: str) -> Submission:
    """Return our own solution of a problem set as if it had been handed in."""
    return module_submission(ps, module_text(load(ps), solution=True))


def module_submission(ps: str, text: str) -> Submission:
    """Return a module of ours as if it had been handed in; nothing of it is a stranger's."""
    data = text.encode()
    return Submission(ps, MODULE, tuple(module_cells(data, load(ps))), "", hashlib.sha256(data).hexdigest())
