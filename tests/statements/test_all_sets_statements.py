"""Statements in all five problem sets: parts with their points and times, and the length of an answer."""

import re
from pathlib import Path

import pytest
from lesson import ROOT, says

from autograder.problem_sets.source import names

SETS = names()
HOURS = dict(zip(range(4, 13), "Four Five Six Seven Eight Nine Ten Eleven Twelve".split(), strict=True))
PART = re.compile(r"^# \| (?P<name>[^|]+) \| (?P<exercises>[^|]*) \| (?P<points>[^|]*) \| (?P<time>[^|]*)\|$", re.MULTILINE)
EXERCISE = re.compile(r'^# %% (?:exercise|check)="(?P<id>[\d.]+|joint)"[^\n]* points=(?P<points>\d+)$', re.MULTILINE)
SOLUTION = re.compile(r"^ *# TODO (?P<id>[\d.]+):(?P<todo>.*?)### BEGIN SOLUTION (?P=id)\n(?P<code>.*?)^ *### END SOLUTION",
                      re.MULTILINE | re.DOTALL)  # fmt: skip


def source(ps: str) -> str:
    return (Path(ROOT) / "solutions" / f"{ps}.py").read_text(encoding="utf-8")


def released(ps: str) -> str:
    return (Path(ROOT) / "assignments" / ps / f"{ps}.py").read_text(encoding="utf-8")


def between(first: str, last: str, ids: list[str]) -> list[str]:
    """The exercises from `first` to `last`, in the order of the lesson."""
    return ids[ids.index(first):ids.index(last) + 1]


@pytest.mark.parametrize("ps", SETS)
def test_the_parts_have_the_points_of_their_exercises_and_the_hours_add_up(ps: str) -> None:
    points = {match["id"]: int(match["points"]) for match in EXERCISE.finditer(source(ps))}
    assert sum(points.values()) == 100
    graded, minutes, counted = list(points), 0, []
    for row in PART.finditer(released(ps).partition("How to work")[0]):
        if "optional" not in row["name"]:  # the hours are those of a student who does all that is graded
            minutes += int(match[0]) if (match := re.match(r"\d+(?= min)", row["time"])) else 0
        if row["exercises"] == "joint check" or re.fullmatch(r"\d+", row["points"]):
            pieces = row["exercises"].replace("joint check", "joint").split(", ")
            part = [exercise for piece in pieces for exercise in between(piece.split(" to ")[0], piece.split(" to ")[-1], graded)]
            assert int(row["points"]) == sum(points[exercise] for exercise in part), row[0]
            counted += part
    assert counted == graded, "every exercise is in one part"
    hours = round(minutes / 60)
    assert hours in HOURS, f"the parts of {ps} take {minutes} minutes; a set takes {min(HOURS)} to {max(HOURS)} hours"
    says(ps, f"## {HOURS[hours]} hours, about")
    assert abs(minutes - 60 * round(minutes / 60)) <= 15, minutes


@pytest.mark.parametrize("ps", SETS)
def test_an_answer_is_about_as_long_as_its_todo_says(ps: str) -> None:
    for solution in SOLUTION.finditer(source(ps)):
        length = re.search(r"[Aa]bout (\d+) lines?", re.sub(r"\n *# *", " ", solution["todo"]))
        if length and "math.comb" not in solution["todo"]:  # our answer uses logarithms, which no student must do
            lines = [line for line in solution["code"].splitlines() if line.strip() and not line.strip().startswith("#")]
            assert abs(len(lines) - int(length[1])) <= max(2, int(length[1]) / 3), (solution["id"], length[0], len(lines))
