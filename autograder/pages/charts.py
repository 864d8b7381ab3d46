"""Small charts as inline SVG. Whoever cannot see them reads their label."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from autograder.grading.report import Outcome
from autograder.pages.short_report import LETTERS

BINS = 10
TALLEST_PX = 90


def histogram(scores: Sequence[float], top: float = 100.0) -> list[tuple[str, int]]:
    """Count scores in ten equal bins, and full points in a bin of their own: (label, count)."""
    counts = Counter(min(int(score * BINS / top), BINS) for score in scores)
    step = int(top / BINS)
    labels = [f"{bin * step}–{(bin + 1) * step - 1}" for bin in range(BINS)] + [f"{int(top)}"]
    return [(label, counts[bin]) for bin, label in enumerate(labels)]


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram: its scores as text, the lowest of them, the number of submissions, the height in pixels."""

    label: str
    low: str
    count: int
    height: int


def bars(scores: Sequence[float], tallest_px: int = TALLEST_PX) -> list[Bar]:
    """Return the histogram as bars that fit the page for any class size."""
    rows = histogram(scores)
    most = max([1, *(count for _, count in rows)])
    return [Bar(label, label.partition("–")[0], count, round(tallest_px * count / most)) for label, count in rows]


def small_histogram(scores: Sequence[float]) -> Markup:
    """Return the histogram for a row of a table, 110 x 28 pixels; a bar of nobody is a line."""
    shown = bars(scores, 28)
    label = ", ".join(f"{bar.label}: {bar.count}" for bar in shown if bar.count) or "nobody"
    heights = [max(1, bar.height) for bar in shown]
    rects = [f'<rect x="{10 * place}" y="{28 - height}" width="8" height="{height}"/>' for place, height in enumerate(heights)]
    return Markup('<svg class="small" viewBox="0 0 110 28" role="img" aria-label="{}">{}</svg>').format(
        f"submissions by points: {label}", Markup("".join(rects)))


def stack(counts: Mapping[Outcome, int]) -> Markup:
    """Return the shares of the outcomes as one bar; its colours are the page's classes for outcomes."""
    total, at, rects = sum(counts.values()) or 1, 0.0, []
    for outcome in Outcome:
        width = 100 * counts.get(outcome, 0) / total
        if width:
            rects.append(f'<rect class="{LETTERS[outcome]}" x="{at:.2f}" width="{width:.2f}" height="10"/>')
        at += width
    label = ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts.get(outcome)) or "nothing"
    drawn = Markup('<svg class="stack" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>')
    return drawn.format(label, Markup("".join(rects)))


def middle(scores: Sequence[float]) -> dict[str, float]:
    """Return median and mean; zeros for nobody."""
    return {"median": statistics.median(scores), "mean": statistics.mean(scores)} if scores else {"median": 0.0, "mean": 0.0}
