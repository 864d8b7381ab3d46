"""Completion in the shell: what may follow on a command line, and the script that tells the shell to ask for it.

Nothing here imports what is slow: a shell asks at each press of the Tab key.
"""

import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.shipped import set_order
from autograder.paths import REPOSITORY
from autograder.selftest.handle import handle_of

VARIABLE = "_AUTOGRADER_COMPLETE"  # the shell asks by it
FUNCTIONS = {
    "bash": """
autograder() { PYTHON -m autograder "$@"; }
_autograder() {
    local IFS=$'\\n'
    COMPREPLY=($(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD VARIABLE=complete_bash PYTHON -m autograder))
    if [[ ${COMPREPLY[0]} == */ ]]; then compopt -o nospace; fi
}
complete -o default -F _autograder autograder
""",
    "zsh": """
autograder() { PYTHON -m autograder "$@" }
_autograder() { eval $(_TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" VARIABLE=complete_zsh PYTHON -m autograder) }
compdef _autograder autograder
""",
    "fish": """
function autograder; PYTHON -m autograder $argv; end
complete --command autograder --no-files --arguments "(VARIABLE=complete_fish _TYPER_COMPLETE_FISH_ACTION=get-args \
_TYPER_COMPLETE_ARGS=(commandline -cp) PYTHON -m autograder)" --condition "VARIABLE=complete_fish \
_TYPER_COMPLETE_FISH_ACTION=is-args _TYPER_COMPLETE_ARGS=(commandline -cp) PYTHON -m autograder"
""",
}


def completion(shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="your shell")]) -> None:
    """Print a script that gives your shell the command `autograder`, with completion of commands, sets, courses and names.

    Example: eval "$(.venv/bin/python -m autograder completion bash)"
    """
    script = FUNCTIONS[shell].strip().replace("PYTHON", shlex.quote(sys.executable)).replace("VARIABLE", VARIABLE)
    typer.echo(script)


def problem_sets(incomplete: str) -> list[str]:
    """Return the names of the problem sets that begin so."""
    return [path.stem for path in _sources() if path.stem.startswith(incomplete)]


def sets_and_challenge(incomplete: str) -> list[str]:
    """Return the names that begin so, of the problem sets and of the challenge."""
    return [*problem_sets(incomplete), *(["challenge"] if "challenge".startswith(incomplete) else [])]


def exercises(context: typer.Context, incomplete: str) -> list[str]:
    """Return the ids of exercises, such as 2.5, in the set of `--ps` or in all sets."""
    chosen = context.params.get("ps")
    files = [path for path in _sources() if chosen in (None, path.stem)]
    return [id for path in files for id in re.findall(r'^# %% exercise="([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
            if id.startswith(incomplete)]


def _sources() -> list[Path]:
    return sorted((REPOSITORY / "solutions").glob("ps*.py"), key=lambda path: set_order(path.stem))


def courses(incomplete: str) -> list[str]:
    """Return the folders whose path begins with `incomplete`; one that is not a course ends with /, as it may contain one."""
    return [str(path) if (path / "submitted").is_dir() else f"{path}/" for path in _folders(incomplete)]


def _folders(incomplete: str) -> Iterator[Path]:
    parent, _, begin = incomplete.rpartition("/")
    place = Path(f"{parent}/" if incomplete.startswith("/") else parent or ".").expanduser()
    try:
        folders = sorted(path for path in place.iterdir() if path.is_dir())
    except OSError:  # no such folder, or not ours to read
        return
    yield from (path for path in folders if path.name.startswith(begin) and (begin or not path.name.startswith(".")))


def zips(incomplete: str) -> list[str]:
    """Return the zips and folders whose path begins with `incomplete`; a folder may contain a zip."""
    folder = Path(incomplete.rpartition("/")[0] + "/" if "/" in incomplete else ".").expanduser()
    archives = (path for path in sorted(folder.glob("*.zip")) if path.name.startswith(incomplete.rpartition("/")[2]))
    return [*map(str, archives), *(f"{path}/" for path in _folders(incomplete))]


def students(context: typer.Context, incomplete: str) -> list[str]:
    """Return the students who have handed in to the course on the same command line."""
    course = context.params.get("course")
    submitted = Path(course) / "submitted" if course else Path()
    return [path.name for path in sorted(submitted.glob("*/")) if path.name.startswith(incomplete)] if course else []


def rungs(incomplete: str) -> list[str]:
    """Return the bots of the ladder that begin so."""
    ladder = tomllib.loads((REPOSITORY / "arena" / "challenge" / "rungs.toml").read_text(encoding="utf-8"))
    return [str(rung["name"]) for rung in ladder["rung"] if str(rung["name"]).startswith(incomplete)]


def games(incomplete: str) -> list[str]:
    """Return the games of the board."""
    return [name for name in ("tic_tac_toe", "connect_four", "othello") if name.startswith(incomplete)]


def attacks(incomplete: str) -> list[str]:
    """Return the families of attacks, and the names of single attacks as `make attack NAME=` takes them."""
    return _bank_names("hostile", "Attack", incomplete)


def hand_ins(incomplete: str) -> list[str]:
    """Return the files of the bank of broken hand-ins, and the names of single ones."""
    return _bank_names("broken", "Mess", incomplete)


def _bank_names(bank: str, kind: str, incomplete: str) -> list[str]:
    files = sorted((REPOSITORY / "tests" / bank).glob("[a-z]*.py"))
    texts = "\n".join(path.read_text(encoding="utf-8") for path in files)
    named = re.findall(rf'\b{kind}\(\s*"([^"]+)"', texts)
    return [name for name in (*(path.stem for path in files), *map(handle_of, named)) if name.startswith(incomplete)]
