"""The tournament of a class: its players against each other and against the ladder, and the pages about it."""

from __future__ import annotations

from pathlib import Path

from arena.errors import UserError
from arena.files import write_if_changed
from autograder.challenge.model import Conditions
from autograder.course.challenge.class_exams import course_ladder
from autograder.course.challenge.entrants import entrants
from autograder.course.grade_class import Means, mark
from autograder.course.roster import list_submissions
from autograder.course.storage.lock import course_lock
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.policy.people_names import Names, read_names
from autograder.grading.edition import course_secret
from autograder.modes import for_students
from autograder.pages.course.leaderboard import leaderboard, players_table
from autograder.progress import Watcher
from autograder.tournament.participants import players
from autograder.tournament.tournament import Table, Tournament

FOLDER = "tournament"
BOARD, PLAYERS = "leaderboard", "players.csv"


def hold_tournament(course: Path, workers: int, minutes: float | None = None, watcher: Watcher | None = None) -> Table:
    """Hold the tournament of a class, write its leaderboard, and return the table.

    Args:
        course: a course folder in which ps3 (or ps5) has been graded.
        minutes: the approximate time limit; without it all players meet each other, or 12 rounds are played if there are more
            than 24 players.

    Raises:
        UserError: a problem that a person must solve first. Interrupted: Ctrl-C. Busy: a grader is running in this course.
    """
    if not course.is_dir():
        raise UserError(f"no such course folder: {course}")
    with course_lock(course, watcher.say if watcher else print):
        table = tournament_of(course, workers, minutes, watcher).run()
        write_leaderboard(course / FOLDER, table, read_names(course))
    return table


def tournament_of(course: Path, workers: int, minutes: float | None = None, watcher: Watcher | None = None) -> Tournament:
    """Return the tournament of a class; its meetings are stored in the course folder.

    Raises:
        UserError: no player of the class may enter yet.
    """
    ladder, secret = course_ladder(course), course_secret(course)
    own = [entrant for entrant in entrants(course, "", {}) if entrant.entry.folder.parent.name == entrant.student]
    students = players(own, ladder, secret)  # a team has one player
    if not students:
        raise UserError(
            f"no player in {course} may enter yet: a player enters when its joint check has passed. "
            f"First: make grade COURSE={course} PS=ps3_connect_four (and PS=ps5_alphazero for networks)"
        )
    return Tournament(course / FOLDER, students, Conditions(secret, ladder), workers, minutes, watcher)


def grade_first(course: Path, ps: str, workers: int, watcher: Watcher) -> None:
    """Make the missing reports of a class, without gradebook and pages; the reports decide which players may enter."""
    store = ReportStore(course, ps)
    with course_lock(course, watcher.say):
        for entry, _, kept in mark(course, ps, list_submissions(course, ps), Means(workers, watcher=watcher)):
            store.put(entry.student, kept.report, kept.staff)
        watcher.end()


def write_leaderboard(folder: Path, table: Table, names: Names | None = None) -> Path:
    """Write leaderboard/ (public) and players.csv (for the instructor only, with `names`) into a tournament's folder.

    Returns the page of the leaderboard. Pages of players who no longer take part are removed.
    """
    board = folder / BOARD
    pages = leaderboard(table)
    with for_students():
        for name, text in pages.items():
            write_if_changed(board / name, text)
    for path in board.glob("*.html"):
        if path.name not in pages:
            path.unlink()
    write_if_changed(folder / PLAYERS, players_table(table, names or Names()), mode=0o660)
    return board / "index.html"
