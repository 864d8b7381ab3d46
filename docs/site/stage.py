"""Lay out what Sphinx reads: the pages of docs/, the site's own pages, the lessons, the glossary."""

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

from arena.files import write_if_changed
from autograder.paths import REPOSITORY
from autograder.problem_sets import build
from autograder.problem_sets.source import load, names, released
from docs.site.games import with_viewer
from docs.site.glossary import Meaning, glossary, lesson_words, staff_words
from docs.site.lessons import lesson_page
from docs.site.outputs import Outputs

OWN = REPOSITORY / "docs" / "site" / "pages"
COPIED = ("docs/*.md", "docs/maintainers/*.md", "docs/ideas/*.md", "docs/teaching/*.md", "SECURITY.md", "assets/nets/README.md")
LEFT_OUT = {"docs/hints.md", "docs/width.md"}  # what the hidden checks ask belongs to staff; the pages stay in the repository
PICTURE = re.compile(r"\]\(([^)#:\s]+\.(?:svg|png|webp))\)")
LINK = re.compile(r"(?<!\!)\[([^\]\n]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
MORE_WORDS = {  # what no lesson's table has, because its text explains it
    "Monte Carlo tree search": "a search that grows a tree one simulation at a time, and values states by the results of games",
    "UCT": "Monte Carlo tree search that selects by upper confidence bounds (UCB), the T is for trees",
    "mover's view": "the sign rule of the course: a value belongs to the player to move at its state, in [-1, 1]",
    "self-play": "games of a program against itself, from which a network learns",
    "negamax": "exact values by trying every game: the best of minus the values of the states after each action",
}


def stage(folder: Path, outputs: Mapping[str, Outputs]) -> None:
    """Write all pages into `folder`; a file that has not changed is not touched, so that Sphinx reads only what is new."""
    wanted = _wanted(outputs)
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, content in wanted.items():
        if name.endswith(".md") and not name.startswith("lessons/"):  # a lesson has code, and links to nothing
            content = without_dead_links(content.decode(), name, set(wanted)).encode()
        write_if_changed(folder / name, content)


def _wanted(outputs: Mapping[str, Outputs]) -> dict[str, bytes]:
    """Return every file by its path below the folder."""
    files = {path.relative_to(OWN).as_posix(): path.read_bytes() for path in sorted(OWN.rglob("*.md"))}
    drafts = {*names()} - {*released()}
    copied = (path for pattern in COPIED for path in sorted(REPOSITORY.glob(pattern)) if path.stem not in drafts)
    files |= {name: path.read_bytes() for path in copied if (name := path.relative_to(REPOSITORY).as_posix()) not in LEFT_OUT}
    files["docs/challenge.md"] = with_viewer(files["docs/challenge.md"].decode()).encode()
    files |= _pictures(files)
    words = [Meaning((word,), text, "") for word, text in MORE_WORDS.items()]
    words += staff_words((REPOSITORY / "docs" / "maintainers" / "words.md").read_text(encoding="utf-8"))
    for name, shown in outputs.items():
        ps = load(name)
        words += lesson_words(ps)
        page, pictures = lesson_page(ps, shown)
        notebook, module = build(ps, solution=False)
        files[f"lessons/{name}.md"] = page.encode()
        files |= {f"lessons/{name}.ipynb": notebook.encode(), f"lessons/{name}.py": module.encode()}
        files |= {f"lessons/{path}": picture for path, picture in pictures.items()}
    files["glossary.md"] = files["glossary.md"].replace(b"ENTRIES", glossary(words).encode())
    return files


def _pictures(pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the pictures that the pages show; of a missing picture Sphinx names the page and the line."""
    shown = {
        posixpath.normpath(posixpath.join(posixpath.dirname(name), picture))
        for name, content in pages.items()
        for picture in PICTURE.findall(content.decode())
    }
    return {name: (REPOSITORY / name).read_bytes() for name in sorted(shown) if (REPOSITORY / name).is_file()}


def without_dead_links(text: str, name: str, there: set[str]) -> str:
    """Return a page in which a link to a file that the site has not is the path of that file in the repository."""

    def kept(link: re.Match[str]) -> str:
        words, target = link[1], posixpath.normpath(posixpath.join(posixpath.dirname(name), link[2]))
        if {target, f"{target}.md"} & there:
            return link[0]
        return f"`{target}`" if words.strip("`") in (link[2], target, posixpath.basename(target)) else f"{words} (`{target}`)"

    return LINK.sub(kept, text)
