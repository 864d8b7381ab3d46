"""What formgrader shows to the person who marks, and to nobody else: the rubric of an experiment and three graded examples.

They are pages for staff, docs/marking/NAME.md. `settings.py` gives them to our template of formgrader as a filter. No notebook
contains them, so students never get them.
"""

import re
from pathlib import Path

from jinja2 import pass_context
from jinja2.runtime import Context

from autograder.gradebook.feedback.filters import safe_markdown
from autograder.paths import REPOSITORY

PAGES = REPOSITORY / "docs" / "marking"
_TITLE = re.compile(r"# Marking (\d+)\.(\d+): .+")
FIRST = "For the marker; students do not see this box."


def pages() -> dict[str, Path]:
    """Return the page of each answer that has one, by the name of the answer's cell: "ex2_13"."""
    paths = {}
    for path in sorted(PAGES.glob("*.md")):
        if title := _TITLE.match(path.read_text(encoding="utf-8")):
            paths[f"ex{title[1]}_{title[2]}"] = path
    return paths


def sections(page: str) -> list[tuple[str, str]]:
    """Return (heading, text) of each part of a page, below its title."""
    parts = re.split(r"^## (.+)\n", page, flags=re.MULTILINE)[1:]
    return [(heading.strip(), text.strip()) for heading, text in zip(parts[::2], parts[1::2], strict=True)]


@pass_context
def marking(context: Context, grade_id: str) -> str:
    """Return the page for an answer's cell as HTML: its first part as it is, the others folded; "" without a page."""
    if "submission_id" not in (context.get("resources") or {}):  # only formgrader shows one submission
        return ""
    path = pages().get(grade_id)
    if path is None:
        return ""
    (heading, text), *others = sections(path.read_text(encoding="utf-8"))
    shown = [f"<p><strong>{FIRST}</strong></p>", f"<h4>{heading}</h4>", safe_markdown(text)]
    shown += [f"<details><summary>{title}</summary>{safe_markdown(part)}</details>" for title, part in others]
    return "\n".join(shown)
