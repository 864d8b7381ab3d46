"""A control group around one sandbox, if this host allows one: it limits memory and number of all processes together.

Without one (an ordinary user, most containers) the limits per process and per user remain; see bubblewrap.py.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

PREFIX = "mcts-autograder-"
_numbers = itertools.count()


@dataclass(frozen=True)
class Place:
    """A folder where this process may make groups that limit `kind` ("memory" or "pids"), in version 1 or 2 of the interface."""

    kind: str
    version: int
    folder: Path


@dataclass(frozen=True)
class MemoryEvents:
    """The counters of a group.

    kills: processes of the group that were killed because memory was used up, the group's or the host's.
    full: how often the group itself had used up its memory.
    """

    kills: int
    full: int


NOTHING_HAPPENED = MemoryEvents(0, 0)


class Group:
    """The groups of one sandbox, one in each place; empty if there is no place."""

    def __init__(self, memory_mib: int, processes: int) -> None:
        self._folders: list[Path] = []
        self._memory: Place | None = None  # the group that counts memory
        name = f"{PREFIX}{os.getpid()}-{next(_numbers)}"
        for place in places():
            folder = place.folder / name
            try:
                folder.mkdir(exist_ok=True)  # version 2 has one folder for both kinds
                for file, value in _limits(place, memory_mib, processes):
                    if file != "memory.swap.max" or (folder / file).exists():
                        (folder / file).write_text(str(value))
            except OSError:
                _remove(folder)
                continue
            if folder not in self._folders:
                self._folders.append(folder)
            if place.kind == "memory":
                self._memory = Place(place.kind, place.version, folder)

    @property
    def doors(self) -> list[str]:
        """The files into which a process writes its number to enter the groups."""
        return [str(folder / "cgroup.procs") for folder in self._folders]

    def memory_events(self) -> MemoryEvents:
        """Return the present counters; all zero if no group counts memory."""
        if self._memory is None:
            return NOTHING_HAPPENED
        folder = self._memory.folder
        try:
            if self._memory.version == 2:
                events = _fields(folder / "memory.events")
                return MemoryEvents(events["oom_kill"], events["oom"])
            return MemoryEvents(_fields(folder / "memory.oom_control")["oom_kill"], int((folder / "memory.failcnt").read_text()))
        except (OSError, ValueError, KeyError):
            return NOTHING_HAPPENED

    def close(self) -> None:
        """Remove the groups, after their processes have ended."""
        for folder in self._folders:
            _remove(folder)
        self._folders, self._memory = [], None


def _fields(file: Path) -> dict[str, int]:
    """Return the lines "name number" of one of the kernel's files."""
    return {name: int(number) for name, number in (line.split() for line in file.read_text().splitlines())}


def _limits(place: Place, memory_mib: int, processes: int) -> list[tuple[str, int]]:
    if place.kind == "pids":
        return [("pids.max", processes)]
    size = memory_mib * 2**20
    if place.version == 1:
        return [("memory.limit_in_bytes", size)]
    return [("memory.max", size), ("memory.swap.max", 0)]


@lru_cache(maxsize=1)
def places() -> tuple[Place, ...]:
    """Return the places where groups can be made, found once for each process; remove the groups of killed graders."""
    usable = []
    for kind in ("memory", "pids"):
        for version, folder in _candidates(kind):
            if _works(Place(kind, version, folder)):
                usable.append(Place(kind, version, folder))
                _clear_away(folder)
                break
    return tuple(usable)


def _candidates(kind: str) -> list[tuple[int, Path]]:
    """Return the folders of our own group, from the kernel's list of mounts; for version 2 also the topmost one.

    A group of version 2 that holds processes gives its children no limits, so that our own group is rarely of use there.
    """
    own = {}
    try:
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            own.update(dict.fromkeys(controllers.split(","), path))
        mounts = [line.split(" - ") for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    except (OSError, ValueError):
        return []
    result = []
    for mount, (file_system, _, options) in ((left.split(), right.split(" ", 2)) for left, right in mounts):
        key = kind if file_system == "cgroup" and kind in options.split(",") else "" if file_system == "cgroup2" else None
        if key in own:
            top, path = Path(mount[4]), own[key].removeprefix(mount[3].rstrip("/")).strip("/")
            result += [(2, top / path), (2, top)] if file_system == "cgroup2" else [(1, top / path)]
    return result


def _works(place: Place) -> bool:
    trial = place.folder / f"{PREFIX}{os.getpid()}-trial"
    try:
        trial.mkdir()
        return all((trial / file).exists() for file, _ in _limits(place, 1, 1)[:1])
    except OSError:
        return False
    finally:
        _remove(trial)


def _clear_away(folder: Path) -> None:
    for left in folder.glob(f"{PREFIX}*"):
        owner = left.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            _remove(left)


def _remove(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        pass  # not there, or still in use: the next grader removes it
