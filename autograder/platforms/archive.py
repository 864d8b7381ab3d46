"""Make the archive for Gradescope: one problem set with everything that its grading needs, and nothing of the other sets.

The files are found by following imports, as for the fingerprint of the grader, so that no list of them can be out of date.
The archive holds the solution, the hidden checks and the secret of the edition: it is for staff and for the platform only.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from arena.challenge.ladder import LADDER
from autograder.grading.config import Settings
from autograder.grading.edition import SECRET_NAME
from autograder.grading.fingerprint import code_fingerprint
from autograder.grading.import_closure import files_behind
from autograder.paths import REPOSITORY, is_source
from autograder.problem_sets.source import facts_of, names
from autograder.sandbox.profiles import profile_of

ABOUT = "archive.json"  # in the archive's root: the set, edition, grader and settings
POSITIONS = "own_positions.json"  # of move quality, drawn from the edition's secret
_BEGIN = ("autograder/platforms/gradescope.py", "autograder/platforms/apart.py", "autograder/sandbox/**/*.py")
_LADDER = "arena/challenge/rungs.toml"
_DATA = ("LICENSE", "scripts/install.py", "tests/hidden/pytest.ini", _LADDER)
_GAME = ("assets/connect_four*.npz",)  # the book and the positions, for the ladder
# The reader of submissions knows the other sets by the names of their files. So the report can name work of ps3 that was handed
# in for ps2 and is not graded.
_ONLY_A_NAME = b"# Only the name of this file counts here: its problem set is not part of this archive.\n"
ALWAYS = ("pytest", "uv")  # the hidden suites are written for pytest; the setup installs with uv
PLAYERS = ("numba",)  # the bots of the ladder are compiled
_LAST_YEAR = (1980, 1, 1, 0, 0, 0)  # the same archive, byte for byte, from the same files
_PROGRAM, _TEXT, _PRIVATE = 0o755, 0o644, 0o600
SETUP = """\
#!/usr/bin/env bash
# Gradescope runs this once, as root, while it builds the image.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends bubblewrap libseccomp2 python3 python3-venv
# Ubuntu 22.04 has an older Python, and Python 3.11 beside it.
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || apt-get install -y -q python3.11 python3.11-venv
python3 /autograder/source/scripts/install.py archive
"""
RUN = """\
#!/usr/bin/env bash
# Gradescope runs this for every submission. It always ends with 0: with another status Gradescope shows no results.
cd /autograder/source
.venv/bin/python -m autograder.platforms.gradescope || cat > /autograder/results/results.json <<'END'
{"output": "Not graded yet: the grader could not start. This is not about your work. Please tell your instructor.",
 "output_format": "text", "visibility": "hidden", "stdout_visibility": "hidden", "tests": []}
END
"""


def edition_digest(secret: bytes) -> str:
    """Return a name for an edition that does not reveal its secret."""
    return hashlib.sha256(b"edition:" + secret).hexdigest()[:16]


@dataclass(frozen=True)
class CourseLadder:
    """A course's ladder. rungs: its own rungs.toml, or ours. changes: the table [challenge] of its course.toml."""

    rungs: bytes = field(default_factory=LADDER.read_bytes)
    changes: Mapping[str, Any] = field(default_factory=dict)


def archive(
    ps: str, settings: Settings, *, minutes: int, challenge: bool = True, ladder: CourseLadder | None = None,
    positions: Sequence[Any] = (),
) -> bytes:
    """Return the archive of a problem set, as the bytes of a zip file.

    Args:
        settings: with the secret of the edition, from which positions and seeds are drawn.
        minutes: the time limit that is set in Gradescope.
        challenge: whether players of ps3 and ps5 climb the ladder, for the leaderboard.
        ladder: of a course; None for ours.
        positions: the edition's own, for the move quality of players; see `course_positions`.
    """
    ladder = ladder or CourseLadder()
    about = {"problem_set": ps, "edition": edition_digest(settings.secret), "grader": code_fingerprint(), "minutes": minutes,
             "challenge": challenge and bool(facts_of(ps).player), "settings": settings.as_data(), "ladder": dict(ladder.changes)}
    made = {
        "setup.sh": (SETUP.encode(), _PROGRAM), "run_autograder": (RUN.encode(), _PROGRAM),
        SECRET_NAME: (settings.secret, _PRIVATE), ABOUT: (json.dumps(about, indent=2).encode() + b"\n", _TEXT),
        "requirements.lock": (lock_of(ps).encode(), _TEXT),
        **{f"solutions/{other}.py": (_ONLY_A_NAME, _TEXT) for other in names() if other != ps},
        **{name: ((REPOSITORY / name).read_bytes(), _TEXT) for name in files_of(ps)},
        _LADDER: (ladder.rungs, _TEXT),
        **({POSITIONS: (json.dumps(positions).encode(), _PRIVATE)} if positions else {}),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, (content, mode) in sorted(made.items()):
            entry = zipfile.ZipInfo(name, _LAST_YEAR)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
            file.writestr(entry, content)
    return packed.getvalue()


def files_of(ps: str) -> list[str]:
    """Return the files of the repository that grade this set, by their names in it, in alphabetical order."""
    code = [path for path in _begin(ps) if path.suffix == ".py"]
    data = _sources_of((f"solutions/{ps}.py", *_DATA, *(_GAME if facts_of(ps).player else ())))
    # the string "setup.sh" is not an import of setup.py
    files = files_behind(REPOSITORY, code, without=[REPOSITORY / "setup.py"]).union(data, _begin(ps))
    return sorted(path.relative_to(REPOSITORY).as_posix() for path in files)


def _begin(ps: str) -> list[Path]:
    """Return the files from which a grading starts: ours, the hidden suite's, and those that student code may import."""
    parts = [REPOSITORY / "arena" / part for part in profile_of(facts_of(ps)).arena]
    inside = [path.relative_to(REPOSITORY).as_posix() + ("/**/*" if path.is_dir() else "") for path in parts]
    return list(_sources_of((*_BEGIN, f"tests/hidden/{ps}/**/*", *inside)))


def _sources_of(patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        yield from filter(is_source, REPOSITORY.glob(pattern))


def lock_of(ps: str) -> str:
    """Return the lines of requirements.lock for a problem set: packages of its sandbox and of the grader, and all they need."""
    lines = {_plain(line.partition("==")[0]): line for line in (REPOSITORY / "requirements.lock").read_text().split()}
    wanted = {*ALWAYS, *profile_of(facts_of(ps)).packages, *(PLAYERS if facts_of(ps).player else ())}
    return "".join(f"{lines[name]}\n" for name in sorted(_with_needed(wanted, lines)))


def _with_needed(names: Iterable[str], known: Iterable[str]) -> set[str]:
    """Return these packages and those of `known` that they need, directly or through others, as they are installed here."""
    waiting, seen = [*names], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            requirements = map(Requirement, requires(name) or ())
        except PackageNotFoundError:  # uv is a program, and may be missing here
            continue
        needed = (package for package in requirements if package.marker is None or package.marker.evaluate({"extra": ""}))
        waiting += [plain for package in needed if (plain := _plain(package.name)) in known]
    return seen


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
