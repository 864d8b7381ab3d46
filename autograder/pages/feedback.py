"""The text under a check cell: what was checked, what came out, one question to think about."""

from autograder.grading.report import Report

# An outcome that passes is quiet; the others are easy to spot in a long page.
SHOWN = {
    "passed": "passed",
    "not yet": "NOT YET",
    "not written": "NOT WRITTEN",
    "too slow": "TOO SLOW",
    "grader fault": "GRADER FAULT",
}
WIDTH = max(len(word) for word in SHOWN.values())


def feedback_lines(report: Report, exercise_id: str) -> str:
    """Return what the student reads about one exercise, in plain text.

    It is built from the report alone, which holds our own sentences and nothing that came out of the sandbox.

    Raises:
        KeyError: the report has no exercise of that id.
    """
    exercise = next((one for one in report.exercises if one.id == exercise_id), None)
    if exercise is None:
        raise KeyError(exercise_id)
    score = f"{points(exercise.points)} of {points(exercise.max_points)} points"
    heading = f"{exercise.id} {exercise.title}   {SHOWN[exercise.outcome]}   {score}"
    return "\n".join([heading, *_explanation(report, exercise.outcome), *_checks(exercise)]) + "\n"


def points(number: float) -> str:
    """Write points without a useless `.0`."""
    return f"{number:g}"


def _explanation(report: Report, outcome: str) -> list[str]:
    if outcome == "grader fault":
        return [
            "    The grader failed here, not you: this costs you nothing, and the exercise will be graded again.",
            f"    Send your course staff this line: {report.problem_set} {report.sha256[:16]}",
        ]
    if outcome == "too slow":
        return ["    It was stopped: an answer as plain as the TODO describes needs less than a tenth of the time allowed."]
    return []


def _checks(exercise: object) -> list[str]:
    if exercise.outcome == "not written":
        return []
    lines = []
    for check in exercise.checks:
        lines.append(f"    {SHOWN[check.outcome]:<{WIDTH}}  {check.line}")
        if check.outcome != "passed" and check.hint:
            lines.append(f"    {'':<{WIDTH}}  Think about: {check.hint}")
    return lines
