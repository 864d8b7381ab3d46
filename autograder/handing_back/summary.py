"""The report that a person reads after pages were handed back: what was written, who gets no page, and why."""

from __future__ import annotations

from collections.abc import Iterator

from arena.challenge.report import ASSIGNMENT
from autograder.gradebook.policy.people_names import Names
from autograder.handing_back.command import HandedBack
from autograder.plain_text import one_line


def lines_of(done: HandedBack, names: Names) -> Iterator[str]:
    """Yield the lines about one problem set; every student without a page is named, those of one reason together."""
    pages = "1 page" if len(done.students) == 1 else f"{len(done.students)} pages"
    absent = "did not take part" if done.ps == ASSIGNMENT else "not handed in"
    yield f"{done.ps}, for {done.way}: {pages}, {len(done.left_out)} left out, {len(done.absent)} {absent}"
    by_reason: dict[str, list[str]] = {}
    for student, reason in sorted(done.left_out.items()):
        by_reason.setdefault(reason, []).append(student)
    for reason, students in by_reason.items():
        yield f"  left out: {one_line(', '.join(map(names.beside, students)))}: {reason}"
    for remark in done.remarks:
        yield f"  {one_line(remark)}"
    if done.absent:
        yield f"  {absent}: {one_line(', '.join(map(names.beside, done.absent)))}"
    for file in done.files:
        earlier = f"; what was there before is {file.before.name} now" if file.before else ""
        yield f"  {file.path}{earlier if file.changed else ', as it was'}"
