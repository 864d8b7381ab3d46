"""A tree that is given as a list of lines, as a picture: "find the bug in this tree" of every problem set."""

from collections.abc import Sequence
from typing import Any

from arena.show.cards import Card, Picture, draw_cards, line


def draw_list(lines: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> Picture:
    """Draw a tree from its lines: at every node its name, and below it what its line says.

    Args:
        lines: (name, name of the parent or None, one value for each column) of every node, in any order.
        columns: what the values are. What is None or False is left out; of what is True the column's name alone is shown.
    """
    cards = {name: _card(name, dict(zip(columns, values, strict=True))) for name, _, *values in lines}
    for name, parent, *_ in lines:
        if parent is not None:
            cards[parent].children.append(cards[name])
    return draw_cards([cards[name] for name, parent, *_ in lines if parent is None])


def _card(name: str, values: dict[str, Any]) -> Card:
    """Return the card of a node: its name, and a line for each column that says something."""
    texts = [column if value is True else f"{column}\xa0{_text(value)}" for column, value in values.items()
             if value is not None and value is not False and value != []]
    return Card([line(name, 14, bold=True), *map(line, texts)])


def _text(value: Any) -> str:
    """Return a value in few letters: several results in pairs or numbers, side by side."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
