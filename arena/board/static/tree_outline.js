// The same tree as a list, for the keyboard and for a screen reader: only the rows in its window are in the DOM.

import { html } from "./elements.js";
import { boundText, number, sentence, title } from "./tree_words.js";

const ROW = 30;     // pixels
const AROUND = 5;   // rows above and below the window

// `on` has choose(id) and toggle(id, open). Returns the functions that the viewer calls.
export function outline(box, on) {
  const list = html("div", { role: "tree", "aria-label": "nodes of the tree", class: "rows", keydown: pressed });
  const window_ = html("div", { class: "outline", scroll: () => draw() }, list);
  box.append(window_);
  let scene = null, index = new Map();

  function show(next) {
    scene = next;
    index = new Map(scene.placed.map((item, i) => [item.id, i]));
    list.style.height = `${scene.placed.length * ROW}px`;
    draw();
  }

  function draw() {
    if (scene === null) return;
    const first = Math.max(0, Math.floor(window_.scrollTop / ROW) - AROUND);
    const last = Math.min(scene.placed.length, Math.ceil((window_.scrollTop + window_.clientHeight) / ROW) + AROUND);
    const chosen = index.get(scene.chosen), wanted = [];
    for (let i = first; i < last; i++) wanted.push(i);
    if (chosen < first) wanted.unshift(chosen);  // the row with the focus stays, wherever the window is
    if (chosen >= last) wanted.push(chosen);
    const held = list.contains(document.activeElement);
    list.replaceChildren(...wanted.map(row));
    if (held) focus();
  }

  function row(i) {
    const item = scene.placed[i], node = scene.nodes.get(item.id), isChosen = item.id === scene.chosen;
    const open = node.children > 0 ? String(scene.open.has(item.id)) : null;
    const element = html("div", {
      role: "treeitem", "data-id": item.id, "aria-level": item.depth + 1, "aria-posinset": item.place + 1,
      "aria-setsize": item.siblings, "aria-expanded": open, "aria-selected": String(isChosen), "aria-label": sentence(node),
      tabindex: isChosen ? "0" : "-1", class: scene.marks.path.has(item.id) ? "row path" : "row",
      click: (event) => { on.choose(item.id); if (event.target.classList.contains("twist")) on.toggle(item.id); focus(); },
    },
    html("span", { class: "twist", "aria-hidden": "true" }, open === null ? "" : open === "true" ? "▾" : "▸"),
    html("span", { class: "name" }, title(node)),
    html("span", { class: "figures" }, node.fault ? "?" : `n ${number(node.n)}  W ${number(node.W)}  ${boundText(node)}`));
    element.style.top = `${i * ROW}px`;
    element.style.paddingLeft = `${4 + 11 * Math.min(item.depth, 9)}px`;
    return element;
  }

  function focus() {
    list.querySelector('[aria-selected="true"]')?.focus({ preventScroll: true });
  }

  function reveal(id) {
    const top = index.get(id) * ROW;
    if (top < window_.scrollTop) window_.scrollTop = top - ROW;
    else if (top + ROW > window_.scrollTop + window_.clientHeight) window_.scrollTop = top + 2 * ROW - window_.clientHeight;
    draw();
  }

  function pressed(event) {
    const at = index.get(scene.chosen), item = scene.placed[at], node = scene.nodes.get(item.id), open = scene.open.has(item.id);
    const choose = (i) => { if (scene.placed[i]) on.choose(scene.placed[i].id); focus(); };
    const keys = {
      ArrowDown: () => choose(at + 1),
      ArrowUp: () => choose(at - 1),
      ArrowRight: () => (open ? choose(at + 1) : node.children > 0 && on.toggle(item.id)),
      ArrowLeft: () => (open ? on.toggle(item.id) : choose(item.parent)),
      Home: () => choose(0),
      End: () => choose(scene.placed.length - 1),
      Enter: () => node.children > 0 && on.toggle(item.id),
      " ": () => node.children > 0 && on.toggle(item.id),
    };
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }

  return { show, reveal, focus };
}
