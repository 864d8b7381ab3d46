"""Write the public address of a repository into its pages: badges, the links to Colab and Binder, the lines of pip.

    python -m scripts.address https://github.com/you/mcts [FOLDER]

The pages are written for any address, so what needs one stands between two marks, which say what belongs there:

    <!-- address: badges -->
    <!-- address end -->

An address is https://host/owner/name. A name or a token before the host is left out: the pages are public.
"""

import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

from arena.files import write_if_changed

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("pyproject.toml", "*.md", "docs/**/*.md", "docs/**/*.ipynb")
START = "docs/start.ipynb"  # what the badges of Colab and Binder open
BLOCK = re.compile(r"^(.*\baddress: (\w+)\b.*\n)((?:.*\n)*?)(.*\baddress end\b.*)$", re.MULTILINE)
CELL = re.compile(r'(%pip install -q )(?:\.\.|git\+[^\s"\\]+)')  # of a notebook; `..` is the clone around it


def plain(address: str) -> str:
    """Return an address as https://host/owner/name: without user, password, `.git` and a last slash.

    Raises:
        ValueError: it has another form.
    """
    parts = urlsplit(address)
    path = re.fullmatch(r"/([\w.-]*\w)/([\w.-]*?\w)(?:\.git)?/?", parts.path, re.ASCII)
    host = re.fullmatch(r"(?:.*@)?([\w-]+(?:\.[\w-]+)+)", parts.netloc, re.ASCII)
    if parts.scheme != "https" or host is None or path is None or parts.query or parts.fragment:
        raise ValueError("an address looks like https://github.com/you/mcts")
    return f"https://{host[1]}/{path[1]}/{path[2]}"


def write_address(address: str, root: Path = ROOT) -> list[str]:
    """Write an address of the form https://host/owner/name into the pages below a folder; return the names of the changed files.

    Raises:
        ValueError: it has another form.
    """
    address = plain(address)
    texts = {path: path.read_text(encoding="utf-8") for pattern in PAGES for path in sorted(root.glob(pattern))}
    return [path.relative_to(root).as_posix() for path, text in texts.items()
            if write_if_changed(path, with_address(text, address, os.path.relpath(root, path.parent)))]


def with_address(text: str, address: str, root: str) -> str:
    """Return the text of a page with an address in all its blocks, and in the first cell of a notebook.

    Args:
        root: the way from the page to the folder of the repository, such as "..".
    """
    text = BLOCK.sub(lambda block: block[1] + _body(block[2], address, root.replace(os.sep, "/")) + block[4], text)
    return CELL.sub(lambda cell: f"{cell[1]}git+{address}", text)


def _body(what: str, address: str, root: str) -> str:
    """Return the lines of a block.

    Raises:
        ValueError: nothing is known by this name.
    """
    on_github, name = address.startswith("https://github.com/"), address.removeprefix("https://github.com/")
    root = "" if root == "." else f"{root}/"
    tests = f"[![Tests]({address}/actions/workflows/ci.yml/badge.svg)]({address}/actions/workflows/ci.yml)\n"
    colab = f"[![Open in Colab]({root}docs/figures/colab.svg)](https://colab.research.google.com/github/{name}/blob/main/{START})\n"
    binder = f"[![Open in Binder]({root}docs/figures/binder.svg)](https://mybinder.org/v2/gh/{name}/main?urlpath=lab/tree/{START})\n"
    bodies = {
        "badges": tests + colab + binder if on_github else "",  # another host has no such pages
        "notebooks": colab + binder if on_github else "",
        "pip": f"\n    python -m pip install git+{address}\n\n",
        "urls": f"[project.urls]\nRepository = {json.dumps(address)}\n",
    }
    if what not in bodies:
        raise ValueError(f"a page asks for the address as {what!r}; choose from {', '.join(bodies)}")
    return bodies[what]


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit((__doc__ or "").split("\n\n")[1])
    try:
        print("\n".join(write_address(sys.argv[1], Path(sys.argv[2]) if sys.argv[2:] else ROOT)) or "nothing changed")
    except ValueError as error:
        sys.exit(f"address: {error}")
