"""The command `return`: feedback pages and marks go back to the platform from which the work came, or into a mail merge."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.challenge.report import ASSIGNMENT
from arena.errors import UserError
from arena.near_miss import did_you_mean
from autograder.cli.completion import sets_and_challenge, zips
from autograder.cli.options import Course
from autograder.handing_back.uploads import MAIL, WAYS

if TYPE_CHECKING:
    from autograder.handing_back.command import HandedBack


def return_(
    course: Course,
    to: Annotated[str, typer.Argument(metavar="FOR", help=f"one of {', '.join(WAYS)}", autocompletion=lambda: WAYS)],
    ps: Annotated[
        str | None,
        typer.Option("--ps", help="the problem set, or challenge; default: all sets", autocompletion=sets_and_challenge),
    ] = None,
    downloads: Annotated[
        list[Path] | None,
        typer.Option("--zip", help="a download of the platform, for a course that was collected by an older version",
                     autocompletion=zips),
    ] = None,
    template: Annotated[Path | None, typer.Option(help="the platform's own table; the marks are filled into it")] = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="only pages of those whose page or points are not those of the last return")
    ] = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="exit status 0 also when a student is left out (`make return` uses this)")
    ] = False,
) -> None:
    """Write the zip of feedback pages that a platform takes, and the marks, into returned/<ps>/; nothing is sent.

    With `mail` it is a table for a mail merge; `--ps challenge` returns the challenge. A page whose addressee is not sure is left
    out, and named.

    Exit codes: 0 every page is in the zip, 1 some are left out (0 with --exit-zero), 2 a problem to solve first, 3 a grader is at
    work in the course.

    Example: python -m autograder return courses/mcts canvas --ps ps2_uct
    """
    from rich.console import Console

    from autograder.gradebook.policy.people_names import read_names
    from autograder.handing_back.command import hand_back
    from autograder.handing_back.summary import lines_of
    from autograder.progress import ProgressBar

    if to not in WAYS:
        raise UserError(f"nothing can be returned to {to!r}{did_you_mean(to, WAYS) or '; choose from ' + ', '.join(WAYS)}")
    if to == MAIL and (downloads or template):
        raise UserError("--zip and --template are for a platform, not for mail")
    if ps == ASSIGNMENT and downloads:
        raise UserError("--zip is for a problem set, not for the challenge: collect the download again instead")
    sets = _sets(course, ps)
    if len(sets) > 1 and (downloads or template):
        choice = "|".join(sets)
        raise UserError(f"{course} has {len(sets)} problem sets: say which one --zip or --template is for, with --ps {choice}")
    watcher = ProgressBar(Console(stderr=True))
    results: list[HandedBack] = []
    for name in sets:
        done = hand_back(course, name, to, downloads or (), template, watcher, only_changed=changed)
        results.append(done)
        for line in lines_of(done, read_names(course)):
            typer.echo(line)
    left_out = sum(len(done.left_out) for done in results)
    if not any(done.students or done.unchanged for done in results):
        raise UserError("no page was returned: the lines above say why")
    if left_out:
        pages = "1 page is" if left_out == 1 else f"{left_out} pages are"
        typer.echo(f"autograder: {pages} left out, and everything else is done: look at the lines above", err=True)
    raise typer.Exit(1 if left_out and not exit_zero else 0)


def _sets(course: Path, ps: str | None) -> list[str]:
    """Return the set that is named, which may be the challenge, or all sets of the course that somebody has handed in."""
    from autograder.course.roster import check_course, sets_handed_in
    from autograder.problem_sets.source import check_known

    if ps is None:
        return sets_handed_in(course)
    if ps != ASSIGNMENT:
        check_known(ps)
    check_course(course, ps)
    return [ps]
