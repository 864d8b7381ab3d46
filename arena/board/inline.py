"""Scripts, styles and data inside a page: as text that cannot end its element, and as the page's policy names them."""

import base64
import hashlib
import json
from typing import Any


def allowed(text: str) -> str:
    """Return the source that a Content-Security-Policy names for an inline script or style with this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def data_text(data: Any) -> str:
    """Return data as JSON in ASCII without <, > and &, so that no text in it can end the element that holds it.

    Raises:
        ValueError: a number of the data is not finite.
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
