"""The search for students' networks with nearly the same weights, for staff."""

from __future__ import annotations

from pathlib import Path

from arena.files import write_if_changed
from arena.weights_file import NAME, WeightsError
from autograder.challenge.player.weights import read_weights
from autograder.csv_text import csv_text
from autograder.similarity.weights import Arrays, nearest, shipped_nets
from autograder.submission.discover import Entry

WEIGHTS_TABLE = "weights.csv"
CODED = "near, in another coding"


def look_at_weights(course: Path, entries: tuple[Entry, ...]) -> list[str]:
    """Write weights.csv into a course folder, and return sentences for staff: near pairs, and files that cannot be read.

    Args:
        entries: the submissions of ps5. If no submission has weights, no file is written.
    """
    brought: dict[str, Arrays] = {}
    remarks = []
    for entry in entries:
        try:
            weights = read_weights(entry.folder)
        except WeightsError as error:
            remarks.append(f"{entry.student!r}: {error}")
        else:
            brought |= {entry.student: weights.arrays} if weights else {}
    if not brought:
        return remarks
    table = nearest(brought, shipped_nets())
    rows = [[one.student, one.other, f"{one.distance:.3f}", CODED if one.coded else "near" if one.near else ""] for one in table]
    write_if_changed(course / WEIGHTS_TABLE, csv_text(["student", "nearest", "distance", "remark"], rows))
    pairs = {frozenset((one.student, one.other)): one for one in reversed(table) if one.near}
    return remarks + [
        f"the {NAME} of {one.student!r} is near that of {one.other!r}: distance {one.distance:.3f}, see {WEIGHTS_TABLE}; "
        + ("the same numbers in another order or coding" if one.coded else "a copy, or both come from the same run")
        for one in reversed(pairs.values())
    ]
