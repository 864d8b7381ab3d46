"""`make broken`: grade a class of honest mess as any class is graded, and see what each of them gets."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.broken.bank import Mess, load_bank
from autograder.broken.judge import Verdict, honest_hurt, judge
from autograder.demo.staged import HONEST, ROOT, grade_set, lay_honest, page_of, read_standings, shop_of, write_all
from autograder.files import write_atomic
from autograder.gradebook.course import tools_on_path

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
    tools_on_path()
    sets = sorted({mess.ps for mess in messes})
    make_course(course, messes)
    trouble = []
    for ps in sets:
        begin = time.monotonic()
        trouble += grade_set(course, ps)
        console.print(
            f"{ps}: {sum(mess.ps == ps for mess in messes)} of the bank and {len(HONEST)} honest ones graded "
            f"in {time.monotonic() - begin:.0f} s",
            highlight=False,
        )
    verdicts = []
    for ps in sets:
        standings, page = read_standings(course, ps), page_of(course, ps)
        verdicts += [judge(course, one, standings, page) for one in messes if one.ps == ps]
        trouble += honest_hurt(course, ps)
    return verdicts, trouble


def make_course(course: Path, messes: Sequence[Mess]) -> None:
    """Lay out a course with the bank's hand-ins beside honest ones of the same sets."""
    shutil.rmtree(course, ignore_errors=True)
    write_atomic(course / "edition.secret", EDITION, mode=0o600)
    for ps in {mess.ps for mess in messes}:
        lay_honest(course, ps)
    for mess in messes:
        folder = course / "submitted" / mess.handle / mess.ps
        folder.mkdir(parents=True)
        if mess.lay is not None:
            mess.lay(folder, shop_of(mess.ps))
        else:
            write_all(folder, mess.files(shop_of(mess.ps)))


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
