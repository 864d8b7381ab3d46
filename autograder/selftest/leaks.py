"""Search what students get for lines that only staff may read: of solutions, hidden checks, answers and graded examples.

A line counts if it is too long to be written twice by accident, and is not part of the stubs. The search finds it inside other
lines, in comments and prose, in notebooks, in archives, and in all commits of a git repository.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from arena.errors import UserError
from autograder.paths import REPOSITORY, is_source
from autograder.problem_sets.source import load, module_text, names
from autograder.selftest.git_objects import objects_of, repositories

SHORTEST = 25  # characters; shorter lines are in many programs
BANKS = ("hidden", "wrong", "right")  # folders of `tests`
MARKING = REPOSITORY / "docs" / "marking"  # graded examples, for staff
# Lines that tell no secret: an import, a mark, the rule below the head of a table, the commit of a figure.
_PLAIN = re.compile(r"(from [\w.]+ )?import |@pytest\.mark\.exercise\(|[|:-]+$|Measured at commit \w+\.$")
_COMMENT = re.compile(r"(^|\s)#.*")
# Lines of every program over the Game protocol, which `arena` has too: to read them elsewhere reveals nothing.
COMMONPLACE = frozenset({
    "actions = self.game.legal_actions(state)",
    "after = game.play(state, action)",
    "backpropagate(leaf, value)",
    "for _ in range(simulations):",
    "for action in game.legal_actions(state):",
    "for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):",
    "for state, policy in pairs:",
    "if GAME.outcome(state) is not None:",
    "if action not in self.legal_actions(state):",
    "if game.outcome(leaf.state) is None:",
    "if state not in self.edges:",
    "kept.append((state, policy))",
    "outcome = game.outcome(leaf.state)",
    'raise ValueError("the game is over: there is no action to choose")',
    "result = game.outcome(state)",
    "return counts[0], counts[1]",
    "return rng.choice(actions)",
    "rng = random.Random(seed)",
    "self.untried = game.legal_actions(state)",
    "state = game.play(state, actions[-1])",
    "with torch.inference_mode():",
})


def leaks(place: Path) -> list[str]:
    """Return one sentence for each line, or whole file, of the staff's in a folder, an archive or a file; [] if there is none.

    Args:
        place: a folder, a git repository with its history, a `.zip` or `.whl`, a `.tar.gz`, or any other file. Repositories
            and archives inside are opened too.

    Raises:
        UserError: there is no such folder or file, it holds no file, or git cannot read a repository.
        RuntimeError: the search does not find what is there.
    """
    if not place.exists():
        raise UserError(f"{place}: no such file or folder")
    secret = _solutions()[0]
    if len(list(_in_file(secret.name, secret.read_bytes()))) < 2:  # a search that finds nothing would find nothing here
        raise RuntimeError(f"the search finds nothing in {secret} itself: it must find the whole file, and its lines")
    files, sentences = 0, dict[str, None]()
    for name, content in _files(place):
        files += 1
        sentences |= dict.fromkeys(_in_file(name, content))
    if not files:
        raise UserError(f"{place}: no file is in it, so there was nothing to search")
    return list(sentences)


def _in_file(name: str, content: bytes) -> Iterator[str]:
    """Yield a sentence for each secret in a file, and if it is one as a whole."""
    lines, wholes = _secrets()
    if source := wholes.get(hashlib.sha256(content).hexdigest()):
        yield f"{name} is {source}"
    text = _text(name, content)
    for at in range(len(text) - SHORTEST + 1):
        for line, source in lines.get(text[at : at + SHORTEST], ()):
            if text.startswith(line, at):
                yield f"{name} holds a line of {source}: {line}"


@cache
def _secrets() -> tuple[dict[str, list[tuple[str, str]]], dict[str, str]]:
    """Return the secret lines with the name of their file, by their first characters; and secret files by their hash."""
    # in one line: a hidden check quotes the lesson's sentences, with the ends of lines in other places
    stubs = "\n".join(module_text(load(name), solution=False) for name in names()).split("\n")
    released = _squeezed(" ".join(line.strip().removeprefix("# ") for line in stubs))
    lines: dict[str, str] = {}
    for source, text in _secret_texts():
        for line in text.split("\n"):
            plain = _squeezed(_COMMENT.sub("", line))
            if len(plain) >= SHORTEST and not _PLAIN.match(plain) and plain not in COMMONPLACE and plain not in released:
                lines.setdefault(plain, source)
    by_start: dict[str, list[tuple[str, str]]] = {}
    for line, source in lines.items():
        by_start.setdefault(line[:SHORTEST], []).append((line, source))
    wholes = {hashlib.sha256(path.read_bytes()).hexdigest(): path.relative_to(REPOSITORY).as_posix()
              for path in _secret_files() if path.stat().st_size > SHORTEST}
    return by_start, wholes


def _secret_texts() -> Iterator[tuple[str, str]]:
    """Yield (file, text) of all exercises as we solve them, of the banks, and of the graded examples."""
    for name in names():
        for cell in load(name).cells:
            if cell.role == "exercise":
                yield f"solutions/{name}.py", cell.solution
    for path in _secret_files():
        if path.suffix in (".py", ".md"):
            yield path.relative_to(REPOSITORY).as_posix(), path.read_text(encoding="utf-8")


def _solutions() -> list[Path]:
    """Return our solutions."""
    return [REPOSITORY / "solutions" / f"{name}.py" for name in names()]


def _secret_files() -> list[Path]:
    files = [path for bank in BANKS for path in sorted((REPOSITORY / "tests" / bank).rglob("*"))]
    return [*_solutions(), *filter(is_source, files), *sorted(MARKING.glob("*.md"))]


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of every file in a folder or an archive; a name shows the archives around it."""
    checkouts = repositories(place) if place.is_dir() else []
    packed = {(git if (git := repository / ".git").exists() else repository) / "objects" for repository in checkouts}
    for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
        if path.is_file() and not packed & {*path.parents}:  # git reads its objects, below; the files are compressed
            yield from _unpacked(str(path.relative_to(place)) if place.is_dir() else path.name, path.read_bytes())
    for repository in checkouts:
        for name, content in objects_of(repository):
            yield from _unpacked(name, content)


def _unpacked(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, content
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                yield from _unpacked(f"{name}/{entry.filename}", archive.read(entry))
    elif name.endswith((".tar", ".tar.gz", ".tgz")):
        with tarfile.open(fileobj=io.BytesIO(content)) as packed:
            for member in packed.getmembers():
                if file := packed.extractfile(member):
                    yield from _unpacked(f"{name}/{member.name}", file.read())


def _text(name: str, content: bytes) -> str:
    """Return a file's text on one line, with the texts in a notebook or a page as a reader sees them; "" for numbers."""
    if b"\0" in content[:1024]:
        return ""
    text = content.decode("utf-8", "replace")
    if name.endswith((".ipynb", ".json")):
        try:
            text = "\n".join(_texts_in(json.loads(text)))
        except ValueError:
            pass  # searched as it is
    elif name.endswith((".html", ".htm", ".svg")):
        text = html.unescape(text)
    return _squeezed(text)


def _texts_in(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for each in data:
            yield from _texts_in(each)
    elif isinstance(data, dict):
        for key, each in data.items():
            yield key
            yield from _texts_in(each)


def _squeezed(text: str) -> str:
    return " ".join(text.split())
