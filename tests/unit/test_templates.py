"""The templates of the pages: what they import does not hide what they are given."""

from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

from autograder.pages.environment import TEMPLATES


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_an_imported_macro_is_only_called(path: Path) -> None:
    """A value of the same name would never be shown: the page would have the macro's own name in its place"""
    tree = jinja2.Environment().parse(path.read_text(encoding="utf-8"))
    macros = {name if isinstance(name, str) else name[1] for found in tree.find_all(nodes.FromImport) for name in found.names}
    macros |= {macro.name for macro in tree.find_all(nodes.Macro)}
    macros -= {name.name for name in tree.find_all(nodes.Name) if name.ctx != "load"}  # a loop has a value of this name
    called = {id(call.node) for call in [*tree.find_all(nodes.Call), *(block.call for block in tree.find_all(nodes.CallBlock))]}
    shown = [name for name in tree.find_all(nodes.Name) if name.ctx == "load" and id(name) not in called]
    assert not macros & {name.name for name in shown}
