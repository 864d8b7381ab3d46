"""The commands for students; `arena` is short for `python -m arena`.

    python -m arena [FOLDER] [-k EXERCISE ...]    the visible checks of the problem sets in a folder, as students read them
    python -m arena get [SET] [--to FOLDER]       a problem set, to work on
    python -m arena play [GAME]                   the playable board, in the browser
    python -m arena challenge [PLAYER]            your own player against the ladder of bots
    python -m arena replay FILE                   one game of the challenge, move by move
    python -m arena --version                     which version this is
"""

import argparse
import io
import sys
from pathlib import Path

from arena.interrupts import STOPPED, while_it_ends, while_it_starts, while_it_works
from arena.unread import quiet_when_unread

EPILOG = """Other commands: arena get, arena play, arena challenge, arena replay; each tells more with --help.

Example: python -m arena assignments/ps2_uct -k 2.1 2.2

Exit codes: 0 the checks have run, whatever they say; 2 there is nothing to check; 130 stopped by Ctrl-C."""


def main(arguments: list[str]) -> int:
    """Check the named folder, or the current one; return the exit code: 0 done, 2 nothing to check.

    The words `get`, `play`, `challenge` and `replay` are commands; a folder of such a name is "./play".
    """
    if arguments[:1] == ["get"]:
        from arena.get import main as get

        return get(arguments[1:])
    if arguments[:1] == ["play"]:
        from arena.board.command import main as play

        return play(arguments[1:])
    if arguments[:1] in (["challenge"], ["replay"]):
        from arena.challenge.command import challenge_main, replay_main

        return (challenge_main if arguments[0] == "challenge" else replay_main)(arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m arena", description="Run the visible checks of a folder.", epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    where = "where ps2_uct.ipynb or ps2_uct.py lies, or the one above"
    parser.add_argument("folder", nargs="?", type=Path, help=f"{where}; `get`, `play` and others are commands")
    parser.add_argument("--version", action="store_true", help="say which version this is")
    parser.add_argument("-k", dest="only", nargs="+", default=[], metavar="EXERCISE", help="only these exercises, such as 2.1")
    given = parser.parse_args(arguments)
    if given.version:
        from arena.version import version_text

        print(version_text("arena"))
        return 0
    from arena.work import check_folder

    folder = given.folder or default_folder()
    if check_folder(folder, only=given.only):
        return 0
    print(nothing_in(folder) or f"no problem set in {folder}: name the folder {where}", file=sys.stderr)
    return 2


def default_folder() -> Path:
    """Return `assignments` in a clone of the repository, whose other folders hold no work of a student; else this folder."""
    return Path("assignments") if Path("assignments").is_dir() else Path(".")


def nothing_in(folder: Path) -> str:
    """Return a sentence that names the problem sets above a folder that does not exist; "" if there are none."""
    from arena.work import problem_sets

    above = next(place for place in (*folder.parents, Path(".")) if place.is_dir())
    above = default_folder() if above == Path(".") else above
    names = [stem.name for stem in problem_sets(above)]
    return f"there is no {folder}; {above} holds {', '.join(names)}" if names and not folder.is_dir() else ""


def run() -> None:
    """Run the command that the command line names, and end the program with its exit code."""
    while_it_starts("arena")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console on Windows does not know every character of a board
    try:
        with quiet_when_unread():
            while_it_works()
            sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        while_it_ends()
        print("\nstopped", file=sys.stderr)
        sys.exit(STOPPED)
    finally:
        while_it_ends()


if __name__ == "__main__":
    run()
