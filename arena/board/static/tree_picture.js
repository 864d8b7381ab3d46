// The picture: edges and far nodes on a canvas, near nodes as SVG; only what lies in the window is drawn.

import { boardHeight, drawBoard } from "./tree_board.js";
import { svg, html } from "./tree_elements.js";
import { CARD, cardHeight } from "./tree_layout.js";
import { boundName, boundText, number, short, title } from "./tree_words.js";

const NEAR = 18;        // pixels: a card narrower than this is a patch of colour,
const READABLE = 52;    // and one narrower than this has no text
const MOST_CARDS = 150; // cards in the DOM at one time
const SMALLEST = 0.002, LARGEST = 3;

// `on` has hover(id or null), choose(id) and toggle(id). Returns the functions that the viewer calls.
export function picture(box, on) {
  const canvas = html("canvas", { "aria-hidden": "true" }), cards = svg("g");
  const layer = svg("svg", { "aria-hidden": "true", focusable: "false" }, cards);
  box.append(canvas, layer);
  const context = canvas.getContext("2d");
  let scene = null, index = new Map(), view = { scale: 1, x: 0, y: 0 }, colours = {}, waiting = 0, tall = CARD, unseen = true;
  const drawn = new Map();  // id -> the card in the DOM

  function show(next) {
    scene = next;
    index = new Map(scene.placed.map((item, i) => [item.id, i]));
    tall = cardHeight(scene.shape);
    for (const card of drawn.values()) card.remove();
    drawn.clear();
    redraw();
  }

  function redraw() {
    if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; draw(); });
  }

  function readColours() {
    const probe = box.appendChild(html("i"));  // a canvas knows no variables: an element turns each into its colour
    for (const name of ["edge", "path", "far", "far-line", "new", "chosen"]) {
      probe.style.color = `var(--tree-${name})`;
      colours[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    redraw();
  }

  function draw() {
    if (scene === null || box.clientWidth === 0) return;
    const ratio = window.devicePixelRatio || 1, width = box.clientWidth, height = box.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const { scale, x: dx, y: dy } = view, { placed, marks } = scene;
    const near = [], far = [];
    const lines = { edge: new Path2D(), path: new Path2D() };
    for (const item of placed) {
      const x = item.x * scale + dx, y = item.y * scale + dy, w = item.k * CARD * scale, h = item.k * tall * scale;
      if (item.parent >= 0) {
        const above = placed[item.parent], fromX = above.x * scale + dx, fromY = (above.y + above.k * tall) * scale + dy;
        if (y >= 0 && fromY <= height && Math.max(x, fromX) >= 0 && Math.min(x, fromX) <= width) {
          const path = lines[marks.path.has(item.id) ? "path" : "edge"];
          path.moveTo(fromX, fromY);
          path.lineTo(x, y);
        }
      }
      if (x + w / 2 < 0 || x - w / 2 > width || y + h < -40 || y > height) continue;
      (w >= NEAR ? near : far).push(item);
    }
    stroke(lines.edge, colours.edge, Math.min(1.5, Math.max(0.4, scale * 2)));
    stroke(lines.path, colours.path, 3);
    if (near.length > MOST_CARDS) {
      near.sort((a, b) => distance(a, width, height) - distance(b, width, height));
      far.push(...near.splice(MOST_CARDS));
    }
    patches(far);
    cards.setAttribute("transform", `matrix(${scale} 0 0 ${scale} ${dx} ${dy})`);
    const wanted = new Set(near.map((item) => item.id));
    for (const [id, card] of drawn) if (!wanted.has(id)) { card.remove(); drawn.delete(id); }
    for (const item of near) {
      if (!drawn.has(item.id)) drawn.set(item.id, cards.appendChild(drawCard(item)));
      drawn.get(item.id).classList.toggle("small", item.k * CARD * scale < READABLE);
    }
  }

  function stroke(path, colour, lineWidth) {
    context.strokeStyle = colour;
    context.lineWidth = lineWidth;
    context.stroke(path);
  }

  function distance(item, width, height) {
    return Math.abs(item.x * view.scale + view.x - width / 2) + Math.abs(item.y * view.scale + view.y - height / 2);
  }

  function patches(items) {
    const { marks } = scene, kinds = { far: new Path2D(), path: new Path2D(), new: new Path2D(), chosen: new Path2D() };
    for (const item of items) {
      const kind = item.id === scene.chosen ? "chosen" : marks.new.has(item.id) ? "new" : marks.path.has(item.id) ? "path" : "far";
      const w = Math.max(1, item.k * CARD * view.scale), h = Math.max(1, item.k * tall * view.scale);
      kinds[kind].rect(item.x * view.scale + view.x - w / 2, item.y * view.scale + view.y, w, h);
    }
    for (const [kind, path] of Object.entries(kinds)) {
      context.fillStyle = colours[kind];
      context.fill(path);
    }
    if (view.scale * CARD > 8) stroke(kinds.far, colours["far-line"], 0.7);
  }

  function drawCard(item) {
    const node = scene.nodes.get(item.id), { marks } = scene, mark = marks.before.get(item.id);
    const state = [item.id === scene.chosen && "chosen", marks.path.has(item.id) && "path", marks.new.has(item.id) && "new"];
    const group = svg("g", { class: ["card", ...state.filter(Boolean)].join(" "), "data-id": item.id,
      transform: `translate(${item.x - item.k * CARD / 2} ${item.y}) scale(${item.k})` },
      svg("rect", { class: "paper", width: CARD, height: tall, rx: 6 }));
    if (node.fault) {
      group.append(text("fault", tall * 0.5, "?"));
      return group;
    }
    const boardTop = 16, below = boardTop + boardHeight(scene.shape, CARD - 16);
    group.append(text("turn", 11.5, short(title(node), 20)),
      svg("g", { transform: `translate(8 ${boardTop})` }, drawBoard(node.rows, scene.shape, node.last, CARD - 16)));
    if (mark) {
      group.append(text("changed", below + 14, `n ${number(mark[0])} → ${number(node.n)}`),
        text("changed", below + 28, `W ${number(mark[1])} → ${number(node.W)}`));
    } else {
      group.append(text("numbers", below + 14, `W ${number(node.W)}  n ${number(node.n)}`));
      if (node.N !== null) group.append(text("bound", below + 28, `${boundName(node)} ${boundText(node)}`));
    }
    const hidden = node.children > 0 && !scene.open.has(item.id);
    if (marks.notes.has(item.id)) group.append(text("note", tall + 14, marks.notes.get(item.id)));
    else if (hidden) group.append(svg("rect", { class: "more", x: 32, y: tall + 2, width: 36, height: 16, rx: 8 }), text("more", tall + 14, `+${node.children}`));
    return group;
  }

  function text(kind, y, words) {
    return svg("text", { class: kind, x: CARD / 2, y }, words);
  }

  // The node under a point of the page, and whether the point is on its "+7".
  function at(event) {
    const frame = box.getBoundingClientRect();
    const x = (event.clientX - frame.left - view.x) / view.scale, y = (event.clientY - frame.top - view.y) / view.scale;
    for (let i = scene.placed.length - 1; i >= 0; i--) {
      const item = scene.placed[i], half = item.k * CARD / 2;
      if (Math.abs(x - item.x) > half || y < item.y) continue;
      if (y <= item.y + item.k * tall) return { id: item.id, more: false };
      if (y <= item.y + item.k * (tall + 22) && Math.abs(x - item.x) < half * 0.5) return { id: item.id, more: true };
    }
    return null;
  }

  function zoomAt(factor, x, y) {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor)), by = scale / view.scale;
    view = { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
    redraw();
  }

  // Shows the whole tree, and returns true, unless it would be smaller than `least`.
  function fit(least = 0) {
    if (scene === null || box.clientWidth === 0) return false;
    const scale = Math.min(1.3, (box.clientWidth - 32) / scene.width, (box.clientHeight - 52) / scene.height);
    if (scale < least) return false;
    view = { scale: Math.max(SMALLEST, scale), x: 0, y: 16 };
    view.x = (box.clientWidth - scene.width * view.scale) / 2;
    redraw();
    return true;
  }

  // Moves the window just so far that the node lies well inside it; with `zoom`, a node too small to read is made larger.
  function reveal(id, zoom) {
    const item = scene.placed[index.get(id)];
    if (!item || box.clientWidth === 0) return;
    const wide = item.k * CARD * view.scale;
    if (zoom && wide < READABLE) zoomAt(1.4 * READABLE / wide, item.x * view.scale + view.x, item.y * view.scale + view.y);
    const x = item.x * view.scale + view.x, y = item.y * view.scale + view.y, margin = Math.min(80, box.clientWidth / 4);
    const bottom = y + item.k * tall * view.scale + 24;
    if (x < margin || x > box.clientWidth - margin) view.x += box.clientWidth / 2 - x;
    if (y < 8 || bottom > box.clientHeight) view.y += box.clientHeight * 0.4 - y;
    redraw();
  }

  const fingers = new Map();
  let moved = 0;
  box.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || scene === null) return;
    fingers.set(event.pointerId, event);
    moved = 0;
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove", (event) => {
    if (scene === null) return;
    const before = fingers.get(event.pointerId);
    if (!before) { on.hover((at(event) || { id: null }).id); return; }
    const others = [...fingers.values()].filter((finger) => finger.pointerId !== event.pointerId);
    const frame = box.getBoundingClientRect();
    if (others.length === 1) {  // two fingers: the distance is the zoom
      const [other] = others, was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      zoomAt(is / Math.max(1, was), (event.clientX + other.clientX) / 2 - frame.left, (event.clientY + other.clientY) / 2 - frame.top);
    } else {
      view = { ...view, x: view.x + event.clientX - before.clientX, y: view.y + event.clientY - before.clientY };
      redraw();
    }
    moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
    fingers.set(event.pointerId, event);
  });
  const lift = (event) => {
    const found = fingers.delete(event.pointerId) && event.type === "pointerup" && moved < 5 && at(event);
    if (!found) return;
    if (found.more || found.id === scene.chosen) on.toggle(found.id);
    else on.choose(found.id);
  };
  box.addEventListener("pointerup", lift);
  box.addEventListener("pointercancel", lift);
  box.addEventListener("pointerleave", () => on.hover(null));
  // The wheel alone scrolls the page or the notebook; with Ctrl (or two fingers on a touchpad) it zooms.
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const frame = box.getBoundingClientRect();
    zoomAt(Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });

  // A notebook makes the element before it stands in the page: only then are its size and colours known.
  const resized = new ResizeObserver(() => {
    if (unseen && box.clientWidth > 0) unseen = !fit();
    readColours();
  });
  resized.observe(box);
  return {
    show, fit, reveal, readColours,
    zoom: (factor) => zoomAt(factor, box.clientWidth / 2, box.clientHeight / 2),
    end: () => { resized.disconnect(); cancelAnimationFrame(waiting); },
  };
}
