"""Pages of pictures in a notebook: with a slider where scripts run, else one below the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from uuid import uuid4

from arena.show.board import GRID, INK
from arena.show.cards import Picture

PHASE_COLOUR = "#0a8f6a"

# Without scripts (in a notebook that was opened but not run, or on paper) the controls stay hidden and all pages show.
SCRIPT = """
(function () {
  const box = document.getElementById("%s"), pages = box.querySelectorAll("figure");
  const [back, range, on] = box.querySelectorAll("button, input"), count = box.querySelector("output");
  function turn(to) {
    range.value = Math.min(Math.max(to, 0), pages.length - 1);
    pages.forEach((page, i) => page.hidden = i != range.value);
    count.value = Number(range.value) + 1 + " / " + pages.length;
  }
  range.oninput = () => turn(Number(range.value));
  back.onclick = () => turn(Number(range.value) - 1);
  on.onclick = () => turn(Number(range.value) + 1);
  box.firstElementChild.style.display = "flex";
  turn(0);
})();
"""


@dataclass(frozen=True)
class Page:
    """One phase of one simulation: its text, and the tree after it."""

    title: str
    phase: str
    lines: Sequence[str]
    text: str
    picture: Picture


def slider(pages: Sequence[Page], phases: Sequence[str]) -> str:
    """Return HTML that shows `pages` one at a time; over each stands the row of `phases`, with the page's own phase in bold."""
    name = f"steps-{uuid4().hex}"
    controls = (f'<div style="display:none;gap:8px;align-items:center;margin-bottom:8px"><button type="button">◀</button>'
                f'<input type="range" min="0" max="{len(pages) - 1}" value="0" aria-label="page" style="flex:1;max-width:500px">'
                f'<button type="button">▶</button><output></output></div>')
    figures = "".join(_figure(page, phases) for page in pages)
    return (f'<div id="{name}" style="font-family:Helvetica,Arial,sans-serif;color:{INK};background:white;padding:8px">'
            f"{controls}{figures}</div><script>{SCRIPT % name}</script>")


def _figure(page: Page, phases: Sequence[str]) -> str:
    def name(phase: str) -> str:
        style = f"color:white;background:{PHASE_COLOUR};font-weight:bold" if phase == page.phase else f"border:1px solid {GRID}"
        return f'<span style="padding:2px 10px;border-radius:10px;{style}">{phase}</span>'

    heading = f"<b>{escape(page.title)}</b> " + " → ".join(map(name, phases))
    words = "<br>".join(map(escape, page.lines))
    return (f'<figure style="margin:0 0 16px 0"><figcaption><p style="margin:4px 0">{heading}</p>'
            f'<p style="margin:8px 0;font-family:monospace">{words}</p></figcaption>{page.picture.svg}</figure>')
