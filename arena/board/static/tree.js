// A search tree to look at: `tree(root, ask)` fills the element `root`; `ask(request)` returns a promise of the reply of
// arena.board.tree_view. Returns {end}: `end()` empties `root` again.

import { drawDetails } from "./tree_details.js";
import { html } from "./elements.js";
import { layout } from "./tree_layout.js";
import { outline } from "./tree_outline.js";
import { phases } from "./tree_phases.js";
import { picture } from "./tree_picture.js";

const MOST = 20000;   // nodes shown at one time
const AT_ONCE = 500;  // nodes in one request
const NO_MARKS = { path: new Set(), new: new Set(), notes: new Map(), before: new Map() };

export function tree(root, ask) {
  const nodes = new Map(), children = new Map(), open = new Set();
  let start = null, chosen = "r", marks = NO_MARKS, placed = [], box = { width: 1, levels: [] }, forget = () => {};

  const button = (words, click, label) => html("button", { type: "button", click, "aria-label": label, title: label }, words);
  const count = html("span", { class: "count" }), problem = html("p", { class: "problem", role: "alert", hidden: true });
  const frame = html("div", { class: "picture" }), details = html("div", { class: "details", role: "group", "aria-label": "the node" });
  const side = html("div", { class: "side" }), steps = html("div", { class: "phases" });
  const bar = html("div", { class: "bar", role: "group", "aria-label": "view" },
    button("+", () => drawing.zoom(1.4), "zoom in"), button("−", () => drawing.zoom(1 / 1.4), "zoom out"),
    button("fit", () => drawing.fit(), "show the whole tree"), button("open a level", openLevel, "open one more level of the tree"),
    button("best line", openLine, "open the most visited line"), button("reload", load, "read the tree again"), count);
  const viewer = html("div", { class: "mcts-tree" }, bar, steps, problem,
    html("div", { class: "panes" }, frame, side));
  root.append(viewer);
  const list = outline(side, { choose, toggle });
  side.append(details);
  const drawing = picture(frame, { choose: (id) => { choose(id, false); list.focus(); }, toggle: (id) => toggle(id, false), hover });

  async function asked(request, quiet = false) {
    let reply;
    try {
      reply = await ask(request);
    } catch (failure) {
      reply = { error: `no answer: ${failure.message}` };
    }
    problem.hidden = quiet || !reply.error;
    problem.textContent = quiet ? "" : reply.error || "";
    return reply.error ? null : reply;
  }

  function keep(replies) {
    for (const [id, reply] of Object.entries(replies)) {
      nodes.set(id, reply.node);
      const sorted = [...reply.children].sort((a, b) => (Number(a.action) || 0) - (Number(b.action) || 0));
      for (const child of sorted) nodes.set(child.id, child);
      children.set(id, sorted.map((child) => child.id));
    }
  }

  // Asks for those of the nodes whose children are not known; returns those whose children are known then.
  async function fetchChildren(ids, quiet = false) {
    const missing = ids.filter((id) => !children.has(id));
    for (let i = 0; i < missing.length; i += AT_ONCE) {
      const reply = await asked({ kind: "nodes", ids: missing.slice(i, i + AT_ONCE) }, quiet);
      if (reply === null) break;
      keep(reply.nodes);
    }
    return ids.filter((id) => children.has(id));
  }

  async function load() {
    const reply = await asked({ kind: "start" });
    if (reply === null) return;
    start = reply;
    nodes.clear();
    children.clear();
    open.clear();
    keep(reply.nodes);
    open.add("r");
    chosen = "r";
    marks = NO_MARKS;
    if (reply.phases && !steps.hasChildNodes()) forget = phases(steps, nextPhase, mark);
    forget();
    arrange();
    drawing.fit();
  }

  function arrange() {
    const result = layout("r", nodes, (id) => (open.has(id) ? children.get(id) || [] : []), start.shape);
    placed = result.placed;
    box = result;
    show();
  }

  function show() {
    const scene = { placed, width: box.width, levels: box.levels, nodes, open, marks, chosen, shape: start.shape };
    drawing.show(scene);
    list.show(scene);
    drawDetails(details, nodes.get(chosen), start.shape, start.exploration);
    count.textContent = `${placed.length} nodes shown`;
  }

  function choose(id, zoom = true) {
    chosen = id;
    show();
    drawing.reveal(id, zoom);
    list.reveal(id);
  }

  function hover(id) {
    if (start !== null) drawDetails(details, nodes.get(id === null ? chosen : id), start.shape, start.exploration);
  }

  async function toggle(id, zoom = true) {
    if (open.has(id)) {
      open.delete(id);
      if (chosen.startsWith(`${id}.`)) chosen = id;
    } else {
      if (!nodes.get(id).children || !(await fetchChildren([id])).length) return;
      open.add(id);
    }
    arrange();
    choose(id, zoom);
    if (side.contains(document.activeElement)) list.focus();
  }

  // The most visited nodes first, as far as there is room for their children.
  async function openLevel() {
    let room = MOST - placed.length;
    const closed = placed.map(({ id }) => id).filter((id) => !open.has(id) && nodes.get(id).children > 0);
    const wanted = closed.sort((a, b) => nodes.get(b).n - nodes.get(a).n).filter((id) => (room -= nodes.get(id).children) >= 0);
    for (const id of await fetchChildren(wanted)) open.add(id);
    arrange();
    drawing.fit();
    if (wanted.length < closed.length) count.textContent += `; no more than ${MOST} at one time`;
  }

  async function openLine() {
    let id = "r";
    while (nodes.get(id).children > 0 && (await fetchChildren([id], true)).length) {
      const below = children.get(id).filter((child) => nodes.get(child).n > 0);
      if (below.length === 0) break;
      open.add(id);
      id = below.reduce((best, child) => (nodes.get(child).n > nodes.get(best).n ? child : best));
    }
    arrange();
    choose(id);
  }

  async function nextPhase() {
    const reply = await asked({ kind: "phase" });
    if (reply === null) return null;
    keep(reply.nodes);
    reply.path.slice(0, -1).forEach((id) => open.add(id));
    arrange();
    return reply;
  }

  // A simulation is watched as a whole where the whole tree is readable, else at the node that it has reached.
  function mark(next, id) {
    marks = next;
    chosen = id;
    show();
    if (!drawing.fit(0.5)) drawing.reveal(id, true);
    list.reveal(id);
  }

  // Light or dark: by the machine's setting, or by the notebook's theme, which is an attribute or a class of the page.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const themed = new MutationObserver(() => drawing.readColours());
  dark.addEventListener("change", drawing.readColours);
  for (const element of [document.body, document.documentElement]) themed.observe(element, { attributes: true });
  load();
  return {
    end() {
      dark.removeEventListener("change", drawing.readColours);
      themed.disconnect();
      drawing.end();
      viewer.remove();
    },
  };
}
