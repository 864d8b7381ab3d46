"""The report that a person reads after a run: who is placed, what is left over, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from autograder.collect.command import Collected
from autograder.collect.rows import IGNORED, LEFT_OVER, PLACED, UNCHANGED, Submission
from autograder.gradebook.policy.people_names import Names
from autograder.plain_text import one_line


def lines_of(done: Collected, names: Names) -> Iterator[str]:
    """Yield the lines about one zip; every line about a student names the student or the file."""
    plan = done.plan

    def late(work: Submission) -> str:
        if done.due is None or work.time is None or work.later is None or not work.time <= done.due < work.later:
            return ""
        return (f", and after the due date, {done.due} UTC: the time that counts is in "
                f"submitted/{work.student}/{plan.ps}/timestamp.txt")

    students = {outcome: {row.student for row in plan.rows if row.outcome == outcome} for outcome in (PLACED, UNCHANGED)}
    counts = Counter(row.outcome for row in plan.rows)
    yield (f"{one_line(done.zip.name)}: {plan.platform.name}, {plan.ps}, {_number(len(plan.rows), 'file')}: "
           f"{_number(len(students[PLACED]), 'student')} placed, {len(students[UNCHANGED])} unchanged")
    if done.replaced:
        yield f"  newer work of {', '.join(map(names.beside, done.replaced))}: the older submissions are in collected/"
    for row in plan.rows:
        if row.why and row.outcome in (PLACED, UNCHANGED) and row.student not in (*done.replaced, *done.late):
            yield f"  {names.beside(row.student)}: {one_line(row.path)}: {row.why}"
    for student in done.late:
        yield (f"  {names.beside(student)}: late on {plan.platform.name}, but the zip does not say when, so nbgrader takes it as "
               f"on time until you write the time into submitted/{student}/{plan.ps}/timestamp.txt, such as "
               "2026-10-05 23:59:00 UTC")
    for submission in done.doubtful:
        yield (f"  {names.beside(submission.student)}: handed in when the clocks were changed: {submission.time} UTC counts, "
               f"{submission.later} UTC is as likely{late(submission)}")
    if students[PLACED] and not plan.times_known and plan.platform.name != "Canvas":
        yield ("  the dates in this zip seem to be those of the download, not of the hand-ins; nbgrader takes work without a "
               "timestamp.txt as on time")
    if counts[IGNORED]:
        yield f"  {_number(counts[IGNORED], 'file')} not needed"
    for row in plan.rows:
        if row.outcome == LEFT_OVER:
            whose = f"{names.beside(row.student)}: " if row.student else ""
            yield f"  left over: {one_line(row.path)}: {whose}{row.why}"
    yield f"  the list of all files: {done.table}"


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
