"""One site of everything that a visitor can open, into build/site: `make site`.

    make site [ADDRESS=https://github.com/you/mcts] [PUBLISHED=1]

The front page, the documentation with the lessons and their pictures, two demo classes as staff and students see them,
with the games of the challenge, the problem sets in a browser's tab, and the board without a server if build/board has it.
All links are relative, so the folder works under any prefix. The documentation and the classes must be there. What else
cannot be built here is left out: the front page has no link to it, and the last lines of the output say why.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup

from arena.board.inline import allowed
from autograder.paths import REPOSITORY
from autograder.problem_sets.source import load
from scripts import lite
from scripts.address import plain

SITE = REPOSITORY / "build" / "site"
DOCS, BOARD, DEMO = (REPOSITORY / "build" / name for name in ("docs", "board", "demo"))
FRONT = REPOSITORY / "scripts" / "front"
PICTURES = ("search.svg", "search_still.svg")
CLASSES = ("ps2_uct", "ps3_connect_four")
# Of a class: its pages, its students' pages, and the tables and reports that they link to. No file with a secret is among them,
# no report for staff, which has lines of hidden checks, and no student's whole notebook: some of them are the solution.
OF_A_CLASS = ("report/*.html", "report/*.json", "reports/*/{ps}.json", "feedback/*/{ps}/index.html",
              "feedback/*/challenge/*.html", "*.csv")
NOTEBOOK = re.compile(r'<a href="\w+\.html">the whole notebook[^<]*</a>( · )?')
WHAT = {
    "ps1_games": "The rules of a game for a search, and exact values.",
    "ps2_uct": "Monte Carlo tree search on Tic-Tac-Toe.",
    "ps3_connect_four": "A search that can stop at any time, and what makes it strong.",
}


@dataclass(frozen=True)
class Parts:
    """What a site is made of: folders that were built before.

    Attributes:
        docs: the documentation.
        classes: problem set -> the folder of its graded class.
        tab, board: None if it was not built.
    """

    docs: Path
    classes: Mapping[str, Path]
    tab: Path | None = None
    board: Path | None = None


def main(arguments: list[str]) -> int:
    """Build the site; return 1 if a part that must be there is missing, 2 for a wrong argument."""
    parser = argparse.ArgumentParser(description="Build one site of everything into build/site.")
    parser.add_argument("--address", default="", help="address of this repository: https://host/owner/name")
    parser.add_argument("--published", action="store_true", help="the tab with numpy and matplotlib, as in `make lite`")
    given = parser.parse_args(arguments)
    try:
        address = plain(given.address) if given.address else ""
    except ValueError as error:
        print(f"site: {error}")
        return 2
    if not (DOCS / "index.html").is_file():
        print(f"site: {DOCS} has no documentation: run `make docs` first")
        return 1
    for ps in CLASSES:
        if subprocess.run([sys.executable, "-m", "autograder", "grade", "--ps", ps], cwd=REPOSITORY, check=False).returncode:
            print(f"site: the demo class of {ps} could not be graded")
            return 1
    tab, board = _tab(given.published), BOARD if (BOARD / "index.html").is_file() else None
    parts = Parts(DOCS, {ps: DEMO / ps for ps in CLASSES}, tab, board)
    assemble(parts, SITE, address)
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    if board is None:
        print(f"site: without the board: {BOARD} has none")
    print(f"site: {SITE / 'index.html'}, {size / 1e6:.0f} MB")
    return 0


def _tab(published: bool) -> Path | None:
    """Build the problem sets in a tab; say why if that is not possible here."""
    try:
        lite.build(lite.DISTRIBUTION if published else "")
    except lite.NotBuilt as error:
        print(f"site: without the problem sets in a tab: {error}")
        return None
    return lite.SITE


def assemble(parts: Parts, to: Path, address: str = "") -> None:
    """Write a site from its parts into a folder, which is made anew.

    Args:
        address: of the repository, for the doors of those who teach or take the course; "" leads them to the documentation.
    """
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=to.parent) as room:
        made = Path(room) / "site"
        shutil.copytree(parts.docs, made / "docs", ignore=shutil.ignore_patterns(".buildinfo", "objects.inv"))
        for ps, course in parts.classes.items():
            _copy_class(course, ps, made / "class" / ps)
        for name, folder in (("tab", parts.tab), ("board", parts.board)):
            if folder is not None:
                shutil.copytree(folder, made / name)
        for name in PICTURES:
            shutil.copy(REPOSITORY / "docs" / "figures" / name, made / name)
        (made / "index.html").write_text(_front(parts, made, address), encoding="utf-8")
        (made / ".nojekyll").touch()  # GitHub Pages would leave out folders such as _static
        shutil.rmtree(to, ignore_errors=True)
        made.rename(to)


def _copy_class(course: Path, ps: str, to: Path) -> None:
    for pattern in OF_A_CLASS:
        for path in sorted(course.glob(pattern.format(ps=ps))):
            copy = to / path.relative_to(course)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            copy.write_text(NOTEBOOK.sub("", text) if path.name == "index.html" else text, encoding="utf-8")


def _front(parts: Parts, made: Path, address: str) -> str:
    """Return the front page; each of its links leads to a file that is there."""
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    first = next(iter(parts.classes))
    sets = [path.stem for path in sorted((made / "tab" / "files").glob("*.ipynb"))]
    style = (FRONT / "front.css").read_text(encoding="utf-8")
    shown = {
        "style": Markup(style), "allowed": allowed(style), "address": address,
        "board": parts.board is not None, "sets": {ps: _facts(ps) for ps in sets}, "drawn": "ps1_games" in sets,
        "first": first, "classes": {ps: _facts(ps) for ps in parts.classes},
        "feedback": _of_a_student(made, f"class/{first}/feedback/*/{first}/index.html", 'class="trees"', 'class="gain'),
        "challenge": _of_a_student(made, "class/*/feedback/*/challenge/challenge.html", 'id="worst-moves"'),
    }  # fmt: skip
    return template.from_string((FRONT / "front.html").read_text(encoding="utf-8")).render(shown)


def _facts(ps: str) -> dict[str, str]:
    """Return the number and the title of a problem set, and what is built in it."""
    number, _, title = load(ps).title.removeprefix("Problem set ").partition(": ")
    return {"number": number, "title": title[0].upper() + title[1:], "what": WHAT[ps]}


def _of_a_student(made: Path, pattern: str, *shown: str) -> str:
    """Return the address of the first page of this kind that shows all this; "" if there is none."""
    for page in sorted(made.glob(pattern)):
        text = page.read_text(encoding="utf-8")
        if all(part in text for part in shown):
            return page.relative_to(made).as_posix()
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
