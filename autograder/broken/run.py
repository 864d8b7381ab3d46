"""`make broken`: grade a class of honest mess as any class is graded, and see what each of them gets."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.attack.making import honest, quick_ladder, shop_of
from autograder.broken.bank import Mess, load_bank
from autograder.broken.judge import Verdict, honest_hurt, judge, read_standings
from autograder.challenge.rungs import LADDER
from autograder.demo.workshop import Files
from autograder.files import write_atomic
from autograder.preflight import workers_that_fit

ROOT = Path(__file__).resolve().parents[2]
ROOM = ROOT / "build" / "broken"
# The same positions in every run, so that an entry fails for what it is.
EDITION = "the edition of the broken bank\n"


def broken(name: str | None, console: Console, room: Path = ROOM) -> int:
    """Grade the bank, or what `name` means of it; return 0 when all of it is as written down."""
    messes = load_bank(name)
    verdicts, trouble = grade_bank(messes, room / "course", console)
    show(console, [verdict for verdict in verdicts if verdict.wrong] if name is None else verdicts)
    for what in trouble:
        console.print(f"stopped: {what}", markup=False, highlight=False, soft_wrap=True)
    stopped = sum(verdict.stopped for verdict in verdicts) + len(trouble)
    differ = sum(bool(verdict.wrong) for verdict in verdicts)
    console.print(
        f"broken: {len(verdicts) - differ} graded as written down, {stopped} stopped the class"
        + (f", {differ} otherwise" if differ else ""),
        highlight=False,
    )
    return 1 if differ or stopped else 0


def grade_bank(messes: Sequence[Mess], course: Path, console: Console) -> tuple[list[Verdict], list[str]]:
    """Lay a course out, grade it set by set, and judge it; the second list is what went wrong with the class as a whole."""
    from autograder.gradebook.course import tools_on_path

    tools_on_path()
    sets = sorted({mess.ps for mess in messes})
    make_course(course, messes)
    trouble = []
    for ps in sets:
        begin = time.monotonic()
        trouble += grade(course, ps)
        console.print(
            f"{ps}: {sum(mess.ps == ps for mess in messes)} of the bank and {len(honest(ps))} honest ones graded "
            f"in {time.monotonic() - begin:.0f} s",
            highlight=False,
        )
    verdicts = []
    for ps in sets:
        index = course / "report" / "index.html"
        page = pages(course, ps) or (index.read_text(encoding="utf-8") if index.exists() else "")
        standings = read_standings(course, ps)
        verdicts += [judge(course, one, standings, page) for one in messes if one.ps == ps]
        trouble += honest_hurt(course, ps)
    return verdicts, trouble


def make_course(course: Path, messes: Sequence[Mess]) -> None:
    """Lay out a course with the bank's hand-ins beside honest ones of the same sets."""
    shutil.rmtree(course, ignore_errors=True)
    write_atomic(course / LADDER.name, quick_ladder())
    write_atomic(course / "edition.secret", EDITION, mode=0o600)
    for ps in {mess.ps for mess in messes}:
        for student, files in honest(ps).items():
            write_all(course / "submitted" / student / ps, files)
    for mess in messes:
        folder = course / "submitted" / mess.handle / mess.ps
        folder.mkdir(parents=True)
        if mess.lay is not None:
            mess.lay(folder, shop_of(mess.ps))
        else:
            write_all(folder, mess.files(shop_of(mess.ps)))


def write_all(folder: Path, files: Files) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_atomic(folder / name, content)


def grade(course: Path, ps: str) -> list[str]:
    """Grade one set as `make grade` does, in a process of its own, and keep its page; return what was wrong with the run."""
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--ps", ps, "--workers", str(workers_that_fit())]
    log = course / f"{ps}.log"
    with log.open("w") as out:
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=os.environ)
    index = course / "report" / "index.html"
    if index.exists():
        shutil.copy(index, course / f"{ps}.html")
    if done.returncode == 0:
        return []
    last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
    return [f"grading {ps} ended with status {done.returncode}: {' '.join(last)}"]


def pages(course: Path, ps: str) -> str:
    """Return the class page of a set as it stood after its run."""
    path = course / f"{ps}.html"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def show(console: Console, verdicts: Sequence[Verdict]) -> None:
    """Print what was handed in, what it got, and in what that differs."""
    if not verdicts:
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column, ratio in (("hand-in", 2), ("got", 4), ("otherwise than written down", 4)):
        table.add_column(column, ratio=ratio)
    for verdict in verdicts:
        table.add_row(*(escape(text) for text in (verdict.mess.name, verdict.got, "; ".join(verdict.wrong))))
    console.print(table)
