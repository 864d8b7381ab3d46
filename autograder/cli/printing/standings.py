"""The terminal output after a tournament: the players' places, by handles, and the paths of the pages."""

from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.course.challenge.tournament import BOARD, FOLDER, PLAYERS
from autograder.pages.course.leaderboard import class_of
from autograder.tournament.tournament import Table as Standings


def print_standings(console: Console, standings: Standings, course: Path) -> None:
    """Print the table, the path of the instructor's file and the path of the public page."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for head in ("", "player", "class", "rating", "95 %", "W D L"):
        # names wrap where the terminal is narrow; figures do not
        left = head in ("player", "class")
        table.add_column(head, justify="left" if left else "right", no_wrap=head != "player", overflow="fold")
    for place, standing in enumerate(standings.standings, 1):
        interval = f"{standing.rating.low:.0f} to {standing.rating.high:.0f}"
        figures = (f"{standing.rating.value:.0f}", interval, f"{standing.won} {standing.drawn} {standing.lost}")
        table.add_row(str(place), escape(standing.participant.handle), class_of(standing), *figures)
    console.print(table)
    if standings.not_played:
        console.print(f"{standings.not_played} meetings could not be played on this host: the same command tries them again")
    for path in (course / FOLDER / PLAYERS, course / FOLDER / BOARD / "index.html"):
        console.print(str(path), markup=False, highlight=False, soft_wrap=True)
