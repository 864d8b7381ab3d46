"""The control: a hidden check over our own solution, in the same edition and the same kind of sandbox.

Where a check ends in something that is no verdict, the control tells whose doing it is: what passes over our own solution is
sound, so the submission has brought it about; what does not is a fault of the grader's or of the host's.
"""

from __future__ import annotations

import hashlib
from functools import cache

from autograder.build.module import module_text
from autograder.build.source import load
from autograder.grading.find import MODULE
from autograder.grading.forms import module_cells
from autograder.grading.submission import Submission


@cache
def our_submission(ps: str) -> Submission:
    """Return our own solution of a problem set as if it had been handed in."""
    return module_submission(ps, module_text(load(ps), solution=True))


def module_submission(ps: str, text: str) -> Submission:
    """Return a module of ours as if it had been handed in; nothing of it is a stranger's."""
    data = text.encode()
    return Submission(ps, MODULE, tuple(module_cells(data, load(ps))), "", hashlib.sha256(data).hexdigest())
