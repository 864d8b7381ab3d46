"""A search tree as one HTML file that opens from a folder: its nodes are inside it, and it asks nobody."""

from collections.abc import Mapping
from html import escape
from typing import Any

from arena.board.bundle import bundle, static
from arena.board.inline import allowed, data_text
from arena.board.tree_view import ROOT, Reply, TreeView

MAX_NODES = 1000  # about 300 bytes each

# `ask` of the viewer over what the page holds.
SCRIPT = """
const held = JSON.parse(document.getElementById("held").textContent);
let next = 0;
tree(document.getElementById("tree"), async (request) => {
  if (request.kind === "start") { next = 0; return held.start; }
  if (request.kind === "phase") return held.phases[next++] || { error: "No more simulations in this page: reload begins again." };
  const found = request.ids.filter((id) => id in held.nodes);
  if (!found.length) return { error: `This page holds the ${held.count} most visited nodes; nodes below them are not in it.` };
  return { nodes: Object.fromEntries(found.map((id) => [id, held.nodes[id]])) };
});
"""

STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 12px; max-width: 1500px; font: 15px/1.5 system-ui, Helvetica, Arial, sans-serif;
  background: light-dark(#ffffff, #14181d); color: light-dark(#222831, #e6eaee); }
h1 { font-size: 1.3rem; margin: 0 0 8px; overflow-wrap: anywhere; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
"""

KEYS = "In the list, the arrow keys walk the tree and Enter opens a node. Drag the picture; Ctrl and the wheel zoom."


def tree_html(view: TreeView, *, title: str, words: str = "", max_nodes: int = MAX_NODES, num_simulations: int = 0) -> str:
    """Return the page of a tree.

    Args:
        view: the tree; its phases, if there are any, run `num_simulations` times, after its nodes were read.
        title, words: over the tree, shown as text.
        max_nodes: nodes in the page at most; the most visited ones come first.

    A simulation that fails ends the recording, and the page shows the sentence at that place.

    Raises:
        UnreadableNode: the root cannot be read.
    """
    start = view.answer({"kind": "start"})
    nodes = {} if "error" in start else _most_visited(view, start, max_nodes)
    if not num_simulations:
        start = {**start, "phases": False}
    phases: list[Reply] = []
    while num_simulations and "error" not in start and len(phases) < 4 * num_simulations:
        phases.append(view.answer({"kind": "phase"}))
        if "error" in phases[-1]:
            break
    count = sum(len(reply["children"]) for reply in nodes.values()) + 1
    return _page(title, words, {"start": start, "nodes": nodes, "phases": phases, "count": count})


def _most_visited(view: TreeView, start: Reply, max_nodes: int) -> dict[str, Reply]:
    """Return the nodes with their children, {id: reply}, until the children would be more than `max_nodes`."""
    held: dict[str, Reply] = {ROOT: start["nodes"][ROOT]}
    count, waiting = 1 + len(held[ROOT]["children"]), list(held[ROOT]["children"])
    while waiting:
        waiting.sort(key=lambda node: node.get("n", 0))
        wanted = [node for node in waiting[-100:] if node.get("children")]
        del waiting[-100:]
        answer = view.answer({"kind": "nodes", "ids": [node["id"] for node in wanted]}) if wanted else {"nodes": {}}
        for id, reply in sorted(answer.get("nodes", {}).items(), key=lambda item: -item[1]["node"]["n"]):
            if count + len(reply["children"]) > max_nodes:
                return held
            held[id] = reply
            count += len(reply["children"])
            waiting += reply["children"]
    return held


def _page(title: str, words: str, held: Mapping[str, Any]) -> str:
    script = f"{bundle('tree.js')}{SCRIPT}"
    style = f"{STYLE}{static('tree.css')}"
    policy = f"default-src 'none'; base-uri 'none'; form-action 'none'; script-src {allowed(script)}; style-src {allowed(style)}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p>{escape(words)} {KEYS}</p>
<noscript><p>The tree needs scripts; this page loads none from elsewhere.</p></noscript>
<div id="tree"></div>
</main>
<script type="application/json" id="held">{data_text(held)}</script>
<script type="module">{script}</script>
</body>
</html>
"""
