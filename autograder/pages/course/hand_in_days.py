"""When a set was handed in: by day since students got it, or, where nobody knows that day, before and after its due date."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

LEAST = 10  # hand-ins whose time is known, and at least half of all; fewer say nothing about the class
MOST_BARS = 40
WIDTH, HEIGHT, EDGE, TOP = 620, 180, 34, 16  # of the picture, in its own units


@dataclass(frozen=True)
class HandInDays:
    """The hand-ins of a set in time, a team's once.

    days: of those whose time is known, from the beginning.    number: of all.
    due: the due date of the class, in the same days; None without one.
    from_release: whether the beginning is the day on which students got the set; else it is the due date, and `due` is 0.
    """

    days: Sequence[float]
    number: int
    due: float | None
    from_release: bool

    @property
    def is_enough(self) -> bool:
        """Whether so many times are known that they show the class."""
        return len(self.days) >= max(LEAST, self.number / 2)

    @property
    def in_words(self) -> str:
        """What the bars are, when the middle hand-in came, and of how many no time is known."""
        middle = statistics.median(self.days)
        unknown = self.number - len(self.days)
        said = [f"Hand-ins by days {'since students got the set' if self.from_release else 'before and after the due date'}"
                f"{'; the line is the due date' if self.due is not None else ''}."]
        around = f"{_days(abs(middle))} {'after' if middle > 0 else 'before'} it"
        said += [f"Half of them were there {f'after {_days(middle)}' if self.from_release else around}."]
        said += [f"Of {unknown} {'hand-in' if unknown == 1 else 'hand-ins'} no time is known."] if unknown else []
        return " ".join(said)


def picture(times: HandInDays | None) -> Markup | None:
    """Return a bar for each day, or for a few days where there are many; None if too few times are known."""
    if times is None or not times.is_enough:
        return None
    first, last = min(0.0, *times.days), max(*times.days, times.due or 0.0)
    wide = max(1, math.ceil((last - first) / MOST_BARS))
    begin = math.floor(first / wide)
    counts = Counter(math.floor(day / wide) - begin for day in times.days)
    bars = max(math.floor(last / wide) - begin, *counts) + 1
    step, bottom, most = (WIDTH - 2 * EDGE) / bars, HEIGHT - EDGE, max(counts.values())

    def at(day: float) -> float:
        return EDGE + (day / wide - begin) * step

    drawn = [Markup('<rect class="dot" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
        EDGE + place * step + 1, bottom - height, max(step - 2, 1), height)
        for place in sorted(counts) if (height := (bottom - TOP) * counts[place] / most)]
    axis = Markup('<line x1="{0}" y1="{1}" x2="{2}" y2="{1}"/>').format(EDGE, bottom, WIDTH - EDGE)
    ends = (begin * wide, (begin + bars) * wide)
    words = Markup('<text x="{}" y="{}">{}</text><text class="end" x="{}" y="{}">{}</text>').format(
        EDGE, HEIGHT - 14, _label(ends[0], times), WIDTH - EDGE, HEIGHT - 14, _label(ends[1], times))
    words += Markup('<text x="{}" y="{}">{}</text>').format(EDGE, TOP - 4, f"at most {most} in {_days(wide)}")
    line = Markup("") if times.due is None else Markup('<line class="due" x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}"/>').format(
        at(times.due), TOP, bottom + 6)
    told = "; ".join(f"{_label((place + begin) * wide, times)}: {counts[place]}" for place in sorted(counts))
    return Markup('<svg class="items" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}{}</svg>').format(
        WIDTH, HEIGHT, told, axis, words, Markup("").join(drawn), line)


def _label(day: int, times: HandInDays) -> str:
    if times.from_release:
        return f"day {day}"
    return f"{_days(abs(day))} {'before' if day < 0 else 'after'}" if day else "due"


def _days(days: float) -> str:
    number = f"{days:.1f}".removesuffix(".0")
    return f"{number} day{'' if number == '1' else 's'}"
