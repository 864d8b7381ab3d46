"""`make attack`: grade a class of attacks as any class is graded, and see what came of it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from autograder.attack import stage
from autograder.attack.bank import Attack, load_bank
from autograder.attack.judge import Verdict, judge, others, read_standings
from autograder.attack.making import make_courses, sets_of
from autograder.attack.pages import acting_pages, formulas, holding
from autograder.preflight import workers_that_fit

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
ROOM = BUILD / "attack"
MOST_SHOWN = 10


def attack(name: str | None, console: Console, room: Path = ROOM, stock: bool = True) -> int:
    """Let the attacks loose, all or those that `name` means; return 0 when none has succeeded."""
    attacks = load_bank(name)
    from autograder.gradebook.course import tools_on_path

    tools_on_path()
    verdicts, damage = besiege(attacks, room, console)
    show(console, verdicts)
    for what in damage:
        console.print(f"succeeded: {what}", markup=False, highlight=False, soft_wrap=True)
    succeeded = sum(bool(verdict.wrong) for verdict in verdicts) + len(damage)
    console.print(f"attacks: {len(verdicts) - sum(bool(verdict.wrong) for verdict in verdicts)} defeated, {succeeded} succeeded",
                  highlight=False)
    return 1 if succeeded else 0


def besiege(attacks: tuple[Attack, ...], room: Path, console: Console) -> tuple[list[Verdict], list[str]]:
    """Grade the honest alone, then with the attacks beside them; return the verdicts, and what damage was done around them."""
    room.mkdir(parents=True, exist_ok=True)
    course, alone, temporary = room / "course", room / "honest", room / "tmp"
    temporary.mkdir(exist_ok=True)
    stage.adopt_orphans()
    honeypots, listeners = stage.Honeypots(room / "honey"), stage.Listeners(room)
    checksums = stage.Checksums(ROOT, BUILD)
    console.print(f"{len(attacks)} attacks on {', '.join(sets_of(attacks))}; {len(checksums)} checksums, "
                  f"{len(listeners.sockets)} listeners, {len(honeypots.paths)} honeypots", highlight=False)
    make_courses(alone, course, attacks)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(temporary), "GRADEBOOK_PASSWORD": honeypots.secret}
    damage = []
    for ps in sets_of(attacks):
        for folder in (alone, course):
            damage += grade(folder, ps, environment, console)
    damage += [f"still running: {process}" for process in stage.processes_left()]
    damage += [f"{called} was called" for called in listeners.heard()]
    damage += some([f"changed: {path}" for path in checksums.changed()])
    damage += some([f"made: {path}" for path in stage.marked_files(room)])
    damage += some([f"left behind: {path}" for path in sorted(temporary.iterdir())])
    if honeypots.tells():
        damage += [f"opened: {path}" for path in honeypots.opened()]
    edition = (course / "edition.secret").read_bytes().strip()
    words = {"the honeypots' secret": honeypots.secret.encode(), "the edition's secret": edition}
    damage += some([*acting_pages(course), *formulas(course), *holding(course, words)])
    index = course / "report" / "index.html"
    page = index.read_text(encoding="utf-8") if index.exists() else ""
    verdicts = []
    for ps in sets_of(attacks):
        standings = read_standings(course, ps)
        verdicts += [judge(course, one, standings, page) for one in attacks if one.ps == ps]
        damage += others(course, alone, ps, attacks)
    return verdicts, damage


def grade(course: Path, ps: str, environment: dict[str, str], console: Console) -> list[str]:
    """Grade one set as `make grade` does, in a process of its own; return what was wrong with the run."""
    start = time.monotonic()
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--ps", ps, "--workers", str(workers_that_fit())]
    with (course / f"{ps}.log").open("w") as said:
        done = subprocess.run(command, env=environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
    console.print(f"{course.name}, {ps}: graded in {time.monotonic() - start:.0f} s", highlight=False)
    if done.returncode == 0:
        return []
    last = (course / f"{ps}.log").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
    return [f"grading {course.name} ended with status {done.returncode}: {' '.join(last)}"]


def some(found: list[str]) -> list[str]:
    """The first of many findings, so that the last line stays in sight."""
    more = [f"and {len(found) - MOST_SHOWN} more of the kind"] if len(found) > MOST_SHOWN else []
    return found[:MOST_SHOWN] + more


def show(console: Console, verdicts: list[Verdict]) -> None:
    """Print what every attack tried and what it got."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("attack", max_width=30)
    table.add_column("tried", ratio=1)
    table.add_column("got", ratio=1)
    for verdict in verdicts:
        got = f"SUCCEEDED: {'; '.join(verdict.wrong)} ({verdict.got})" if verdict.wrong else verdict.got
        table.add_row(*map(_plain, (verdict.attack.name, verdict.attack.tries, got)))
    console.print(table)


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape("".join(letter if letter.isprintable() else "\ufffd" for letter in text))
