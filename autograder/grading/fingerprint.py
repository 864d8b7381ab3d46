"""The fingerprint of all files that decide a grade, an exam or a recording: any change in these files changes it.

The files are found by following imports (`import_closure`), so that no list of them can be out of date. This module names
only the files with which each kind of work begins, and the files that are read as data. A grading of one set depends on no
other set's files; which exercise of it depends on which part of them is in exercise_keys.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.grading.config import Settings, versions
from autograder.grading.import_closure import files_behind
from autograder.paths import REPOSITORY, is_source
from autograder.problem_sets.source import facts_of, names

# Kinds of work to repeat when our files have changed: a grading, an exam of the challenge, a meeting of the tournament, a
# recording in the gradebook or a page of feedback, the positions of an edition, the comparison with our solution. WORKER: all
# work of a machine in a cluster. CLASS: a class.
GRADING, EXAM, MEETING, RECORDING, WORKER, CLASS = "grading", "exam", "meeting", "recording", "worker", "class"
POSITIONS, COMPARING = "positions", "comparing"
ANY = "*"  # every set that this kind of work may be about
# The files with which each kind of work begins, as patterns of `glob` with a set in the place of PS; the files that they import
# count too.
ENGINE, _DRAWING = ("autograder/grading/grade.py",), ("arena/strength/drawing.py",)
_GRADE = (*ENGINE, "tests/hidden/*.py", "tests/hidden/PS/**/*.py")
_EXAM = ("autograder/challenge/exam/whole_exam.py", *_DRAWING)
_BEGIN = {
    GRADING: _GRADE,
    EXAM: _EXAM,
    MEETING: ("autograder/tournament/meeting.py",),
    RECORDING: ("autograder/gradebook/**/*.py",),
    POSITIONS: _DRAWING,
    COMPARING: ("autograder/similarity/identical.py", "autograder/submission/read.py"),
    WORKER: (*_GRADE, *_EXAM, "autograder/workers/dask/worker.py"),
    CLASS: (*_GRADE, "autograder/course/pipeline.py", "autograder/gradebook/**/*.py"),
}
# The files read as data: the solutions, the suites' data, the book and the positions of Connect Four.
_SET, _GAME = ("solutions/PS.py", "requirements.lock"), ("assets/connect_four*",)
_SUITES = ("tests/hidden/*", "tests/hidden/PS/**/*")
_TEMPLATES = ("autograder/gradebook/templates/**/*",)
_DATA = {
    GRADING: _SET + _SUITES, EXAM: _SET + _GAME, MEETING: _SET + _GAME, RECORDING: _SET + _TEMPLATES,
    POSITIONS: ("requirements.lock", *_GAME),
    COMPARING: _SET,
    WORKER: _SET + _SUITES + _GAME, CLASS: _SET + _SUITES + _GAME,
}
# The input of a kind of work, not its code: a recording's stamp holds the report, so that the code of grading does not count.
_OUTSIDE = (RECORDING, POSITIONS, COMPARING)  # kinds of work that open no sandbox
_GIVEN = {RECORDING: ("autograder/grading/grade.py",)}


def fingerprint(settings: Settings, work: str = GRADING, ps: str = ANY) -> str:
    """Return a hash over everything that decides this kind of work: our files, pinned versions, the Python, the settings.

    Args:
        ps: the set that is graded; the files of other sets do not count then, but the sets' names do: a file that holds
            another set's exercises is told which.
    """
    others = "" if ps == ANY else f" {ps} of {' '.join(names())}"
    return hashlib.sha256(f"{versions()} {code_fingerprint(work, ps)}{others} {settings.key()}".encode()).hexdigest()


@cache
def code_fingerprint(work: str = GRADING, ps: str = ANY) -> str:
    """Return a hash over our files that decide this kind of work; it does not depend on the repository's place."""
    return hashlib.sha256(json.dumps(code_parts(work, ps)).encode()).hexdigest()


@cache
def suite_fingerprint() -> str:
    """Return a hash over the hidden checks of all sets; they are a part of what decides a grading."""
    return hash_of(sources(_SUITES))


def code_parts(work: str = WORKER, ps: str = ANY) -> dict[str, str]:
    """Return a hash of each part of these files, by the part's name in the repository."""
    parts: dict[str, list[Path]] = {}
    for name in covered(work, ps):
        part = "tests/hidden" if name.startswith("tests/hidden/") else name.partition("/")[0]
        parts.setdefault(part, []).append(REPOSITORY / name)
    return {part: hash_of(files) for part, files in parts.items()}


def covered(work: str, ps: str = ANY) -> list[str]:
    """Return the files that decide this kind of work, by their names in the repository, in alphabetical order."""
    of_sets = [ps] if ps != ANY else [name for name in names() if work not in (EXAM, MEETING) or facts_of(name).player]
    begin = {file for name in of_sets for file in (
        *sources(_BEGIN[work], name), *(() if work in _OUTSIDE else inside(name)))}
    files = files_behind(REPOSITORY, begin, without=sources(_GIVEN.get(work, ())))
    return sorted(str(file.relative_to(REPOSITORY)) for file in files.union(*(sources(_DATA[work], name) for name in of_sets)))


def sources(patterns: Iterable[str], ps: str = ANY) -> list[Path]:
    """Return our files that fit the patterns, with the set's name in the place of PS; of all sets with ANY."""
    paths = (path for pattern in patterns for path in REPOSITORY.glob(pattern.replace("PS", ps)))
    return [path for path in paths if is_source(path, REPOSITORY)]


def inside(ps: str) -> list[Path]:
    """Return our files inside a sandbox of this set: the worker's, and the parts of arena that it may import."""
    from autograder.sandbox.contents import STAND_INS
    from autograder.sandbox.profiles import profile_of

    parts = {f"arena/{part}" for part in profile_of(facts_of(ps)).arena if part not in STAND_INS}
    return sources(["autograder/sandbox/**/*.py", *parts, *(f"{part}/**/*.py" for part in parts)])


def hash_of(files: Iterable[Path]) -> str:
    """Return a hash over the names and contents of these files."""
    digest = hashlib.sha256()
    for name in sorted(str(file.relative_to(REPOSITORY)) for file in files):
        digest.update(f"{name}\0".encode() + hashlib.sha256((REPOSITORY / name).read_bytes()).digest())
    return digest.hexdigest()
