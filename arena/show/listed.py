"""A tree that is given as a list of lines, as a picture: "find the bug in this tree" of every problem set."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from arena.show.board import FONT, GRID, INK
from arena.show.tree import SPACE

if TYPE_CHECKING:
    import graphviz


def draw_list(lines: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> "graphviz.Digraph":
    """Draw a tree from its lines: at every node its name, and below it what its line says.

    Args:
        lines: (name, name of the parent or None, one value for each column) of every node, in any order.
        columns: what the values are. What is None or False is left out; of what is True the column's name alone is shown.
    """
    import graphviz

    dot = graphviz.Digraph(
        graph_attr={"nodesep": "0.12", "ranksep": "0.35", "splines": "line", "ordering": "out", "bgcolor": "transparent"},
        node_attr={"shape": "plain", "fontsize": "11", "fontname": FONT, "fontcolor": INK},
        edge_attr={"arrowhead": "none", "tailport": "s", "headport": "n", "color": GRID})
    for name, _, *values in lines:
        dot.node(name, _label(name, dict(zip(columns, values, strict=True))))
    for name, parent, *_ in lines:
        if parent is not None:
            dot.edge(parent, name)
    return dot


def _label(name: str, said: dict[str, Any]) -> str:
    """Return a node as a table in graphviz' HTML: its name, and a row for each column that says something."""
    told = [column if value is True else f"{column}{SPACE}{escape(_text(value))}" for column, value in said.items()
            if value is not None and value is not False and value != []]
    rows = "".join(f"<TR><TD>{line}</TD></TR>" for line in (f'<FONT POINT-SIZE="14"><B>{escape(name)}</B></FONT>', *told))
    return (f'<<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2" STYLE="ROUNDED" COLOR="{GRID}" '
            f'BGCOLOR="white">{rows}</TABLE>>')


def _text(value: Any) -> str:
    """Return a value in few letters: several results in pairs or numbers, side by side."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
