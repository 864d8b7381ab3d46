"""The end of a command line: a sentence and an exit code where a person must put something right, never a traceback."""

from typing import NoReturn

import typer
from rich.console import Console

from arena.errors import Interrupted, UserError, explain_os_error
from arena.interrupts import while_it_ends
from arena.unread import quiet_when_unread, unread


def run(commands: typer.Typer, complete_var: str | None = None) -> None:
    """Run a command line; an error that a person must put right ends it with a sentence and an exit code.

    Args:
        complete_var: the environment variable by which a shell asks what may follow; None: no shell asks.
    """
    with quiet_when_unread():
        _run(commands, complete_var)


def _run(commands: typer.Typer, complete_var: str | None) -> NoReturn:
    try:
        # standalone, typer draws a box of six lines around a wrong option
        status = commands(standalone_mode=False, complete_var=complete_var)
    except UserError as failure:
        leave(str(failure), failure.exit_code)
    except typer.TyperException as error:
        if not error.format_message():  # called without arguments: typer has shown the help
            raise SystemExit(error.exit_code) from None
        context = getattr(error, "ctx", None)  # typer sets `ctx`, but does not declare it
        where = f"{context.command_path} --help" if context else "--help"
        leave(f"{error.format_message().rstrip('.')}; {where} says more", error.exit_code)
    except OSError as error:
        if isinstance(error, BrokenPipeError) and unread():
            raise
        leave(explain_os_error(error), UserError.exit_code)
    except (typer.Abort, KeyboardInterrupt):  # Ctrl-C: in a command, or before typer has found which one
        leave("stopped", Interrupted.exit_code)
    if status == Interrupted.exit_code:  # Ctrl-C for which no command has its own sentence
        leave("stopped", status)
    raise SystemExit(status)


def leave(sentence: str, code: int) -> NoReturn:
    """End with a sentence on standard error and an exit code; a stranger's letters in it cannot steer the terminal."""
    while_it_ends()
    shown = "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in sentence)
    Console(stderr=True, soft_wrap=True).print(f"autograder: {shown}", markup=False, highlight=False)
    raise SystemExit(code)
