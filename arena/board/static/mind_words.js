// In a sentence or two: which of the minds expects something else than the others, or than the exact result, and why that may be.

import { moveName, signed } from "./viewer.js";

const ASKED = { uct: "UCT", network: "the network", alphazero: "AlphaZero" };
const FATES = { "1": "wins", "0": "draws", "-1": "loses" };
const CLEAR = 0.1;              // a value nearer to 0 expects nobody to win
const FEW = { uct: 1000, alphazero: 100 }; // with fewer simulations a search is often wrong

// Args: now, the board; minds, by their names; solved, whether the solver may be quoted. Returns "" where nothing differs.
export function differing(now, minds, solved) {
  const asked = Object.keys(ASKED).filter(name => Number.isInteger(minds[name].best));
  const exact = solved && minds.solver.done && Number.isInteger(minds.solver.best) ? minds.solver : null;
  const [words, odd] = exact ? wrong(now, minds, asked, exact) : apart(now, minds, asked);
  return odd.length ? `${words} This may be because ${clauses(odd.map(name => reason(name, minds[name])))}.` : "";
}

// Beside the exact results: who would play a move with a worse one, or expects the wrong player to win.
function wrong(now, minds, asked, exact) {
  const result = action => exact.moves.find(move => move.action === action).value, best = called(now, exact.best);
  const worse = asked.filter(name => result(minds[name].best) < exact.value);
  if (worse.length) {
    const plays = worse.map(name => `${ASKED[name]} would play ${called(now, minds[name].best)}, which ${FATES[result(minds[name].best)]}`);
    return [`${capital(clauses(plays))}; ${best} ${FATES[exact.value]}.`, worse];
  }
  const mistaken = asked.filter(name => side(minds[name].value) * exact.value < 0);
  const fate = `with perfect play ${winner(now, exact.value)} wins`;
  return [`${capital(clauses(mistaken.map(name => expects(now, name, minds[name].value))))}; ${fate}.`, mistaken];
}

// Without exact results: who differs from most of the others; all of them where there is no majority.
function apart(now, minds, asked) {
  const byMove = groups(asked, name => minds[name].best);
  if (byMove.length > 1) {
    const plays = byMove.map(({ key, names }) => `${joined(names.map(name => ASKED[name]))} would play ${called(now, key)}`);
    return [`${capital(clauses(plays))}.`, minority(byMove)];
  }
  const clear = groups(asked.filter(name => side(minds[name].value)), name => side(minds[name].value));
  if (clear.length < 2) return ["", []];
  const views = clear.map(({ key, names }) => names.length === 1 ? expects(now, names[0], minds[names[0]].value)
    : `${joined(names.map(name => ASKED[name]))} expect ${winner(now, key)} to win`);
  const everybody = `${capital(joined(asked.map(name => ASKED[name])))} would ${asked.length === 2 ? "both" : "all"} play`;
  return [`${everybody} ${called(now, byMove[0].key)}, but ${clauses(views)}.`, minority(clear)];
}

function groups(names, keyOf) {
  const found = new Map();
  for (const name of names) found.set(keyOf(name), [...(found.get(keyOf(name)) ?? []), name]);
  return Array.from(found, ([key, names]) => ({ key, names })).sort((one, other) => one.names.length - other.names.length);
}

const minority = sorted => sorted.at(-1).names.length > 1 ? sorted.slice(0, -1).flatMap(({ names }) => names) : sorted.flatMap(({ names }) => names);
const side = value => Math.abs(value ?? 0) < CLEAR ? 0 : Math.sign(value);
const winner = (now, value) => value > 0 === (now.mover === "X") ? "X" : "O";
const expects = (now, name, value) => `${ASKED[name]} expects ${winner(now, value)} to win (${signed(value)} for ${now.mover})`;

function reason(name, { simulations }) {
  if (name === "network") return "the network answers without looking ahead";
  const made = `${ASKED[name]} has made only ${simulations} simulation${simulations === 1 ? "" : "s"}`;
  if (simulations < FEW[name]) return made;
  return name === "uct" ? "UCT judges positions by random games" : "AlphaZero takes its values from the network";
}

function called(now, action) {
  return now.stones_fall || action === now.pass_action ? moveName(now, action) : `square ${action}`;
}

const capital = words => words.charAt(0).toUpperCase() + words.slice(1);
const joined = (parts, and = " and ") => [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter(Boolean).join(and);
const clauses = parts => joined(parts, ", and ");
