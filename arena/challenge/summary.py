"""The end of a challenge at home, in words: the points so far, what the next rung needs, and the worst move as a board."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence

from arena.challenge.kinds import OPEN
from arena.challenge.ladder import PERFECT, Ladder
from arena.challenge.mistakes import Lesson
from arena.challenge.report import ChallengeReport, RungReport
from arena.challenge.sprt import PASSED
from arena.games import ConnectFour
from arena.games.connect_four import WIDTH
from arena.players.solver import plies_to_end

GAME = ConnectFour()
CELL = 5  # characters of a column of the board


def typed(words: Sequence[str]) -> str:
    """Return a command as a person types it into a terminal of this system."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def closing(report: ChallengeReport, worst: list[Lesson], ladder: Ladder, kind: str) -> list[str]:
    """Return the lines that end a challenge; `worst` are the worst mistakes, the worst first. A rung was played."""
    lines = [""]
    if report.quality:
        missed = ", ".join(f"{stratum} {rate:.0%}" for stratum, rate in report.quality.rates.items())
        points = f"{report.quality.points:g} of {report.quality.max_points:g} points"
        lines.append(f"move quality at public positions: {points}; mistakes: {missed}")
        lines += [f"    {number} positions without a move: {reason}" for reason, number in report.quality.faults.items()]
    lines.append("no points: the exam does not ask `open_player`" if kind == OPEN else
                 f"points so far: {report.points:g} of {report.max_points:g}")
    lines.append(next_step(report.rungs[-1], ladder))
    return [*lines, *(worst_move(worst[0]) if worst else [])]


def next_step(last: RungReport, ladder: Ladder) -> str:
    """Say what the next rung needs, or this one if it is not passed yet."""
    names = [rung.name for rung in ladder.climbed]
    this = ladder.rung(last.name)
    if last.verdict != PASSED:
        return f"next: {this.needs}; yours was {last.score:.2f} in {len(last.games)} games"
    if this.name == names[-1]:
        return f"every rung is passed; in the exam {PERFECT} follows, the solver, for {ladder.perfect.points:g} points"
    return f"next: {ladder.rungs[names.index(this.name) + 1].needs}"


def worst_move(lesson: Lesson) -> list[str]:
    """Return the board before the worst move, with the exact value of every column for the player to move."""
    mistake = lesson.mistake
    rows = [*(list(row) for row in GAME.rows(mistake.state)), list(map(str, range(WIDTH))),
            [_value(mistake.state, mistake.scores.get(column)) for column in range(WIDTH)]]
    mover = "XO"[GAME.player(mistake.state)]
    return ["", f"your worst move: {lesson.rung}, game {lesson.game + 1}, you are {mover} and to move; {mistake.sentence()}",
            *("".join(f"{cell:>{CELL}}" for cell in row).rstrip() for row in rows),
            "the last line is exact, by our solver: W7 wins in 7 moves of both players, L8 loses in 8, D draws"]


def _value(state: tuple[int, int], score: int | None) -> str:
    if score is None:
        return "-"
    return "D" if score == 0 else f"{'W' if score > 0 else 'L'}{plies_to_end(state, score)}"
