"""`make broken`: grade a class of broken hand-ins as any other class, and check the result of each."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena.files import write_atomic
from arena.shipped import set_order
from autograder.gradebook.course import tools_on_path
from autograder.paths import REPOSITORY
from autograder.progress import ProgressBar
from autograder.selftest.broken.bank import Mess, load_messes
from autograder.selftest.broken.judge import Verdict, honest_hurt, judge
from autograder.selftest.demo.staging import HONEST, grade_set, lay_honest, maker_of, page_of, read_standings, write_all

ROOM = REPOSITORY / "build" / "broken"
# The same positions in every run, so that a failure comes from the hand-in and not from chance.
EDITION = "the edition of the broken bank\n"


def broken(name: str | None, console: Console, room: Path = ROOM) -> int:
    """Grade the bank, or the part that `name` selects; return 0 if all results agree with the bank."""
    messes = load_messes(name)
    shutil.rmtree(room, ignore_errors=True)
    verdicts, failure = grade_bank(messes, room, console)
    show(console, [verdict for verdict in verdicts if verdict.wrong] if name is None else verdicts)
    for what in failure:
        console.print(f"stopped: {what}", markup=False, highlight=False, soft_wrap=True)
    stopped = sum(verdict.stopped for verdict in verdicts) + len(failure)
    differ = sum(bool(verdict.wrong) for verdict in verdicts)
    console.print(
        f"broken: {len(verdicts) - differ} graded as expected, {stopped} stopped the class"
        + (f", {differ} otherwise" if differ else ""),
        highlight=False,
    )
    return 1 if differ or stopped else 0


def grade_bank(messes: Sequence[Mess], room: Path, console: Console) -> tuple[list[Verdict], list[str]]:
    """Make a course for each set, grade them, and judge; the second list has the failures of a whole class.

    The set with the most hand-ins gets all workers. The other sets are graded at the same time, one after another, with one
    worker each. A run has parts with only one working process, and this keeps the other cores busy.
    """
    tools_on_path()
    of = {ps: [mess for mess in messes if mess.ps == ps] for ps in sorted({mess.ps for mess in messes}, key=set_order)}
    for ps, some in of.items():
        make_course(room / ps, ps, some)
    largest = max(of, key=lambda ps: len(of[ps]))
    bar = ProgressBar(console)
    bar.start("broken: classes graded", len(of))
    with ThreadPoolExecutor(1) as beside:
        others = [beside.submit(_grade, room / ps, ps, len(of[ps]), bar, 1) for ps in of if ps != largest]
        failure = _grade(room / largest, largest, len(of[largest]), bar)
    bar.end()
    failure += [what for other in others for what in other.result()]
    verdicts = []
    for ps, some in of.items():
        standings, page = read_standings(room / ps, ps), page_of(room / ps, ps)
        verdicts += [judge(room / ps, mess, standings, page) for mess in some]
        failure += honest_hurt(room / ps, ps)
    return verdicts, failure


def _grade(course: Path, ps: str, messes: int, bar: ProgressBar, workers: int | None = None) -> list[str]:
    """Grade one set, print the time, count it, and return the failures of the run."""
    begin = time.monotonic()
    failure = grade_set(course, ps, workers=workers)
    seconds = time.monotonic() - begin
    bar.say(f"{ps}: {messes} of the bank and {len(HONEST)} honest ones graded in {seconds:.0f} s")
    bar.step(ps)
    return failure


def make_course(course: Path, ps: str, messes: Sequence[Mess]) -> None:
    """Make a course with the bank's hand-ins and the honest students of the same set."""
    shutil.rmtree(course, ignore_errors=True)
    write_atomic(course / "edition.secret", EDITION, mode=0o600)
    lay_honest(course, ps)
    for mess in messes:
        folder = course / "submitted" / mess.handle / ps
        folder.mkdir(parents=True)
        if mess.lay is not None:
            mess.lay(folder, maker_of(ps))
        else:
            assert mess.files is not None
            write_all(folder, mess.files(maker_of(ps)))


def show(console: Console, verdicts: Sequence[Verdict]) -> None:
    """Print the hand-ins, their results, and the differences from the bank."""
    if not verdicts:
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column, ratio in (("hand-in", 2), ("got", 4), ("differs from what is expected", 4)):
        table.add_column(column, ratio=ratio, overflow="fold")
    for verdict in verdicts:
        table.add_row(*(escape(text) for text in (verdict.mess.name, verdict.got, "; ".join(verdict.wrong))))
    console.print(table)
