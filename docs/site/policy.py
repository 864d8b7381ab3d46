"""A content security policy in every page: a page loads what lies beside it, and runs no script that is not ours."""

import base64
import hashlib
import re
from pathlib import Path

INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
# `file:` beside 'self': of a page that is opened from a folder, a browser may not say what 'self' is.
POLICY = ("default-src 'none'; script-src 'self' file: {scripts}; style-src 'self' file: 'unsafe-inline'; "
          "img-src 'self' file: data:; font-src 'self' file:; base-uri 'none'; form-action 'self' file:")


def add_policies(site: Path) -> None:
    """Write the policy into the head of each page; inline scripts are allowed by their hashes."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        policy = POLICY.format(scripts=" ".join(_hashes(text)))
        head = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
        page.write_text(text.replace("<head>", head, 1), encoding="utf-8")


def _hashes(page: str) -> list[str]:
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in INLINE.findall(page))
    return sorted({f"'sha256-{digest}'" for digest in digests})
