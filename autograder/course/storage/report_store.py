"""The reports of a course: `reports/<student>/<ps>.json`, and the staff report beside it."""

import json
import re
from pathlib import Path
from typing import Any

from arena.files import write_atomic, write_if_changed
from autograder.grading.report import Report

# The address of an object; pytest shortens long values in the middle, and sometimes cuts an address.
ADDRESS = re.compile(r" at 0x[0-9a-f]{6,16}\b| at 0x[0-9a-f]*(?=\.\.\.)|(?<=\.\.\.)(?:a?t? ?0?x)?[0-9a-f]{2,16}(?=>)")


class ReportStore:
    """The reports of one problem set in a course folder. Staff reports show hidden inputs: mode 0600, never exported."""

    def __init__(self, course: Path, ps: str) -> None:
        self.folder = course / "reports"
        self.ps = ps

    def put(self, student: str, report: Report, staff: dict[str, Any]) -> bool:
        """Write both reports and return whether the student's report has changed."""
        path, present = self.path(student), self.get(student)
        if present is not None and present.sha256 != report.sha256:
            write_atomic(self._path_before(student), present.to_json())
        write_if_changed(path.with_name(f"{self.ps}.staff.json"), staff_text(staff), mode=0o600)
        return write_if_changed(path, report.to_json())

    def get(self, student: str) -> Report | None:
        """Return the stored report; None if there is none or it cannot be read."""
        return _read(self.path(student))

    def before(self, student: str) -> Report | None:
        """Return the report of the student's submission before the present one; None if there is none."""
        return _read(self._path_before(student))

    def path(self, student: str) -> Path:
        """Return the path of a student's report."""
        return self.folder / student / f"{self.ps}.json"

    def _path_before(self, student: str) -> Path:
        return self.path(student).with_name(f"{self.ps}.before.json")


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
