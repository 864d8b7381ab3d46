"""The program in the sandbox of the comparison: stock nbgrader grades one attack after another, each in its own course.

    python -m autograder.selftest.attack.stock_inside ROOM PLACE base
    python -m autograder.selftest.attack.stock_inside ROOM PLACE HANDLE...

ROOM/base is a course with honest submissions, which the first command releases and grades; ROOM/attacks/HANDLE/ps2_uct is an
attack's submission. PLACE is the folder into which the sandbox can write: the attacked courses are there, and PLACE/NAME.json is
the result of `base` and of each HANDLE. After the last attack, PLACE/control.json tells what an honest student gets: attacks that
failed have failed where honest work is graded.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory

from autograder.selftest.attack.bank import LOOT, MARK, PWNED
from autograder.selftest.attack.pages import acting
from autograder.selftest.attack.stage import Listeners
from autograder.selftest.demo.staging import HONEST, RIGHT

PS = "ps2_uct"
TMP = Path("/tmp")
LONGEST_REASON = 200
_ERROR = re.compile(r"^\[ERROR\] (.+)", re.M)
_EXCEPTION = re.compile(r"^ *[\w.]*?(\w+(?:Error|Exception|Entry): .+)", re.M)
Points = dict[str, tuple[float, float]]  # by student: what the checks gave, and what they can give


def main(room: Path, place: Path, names: list[str]) -> None:
    """Let stock nbgrader grade `base`, or these attacks."""
    logging.getLogger().setLevel(logging.CRITICAL)
    if names == ["base"]:
        write(place, "base", made_base(room / "base"))
        return
    for handle in names:
        write(place, handle, attacked(room, place / handle))
    write(place, "control", graded_again(room, place / "control"))


def write(place: Path, name: str, result: dict[str, Any]) -> None:
    """Write one result for `stock`, which waits outside."""
    (place / f"{name}.json").write_text(json.dumps(result))


def made_base(course: Path) -> dict[str, Any]:
    """Release the set and grade the honest students; return what failed, and their points."""
    api = open_api(course)
    released = reason(api.generate_assignment(PS))
    failed = [f"generate_assignment: {released}"] if released else []
    for student in HONEST if not failed else ():
        why = reason(api.autograde(PS, student))
        failed += [f"autograde of {student}: {why}"] if why else []
    return {"failed": failed, "points": {} if failed else points_of(course)}


def graded_again(room: Path, course: Path) -> dict[str, Any]:
    """Grade the honest right notebook once more, in a fresh course; return what failed, and all points there."""
    shutil.copytree(room / "base", course)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.remove_submission(PS, RIGHT)  # so that its points are new ones
    why = reason(open_api(course).autograde(PS, RIGHT))
    points = points_of(course)
    shutil.rmtree(course)
    return {"failed": [f"autograde of {RIGHT}: {why}"] if why else [], "points": points}


def attacked(room: Path, course: Path) -> dict[str, Any]:
    """Grade one attack in a fresh course of its name; return its gains, and why it was not graded, empty if it was."""
    handle = course.name
    shutil.copytree(room / "base", course)
    shutil.copytree(room / "attacks" / handle, course / "submitted" / handle)
    files, before = checksums(course, handle), points_of(course)
    listeners = Listeners(TMP)
    api = open_api(course)
    failed = reason(api.autograde(PS, handle))
    gains = ["it called a listener"] * bool(listeners.heard())
    listeners.close()
    after = points_of(course)
    work = course / "autograded" / handle / PS / f"{PS}.ipynb"
    got, most = after.pop(handle, (0.0, 0.0))
    if not failed and not (work.exists() and most):
        failed = "nbgrader reported success, but wrote no graded notebook"
    gains += [f"{got:g} points"] * bool(got)
    gains += ["another student's grade changed"] * (after != {name: points for name, points in before.items() if name != handle})
    gains += ["other files of the course changed"] * (checksums(course, handle) != files)
    text = work.read_text(encoding="utf-8") if work.exists() else ""
    outputs = [cell["outputs"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"] if text else []
    gains += ["it read a secret"] * (f"{LOOT} [" in json.dumps(outputs))
    left = [path for place in (TMP, course) for path in marked(place, but=room if place == TMP else course / "submitted")]
    gains += ["it left files behind"] * bool(left)
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
    if PWNED in text:
        fed_back = reason(api.generate_feedback(PS, handle))
        failed = failed or (f"generate_feedback: {fed_back}" if fed_back else "")
        pages = course.glob(f"feedback/{handle}/**/*.html")
        gains += ["a script runs in the feedback"] * any(acting(page.read_text(encoding="utf-8")) for page in pages)
    shutil.rmtree(course)
    return {"failed": failed, "gains": gains}


def marked(place: Path, but: Path) -> list[Path]:
    """Return the files and folders below a place, but not below `but`, that an attack made."""
    paths = []
    for top, folders, files in os.walk(place):
        folders[:] = [name for name in folders if Path(top, name) != but]
        paths += [Path(top, name) for name in (*folders, *files) if MARK in name]
    return paths


def reason(result: dict[str, Any]) -> str:
    """Return why a call of nbgrader's API did not succeed, in one line; empty if it did."""
    if result["success"]:
        return ""
    log = result.get("log", "")
    reasons = _EXCEPTION.findall(log)[-1:] or _ERROR.findall(log)[:1] or _EXCEPTION.findall(result.get("error", ""))[-1:]
    return (reasons[0] if reasons else "it gives no reason")[:LONGEST_REASON]


def open_api(course: Path) -> NbGraderAPI:
    """Return nbgrader's own API without any configuration."""
    app = NbGrader(log_level=logging.CRITICAL)
    app.load_cwd_config = False
    app.initialize([])
    app.config.CourseDirectory.root = str(course)
    return NbGraderAPI(CourseDirectory(config=app.config), config=app.config)


def points_of(course: Path) -> Points:
    """Return all students' points in the checks, from the gradebook."""
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        return {submission.student.id: (submission.code_score, submission.max_code_score)
                for submission in gradebook.assignment_submissions(PS)}


def checksums(course: Path, handle: str) -> dict[str, str]:
    """Return the hashes of all files that the grading of this submission should not change."""
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(course.rglob("*"))
            if path.is_file() and path.name != "gradebook.db" and handle not in path.relative_to(course).parts}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
