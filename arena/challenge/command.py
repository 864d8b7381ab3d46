"""`arena challenge` and `arena replay`: the final challenge at home, and one of its games again."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from arena.challenge.kinds import LADDER_SETS, PS3, PS5
from arena.challenge.ladder import load_ladder
from arena.challenge.replay import replay
from arena.errors import UserError, explain_os_error
from arena.work import RELEASED, as_typed, own_folder

EXITS = "Exit codes: 0 it ran to its end, whatever the result; 2 a problem to solve first; 130 stopped by Ctrl-C{kept}."
INSTALL_NUMBA = "the bots of the ladder are compiled with numba, which is not installed: python -m pip install numba"


def challenge_main(arguments: list[str]) -> int:
    """Run `arena challenge` with these arguments; return the exit code."""
    parser = command_parser("challenge", "Let your own player climb the ladder of bots; at the end, what the next rung needs.",
                     "arena challenge ps3_connect_four --rung Pebble",
                     EXITS.format(kept=": what was played until then is saved and summarised"))
    parser.add_argument("player", nargs="?", type=Path,
                        help=f"your {PS3}, or your {PS5} with weights.npz beside it: a folder, a notebook or a module")
    parser.add_argument("--rung", help="one rung, such as Pebble; default: all, up to the first that is not passed")
    parser.add_argument("--quality", action="store_true", help="measure move quality too, as the exam does")
    given = parser.parse_args(arguments)
    return ended(lambda: challenge(as_typed(given.player or default_player()), given.rung, quality=given.quality))


def replay_main(arguments: list[str]) -> int:
    """Run `arena replay` with these arguments; return the exit code."""
    parser = command_parser("replay", "Show one game of the challenge, move by move; the solver marks the mistakes.",
                     "arena replay challenge.json --rung Pebble --game 12", EXITS.format(kept=""))
    parser.add_argument("report", type=Path, help="the challenge.json that `arena challenge` saved")
    parser.add_argument("--rung", help="the opponent, such as Stone; default: the last one")
    parser.add_argument("--game", type=int, default=1, help="which game, from 1")
    given = parser.parse_args(arguments)
    return ended(lambda: replay(given.report, given.rung, given.game))


def challenge(path: Path, rung: str | None, *, quality: bool = False, tell: Callable[[str], None] = print) -> None:
    """Load the player at `path` into this interpreter, run its visible checks, and let it climb the ladder.

    Raises:
        UserError: numba is not installed, or the rung or the player does not exist.
        Interrupted: Ctrl-C while it climbed.
    """
    if not find_spec("numba"):
        raise UserError(INSTALL_NUMBA)
    from arena.challenge.home import enter, rung_named
    from arena.challenge.own_player import load_entry

    ladder = load_ladder()
    chosen = rung_named(ladder, rung)
    enter(load_entry(path, ladder, tell, LADDER_SETS), ladder, chosen, quality, program(), tell)


def default_player() -> Path:
    """Return the student's problem set 3, in a clone without it the set as handed out, elsewhere the current folder."""
    return next((folder / PS3 for folder in (own_folder(), RELEASED) if (folder / PS3).is_dir()), Path())


def program() -> tuple[str, ...]:
    """Return the words by which `arena` is called again from the current folder."""
    if Path(sys.argv[0]).stem == "arena":
        return ("arena",) if shutil.which("arena") else (sys.argv[0],)
    python, on_path = Path(sys.executable), shutil.which("python")
    if on_path and Path(on_path).parent == python.parent:  # an active environment; PowerShell does not run a path in quotes
        return "python", "-m", "arena"
    return str(python.relative_to(Path.cwd()) if python.is_relative_to(Path.cwd()) else python), "-m", "arena"


def command_parser(name: str, does: str, example: str, exits: str) -> argparse.ArgumentParser:
    """Return the parser of `arena NAME`; its help ends with an example and the exit codes."""
    return argparse.ArgumentParser(prog=f"arena {name}", description=does, epilog=f"Example: {example}\n\n{exits}",
                                   formatter_class=argparse.RawDescriptionHelpFormatter)


def ended(run: Callable[[], None]) -> int:
    """Run a command; return its exit code, with a sentence on standard error if it is not 0."""
    try:
        run()
    except UserError as error:
        print(f"arena: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("\narena: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"arena: {explain_os_error(error)}", file=sys.stderr)
        return UserError.exit_code
    return 0
