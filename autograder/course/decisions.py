"""What staff and new checks have changed in a set, from the course's log: on the class page, and in the texts for students."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.gradebook.tables import Change
from autograder.log import log, read_log
from autograder.pages.course.class_page import Decision
from autograder.plain_text import one_line

EXCUSE, DROP, CORRECTION, GRADE = "excuse", "drop", "correction", "grade"  # commands in the log
OWN = "submission"  # the cause of changes that are the student's own doing


@dataclass(frozen=True)
class SinceLastRun:
    """What staff have decided about a set since the last run over it, with their reasons.

    excused: by check; deciding: by check, those that are no longer excused.
    dropped: by exercise; brought_back: by exercise, those that count again.
    """

    excused: dict[str, str]
    deciding: dict[str, str]
    dropped: dict[str, str]
    brought_back: dict[str, str]


def decisions(course: Path, ps: str) -> list[Decision]:
    """Return the decisions about a set and the corrections of its points, the first one first."""
    return [Decision(str(entry["when"])[:16].replace("T", " "), one_line(str(entry["who"])), one_line(_sentence(entry)))
            for entry in read_log(course, EXCUSE, DROP, CORRECTION) if entry.get("ps") == ps]


def since_last_run(course: Path, ps: str) -> SinceLastRun:
    """Return what was decided after the last complete run of a set; what was decided and taken back is left out."""
    made: list[dict[str, Any]] = []
    for entry in read_log(course, GRADE, EXCUSE, DROP):
        if entry.get("ps") == ps:
            made = [] if entry["command"] == GRADE else [*made, entry]
    return SinceLastRun(*_done_and_undone(made, EXCUSE, "check"), *_done_and_undone(made, DROP, "exercise"))


def _done_and_undone(made: Iterable[dict[str, Any]], command: str, what: str) -> tuple[dict[str, str], dict[str, str]]:
    """The reasons of one kind of decision, by what it is about: of those that hold now, and of those that were taken back."""
    by_name: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in made:
        if entry["command"] == command:
            by_name[str(entry.get(what))].append(entry)
    changed = {name: own[-1] for name, own in by_name.items() if _undoes(own[0]) == _undoes(own[-1])}
    return ({name: _why(entry) for name, entry in changed.items() if not _undoes(entry)},
            {name: _why(entry) for name, entry in changed.items() if _undoes(entry)})


def log_corrections(course: Path, ps: str, changes: Iterable[Change]) -> None:
    """Add a line to the log for each cause of changed points that is not the students' own doing."""
    for cause, own in sorted(_by_cause(changes).items()):
        exercises = list(dict.fromkeys(change.exercise for change in own))
        log(course, CORRECTION, ps=ps, cause=cause, exercises=exercises, students=len({change.student for change in own}))


def corrections(changes: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes of points that are not the students' own doing."""
    return (change for change in changes if change.cause != OWN and not change.is_first)


def _by_cause(changes: Iterable[Change]) -> dict[str, list[Change]]:
    causes: dict[str, list[Change]] = defaultdict(list)
    for change in corrections(changes):
        causes[change.cause].append(change)
    return causes


def _sentence(entry: dict[str, Any]) -> str:
    if entry["command"] == EXCUSE:
        now = "decides again" if _undoes(entry) else "counts as passed for everybody"
        return f"the check {entry.get('check')} {now}: {_why(entry)}"
    if entry["command"] == DROP:
        return f"{entry.get('exercise')} {'counts again' if _undoes(entry) else 'does not count'}: {_why(entry)}"
    number, exercises = entry.get("students"), entry.get("exercises") or ()
    return (f"a run changed points of {number} student{'' if number == 1 else 's'} in {', '.join(map(str, exercises))}; "
            f"cause: {entry.get('cause')}")


def _why(entry: dict[str, Any]) -> str:
    return str(entry.get("why", ""))


def _undoes(entry: dict[str, Any]) -> bool:
    return bool(entry.get("undo"))
