"""The command line: `python -m autograder grade | submission | build | verify | repeat | challenge | replay | explain | ...`."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console

from autograder import staff
from autograder.sandbox.wall import WallError
from autograder.trouble import Interrupted, Trouble, explain_os_error
from autograder.waiting import waiting

if TYPE_CHECKING:
    from autograder.grading.cluster import Cluster
    from autograder.grading.marking import Watcher

# Heavy parts (nbgrader, pytest) are imported by the command that needs them: `--help` stays quick.
app = typer.Typer(
    help="Build the problem sets, grade submissions and classes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(staff.app, name="staff")
ROOT = Path(__file__).resolve().parents[1]
Ps = Annotated[str, typer.Option("--ps", help="the problem set")]
NoSandbox = Annotated[bool, typer.Option("--no-sandbox", help="only for the course's own solution: grade without the sandbox")]


def main() -> None:
    """Run the grader's command line."""
    # nbgrader looks for alembic and jupyter on PATH: this interpreter's come first
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    run(app)


def run(commands: typer.Typer) -> None:
    """Run a command line; end with a sentence and an exit code where a person must put something right."""
    try:
        status = commands(standalone_mode=False)  # or typer would draw a box of six lines around a wrong option
    except Trouble as trouble:
        leave(str(trouble), trouble.exit_code)
    except typer.TyperException as error:
        if not error.format_message():  # nothing was asked for, and the help has been shown
            raise SystemExit(error.exit_code) from None
        leave(f"{error.format_message().rstrip('.')}; {error.ctx.command_path} --help says more", error.exit_code)
    except WallError as error:
        leave(str(error), Trouble.exit_code)
    except OSError as error:
        leave(explain_os_error(error), Trouble.exit_code)
    except typer.Abort:
        leave("stopped", Interrupted.exit_code)
    if status == Interrupted.exit_code:  # Ctrl-C where nothing has a sentence of its own for it
        leave("stopped", status)
    raise SystemExit(status)


def leave(sentence: str, code: int) -> NoReturn:
    """End with a sentence on standard error and an exit code."""
    Console(stderr=True, soft_wrap=True).print(f"autograder: {sentence}", markup=False, highlight=False)
    raise SystemExit(code)


@app.command()
def grade(
    course: Annotated[Path | None, typer.Argument(help="a course; without it the demo classes", show_default=False)] = None,
    ps: Annotated[str | None, typer.Option("--ps", help="the problem set: ps2_uct; of the demo classes all")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="processes side by side; the grades do not depend on it")] = None,
    afresh: Annotated[list[str] | None, typer.Option(metavar="STUDENT", help="grade this one again although it is known")] = None,
    feedback: Annotated[bool, typer.Option(help="write the pages that students read; a later run makes up for it")] = True,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="grade on this Dask cluster: tcp://host:8786")] = None,
    no_sandbox: NoSandbox = False,
) -> None:
    """Grade a class: reports, gradebook, feedback, grades.csv, changes.csv and the class page.

    Exit codes: 0 done, 1 done with grader faults, 2 something to put right first, 3 another grader is at
    work, 130 stopped by Ctrl-C (what is finished is kept).
    """
    if no_sandbox:
        raise Trouble("a class is never graded without the sandbox: --no-sandbox is for the course's own solution")
    if ps is not None:
        from autograder.build.source import check_known

        check_known(ps)
    if cluster and workers:
        raise Trouble("--workers is for this machine; a cluster uses all the workers that it has")
    if not cluster:
        from autograder.grading.server import warm_up

        warm_up(ps or "ps2_uct")  # first: the workers' imports run beside our own
    from autograder.grading.classroom import grade_course
    from autograder.preflight import workers_that_fit
    from autograder.progress import ProgressBar, print_summary

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill ends like Ctrl-C
    console = Console()
    watcher, faults = ProgressBar(console), 0
    with _cluster(cluster, watcher) if cluster else nullcontext() as executor:
        workers = executor.workers if executor else workers or workers_that_fit()
        for place, name in [(course, ps or "ps2_uct")] if course else _demo_classes(ps):
            summary = grade_course(place, name, workers, executor, watcher, afresh or (), feedback)
            print_summary(console, summary)
            faults += summary.faults
    raise typer.Exit(1 if faults else 0)


def _cluster(address: str, watcher: "Watcher") -> "Cluster":
    """Return the workers of a Dask scheduler as an executor."""
    try:
        from autograder.grading.cluster import Cluster
    except ImportError as error:
        raise Trouble(f"a cluster needs the package distributed ({error}): run make setup, or pip install distributed") from None
    with waiting("looking for the cluster's workers"):
        return Cluster(address, watcher.say)


