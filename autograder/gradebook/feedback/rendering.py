"""The filters with which feedback and formgrader show cells: safe HTML, made within limits of time and memory.

There are texts of which twice as much takes four times as long, and the next release of the library has others. So all cells
of a notebook are rendered at once, against the clock. Where they take too long each is rendered in a child process of its
own, with limits, until the notebook has used up its time; a text that could not be rendered is shown as it is. Most cells of
a class are the same in every submission, so what was made once is kept.
"""

import signal
import threading
import time
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from autograder.gradebook.feedback.safe_html import (
    LONGEST_RENDERED,
    Rendered,
    as_it_is,
    render_code,
    render_markdown,
    with_pictures,
    without_pictures,
)
from autograder.limited_child import OverLimit, within

MARKDOWN, CODE = "markdown", "code"
Text = tuple[str, str]  # MARKDOWN or CODE, and the source
QUICK_S = 1.0  # of CPU time, for all new texts of a page; an honest page takes a tenth of it
PAGE_S, TEXT_S, MIB = 5.0, 1.0, 512  # for a page that is not quick, for one of its texts, and the memory for that
MOST_KEPT = 1_024  # and one notebook's more, at times
_kept: dict[Text, Rendered] = {}


@pass_context
def markdown(context: Context, source: str) -> str:
    """Stand in for nbconvert's `markdown2html` in its templates."""
    attachments = (context.get("cell") or {}).get("attachments")
    return safe_markdown(source, attachments if isinstance(attachments, Mapping) else {}, context.get("nb"))


@pass_context
def highlight(context: Context, source: str, language: str | None = None, metadata: object = None) -> str:
    """Stand in for nbconvert's `highlight_code`, whose other arguments it takes."""
    return safe_code(source, context.get("nb"))


def safe_markdown(source: str, attachments: Mapping[str, Mapping[str, str]] | None = None, notebook: Any = None) -> str:
    """Return markdown as HTML that cannot act; `notebook` is where the text stands, whose other cells are rendered with it."""
    text, embedded = without_pictures(source)
    return with_pictures(_rendered((MARKDOWN, text), notebook), attachments or {}, embedded)


def safe_code(source: str, notebook: Any = None) -> str:
    """Return Python code in colours."""
    return _rendered((CODE, source), notebook).page


def _rendered(text: Text, notebook: Any) -> Rendered:
    if len(text[1]) > LONGEST_RENDERED:
        return _plain(text)
    if text not in _kept:
        wanted = dict.fromkeys(one for one in (*_texts(notebook), text) if len(one[1]) <= LONGEST_RENDERED and one not in _kept)
        _kept.update(_within_limits(list(wanted)))
    _kept[text] = found = _kept.pop(text)  # what was used last goes last
    for old in list(_kept)[: len(_kept) - MOST_KEPT] if len(_kept) > MOST_KEPT else ():
        del _kept[old]
    return found


def _texts(notebook: Any) -> Iterable[Text]:
    """Yield the texts of a notebook that a page of it will show."""
    for cell in (notebook or {}).get("cells", []):
        source, kind = cell.get("source", ""), cell.get("cell_type")
        if kind == MARKDOWN:
            yield MARKDOWN, without_pictures(source)[0]
        elif kind == CODE:
            yield CODE, source


def _within_limits(texts: list[Text]) -> dict[Text, Rendered]:
    """Render texts, those that are no trouble at once and the others within limits."""
    if (quick := _quickly(texts)) is not None:
        return quick
    _warm()
    made, left = {}, PAGE_S
    for text in texts:
        try:
            made[text], used = within(TEXT_S, MIB, _timed, text) if left > 0 else (_plain(text), 0.0)
        except (OverLimit, OSError):
            made[text], used = _plain(text), TEXT_S
        left -= used
    return made


@cache
def _warm() -> None:
    """Import what is imported at its first use, so that not every child does."""
    _render((MARKDOWN, "*a*\n\n```python\nb\n```"))
    _render((CODE, "c = 1"))


class _TooLong(BaseException):
    """The clock has run out; no library may take it for an error of its own."""


def _quickly(texts: list[Text]) -> dict[Text, Rendered] | None:
    """Render texts in this process, which costs no child; None when that takes too long, fails, or has no clock here."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGPROF) is not signal.SIG_DFL:
        return None  # only there are signals heard, and somebody else's clock is not ours to set
    armed = [True]

    def stop(number: int, frame: object) -> None:
        if armed:
            raise _TooLong

    signal.signal(signal.SIGPROF, stop)
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, QUICK_S)
            return {text: _render(text) for text in texts}
        finally:
            armed.clear()
    except (_TooLong, Exception):
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)


def _timed(text: Text) -> tuple[Rendered, float]:
    """Render a text, in the child: what it became, and the CPU time that it took."""
    before = time.process_time()
    return _render(text), time.process_time() - before


def _render(text: Text) -> Rendered:
    kind, source = text
    return render_markdown(source) if kind == MARKDOWN else Rendered(render_code(source))


def _plain(text: Text) -> Rendered:
    kind, source = text
    return Rendered(as_it_is(source) if kind == MARKDOWN else f'<div class="highlight">{as_it_is(source)}</div>')
