"""The command line: `python -m autograder grade | submission | build | verify | challenge | play | replay | ...`."""

import os
import sys
from pathlib import Path

import typer

from arena.command_line import leave, run
from arena.errors import UserError
from autograder.cli import class_commands, proof_commands, single_commands, staff
from autograder.sandbox.wall import WallError

# Each command imports its slow modules (nbgrader, pytest) itself, so that `--help` stays fast.
app = typer.Typer(
    help="Build the problem sets, grade submissions and classes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(staff.app, name="staff")
for command in (*class_commands.COMMANDS, *single_commands.COMMANDS, *proof_commands.COMMANDS):
    app.command()(command)


def main() -> None:
    """Run the grader's command line."""
    # nbgrader searches alembic and jupyter on PATH: this interpreter's folder must come first
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    try:
        run(app)
    except WallError as error:
        leave(str(error), UserError.exit_code)
