// One node in full: its board, its numbers, and the two terms of its bound as bars.

import { boardHeight, drawBoard } from "./tree_board.js";
import { html, svg } from "./elements.js";
import { boundName, boundText, number, short, terms } from "./tree_words.js";

const WIDTH = 120, LONGEST = 2;  // a bar of full length is a term of 2 or more

export function drawDetails(box, node, shape, exploration) {
  if (node.fault) {
    box.replaceChildren(html("p", { class: "fault" }, node.fault));
    return;
  }
  const height = boardHeight(shape, WIDTH);
  const board = svg("svg", { class: "board", viewBox: `-1 -1 ${WIDTH + 2} ${height + 2}`, role: "img", "aria-label": short(node.rows.join(" / "), 200) },
    drawBoard(node.rows, shape, node.last, WIDTH));
  const facts = [["n", number(node.n), "visits"], ["W", number(node.W), "total value, for the player to move here"]];
  if (node.N !== null) facts.push(["N", number(node.N), "visits of the parent"]);
  if (node.prior !== null) facts.push(["P", number(node.prior, 3), "prior"]);
  const list = html("dl", {}, ...facts.flatMap(([name, value, words]) =>
    [html("dt", { title: words }, name), html("dd", {}, `${value} `, html("small", {}, words))]));
  const parts = [html("p", { class: "title" }, node.action === null ? `root · ${node.words}` : `${node.chooser} plays ${node.action}: ${node.words}`), list];
  if (node.N !== null) parts.push(...formula(node, exploration));
  if (node.note) parts.push(html("p", { class: "fault" }, node.note));
  box.replaceChildren(board, html("div", { class: "facts" }, ...parts));
}

function formula(node, exploration) {
  const name = boundName(node);
  if (node.parts === null) return [html("p", { class: "sum" }, `${name} = ∞: no visit yet`)];
  const rows = terms(node, exploration).map(([kind, words, value]) => {
    const bar = html("span", { class: `bar ${kind}${value < 0 ? " negative" : ""}` });
    bar.style.width = `${Math.min(1, Math.abs(value) / LONGEST) * 100}%`;
    return html("div", { class: "term" }, html("span", { class: "kind" }, kind), html("span", { class: "value" }, number(value)),
      html("span", { class: "track", "aria-hidden": "true" }, bar), html("span", { class: "working" }, words));
  });
  return [...rows, html("p", { class: "sum" }, `${name} = ${number(node.parts[0])} + ${number(node.parts[1])} = ${boundText(node)}, for ${node.chooser}`)];
}
