"""A report as text for the student's feedback: below each check, and at the top."""
from autograder.gradebook.tables import decided_text, points_text, total_text
from autograder.grading.report import ExerciseReport, Outcome, Report
from autograder.plain_text import plain_text

FAULT = (
    "The grader failed here, not you: these points are undecided until it is graded again. Your instructor sees this too."
)

DOES_NOT_COUNT = "does not count"  # in place of the points of an exercise that staff have dropped


def exercise_text(exercise: ExerciseReport) -> str:
    """The text below the visible check of one exercise: the outcome, the points, the sentence of each hidden check."""
    points = DOES_NOT_COUNT if exercise.dropped else f"{_points(exercise)} points"
    lines = [f"{exercise.id} {exercise.title}   {exercise.outcome.upper()}   {points}"]
    if exercise.undecided:
        lines.append(f"    {FAULT}")
    for check in exercise.checks:
        lines.append(f"    {check.outcome:<12} {check.line}")
        if check.hint and check.outcome not in (Outcome.PASSED, Outcome.NOT_WRITTEN):
            lines.append(f"    {'':<12} {'Think about: ' if check.hint.endswith('?') else ''}{check.hint}")
    return "\n".join(lines) + "\n"


def summary_markdown(report: Report, notes: tuple[str, ...] = ()) -> str:
    """The first cell of the feedback, as markdown. Notes quote the student, so they are shown as plain text."""
    form = {"notebook": "your notebook", "module": "your module", "none": "nothing that could be read"}[report.form]
    lines = [
        f"**{total_text(report)} of {points_text(report.max_points)} points**{_beside(report)}, graded from {form}. "
        "Your experiment is marked by hand, its points are added. The result of each hidden check is below the exercise's check."
    ]
    literal = [line for note in (report.note, *notes) for line in plain_text(note).splitlines() if line.strip()]
    if literal:
        lines += ["", *(f"    {line}" for line in literal)]
    lines += ["", "| exercise | outcome | points |", "|:--|:--|--:|"]
    lines += [
        f"| {exercise.id} {exercise.title} | {exercise.outcome} | {_points(exercise)} |" for exercise in report.exercises
    ]
    return "\n".join(lines)


def _points(exercise: ExerciseReport) -> str:
    """The points, such as "7 of 10"; "undecided of 10" if the grader failed; "3.5 of 5 extra" for an optional exercise."""
    if exercise.dropped:
        return DOES_NOT_COUNT
    return f"{decided_text(exercise.points)} of {points_text(exercise.max_points)}{' extra' if exercise.extra else ''}"


def _beside(report: Report) -> str:
    return f" and {points_text(report.extra_points)} extra points" if report.extra_points else ""
