"""The cache of reports: the same bytes are not graded twice by the same grader."""

import hashlib
from pathlib import Path
from typing import Any

from autograder.grading.config import Graded
from autograder.grading.report import Report
from autograder.json_files import read_state, write_state


class Cache:
    """One file per (submission, grader) in `folder`, named after the sha256 of both.

    `fingerprint` covers the whole grader, its Python, its configuration and the edition's secret. A change of any of them gives
    new keys, and old entries are never read again.
    """

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self.folder = folder
        self.fingerprint = fingerprint
        # an entry contains the staff report too, which shows hidden inputs
        folder.mkdir(mode=0o770, parents=True, exist_ok=True)

    def load(self, ps: str, sha256: str) -> Graded | None:
        """Return the stored grading of a submission, or None; after an unreadable entry the submission is graded again."""
        entry = self.read(ps, sha256)
        try:
            return Graded(Report.from_json(entry["report"]), entry["staff"])
        except (ValueError, KeyError, TypeError):
            return None

    def store(self, ps: str, graded: Graded) -> None:
        """Store a grading. The caller must not pass grader faults and reruns."""
        self.write(ps, graded.report.sha256, {"report": graded.report.to_json(), "staff": graded.staff})

    def read(self, what: str, sha256: str) -> dict[str, Any]:
        """Return an entry as it was written; an empty one if there is none or it is damaged."""
        return read_state(self._path(what, sha256))

    def write(self, what: str, sha256: str, entry: dict[str, Any]) -> None:
        """Write an entry; it must be serialisable as JSON."""
        write_state(self._path(what, sha256), entry, mode=0o660)

    def _path(self, what: str, sha256: str) -> Path:
        key = hashlib.sha256("\0".join((what, sha256, self.fingerprint)).encode()).hexdigest()
        return self.folder / key[:2] / f"{key}.json"
