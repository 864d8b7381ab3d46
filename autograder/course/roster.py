"""The submissions of a course folder, and remarks about irregular folders."""

import csv
import os
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from autograder.course.odd_names import odd_names
from autograder.submission.discover import Entry


@dataclass(frozen=True)
class SubmissionList:
    """The submissions of one problem set in alphabetical order, and sentences for staff.

    missing: the students of the roster without a submission; None without a roster.
    """

    entries: tuple[Entry, ...]
    remarks: tuple[str, ...]
    missing: tuple[str, ...] | None = None


def list_submissions(course: Path, ps: str) -> SubmissionList:
    """Find `submitted/<student>/<ps>/` in a course folder; links are not followed.

    Raises:
        UserError: the folder is not a course, or no student has handed in this problem set.
    """
    check_course(course, ps)
    submitted = course / "submitted"
    entries, remarks = [], []
    for folder in sorted(submitted.iterdir(), key=lambda path: os.fsencode(path.name)):
        try:
            said = _refusal(folder) or _work_refusal(folder, ps)
            if said is None and (folder / ps).is_dir() and not folder.name.startswith("."):
                entries.append(Entry(folder.name, folder / ps))
        except OSError as error:  # a folder without permission costs only its own submission
            said = f"{folder.name!r}: this folder could not be read ({error.strerror}); correct its permissions to grade it"
        remarks += [said] if said else []
    present, roster = [entry.student for entry in entries], read_roster(course)
    remarks += odd_names(present, roster or ())
    missing = None if roster is None else tuple(sorted(set(roster) - set(present)))
    remarks += [] if roster is None else _unknown(roster, present)
    remarks += [missing_remark(missing)] if missing else []
    if not entries:
        raise UserError(f"nobody has handed in {ps}: {submitted} holds no <student>/{ps}/ folder")
    return SubmissionList(tuple(entries), tuple(remarks), missing)


def check_course(course: Path, ps: str = "<ps>") -> None:
    """Raise UserError if a folder is not a course, before anything is written into it."""
    if not course.is_dir():
        raise UserError(f"no such course folder: {course}")
    if not (course / "submitted").is_dir():
        raise UserError(f"{course} is not a course folder: it has no folder 'submitted' (submitted/<student>/{ps}/)")


def _refusal(folder: Path) -> str | None:
    """The reason why an entry of `submitted/` cannot be a student's folder, as a sentence; None if it can."""
    try:
        folder.name.encode("utf-8")
    except UnicodeEncodeError:
        return f"{folder.name!r}: this folder name is not UTF-8 text; rename it to grade it"
    if folder.is_symlink():
        return f"{folder.name!r} is a link and was not followed"
    if not folder.name.isprintable():
        return f"{folder.name!r}: this folder name holds control characters; rename it to grade it"
    return None


def _work_refusal(folder: Path, ps: str) -> str | None:
    return f"{folder.name!r}: {ps} is a link and was not followed" if (folder / ps).is_symlink() else None


def read_roster(course: Path) -> tuple[str, ...] | None:
    """Return the students named in `roster.csv` (first column `id`, as in nbgrader's import), None without one.

    Raises:
        UserError: the file is not such a table.
    """
    path = course / "roster.csv"
    if not path.exists():
        return None
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file)
            if "id" not in (rows.fieldnames or ()):
                raise UserError(f"{path}: the first line must name the columns, one of them 'id'")
            return tuple(row["id"].strip() for row in rows if row["id"])
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} is not a table of comma-separated values in UTF-8 ({error}): save it as one") from error


def _unknown(roster: tuple[str, ...], present: list[str]) -> list[str]:
    return [f"{student!r} is not in roster.csv; graded nevertheless" for student in sorted(set(present) - set(roster))]


def missing_remark(missing: tuple[str, ...]) -> str:
    """Return the sentence about the students of the roster who have not handed in."""
    return f"no submission from {', '.join(map(repr, missing))}"
