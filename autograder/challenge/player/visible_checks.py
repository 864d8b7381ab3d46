"""The visible checks of a player, in the sandbox, for the challenge in the checkout: our checks, the student's functions."""

from __future__ import annotations

from dataclasses import replace

from arena.challenge.kinds import CHECKS
from autograder.grading.hidden_checks.answer_types import listof, text, tupleof
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.grading.submission_runner import NO_BUDGET, OWN, SubmissionRunner
from autograder.plain_text import plain_text
from autograder.sandbox.errors import StudentError
from autograder.submission.parse import Cell
from autograder.submission.read import Submission

CPU_S = 120.0  # for all checks together; ours need some seconds
_RUN = """
def visible_verdicts():
    from arena import check
    return [one.verdict() for one in check.registered()]
"""


def visible_checks(submission: Submission, kind: str, sandboxed: bool = True) -> list[tuple[str, str]]:
    """Return (verdict, text) of each visible check of each player, see `arena.check`; none if they cannot be run.

    Args:
        kind: the name of what plays, see `arena.challenge.kinds`.
    """
    if not CHECKS[kind]:
        return []
    cells = submission.problem_set.cells
    sources = [cell.solution for cell in cells if cell.role == "check" and cell.id in CHECKS[kind]]
    added = tuple(Cell("visible check", source, None, "code") for source in (*sources, _RUN))
    runner = SubmissionRunner(replace(submission, cells=(*submission.cells, *added)), sandboxed=sandboxed, budget=NO_BUDGET)
    try:
        session = runner.begin(None, OWN, CPU_S)
        student = Student(session, {"visible_verdicts": listof(tupleof(text, text))}, frozenset(), OWN)
        verdicts = [(verdict, plain_text(text)) for verdict, text in student.visible_verdicts()]
        runner.end(session)
    except StudentError:  # the climb itself says what is wrong
        return []
    finally:
        runner.close()
    return verdicts
