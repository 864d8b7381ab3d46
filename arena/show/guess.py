"""Predict first: a guess before an experiment, and beside its result afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Guess: TypeAlias = float | str | Sequence[Any] | None
COLOUR = "#555555"


def compare(guess: Guess, result: Guess, axes: Axes | None = None, *, at: float | None = None) -> None:
    """Print a guess beside the result, and draw a number into the plot.

    Args:
        guess: a number; or a word; or a list, the first place first. None: nothing was guessed.
        result: of the same kind, as the experiment measured it.
        axes: the plot that shows the result. A guessed number is a dashed line across it.
        at: the place on the horizontal axis for which the number was guessed: a star there instead of the line.

    A list is compared place by place. Nothing here is graded, and a guess of another kind is printed as it is.
    """
    if guess is None or guess == "" or guess == []:
        print("No guess yet. Write one into the first line, and run the cell again: what you did not expect, you will remember.")
        return
    print(f"your guess  {_text(guess)}\nthe result  {_text(result)}{_fits(guess, result)}")
    if axes is not None and isinstance(guess, int | float):
        if at is None:
            axes.axhline(guess, color=COLOUR, linestyle="--", linewidth=1, label="your guess")
        else:
            axes.plot([at], [guess], color=COLOUR, marker="*", markersize=14, markeredgecolor="white", linestyle="none",
                      label="your guess", zorder=6)  # a legend has 5: it must not hide the star
        axes.legend()


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
