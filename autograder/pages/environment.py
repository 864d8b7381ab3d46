"""What all pages have in common: the folder of templates, how values are shown, and a version of all of it."""

import hashlib
import re
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from arena.board.bundle import bundle, static
from autograder.gradebook.tables import decided_text, points_text, total_text
from autograder.pages.charts import small_histogram, stack
from autograder.pages.short_report import LETTERS
from autograder.plain_text import plain_text

PAGES = Path(__file__).parent
TEMPLATES = PAGES / "templates"
RESULTS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}  # a game, by its score
CODE = re.compile(r"`([^`\n]+)`")
MOST_OF_A_NAME = 60  # characters in a list; the table of the students has the whole name


@cache  # one environment compiles each template once; a new environment for every page took a quarter of the time of all pages
def environment() -> jinja2.Environment:
    """Return the template environment of all pages: inserted values are shown as plain text, without invisible characters."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, finalize=_seen,
    )
    made.filters["points"] = points_text
    made.filters["decided"] = decided_text
    made.filters["total"] = total_text
    made.filters["letter"] = LETTERS.__getitem__
    made.filters["stack"] = stack
    made.filters["small_histogram"] = small_histogram
    made.filters["short"] = shorten
    made.filters["code"] = with_code
    return made


def shorten(text: str, most: int = MOST_OF_A_NAME) -> str:
    """Return the first `most` characters, with … if there are more."""
    return text if len(text) <= most else f"{text[:most]}…"


def with_code(text: str) -> Markup:
    """Return a sentence in which what stands between backticks is code; all of it is still shown as plain text."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(plain_text(text)))))


def pages_version() -> str:
    """Return a hash of the files of all pages: when one changes, the pages are made anew, and nothing is graded again."""
    files = sorted(path for path in PAGES.rglob("*") if path.suffix in {".py", ".html", ".js"})
    viewer = bundle("replay.js") + static("viewer.css")
    return hashlib.sha256(b"".join(path.read_bytes() for path in files) + viewer.encode()).hexdigest()


def _seen(value: object) -> object:
    return plain_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value
