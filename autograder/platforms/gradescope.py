"""Grade one submission in a container of Gradescope: /autograder/submission becomes /autograder/results/results.json.

Source: the published specification, https://gradescope-autograders.readthedocs.io/en/latest/specs/ . It asks for a total score or
for a score of each test, and the total replaces the sum. We always give the total, so that an exercise without a verdict can be
left without a score. That exercise is hidden, because then Gradescope shows the student no total, which would be too low. A
submission without any grade has an empty list of tests, and no score.
"""

import json
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from arena.challenge.report import PLAYED, ChallengeReport
from arena.challenge.report_text import report_text
from arena.challenge.sprt import PASSED
from arena.files import write_atomic
from autograder.gradebook.words import exercise_text
from autograder.grading.config import Settings
from autograder.grading.edition import SECRET_NAME
from autograder.grading.report import ExerciseReport, Outcome, Report
from autograder.limited_child import failure_text
from autograder.paths import REPOSITORY
from autograder.plain_text import plain_text
from autograder.platforms.archive import ABOUT, POSITIONS
from autograder.platforms.judge import Judged, NotGraded, judge
from autograder.problem_sets.rules import JOINT

PLACE = Path("/autograder")
NOT_YET_THERE = (
    "Not graded yet: this machine could not grade your work safely or in time. This is not about your work, and no points are "
    "given or taken. Please tell your instructor, who sees the reason."
)
UNDECIDED = (
    "UNDECIDED, {points:g} points: the grader failed at {exercises}. This is not about your work: no points are given or taken "
    "there until it is graded again. Please tell your instructor. Until then no total is shown."
)


def main(place: Path = PLACE) -> int:
    """Grade the submission and write the results; return 0 always, because Gradescope shows no results after another status."""
    start = time.monotonic()
    about = json.loads((REPOSITORY / ABOUT).read_text())
    secret = (REPOSITORY / SECRET_NAME).read_bytes()
    try:
        settings = Settings.from_data(secret, about["settings"])
        judged = judge(place / "submission", about["problem_set"], settings, seconds=60.0 * about["minutes"],
                       challenge=about["challenge"], ladder=about["ladder"], positions=_own_positions())
        content = results(judged, about)
        print(f"graded: {judged.report.points:g} of {judged.report.max_points:g} points; {judged.isolation}")
    except NotGraded as reason:
        content = not_graded(str(reason), about)
        print(f"NOT GRADED, for staff: {reason}")
    except Exception as error:   # our own mistake must not look like a grade, nor like a submission that cannot be graded
        traceback.print_exc()
        content = not_graded(failure_text(error), about)
    content["execution_time"] = round(time.monotonic() - start)
    write_atomic(place / "results" / "results.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return 0


def _own_positions() -> tuple[Any, ...]:
    """Return the edition's own positions of move quality; none if the archive has none, because no player is examined here."""
    path = REPOSITORY / POSITIONS
    return tuple(json.loads(path.read_text())) if path.exists() else ()


def results(judged: Judged, about: dict[str, Any]) -> dict[str, Any]:
    """Return the results of a graded submission, as Gradescope reads them."""
    report = judged.report
    content = _frame(about) | {
        "score": report.points + report.extra_points,
        "output": plain_text(_output(judged)),
        "visibility": "visible",
        "tests": [_test(exercise, number) for number, exercise in zip(_numbers(report), report.exercises, strict=True)],
    }
    content["extra_data"] |= {"submission": report.sha256, "form": report.form, "isolation": judged.isolation,
                              "undecided_points": report.undecided_points}
    if judged.challenge is not None:
        content["extra_data"]["challenge"] = {"outcome": judged.challenge.outcome, "points": judged.challenge.points}
        if judged.challenge.outcome == PLAYED:
            content["leaderboard"] = leaderboard(judged.challenge)
    return content


def not_graded(reason: str, about: dict[str, Any]) -> dict[str, Any]:
    """Return the results of a submission without a grade: no score, no tests, the reason for staff alone."""
    content = _frame(about) | {"output": NOT_YET_THERE, "visibility": "hidden", "tests": []}
    content["extra_data"] |= {"isolation": "none", "not_graded": reason}
    return content


def leaderboard(exam: ChallengeReport) -> list[dict[str, Any]]:
    """Return the entries of the leaderboard: the points of the ladder, and the highest rung with its number before it."""
    passed = [rung.name for rung in exam.rungs if rung.verdict == PASSED]
    highest = f"{len(passed)} {passed[-1]}" if passed else "0 none"
    return [{"name": "Ladder points", "value": exam.points}, {"name": "Highest rung", "value": highest}]


def _frame(about: dict[str, Any]) -> dict[str, Any]:
    formats = dict.fromkeys(("output_format", "test_output_format", "test_name_format"), "text")
    made_of = {name: about[name] for name in ("problem_set", "edition", "grader")}
    return {**formats, "stdout_visibility": "hidden", "extra_data": made_of}


def _test(exercise: ExerciseReport, number: str) -> dict[str, Any]:
    content = {"number": number, "name": exercise.title, "output": exercise_text(exercise), "tags": [exercise.outcome.value],
               "extra_data": {"outcome": exercise.outcome.value}}
    if exercise.undecided:
        return content | {"name": f"{exercise.title} (undecided)", "visibility": "hidden"}
    status = "passed" if exercise.outcome == Outcome.PASSED else "failed"
    most = 0.0 if exercise.extra else exercise.max_points  # more than 0 of 0 is what Gradescope calls extra credit
    return content | {"score": exercise.points, "max_score": most, "status": status, "visibility": "visible"}


def _numbers(report: Report) -> list[str]:
    """Return the number of each exercise; the joint check, which has none, gets the next one."""
    numbers = [exercise.id for exercise in report.exercises if exercise.id != JOINT]
    chapter, _, last = numbers[-1].partition(".")
    return [*numbers, f"{chapter}.{int(last) + 1}"]


def _output(judged: Judged) -> str:
    report, parts = judged.report, list[str]()
    if report.has_fault:
        faulty = ", ".join(exercise.id for exercise in report.exercises if exercise.undecided)
        parts.append(UNDECIDED.format(points=report.undecided_points, exercises=faulty))
    else:
        extra = f" and {report.extra_points:g} extra points" if report.extra_points else ""
        parts.append(f"{report.points:g} of {report.max_points:g} points{extra}. "
                     "An experiment is marked by hand, and its points added.")
    parts += [text for text in (report.note, report_text(judged.challenge) if judged.challenge else judged.note) if text]
    return "\n\n".join((*parts, f"Your code ran in a sandbox ({judged.isolation})."))


if __name__ == "__main__":
    sys.exit(main())
