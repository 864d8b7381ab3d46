"""The reports of a course: `reports/<student>/<ps>.json`; beside it the staff report, the report before, and the history."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.files import write_atomic, write_if_changed
from autograder.course.storage.history import History, continued, read_history, write_history
from autograder.grading.report import Report
from autograder.pages.short_report import ShortReport

# The address of an object; pytest shortens long values in the middle, and sometimes cuts an address.
ADDRESS = re.compile(r" at 0x[0-9a-f]{6,16}\b| at 0x[0-9a-f]*(?=\.\.\.)|(?<=\.\.\.)(?:a?t? ?0?x)?[0-9a-f]{2,16}(?=>)")


class ReportStore:
    """The reports of one problem set in a course folder. Staff reports show hidden inputs: never exported."""

    def __init__(self, course: Path, ps: str) -> None:
        self.folder = course / "reports"
        self.ps = ps

    def put(self, student: str, report: Report, staff: dict[str, Any]) -> bool:
        """Write both reports and return whether the student's report has changed."""
        path, present = self.path(student), self.get(student)
        self._continue_history(student, present, report)
        if present is not None and present.sha256 != report.sha256:
            write_atomic(self._path_before(student), present.to_json())
        write_if_changed(self._path_beside(student, "staff"), staff_text(staff), mode=0o660)
        return write_if_changed(path, report.to_json())

    def get(self, student: str) -> Report | None:
        """Return the stored report; None if there is none or it cannot be read."""
        return _read(self.path(student))

    def before(self, student: str) -> Report | None:
        """Return the report of the student's submission before the present one; None if there is none."""
        return _read(self._path_before(student))

    def all(self) -> dict[str, Report]:
        """Return every stored report of the set that can be read, by student in alphabetical order."""
        names = sorted(path.parent.name for path in self.folder.glob(f"*/{self.ps}.json"))
        return {student: report for student in names if (report := self.get(student)) is not None}

    def history(self, student: str, now: Report) -> History:
        """Return the graded submissions of a student in short, the first one first; `now` is the report of the last one."""
        return continued(read_history(self._path_beside(student, "history")), ShortReport.of(now))

    def graded_at(self, student: str) -> str:
        """Return when the stored report was made, in UTC to the minute; the same result later leaves the report as it is."""
        try:
            return datetime.fromtimestamp(self.path(student).stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
        except OSError:
            return ""

    def path(self, student: str) -> Path:
        """Return the path of a student's report."""
        return self.folder / student / f"{self.ps}.json"

    def _continue_history(self, student: str, present: Report | None, report: Report) -> None:
        path = self._path_beside(student, "history")
        stored = read_history(path)
        if not stored and (present is None or present.sha256 == report.sha256):
            return  # one submission: the report is its history
        known = stored or tuple(ShortReport.of(earlier) for earlier in (self.before(student), present) if earlier is not None)
        now = continued(known, ShortReport.of(report))
        if now != stored:
            write_history(path, now)

    def _path_before(self, student: str) -> Path:
        return self._path_beside(student, "before")

    def _path_beside(self, student: str, what: str) -> Path:
        return self.path(student).with_name(f"{self.ps}.{what}.json")


def _read(path: Path) -> Report | None:
    try:
        return Report.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def staff_text(staff: dict[str, Any]) -> str:
    """Return the staff report as text: the same for the same grading, and valid UTF-8 for any data from the student's code."""
    text = json.dumps(staff, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    # Python strings may contain half a surrogate pair, but files cannot; an object's address is new in every run
    return ADDRESS.sub("", text.encode("utf-8", "backslashreplace").decode())
