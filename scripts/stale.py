"""Name the figures of README and docs that are stale: `python -m scripts.stale`, or `make stale`.

`docs/measured.toml` has an entry for each place with measured figures. An entry knows what was measured in one of three ways:

    inputs, hash    files, and the hash of what counts in them when it was measured
    logs            logs of `assets.make.ship_net` whose lines have such a hash each
    commits         the commits that were measured, and the page says so: such a figure is history, and does not become stale

A figure is stale if its files have changed since, or if its page has lost it. Then measure it again with `command`, and write the
new hash with `python -m scripts.stale --measured "PAGE SECTION"`; or let page and entry name the commit that it measured.
Exit codes: 0 none is stale, 1 some are.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.files import write_atomic
from assets.make.inputs import hash_of
from assets.make.nets_page import read_log
from assets.make.ship_net import inputs_of, rows_of

ROOT = Path(__file__).resolve().parents[1]
ENTRIES = ROOT / "docs" / "measured.toml"
LONG_AGO = "at commit {commit}"  # in the section of a figure that names its commit


@dataclass(frozen=True)
class Figure:
    """A section with measured figures.

    Attributes:
        page, section: the file and the heading without its signs.
        what, command: what was measured, in words, and what measures it again.
        inputs, hash, logs, commits: see the module.
    """

    page: str
    section: str
    what: str
    command: str
    inputs: tuple[str, ...] = ()
    hash: str = ""
    logs: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the figure's name on the command line."""
        return f"{self.page} {self.section}"

    def why_stale(self, root: Path = ROOT) -> str:
        """Return the reason why it is stale; "" if it is not."""
        text = section_of((root / self.page).read_text(encoding="utf-8"), self.section)
        if text is None:
            return "the page has no such section"
        if self.commits:
            words = [LONG_AGO.format(commit=commit) for commit in self.commits]
            missing = [sentence for sentence in words if sentence not in " ".join(text.split())]
            return f'the section does not say "{missing[0]}"' if missing else ""
        if self.logs:
            changed = [log for log in self.logs if not log_is_of_today(log)]
            return f"measured before a change: {', '.join(changed)}" if changed else ""
        return "" if hash_of(self.inputs, root) == self.hash else f"one of its files has changed since: {', '.join(self.inputs)}"


def section_of(page: str, section: str) -> str | None:
    """Return the text below a heading, up to the next heading of any kind; None if there is no such heading."""
    lines: list[str] | None = None
    for line in page.splitlines():
        if line.startswith("#") and line.lstrip("#").startswith(" "):
            if lines is not None:
                break
            if line.lstrip("# ") == section:
                lines = []
        elif lines is not None:
            lines.append(line)
    return None if lines is None else "\n".join(lines)


def log_is_of_today(name: str) -> bool:
    """Say whether the rows of a network's tables, as far as they are measured, were measured with the files of today."""
    known = {(line["table"], line["simulations"], line["threats"]): line["inputs"] for line in read_log(f"{name}.strength")}
    keys = {(row.table, row.simulations, row.threats): row for row in rows_of(name)}
    return bool(known) and all(inputs == inputs_of(name, keys[key]) for key, inputs in known.items() if key in keys)


def read(path: Path = ENTRIES) -> list[Figure]:
    """Return all figures.

    Raises:
        TypeError: an entry has an unknown key, or lacks one. ValueError: it does not know what it measured in just one way.
    """
    figures = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["figure"]:
        given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
        figure = Figure(**given)
        if [bool(figure.inputs and figure.hash), bool(figure.logs), bool(figure.commits)].count(True) != 1:
            raise ValueError(f"{figure.name} needs inputs and hash, or logs, or commits")
        figures.append(figure)
    return figures


def note(name: str, path: Path = ENTRIES, root: Path = ROOT) -> None:
    """Write that a figure has been measured with the files of today."""
    figure = next((figure for figure in read(path) if figure.name == name), None)
    if figure is None or not figure.hash:
        raise SystemExit(f"{path} has no figure {name!r} with a hash")
    head, _, tail = path.read_text(encoding="utf-8").partition(f'section = "{figure.section}"')
    write_atomic(path, head + f'section = "{figure.section}"' + tail.replace(figure.hash, hash_of(figure.inputs, root), 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measured", metavar="PAGE SECTION", help="this figure has been measured again, with the files of today")
    given = parser.parse_args()
    if given.measured:
        note(given.measured)
    figures = read()
    old = sum(bool(figure.commits) for figure in figures)
    print(f"{len(figures)} measured figures: {len(figures) - old} of the files of today, {old} of a commit that their page names")
    stale = {figure: why for figure in figures if (why := figure.why_stale())}
    for figure, why in stale.items():
        print(f"stale: {figure.name}: {why}\n    {figure.what}\n    {figure.command}")
    if not stale:
        print("stale: none")
    sys.exit(bool(stale))


if __name__ == "__main__":
    main()
