// A game to look through: its board, steps through its moves, the curve of what was expected of it. It knows no rules and asks
// nobody: `show` says what is to be seen, and `go` hears to which ply (moves made so far) the reader wants to go.
//
//     const view = viewer(root, {go: ply => ..., play: action => ..., keys: {u: () => ...}});
//     root.append(view.status, view.board, view.steps, view.curve, view.moves);
//     view.say("X to move.");  view.show({...});
//
// board.js plays on it, replay.js goes through games that are over. All styles are under `.arena-board` (viewer.css).
//
// What `show` takes: game, rows (top first), stones_fall, pass_action, last and row (squares [row, column]); line, all actions of
// the game; ply; points, for each ply the known values {network, opponent, solver, result}; axis, the words for +1, 0 and -1.
// And if there are any: mistakes [{ply, better: actions, value after it}]; open, action => whether the reader may play it;
// who, ply => who made this move; opening, the number of moves that were given.

import { html, svg } from "./elements.js";

const CURVE = { height: 174, left: 64, right: 12, top: 12, bottom: 28, fewest: 10, widest: 700, narrowest: 280 };
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const SERIES = { network: "network", opponent: "the opponent's search", solver: "solver", result: "result" };
const SIGNS = { slip: "✗", better: "✓" };

// Args: play, makes the squares buttons; keys, more keys and what they do; listens, where keys are heard: `document` on a page of its own.
export function viewer(root, { go, play = null, keys = {}, listens = root }) {
  const button = (words, label, to) => html("button", { type: "button", "aria-label": label, click: () => step(to) }, words);
  const ways = { first: () => 0, back: () => now.ply - 1, on: () => now.ply + 1, end: () => now.line.length };
  const first = button("|◀", "first position", "first"), back = button("◀", "one move back", "back");
  const on = button("▶", "one move on", "on"), end = button("▶|", "last position", "end");
  const slider = html("input", { type: "range", min: 0, value: 0, "aria-label": "move", input: () => go(Number(slider.value)) });
  const status = html("p", { class: "status", role: "status" }, "…");
  const board = html("div", { role: play ? "group" : "img", "aria-label": "board" });
  const drawing = svg("svg", { role: "img", click: event => clicked(event) }), legend = html("p", { class: "legend" });
  const curve = html("div", { class: "chart" }, drawing, legend);
  const moves = html("ol", { class: "moves", "aria-label": "the moves of this game" });
  let now = null, squares = [], drawn = "", drawnWidth = 0;

  function step(to) {
    const ply = now && Math.min(Math.max(ways[to](), 0), now.line.length);
    if (now && ply !== now.ply) go(ply);
  }

  function say(words, wrong = false) {
    status.textContent = words;
    status.classList.toggle("wrong", wrong);
  }

  function show(next) {
    now = next;
    drawBoard();
    drawMoves();
    drawCurve();
    slider.max = now.line.length;
    slider.value = now.ply;
    slider.setAttribute("aria-valuetext", status.textContent);
    first.disabled = back.disabled = now.ply === 0;
    on.disabled = end.disabled = now.ply === now.line.length;
  }

  const width = () => now.rows[0].length;
  const actionAt = place => now.stones_fall ? place % width() : place;

  // The squares that an action fills; none if it is a pass, or its column is full.
  function squaresOf(action) {
    const landing = now.stones_fall ? now.rows.map(signs => signs[action]).lastIndexOf(".") * width() + action : action;
    return squares.slice(Math.max(landing, 0), landing + 1);
  }

  function makeSquares() {
    const tag = play ? "button" : "span";
    squares = Array.from({ length: now.rows.length * width() }, (_, place) => {
      const square = html(tag, play ? { type: "button", tabindex: -1 } : {}, html("span", { class: "stone" }));
      if (!play) return square;
      const aim = on => squaresOf(actionAt(place)).forEach(target => target.classList.toggle("aim", on && isOpen(place)));
      square.onclick = () => play(actionAt(place));
      square.onpointerenter = () => aim(true);
      square.onpointerleave = () => aim(false);
      square.onfocus = () => squares.forEach(other => { other.tabIndex = other === square ? 0 : -1; });
      return square;
    });
    const numbers = now.stones_fall ? Array.from({ length: width() }, (_, c) => html("span", { class: "number", "aria-hidden": "true" }, c)) : [];
    board.replaceChildren(...squares, ...numbers);
    board.className = `squares ${now.game}`;
    board.style.setProperty("--width", width());
    if (play) squares[now.stones_fall ? squares.length - 4 : 0].tabIndex = 0;
  }

  const signAt = place => now.rows[Math.floor(place / width())][place % width()];
  const isOpen = place => Boolean(now.open && now.open(actionAt(place))) && (now.stones_fall || signAt(place) === ".");

  function drawBoard() {
    if (drawn !== now.game) makeSquares();
    drawn = now.game;
    const places = list => new Set(list.map(([r, c]) => r * width() + c)), last = places(now.last), row = places(now.row);
    const marks = new Map(), mistake = (now.mistakes ?? []).find(each => each.ply === now.ply);
    const mark = (action, kind) => squaresOf(action).forEach(square => marks.set(square, kind));
    if (mistake) mistake.better.forEach(action => mark(action, "better"));
    if (mistake) mark(now.line[now.ply], "slip");
    squares.forEach((square, place) => {
      const sign = signAt(place), empty = sign === ".", open = isOpen(place), kind = marks.get(square);
      const classes = { last: last.has(place), row: row.has(place), open: open && empty, [kind]: kind };
      square.className = `square ${empty ? "empty" : sign.toLowerCase()}`;
      Object.entries(classes).forEach(([name, has]) => square.classList.toggle(name, Boolean(has)));
      square.firstChild.textContent = kind ? SIGNS[kind] : !empty ? sign : open && !now.stones_fall ? place : "";
      if (!play) return;
      const said = { slip: ", the mistake", better: ", a better move" }[kind] ?? (last.has(place) ? ", the last move" : "");
      square.setAttribute("aria-label", `${placeName(place)}: ${empty ? "empty" : sign}${said}`);
      square.setAttribute("aria-disabled", String(!open));
    });
    if (!play) board.setAttribute("aria-label", boardWords());
  }

  function placeName(place) {
    if (!now.stones_fall) return moveName(now, place);
    return `column ${place % width()}, row ${now.rows.length - Math.floor(place / width())} from below`;
  }

  function boardWords() {
    if (!now.stones_fall) return `The board. ${now.rows.map((signs, r) => `row ${r + 1}: ${[...signs].join(" ")}`).join("; ")}`;
    const columns = Array.from({ length: width() }, (_, c) => now.rows.map(signs => signs[c]).filter(sign => sign !== ".").reverse());
    return `The board, each column from below. ${columns.map((signs, c) => `column ${c}: ${signs.join(" ") || "empty"}`).join("; ")}`;
  }

  function drawMoves() {
    const wrong = new Set((now.mistakes ?? []).map(mistake => mistake.ply));
    while (moves.children.length > now.line.length) moves.lastChild.remove();
    now.line.forEach((action, ply) => {
      if (!moves.children[ply]) moves.append(html("li", {}, html("button", { type: "button", click: () => go(ply + 1) })));
      const made = moves.children[ply].firstChild;
      made.textContent = `${"XO"[ply % 2]}${shortName(now, action)}${wrong.has(ply) ? " ✗" : ""}`;
      made.className = ply < (now.opening ?? 0) ? "opening" : wrong.has(ply) ? "mistake" : "";
      made.setAttribute("aria-label", moveWords(now, ply));
      made.toggleAttribute("aria-current", false);
      if (ply === now.ply - 1) made.setAttribute("aria-current", "step");
    });
  }

  const curveWidth = () => Math.min(CURVE.widest, Math.max(CURVE.narrowest, curve.clientWidth || 600)); // in pixels, so that letters keep their size
  const plies = () => Math.max(CURVE.fewest, now.line.length);

  function clicked(event) {
    const box = drawing.getBoundingClientRect();
    const share = ((event.clientX - box.left) * curveWidth() / box.width - CURVE.left) / (curveWidth() - CURVE.left - CURVE.right);
    go(Math.min(Math.max(Math.round(share * plies()), 0), now.line.length));
  }

  function drawCurve(points = now.points) {
    now.points = points;
    const wide = curveWidth(), { height, left, right, top, bottom } = CURVE;
    const x = ply => left + (wide - left - right) * ply / plies(), y = value => top + (height - top - bottom) * (1 - value) / 2;
    const size = Math.min(1, (x(1) - x(0)) / 12); // in a long game, marks would cover each other
    const parts = [1, 0, -1].flatMap(value => [
      svg("line", { x1: left, x2: wide - right, y1: y(value), y2: y(value), class: value ? "rule" : "rule zero" }),
      svg("text", { x: left - 8, y: y(value) + 4, class: "axis", "text-anchor": "end" }, now.axis[1 - value])]);
    parts.push(svg("text", { x: wide - right, y: height - 6, class: "axis", "text-anchor": "end" }, `move ${plies()}`),
      svg("text", { x: left, y: height - 6, class: "axis" }, "0"));
    const found = Object.keys(SERIES).filter(name => points.some(point => name in point));
    for (const name of found) {
      const known = points.flatMap((point, ply) => name in point ? [ply] : []);
      const path = known.map(ply => `${name in (points[ply - 1] ?? {}) ? "L" : "M"}${x(ply)} ${y(points[ply][name])}`).join("");
      parts.push(svg("path", { d: path, class: `line ${name}` }), ...known.map(ply => marker(name, x(ply), y(points[ply][name]), size)));
    }
    const wrong = now.mistakes ?? [];
    parts.push(...wrong.map(mistake => marker("slip", x(mistake.ply + 1), y(mistake.value))),
      svg("line", { x1: x(now.ply), x2: x(now.ply), y1: top, y2: height - bottom, class: "at" }));
    const here = points[now.ply] ?? {}, told = found.filter(name => name in here).map(name => `${SERIES[name]} ${signed(here[name])}`);
    const words = `${now.axis[0]} above, ${now.axis[2]} below; after move ${now.ply}: ${told.join(", ") || "not yet known"}`;
    const key = (name, text) => html("span", {}, svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, marker(name, 8, 8)), text);
    const attributes = { viewBox: `0 0 ${wide} ${height}`, width: wide, height, "aria-label": `The curve of the game, ${words}` };
    Object.entries(attributes).forEach(([name, value]) => drawing.setAttribute(name, value));
    drawing.replaceChildren(...parts);
    legend.replaceChildren(...found.map(name => key(name, `${SERIES[name]}${name in here ? ` ${signed(here[name])}` : ""}`)),
      ...(wrong.length ? [key("slip", "mistake")] : []));
  }

  function press(event) {
    const target = event.target, acts = {
      ",": () => step("back"), ".": () => step("on"), ArrowLeft: () => step("back"), ArrowRight: () => step("on"),
      Home: () => step("first"), End: () => step("end"), ...keys,
    };
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target !== slider && target.closest?.("input, select, textarea, [contenteditable]")) return;
    const at = squares.indexOf(target), way = play && at >= 0 && ARROWS[event.key];
    const act = way ? () => walk(at, way) : acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation(); // a notebook has shortcuts of its own
  }

  function walk(at, [down, right]) {
    const r = Math.floor(at / width()) + down, c = at % width() + right;
    if (r >= 0 && c >= 0 && c < width()) squares[r * width() + c]?.focus();
  }

  root.classList.add("arena-board");
  listens.addEventListener("keydown", press);
  const sizes = new ResizeObserver(() => requestAnimationFrame(() => {
    if (now && drawnWidth !== curve.clientWidth) drawCurve();
    drawnWidth = curve.clientWidth;
  }));
  sizes.observe(curve);
  const buttons = html("p", { class: "buttons" }, first, back, on, end);
  return {
    status, board, curve, moves, slider, buttons, steps: html("div", { class: "steps" }, slider, buttons), say, show, drawCurve, squaresOf,
    end() {
      listens.removeEventListener("keydown", press);
      sizes.disconnect();
      root.replaceChildren();
    },
  };
}

