"""The scores on the ladder as one picture: a row for each bot, the highest on top, on a common scale from 0 to 1.

Colours come from the page's style. What a colour says is also said by a form or a word.
"""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup, escape

from arena.challenge.ladder import PERFECT, Ladder
from arena.challenge.report import ChallengeReport, RungReport

NAMES, SCALE, RIGHT = 84, 220, 58  # widths in pixels: the bots' names, the scale from 0 to 1, the verdicts
ROW, TOP, BOTTOM = 30, 6, 26
SOFT = ' class="soft"'
SIGNS = {"passed": "✓", "failed": "✗", "undecided": "?", "played": "·"}


@dataclass(frozen=True)
class _Row:
    """A bot: its name, the scores of players who fail and who pass (None for Perfect), and the match, if there was one."""

    name: str
    marks: tuple[float, float] | None
    match: RungReport | None

    @property
    def words(self) -> str:
        """Return the row as a sentence for readers who do not see it."""
        if self.match is None:
            return f"{self.name}: not played"
        low, high = self.match.interval
        return f"{self.name}: {self.match.verdict}, score {self.match.score:.2f}, interval {low:.2f} to {high:.2f}"


def ladder_svg(report: ChallengeReport, ladder: Ladder) -> Markup:
    """Return the picture; its description names every bot with its score."""
    played = {match.name: match for match in report.matches}
    rows = [_Row(PERFECT, None, played.get(PERFECT)),
            *(_Row(rung.name, (rung.fail, rung.pass_), played.get(rung.name)) for rung in reversed(ladder.rungs))]
    height = TOP + len(rows) * ROW + BOTTOM
    shapes = "".join(_row(row, TOP + place * ROW + ROW / 2) for place, row in enumerate(rows))
    words = escape("your score against each bot, from 0 to 1. " + "; ".join(row.words for row in rows))
    return Markup(f'<svg class="scale" viewBox="0 0 {NAMES + SCALE + RIGHT} {height}" role="img" aria-label="{words}">'
                  f"{_grid(height - BOTTOM)}{shapes}</svg>")


def _grid(bottom: float) -> str:
    """Return the lines and numbers of the scale."""
    parts = []
    for score in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = _x(score)
        parts.append(f'<path class="grid" d="M{x:g} {TOP}V{bottom}"/><text class="soft" x="{x:g}" y="{bottom + 16}" '
                     f'text-anchor="middle">{score:g}</text>')
    return "".join(parts)


def _row(row: _Row, y: float) -> str:
    parts = [f'<text x="{NAMES - 12}" y="{y + 4:g}" text-anchor="end"{"" if row.match else SOFT}>{escape(row.name)}</text>']
    if row.marks is not None:
        fail, enough = map(_x, row.marks)
        parts.append(f'<path class="fail" d="M{fail:.1f} {y - 11:g}v22"/><path class="enough" d="M{enough:.1f} {y - 11:g}v22"/>')
    if row.match is None:
        return "".join(parts)
    low, high = map(_x, row.match.interval)
    parts.append(f'<rect class="interval" x="{low:.1f}" y="{y - 6:g}" width="{max(high - low, 2):.1f}" height="12" rx="3"/>'
                 f'<circle class="score" cx="{_x(row.match.score):.1f}" cy="{y:g}" r="4.5"/>'
                 f'<text x="{NAMES + SCALE + 12}" y="{y + 4:g}">{SIGNS[row.match.verdict]} {_short(row.match.score)}</text>')
    return "".join(parts)


def _short(score: float) -> str:
    return f"{score:.2f}".removeprefix("0")


def _x(score: float) -> float:
    return NAMES + SCALE * score
