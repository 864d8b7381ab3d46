"""Students' texts as HTML that cannot run code in the instructor's browser: one text at a time, without a time limit.

`filters.py` calls this module in a process with limits. A text that exceeds the limits is shown unrendered.
"""

import html
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from urllib.parse import unquote

import bleach
from bleach.html5lib_shim import Filter
from mistune import HTMLRenderer
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.filter import Filter as TokenFilter
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, Error, Text, _TokenType

from autograder.gradebook.pictures import KINDS, data_address
from autograder.plain_text import plain_text

TAGS = frozenset(
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre "
    "q s span strong sub summary sup table tbody td th thead tr u ul var".split()
)
# The only classes that stay: those that colour code. With others, such as Bootstrap's `btn`, an answer could imitate formgrader.
TOKEN_CLASSES = frozenset(STANDARD_TYPES.values()) - {""}
LONGEST_RENDERED = 8_000  # characters, pictures not counted; a longer text is shown unrendered
LONGEST_HTML = 200_000  # characters of a rendered text; longer ones are slow in a browser
WIDEST_CELL = 20
WEB_ADDRESS = re.compile(r"https?://[^\s\\@]+", re.IGNORECASE)
_EMBEDDED = re.compile(r"data:(image/(?:png|jpeg|gif));base64,([A-Za-z0-9+/]*+={0,2})")
_ATTACHMENT = "attachment:"
# The placeholder of a picture while the text around it is rendered. No author of a text can know this word.
_WORD = secrets.token_hex(16)
_PLACE = re.compile(rf"\[{_WORD}:(\d+)\]")
_COLOURED = HtmlFormatter(cssclass="highlight")  # in Pygments' default style, of which nbconvert's pages carry the rules


@dataclass(frozen=True)
class Rendered:
    """A text as HTML with a placeholder for each picture: (address, description of the picture)."""

    page: str
    pictures: tuple[tuple[str, str], ...] = ()


def as_it_is(source: str) -> str:
    """Show a text unrendered."""
    return f"<pre>{html.escape(plain_text(source))}</pre>"


def render_markdown(source: str) -> Rendered:
    """Render markdown; tags and attributes outside the lists above appear as text or are dropped.

    `without_pictures` must have removed the pictures before.
    """
    if len(source) > LONGEST_RENDERED:
        return Rendered(as_it_is(source))
    made = _markdown().render(plain_text(source))
    pictures: list[tuple[str, str]] = []
    last = partial(_TakePictures, pictures=pictures)
    cleaner = bleach.Cleaner(tags=TAGS, attributes=_allowed, protocols={"http", "https", "attachment"}, filters=[last])
    page = cleaner.clean(made)
    return Rendered(page, tuple(pictures)) if len(page) <= LONGEST_HTML else Rendered(as_it_is(source))


def render_code(source: str) -> str:
    """Return Python code as HTML with colours."""
    page = highlight(plain_text(source) or " ", _python(), _COLOURED) if len(source) <= LONGEST_RENDERED else ""
    return page if 0 < len(page) <= LONGEST_HTML else f'<div class="highlight">{as_it_is(source)}</div>'


def without_pictures(source: str) -> tuple[str, dict[str, str]]:
    """Replace the pictures embedded in a text by names: (text with names, name -> address)."""
    addresses: dict[str, str] = {}

    def take(match: re.Match[str]) -> str:
        name = f"{_WORD}-{len(addresses)}"
        addresses[name] = match[0]
        return _ATTACHMENT + name

    return _EMBEDDED.sub(take, source), addresses


def with_pictures(rendered: Rendered, pasted: Mapping[str, Mapping[str, str]], embedded: Mapping[str, str]) -> str:
    """Put the pictures into their places; a sentence replaces a picture that is missing or cannot be shown.

    Args:
        pasted: the attachments of the cell, name -> {kind: content in base64}.
        embedded: name -> address, from `without_pictures`.
    """
    shown: set[str] = set()
    page = _PLACE.sub(lambda place: _picture(*rendered.pictures[int(place[1])], pasted, embedded, shown), rendered.page)
    return re.sub(rf"{_ATTACHMENT}{_WORD}-\d+", "data:image/...", page) if embedded else page


