"""The commands for students; `arena` is short for `python -m arena`.

    arena get [SET] [--to FOLDER]             a problem set, to work on
    arena check [FOLDER] [-k EXERCISE ...]    the visible checks of the problem sets in a folder; the word `check` may be left out
    arena play [GAME]                         the playable board, in the browser
    arena challenge [PLAYER]                  your own player against the ladder of bots
    arena ladder [PLAYER]                     all players of the lessons on one axis, and your own among them
    arena replay FILE                         one game of the challenge, move by move
    arena --version                           which version this is
"""

import argparse
import io
import sys
from pathlib import Path

from arena.interrupts import STOPPED, while_it_ends, while_it_starts, while_it_works
from arena.unread import quiet_when_unread

COMMANDS = ("get", "check", "play", "challenge", "ladder", "replay")
EPILOG = """Other commands: arena get, arena play, arena challenge, arena ladder, arena replay; each has a --help of its own.

Example: arena check ps2_uct -k 2.1 2.2

Exit codes: 0 the checks ran, passed or not; 2 nothing to check; 130 stopped by Ctrl-C."""


def main(arguments: list[str]) -> int:
    """Run one of COMMANDS, without such a word `check`; return the exit code: 0 done, 2 nothing to check.

    A folder that has the name of a command is "./play".
    """
    if arguments[:1] == ["get"]:
        from arena.get import main as get

        return get(arguments[1:])
    if arguments[:1] == ["play"]:
        from arena.board.command import main as play

        return play(arguments[1:])
    if arguments[:1] == ["ladder"]:
        from arena.challenge.own_strength import main as ladder

        return ladder(arguments[1:])
    if arguments[:1] in (["challenge"], ["replay"]):
        from arena.challenge.command import challenge_main, replay_main

        return (challenge_main if arguments[0] == "challenge" else replay_main)(arguments[1:])
    return check(arguments[1:] if arguments[:1] == ["check"] else arguments)


def check(arguments: list[str]) -> int:
    """Run `arena check` with these arguments; return the exit code."""
    parser = argparse.ArgumentParser(prog="arena check", description="Run the visible checks of a folder.", epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    where = "that holds ps2_uct.ipynb or ps2_uct.py, or the one above it"
    parser.add_argument("folder", nargs="?", type=Path, help=f"{where}; `arena FOLDER` does the same")
    parser.add_argument("--version", action="store_true", help="show the version")
    parser.add_argument("-k", dest="only", nargs="+", default=[], metavar="EXERCISE", help="only these exercises, such as 2.1")
    given = parser.parse_args(arguments)
    if given.version:
        from arena.version import version_text

        print(version_text("arena"))
        return 0
    from arena.work import as_typed, check_folder

    folder = as_typed(given.folder) if given.folder else default_folder()
    if check_folder(folder, only=given.only):
        return 0
    print(nothing_in(folder) or f"no problem set in {folder}: name the folder {where}", file=sys.stderr)
    return 2


def default_folder() -> Path:
    """Return the folder with the student's own files; in a clone without own files yet, the sets as handed out."""
    from arena.work import RELEASED, own_folder

    return own_folder() if own_folder().is_dir() else RELEASED


def nothing_in(folder: Path) -> str:
    """Return a sentence about what is no folder: what was probably meant, or else the problem sets above it."""
    from arena.near_miss import near_miss
    from arena.work import problem_sets

    if folder.is_dir():
        return ""
    if folder.is_file():
        return f"{folder} is a file: name its folder, arena check {folder.parent}"
    above = next(place for place in (*folder.parents, Path(".")) if place.is_dir())
    above = default_folder() if above == Path(".") else above
    names = [stem.name for stem in problem_sets(above)]
    if near := near_miss(folder.name, names):
        return f"{folder} does not exist: did you mean {folder.with_name(near)}?"
    if len(folder.parts) == 1 and (near := near_miss(folder.name, COMMANDS)):
        return f"the folder {folder} does not exist: did you mean `arena {near}`?"
    return f"{folder} does not exist; {above} holds {', '.join(names)}" if names else ""


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