// The page's address names what is shown: a reload, a link and the browser's back lead to it again.
// Returns a function for what is shown now, (address, whether one may want to go back from it); `follow` hears other addresses.
export function remembered(follow) {
  addEventListener("hashchange", () => follow(location.hash.slice(1)));
  return (address, isNew) => {
    if (location.hash !== `#${address}`) history[isNew ? "pushState" : "replaceState"](null, "", `#${address}`);
  };
}

export function moveName(now, action) {
  if (action === now.pass_action) return "pass";
  if (now.stones_fall) return `column ${action}`;
  const width = now.rows[0].length;
  return `row ${Math.floor(action / width) + 1}, column ${action % width + 1}`;
}

export function shortName(now, action) {
  return action === now.pass_action ? "pass" : String(action);
}

// A move in words, counted from 1.
export function moveWords(now, ply) {
  const who = now.who ? `, ${now.who(ply)}` : "", wrong = (now.mistakes ?? []).some(mistake => mistake.ply === ply);
  return `move ${ply + 1}${who}: ${"XO"[ply % 2]} ${now.stones_fall ? "in " : ""}${moveName(now, now.line[ply])}${wrong ? ", a mistake" : ""}`;
}

export const signed = value => (value > 0.005 ? "+" : value < -0.005 ? "−" : "") + Math.abs(value).toFixed(2);

function marker(name, x, y, size = 1) {
  const far = 6 * size, half = 4 * size;
  if (name === "network") return svg("circle", { cx: x, cy: y, r: 3.5 * size, class: name });
  if (name === "opponent") return svg("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, class: name });
  if (name === "solver") return svg("path", { d: `M${x} ${y - far}L${x + far} ${y}L${x} ${y + far}L${x - far} ${y}Z`, class: name });
  if (name === "slip") return svg("path", { d: `M${x - half} ${y - half}l${2 * half} ${2 * half}m0 ${-2 * half}l${-2 * half} ${2 * half}`, class: name });
  return svg("circle", { cx: x, cy: y, r: far, class: name });
}
