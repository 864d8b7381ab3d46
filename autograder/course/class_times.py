"""How long a class took for a set, or how near to its due date it handed in."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.gradebook.due_dates import DueDates
from autograder.pages.course.hand_in_days import HandInDays

_DAY_S = 86400


def hand_in_days(dates: DueDates, ps: str, students: Iterable[str]) -> HandInDays | None:
    """Return when a set was handed in, a team's work once; None where neither its first day nor its due date is known."""
    due, released = dates.due.get(ps), dates.file.released_in_utc(ps)
    begin = released or due
    if begin is None:
        return None
    present = set(students)
    works = [student for student in sorted(present)
             if student == min(member for member in dates.teams.members(student, ps) if member in present)]
    times = [time for student in works if (time := dates.handed_in_at(student, ps)) is not None]
    days = tuple((time - begin).total_seconds() / _DAY_S for time in times)
    return HandInDays(days, len(works), (due - begin).total_seconds() / _DAY_S if due else None, released is not None)
