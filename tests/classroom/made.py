"""Reports made by hand, for tests that need no grading."""

from autograder.grading.report import Check, ExerciseReport, Report


def report(outcomes: dict[str, str], sha256: str = "0" * 64, note: str = "") -> Report:
    """A report with two checks in each exercise, of which the second decides; ten points each."""
    exercises = tuple(exercise(id, outcome) for id, outcome in outcomes.items())
    return Report("ps2_uct", "notebook", sha256, 0.0, 10.0 * len(exercises), note, ()).with_exercises(exercises)


def exercise(id: str, outcome: str) -> ExerciseReport:
    number = id.replace(".", "_")
    checks = (
        Check(f"test_{number}_by_hand", "a position that one can work out", "passed"),
        Check(f"test_{number}_in_general", "whatever the position", outcome, "who is to move?"),
    )
    points = None if outcome == "grader fault" else 10.0 if outcome == "passed" else 0.0
    return ExerciseReport(id, f"exercise {id}", outcome, points, 10.0, checks)
