"""What students wrote as HTML that cannot act in the instructor's browser: the filters of feedback and formgrader.

Most cells of a class are the same in every submission, so what was made once is kept.
"""
import html
import re
from functools import lru_cache

import bleach
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown import markdown2html

TAGS = frozenset(
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre "
    "q s span strong sub summary sup table tbody td th thead tr u ul var".split()
)
# Pygments names a token by one to three characters; any other class could dress text up as a part of formgrader.
HIGHLIGHT_CLASS = re.compile(r"highlight|[a-z]{1,2}[a-z0-9]?")
ANCHOR = re.compile(r'<a class="anchor-link".*?</a>')  # beside a heading; without ids it leads nowhere
# There are texts of which twice as much takes four times as long: 100,000 dots are 76 s of colouring, 100,000 characters of
# tags that never close 12 s of markdown, and so many 0.5 s at most. A picture in an answer does not count.
LONGEST_RENDERED = 8_000
EMBEDDED_PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*")
WEB_ADDRESS = re.compile(r"(https?://|mailto:|#)", re.IGNORECASE)


def _allowed(tag: str, name: str, value: str) -> bool:
    """Attributes that may stay. No `id`: formgrader finds its score boxes by id."""
    if name == "class":
        return HIGHLIGHT_CLASS.fullmatch(value) is not None
    if tag == "img":
        return name == "alt" or (name == "src" and EMBEDDED_PICTURE.fullmatch(value) is not None)
    if tag == "a":
        return name == "title" or (name == "href" and WEB_ADDRESS.match(value) is not None)
    return name in ("title", "align", "colspan", "rowspan")


@lru_cache(maxsize=1024)
def safe_markdown(source: str) -> str:
    """Render markdown; tags and attributes outside the lists above appear as text or are dropped.

    It stands in for nbconvert's `markdown2html` filter in feedback and in formgrader. What is very long is shown as it is.
    """
    if len(EMBEDDED_PICTURE.sub("", source)) > LONGEST_RENDERED:
        return f"<pre>{html.escape(source)}</pre>"
    # "data" only lets the pictures through; `_allowed` has the last word on every address
    page = ANCHOR.sub("", markdown2html(source))
    return bleach.clean(page, tags=TAGS, attributes=_allowed, protocols={"http", "https", "mailto", "data"})


def highlight(source: str, language: str | None = None, metadata: object = None) -> str:
    """Colour Python code; it stands in for nbconvert's `highlight_code` filter, whose other arguments it takes.

    What is very long stays without colours.
    """
    if len(source) > LONGEST_RENDERED:
        return f'<div class="highlight"><pre>{html.escape(source)}</pre></div>'
    return _highlighted(source)


@lru_cache(maxsize=1024)
def _highlighted(source: str) -> str:
    return Highlight2HTML()(source)
