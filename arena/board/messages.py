"""A widget of a notebook that carries requests of a page to Python, and replies back; it needs anywidget."""

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from arena.board.bundle import bundle, static


class AskingWidget(anywidget.AnyWidget):
    """An output cell with one of our scripts in it.

    Args:
        draw: the name of the script and of the function in it, `tree` or `board`.
        answer: request -> reply, both plain data.
        shown: the output where no widget lives (a saved notebook, a page): {type: data}, "text/plain" among them.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)

    def __init__(self, draw: str, answer: Callable[[Any], dict[str, Any]], shown: dict[str, Any]) -> None:
        script = f"{bundle('widget.js')}\n{bundle(f'{draw}.js')}\nexport default widget({draw});\n"
        super().__init__(_esm=script, _css=static(f"{draw}.css"))
        self._answer, self._shown = answer, shown
        self.on_msg(self._heard)

    def _heard(self, _: Any, content: Any, __: Any) -> None:
        if isinstance(content, dict) and "id" in content:
            self.send({"id": content["id"], "reply": self._answer(content.get("request"))})

    def _repr_mimebundle_(self, **options: Any) -> Any:
        data, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        return {**data, **self._shown}, metadata
