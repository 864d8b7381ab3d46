"""Commands about a class: collect, grade, tournament, similarity. Each command imports its slow modules itself."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from arena.errors import UserError
from arena.progress import waiting
from autograder.cli.completion import courses, problem_sets, students, zips
from autograder.cli.options import AnyPs, Course, NoSandbox
from autograder.paths import REPOSITORY

if TYPE_CHECKING:
    from autograder.progress import Watcher
    from autograder.workers.dask.executor import Cluster


def collect(
    course: Course,
    downloads: Annotated[
        list[Path], typer.Argument(metavar="ZIP...", help="what Canvas, Moodle or Blackboard hands out", autocompletion=zips)
    ],
    ps: Annotated[
        str | None,
        typer.Option("--ps", help="the problem set; default: the one in the files' names", autocompletion=problem_sets),
    ] = None,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="exit status 0 also when something is left over (`make collect` uses this)")
    ] = False,
) -> None:
    """Put the submissions of a downloaded zip into submitted/<student>/<ps>/, and list what could not be placed.

    Exit codes: 0 all is placed, 1 something is left over (0 with --exit-zero), 2 a problem to solve first, 3 a grader is at work
    in the course.

    Example: python -m autograder collect courses/mcts download.zip --ps ps2_uct
    """
    from autograder.collect.command import collect as collect_zips
    from autograder.collect.summary import lines_of
    from autograder.gradebook.policy.people_names import read_names
    from autograder.problem_sets.source import check_known

    if ps is not None:
        check_known(ps)
    with waiting("collecting"):
        collected = collect_zips(course, downloads, ps)
    for done in collected:
        for line in lines_of(done, read_names(course)):
            typer.echo(line)
    left_over = sum(done.left_over for done in collected)
    if left_over:
        files = "1 file is" if left_over == 1 else f"{left_over} files are"
        typer.echo(f"autograder: {files} left over, and everything else is done: look at the lines above", err=True)
    raise typer.Exit(1 if left_over and not exit_zero else 0)


def grade(
    course: Annotated[
        Path | None, typer.Argument(help="a course; default: the demo classes", show_default=False, autocompletion=courses)
    ] = None,
    ps: Annotated[
        str | None,
        typer.Option("--ps", help="the problem set; default: every set that was handed in", autocompletion=problem_sets),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="parallel processes; the grades do not depend on it")] = None,
    afresh: Annotated[
        list[str] | None, typer.Option(metavar="STUDENT", help="grade again, without the cache", autocompletion=students)
    ] = None,
    feedback: Annotated[bool, typer.Option(help="write the students' pages; if not, a later run writes them")] = True,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="grade on this Dask cluster: tcp://host:8786")] = None,
    accept_python: Annotated[
        bool, typer.Option("--accept-python", help="change the course to this Python: grade all again, list what changes")
    ] = False,
    no_sandbox: NoSandbox = False,
) -> None:
    """Grade a class: reports, gradebook, feedback, grades.csv, changes.csv and the class page.

    Exit codes: 0 done, 1 done with grader faults, 2 a problem to solve first, 3 another grader is running, 130 stopped by Ctrl-C.

    Example: python -m autograder grade courses/mcts --ps ps2_uct --workers 4
    """
    if no_sandbox:
        raise UserError("a class is never graded without the sandbox: --no-sandbox is for the course's own solution")
    if ps is not None:
        from autograder.problem_sets.source import check_known

        check_known(ps)
    if cluster and workers:
        raise UserError("--workers is for this machine; a cluster always uses all its workers")
    from autograder.course.roster import sets_handed_in
    from autograder.gradebook.course_python import check_accepted, check_python, log_changes

    if accept_python:
        check_accepted(course, ps)
    elif course:
        check_python(course)
    sets = [ps] if ps else sets_handed_in(course) if course else _demo_sets()
    if afresh:
        from autograder.course.roster import check_handed_in

        if course is None:
            raise UserError("--afresh names students of a course: name its folder too, such as build/demo/ps2_uct")
        check_handed_in(course, afresh, sets)
    if not cluster and not (course and (course / ".cache").exists()):  # all of a class that was graded before may be known
        from autograder.workers.forkserver import warm_up

        warm_up(sets[0])  # first, so that the workers import in parallel with this process
    from autograder.cli.printing.summary import print_changes, print_summary
    from autograder.course.pipeline import grade_course
    from autograder.progress import ProgressBar, Stop
    from autograder.workers.capacity import workers_that_fit

    stop = Stop()
    stop.listen()  # SIGTERM ends the run like Ctrl-C
    console = Console()
    watcher, faults = ProgressBar(console, stop), 0
    accepting = _accepting_python(course, sets, watcher) if course and accept_python else nullcontext()
    with _cluster(cluster, watcher) if cluster else nullcontext() as executor, accepting:
        workers = executor.workers if executor else workers or workers_that_fit()
        classes = ((course, name) for name in sets) if course else demo_classes(sets)
        for left, (place, name) in zip(reversed(range(len(sets))), classes, strict=True):
            summary = grade_course(place, name, workers, executor, watcher, afresh or (), feedback,
                                   any_python=accept_python or course is None)
            print_summary(console, summary)
            if accept_python:
                print_changes(console, summary)
                log_changes(place, name, summary.changes)
            faults += summary.faults
            if left:
                what = "problem sets" if course else "demo classes"
                watcher.say(f"this page can be opened now; {what} that follow: {left} (Ctrl-C stops here)")
    raise typer.Exit(1 if faults else 0)


@contextmanager
def _accepting_python(course: Path, sets: list[str], watcher: "Watcher") -> Iterator[None]:
    """Log that staff accept this Python, and make it the course's when the block has graded every set."""
    from autograder.course.storage.lock import course_lock
    from autograder.gradebook.course_python import change_python, log_acceptance

    with course_lock(course, watcher.say):
        log_acceptance(course, sets)  # first: no decision counts without its line
    yield
    with course_lock(course, watcher.say):  # only now: after a stop the earlier Python still is the course's
        change_python(course)


