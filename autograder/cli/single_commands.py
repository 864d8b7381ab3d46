"""Commands about one thing: a submission, a problem set, a check, a player, this machine."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from arena.challenge.ladder import MOST_EACH
from arena.errors import UserError
from arena.progress import waiting
from autograder.cli.completion import games, rungs
from autograder.cli.options import AnyPs, NoSandbox, PsOfFolder


def submission(
    folder: Annotated[Path, typer.Argument(help="a folder with <ps>.ipynb and/or <ps>.py")],
    ps: PsOfFolder = None,
    json: Annotated[str, typer.Option("--json", help="where the report goes; - is standard output")] = "-",
    no_sandbox: NoSandbox = False,
) -> None:
    """Grade one folder without a course, and write its report.

    Exit codes: 0 graded, whatever the points; 2 a problem to solve first.

    Example: python -m autograder submission assignments/ps2_uct --json report.json
    """
    from arena.files import write_atomic
    from autograder.cli.one_folder import grade_folder

    if json != "-" and Path(json).is_dir():
        raise UserError(f"{json} is a folder: give the name of the report's file")
    report = grade_folder(folder, set_of(folder) if ps is None else ps, sandbox=not no_sandbox)
    if json == "-":
        sys.stdout.write(report.to_json())
    else:
        write_atomic(Path(json), report.to_json())
        extra = f" and {report.extra_points:g} extra" if report.extra_points else ""
        typer.echo(f"{report.points:g} of {report.max_points:g} points{extra}: {json}")


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="the name of the new set, such as ps6_chess")],
    title: Annotated[str, typer.Option(help="the title of the set, such as 'chess endings'")] = "",
) -> None:
    """Begin a new problem set: a lesson with two exercises, hidden checks, wrong and right answers, all of which verify.

    Example: python -m autograder new ps6_chess --title "chess endings"
    """
    from autograder.problem_sets.assignments import write_assignments
    from autograder.problem_sets.new_set import write_new_set

    written = write_new_set(name, title)
    for path in [*written, *(file for file in write_assignments() if name in file)]:
        typer.echo(path)
    typer.echo(f"next: make verify PS={name}; docs/new_exercise.md goes on from there")


def build(
    ps: AnyPs = None,
    solution: Annotated[bool, typer.Option("--solution", help="the solved form, not the stub")] = False,
    module: Annotated[Path | None, typer.Option(help="write the module form into this file")] = None,
    notebook: Annotated[Path | None, typer.Option(help="write the notebook form into this file")] = None,
) -> None:
    """Build assignments/ from solutions/, or write one form of one problem set into a given file.

    Example: python -m autograder build --ps ps2_uct --solution --notebook solved.ipynb
    """
    from autograder.cli.one_folder import build_forms

    with waiting("building"):
        lines = build_forms(ps, solution, module, notebook)
    for line in lines:
        typer.echo(line)


def set_of(folder: Path) -> str:
    """Return the problem set after which a folder is named, or else something in it.

    Raises:
        UserError: no such folder; no name in it is a set's, or the names of several sets are there.
    """
    from autograder.problem_sets.source import names

    if not folder.is_dir():
        raise UserError(f"no such folder: {folder}")
    stems = {path.stem for path in folder.iterdir()}
    matching = [name for name in names() if name == folder.resolve().name] or [name for name in names() if name in stems]
    if len(matching) != 1:
        raise UserError(f"which problem set is in {folder}? Name it with --ps {'|'.join(matching or names())}")
    return matching[0]


def explain(
    folder: Annotated[Path, typer.Argument(help="a submission's folder")],
    check: Annotated[
        str | None, typer.Option(help="the hidden check's name, as on the class page and in the report")
    ] = None,
    ps: PsOfFolder = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="instead of a check: list the lines of each exercise that no check of it ran")
    ] = False,
    student: Annotated[
        bool, typer.Option("--student", help="write a page for the student: other inputs in place of the hidden ones")
    ] = False,
    to: Annotated[Path | None, typer.Option(help="with --student, the page's file; default: <check>.html in this folder")] = None,
) -> None:
    """Run one hidden check again and answer a complaint: the calls, what was expected, what came, the lesson's words.

    Without --student it is not for students' eyes: it shows the hidden inputs of the course. With --lines it runs all checks, and
    lists the lines of the submission that none of them ran; the submission's own process tells this.

    Example: python -m autograder explain courses/mcts/submitted/ada/ps2_uct --check test_greedy_takes_the_best_mean
    """
    from arena.files import write_atomic
    from autograder.course.explain import explain as explain_check
    from autograder.course.explain import explain_to_student
    from autograder.course.unrun_lines import unrun_lines

    if lines and (check is not None or student):
        raise UserError("--lines is about all checks, and for staff: give it without --check and --student")
    if lines:
        ps = ps or set_of(folder)
        with waiting(f"running the checks of {ps}"):
            text = unrun_lines(folder, ps)
        typer.echo(text)
        return
    if check is None:
        raise UserError("name a hidden check with --check, or give --lines")
    if to is not None and not student:
        raise UserError("--to is the file of the student's page: give --student too")
    if to is not None and to.is_dir():
        raise UserError(f"{to} is a folder: give the name of the page's file")
    ps = ps or set_of(folder)
    with waiting(f"running {check}"):
        text = (explain_to_student if student else explain_check)(folder, ps, check)
    if not student:
        typer.echo(text)
        return
    page_file = to or Path(f"{check}.html")
    write_atomic(page_file, text)
    typer.echo(str(page_file))


def challenge(
    player: Annotated[
        Path, typer.Argument(help="your ps3, or your ps5 together with weights.npz: a folder, a notebook or a module")
    ] = Path("assignments/ps3_connect_four"),
    rung: Annotated[
        str | None, typer.Option(help="one rung, such as Pebble; default: the whole ladder", autocompletion=rungs)
    ] = None,
    quality: Annotated[bool, typer.Option("--quality", help="measure move quality too, as the exam does")] = False,
) -> None:
    """Play the final challenge at home: your own search against the ladder of bots; saves challenge.json beside your file.

    Exit codes: 0 it ran to its end, whatever the result, 2 a problem to solve first, 130 stopped by Ctrl-C.

    Example: python -m autograder challenge assignments/ps3_connect_four --rung Pebble
    """
    from autograder.challenge.practice import challenge as play_challenge

    play_challenge(player, rung, quality=quality)


def play(
    game: Annotated[str, typer.Argument(
        help="tic_tac_toe, connect_four or othello; without it Connect Four, with a puzzle first", autocompletion=games)] = "",
    moves: Annotated[str, typer.Option(help="open the position after these moves, such as 4435")] = "",
    player: Annotated[Path | None, typer.Option(
        help="your ps3, or your ps5 together with weights.npz, as one more opponent")] = None,
    port: Annotated[int | None, typer.Option(help="the page's port; 0: any free one; default: the one in links")] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="print the address only")] = False,
) -> None:
    """Play in the browser against a bot, a search, a network or your own player, and watch them think.

    Example: python -m autograder play connect_four --moves 4435
    """
    from autograder.challenge.board import play as play_on_board

    play_on_board(game, moves, player, Console(soft_wrap=True), port=port, browser=not no_browser)


def ladder(
    player: Annotated[
        Path | None,
        typer.Argument(help="your ps2 or ps3, or your ps5 together with weights.npz: a folder, a notebook or a module"),
    ] = None,
    each: Annotated[int, typer.Option(min=2, max=MOST_EACH, help="positions of each of the six strata")] = 50,
    to: Annotated[Path, typer.Option(help="the picture's file, an SVG")] = Path("build/ladder.svg"),
) -> None:
    """Draw every player of the lessons on one axis, by mistakes at solved positions, and your own player among them.

    Exit codes: 0 the picture is drawn, 2 a problem to solve first, 130 stopped by Ctrl-C.

    Example: python -m autograder ladder assignments/ps3_connect_four --each 20
    """
    from arena.challenge.own_strength import check_picture, draw
    from autograder.challenge.strength import own_points
    from autograder.progress import ProgressBar

    check_picture(to)
    bar = ProgressBar(Console(soft_wrap=True))
    draw(own_points(player, each, bar) if player else [], to, bar)


def replay(
    report: Annotated[Path, typer.Argument(
        help="a challenge.json: the one that `challenge` wrote, or reports/<student>/challenge.json")],
    rung: Annotated[
        str | None, typer.Option(help="the opponent, such as Stone; default: the last one", autocompletion=rungs)
    ] = None,
    game: Annotated[int, typer.Option(min=1, help="which game")] = 1,
) -> None:
    """Show one game of the challenge move by move; the solver marks the mistakes.

    Example: python -m autograder replay reports/ada/challenge.json --rung Stone --game 12
    """
    from arena.challenge.replay import replay as show_replay

    show_replay(report, rung, game)


def page(
    report: Annotated[Path, typer.Argument(help="reports/<student>/<ps>.json, or what `submission --json` wrote")],
    to: Annotated[Path | None, typer.Option(help="the page's file; default: beside the report")] = None,
    submission: Annotated[Path | None, typer.Option(help="the submission's folder, to quote the code")] = None,
) -> None:
    """Write the feedback page of one report: points, next steps, every exercise.

    Example: python -m autograder page report.json --submission assignments/ps2_uct
    """
    from autograder.cli.one_folder import write_page

    typer.echo(str(write_page(report, to or report.with_suffix(".html"), submission)))


def preflight() -> None:
    """Say whether this machine can grade, with one line for each requirement.

    Exit codes: 0 it can, 1 something is missing, and its line says what to do.

    Example: python -m autograder preflight
    """
    from autograder.cli.preflight import run_preflight

    raise typer.Exit(run_preflight(Console()))


