// A board as a handful of SVG elements, however many stones it has: all stones of one player are one path.

import { svg } from "./elements.js";
import { short } from "./tree_words.js";

// Height of a board that is `width` units wide.
export function boardHeight(shape, width) {
  return shape === null ? width * 0.4 : width * shape.height / shape.width;
}

// The board `rows` in a box `width` units wide, with its upper left corner at 0, 0; `last` are the squares just filled.
export function drawBoard(rows, shape, last, width) {
  if (shape === null) return svg("text", { class: "state", x: width / 2, y: width * 0.28 }, short(rows[0], 8));
  const side = width / shape.width, height = side * shape.height;
  const stones = { X: "", O: "" };
  let holes = "";
  rows.forEach((row, r) => [...row].forEach((sign, c) => {
    const x = (c + 0.5) * side, y = (r + 0.5) * side;
    if (sign in stones) stones[sign] += shape.discs ? disc(x, y, side * 0.4) : sign === "X" ? cross(x, y, side * 0.26) : disc(x, y, side * 0.29);
    else if (shape.holes) holes += disc(x, y, side * 0.36);
  }));
  // O's discs have a light middle, so that the players differ without colour too
  const middles = shape.discs ? rows.flatMap((row, r) => [...row].map((sign, c) => sign === "O"
    ? disc((c + 0.5) * side, (r + 0.5) * side, side * 0.16) : "")).join("") : "";
  const marks = last.map(([r, c]) => `M${c * side} ${r * side}h${side}v${side}h${-side}z`).join("");
  const lines = [...Array(shape.width - 1)].map((_, i) => `M${(i + 1) * side} 0v${height}`)
    .concat([...Array(shape.height - 1)].map((_, i) => `M0 ${(i + 1) * side}h${width}`)).join("");
  const kind = shape.discs ? "discs" : "letters";
  return svg("g", { class: `squares ${kind}`, "stroke-width": shape.discs ? 0 : side * 0.13 },
    svg("rect", { class: "ground", width, height }),
    svg("path", { class: "last", d: marks }), svg("path", { class: "lines", d: lines }), svg("path", { class: "holes", d: holes }),
    svg("path", { class: "x", d: stones.X }), svg("path", { class: "o", d: stones.O }), svg("path", { class: "middles", d: middles }));
}

function disc(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

function cross(x, y, r) {
  return `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`;
}
