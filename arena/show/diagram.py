"""Boxes in a row with arrows between them, as SVG in plain Python: the loop of AlphaZero, the way of a value up the tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from arena.show.board import FONT, GRID, INK
from arena.show.cards import SOFT, WIDEST, Line, Picture, line

AROUND = 8.0  # between a text and the border of its box
SHAFT = 14.0  # of an arrow on each side of its text
HEAD = 7.0  # length of an arrow's head
DEEP = 26.0  # how far an arrow back runs below the boxes


@dataclass(frozen=True)
class Box:
    """A box: its lines, the first one in bold, and the colour of its text."""

    text: str
    colour: str = INK

    @property
    def lines(self) -> list[Line]:
        """The lines of the text."""
        first, *others = self.text.split("\n")
        return [line(first, 12, self.colour, bold=True), *(line(other, 11, self.colour) for other in others)]

    @property
    def width(self) -> float:
        """The width in points."""
        return max(text.width for text in self.lines) + 2 * AROUND

    @property
    def height(self) -> float:
        """The height in points."""
        return sum(text.height for text in self.lines) + 2 * AROUND

    def svg(self, x: float, middle: float) -> str:
        """Return the box around (x, middle)."""
        return _frame(x, middle, self.width, self.height, self.lines, AROUND, GRID)


@dataclass(frozen=True)
class Arrow:
    """The arrow to the next box, or from the last box back to the first one; its text stands on it.

    Attributes:
        text: lines, or "" for none.
        colour: of the text and of the arrow.
    """

    text: str = ""
    colour: str = SOFT

    @property
    def lines(self) -> list[Line]:
        """The lines of the text, all alike."""
        return [line(text, 10, self.colour) for text in self.text.split("\n")] if self.text else []

    @property
    def width(self) -> float:
        """The width of the text in points."""
        return max((text.width for text in self.lines), default=0.0) + 8

    @property
    def length(self) -> float:
        """The length in points, with the text."""
        return self.width + 2 * SHAFT + HEAD

    @property
    def height(self) -> float:
        """The height of the text in points."""
        return sum(text.height for text in self.lines) + 6

    def svg(self, points: Sequence[tuple[float, float]], middle: float) -> str:
        """Return a line through `points` with a head at the last one, and the text at `middle` on the first level part."""
        (x, y), (before_x, before_y) = points[-1], points[-2]
        across = (HEAD / 2, 0.0) if x == before_x else (0.0, HEAD / 2)
        back = (0.0, HEAD if before_y > y else -HEAD) if x == before_x else (-HEAD if before_x < x else HEAD, 0.0)
        way = " ".join(f"{a:.1f},{b:.1f}" for a, b in [*points[:-1], (x + back[0], y + back[1])])
        head = " ".join(f"{x + back[0] + sign * across[0]:.1f},{y + back[1] + sign * across[1]:.1f}" for sign in (1, -1))
        level = next(a[1] for a, b in zip(points, points[1:], strict=False) if a[1] == b[1])
        shapes = (f'<polyline points="{way}" fill="none" stroke="{self.colour}" stroke-width="1.5"/>'
                  f'<polygon points="{x:.1f},{y:.1f} {head}" fill="{self.colour}"/>')
        return shapes + (_frame(middle, level, self.width, self.height, self.lines, 3, "none") if self.lines else "")


def draw_row(boxes: Sequence[Box], arrows: Sequence[Arrow], *, title: str, describe: str, heading: str = "") -> Picture:
    """Draw boxes from left to right with an arrow from each to the next one.

    Args:
        arrows: one less than boxes; one more of them leads from the last box back to the first one.
        title, describe: what those hear who do not see the picture: its name, and what it shows.
        heading: a line above the boxes.

    All texts stand on white, so that the picture is right on a dark page too.

    Raises:
        ValueError: the number of arrows fits neither a row nor a loop.
    """
    if len(arrows) not in (len(boxes) - 1, len(boxes)):
        raise ValueError(f"{len(boxes)} boxes have {len(boxes) - 1} arrows, or {len(boxes)} in a loop, not {len(arrows)}")
    above = line(heading, 12, INK, bold=True)
    top = above.height + 10 if heading else 2.0
    tall = max([box.height for box in boxes] + [arrow.height for arrow in arrows[:len(boxes) - 1]])
    middle, right = top + tall / 2, 2.0
    centres: list[float] = []
    shapes: list[str] = []
    for place, box in enumerate(boxes):
        if place:
            arrow = arrows[place - 1]
            shapes.append(arrow.svg([(right, middle), (right + arrow.length, middle)], right + (arrow.length - HEAD) / 2))
            right += arrow.length
        centres.append(right + box.width / 2)
        shapes.append(box.svg(centres[-1], middle))
        right += box.width
    width, height = right + 2, top + tall + 2
    if len(arrows) == len(boxes):
        low = top + tall + DEEP
        ends = [middle + box.height / 2 for box in (boxes[-1], boxes[0])]
        corners = [(centres[-1], ends[0]), (centres[-1], low), (centres[0], low), (centres[0], ends[1])]
        shapes.insert(0, arrows[-1].svg(corners, (centres[0] + centres[-1]) / 2))
        height = low + arrows[-1].height / 2 + 2
    if heading:
        wide = above.width + 12
        shapes.append(_frame(max(width / 2, wide / 2 + 2), top / 2, wide, above.height + 4, [above], 2, "none"))
        width = max(width, wide + 4)
    scale = min(1.0, WIDEST / width)
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" width="{width * scale:.1f}pt" '
        f'height="{height * scale:.1f}pt" role="img" font-family="{FONT}" text-anchor="middle">'
        f'<title>{escape(title)}</title><desc>{escape(describe)}</desc>{"".join(shapes)}</svg>', len(boxes))


def _frame(x: float, middle: float, width: float, height: float, lines: Sequence[Line], around: float, border: str) -> str:
    """Return a white box around (x, middle) with its lines."""
    at = middle - height / 2
    shapes = [f'<rect x="{x - width / 2:.1f}" y="{at:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6" fill="white" '
              f'stroke="{border}"/>']
    at += around
    for text in lines:
        shapes.append(text.svg(x, at))
        at += text.height
    return "".join(shapes)
