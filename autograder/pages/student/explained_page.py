"""The page that answers a student's complaint about one hidden check, without the positions of the course's edition."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.pages.environment import environment


def explained_page(
    exercise: str, title: str, line: str, hint: str | None, promise: Sequence[str],
    *, verdict: Sequence[str] = (), calls: Sequence[str] = (), why_not: str = "",
) -> str:
    """Return the page as HTML.

    Args:
        line, hint: the sentence of the check and its advice, as in the student's report.
        promise: the lesson's words.
        verdict, calls: what was expected and what came, and the calls, on inputs that may be shown.
        why_not: the sentence in place of these, if nothing may be shown.
    """
    return environment().get_template("explained.html").render(
        exercise=exercise, title=title, line=line, hint=hint, promise=promise, verdict=verdict, calls=calls, why_not=why_not
    )
