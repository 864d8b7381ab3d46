"""What a worker is given to do: apart from the engine, whose imports take as long as a grading, so that workers alone pay them."""

from autograder.grading.config import Graded, Settings
from autograder.submission.payload import Payload


def grade_one(payload: Payload, settings: Settings) -> Graded:
    """Grade the files of one submission; see `grade.grade_payload`."""
    from autograder.grading.grade import grade_payload

    return grade_payload(payload, settings)
