// One simulation phase by phase: which phase, what happened, and the path that grows or shrinks node by node.

import { html } from "./elements.js";

const NAMES = ["selection", "expansion", "simulation", "backpropagation"];
const STEP_MS = 350;  // from one node of the path to the next

// `next()` asks for a phase and returns its reply, or null; `show(marks)` draws. Returns the function that forgets all marks.
export function phases(box, next, show) {
  const pills = NAMES.map((name) => html("li", {}, name));
  const title = html("span", { class: "count" }), said = html("div", { class: "said", role: "status" });
  const one = html("button", { type: "button", click: () => run(1) }, "next phase");
  const all = html("button", { type: "button", click: () => run(4) }, "whole simulation");
  box.append(html("div", { class: "steps" }, one, all, title), html("ol", { class: "pills", "aria-label": "phases of a simulation" }, ...pills), said);
  let turn = 0, busy = false;

  async function run(count) {
    if (busy) return;
    busy = true;
    one.disabled = all.disabled = count > 1;
    const mine = ++turn;
    try {
      for (let i = 0; i < count && mine === turn; i++) {
        const reply = await next();
        if (reply === null || mine !== turn) break;
        tell(reply);
        if (count === 1) busy = false;  // a second press goes on at once
        await move(reply, () => mine === turn);
        if (reply.name === NAMES[3]) break;
        if (i + 1 < count) await pause(STEP_MS * 2);
      }
    } finally {
      if (mine === turn) { busy = false; one.disabled = all.disabled = false; }
    }
  }

  function tell(reply) {
    title.textContent = `simulation ${reply.simulation}`;
    pills.forEach((pill, i) => {
      pill.className = NAMES[i] === reply.name ? "now" : i < NAMES.indexOf(reply.name) ? "past" : "";
      if (NAMES[i] === reply.name) pill.setAttribute("aria-current", "step");
      else pill.removeAttribute("aria-current");
    });
    said.replaceChildren(...reply.lines.map((line) => html("p", {}, line)));
  }

  // Selection walks down, backpropagation walks up; with reduced motion both are there at once.
  async function move(reply, wanted) {
    const { path, name } = reply, still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const marks = { path: new Set(path), new: new Set(reply.new), notes: new Map(Object.entries(reply.notes)), before: new Map() };
    const changes = new Map(Object.entries(reply.before));
    if (name === NAMES[0] && !still) {
      marks.path = new Set();
      for (const id of path) {
        marks.path.add(id);
        show(marks, id);
        await pause(STEP_MS);
        if (!wanted()) return;
      }
    } else if (name === NAMES[3] && !still) {
      marks.path = new Set();
      for (const id of [...path].reverse()) {
        marks.path.add(id);
        if (changes.has(id)) marks.before.set(id, changes.get(id));
        show(marks, id);
        await pause(STEP_MS);
        if (!wanted()) return;
      }
    }
    marks.before = changes;
    show(marks, path[path.length - 1]);
  }

  function pause(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  return function forget() {
    turn++;
    busy = false;
    one.disabled = all.disabled = false;
    title.textContent = "";
    pills.forEach((pill) => { pill.className = ""; pill.removeAttribute("aria-current"); });
    said.replaceChildren();
  };
}
