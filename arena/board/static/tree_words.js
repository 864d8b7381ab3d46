// What is said of a node, in the text's notation: n for its visits, N for its parent's, W in the mover's view.

export function number(value, digits = 2) {
  const text = Number.isInteger(value) ? String(value) : value.toFixed(digits);
  return text.replace("-", "−");
}

export function short(words, length) {
  return words.length > length ? `${words.slice(0, length - 1)}…` : words;
}

export function boundName(node) {
  return node.prior === null ? "UCB" : "PUCT";
}

// The bound for the player who chooses at the parent; "" at the root, which has none.
export function boundText(node) {
  if (node.N === null) return "";
  return node.parts === null ? "∞" : number(node.parts[0] + node.parts[1]);
}

export function title(node) {
  if (node.fault) return "unreadable";
  return node.action === null ? node.words : `${node.action} · ${node.words}`;
}

// The two terms of the bound with their numbers filled in: [name, formula, value] each.
export function terms(node, c) {
  const n = number(node.n), N = number(node.N), W = node.W < 0 ? `(${number(node.W)})` : number(node.W);
  const [exploitation, exploration] = node.parts;
  const mean = node.n > 0 ? `−W/n = −${W}/${n}` : "no visit yet";
  const bonus = node.prior === null
    ? `c √(ln N / n) = ${number(c)} · √(ln ${N} / ${n})`
    : `c P √N / (1 + n) = ${number(c)} · ${number(node.prior, 3)} · √${number(Math.max(1, node.N))} / (1 + ${n})`;
  return [["exploitation", mean, exploitation], ["exploration", bonus, exploration]];
}

// The whole node in one line, as a screen reader says it.
export function sentence(node) {
  if (node.fault) return `cannot be read: ${node.fault}`;
  const moved = node.action === null ? "root" : `${node.chooser} plays ${node.action}`;
  const prior = node.prior === null ? "" : `, prior ${number(node.prior, 3)}`;
  const bound = node.N === null ? "" : node.parts === null ? `, ${boundName(node)} infinite`
    : `, ${boundName(node)} ${boundText(node)}: exploitation ${number(node.parts[0])}, exploration ${number(node.parts[1])}`;
  return `${moved}, ${node.words}; n ${number(node.n)}, W ${number(node.W)}${prior}${bound}`;
}
