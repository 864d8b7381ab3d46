"""The filters with which feedback and formgrader show cells: safe HTML, made within limits of time and memory.

For some texts, the rendering time grows with the square of the length, and a new release of the library may be slow for other
texts. So all cells of a notebook are rendered together with a time limit. If that is too slow, each cell is rendered in its
own child process with limits, until the notebook's time is used up. A text that could not be rendered is shown unrendered.
Most cells are the same in every submission of a class, so rendered texts are cached.
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
QUICK_S = 1.0  # CPU time for all new texts of a page; an honest page needs a tenth of it
PAGE_S, TEXT_S, MIB = 5.0, 1.0, 512  # for a slow page: its time, the time of one text, the memory of one text
MOST_KEPT = 1_024  # cached texts; for a time, those of one notebook more
_kept: dict[Text, Rendered] = {}


@pass_context
def markdown(context: Context, source: str) -> str:
    """Render markdown; replaces nbconvert's `markdown2html` in its templates."""
    attachments = (context.get("cell") or {}).get("attachments")
    return safe_markdown(source, attachments if isinstance(attachments, Mapping) else {}, context.get("nb"))


@pass_context
def highlight(context: Context, source: str, language: str | None = None, metadata: object = None) -> str:
    """Colour code; replaces nbconvert's `highlight_code` and accepts its other arguments."""
    return safe_code(source, context.get("nb"))


def safe_markdown(source: str, attachments: Mapping[str, Mapping[str, str]] | None = None, notebook: Any = None) -> str:
    """Return markdown as HTML that cannot run code; the other cells of its `notebook` are rendered together with it."""
    text, embedded = without_pictures(source)
    return with_pictures(_rendered((MARKDOWN, text), notebook), attachments or {}, embedded)


def safe_code(source: str, notebook: Any = None) -> str:
    """Return Python code as HTML with colours."""
    return _rendered((CODE, source), notebook).page


def _rendered(text: Text, notebook: Any) -> Rendered:
    if len(text[1]) > LONGEST_RENDERED:
        return _plain(text)
    if text not in _kept:
        wanted = dict.fromkeys(new for new in (*_texts(notebook), text) if len(new[1]) <= LONGEST_RENDERED and new not in _kept)
        _kept.update(_within_limits(list(wanted)))
    _kept[text] = rendered = _kept.pop(text)  # the text used last becomes the last entry
    for old in list(_kept)[: len(_kept) - MOST_KEPT] if len(_kept) > MOST_KEPT else ():
        del _kept[old]
    return rendered


def _texts(notebook: Any) -> Iterable[Text]:
    """Yield the texts of a notebook that its page will show."""
    for cell in (notebook or {}).get("cells", []):
        source, kind = cell.get("source", ""), cell.get("cell_type")
        if kind == MARKDOWN:
            yield MARKDOWN, without_pictures(source)[0]
        elif kind == CODE:
            yield CODE, source


def _within_limits(texts: list[Text]) -> dict[Text, Rendered]:
    """Render texts: fast ones at once, slow ones in child processes with limits."""
    _warm()
    if (quick := _quickly(texts)) is not None:
        return quick
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
    """Import what libraries import at first use: no text is charged for that time, and no child process repeats it."""
    _render((MARKDOWN, "*a*\n\n```python\nb\n```"))
    _render((CODE, "c = 1"))


class _TooLong(BaseException):
    """The time is over. A BaseException, because no library may catch it as one of its own errors."""


def _quickly(texts: list[Text]) -> dict[Text, Rendered] | None:
    """Render texts in this process, without a child; None if it takes too long, fails, or no timer can be set here."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGPROF) is not signal.SIG_DFL:
        return None  # only the main thread gets signals, and a timer that is already set must not be changed
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
    """Render a text in the child process; return the HTML and the CPU time."""
    before = time.process_time()
    return _render(text), time.process_time() - before


def _render(text: Text) -> Rendered:
    kind, source = text
    return render_markdown(source) if kind == MARKDOWN else Rendered(render_code(source))


def _plain(text: Text) -> Rendered:
    kind, source = text
    return Rendered(as_it_is(source) if kind == MARKDOWN else f'<div class="highlight">{as_it_is(source)}</div>')
