"""A script of ours inside a page, and the source by which the page's policy allows it and no other."""

from functools import cache
from pathlib import Path

from markupsafe import Markup

from arena.board.inline import allowed

SCRIPTS = Path(__file__).parent / "scripts"


@cache
def inline_script(name: str, constants: tuple[tuple[str, str], ...] = ()) -> tuple[Markup, Markup]:
    """Return a script of `scripts/` as an element, and its source for the page's policy.

    Args:
        constants: texts of the script, each with the text that replaces it. Nothing that a student wrote may be in a script.

    Raises:
        ValueError: the script would end its own element.
    """
    text = (SCRIPTS / name).read_text(encoding="utf-8")
    for word, value in constants:
        text = text.replace(word, value)
    if "</" in text or "<!--" in text:
        raise ValueError(f"{name} would end its own element")
    return Markup(f"<script>{text}</script>"), Markup(allowed(text))
