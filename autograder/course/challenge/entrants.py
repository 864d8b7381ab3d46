"""The entrants of a class; `challenge/player/entrant.py` decides which of them do not play, and gives the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.errors import UserError
from autograder.challenge.player.entrant import Entrant, sets_with_players
from autograder.course.roster import list_submissions
from autograder.course.storage.report_store import ReportStore
from autograder.grading.report import Report
from autograder.problem_sets.source import facts_of
from autograder.submission.discover import Entry
from autograder.submission.payload import read_payload


def entrants(course: Path, graded: str, reports: Mapping[str, Report]) -> list[Entrant]:
    """Return the submissions of both sets whose present bytes are graded; those of ps5 only if they have weights.

    Args:
        graded: the set that was graded in this run. `reports`: its reports by student; the other set's come from the course.
    """
    return [entrant for entrant, is_graded in _graded_players(course, graded, reports) if is_graded]


def examined(course: Path, graded: str, reports: Mapping[str, Report]) -> tuple[list[Entrant], dict[str, Entrant]]:
    """Return the entrants of this run's exams, and student -> a player that waits; see `entrants` for the arguments.

    If one of a student's players has changed since it was graded, the student waits and keeps the earlier verdict, because the
    other player alone may be the weaker one.
    """
    players = list(_graded_players(course, graded, reports))
    waiting = {entrant.student: entrant for entrant, is_graded in players if not is_graded}
    return [entrant for entrant, _ in players if entrant.student not in waiting], waiting


def _graded_players(course: Path, graded: str, reports: Mapping[str, Report]) -> Iterator[tuple[Entrant, bool]]:
    """Yield every player with a report, and whether the report is about the present bytes."""
    for ps in sets_with_players():
        find = reports.get if ps == graded else ReportStore(course, ps).get
        for entry in _handed_in(course, ps):
            report = find(entry.student)
            if report is None:
                continue  # not graded yet: it enters when its set is graded
            payload = read_payload(entry.folder, ps)
            if all(payload.item(name) for name in facts_of(ps).beside):
                yield Entrant(ps, entry, report, payload.player_sha256), report.sha256 == payload.sha256


def _handed_in(course: Path, ps: str) -> tuple[Entry, ...]:
    try:
        return list_submissions(course, ps).entries
    except UserError:  # no student has handed in this set
        return ()
