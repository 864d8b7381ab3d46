"""The commands `export` and `gradescope`: final marks, and a whole autograder, for another system."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.errors import UserError
from arena.near_miss import did_you_mean
from autograder.cli.completion import students
from autograder.cli.options import AnyPs, Course, Ps

if TYPE_CHECKING:
    from autograder.platforms.archive import CourseLadder

FORMATS = ("canvas", "moodle", "blackboard", "csv", "json")
WITH_TEMPLATE = ("canvas", "moodle", "blackboard")


def export(
    course: Course,
    to: Annotated[str, typer.Argument(metavar="FORMAT", help=f"one of {', '.join(FORMATS)}", autocompletion=lambda: FORMATS)],
    template: Annotated[
        Path | None, typer.Option(help="the platform's own table, downloaded; the marks are filled into it")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="the file to write; default: canvas.csv and so on in the course")] = None,
    ps: AnyPs = None,
    student: Annotated[list[str] | None, typer.Option(metavar="STUDENT", help="only this one", autocompletion=students)] = None,
) -> None:
    """Write the final marks, those of final.csv, as a table for Canvas, Moodle or Blackboard, as CSV or as JSON.

    Grade first, also after marks by hand: late penalties depend on them. It is a plugin of `nbgrader export`.

    Example: python -m autograder export courses/mcts canvas --template "Downloads/2026-12-01 Grades.csv"
    """
    if to not in FORMATS:
        raise UserError(f"no format is called {to!r}{did_you_mean(to, FORMATS) or '; choose from ' + ', '.join(FORMATS)}")
    if template and to not in WITH_TEMPLATE:
        raise UserError(f"--template is for {', '.join(WITH_TEMPLATE)}, not for {to}")
    from nbgrader.api import Gradebook

    from autograder.course.roster import check_course, check_gradebook
    from autograder.course.storage.lock import course_lock
    from autograder.gradebook.course import open_course
    from autograder.gradebook.marks.exports import EXPORTS
    from autograder.problem_sets.source import check_known, names

    if ps is not None:
        check_known(ps)
    check_course(course)
    check_gradebook(course)
    with course_lock(course):
        app = open_course(course, ps or names()[0])
        plugin = EXPORTS[to](parent=app, to=str(file or course / EXPORTS[to].file_name), student=student or [],
                             assignment=[ps] if ps else [])
        if template:
            plugin.template = str(template)
        with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
            plugin.export(gradebook)
    for line in app.records.lines:
        typer.echo(f"note: {line}")
    typer.echo(plugin.destination)


def gradescope(
    ps: Ps,
    to: Annotated[Path | None, typer.Option(help="the archive; default: build/gradescope/<ps>.zip")] = None,
    edition_secret: Annotated[
        Path | None,
        typer.Option(help="a file with the edition's secret, or a course folder, whose settings count too; default: a new secret "
                          "beside the archive"),
    ] = None,
    minutes: Annotated[int, typer.Option(min=6, max=240, help="the time limit that you set in Gradescope")] = 10,
    challenge: Annotated[bool, typer.Option(help="in sets with a player: play the ladder too, for the leaderboard")] = True,
) -> None:
    """Build the autograder archive of one problem set for Gradescope; it holds solution and secret, so keep it to yourself.

    Example: python -m autograder gradescope --ps ps2_uct --edition-secret courses/mcts
    """
    from arena.files import write_atomic
    from autograder.gradebook.policy.grading_settings import settings_of
    from autograder.grading.config import Settings
    from autograder.paths import REPOSITORY
    from autograder.platforms.archive import archive, edition_digest
    from autograder.problem_sets.source import check_known, facts_of

    check_known(ps)
    to = to or REPOSITORY / "build" / "gradescope" / f"{ps}.zip"
    if to.is_dir():
        raise UserError(f"{to} is a folder: give the name of the archive")
    place = edition_secret or to.parent
    if edition_secret is None:
        place.mkdir(parents=True, exist_ok=True)
    elif not place.exists():
        raise UserError(f"no such file or folder: {place}")
    settings = settings_of(place, ps) if place.is_dir() else Settings(place.read_bytes())
    if not settings.secret:
        raise UserError(f"{place} is empty: it holds no secret")
    to.parent.mkdir(parents=True, exist_ok=True)
    ladder = _ladder_of(place) if place.is_dir() else None
    drawn = _positions_of(place, to.parent, settings.secret) if challenge and facts_of(ps).player else ()
    write_atomic(to, archive(ps, settings, minutes=minutes, challenge=challenge, ladder=ladder, positions=drawn))
    to.chmod(0o600)
    typer.echo(f"{to}: {to.stat().st_size // 1024} KiB, edition {edition_digest(settings.secret)}")


def _positions_of(place: Path, beside: Path, secret: bytes) -> tuple[Any, ...]:
    """Return the positions of move quality of an edition, and draw them if they are not in the cache of a folder.

    Args:
        place: a course folder, or a file with a secret; for a file, the cache is in the folder `beside`.
    """
    from rich.console import Console

    from arena.challenge.ladder import load_ladder
    from autograder.course.challenge.class_exams import course_ladder
    from autograder.course.challenge.course_positions import course_positions
    from autograder.progress import ProgressBar

    bar, ladder = ProgressBar(Console(stderr=True)), course_ladder(place) if place.is_dir() else load_ladder()
    try:
        return course_positions(place if place.is_dir() else beside, secret, ladder.quality.each, bar)
    finally:
        bar.end()


def _ladder_of(course: Path) -> "CourseLadder":
    """Return a course's ladder, from its rungs.toml and its course.toml.

    Raises:
        UserError: the ladder cannot be used.
    """
    from arena.challenge.ladder import LADDER
    from autograder.course.challenge.class_exams import course_ladder
    from autograder.gradebook.policy.course_file import read_course_file
    from autograder.platforms.archive import CourseLadder

    course_ladder(course)  # a wrong one ends here, and not at the first submission
    own = course / LADDER.name
    return CourseLadder((own if own.exists() else LADDER).read_bytes(), read_course_file(course).challenge)
