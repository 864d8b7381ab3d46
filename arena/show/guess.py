"""Predict first: a guess before an experiment, and beside its result afterwards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from arena.check import in_notebook

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Guess: TypeAlias = float | str | Sequence[Any] | None
COLOUR = "#555555"
SKIP = "skip"
EVERYWHERE = "ARENA_GUESS"  # set to "skip", this environment variable runs every experiment without a guess
ASK = f'Write your guess into the first line, then run the cell again; "{SKIP}" runs it without a guess.'


class GuessMissing(Exception):
    """Stops a cell whose question has no answer yet. A notebook shows the sentence alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:  # IPython shows these lines instead of its own
        return [ASK]


def predict_first(guess: Guess) -> None:
    """Let a cell run on if there is a guess, and otherwise ask for one and stop: a result that is seen first can't surprise.

    Args:
        guess: what `compare` takes. None and what is empty are no guess; "skip" runs the cell without one.

    Raises:
        GuessMissing: in a notebook; a program ends with the same sentence and exit code 1.
    """
    if not _is_missing(guess) or os.environ.get(EVERYWHERE) == SKIP:
        return
    if in_notebook():
        raise GuessMissing(ASK)
    raise SystemExit(ASK)


def compare(guess: Guess, result: Guess, axes: Axes | None = None, *, at: float | None = None) -> None:
    """Print a guess beside the result, and draw a number into the plot.

    Args:
        guess: a number; or a word; or a list, the first place first. Without one, or with "skip", the result is printed alone.
        result: of the same kind, as the experiment measured it.
        axes: the plot that shows the result. A guessed number is a dashed line across it.
        at: the place on the horizontal axis for which the number was guessed: a star there instead of the line.

    A list is compared place by place. Nothing here is graded, and a guess of another kind is printed as it is.
    """
    if _is_missing(guess) or _is_skip(guess):
        print(f"the result  {_text(result)}")
        return
    print(f"your guess  {_text(guess)}\nthe result  {_text(result)}{_fits(guess, result)}")
    if axes is not None and isinstance(guess, int | float):
        if at is None:
            axes.axhline(guess, color=COLOUR, linestyle="--", linewidth=1, label="your guess")
        else:
            axes.plot([at], [guess], color=COLOUR, marker="*", markersize=14, markeredgecolor="white", linestyle="none",
                      label="your guess", zorder=6)  # a legend has 5: it must not hide the star
        axes.legend()


def _is_missing(guess: object) -> bool:
    return guess is None or guess is ... or isinstance(guess, Sequence) and not guess


def _is_skip(guess: object) -> bool:
    return isinstance(guess, str) and guess.strip().lower() == SKIP


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _text(value: Any) -> str:
    if _is_list(value):
        return ", ".join(map(_text, value))
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


def _fits(guess: Any, result: Any) -> str:
    """In words: how many places of a list are right."""
    if not (_is_list(guess) and _is_list(result)):
        return ""
    right = sum(guessed == real for guessed, real in zip(guess, result, strict=False))
    return f"   ({right} of {len(result)} in the right place)"
