"""`make attack`: grade a class of attacks as any other class, and judge the results."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.gradebook.course import tools_on_path
from autograder.paths import REPOSITORY
from autograder.progress import ProgressBar
from autograder.selftest.attack import stage
from autograder.selftest.attack.bank import PASSWORD, Attack, load_attacks, positive_controls
from autograder.selftest.attack.drill import drill
from autograder.selftest.attack.judge import Verdict, judge, others
from autograder.selftest.attack.making import make_courses, sets_of
from autograder.selftest.attack.pages import acting_pages, formulas, holding
from autograder.selftest.attack.stock import Comparison, DeadComparison, Result, on_stock
from autograder.selftest.demo.staging import grade_set, page_of, read_standings
from autograder.workers.capacity import workers_that_fit

BUILD = REPOSITORY / "build"
ROOM = BUILD / "attack"
MOST_SHOWN = 10
WIDE = 150  # the width of the table in characters, if the output is a file


@dataclass(frozen=True)
class AttackRun:
    """The place and the options of a run of attacks.

    around: also watch all files of the repository and the host's usual places; they must not be changed during the run.
    """

    room: Path = ROOM
    around: bool = True
    stock: bool = True
    console: Console = field(default_factory=lambda: Console(width=None if sys.stdout.isatty() else WIDE))

    def say(self, sentence: str) -> None:
        """Print a sentence without markup."""
        self.console.print(sentence, markup=False, highlight=False, soft_wrap=True)


def attack(name: str | None, siege: AttackRun) -> int:
    """Run all attacks, or those that `name` selects; return 0 if none has succeeded and all that proves this was alive."""
    attacks = load_attacks(name)
    tools_on_path()
    verdicts, damage = besiege(attacks, siege)
    stock: Comparison | None = None
    dead = ""
    try:
        stock = on_stock(attacks, siege.room / "stock", workers_that_fit()) if siege.stock else None
    except DeadComparison as error:
        dead = str(error)
    siege.console.print(_table(verdicts, stock.results if stock else {}))
    for what in damage:
        siege.say(f"succeeded: {what}")
    for sentence in filter(None, (stock.line if stock else "", dead)):
        siege.say(sentence)
    won = sum(bool(verdict.wrong) for verdict in verdicts)
    siege.say(f"attacks: {len(verdicts) - won} defeated, {won + len(damage)} succeeded")
    return 1 if won or damage or dead else 0


def besiege(attacks: tuple[Attack, ...], siege: AttackRun) -> tuple[list[Verdict], list[str]]:
    """Grade the honest students alone, then together with the attacks; return the verdicts and the damage outside the reports."""
    room = siege.room.absolute()
    course, alone, temporary = room / "course", room / "honest", room / "tmp"
    shutil.rmtree(temporary, ignore_errors=True)  # of a run that was killed
    temporary.mkdir(parents=True)
    known_to_succeed = positive_controls(sets_of(attacks))
    make_courses(alone, course, (*attacks, *known_to_succeed))
    stage.adopt_orphans()
    honeypots, listeners = stage.Honeypots(room / "honey"), stage.Listeners(room)
    if siege.around:
        stage.wait_for_setup(siege.say)
        siege.say("attack: checksums of the repository and its environment; they take some seconds")
    checksums = stage.Checksums(REPOSITORY, BUILD) if siege.around else None
    siege.say(f"{len(attacks)} attacks on {', '.join(sets_of(attacks))}; around them {len(checksums or ())} checksums, "
              f"{len(listeners.sockets)} listeners, {len(honeypots.paths)} honeypots")
    # the watched grader must not write caches into the repository; an unwatched one uses numba's existing cache
    quiet = {"PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(room / "numba")} if siege.around else {}
    environment = {**os.environ, **quiet, "TMPDIR": str(temporary), PASSWORD: honeypots.secret}
    drill(room, environment, temporary, honeypots, listeners)
    for called in listeners.unwatched:
        siege.say(f"not watched, because another process uses it: {called}")
    if not honeypots.tells():
        siege.say("not watched, because this file system records no access times: the honeypots")
    classes = [(folder, ps) for ps in sets_of(attacks) for folder in (alone, course)]
    bar, damage = ProgressBar(siege.console), []
    bar.start("attack: classes graded", len(classes))
    for folder, ps in classes:
        damage += grade(folder, ps, environment, siege)
        bar.step(ps)
    bar.end()
    damage += [f"still running: {process}" for process in stage.processes_left()]
    damage += [f"{called} was called" for called in listeners.heard()]
    listeners.close()
    damage += some([f"left behind: {path}" for path in sorted(temporary.iterdir())])
    if checksums is not None:
        damage += some([f"changed: {path}" for path in checksums.changed()])
        damage += some([f"made: {path}" for path in stage.marked_files(room)])
        damage += [f"opened: {path}" for path in honeypots.opened()] if honeypots.tells() else []
    damage += some(list(_outputs(course, honeypots.secret)))
    damage += [what for ps in sets_of(attacks) for what in others(course, alone, ps, (*attacks, *known_to_succeed))]
    return _verdicts(course, attacks), damage + blind_judge(course, sets_of(attacks))


def _outputs(course: Path, secret: str) -> Iterator[str]:
    """Yield the faults in the output of the grading: pages that act, formulas, secrets."""
    edition = (course / "edition.secret").read_bytes().strip()
    yield from acting_pages(course)
    yield from formulas(course)
    yield from holding(course, {"the honeypots' secret": secret.encode(), "the edition's secret": edition})


def _verdicts(course: Path, attacks: Sequence[Attack]) -> list[Verdict]:
    verdicts = []
    for ps in sets_of(attacks):
        standings, page = read_standings(course, ps), page_of(course, ps)
        verdicts += [judge(course, attack, standings, page) for attack in attacks if attack.ps == ps]
    return verdicts


def blind_judge(course: Path, sets: Iterable[str]) -> list[str]:
    """Return a sentence for each positive control of a graded class that counts as defeated: so would an attack that succeeds."""
    return [f"the judge is blind: {verdict.attack.name} of {verdict.attack.ps} counts as defeated ({verdict.got})"
            for verdict in _verdicts(course, positive_controls(sets)) if not verdict.wrong]


def grade(course: Path, ps: str, environment: dict[str, str], siege: AttackRun) -> list[str]:
    """Grade one set, print the time, and return the failures of the run."""
    start = time.monotonic()
    wrong = grade_set(course, ps, environment)
    siege.say(f"{course.name}, {ps}: graded in {time.monotonic() - start:.0f} s")
    return wrong


def some(findings: list[str]) -> list[str]:
    """The first of many findings, so that the last line stays visible."""
    more = [f"and {len(findings) - MOST_SHOWN} more of the kind"] if len(findings) > MOST_SHOWN else []
    return findings[:MOST_SHOWN] + more


def _table(verdicts: list[Verdict], stock: Mapping[str, Result]) -> Table:
    """Every attack's aim and result, and its result with stock nbgrader if it applies there."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("attack", max_width=26, overflow="fold")
    table.add_column("tried", ratio=3, overflow="fold")
    table.add_column("got", ratio=3, overflow="fold")
    if stock:
        table.add_column("of stock nbgrader", max_width=18, overflow="fold")
    for verdict in verdicts:
        got = f"SUCCEEDED: {'; '.join(verdict.wrong)} ({verdict.got})" if verdict.wrong else verdict.got
        handle = verdict.attack.handle
        peer = [stock[handle].words if handle in stock else ""] if stock else []
        table.add_row(*map(_plain, (verdict.attack.name, verdict.attack.tries, got, *peer)))
    return table


def _plain(text: str) -> str:
    return escape("".join(letter if letter.isprintable() else "\ufffd" for letter in text))
