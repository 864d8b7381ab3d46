"""Choose the lines of requirements.lock that the grading of one problem set needs."""

import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, requires

from packaging.requirements import Requirement

from autograder.challenge.player.entrant import SETS
from autograder.paths import REPOSITORY
from autograder.sandbox.profiles import profile_of

ALWAYS = ("pytest", "uv")  # the hidden suites are written for pytest; the setup installs with uv
PLAYERS = ("numba",)  # the bots of the ladder are compiled


def lock_of(ps: str) -> str:
    """Return the lines of requirements.lock for a problem set: packages of its sandbox and of the grader, and all they need."""
    lines = {_plain(line.partition("==")[0]): line for line in (REPOSITORY / "requirements.lock").read_text().split()}
    wanted = {*ALWAYS, *profile_of(ps).packages, *(PLAYERS if ps in SETS else ())}
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
