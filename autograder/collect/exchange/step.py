"""nbgrader's collect with our guards: the same command, options and button, but nothing that a student can write is trusted.

Of a student's hand-ins the latest by the kernel's clock counts. If it cannot be taken, a warning names it, and the one before it
counts. `timestamp.txt` is written here and is never the student's. What was in submitted/ before is kept in collected/.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.exchange.default import ExchangeCollect

from arena.errors import UserError
from arena.files import write_atomic
from autograder.collect.exchange.records import Looking, Record, look_through
from autograder.course.storage.lock import course_lock
from autograder.gradebook.course import WORK, stop_for_everybodys
from autograder.json_files import read_state, write_state
from autograder.log import log
from autograder.plain_text import one_line
from autograder.submission.gate import MOST_FILE_BYTES, SECRET, TIMESTAMP, Refused, held, opened, read_below, take

COLLECTED, KNOWN = "collected", "exchange.json"  # by set and student: the hand-in that is in submitted/, and its time
REPORTED_FROM = timedelta(seconds=60)  # staff are warned if the time in a folder's name differs more than this from the kernel's
_SHARED_FILE, _SHARED_FOLDER = 0o660, 0o2770  # with c.CourseDirectory.groupshared


class GuardedCollect(ExchangeCollect):
    """nbgrader's ExchangeCollect; its options mean what they mean there."""

    def init_src(self) -> None:
        """Judge the hand-ins of the assignment."""
        self.ps = self.coursedir.assignment_id
        if self.coursedir.course_id == "":
            self.fail("No course id specified. Re-run with --course flag.")
        self.course = Path(self.coursedir.root)
        self.course_path = os.path.join(self.root, self.coursedir.course_id)
        self.inbound_path = os.path.join(self.course_path, "inbound")
        self.trusted = frozenset({0, os.geteuid(), self.course.stat().st_uid})
        looking = Looking(self.ps, self.coursedir.student_id or "*", self.trusted, self.check_owner, self.coursedir.ignore)
        with self._inbound() as inbound:
            self.hand_ins = look_through(inbound, looking)
        for line in self.hand_ins.refused:
            self.log.warning(line)
        self.duedate = self._due()

    @contextmanager
    def _inbound(self) -> Iterator[int]:
        """Open the folder of the hand-ins; only the course's staff may have made it."""
        try:
            with opened(Path(self.root), self.coursedir.course_id, "inbound") as descriptor:
                owner = os.fstat(descriptor).st_uid
                if owner not in self.trusted and not self.coursedir.groupshared:
                    self.fail(f"{self.inbound_path} belongs to user id {owner}, neither to you nor to the owner of the course")
                yield descriptor
        except FileNotFoundError:
            self.fail(f"Course not found: {self.inbound_path}")
        except OSError as error:
            self.fail(f"{self.inbound_path} cannot be read ({error.strerror}); links are not followed there")

    def _due(self) -> datetime | None:
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                due: datetime | None = gradebook.find_assignment(self.ps).duedate
            except MissingEntry:
                due = None
        return due

    def copy_files(self) -> None:
        """Collect the hand-ins; an error in one of them affects no other."""
        try:
            with course_lock(self.course), self._inbound() as inbound:
                self._collect(inbound)
        except UserError as error:
            self.fail(str(error))

    def _collect(self, inbound: int) -> None:
        known = read_state(self.course / COLLECTED / KNOWN)
        mine = known.setdefault(self.ps, {})
        placed: list[str] = []
        for student, records in self.hand_ins.records.items():
            for record in self._in_order(records):
                try:
                    if self._wanted(record, mine.get(student)) and self._take(inbound, record, mine):
                        placed.append(student)
                        write_state(self.course / COLLECTED / KNOWN, known)
                    break
                except (Refused, OSError) as error:
                    stop_for_everybodys(error)
                    reason = getattr(error, "strerror", None) or str(error)
                    self.log.warning(f"not collected: {one_line(record.name)}: {reason}")
        summary = f"{len(placed)} of {len(self.hand_ins.records)} students collected"
        if self.hand_ins.refused:
            summary += f";  {len(self.hand_ins.refused)} folders of the exchange are not collected, for the reasons above"
        self.log.info(f"{self.ps}: {summary}")
        if not self.hand_ins.records:
            self.log.warning(f"No submissions of '{self.ps}' for course '{self.coursedir.course_id}' to collect")
        log(self.course, "collect", exchange=self.coursedir.course_id, ps=self.ps, placed=placed,
            not_collected=len(self.hand_ins.refused))

    def _in_order(self, records: list[Record]) -> list[Record]:
        """The hand-ins in the order in which they count; with `before_duedate`, first those that came in time."""
        due = self.duedate
        if due is None or not self.before_duedate:
            return records
        return sorted(records, key=lambda record: _time(record) > due)  # stable: the latest of each kind first

    def _place(self, student: str) -> Path:
        return Path(self.coursedir.format_path(self.coursedir.submitted_directory, student, self.ps))

    def _wanted(self, record: Record, known: Any) -> bool:
        """Whether this hand-in is to be copied: nbgrader's own rules, by the kernel's time."""
        place, student = self._place(record.student), record.student
        for path in (place.parent, place):
            if path.is_symlink() or (path.exists() and not path.is_dir()):
                raise Refused(f"submitted/{path.relative_to(place.parent.parent)} is a link or a file: move it away")
        if not place.exists():
            self.log.info(f"Collecting submission: {student} {self.ps}")
            return True
        if not (self.update or self.before_duedate):
            self.log.info(f"Submission already exists, use --update to update: {student} {self.ps}")
            return False
        known = known if isinstance(known, dict) else {}
        if (known.get("record"), known.get("time_ns")) == (record.name, record.time_ns):
            newer = False
        elif "time_ns" in known:
            newer = record.time_ns > known["time_ns"] or self.before_duedate
        elif (place / SECRET).exists():  # collected by nbgrader's own step, with the time that the student wrote
            newer = True
        else:
            existing = self.coursedir.get_existing_timestamp(str(place))
            newer = existing is None or _time(record) > existing or self.before_duedate
        self.log.info(f"Updating submission: {student} {self.ps}" if newer
                      else f"No newer submission to collect: {student} {self.ps}")
        return newer

    def _take(self, inbound: int, record: Record, known: dict[str, Any]) -> bool:
        """Copy a hand-in to its place; return whether anything there is new."""
        (self.course / WORK).mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="exchange-", dir=self.course / WORK) as room:  # 0700
            staged, place = Path(room, self.ps), self._place(record.student)
            with held(record.name, inbound) as folder:
                if os.fstat(folder).st_uid != record.owner:
                    raise Refused("it was replaced by another folder while it was collected")
                taken = take(folder, record.rules, staged)
            time = datetime.fromtimestamp(taken.time_ns // 1000 / 1e6, UTC)
            for name, why in taken.left_out.items():
                self.log.warning(f"{record.student}: {one_line(name)} is left out: {why}")
            before = known.get(record.student, {})
            if before.get("record") == record.name and place.is_dir() and _same_files(staged, place):
                return False  # somebody changed its rights, and so the kernel's time; the earlier time stays
            self._say(record, time)
            write_atomic(staged / TIMESTAMP, f"{time:%Y-%m-%d %H:%M:%S.%f} UTC")
            if self.coursedir.groupshared:
                _share(staged)
            self._deliver(staged, place, record.student)
            known[record.student] = {"record": record.name, "time_ns": taken.time_ns}
        return True

    def _say(self, record: Record, time: datetime) -> None:
        """Log what a person should know about a hand-in that is collected."""
        if record.noted:
            self.log.warning(f"{record.student}: {one_line(record.name)} is {record.noted}")
        if abs(time.timestamp() - record.claimed_s) > REPORTED_FROM.total_seconds():
            self.log.warning(f"{record.student}: {one_line(record.name)} was last changed at {time:%Y-%m-%d %H:%M:%S} UTC; "
                             "this time of the kernel counts, and not the time in the name")

    def _deliver(self, staged: Path, place: Path, student: str) -> None:
        """Move a finished copy to its place; what was there before is kept."""
        if place.exists():
            kept = _free(self.course / COLLECTED / f"{datetime.now(UTC):%Y-%m-%d-%H-%M-%S}", student, self.ps)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(place, kept)
            self.log.info(f"{student}: the earlier submission is in {kept.parent.relative_to(self.course)}")
        place.parent.mkdir(parents=True, exist_ok=True)
        if self.coursedir.groupshared:
            place.parent.chmod(_SHARED_FOLDER)
        shutil.move(staged, place)


def _time(record: Record) -> datetime:
    """The time of a hand-in in UTC, without a zone, as nbgrader keeps it."""
    return datetime.fromtimestamp(record.time_ns / 1e9, UTC).replace(tzinfo=None)


def _free(kept: Path, student: str, ps: str) -> Path:
    number, folder = 1, kept
    while (folder / student / ps).exists():
        number, folder = number + 1, kept.with_name(f"{kept.name}-{number + 1}")
    return folder / student / ps


def _share(folder: Path) -> None:
    """Give a copy to the group of the course."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(_SHARED_FOLDER if path.is_dir() else _SHARED_FILE)


def _same_files(first: Path, second: Path) -> bool:
    """Whether two of our folders hold the same regular files with the same bytes, apart from the timestamp."""
    files = []
    for folder in (first, second):
        paths = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}
        files.append({name: path for name, path in paths.items() if name != TIMESTAMP})
    if files[0].keys() != files[1].keys():
        return False
    for name in files[0]:
        contents = [read_below(folder, name, MOST_FILE_BYTES) for folder in (first, second)]
        if contents[0] is None or contents[0] != contents[1]:
            return False
    return True
