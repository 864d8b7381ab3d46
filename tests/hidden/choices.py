"""Choices by the highest score: cases in which the right choice is clear, and known mistakes choose something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from autograder.grading.edition import drawn_once


def argmax(scores: list[float]) -> int:
    """The index of the highest score."""
    return max(range(len(scores)), key=scores.__getitem__)


def clear_best(scores: list[float], margin: float = 1e-6) -> bool:
    """Whether the best score is ahead of the second by more than rounding can change."""
    ordered = sorted(scores)
    return ordered[-1] - ordered[-2] > margin


@drawn_once
def telling_cases(
    edition: Random, draw: Callable[[Random], tuple], right: Callable, mistakes: Mapping[str, Callable], each: int = 1
) -> list[tuple[tuple, int]]:
    """Random cases with the right choice; each mistake, named by its hint, chooses differently in at least `each` of them.

    `right(*case)` and every mistake give one score for each option; a case counts only if the right scores
    have a clear best, so that no tie and no rounding decides.
    """
    cases, waiting = [], dict.fromkeys(mistakes, each)
    while any(waiting.values()):
        case = draw(edition)
        scores = right(*case)
        if not clear_best(scores, 1e-3):
            continue
        best = argmax(scores)
        caught = [hint for hint, left in waiting.items() if left and argmax(mistakes[hint](*case)) != best]
        if caught:
            cases.append((case, best))
            for hint in caught:
                waiting[hint] -= 1
    return cases


def chosen_by(mistakes: Mapping[str, Callable], cases: list[tuple[tuple, int]]) -> dict[str, list[int]]:
    """The choices of each mistake in these cases, by its hint, for `recognise`; without those that choose the same everywhere."""
    rows = {hint: [argmax(mistake(*case)) for case, _ in cases] for hint, mistake in mistakes.items()}
    return {hint: row for hint, row in rows.items() if list(rows.values()).count(row) == 1}
