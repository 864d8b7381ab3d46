"""A slide as SVG: words, boards, trees and curves in sizes that the last row can read; the same numbers give the same bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from arena.games.game import Game, State
from arena.show.board import FONT, GRID, INK, LAST, squares

WIDTH, HEIGHT = 960, 540
SOFT, GREEN, PURPLE, PALE = "#4d5965", "#0a7d5e", "#7a3fae", "#f3f5f7"
LINES = ("#0b6fb8", "#d9541e", GREEN, PURPLE)  # curves, in this order
SMALLEST = 20  # of 540: smaller words are not read from the last row


@dataclass
class Slide:
    """A picture of 960 by 540 with a title; `alt` says in words what it shows."""

    title: str
    alt: str
    shapes: list[str] = field(default_factory=list)

    def text(
        self, x: float, y: float, words: str, size: int = 22, *, colour: str = INK, anchor: str = "middle", bold: bool = False
    ) -> None:
        """Write a line of words; `y` is its base line."""
        weight = ' font-weight="bold"' if bold else ""
        self.shapes.append(
            f'<text x="{_n(x)}" y="{_n(y)}" font-size="{max(size, SMALLEST)}" text-anchor="{anchor}" '
            f'fill="{colour}"{weight}>{escape(words)}</text>'
        )

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str = "white", stroke: str = GRID, thick: float = 1
    ) -> None:
        """Draw a rectangle."""
        self.shapes.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="{_n(thick)}"/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str = "white", stroke: str = GRID, thick: float = 2) -> None:
        """Draw a circle."""
        self.shapes.append(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" stroke="{stroke}" stroke-width="{_n(thick)}"/>'
        )

    def line(self, points: Sequence[tuple[float, float]], colour: str = GRID, thick: float = 2, dash: str = "") -> None:
        """Draw a line through points."""
        places = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.shapes.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{_n(thick)}"{dashes}/>')

    def board(
        self, game: Game, state: State, x: float, y: float, square: float, marked: Mapping[tuple[int, int], str] | None = None
    ) -> None:
        """Draw a board with its upper left corner at (x, y); `marked` gives squares a colour."""
        shapes = "".join(squares(game, state, square, marked or {}))
        self.shapes.append(f'<g transform="translate({_n(x)} {_n(y)})">{shapes}</g>')

    def svg(self) -> str:
        """Return the file."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'role="img" font-family="{FONT}">\n<title>{escape(self.alt)}</title>\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n'
            f'<text x="30" y="44" font-size="30" font-weight="bold" fill="{INK}">{escape(self.title)}</text>\n'
            + "\n".join(self.shapes)
            + "\n</svg>\n"
        )


@dataclass
class Chart:
    """Axes on a slide: the frame (left, top, right, bottom), the range of each axis, and where its numbers are."""

    slide: Slide
    frame: tuple[float, float, float, float]
    x_ticks: Sequence[float]
    y_ticks: Sequence[float]
    x_words: str
    y_words: str = ""
    log: bool = False  # the x axis

    def __post_init__(self) -> None:
        left, top, right, bottom = self.frame
        self.slide.rect(left, top, right - left, bottom - top, "white")
        for tick in self.x_ticks:
            x, _ = self.place(tick, self.y_ticks[0])
            self.slide.line([(x, bottom), (x, bottom + 7)])
            self.slide.text(x, bottom + 30, f"{tick:,g}" if tick < 1000 else f"{tick:,.0f}", 20, colour=SOFT)
        for tick in self.y_ticks:
            _, y = self.place(self.x_ticks[0], tick)
            self.slide.line([(left, y), (right, y)], "#dde3e8", 1)
            self.slide.text(left - 10, y + 7, f"{tick:g}", 20, colour=SOFT, anchor="end")
        self.slide.text((left + right) / 2, bottom + 60, self.x_words, 22)
        self.slide.text(left - 40, top - 16, self.y_words, 22, anchor="start")

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the data is on the slide."""
        left, top, right, bottom = self.frame
        low, high, x = (
            (math.log(max(value, 1e-9)) for value in (self.x_ticks[0], self.x_ticks[-1], x))
            if self.log
            else (self.x_ticks[0], self.x_ticks[-1], x)
        )
        first, last = self.y_ticks[0], self.y_ticks[-1]
        return left + (right - left) * (x - low) / (high - low), bottom - (bottom - top) * (y - first) / (last - first)

    def curve(self, points: Sequence[tuple[float, float]], colour: str, dash: str = "", thick: float = 4) -> None:
        """Draw a curve through points of the data."""
        self.slide.line([self.place(x, y) for x, y in points], colour, thick, dash)


def bars(
    slide: Slide,
    frame: tuple[float, float, float, float],
    names: Sequence[str],
    groups: Sequence[tuple[str, Sequence[float]]],
    marked: Sequence[int] = (),
) -> None:
    """Draw for each name a bar of each group (its share, 0 to 1), with the groups' names above; marked names are in colour."""
    left, top, right, bottom = frame
    step = (right - left) / len(names)
    wide = 0.8 * step / len(groups)
    most = max(max(shares) for _, shares in groups)
    legend = left
    for number, (words, shares) in enumerate(groups):
        colour = LINES[number]
        slide.rect(legend, top - 46, 22, 22, colour, colour)
        slide.text(legend + 32, top - 27, words, 22, anchor="start")
        legend += 60 + 12 * len(words)  # a character of this size is about 12 wide
        for place, share in enumerate(shares):
            high, x = (bottom - top - 26) * share / most, left + place * step + 0.1 * step + number * wide
            slide.rect(x, bottom - high, wide, high, colour, colour)
            if wide >= 34:
                slide.text(x + wide / 2, bottom - high - 6, f"{100 * share:.0f}", 20, colour=colour)
    slide.line([(left, bottom), (right, bottom)], INK)
    for place, name in enumerate(names):
        slide.text(
            left + (place + 0.5) * step, bottom + 30, name, 22, bold=place in marked, colour=GREEN if place in marked else INK
        )


def places_of(width: int, actions: Sequence[int], colour: str = LAST) -> dict[tuple[int, int], str]:
    """Return the squares of actions, for `Slide.board`."""
    return {divmod(action, width): colour for action in actions}


def _n(number: float) -> str:
    """Return a number with one decimal at most."""
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")
