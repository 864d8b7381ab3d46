"""The commands for students.

    python -m arena [FOLDER] [-k EXERCISE ...]    the visible checks of the problem sets in a folder, as students read them
    python -m arena play [GAME]                   the playable board, in the browser
"""

import argparse
import sys
from pathlib import Path

from arena.unread import quiet_when_unread
from arena.work import check_folder

EPILOG = """Example: python -m arena assignments/ps2_uct -k 2.1 2.2

Exit codes: 0 the checks have run, whatever they say; 2 there is nothing to check."""


def main(arguments: list[str]) -> int:
    """Check the named folder, or the current one; return the exit code: 0 done, 2 nothing to check.

    The word `play` is a command; a folder of this name is "./play".
    """
    if arguments[:1] == ["play"]:
        from arena.board.command import main as play

        return play(arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m arena", description="Run the visible checks of a folder.", epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    where = "where ps2_uct.ipynb or ps2_uct.py lies, or the one above"
    parser.add_argument("folder", nargs="?", type=Path, default=Path("."), help=f"{where}; `play` opens the board")
    parser.add_argument("-k", dest="only", nargs="+", default=[], metavar="EXERCISE", help="only these exercises, such as 2.1")
    given = parser.parse_args(arguments)
    if not check_folder(given.folder, only=given.only):
        print(f"no problem set in {given.folder}: name the folder {where}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    with quiet_when_unread():
        sys.exit(main(sys.argv[1:]))
