"""The program in the sandbox of the comparison: stock nbgrader grades one attack after another, each in its own course.

    python -m autograder.selftest.attack.stock_inside ROOM HANDLE...

ROOM/base is a released course with graded honest students; ROOM/attacks/HANDLE/ps2_uct is an attack's submission. The result is
written into ROOM/HANDLE.json: a list of sentences about successes, empty if the attack failed.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import sys
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory

from autograder.selftest.attack.bank import LOOT, MARK, PWNED
from autograder.selftest.attack.pages import acting
from autograder.selftest.attack.stage import Listeners

PS = "ps2_uct"
TMP = Path("/tmp")


def main(room: Path, handles: list[str]) -> None:
    """Let stock nbgrader grade these attacks; the single handle `base` makes the course from which all attacks start."""
    logging.getLogger().setLevel(logging.CRITICAL)
    if handles == ["base"]:
        api = open_api(room / "base")
        api.generate_assignment(PS)
        for student in sorted(path.name for path in (room / "base" / "submitted").iterdir()):
            api.autograde(PS, student)
        return
    for handle in handles:
        (room / f"{handle}.json").write_text(json.dumps(attacked(room, handle)))


def attacked(room: Path, handle: str) -> list[str]:
    """Grade one attack in a fresh course, and return its successes."""
    course = room / "courses" / handle
    shutil.copytree(room / "base", course)
    shutil.copytree(room / "attacks" / handle, course / "submitted" / handle)
    files, scores = checksums(course, handle), scores_of(course)
    listeners = Listeners(TMP)
    api = open_api(course)
    api.autograde(PS, handle)
    found = ["it called a listener"] * bool(listeners.heard())
    after = scores_of(course)
    if after.pop(handle, 0.0):
        found.append(f"{scores_of(course)[handle]:g} points")
    found += ["another student's grade changed"] * (after != {name: score for name, score in scores.items() if name != handle})
    found += ["other files of the course changed"] * (checksums(course, handle) != files)
    work = course / "autograded" / handle / PS / f"{PS}.ipynb"
    text = work.read_text(encoding="utf-8") if work.exists() else ""
    outputs = [cell["outputs"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"] if text else []
    found += ["it read a secret"] * (f"{LOOT} [" in json.dumps(outputs))
    left = [path for place in (TMP, course) for path in place.rglob(f"*{MARK}*") if "submitted" not in path.parts]
    found += ["it left files behind"] * bool(left)
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
    if PWNED in text:
        api.generate_feedback(PS, handle)
        pages = course.glob(f"feedback/{handle}/**/*.html")
        found += ["a script runs in the feedback"] * any(acting(page.read_text(encoding="utf-8")) for page in pages)
    shutil.rmtree(course)
    return found


def open_api(course: Path) -> NbGraderAPI:
    """Return nbgrader's own API without any configuration."""
    app = NbGrader(log_level=logging.CRITICAL)
    app.load_cwd_config = False
    app.initialize([])
    app.config.CourseDirectory.root = str(course)
    return NbGraderAPI(CourseDirectory(config=app.config), config=app.config)


def scores_of(course: Path) -> dict[str, float]:
    """Return all students' scores in the gradebook."""
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        return {submission.student.id: submission.score for submission in gradebook.assignment_submissions(PS)}


def checksums(course: Path, handle: str) -> dict[str, str]:
    """Return the hashes of all files that the grading of this submission should not change."""
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(course.rglob("*"))
            if path.is_file() and path.name != "gradebook.db" and handle not in path.relative_to(course).parts}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
