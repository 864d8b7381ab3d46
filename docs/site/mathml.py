"""Formulas as MathML, which browsers typeset themselves: no script, no font and no network."""

import re
from typing import Any
from xml.etree import ElementTree as ET

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
NAMED = ("arg", "exp", "ln", "log", "tanh")  # functions that are written with letters need a space before their argument
LIMITS = ("\u2211", "\u220f", "max", "min")  # what has its limits above and below, in a formula on its own line
UNDER = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}


def mathml(tex: str, *, block: bool) -> str:
    r"""Return a formula as a <math> element.

    Raises:
        ValueError: the converter does not know a command such as \foo.
    """
    root = ET.fromstring(convert(re.sub(r"\\arg\b", r"\\operatorname{arg}", tex), display="block" if block else "inline"))
    for node in root.iter():
        node.tag = node.tag.removeprefix(f"{{{NAMESPACE}}}")
        if "\\" in (node.text or ""):
            raise ValueError(f"the formula {tex!r} has a command that is not known: {node.text}")
    for node in list(root.iter()):
        if block and node.tag in UNDER and (node[0].text or "") in LIMITS:
            node.tag = UNDER[node.tag]
        _space_out(node)
    root.set("xmlns", NAMESPACE)
    root.set("alttext", tex.strip())
    return ET.tostring(root, encoding="unicode")


def _space_out(parent: ET.Element) -> None:
    """Put a thin space after ln, log and other names, unless a bracket follows."""
    children = list(parent)
    for place in range(len(children) - 2, -1, -1):
        name, following = children[place], children[place + 1]
        words = name if name.tag in ("mi", "mo") else name[0] if len(name) else name
        if parent.tag == "mrow" and (words.text or "") in (*NAMED, *LIMITS) and following.text not in ("(", "["):
            parent.insert(place + 1, ET.Element("mspace", width="0.167em"))


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(_typeset(node, block=False))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math" tabindex="0">{_typeset(node, block=True)}</div>')
    raise nodes.SkipNode


def _typeset(node: nodes.Element, *, block: bool) -> str:
    try:
        return mathml(node.astext(), block=block)
    except Exception as error:  # whatever the converter raises is a warning with the place in the page
        getLogger(__name__).warning("%s", error, location=node)
        return ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer; conf.py chooses it by `html_math_renderer`."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