def _demo_classes(ps: str | None) -> Iterator[tuple[Path, str]]:
    """Yield the folder and the name of each demo class, made when its turn comes."""
    from autograder.demo import build_demo, demo_sets

    for name in [ps] if ps else demo_sets():
        yield build_demo(ROOT / "build" / "demo" / name, name), name


@app.command()
def submission(
    folder: Annotated[Path, typer.Argument(help="a folder with <ps>.ipynb and/or <ps>.py")],
    ps: Ps = "ps2_uct",
    json: Annotated[str, typer.Option("--json", help="where the report goes; - is standard output")] = "-",
    no_sandbox: NoSandbox = False,
) -> None:
    """Grade one folder without a course, and write its report."""
    from autograder.files import write_atomic
    from autograder.single import grade_folder

    if json != "-" and Path(json).is_dir():
        raise Trouble(f"{json} is a folder: name the file in it that the report is to be written to")
    report = grade_folder(folder, ps, sandbox=not no_sandbox)
    if json == "-":
        sys.stdout.write(report.to_json())
    else:
        write_atomic(Path(json), report.to_json())
        typer.echo(f"{report.points:g} of {report.max_points:g} points: {json}")


@app.command()
def build(
    ps: Annotated[str | None, typer.Option("--ps", help="the problem set; without it all of them")] = None,
    solution: Annotated[bool, typer.Option("--solution", help="the solved form, not the stub")] = False,
    module: Annotated[Path | None, typer.Option(help="write the module form here")] = None,
    notebook: Annotated[Path | None, typer.Option(help="write the notebook form here")] = None,
) -> None:
    """Build assignments/ from solutions/, or one form of one problem set into a file of your choice."""
    from autograder.single import build_forms

    for line in build_forms(ps, solution, module, notebook):
        typer.echo(line)


@app.command()
def verify(
    ps: Annotated[str | None, typer.Option("--ps", help="the problem set; without it all of them")] = None,
    edition: Annotated[str, typer.Option(metavar="TEXT", help="a secret to draw other hidden positions from")] = "",
    exercise: Annotated[str | None, typer.Option(metavar="ID", help="only the answers to this exercise, such as 2.5")] = None,
    editions: Annotated[int, typer.Option(min=1, help="grade the banks in so many editions, each as strict as the first")] = 1,
) -> None:
    """Prove the grading: solution, stub, wrong answers, right answers."""
    from autograder.build.source import check_known, load, names
    from autograder.verify.run import verify_all

    if ps is not None:
        check_known(ps)
    chosen = [ps] if ps else names()
    if exercise is not None and not any(exercise == one.id for name in chosen for one in load(name).exercises):
        raise Trouble(f"there is no exercise {exercise!r} in {', '.join(chosen)}")
    raise typer.Exit(verify_all(chosen, edition, exercise, editions))


@app.command()
def mutants(
    ps: Annotated[str | None, typer.Option("--ps", help="the problem set; without it all of them")] = None,
    exercise: Annotated[str | None, typer.Option(metavar="ID", help="only the mutants of this exercise, such as 2.5")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="try only so many of each set")] = None,
    seed: Annotated[int, typer.Option(help="which ones a sample draws")] = 0,
    editions: Annotated[int, typer.Option(min=1, help="in how many editions each is tried")] = 3,
    workers: Annotated[int | None, typer.Option(min=1, help="processes side by side; the result does not depend on it")] = None,
) -> None:
    """Put small mistakes into our solutions, one at a time, and list those that no hidden check notices; 1 when there are any."""
    from autograder.build.source import check_known, names
    from autograder.mutants.run import Run
    from autograder.preflight import workers_that_fit

    if ps is not None:
        check_known(ps)
    run = Run(Console(), exercise, sample, seed, editions, workers or workers_that_fit())
    raise typer.Exit(run.over([ps] if ps else names()))


