"""Draw the layers of the code for docs/maintainers.md, from the contracts in pyproject.toml: `make figures` runs it."""

from __future__ import annotations

import tomllib
from html import escape

from autograder.paths import REPOSITORY

FIGURE = REPOSITORY / "docs" / "figures" / "layers.svg"
WORDS = {
    "cli": "the command line",
    "selftest": "proofs of the grader: banks, mutants, attacks, demo classes",
    "handing_back": "from a graded course back to a platform, or to a mail merge",
    "collect": "from a platform's download to the course folder",
    "platforms": "grading on Gradescope, Classroom 50 and GitHub",
    "course": "from a class's submissions to gradebook, pages and exports",
    "pages": "HTML for staff and for students",
    "gradebook": "nbgrader: releases, records, marks, feedback",
    "similarity": "similar submissions, and copies of the published solution",
    "tournament": "a tournament of many players",
    "challenge": "from one player to the report of its exam",
    "workers": "many jobs side by side: processes, or a Dask cluster",
    "grading": "from one submission to one report",
    "sandbox": "student code runs inside, and only values come back",
    "submission": "from a folder to one submission: found, read, parsed",
    "problem_sets": "from one source to solution, stubs and assignments",
}
HEART = {"grading", "sandbox"}  # where a grade comes about, in colour
ROW, WIDTH, MARGIN, NAME_AT, WORDS_AT = 30, 640, 12, 28, 150
STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1a202c }
  .name { font-weight: 600 } .package { font-weight: 600; font-size: 15px }
  rect { fill: #edf2f7; stroke: #a0aec0 } .frame { fill: none } .heart { fill: #bee3f8 }
  @media (prefers-color-scheme: dark) {
    text { fill: #edf2f7 } rect { fill: #2d3748; stroke: #718096 } .heart { fill: #2c5282 }
  }
"""


def layers() -> list[str]:
    """Return the packages of `autograder`, the highest first."""
    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    [contract] = [contract for contract in contracts if contract["id"] == "layers"]
    return [name for name in contract["layers"] if (REPOSITORY / "autograder" / name).is_dir()]


def drawn() -> str:
    """Return the picture: a row for each layer of `autograder`, then `trainer` and `arena`, which know nothing of it."""
    names, top = layers(), MARGIN + 24
    size = f'width="{WIDTH - 2 * MARGIN}" height="{ROW * len(names) + 36}"'
    parts = [
        f'<rect class="frame" x="{MARGIN}" y="{MARGIN}" {size} rx="6"/>',
        f'<text class="package" x="{NAME_AT - 4}" y="{MARGIN + 18}">autograder: for staff</text>',
    ]
    for name in names:
        parts += _row(top, name, WORDS[name], "heart" if name in HEART else "")
        top += ROW
    top += MARGIN + 12
    parts += _row(top, "trainer", "trains and measures a full AlphaZero", "")
    parts += _row(top + ROW, "arena", "what students import: games, players, pictures, visible checks", "")
    height = top + 2 * ROW + MARGIN
    title = "Each layer imports only the layers below it; arena is below everything."
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
            f"<title>{title}</title><style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n")


def _row(top: int, name: str, words: str, kind: str) -> list[str]:
    left = MARGIN + 8
    return [
        f'<rect class="{kind}" x="{left}" y="{top + 3}" width="{WIDTH - 2 * left}" height="{ROW - 6}" rx="4"/>',
        f'<text class="name" x="{NAME_AT}" y="{top + 20}">{escape(name)}</text>',
        f'<text x="{WORDS_AT}" y="{top + 20}">{escape(words)}</text>',
    ]


def main() -> None:
    """Write the picture."""
    FIGURE.write_text(drawn(), encoding="utf-8")
    print(f"wrote {FIGURE.relative_to(REPOSITORY)}")


if __name__ == "__main__":
    main()
