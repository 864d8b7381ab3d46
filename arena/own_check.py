"""Break it: what a student's own check says of an implementation, for the visible checks of these exercises."""

from collections.abc import Callable
from typing import Any

from arena.check import expect_true

MOST_CALLS = 3_000  # of one implementation by one check, at home and in grading; a check with random inputs needs some hundred


def verdict_of(own_check: Callable[[Any], None], implementation: Callable[..., Any],
               size: Callable[..., int] | None = None, most: int = 0, unit: str = "") -> str | None:
    """Return "AssertionError" if the check rejects the implementation, None if the check accepts it, as grading does.

    An exception that the implementation raises, and that the check lets through, is a rejection too. Any other exception of the
    check goes on to the caller. A check with more than MOST_CALLS calls is not accepted.

    size: the size of one call's arguments, in `unit`; if all calls together have more than `most`, the check is not accepted.
    """
    calls, sent, raised = 0, 0, False

    def counted(*args: Any, **named: Any) -> Any:
        nonlocal calls, sent, raised
        calls, raised = calls + 1, True
        answer = implementation(*args, **named)
        raised = False
        sent += size(*args, **named) if size else 0
        return answer

    verdict: str | None = None
    try:
        own_check(counted)
    except AssertionError:
        verdict = "AssertionError"
    except Exception:
        if not raised:
            raise
        verdict = "AssertionError"
    expect_true(calls <= MOST_CALLS, what=f"at most {MOST_CALLS:,} calls of one implementation", yours=f"{calls:,} calls",
                think="which of your calls show nothing new?")
    expect_true(sent <= most, what=f"at most {most:,} {unit} in all calls of one implementation", yours=f"{sent:,} {unit}",
                think="which of your calls show nothing new?")
    return verdict
