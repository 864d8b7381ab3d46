"""`arena get`: the problem sets, as they are handed out, into a folder of the student's own."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from arena.errors import UserError, explain_os_error
from arena.near_miss import meant_or_listed
from arena.set_facts import facts_of
from arena.shipped import set_order, shipped
from arena.work import own_folder

EPILOG = """Example: arena get ps2_uct

Exit codes: 0 written, or there already; 2 nothing written, because the set is unknown or your work is in the way."""
INSTALL_TORCH = "{} needs torch, which is not installed: python -m pip install torch"


def titles() -> dict[str, str]:
    """Return the title of each problem set that ships, by its name: the heading of its first cell."""
    by_name = {}
    for module in sorted(shipped("", "assignments").glob("ps*/ps*.py"), key=lambda path: set_order(path.stem)):
        lines = module.read_text(encoding="utf-8").splitlines()
        by_name[module.stem] = next((line.removeprefix("# # ") for line in lines if line.startswith("# # ")), module.stem)
    return by_name


def get(name: str, to: Path) -> list[Path]:
    """Write the problem set into a folder of its name in `to`; return the files that were written: those that were missing.

    Raises:
        UserError: the set is unknown, or a file is there and differs. Then nothing is written.
    """
    if name not in titles():
        raise UserError(f"no problem set is called {name}{meant_or_listed(name, titles())}")
    files = {to / name / path.name: path.read_bytes() for path in sorted(shipped(name, "assignments").iterdir())
             if path.name in (f"{name}.ipynb", f"{name}.py", "pytest.ini")}
    try:
        worked = [path.name for path, content in files.items() if path.exists() and path.read_bytes() != content]
        if worked:
            raise UserError(f"{to / name} holds work: {', '.join(worked)} differs from what is handed out today, and nothing was "
                            "written. `--to FOLDER` writes into another folder")
        (to / name).mkdir(parents=True, exist_ok=True)
        missing = [path for path in files if not path.exists()]
        for path in missing:
            with path.open("xb") as file:  # never over a file that came in between
                file.write(files[path])
    except OSError as error:
        raise UserError(explain_os_error(error)) from None
    return missing


def main(arguments: list[str]) -> int:
    """Run `arena get` with these arguments; return the exit code."""
    parser = argparse.ArgumentParser(prog="arena get", description="Write a problem set into a folder of its name.",
                                     epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", help="the problem set; without it, all sets are listed")
    parser.add_argument("--to", type=Path, default=own_folder(), metavar="FOLDER",
                        help="default: `work` in a clone of the course, elsewhere the current folder")
    given = parser.parse_args(arguments)
    if given.name is None:
        for name, title in titles().items():
            print(f"{name:<17} {title}")
        return 0
    try:
        written = get(given.name, given.to)
    except UserError as error:
        print(f"arena: {error}", file=sys.stderr)
        return error.exit_code
    for path in written:
        print(path)
    if not written:
        print(f"{given.to / given.name} is there already, as it was handed out")
    facts = facts_of(given.name)
    if facts and "torch" in facts.packages and not find_spec("torch"):
        print(INSTALL_TORCH.format(given.name))
    return 0
