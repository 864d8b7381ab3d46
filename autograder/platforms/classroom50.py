"""A report as the `result.json` of Classroom 50: `python -m autograder.platforms.classroom50 REPORT --to result.json`.

Source: the contract `classroom50/result/v1`, https://github.com/foundation50/classroom50/wiki/Advanced-Autograding . Values that
are not in the report come from the environment, under the names that Classroom 50's runner uses. An undecided report gives no
result. Then the status is 1, which means "the grading failed", and the last release stays as it is.
"""

import argparse
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from arena.files import write_atomic
from autograder.gradebook.words import exercise_text
from autograder.grading.report import Outcome, Report

SCHEMA = "classroom50/result/v1"
NEEDED = ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL", "OWNER", "SUBMITTED_AT")
MINUTE = "%Y-%m-%dT%H:%M:%SZ"


def result(report: Report, environment: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """Return the result of a decided report.

    Args:
        environment: the names of NEEDED with their values; SUBMITTED_AT is the time of handing in, ISO 8601. REVIEW_URL and
            ASSIGNMENT_TYPE may be missing.
    """
    scores = whole_points([exercise.points or 0.0 for exercise in report.exercises])
    tests = [{
        "test-name": f"{exercise.id} {exercise.title}", "passed": exercise.outcome == Outcome.PASSED,
        "score": score, "max-score": 0 if exercise.extra else round(exercise.max_points),
        "outcome": exercise.outcome.value, "output": exercise_text(exercise),  # the contract keeps other fields as they are
    } for exercise, score in zip(report.exercises, scores, strict=True)]
    return {
        "schema": SCHEMA,
        "classroom": environment["CLASSROOM"], "assignment": environment["ASSIGNMENT"],
        "assignment_type": environment.get("ASSIGNMENT_TYPE") or "individual", "owner": environment["OWNER"],
        "submission": environment["SUBMISSION_TAG"], "commit": environment["COMMIT_URL"], "release": environment["RELEASE_URL"],
        "review": environment.get("REVIEW_URL") or environment["COMMIT_URL"],
        "datetime": datetime.fromisoformat(environment["SUBMITTED_AT"]).astimezone(UTC).strftime(MINUTE),
        "graded_at": now.astimezone(UTC).strftime(MINUTE),
        "score": sum(test["score"] for test in tests), "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


def whole_points(points: Sequence[float]) -> list[int]:
    """Return whole points, as the contract wants, whose sum is the rounded sum of `points`; a half is rounded up.

    Each is less than one away from its own points, and whole points stay as they are: 2.5, 2.5 and 7 become 3, 2 and 7.
    """
    sums = [0, *(math.floor(round(total, 6) + 0.5) for total in accumulate(points))]  # tenths add up to 2.4999999999999996
    return [after - before for before, after in pairwise(sums)]


def main(words: list[str] | None = None) -> int:
    """Write the result of a report; return 1 if it is undecided, 2 if something is missing."""
    parser = argparse.ArgumentParser(prog="python -m autograder.platforms.classroom50", description=__doc__)
    parser.add_argument("report", type=Path, help="reports/<student>/<ps>.json of a course, or the output of `submission`")
    parser.add_argument("--to", type=Path, default=Path("result.json"))
    given = parser.parse_args(words)
    missing = [name for name in NEEDED if not os.environ.get(name)]
    if missing:
        print(f"missing in the environment: {', '.join(missing)}")
        return 2
    report = Report.from_json(given.report.read_text(encoding="utf-8"))
    if report.has_fault:
        print(f"{given.report}: {report.undecided_points:g} points are undecided, so there is no result")
        return 1
    content = result(report, os.environ, datetime.now(UTC))
    write_atomic(given.to, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    print(f"{given.to}: {content['score']} of {content['max-score']} points")
    return 0


if __name__ == "__main__":
    sys.exit(main())