@app.command()
def repeat(
    ps: Annotated[str | None, typer.Option("--ps", help="the problem set; without it all of them")] = None,
    times: Annotated[int, typer.Option(min=1, help="how often each solution is graded")] = 200,
) -> None:
    """Look for flaky checks: grade our solutions many times, with other hash seeds, in other editions, under load."""
    from autograder.build.source import check_known, names
    from autograder.progress import ProgressBar
    from autograder.repeat import PER_PROCESS
    from autograder.repeat import repeat as grade_repeatedly

    if ps is not None:
        check_known(ps)
    sound = True
    for name in [ps] if ps else names():
        bar = ProgressBar(Console())
        bar.start(f"{name}: processes that grade {PER_PROCESS} times", -(-times // PER_PROCESS))
        try:
            tally = grade_repeatedly(name, times, lambda: bar.step(""))
        finally:
            bar.end()
        for loss in tally.losses:
            typer.echo(f"  {loss}")
        typer.echo(tally.line())
        sound = sound and tally.sound
    raise typer.Exit(0 if sound else 1)


@app.command()
def challenge(
    player: Annotated[
        Path, typer.Argument(help="your ps3, or ps5 with weights.npz: folder, notebook or module")
    ] = Path("assignments/ps3_connect_four"),
    rung: Annotated[str | None, typer.Option(help="one rung, such as Pebble; without it the whole ladder")] = None,
) -> None:
    """Play the final challenge at home: your own search against the ladder of bots."""
    from autograder.challenge.home import challenge as play_challenge

    console = Console()
    with waiting("challenge", console, drawn=False):  # on a terminal its table is there
        passed = play_challenge(player, rung, console)
    raise typer.Exit(0 if passed else 1)


@app.command()
def replay(
    report: Annotated[Path, typer.Argument(help="reports/<student>/challenge.json")],
    rung: Annotated[str | None, typer.Option(help="against whom, such as Stone; without it the last one")] = None,
    game: Annotated[int, typer.Option(min=1, help="which game")] = 1,
) -> None:
    """Show one game of the challenge move by move; the solver marks what gave something away."""
    from autograder.challenge.show import replay as show_replay

    with waiting("the solver looks at the game", drawn=False):
        show_replay(report, rung, game, Console())


@app.command()
def tournament(
    course: Annotated[Path | None, typer.Argument(help="a graded course; without it a demo class", show_default=False)] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="play as many rounds as fit; without it everybody meets")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="meetings side by side; the games do not depend on it")] = None,
) -> None:
    """Hold a tournament: every player of a class that may enter, and the ladder; stopped with Ctrl-C, it goes on next time."""
    from autograder.challenge.scoreboard import print_standings
    from autograder.challenge.tournament import grade_first, hold_tournament
    from autograder.grading.roll import check_course
    from autograder.preflight import workers_that_fit
    from autograder.progress import ProgressBar

    if course is not None:
        check_course(course)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    console = Console()
    workers, watcher = workers or workers_that_fit(), ProgressBar(console)
    if course is None:
        from autograder.demo import build_demo

        course = build_demo(ROOT / "build" / "demo" / "ps3_connect_four", "ps3_connect_four")
        grade_first(course, "ps3_connect_four", workers, watcher)
    print_standings(console, hold_tournament(course, workers, minutes, watcher), course)


@app.command()
def similarity(
    course: Annotated[Path | None, typer.Argument(help="a course; without it a demo class", show_default=False)] = None,
    ps: Ps = "ps2_uct",
) -> None:
    """List pairs of submissions that share more than the set explains, for an instructor to look at; it grades nothing."""
    from autograder.progress import ProgressBar
    from autograder.similarity.look import look_over

    if course is None:
        course = next(_demo_classes(ps))[0]
    console = Console(soft_wrap=True)
    findings = look_over(course, ps, ProgressBar(console))
    console.print(findings.line(), highlight=False)
    console.print(str(findings.page), markup=False, highlight=False)


@app.command()
def attack(
    name: Annotated[str | None, typer.Argument(help="one attack, or one family", show_default=False)] = None,
    stock: Annotated[bool, typer.Option(help="with all of them: let those that apply loose on stock nbgrader too")] = True,
    around: Annotated[bool, typer.Option(help="watch all files of the repository; nobody may work on them meanwhile")] = True,
    room: Annotated[Path | None, typer.Option(help="where; without it build/attack")] = None,
) -> None:
    """Grade a class of attackers beside honest students, and see that nothing comes of it; 1 when an attack succeeded."""
    from autograder.attack.run import ROOM, Siege
    from autograder.attack.run import attack as let_loose

    with waiting("attack", drawn=False):
        status = let_loose(name, Siege(room or ROOM, around, stock and name is None))
    raise typer.Exit(status)


@app.command()
def broken(
    name: Annotated[str | None, typer.Argument(help="one hand-in, or one file of the bank", show_default=False)] = None,
) -> None:
    """Grade a class of honest mess beside honest students, and see that each gets what is written down; 1 when one does not."""
    from autograder.broken.run import broken as grade_broken

    with waiting("broken", drawn=False):
        status = grade_broken(name, Console(soft_wrap=False))
    raise typer.Exit(status)


@app.command()
def explain(
    folder: Annotated[Path, typer.Argument(help="a submission's folder")],
    check: Annotated[str, typer.Option(help="the hidden check's name, as in the report")],
    ps: Ps = "ps2_uct",
) -> None:
    """For staff: run one hidden check again and show inputs, expected, got and the traceback."""
    from autograder.grading.explain import explain as explain_check

    with waiting(f"running {check}"):
        text = explain_check(folder, ps, check)
    typer.echo(text)


@app.command()
def preflight() -> None:
    """Say whether this machine can grade, one line for each thing that it needs."""
    from autograder.preflight import run_preflight

    raise typer.Exit(run_preflight(Console()))
