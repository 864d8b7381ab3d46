"""The command `course`: an empty folder becomes a course."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.errors import UserError
from arena.near_miss import did_you_mean
from autograder.cli.completion import problem_sets

if TYPE_CHECKING:
    from autograder.gradebook.policy.course_file import LateRule


def course(
    folder: Annotated[Path, typer.Argument(metavar="COURSE", help="a new folder, or a course to bring up to date")],
    roster: Annotated[
        Path | None, typer.Option(help="the students: id, first_name, last_name, email; or the export of Canvas's gradebook")
    ] = None,
    sets: Annotated[
        str | None, typer.Option(help="the problem sets, with commas; default: all", autocompletion=problem_sets)
    ] = None,
    due: Annotated[
        str | None, typer.Option(help='one date for all sets, "2026-10-05 23:59", or ps1_games=2026-10-05T23:59,ps2_uct=...')
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(help="time zone of the due dates, such as Europe/Zurich; default: this machine's")
    ] = None,
) -> None:
    """Make a course: settings, people, due dates, the released sets, and a zip of each set for the students.

    After a change in course.toml or roster.csv, the same command without options brings the gradebook up to date.

    Example: python -m autograder course courses/mcts --roster people.csv --sets ps1_games,ps2_uct --due "2026-10-05 23:59"
    """
    from rich.console import Console

    from autograder.course.new_course import HANDOUT, Wishes, make_course
    from autograder.gradebook.policy.roster_file import read_roster
    from autograder.problem_sets.source import check_known, released
    from autograder.progress import ProgressBar

    wanted = [name for name in re.split(r"[,\s]+", sets or "") if name]
    for name in wanted:
        check_known(name)
    console = Console(soft_wrap=True)
    settings = make_course(folder, Wishes(roster, wanted, _dates(due, wanted or released()), timezone), ProgressBar(console))
    people = read_roster(folder)
    lines = [
        f"{folder / 'course.toml'}: sets, due dates ({settings.timezone}), late rule ({_rule(settings.late)}); "
        "edit it, and run this command again",
        f"roster.csv: {len(people)} students, in the gradebook" if people is not None
        else "no roster.csv: with one, the grader knows who is missing (columns id, first_name, last_name, email)",
        *(f"{folder / HANDOUT / ps}.zip: {_when(settings.due.get(ps))}" for ps in settings.sets),
        f"next: give the zips to the students; their work goes to {folder / 'submitted'}/<student>/<set>/; then grade",
    ]
    for line in lines:
        console.print(line, markup=False, highlight=False)


def _when(due: datetime | None) -> str:
    return f"due {due:%Y-%m-%d %H:%M}" if due else "no due date"


def _rule(late: LateRule | None) -> str:
    return f"{late.percent_per_day:g} % a day" if late else "late work loses nothing"


def _dates(text: str | None, sets: list[str]) -> dict[str, datetime]:
    """Read the option --due: one date for all sets, or SET=DATE with commas."""
    if not text or not text.strip():
        return {}
    if "=" not in text:
        return dict.fromkeys(sets, _date(text))
    due = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        ps, _, moment = part.partition("=")
        if ps.strip() not in sets:
            choice = f"choose from {', '.join(sets)}{did_you_mean(ps.strip(), sets)}"
            raise UserError(f"--due: {ps.strip()!r} is not a set of the course; {choice}")
        due[ps.strip()] = _date(moment)
    return due


def _date(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo or not re.search(r"\d:\d", text):
        raise UserError(f'{text.strip()!r} is not a valid due date: write a day and a time, such as "2026-10-05 23:59"')
    return moment
