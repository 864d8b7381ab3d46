"""Every player of the lessons on one axis, from random play to perfect play, by its mistakes at solved positions."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

from arena.strength.points import OWN, Point, point_of, read_points
from arena.strength.positions import Answer

# where a point comes from: its colour, its mark, its words. Marks differ too, for people who see no colours.
SOURCES = {
    "bots": ("#555555", "s", "a bot of the ladder"),
    "ps2_uct": ("#0072b2", "o", "problem set 2"),
    "ps3_connect_four": ("#00785a", "^", "problem set 3"),
    "ps4_puct": ("#a8447a", "D", "problem set 4"),
    "ps5_alphazero": ("#b84f00", "v", "problem set 5"),
    "perfect": ("#000000", "*", "the solver"),
    OWN: ("#7a4b00", "P", "you"),
}
ROW_INCHES = 0.24


@dataclass(frozen=True)
class Axis:
    """A picture that a notebook shows."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def draw_strength(replies: Sequence[Answer] = (), name: str = "your player") -> Axis:
    """Draw the players of all lessons, and one's own player among them.

    Args:
        replies: the own player's moves, from `arena.strength.positions.answers`; without them the others are drawn alone.
    """
    points = [*read_points(), *([point_of(name, OWN, list(replies))] if replies else [])]
    return Axis(picture(points).decode())


def picture(points: Sequence[Point]) -> bytes:
    """Return an SVG with a row for each point, the weakest player first; a line through a mark is a standard error each way.

    The picture has a white ground of its own, so that it can be read on a dark page too.
    """
    import matplotlib as mpl  # it takes a second, and only this function draws
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    rows = sorted(points, key=lambda point: -point.mistakes)
    with mpl.rc_context({"svg.hashsalt": "strength", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}):
        figure = Figure(figsize=(7.6, 1.2 + ROW_INCHES * len(rows)), layout="constrained", facecolor="white")
        axes = figure.add_subplot(xlabel="mistakes at the critical positions, % (mean of the six strata)")
        for place, point in enumerate(rows):
            colour, mark, _ = SOURCES[point.source]
            own = point.source == OWN
            axes.errorbar(100 * point.mistakes, place, xerr=100 * point.error, color=colour, marker=mark, ms=7 if own else 5)
            axes.annotate(f"{100 * point.mistakes:.1f}", (100 * (point.mistakes + point.error), place), (5, 0),
                          textcoords="offset points", va="center", color=colour, fontweight="bold" if own else "normal")
            if own:
                axes.axhspan(place - 0.5, place + 0.5, color="#fff3c4", zorder=0)
        axes.set_yticks(range(len(rows)), [point.name for point in rows])
        for label, point in zip(axes.get_yticklabels(), rows, strict=True):
            label.set_color(SOURCES[point.source][0])
            label.set_fontweight("bold" if point.source == OWN else "normal")
        axes.set(xlim=(-1, 100 * max(point.mistakes + point.error for point in rows) + 8), ylim=(len(rows) - 0.4, -0.6))
        axes.grid(axis="x", alpha=0.3)
        shown = [SOURCES[source] for source in SOURCES if source in {point.source for point in rows}]
        handles = [Line2D([], [], color=colour, marker=mark, linestyle="none", label=words) for colour, mark, words in shown]
        axes.legend(handles=handles, loc="lower right", frameon=True)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()
