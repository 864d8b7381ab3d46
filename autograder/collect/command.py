"""Collect the submissions of one or several zips into a course."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

from arena.errors import UserError
from autograder.collect.archive import members_of, opened
from autograder.collect.delivery import deliver, late_unknown, list_of, write_list
from autograder.collect.kept_names import keep_names, read_names
from autograder.collect.nbgrader_steps import stage
from autograder.collect.people import People
from autograder.collect.placing import plan
from autograder.collect.rows import LEFT_OVER, PLACED, Plan, Submission
from autograder.collect.times import Clock, course_timezone
from autograder.course.storage.lock import course_lock
from autograder.gradebook.course import WORK
from autograder.gradebook.policy.course_file import read_course_file
from autograder.gradebook.policy.roster_file import ROSTER, read_roster
from autograder.log import log
from autograder.plain_text import plain_text


@dataclass(frozen=True)
class Collected:
    """The result for one zip. table: the list of all its members; replaced: students whose older submission was put aside.

    late: students who are late on the platform but not for nbgrader, because nobody knows when they handed in.
    doubtful: submissions in an hour that the clocks repeated or skipped.    due: in UTC without a zone, if it is known.
    """

    zip: Path
    plan: Plan
    table: Path
    replaced: tuple[str, ...]
    late: tuple[str, ...]
    doubtful: tuple[Submission, ...] = ()
    due: datetime | None = None

    @property
    def left_over(self) -> int:
        """The number of members that were not given to any student."""
        return sum(row.outcome == LEFT_OVER for row in self.plan.rows)


def collect(course: Path, zips: Sequence[Path], ps: str | None = None) -> list[Collected]:
    """Collect all zips, the one with the newest file last; nothing is written before each of them is understood.

    Args:
        ps: the problem set; None for the one in the names of the files.

    Raises:
        UserError: the folder is not a course, a file is not a zip, a roster is needed, or nbgrader refuses.
        Busy: a grader is at work in the course.
    """
    _check_course(course)
    people = People(read_roster(course))
    with ExitStack() as open_zips:
        plans = []
        for path in zips:
            archive = open_zips.enter_context(opened(path))
            members = members_of(archive, path)
            clock = Clock(course_timezone(course), datetime.now(UTC))
            try:
                plans.append((max(member.info.date_time for member in members), path, archive, plan(members, people, ps, clock)))
            except UserError as error:
                raise UserError(f"{path.name}: {error}") from error
        lists = [list_of(course, path.stem, of_zip.ps) for _, path, _, of_zip in plans]
        if len(set(lists)) < len(lists):
            raise UserError("two of the zips have the same name, and their lists in collected/ are named after them: rename one "
                            "of the zips")
        for *_, of_zip in plans:
            read_names(course, of_zip.ps)  # a file that cannot be read is told before anything is placed
        plans.sort(key=lambda entry: entry[0])
        with course_lock(course):
            return [_carry_out(course, path, archive, of_zip) for _, path, archive, of_zip in plans]


def _check_course(course: Path) -> None:
    """Raise UserError if the folder is not a course; a roster is enough, for a course before its first submission."""
    if not course.is_dir():
        raise UserError(f"no such course folder: {course}")
    if not any((course / name).exists() for name in ("submitted", ROSTER, "nbgrader_config.py")):
        raise UserError(f"{course} is not a course folder: it has no folder 'submitted', no {ROSTER} and no nbgrader_config.py")


def _carry_out(course: Path, path: Path, archive: ZipFile, of_zip: Plan) -> Collected:
    """Carry out the plan of one zip, and write down the result."""
    work = course / WORK / "collect"
    shutil.rmtree(work, ignore_errors=True)  # of a run that was killed
    try:
        replaced = deliver(course, of_zip, stage(archive, of_zip, work))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    keep_names(course, of_zip)
    late = late_unknown(course, of_zip)
    doubtful = [submission for submission in of_zip.submissions
                if submission.later and any(row.outcome == PLACED for row in submission.files.values())]
    table = list_of(course, path.stem, of_zip.ps)
    write_list(table, of_zip)
    done = Collected(path, of_zip, table, tuple(replaced), tuple(late), tuple(doubtful),
                     read_course_file(course).due_in_utc(of_zip.ps))
    placed = sorted({row.student for row in of_zip.rows if row.outcome == PLACED})
    log(course, "collect", zip=plain_text(path.name), list=plain_text(table.name), ps=of_zip.ps, platform=of_zip.platform.name,
        placed=placed, replaced=replaced, left_over=done.left_over)
    return done
