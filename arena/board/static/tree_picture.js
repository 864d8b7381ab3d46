// The picture: edges and far nodes on a canvas, near nodes as SVG; only what is in the window is drawn.

import { boardHeight, drawBoard } from "./tree_board.js";
import { svg, html } from "./elements.js";
import { CARD, cardHeight } from "./tree_layout.js";
import { pointers } from "./tree_pointers.js";
import { boundName, boundText, number, short, title } from "./tree_words.js";

const NEAR = 18;        // pixels: a card narrower than this is a patch of colour,
const READABLE = 52;    // and one narrower than this has no text
const MOST_CARDS = 150; // cards in the DOM at one time
const DROP = 44;        // from one level to the next, in units of the drawing,
const LEAST_DROP = 56;  // and in pixels: a tree seen from far is as high as the window, not a line
const FAR = 1500;       // pixels: so far a drag only shifts what is painted, which is cheap
const IN_A_PATH = 50;     // lines in one path: thousands of lines that cross in one path are slow to paint
const SMALLEST = 0.002, LARGEST = 3;

// `on` has hover(id or null), choose(id) and toggle(id). Returns the functions that the viewer calls.
export function picture(box, on) {
  const canvas = html("canvas", { "aria-hidden": "true" }), cards = svg("g");
  const layer = svg("svg", { "aria-hidden": "true", focusable: "false" }, cards);
  box.append(canvas, layer);
  const context = canvas.getContext("2d");
  let scene = null, index = new Map(), view = { scale: 1, x: 0, y: 0 }, colours = {}, waiting = 0, tall = CARD, unseen = true;
  let painted = { scale: 0, x: 0, y: 0, drop: 0 };  // the view in which the cards were painted last
  let tops = [], drop = DROP;                       // of the levels at the present scale, in units of the drawing
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

  function measure() {
    const { levels } = scene, room = 0.85 * (box.clientHeight - 60) / levels.length;
    drop = Math.max(DROP, Math.min(LEAST_DROP, room) / view.scale);
    tops = [0];
    levels.forEach((height, depth) => tops.push(tops[depth] + height + drop));
  }

  function draw() {
    if (scene === null || box.clientWidth === 0) return;
    measure();
    const ratio = window.devicePixelRatio || 1, width = box.clientWidth, height = box.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const { scale, x: dx, y: dy } = view, { placed, marks } = scene;
    const near = [], far = [], lines = { edge: [], path: [] };
    for (const item of placed) {
      const x = item.x * scale + dx, y = tops[item.depth] * scale + dy, w = item.k * CARD * scale, h = item.k * tall * scale;
      if (item.parent >= 0) {
        const above = placed[item.parent], fromX = above.x * scale + dx, fromY = (tops[above.depth] + above.k * tall) * scale + dy;
        if (y >= 0 && fromY <= height && Math.max(x, fromX) >= 0 && Math.min(x, fromX) <= width) {
          lines[marks.path.has(item.id) ? "path" : "edge"].push([fromX, fromY, x, y]);
        }
      }
      if (x + w / 2 < 0 || x - w / 2 > width || y + h < -40 || y > height) continue;
      (w >= NEAR ? near : far).push(item);
    }
    for (const [kind, wide] of [["edge", Math.min(1.5, Math.max(0.4, scale * 2))], ["path", 3]]) {
      for (let i = 0; i < lines[kind].length; i += IN_A_PATH) {
        const path = new Path2D();
        for (const [fromX, fromY, x, y] of lines[kind].slice(i, i + IN_A_PATH)) { path.moveTo(fromX, fromY); path.lineTo(x, y); }
        stroke(path, colours[kind], wide);
      }
    }
    if (near.length > MOST_CARDS) {
      near.sort((a, b) => distance(a, width, height) - distance(b, width, height));
      far.push(...near.splice(MOST_CARDS));
    }
    patches(far);
    if (scale !== painted.scale || drop !== painted.drop || Math.hypot(dx - painted.x, dy - painted.y) > FAR) {
      painted = { scale, x: dx, y: dy, drop };
      cards.setAttribute("transform", `matrix(${scale} 0 0 ${scale} ${dx} ${dy})`);
      for (const [id, card] of drawn) put(card, placed[index.get(id)]);
    }
    layer.style.transform = `translate(${dx - painted.x}px, ${dy - painted.y}px)`;
    const wanted = new Set(near.map((item) => item.id));
    for (const [id, card] of drawn) if (!wanted.has(id)) { card.remove(); drawn.delete(id); }
    for (const item of near) {
      if (!drawn.has(item.id)) drawn.set(item.id, cards.appendChild(drawCard(item)));
      drawn.get(item.id).classList.toggle("small", item.k * CARD * scale < READABLE);
    }
  }

  function put(card, item) {
    card.setAttribute("transform", `translate(${item.x - item.k * CARD / 2} ${tops[item.depth]}) scale(${item.k})`);
  }

  function stroke(path, colour, lineWidth) {
    context.strokeStyle = colour;
    context.lineWidth = lineWidth;
    context.stroke(path);
  }

  function distance(item, width, height) {
    return Math.abs(item.x * view.scale + view.x - width / 2) + Math.abs(tops[item.depth] * view.scale + view.y - height / 2);
  }

  function patches(items) {
    const { marks } = scene, kinds = { far: new Path2D(), path: new Path2D(), new: new Path2D(), chosen: new Path2D() };
    for (const item of items) {
      const kind = item.id === scene.chosen ? "chosen" : marks.new.has(item.id) ? "new" : marks.path.has(item.id) ? "path" : "far";
      const w = Math.max(1, item.k * CARD * view.scale), h = Math.max(1, item.k * tall * view.scale);
      kinds[kind].rect(item.x * view.scale + view.x - w / 2, tops[item.depth] * view.scale + view.y, w, h);
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
    const group = svg("g", { class: ["card", ...state.filter(Boolean)].join(" "), "data-id": item.id },
      svg("rect", { class: "paper", width: CARD, height: tall, rx: 6 }));
    put(group, item);
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
      const top = tops[item.depth];
      if (Math.abs(x - item.x) > half || y < top) continue;
      if (y <= top + item.k * tall) return { id: item.id, more: false };
      if (y <= top + item.k * (tall + 22) && Math.abs(x - item.x) < half * 0.5) return { id: item.id, more: true };
    }
    return null;
  }

  // What is under the point x, y of the window stays there: a point of a card, or of the space below a level.
  function zoomAt(factor, x, y) {
    if (scene === null) return;
    measure();
    const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor)), by = scale / view.scale;
    const depth = Math.max(0, Math.min(scene.levels.length, tops.findLastIndex((top) => top * view.scale + view.y <= y)));
    const inside = (y - view.y) / view.scale - tops[depth], high = scene.levels[depth] || 0, share = (inside - high) / drop;
    view = { scale, x: x - (x - view.x) * by, y: 0 };
    measure();
    view.y = y - (tops[depth] + (inside <= high ? inside : high + share * drop)) * scale;
    redraw();
  }

  // Shows the whole tree, and returns true, unless it would be smaller than `least`.
  function fit(least = 0) {
    if (scene === null || box.clientWidth === 0) return false;
    const before = view;
    view = { scale: Math.min(1.3, (box.clientWidth - 32) / scene.width), x: 0, y: 16 };
    const tooHigh = () => { measure(); return (tops[tops.length - 1] - drop) * view.scale > box.clientHeight - 52; };
    while (tooHigh() && view.scale > SMALLEST) view.scale *= 0.96;
    if (view.scale < least) { view = before; return false; }
    view.x = (box.clientWidth - scene.width * view.scale) / 2;
    redraw();
    return true;
  }

  // Moves the window just far enough that the node is well inside it; with `zoom`, a node too small to read is made larger.
  function reveal(id, zoom) {
    const item = scene.placed[index.get(id)];
    if (!item || box.clientWidth === 0) return;
    measure();
    const wide = item.k * CARD * view.scale;
    if (zoom && wide < READABLE) zoomAt(1.4 * READABLE / wide, item.x * view.scale + view.x, tops[item.depth] * view.scale + view.y);
    const x = item.x * view.scale + view.x, y = tops[item.depth] * view.scale + view.y, margin = Math.min(80, box.clientWidth / 4);
    const bottom = y + item.k * tall * view.scale + 24;
    if (x < margin || x > box.clientWidth - margin) view.x += box.clientWidth / 2 - x;
    if (y < 8 || bottom > box.clientHeight) view.y += box.clientHeight * 0.4 - y;
    redraw();
  }

  pointers(box, {
    move(dx, dy) { view = { ...view, x: view.x + dx, y: view.y + dy }; redraw(); },
    zoom: zoomAt,
    hover: (event) => on.hover(event && scene ? (at(event) || { id: null }).id : null),
    tap(event) {
      const found = scene && at(event);
      if (!found) return;
      if (found.more || found.id === scene.chosen) on.toggle(found.id);
      else on.choose(found.id);
    },
  });
  // A notebook makes the element before it is in the page: only then are its size and colours known.
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
