"""Move finished submissions to submitted/; what was there before is kept in collected/."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from arena.files import read_regular, write_atomic
from autograder.collect.nbgrader_steps import of_the_machine
from autograder.collect.rows import LEFT_OVER, PLACED, UNCHANGED, Plan, Submission
from autograder.csv_text import csv_text
from autograder.plain_text import plain_text
from autograder.submission.gate import TIMESTAMP

COLLECTED = "collected"
COLUMNS = ["file", "platform", "student", "outcome", "why"]
_LARGEST = 64 * 2**20


def deliver(course: Path, plan: Plan, staged: Path) -> list[str]:
    """Move each staged submission to its place; return the students whose older submission was moved to collected/<time>/.

    A submission that cannot be moved is left over, and what was in its place stays there.

    Raises:
        OSError: the machine refuses to write anything at all.
    """
    kept = _free_folder(course / COLLECTED / datetime.now(UTC).strftime("%Y-%m-%d-%H-%M-%S"))
    replaced = []
    for submission in plan.submissions:
        new, old = staged / submission.student / plan.ps, course / "submitted" / submission.student / plan.ps
        if not submission.waiting or not new.is_dir():  # none of its files could be read or written
            continue
        try:
            outcome, why = _compare(new, old, submission)
            if outcome == PLACED and _replace(old, new, kept / submission.student / plan.ps):
                replaced.append(submission.student)
                why = f"the older submission is in {COLLECTED}/{kept.name}/"
        except OSError as error:
            if of_the_machine(error):
                raise
            outcome, why = LEFT_OVER, f"cannot be put into submitted/: {error.strerror or error}"
        for row in submission.waiting.values():
            row.end(outcome, "; ".join(filter(None, [row.why, why])))
    return replaced


def _replace(old: Path, new: Path, kept: Path) -> bool:
    """Move a new submission to its place, and what was there to `kept`; return whether anything was there."""
    was_there = old.exists()
    if was_there:
        kept.parent.mkdir(parents=True)
        shutil.move(old, kept)
    try:
        old.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(new, old)
    except OSError:
        if was_there:  # half of the new one may be there, if it went to another disk
            shutil.rmtree(old, ignore_errors=True)
            shutil.move(kept, old)
        raise
    return was_there


def _free_folder(folder: Path) -> Path:
    """The folder, or one with a number behind its name: two zips may be collected within a second."""
    number, free = 1, folder
    while free.exists():
        number, free = number + 1, folder.with_name(f"{folder.name}-{number + 1}")
    return free


def _compare(new: Path, old: Path, submission: Submission) -> tuple[str, str]:
    """Decide whether a submission replaces what is in its place."""
    if old.is_symlink() or old.parent.is_symlink():
        return LEFT_OVER, f"submitted/{old.parent.name}/ is a link to another place, and nothing is written through it"
    if old.parent.exists() and not old.parent.is_dir():
        return LEFT_OVER, f"submitted/{old.parent.name} is a file: move it away"
    if not old.exists():
        return PLACED, ""
    if not old.is_dir():
        return LEFT_OVER, f"submitted/{old.parent.name}/{old.name} is a file: move it away"
    before, now = _time(old), _time(new)
    if _files(new) == _files(old) and (before is not None or now is None):
        return UNCHANGED, ""
    if before is not None and now is not None and (submission.later or now) < before:
        return UNCHANGED, "older than what is in submitted/"
    return PLACED, ""


def _files(folder: Path) -> dict[str, bytes | None]:
    """All files but nbgrader's, by their paths; None for a file that cannot be read, which never equals ours."""
    return {str(path.relative_to(folder)): read_regular(path, _LARGEST) for path in sorted(folder.rglob("*"))
            if (path.is_symlink() or not path.is_dir()) and path.relative_to(folder) != Path(TIMESTAMP)}


def _time(folder: Path) -> datetime | None:
    try:
        time: datetime | None = parse_utc((read_regular(folder / TIMESTAMP, 1000) or b"").decode().strip() or None)
    except (ValueError, OverflowError):
        return None
    return time


def late_unknown(course: Path, plan: Plan) -> list[str]:
    """Note, and return, the students whose work is late on the platform, without a timestamp.txt that has its time."""
    students = []
    for submission in plan.submissions:
        there = [row for row in submission.files.values() if row.outcome in (PLACED, UNCHANGED)]
        if submission.late and there and not (course / "submitted" / submission.student / plan.ps / TIMESTAMP).exists():
            students.append(submission.student)
            for row in there:
                row.why = "; ".join(filter(None, [row.why, f"late on {plan.platform.name}, but the time is not known"]))
    return students


def list_of(course: Path, zip_name: str, ps: str) -> Path:
    """Return the path of the list of a zip. It names the set: Canvas calls the download of every assignment submissions.zip."""
    return course / COLLECTED / f"{ps}-{zip_name}.csv"


def write_list(path: Path, plan: Plan) -> None:
    """Write the table of all members of a zip."""
    write_atomic(path, csv_text(COLUMNS, ([plain_text(row.member.path), plan.platform.name, row.student, row.outcome, row.why]
                                          for row in plan.rows)))