def tournament(
    course: Annotated[
        Path | None, typer.Argument(help="a graded course; default: a demo class", show_default=False, autocompletion=courses)
    ] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="play as many rounds as fit; default: all players meet")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="how many meetings at once; the games stay the same")] = None,
) -> None:
    """Hold a tournament of the class's players and the ladder's bots; after Ctrl-C, the same command continues it.

    Example: python -m autograder tournament courses/mcts --minutes 30
    """
    from autograder.challenge.player.entrant import sets_with_players
    from autograder.cli.printing.standings import print_standings
    from autograder.course.challenge.tournament import grade_first, hold_tournament
    from autograder.course.roster import check_course
    from autograder.progress import ProgressBar, Stop
    from autograder.workers.capacity import workers_that_fit

    if course is not None:
        check_course(course)
    stop = Stop()
    stop.listen()
    console = Console()
    workers, watcher = workers or workers_that_fit(), ProgressBar(console, stop)
    if course is None:
        course, ps = next(demo_classes(sets_with_players()[:1]))
        grade_first(course, ps, workers, watcher)
    print_standings(console, hold_tournament(course, workers, minutes, watcher), course)


def similarity(
    course: Annotated[
        Path | None, typer.Argument(help="a course; default: the demo classes", show_default=False, autocompletion=courses)
    ] = None,
    ps: AnyPs = None,
) -> None:
    """List pairs of submissions that share more than the set explains, for the instructor; it changes no grades.

    Example: python -m autograder similarity courses/mcts --ps ps2_uct
    """
    from autograder.course.roster import sets_handed_in
    from autograder.course.similarity import look_over
    from autograder.problem_sets.bank.answers import right_answers
    from autograder.problem_sets.source import check_known
    from autograder.progress import ProgressBar

    if ps is not None:
        check_known(ps)
    sets = [ps] if ps else sets_handed_in(course) if course else _demo_sets()
    console = Console(soft_wrap=True)
    for place, name in ((course, name) for name in sets) if course else demo_classes(sets):
        findings = look_over(place, name, ProgressBar(console), right_answers(name))
        console.print(findings.line(), highlight=False)
        console.print(str(findings.page), markup=False, highlight=False)


def _cluster(address: str, watcher: "Watcher") -> "Cluster":
    """Return the workers of a Dask scheduler as an executor."""
    try:
        from autograder.workers.dask.executor import Cluster
    except ImportError as error:
        message = f"a cluster needs the package distributed ({error}): run make setup, or pip install distributed"
        raise UserError(message) from None
    with waiting("looking for the cluster's workers"):
        return Cluster(address, watcher.say)

def _demo_sets() -> list[str]:
    from autograder.selftest.demo import demo_sets

    return demo_sets()


def demo_classes(sets: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Yield the folder and the problem set of each set's demo class; each class is made just before its turn."""
    from autograder.selftest.demo import build_demo

    for name in sets:
        yield build_demo(REPOSITORY / "build" / "demo" / name, name), name


