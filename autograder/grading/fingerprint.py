"""The fingerprint of all files that decide a grade, an exam or a recording: any change in these files changes it.

The files are found by following imports (`import_closure`), so that no list of them can be out of date. This module names
only the files with which each kind of work begins, and the files that are read as data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.grading.config import PYTHON, Settings
from autograder.grading.import_closure import files_behind
from autograder.paths import REPOSITORY, is_source

# Kinds of work to repeat when our files have changed: a grading, an exam of the challenge, a meeting of the tournament, a
# recording in the gradebook or a page of feedback, the positions of an edition. WORKER: all work of a machine in a cluster.
# CLASS: a class.
GRADING, EXAM, MEETING, RECORDING, WORKER, CLASS = "grading", "exam", "meeting", "recording", "worker", "class"
POSITIONS = "positions"
# The files with which each kind of work begins, as patterns of `glob`; the files that they import count too.
_GRADE, _DRAWING = ("autograder/grading/grade.py", "tests/hidden/**/*.py"), ("arena/strength/drawing.py",)
_EXAM = ("autograder/challenge/exam/whole_exam.py", *_DRAWING)
_BEGIN = {
    GRADING: _GRADE,
    EXAM: _EXAM,
    MEETING: ("autograder/tournament/meeting.py",),
    RECORDING: ("autograder/gradebook/**/*.py",),
    POSITIONS: _DRAWING,
    WORKER: (*_GRADE, *_EXAM, "autograder/workers/dask/worker.py"),
    CLASS: (*_GRADE, "autograder/course/pipeline.py", "autograder/gradebook/**/*.py"),
}
# The files read as data: the solutions, the suites' data, the book and the positions of Connect Four.
_SET, _SUITES, _GAME = ("solutions/*", "requirements.lock"), ("tests/hidden/**/*",), ("assets/connect_four*",)
_TEMPLATES = ("autograder/gradebook/templates/**/*",)
_DATA = {
    GRADING: _SET + _SUITES, EXAM: _SET + _GAME, MEETING: _SET + _GAME, RECORDING: _SET + _TEMPLATES,
    POSITIONS: ("requirements.lock", *_GAME),
    WORKER: _SET + _SUITES + _GAME, CLASS: _SET + _SUITES + _GAME,
}
# The input of a kind of work, not its code: a recording's stamp holds the report, so that the code of grading does not count.
_GIVEN = {RECORDING: ("autograder/grading/grade.py",)}


def fingerprint(settings: Settings, work: str = GRADING) -> str:
    """Return a hash over everything that decides this kind of work: our files, pinned versions, the Python, the settings."""
    return hashlib.sha256(f"Python {PYTHON} {code_fingerprint(work)} {settings.key()}".encode()).hexdigest()


@cache
def code_fingerprint(work: str = GRADING) -> str:
    """Return a hash over our files that decide this kind of work; it does not depend on the repository's place."""
    return hashlib.sha256(json.dumps(code_parts(work)).encode()).hexdigest()


@cache
def suite_fingerprint() -> str:
    """Return a hash over the hidden checks of all sets; they are a part of what decides a grading."""
    return _hash_of(sorted(str(file.relative_to(REPOSITORY)) for file in _sources(_SUITES)))


def code_parts(work: str = WORKER) -> dict[str, str]:
    """Return a hash of each part of these files, by the part's name in the repository."""
    parts: dict[str, list[str]] = {}
    for name in covered(work):
        parts.setdefault("tests/hidden" if name.startswith("tests/hidden/") else name.partition("/")[0], []).append(name)
    return {part: _hash_of(names) for part, names in parts.items()}


def covered(work: str) -> list[str]:
    """Return the files that decide this kind of work, by their names in the repository, in alphabetical order."""
    begin = [*_sources(_BEGIN[work]), *(() if work in (RECORDING, POSITIONS) else _inside())]
    files = files_behind(REPOSITORY, begin, without=_sources(_GIVEN.get(work, ()))).union(_sources(_DATA[work]))
    return sorted(str(file.relative_to(REPOSITORY)) for file in files)


def _sources(patterns: Iterable[str]) -> list[Path]:
    paths = (path for pattern in patterns for path in REPOSITORY.glob(pattern))
    return [path for path in paths if is_source(path, REPOSITORY)]


def _inside() -> list[Path]:
    """Return our files inside a sandbox: the worker's, and the parts of arena that a set may import."""
    from autograder.problem_sets.source import facts_of, names  # a caller that only passes settings on needs neither
    from autograder.sandbox.contents import STAND_INS
    from autograder.sandbox.profiles import profile_of

    parts = {f"arena/{part}" for ps in names() for part in profile_of(facts_of(ps)).arena if part not in STAND_INS}
    return _sources(["autograder/sandbox/**/*.py", *parts, *(f"{part}/**/*.py" for part in parts)])


def _hash_of(names: list[str]) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\0".encode() + hashlib.sha256((REPOSITORY / name).read_bytes()).digest())
    return digest.hexdigest()
