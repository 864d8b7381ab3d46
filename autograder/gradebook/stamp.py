"""The stamp in an autograded notebook's metadata: what was recorded when it was written.

nbgrader writes the notebook after the database, so a notebook with the right stamp means that the
gradebook was brought up to date; a run that was killed in between leaves no such notebook.
"""
from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nbgrader.utils import parse_utc
from traitlets.config import Config

from arena.files import read_regular
from autograder.gradebook.course import LARGEST_NOTEBOOK_BYTES
from autograder.grading.fingerprint import RECORDING, code_fingerprint
from autograder.grading.report import Report

KEY = "autograder"  # of the notebook's metadata
HANDED_OVER = ("timestamp.txt", "submission_secret.txt")  # nbgrader's own files that travel with a submission
LARGEST_SIDE_FILE_BYTES = 4096
Stamp = dict[str, Any]  # as JSON has it


@dataclass(frozen=True)
class Job:
    """What one recording needs. `answers_before` are the free answers at the last recording, None when unknown."""

    report: Report
    stamp: Stamp
    answers_before: dict[str, str] | None = None

    def without_notebook(self) -> Job:
        """The same recording, of a notebook that is not the student's; its stamp is no report's, so that it does not last."""
        return replace(self, stamp={**self.stamp, "report": "with a plain notebook"})


@dataclass(frozen=True)
class Setting:
    """What all stamps of one run share: the release, the edition, the late policy and this code."""

    release: str
    edition: str
    late_policy: str
    code: str = field(default_factory=lambda: code_version())


def make_stamp(report: Report, side_files: dict[str, bytes], setting: Setting) -> Stamp:
    """The stamp of a recording, without what only the recording itself can add (`lateness`, `answers`)."""
    return {
        "report": digest(report.to_json()),
        "submission": report.sha256,
        "side_files": digest(repr(sorted(side_files.items()))),
        "release": setting.release,
        "edition": setting.edition,
        "late_policy": setting.late_policy,
        "code": setting.code,
    }


def make_setting(course: Path, ps: str, config: Config, secret: bytes) -> Setting:
    """What this run records under."""
    release = read_regular(course / "release" / ps / f"{ps}.ipynb", LARGEST_NOTEBOOK_BYTES) or b""
    policy = {name: config.get(name, {}) for name in ("AssignLatePenalties", "LateSubmissionPlugin")}
    return Setting(digest(release), digest(b"edition " + secret), digest(repr(policy)))


def read_stamp(course: Path, student: str, ps: str) -> Stamp:
    """The stamp of what was recorded last; empty when there is none or the notebook is torn."""
    data = read_regular(course / "autograded" / student / ps / f"{ps}.ipynb", LARGEST_NOTEBOOK_BYTES)
    try:
        stamp = json.loads(data or b"")["metadata"][KEY]
    except (TypeError, ValueError, KeyError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def read_side_files(folder: Path) -> dict[str, bytes]:
    """The timestamp and the secret that nbgrader keeps of a submission; a timestamp that nbgrader could not read is left out."""
    found = {name: read_regular(folder / name, LARGEST_SIDE_FILE_BYTES) for name in HANDED_OVER}
    try:
        parse_utc((found["timestamp.txt"] or b"").decode().strip() or None)
    except Exception:  # dateutil raises what it likes: ValueError, OverflowError, OSError, decimal.InvalidOperation
        found["timestamp.txt"] = None
    return {name: data for name, data in found.items() if data is not None}


def digest(content: str | bytes) -> str:
    """A short sha256, long enough to tell recordings apart."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:32]


def code_version() -> str:
    """Return a digest of our files that recordings and feedback are made with: where one changes, all is recorded again."""
    return digest(code_fingerprint(RECORDING))
