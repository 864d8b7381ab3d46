"""A script of ours inside a page, and the source by which the page's policy allows it and no other."""

from markupsafe import Markup

from arena.board.bundle import compact
from arena.board.inline import allowed


def inline_script(text: str) -> tuple[Markup, Markup]:
    """Return a script as an element, and its source for the page's policy. Nothing that a student wrote may be in a script.

    It is a module: what it declares is its own, and it runs when the whole page has been read.

    Raises:
        ValueError: the script would end its own element.
    """
    text = compact(text)
    if "</" in text or "<!--" in text:
        raise ValueError(f"the script {text[:40]!r} would end its own element")
    return Markup(f'<script type="module">{text}</script>'), Markup(allowed(text))
