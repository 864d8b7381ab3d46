"""The students' repository: what students get of this one, and nothing else.

    python -m scripts.student_repository FOLDER [--address https://github.com/you/mcts]

`lay_out` writes the files, `publish` makes a commit of them, on top of the release before. `make release` does both from the last
commit, and searches the result for what belongs to staff; this command takes the files as they are in the checkout, and searches
nothing. Standard library only: scripts/as_a_student.py runs it on every system.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from scripts.address import write_address

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = Path("scripts") / "student"  # what is written for the students' repository alone
COPIED = ("LICENSE", "setup.py", ".binder/*", "docs/start.ipynb")
PAGES = ("docs/students.md", "docs/challenge.md", "docs/faq_students.md", "docs/language_models.md")
NEWS = "CHANGES.md"
STAFF = "For instructors"  # a section of a page
EXTRAS = ("networks", "play")
PUT_THE_ADDRESS = " Put the address of the repository in the place of ADDRESS."  # where no address is known
ABOUT = "Problem sets from Monte Carlo tree search to AlphaZero, with their visible checks, a board and a ladder of bots"
SOURCE = "Source: "  # the last line of a release's message, with the commit that it was made of
CLEAN = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}  # the same commit everywhere


class NotReleased(Exception):
    """The release cannot be made; the text says what to do."""


@dataclass(frozen=True)
class Source:
    """The commit of which a release is made: its hash, and its author and date, which become those of the release."""

    commit: str
    name: str
    email: str
    date: str


# ---- the files

def lay_out(checkout: Path, to: Path, notes: str = "", address: str = "") -> None:
    """Write the files of the students' repository into a folder.

    Args:
        checkout: a folder with the files of this repository.
        notes: what is new for students, in Markdown; "" if there is nothing to say.
        address: https://host/owner/name of the students' repository; "" if it is not known, and then no page has one.

    Raises:
        ValueError: the address has another form.
    """
    for path in sorted((checkout / WRITTEN).rglob("*")):
        if path.is_file():
            _copy(path, to / path.relative_to(checkout / WRITTEN))
    for path in _copied(checkout):
        _copy(path, to / path.relative_to(checkout))
    texts = {name: (checkout / name).read_text(encoding="utf-8") for name in PAGES if (checkout / name).is_file()}
    for name, text in pages(texts | ({NEWS: f"# What is new\n\n{notes.strip()}\n"} if notes else {})).items():
        _write(to / name, text)
        for picture in PICTURE.findall(text):
            _copy((checkout / name).parent / picture, (to / name).parent / picture)
    about = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    _write(to / "pyproject.toml", project_file(about, address))
    if address:
        for picture in ("colab.svg", "binder.svg"):
            _copy(checkout / "docs" / "figures" / picture, to / "docs" / "figures" / picture)
        write_address(address, to)
        for page in (to / "README.md", to / PAGES[0]):
            text = page.read_text(encoding="utf-8").replace(PUT_THE_ADDRESS, "")
            _write(page, re.sub(r"\bADDRESS\b", address, text))


def _copied(checkout: Path) -> Iterator[Path]:
    """Yield the files that are copied as they are: `arena`, and what the build puts beside it, without drafts."""
    yield from (path for path in sorted((checkout / "arena").rglob("*"))
                if path.is_file() and "__pycache__" not in path.parts)
    build = ast.parse((checkout / "setup.py").read_text(encoding="utf-8")).body
    constants = {node.targets[0].id: ast.literal_eval(node.value) for node in build
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}
    paths = [path for pattern in (*COPIED, *constants["TRAVELS"]) for path in sorted(checkout.glob(pattern))]
    drafts = {path.parent for path in paths if path.suffix == ".py" and path.read_bytes().startswith(constants["DRAFT"])}
    yield from (path for path in paths if path.parent not in drafts)


PICTURE = re.compile(r"\]\((?!https?:)([^)#\s]+\.(?:svg|png|webp))\)")
LINK = re.compile(r"(?<!\!)\[([^\]]*)\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?\)")


def pages(texts: Mapping[str, str]) -> dict[str, str]:
    """Return pages, by their path, without the sections for instructors; a link to a page that is not among them is its words."""
    def kept(page: str, link: re.Match[str]) -> str:
        target = Path(os.path.normpath(Path(page).parent / link[2])).as_posix()
        return link[0] if target in texts or link[2].endswith((".svg", ".png")) else link[1]

    without = {name: re.sub(rf"^## {STAFF}\n.*?(?=^## |\Z)", "", text, flags=re.M | re.S).rstrip("\n") + "\n"
               for name, text in texts.items()}
    return {name: LINK.sub(partial(kept, name), text) for name, text in without.items()}


def project_file(ours: Mapping[str, Any], address: str) -> str:
    """Return the pyproject.toml of the students' repository, made of ours: the same package without what staff need."""
    project = {key: value for key, value in ours["project"].items() if key not in ("urls", "optional-dependencies")}
    project |= {"description": ABOUT}
    extras = {name: ours["project"]["optional-dependencies"][name] for name in EXTRAS}
    tables = {
        "build-system": ours["build-system"],
        "project": project | ({"urls": {"Repository": address}} if address else {}) | {"optional-dependencies": extras},
        "tool": {"setuptools": ours["tool"]["setuptools"]},
    }
    return "# Made by `make release` of the instructors' repository.\n" + "".join(_toml(tables))


