"""The last step over every page: a content security policy, and two mends for keyboards and screen readers."""

import re
from pathlib import Path

from arena.board.inline import allowed

INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
# `file:` beside 'self': of a page that is opened from a folder, a browser may not say what 'self' is.
POLICY = ("default-src 'none'; script-src 'self' file: {scripts}; style-src 'self' file: 'unsafe-inline'; "
          "img-src 'self' file: data:; font-src 'self' file:; base-uri 'none'; form-action 'self' file:")


MENDS = {
    'class="caption" role="heading"': 'class="caption" role="heading" aria-level="2"',  # the theme's headings have no level
    "<pre>": '<pre tabindex="0">',  # a block of code that is too wide is scrolled by the arrow keys
}


def finish(site: Path) -> None:
    """Mend each page, and write the policy into its head; inline scripts are allowed by their hashes."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for written, better in MENDS.items():
            text = text.replace(written, better)
        policy = POLICY.format(scripts=" ".join(_hashes(text)))
        head = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
        page.write_text(text.replace("<head>", head, 1), encoding="utf-8")


def _hashes(page: str) -> list[str]:
    return sorted({allowed(script) for script in INLINE.findall(page)})
