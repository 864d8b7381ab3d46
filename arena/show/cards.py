"""A tree of cards as SVG, in plain Python: each level in a row, a parent above the middle of its children; sizes in points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import zip_longest
from pathlib import Path

from arena.show.board import FONT, GRID, INK

SOFT = "#6b7683"  # readable on a light and on a dark page
GAP, PADDING = 8.0, 4.0  # between cards side by side, and inside a card
DROP, TEXT_DROP = 26.0, 38.0  # between two levels, and where edges have texts
WIDEST = 756.0  # of a picture: a wider one is made smaller, so that it fits into a notebook
# The width of a letter as a share of its size, for the widest of the usual fonts; no font is asked.
_WIDTHS = {**dict.fromkeys("ijlI.,:;'|! \xa0", 0.33), **dict.fromkeys("mwMW", 0.95), **dict.fromkeys("−+=→∞≠", 0.84)}


@dataclass(frozen=True)
class Line:
    """A line of text on a card: pieces, each with True if it is bold."""

    pieces: tuple[tuple[str, bool], ...]
    size: float = 11
    colour: str = INK

    @property
    def width(self) -> float:
        """The width in points, rather too large than too small."""
        return sum(_WIDTHS.get(letter, 0.64) * self.size * (1.1 if bold else 1) for text, bold in self.pieces for letter in text)

    @property
    def height(self) -> float:
        """The height in points, with the space to the next line."""
        return self.size + 6

    def svg(self, middle: float, top: float) -> str:
        """Return the text, centred at `middle`."""
        pieces = "".join(f'<tspan font-weight="bold">{escape(text)}</tspan>' if bold else escape(text)
                         for text, bold in self.pieces)
        return (f'<text x="{middle:.1f}" y="{top + self.size + 1:.1f}" font-size="{self.size:g}" fill="{self.colour}">'
                f"{pieces}</text>")


def line(text: str, size: float = 11, colour: str = INK, *, bold: bool = False) -> Line:
    """Return a line of one piece."""
    return Line(((text, bold),), size, colour)


@dataclass(frozen=True)
class Drawing:
    """Shapes in a box of this size, with the corner (0, 0)."""

    shapes: str
    width: float
    height: float

    def svg(self, middle: float, top: float) -> str:
        """Return the shapes at their place."""
        return f'<g transform="translate({middle - self.width / 2:.1f} {top:.1f})">{self.shapes}</g>'


@dataclass
class Card:
    """A node of the picture.

    Attributes:
        edge: the text beside the edge from the parent; "" for none.
        edge_colour: None is a thin grey edge.
    """

    rows: Sequence[Line | Drawing]
    border: str = GRID
    fill: str = "white"
    thickness: float = 1
    edge: str = ""
    edge_colour: str | None = None
    children: list[Card] = field(default_factory=list)
    x: float = 0.0  # the middle, first from the parent's middle and at last in the picture

    @property
    def width(self) -> float:
        """The width in points."""
        return max(row.width for row in self.rows) + 2 * PADDING

    @property
    def height(self) -> float:
        """The height in points."""
        return sum(row.height for row in self.rows) + 2 * PADDING

    def svg(self, top: float) -> str:
        """Return the card without its edge."""
        shapes = [f'<rect x="{self.x - self.width / 2:.1f}" y="{top:.1f}" width="{self.width:.1f}" height="{self.height:.1f}" '
                  f'rx="8" fill="{self.fill}" stroke="{self.border}" stroke-width="{self.thickness:g}"/>']
        at = top + PADDING
        for row in self.rows:
            shapes.append(row.svg(self.x, at))
            at += row.height
        return "".join(shapes)

    def edge_svg(self, parent: Card, bottom: float, top: float) -> str:
        """Return the edge from the parent, which ends at `bottom`; its text stands where the line does not pass."""
        look = f'stroke="{GRID}"' if self.edge_colour is None else f'stroke="{self.edge_colour}" stroke-width="3"'
        shapes = f'<line x1="{parent.x:.1f}" y1="{bottom:.1f}" x2="{self.x:.1f}" y2="{top:.1f}" {look}/>'
        if self.edge:
            side, anchor = (-5, "end") if self.x < parent.x else (5, "start")
            shapes += (f'<text x="{self.x + side:.1f}" y="{top - 5:.1f}" font-size="9" fill="{SOFT}" text-anchor="{anchor}">'
                       f'{escape(self.edge)}</text>')
        return shapes


@dataclass(frozen=True)
class Picture:
    """A drawn tree: a notebook displays it, `svg` is the drawing, `save` writes it into a file."""

    svg: str = field(repr=False)
    num_nodes: int

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write an SVG file, which browsers and text editors open and print."""
        Path(path).write_text(self.svg, encoding="utf-8")


def draw_cards(roots: Sequence[Card], *, title: str = "", describe: str = "") -> Picture:
    """Return the picture of trees side by side, usually of one.

    Args:
        title, describe: what those hear who do not see the picture: its name, and in a sentence or two what it shows.
    """
    contour = _side_by_side(roots)
    left = min(start for start, _ in contour)
    wide = max(end for _, end in contour) - left
    shapes: list[str] = []
    level: list[tuple[Card, Card | None, float]] = [(root, None, 0.0) for root in roots]
    top, count, bottom = 2.0, 0, 0.0
    while level:
        below: list[tuple[Card, Card | None, float]] = []
        bottom = top + max(card.height for card, *_ in level)
        for card, parent, parent_bottom in level:
            card.x += 2 - left if parent is None else parent.x
            if parent is not None:
                shapes.insert(0, card.edge_svg(parent, parent_bottom, top))  # behind the cards
            shapes.append(card.svg(top))
            below += [(child, card, top + card.height) for child in card.children]
        count += len(level)
        level, top = below, bottom + (TEXT_DROP if any(child.edge for child, *_ in below) else DROP)
    width, height = wide + 4, bottom + 2
    scale = min(1.0, WIDEST / width)
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" width="{width * scale:.1f}pt" '
        f'height="{height * scale:.1f}pt" role="img" font-family="{FONT}" text-anchor="middle">'
        f"<title>{escape(title or f'a tree of {count} nodes')}</title>{f'<desc>{escape(describe)}</desc>' if describe else ''}"
        f'{"".join(shapes)}</svg>', count)


Contour = list[tuple[float, float]]  # the left and the right end of a tree at each level below its root's


def _contour(card: Card) -> Contour:
    """Place all cards below `card`, and return the contour of its tree from the card's middle."""
    half = card.width / 2
    below = _side_by_side(card.children)
    middle = (card.children[0].x + card.children[-1].x) / 2 if card.children else 0.0
    for child in card.children:
        child.x -= middle
    return [(-half, half), *((start - middle, end - middle) for start, end in below)]


def _side_by_side(cards: Sequence[Card]) -> Contour:
    """Place trees side by side, as near as their levels allow; the first card's middle is at 0."""
    whole: Contour = []
    for card in cards:
        own = _contour(card)
        card.x = max((end + GAP - start for (_, end), (start, _) in zip(whole, own, strict=False)), default=0.0)
        moved = [(start + card.x, end + card.x) for start, end in own]
        whole = [(before[0] if before else new[0], new[1] if new else before[1])
                 for before, new in zip_longest(whole, moved)]
    return whole