def _toml(table: Mapping[str, Any], name: str = "") -> Iterator[str]:
    """Yield TOML for a table and the tables in it, whose values are strings, booleans and lists of strings."""
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    if plain:
        yield f"\n[{name}]\n"
    for key, value in plain.items():
        yield f"{_key(key)} = {json.dumps(value)}\n"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _toml(value, f"{name}.{_key(key)}".lstrip("."))


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())  # line ends as they are, on Windows too


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)


# ---- the commit

def publish(files: Path, repository: Path, title: str, notes: str, source: Source) -> str:
    """Commit files on top of the release before; return the new commit's hash, "" if nothing has changed since that release.

    Files that a release wrote before and that are no longer there are removed. Files that no release has written, such as a page
    of the course's own, stay. The same files, notes and source on the same release give the same commit on every machine.

    Args:
        files: a folder with the files of the release.
        repository: a folder with the releases so far; it is made if it is not there.

    Raises:
        NotReleased: the repository has changes that are not committed, or git refuses.
    """
    if not (repository / ".git").exists():
        repository.mkdir(parents=True, exist_ok=True)
        git(repository, "init", "--quiet", "--initial-branch=main")
    if git(repository, "status", "--porcelain"):
        raise NotReleased(f"{repository} has changes that are not committed: commit them, or take them back")
    last = git(repository, "log", "--all", "--max-count=1", "--format=%H", f"--grep=^{SOURCE}").strip()
    for name in git(repository, "ls-tree", "-r", "-z", "--name-only", last).split("\0") if last else []:
        if name:
            (repository / name).unlink(missing_ok=True)
    shutil.copytree(files, repository, dirs_exist_ok=True)
    git(repository, "add", "--all")
    if not git(repository, "status", "--porcelain"):
        return ""
    message = "\n\n".join(filter(None, [title, notes.strip(), f"{SOURCE}{source.commit}"]))
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
           for key, value in (("NAME", source.name), ("EMAIL", source.email), ("DATE", source.date))}
    git(repository, "commit", "--quiet", "--no-verify", "--cleanup=verbatim", "--message", message, **who)
    return git(repository, "rev-parse", "HEAD").strip()


def source_of(checkout: Path) -> Source:
    """Return the last commit of a checkout."""
    return Source(*git(checkout, "log", "-1", "--format=%H%n%an%n%ae%n%aI").splitlines())


def git(folder: Path, *words: str, **environment: str) -> str:
    """Run git in a folder, with no one's settings; return its output.

    Raises:
        NotReleased: git is not there, or refuses.
    """
    settings = ("-c", "core.autocrlf=false", "-c", "commit.gpgsign=false", "-c", "safe.directory=*")
    try:
        done = subprocess.run(["git", *settings, *words], cwd=folder, env={**os.environ, **CLEAN, **environment},
                              capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise NotReleased(f"git does not start: {error.strerror}") from None
    if done.returncode:
        raise NotReleased(f"git {words[0]} in {folder}: {done.stderr.strip()}")
    return done.stdout


def main(arguments: list[str]) -> int:
    """Write the students' repository of this checkout; return the exit status."""
    parser = argparse.ArgumentParser(description="Write the students' repository of this checkout, and commit it.")
    parser.add_argument("folder", type=Path, help="the repository with the releases so far, or a new folder")
    parser.add_argument("--address", default="", help="address of the students' repository: https://host/owner/name")
    given = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as room:
            lay_out(ROOT, Path(room), address=given.address)
            print(publish(Path(room), given.folder, "A release", "", source_of(ROOT)) or "nothing has changed")
    except (NotReleased, ValueError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
