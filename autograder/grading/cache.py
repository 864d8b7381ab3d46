"""Reports of submissions that were graded before: the same bytes under the same grader are not graded twice."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from autograder.files import write_atomic
from autograder.grading.report import Report


@dataclass(frozen=True)
class Remembered:
    """What is kept of one grading: the student's report and the staff's."""

    report: Report
    staff: dict


class Cache:
    """One file per (submission, grader) in `folder`, named after the sha256 of both.

    `fingerprint` covers the whole grader, its configuration and the edition's secret, so a change
    anywhere is a new key and old entries are simply never asked for again.
    """

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self.folder = folder
        self.fingerprint = fingerprint
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # an entry holds the staff report as well, which shows hidden inputs
        os.chmod(folder, 0o700)

    def load(self, ps: str, raw_sha256: str) -> Remembered | None:
        """Return the remembered grading, or None; an unreadable entry counts as none and is graded again."""
        try:
            entry = json.loads(self._path(ps, raw_sha256).read_text(encoding="utf-8"))
            return Remembered(Report.from_json(entry["report"]), entry["staff"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def store(self, ps: str, raw_sha256: str, graded: Remembered) -> None:
        """Remember a grading. The caller sees to it that faults and reruns do not come here."""
        entry = json.dumps({"report": graded.report.to_json(), "staff": graded.staff}, sort_keys=True)
        write_atomic(self._path(ps, raw_sha256), entry, mode=0o600)

    def _path(self, ps: str, raw_sha256: str) -> Path:
        key = hashlib.sha256("\0".join((ps, raw_sha256, self.fingerprint)).encode()).hexdigest()
        return self.folder / key[:2] / f"{key}.json"
