"""The command line: `python -m autograder collect | grade | submission | build | verify | challenge | play | replay | ...`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer.completion import get_completion_inspect_parameters

from arena.command_line import leave, run
from arena.errors import UserError
from arena.version import version_text
from autograder.cli import (
    class_commands,
    completion,
    course_command,
    export_command,
    proof_commands,
    return_command,
    single_commands,
    staff,
)
from autograder.sandbox.bubblewrap import SandboxUnavailable

# Each command imports its slow modules (nbgrader, pytest) itself, so that `--help` stays fast.
app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,  # typer's own needs a program on PATH; ours is the command `completion`
    pretty_exceptions_enable=False,
)
PANELS = {
    "For students": (single_commands.challenge, single_commands.ladder, single_commands.play, single_commands.replay),
    "For instructors": (
        single_commands.preflight, course_command.course, class_commands.collect, class_commands.grade,
        single_commands.explain, single_commands.submission, single_commands.page, class_commands.similarity,
        class_commands.tournament, export_command.export, return_command.return_, export_command.gradescope,
    ),
    "For maintainers": (single_commands.build, single_commands.new, *proof_commands.COMMANDS),
    "For everybody": (completion.completion,),
}  # fmt: skip

for panel, commands in PANELS.items():
    for command in commands:
        name = command.__name__.rstrip("_").replace("_", "-")  # return is a word of Python
        app.command(name, rich_help_panel=panel)(command)
app.add_typer(staff.app, name="staff", rich_help_panel="For instructors")


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version_text("autograder"))
        raise typer.Exit


@app.callback()
def before_every_command(
    version: Annotated[bool, typer.Option("--version", callback=_say_version, is_eager=True, help="say which version this is")]
    = False,
) -> None:
    """Build the problem sets, grade submissions and classes. Each command tells more: grade --help."""


def main() -> None:
    """Run the grader's command line."""
    if sys.flags.optimize > 1:
        leave("Python leaves out every docstring here, and reports quote those of the checks: unset PYTHONOPTIMIZE, and start "
              "Python without -OO", UserError.exit_code)
    # nbgrader searches alembic and jupyter on PATH: this interpreter's folder must come first
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    if completion.VARIABLE in os.environ:
        get_completion_inspect_parameters()  # teaches typer the shells, which it does by itself only with add_completion
    try:
        run(app, completion.VARIABLE)
    except SandboxUnavailable as error:
        leave(str(error), UserError.exit_code)
