"""Widgets of a notebook that carry requests of a page to Python, and replies back; they need anywidget."""

import json
from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from arena.board.bundle import bundle, static


def _script(draw: str) -> Any:
    """Return the trait that holds the script of a widget; `draw` names the file and the function in it."""
    return traitlets.Unicode(f"{bundle('widget.js')}\n{bundle(f'{draw}.js')}\nexport default widget({draw});\n").tag(sync=True)


def _style(*names: str) -> Any:
    return traitlets.Unicode("\n".join(map(static, names))).tag(sync=True)


class AskingWidget(anywidget.AnyWidget):
    """An output cell with one of our scripts in it.

    Each script has a class of its own: anywidget keeps one style for each class.

    Args:
        answer: request -> reply, both plain data.
        shown: the output where no widget lives (a saved notebook, a page): {type: data}, "text/plain" among them.
    """

    def __init__(self, answer: Callable[[Any], dict[str, Any]], shown: dict[str, Any]) -> None:
        super().__init__()
        self._answer, self._shown = answer, shown
        self.on_msg(self._heard)

    def _heard(self, _: Any, content: Any, __: Any) -> None:
        """Answer a message. Both ways what is asked and replied is JSON text: in a browser's tab None would come as undefined."""
        if isinstance(content, dict) and "id" in content and isinstance(content.get("request"), str):
            self.send({"id": content["id"], "reply": json.dumps(self._answer(json.loads(content["request"])))})

    def _repr_mimebundle_(self, **options: Any) -> Any:
        data, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        return {**data, **self._shown}, metadata


class BoardWidget(AskingWidget):
    """The playable board; `answer` is that of a `Session`."""

    _esm, _css = _script("board"), _style("viewer.css", "board.css")


class TreeWidget(AskingWidget):
    """The viewer of a tree; `answer` is that of a `TreeView`."""

    _esm, _css = _script("tree"), _style("tree.css")
