"""The same attacks on stock nbgrader, for comparison: its autograde runs a whole notebook, with the visible checks, in a kernel.

Every run has its own sandbox, without network; it can write only into a course that is deleted afterwards.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.paths import REPOSITORY
from autograder.problem_sets.source import load
from autograder.problem_sets.strip_step import without_guard
from autograder.selftest.attack.bank import Attack
from autograder.selftest.attack.making import hand_in
from autograder.selftest.demo.staging import HALF, HONEST, RIGHT, WRONG, honest, maker_of

PS = "ps2_uct"
GUARD_S = 1800.0  # for half of the attacks, some seconds each


class DeadComparison(Exception):
    """Stock nbgrader did not grade honest work: what the attacks got there says nothing. The text says what came instead."""


@dataclass(frozen=True)
class Result:
    """What one attack gained, and why nbgrader did not grade it, empty if it did."""

    gains: tuple[str, ...]
    failed: str

    @property
    def words(self) -> str:
        """One cell of the table."""
        return ", ".join(self.gains) or (f"nothing: {self.failed}" if self.failed else "nothing")


@dataclass(frozen=True)
class Comparison:
    """The honest students' points on stock nbgrader, what its checks can give, and the result of each attack by its folder."""

    honest: Mapping[str, float]
    most: float
    results: Mapping[str, Result]

    @property
    def line(self) -> str:
        """The last word on stock nbgrader: attacks, and the honest students that prove that it graded."""
        honest = ", ".join(f"{student} {points:g}" for student, points in self.honest.items())
        succeeded = sum(bool(result.gains) for result in self.results.values())
        return f"stock nbgrader: {succeeded} of {len(self.results)} succeeded; points of {self.most:g} there: {honest}"


def on_stock(attacks: tuple[Attack, ...], room: Path, workers: int) -> Comparison:
    """Let stock nbgrader grade every attack that applies to it, and honest work before and after.

    Raises:
        DeadComparison: it did not grade the honest work as it must, or an attack was not tried.
    """
    chosen = {attack.handle: attack for attack in attacks if attack.stock and attack.ps == PS}
    if not chosen:
        raise DeadComparison("none of the attacks applies to stock nbgrader")
    shutil.rmtree(room, ignore_errors=True)
    source = room / "base" / "source" / PS
    source.mkdir(parents=True)
    (source / f"{PS}.ipynb").write_text(without_guard(without_experiments(maker_of(PS).stub)))
    for student, files in honest(PS).items():
        folder = room / "base" / "submitted" / student / PS
        folder.mkdir(parents=True)
        (folder / f"{PS}.ipynb").write_text(without_experiments(files[f"{PS}.ipynb"]))
    for attack in chosen.values():
        _lay_out(attack, room)
    inside(room, room, ["base"])
    points, most = alive(_read(room, "base"), float(load(PS).max_points))
    handles = list(chosen)
    parts = {room / f"part {number}": some for number in range(workers) if (some := handles[number::workers])}
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda place: inside(room, place, parts[place]), parts))
    results = {handle: _result(chosen[handle], _read(place, handle)) for place, part in parts.items() for handle in part}
    for place in parts:
        alive(_read(place, "control"), most)
    return Comparison(points, most, results)


def alive(written: Mapping[str, Any], most: float) -> tuple[dict[str, float], float]:
    """Return the honest students' points and the largest possible points, once it is proved that nbgrader graded them.

    Args:
        written: what `stock_inside` wrote of the honest students. most: the points of a right notebook.

    Raises:
        DeadComparison: a call failed, the right notebook has not all points, or the wrong or half one has as many.
    """
    got = {student: points for student, (points, _) in written["points"].items()}
    possible = {student: possible for student, (_, possible) in written["points"].items()}
    if (not written["failed"] and set(got) == set(HONEST) and set(possible.values()) == {most} and got[RIGHT] == most
            and max(got[HALF], got[WRONG]) < most):
        return got, most
    received = "; ".join(written["failed"]) or ", ".join(
        f"{student} {got.get(student, 'nothing')} of {possible.get(student, 0):g}" for student in HONEST)
    raise DeadComparison(f"stock nbgrader did not grade honest work: found {received}; expected {most:g} of {most:g} for "
                         f"{RIGHT}, and less for {HALF} and {WRONG}. Until it does, the comparison says nothing about attacks")


def _read(place: Path, name: str) -> dict[str, Any]:
    """Return one result of `stock_inside`."""
    try:
        result: dict[str, Any] = json.loads((place / f"{name}.json").read_text())
    except FileNotFoundError:
        raise DeadComparison(f"stock nbgrader did not get to {name}: see the log in {place}") from None
    return result


def _result(attack: Attack, written: Mapping[str, Any]) -> Result:
    """Return an attack's result; for an attack built on a right answer, points are not a gain."""
    return Result(tuple(what for what in written["gains"] if not (attack.points and what.endswith("points"))), written["failed"])


def _lay_out(attack: Attack, room: Path) -> None:
    """Put the attack's notebook into attacks/, without the experiments, which are long and not graded."""
    with tempfile.TemporaryDirectory(dir=room) as folder:
        course = Path(folder)
        hand_in(course, attack)
        target = room / "attacks" / attack.handle / PS
        shutil.copytree(course / "submitted" / attack.handle / PS, target)
    notebook = target / f"{PS}.ipynb"
    notebook.write_text(without_experiments(notebook.read_text()))


def without_experiments(notebook: str) -> str:
    """Return a notebook without its experiment cells."""
    content = json.loads(notebook)
    content["cells"] = [cell for cell in content["cells"] if "experiment" not in cell["metadata"].get("tags", [])]
    return json.dumps(content)


def inside(room: Path, place: Path, names: list[str]) -> None:
    """Run `stock_inside` in a sandbox that can write into `place` only; its /tmp is removed with the sandbox.

    So an attack can spoil its own course, and neither the one from which all start nor those beside it.

    Raises:
        DeadComparison: it ended with an error, or not at all.
    """
    place.mkdir(exist_ok=True)
    bwrap = ["bwrap", "--die-with-parent", "--new-session", "--unshare-all", "--cap-drop", "ALL", "--ro-bind", "/", "/"]
    bwrap += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run"]
    for folder in dict.fromkeys(map(str, (REPOSITORY, room, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()))):
        bwrap += ["--ro-bind", folder, folder]  # needed if they are in /tmp, /var/tmp or /run, which are empty here
    bwrap += ["--bind", str(place), str(place), "--clearenv", "--chdir", "/tmp"]
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
    environment = {"PATH": tools, "HOME": "/tmp", "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1",
                   "LANG": "C.UTF-8", "GRADEBOOK_PASSWORD": "honey-for-the-comparison"}
    for name, value in environment.items():
        bwrap += ["--setenv", name, value]
    command = [*bwrap, sys.executable, "-m", "autograder.selftest.attack.stock_inside", str(room), str(place), *names]
    log = place / "log"
    with log.open("w") as file:
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, timeout=GUARD_S, check=True)
        except subprocess.SubprocessError as error:  # a status, or the time
            raise DeadComparison(f"the sandbox of {', '.join(names)} ended before its work was done: {_last_line(log)} "
                                 f"({type(error).__name__}); see {log}") from None


def _last_line(log: Path) -> str:
    return next(iter(log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]), "it said nothing")
