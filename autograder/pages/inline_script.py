"""A script of ours inside a page, and the hash by which the page's policy allows it and no other."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from markupsafe import Markup

SCRIPTS = Path(__file__).parent / "scripts"


@cache
def inline_script(name: str, constants: tuple[tuple[str, str], ...] = ()) -> tuple[Markup, str]:
    """Return a script of `scripts/` as an element, and its sha256 for the page's policy.

    Args:
        constants: texts of the script, each with what stands in its place. Nothing that a student wrote may be in a script.

    Raises:
        ValueError: the script would end its own element.
    """
    text = (SCRIPTS / name).read_text(encoding="utf-8")
    for word, value in constants:
        text = text.replace(word, value)
    if "</" in text or "<!--" in text:
        raise ValueError(f"{name} would end its own element")
    return Markup(f"<script>{text}</script>"), base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
