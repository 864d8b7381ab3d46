"""The stamp in an autograded notebook's metadata: the state that was recorded when the notebook was written.

nbgrader writes the database before the notebook. So a notebook with the right stamp proves that the gradebook is up to date.
A run that was killed between the two writes leaves no such notebook.
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
from autograder.gradebook.policy.late_plugin import late_plugin_file
from autograder.gradebook.versions import is_other_code, this_version
from autograder.grading.fingerprint import RECORDING, code_fingerprint
from autograder.grading.report import UNDECIDED, Report
from autograder.submission.gate import MOST_FILE_BYTES, SECRET, TIMESTAMP, is_students_own, read_below

KEY = "autograder"  # in the notebook's metadata
DROPPED = "dropped"  # in a stamp: the exercises that did not count
BY = "by"  # in a stamp: the version that made the recording; a newer version alone is not a reason to record again
HANDED_OVER = (TIMESTAMP, SECRET)  # nbgrader's own files that accompany a submission: the time, and a key to the feedback
LARGEST_SIDE_FILE_BYTES = 4096
Stamp = dict[str, Any]  # values of JSON


@dataclass(frozen=True)
class Job:
    """The inputs of one recording. `answers_before`: the free answers at the last recording; None if unknown."""

    report: Report
    stamp: Stamp
    answers_before: dict[str, str] | None = None

    def without_notebook(self) -> Job:
        """The same recording with a plain notebook. Its stamp fits no report, so the next run tries the real notebook again."""
        return replace(self, stamp={**self.stamp, "report": "with a plain notebook"})


@dataclass(frozen=True)
class Setting:
    """The common part of all stamps of one run: the release, the edition, the late policy and this code."""

    release: str
    edition: str
    late_policy: str
    code: str = field(default_factory=lambda: code_version())


def make_stamp(report: Report, side_files: dict[str, bytes], setting: Setting) -> Stamp:
    """The stamp of a recording, without the parts that the recording itself adds (`lateness`, `answers`)."""
    return {
        "report": digest(report.to_json()),
        "submission": report.sha256,
        "side_files": digest(repr(sorted(side_files.items()))),
        "release": setting.release,
        "edition": setting.edition,
        "late_policy": setting.late_policy,
        "code": setting.code,
        BY: this_version(),
        **({DROPPED: dropped} if (dropped := [exercise.id for exercise in report.exercises if exercise.dropped]) else {}),
    }


def stands(before: Stamp, now: Stamp) -> bool:
    """Whether a recording with the stamp `before` is still right where one with the stamp `now` would be made."""
    return all(before.get(key) == value for key, value in now.items() if key != BY)


def cause_of(old: float | str | None, new: float | str, before: Stamp, now: Stamp, exercise: str = "") -> str:
    """Return the cause of a change of points since the last recording.

    Args:
        before: the stamp of the last recording; empty if there was none.
        now: the stamp of this recording.
        exercise: the id of the exercise, of which staff may have decided something.

    Returns: "dropped" if staff have dropped the exercise since then, or have brought it back; "submission"; "edition"; "suite"
        for other hidden checks, an excused check or another limit of time; "version" for another version of this project with the
        same hidden checks; "python" for another Python; "fault" for a change to or from UNDECIDED.
    """
    if (exercise in before.get(DROPPED, ())) != (exercise in now.get(DROPPED, ())):
        return "dropped"
    if UNDECIDED in (old, new):
        return "fault"
    for cause in ("submission", "edition"):
        if before.get(cause, "") != now[cause]:
            return cause
    made_by, makes = before.get(BY, {}), now[BY]  # older versions noted none
    if made_by.get("suite", makes["suite"]) != makes["suite"]:
        return "suite"
    if is_other_code(made_by, makes):
        return "version"
    return "python" if made_by["python"] != makes["python"] else "suite"


def make_setting(course: Path, ps: str, config: Config, secret: bytes) -> Setting:
    """The setting of this run's recordings."""
    release = read_regular(course / "release" / ps / f"{ps}.ipynb", MOST_FILE_BYTES) or b""
    policy = {name: config.get(name, {}) for name in ("AssignLatePenalties", "LateSubmissionPlugin", "CourseLateRule")}
    plugin = late_plugin_file(course, config)
    own = read_regular(plugin, LARGEST_SIDE_FILE_BYTES * 16) if plugin else None
    return Setting(digest(release), digest(b"edition " + secret), digest(repr(policy if own is None else (policy, own))))


def read_stamp(course: Path, student: str, ps: str) -> Stamp:
    """The stamp of the last recording; empty if there is none or the notebook is damaged."""
    data = read_regular(course / "autograded" / student / ps / f"{ps}.ipynb", MOST_FILE_BYTES)
    try:
        stamp = json.loads(data or b"")["metadata"][KEY]
    except (TypeError, ValueError, KeyError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def read_side_files(folder: Path) -> dict[str, bytes]:
    """The timestamp and the secret that nbgrader stores with a submission; a file that is not a time or not text is left out.

    The collection or staff write the timestamp. A file that belongs to the student's account comes from neither.
    """
    files = {name: read_below(folder, name, LARGEST_SIDE_FILE_BYTES) for name in HANDED_OVER}
    try:
        parse_utc((files[TIMESTAMP] or b"").decode().strip() or None)
    except Exception:  # dateutil raises ValueError, OverflowError, OSError, decimal.InvalidOperation and others
        files[TIMESTAMP] = None
    if is_students_own(folder, TIMESTAMP):
        files[TIMESTAMP] = None
    try:
        (files[SECRET] or b"").decode()
    except ValueError:  # it would stop nbgrader's release of the feedback for everybody
        files[SECRET] = None
    return {name: data for name, data in files.items() if data is not None}


def digest(content: str | bytes) -> str:
    """A short sha256, long enough to distinguish recordings."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:32]


def code_version() -> str:
    """Return a digest of our files that make recordings and feedback: if one changes, everything is recorded again."""
    return digest(code_fingerprint(RECORDING))