def _picture(
    address: str, words: str, pasted: Mapping[str, Mapping[str, str]], embedded: Mapping[str, str], shown: set[str]
) -> str:
    """Return a picture or a sentence. A picture is shown once, because one line of text could repeat it to gigabytes."""
    name = address.removeprefix(_ATTACHMENT)
    if not address:
        return "<em>(A picture that is not in the notebook is not loaded.)</em>"
    if name in embedded:
        match, where = _EMBEDDED.fullmatch(embedded[name]), "in this text"
        data = data_address(match[1], match[2]) if match else None
    else:
        name = name if name in pasted else unquote(name)
        kept, where = pasted.get(name, {}), f"“{html.escape(plain_text(name))}”"
        data = next((data for kind in KINDS if kind in kept and (data := data_address(kind, kept[kind]))), None)
    if data is None:
        return f"<em>(The picture {where} is missing or cannot be shown. Pictures can be PNG, JPEG or GIF, up to 3 MB.)</em>"
    if name in shown:
        return f"<em>(The picture {where} again.)</em>"
    shown.add(name)
    return f'<img alt="{html.escape(html.unescape(words))}" src="{data}">'


@cache
def _markdown() -> MarkdownWithMath:
    """Return the parser, whose rules take longer to put together than a text to parse; it keeps nothing of a text."""
    return MarkdownWithMath(renderer=_Renderer(escape=False, exclude_anchor_links=True))


class _ColouredOnly(TokenFilter):
    """Text for each token without a colour. Names, brackets and blanks are two thirds of a page's spans, a third of its bytes."""

    def filter(self, lexer: Lexer | None, stream: Iterable[tuple[_TokenType, str]]) -> Iterator[tuple[_TokenType, str]]:
        for kind, text in stream:
            yield (kind if _has_colour(kind) and not text.isspace() else Text), text


@cache
def _has_colour(kind: _TokenType) -> bool:
    return kind is not Error and any(_COLOURED.style.style_for_token(kind).values())  # `!` of a line for IPython is no error


@cache
def _python() -> Lexer:
    lexer = get_lexer_by_name("python")
    lexer.add_filter(_ColouredOnly())
    return lexer


class _Renderer(IPythonRenderer):
    """A renderer that keeps an attachment's name; nbconvert's renderer looks it up and raises if it is missing."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return HTMLRenderer.image(self, text, url, title)


class _TakePictures(Filter):
    """A filter that replaces pictures by placeholders; it runs after everything that is not allowed was removed."""

    def __init__(self, source: object, pictures: list[tuple[str, str]]) -> None:
        super().__init__(source)
        self.pictures = pictures

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for token in super().__iter__():
            if token.get("name") != "img":
                yield token
            elif token["type"] in ("StartTag", "EmptyTag"):
                attributes = {name: value for (_, name), value in token["data"].items()}
                self.pictures.append((attributes.get("src", ""), attributes.get("alt", "")))
                yield {"type": "Characters", "data": f"[{_WORD}:{len(self.pictures) - 1}]"}


def _allowed(tag: str, name: str, value: str) -> bool:
    """Say whether an attribute may stay. Not `id`: formgrader finds score boxes by it. Not `title`: formgrader's texts use it."""
    return (tag, name) in _ATTRIBUTES and _ATTRIBUTES[tag, name](value)


def _narrow(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) <= 2 and 1 <= int(value) <= WIDEST_CELL


_ATTRIBUTES: dict[tuple[str, str], Callable[[str], bool]] = {
    ("a", "href"): lambda value: WEB_ADDRESS.fullmatch(value) is not None,
    ("img", "alt"): lambda value: True,
    ("img", "src"): lambda value: value.startswith(_ATTACHMENT),
    ("span", "class"): lambda value: value in TOKEN_CLASSES,
    ("div", "class"): lambda value: value == "highlight",
    **{(tag, name): _narrow for tag in ("td", "th") for name in ("colspan", "rowspan")},
    ("ol", "start"): _narrow,
}
