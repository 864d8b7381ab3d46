"""The search for students' networks with nearly the same weights, for staff."""

from __future__ import annotations

from pathlib import Path

from arena.files import write_if_changed
from arena.weights_file import NAME, WeightsError
from autograder.challenge.player.weights import read_weights
from autograder.csv_text import csv_text
from autograder.gradebook.policy.people_names import read_names
from autograder.similarity.weights import Arrays, nearest, shipped_nets
from autograder.submission.discover import Entry

WEIGHTS_TABLE = "weights.csv"
CODED = "near, in another coding"


def look_at_weights(course: Path, entries: tuple[Entry, ...]) -> list[str]:
    """Write weights.csv into a course folder, and return sentences for staff: near pairs, and files that cannot be read.

    Args:
        entries: the submissions of ps5. If no submission has weights, no file is written.
    """
    networks: dict[str, Arrays] = {}
    remarks = []
    for entry in entries:
        try:
            weights = read_weights(entry.folder)
        except WeightsError as error:
            remarks.append(f"{entry.student!r}: {error}")
        else:
            networks |= {entry.student: weights.arrays} if weights else {}
    if not networks:
        return remarks
    table = nearest(networks, shipped_nets())
    rows = [[row.student, row.other, f"{row.distance:.3f}", CODED if row.coded else "near" if row.near else ""] for row in table]
    names = read_names(course)
    header = names.header(["student", "nearest", "distance", "remark"])
    write_if_changed(course / WEIGHTS_TABLE, csv_text(header, map(names.cells, rows)))
    pairs = {frozenset((row.student, row.other)): row for row in reversed(table) if row.near}
    return remarks + [
        f"the {NAME} of {pair.student!r} is near that of {pair.other!r}: distance {pair.distance:.3f}, see {WEIGHTS_TABLE}; "
        + ("the same numbers in another order or coding" if pair.coded else "a copy, or both come from the same run")
        for pair in reversed(pairs.values())
    ]
