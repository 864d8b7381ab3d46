// The search of AlphaZero and what it proves: the walks of arena/players/puct, whose docstrings explain them, without noise.
// Sums are float32 and all else is float64, as there: with the same answers of a network the visits are the same.

import { keyOf } from "./rules.js";
import { LONGEST_LINE, MOST_SIMULATIONS, moveThought, thoughtOf } from "./uct.js";

const EXPLORATION = 1.5, PARENT = 1, REDUCTION = 0.2; // `Settings` of arena/players/puct/forest.py
const FORCED_NODES = 16;
const PROVED = { "1": "proved: wins", "0": "proved: draws", "-1": "proved: loses" };
const MOST_ANSWERS = 50000; // that are kept: by other orders of moves a search asks about the same positions again

export class PUCT {
  // Args: net, has `answer(state, actions)`, as `Network`; answers, a Map of answers so far, shared by the searches of a network.
  constructor(game, net, state, answers = new Map()) {
    this.game = game;
    this.net = net;
    this.answers = answers;
    this.size = 0;
    this.simulations = -1; // the network's answer for the root is not a simulation
    this.path = [];
    this.plant(state);
    this.searchTo(0);
  }

  plant(state) {
    const { game } = this, root = this.root = this.newNode(state);
    root.setActions(game.legal(state));
    let wins = game.winsAtOnce(state);
    if (!wins.length) wins = game.forcedWin(state);
    if (!wins.length) { // no look-ahead: only a win proves a root, for its moves must be tried
      const sound = game.sound(state);
      if (sound.length) root.setActions(sound);
      return;
    }
    root.proved = 1;
    root.actions.forEach((action, i) => {
      if (!wins.includes(action)) return;
      root.children[i] = this.newNode(game.play(state, action));
      root.children[i].proved = -1;
      root.visits[i] = root.totals[i] = 1;
    });
  }

  newNode(state) {
    this.size++;
    return new TreeNode(state, this.game.outcome(state));
  }

  // Runs `count` simulations; fewer if the result is proved on the way.
  step(count) {
    this.searchTo(Math.min(Math.max(0, this.simulations) + count, MOST_SIMULATIONS));
  }

  searchTo(wanted) {
    while (this.simulations < wanted && this.root.proved === null) {
      const node = this.descend();
      if (node.proved === null) this.ask(node);
      this.backUp(node.proved ?? node.value);
    }
  }

  ask(node) {
    const key = keyOf(node.state);
    let answer = this.answers.get(key);
    if (!answer) {
      answer = this.net.answer(node.state, node.actions);
      if (this.answers.size >= MOST_ANSWERS) this.answers.clear();
      this.answers.set(key, answer);
    }
    node.actions.forEach((action, i) => { node.priors[i] = answer.priors[action]; });
    node.value = Math.fround(answer.value);
    node.answered = true;
  }

  descend() {
    this.path.length = 0;
    let node = this.root;
    while (node.answered && node.proved === null) {
      const i = best(node);
      this.path.push([node, i]);
      if (!node.children[i]) {
        const child = node.children[i] = this.newNode(this.game.play(node.state, node.actions[i]));
        if (child.proved === null) this.lookAhead(child, this.size - 1);
      }
      node = node.children[i];
    }
    return node;
  }

  // Args: number, of the node, in the order in which they were made.
  lookAhead(node, number) {
    const { game } = this, { state } = node;
    if (game.winsAtOnce(state).length) {
      node.proved = 1;
      return;
    }
    node.proved = game.playedOut(state);
    if (node.proved !== null) return;
    node.setActions(game.sound(state));
    if (!node.actions.length) node.proved = -1;
    else if (game.forcedWin(state).length) node.proved = 1;
    else if (node.actions.length === 1 && number < 2 * this.simulations + FORCED_NODES) {
      node.answered = true; // a move that is forced needs no network
      node.priors[0] = 1;
    }
  }

  backUp(value) {
    for (let step = this.path.length - 1; step >= 0; step--) {
      const [node, i] = this.path[step];
      value = -value;
      if (node.proved === null && prove(node)) value = node.proved;
      node.visits[i]++;
      node.totals[i] += value;
    }
    this.simulations++;
  }

  thought() {
    const { root, game } = this;
    const moves = game.legal(root.state).map(action => {
      const i = root.actions.indexOf(action), child = root.children[i];
      if (i < 0) { // the other player wins at once: the search leaves such a move out
        return moveThought(action, { visits: 0, value: -1, prior: root.answered ? 0 : null, note: PROVED[-1] });
      }
      const known = child && child.proved !== null, visits = root.visits[i];
      return moveThought(action, {
        visits, value: known ? 0 - child.proved : visits ? root.totals[i] / visits : null,
        prior: root.answered ? root.priors[i] : null, note: known ? PROVED[0 - child.proved] : "",
      });
    });
    const proved = root.proved !== null, simulations = Math.max(0, this.simulations);
    if (!simulations && !proved) return thoughtOf({ moves, value: root.value });
    const line = this.line();
    return thoughtOf({
      simulations, moves, best: line[0], value: rootValue(root), line, done: proved || simulations >= MOST_SIMULATIONS,
      note: proved ? "the search has proved the result" : "",
    });
  }

  // Follows the most visited moves down the tree; proved results come before visits at the root.
  line() {
    let node = this.root, i = firstHighest(rootShares(node));
    const line = [node.actions[i]];
    for (node = node.children[i]; node && node.visits.some(Boolean) && line.length < LONGEST_LINE; node = node.children[i]) {
      i = firstHighest(node.visits);
      line.push(node.actions[i]);
    }
    return line;
  }
}

// A position in the tree; `actions` are those to search, and the numbers of action i are at place i.
class TreeNode {
  constructor(state, proved) {
    this.state = state;
    this.proved = proved; // 1, 0 or -1 for the player to move; null while nothing is proved
    this.answered = false;
    this.value = 0;
    this.setActions([]);
  }

  setActions(actions) {
    this.actions = actions;
    this.children = Array(actions.length).fill(null);
    this.visits = new Int32Array(actions.length);
    this.totals = new Float32Array(actions.length);
    this.priors = new Float32Array(actions.length);
  }
}

// Returns the place of the action with the highest bound, the first of equals; one that is proved to lose only if all lose.
function best({ actions, children, visits, totals, priors, value }) {
  let all = 0, total = 0, tried = 0;
  for (let i = 0; i < actions.length; i++) {
    if (!visits[i]) continue;
    all += visits[i];
    total += totals[i];
    tried += priors[i];
  }
  const untried = PARENT * ((total + value) / (all + 1)) - REDUCTION * Math.sqrt(tried);
  const scale = EXPLORATION * Math.sqrt(Math.max(1, all));
  let chosen = -1, highest = -Infinity;
  for (let i = 0; i < actions.length; i++) {
    const proved = children[i] ? children[i].proved : null;
    const mean = proved !== null ? -proved : visits[i] ? totals[i] / visits[i] : untried;
    let bound = mean + scale * priors[i] / (1 + visits[i]);
    if (proved === 1) bound -= 1e6;
    if (chosen < 0 || bound > highest) {
      chosen = i;
      highest = bound;
    }
  }
  return chosen;
}

// Proves a node if its children prove it; returns whether they do.
function prove(node) {
  let highest = -1, allKnown = true;
  for (const child of node.children) {
    if (!child || child.proved === null) allKnown = false;
    else highest = Math.max(highest, 0 - child.proved);
  }
  if (highest !== 1 && !allKnown) return false;
  node.proved = highest;
  return true;
}

// Returns the visits that count: with a proved root those of moves with its result, else those of moves that do not lose.
function rootShares({ children, visits, proved, priors }) {
  const shares = Array.from(visits, (count, i) => {
    const known = children[i] && children[i].proved !== null ? 0 - children[i].proved : null;
    return (proved !== null ? known === proved : known !== -1) ? count : 0;
  });
  return shares.some(Boolean) ? shares : Array.from(visits, (count, i) => count + 1e-9 * priors[i]);
}

function rootValue({ proved, visits, totals, value }) {
  if (proved !== null) return proved;
  const sum = totals.reduce((total, each) => Math.fround(total + each), 0); // as compiled code adds float32 numbers
  return Math.fround(sum + value) / (visits.reduce((total, each) => total + each, 0) + 1);
}

const firstHighest = numbers => numbers.indexOf(numbers.reduce((high, each) => Math.max(high, each)));

// The network alone: a probability for each move and a value, from one look at the position.
export class Prior {
  constructor(game, net, state) {
    const actions = game.legal(state), { priors, value } = net.answer(state, actions);
    const highest = actions.reduce((best, action) => priors[action] > priors[best] ? action : best);
    this.known = thoughtOf({
      moves: actions.map(action => moveThought(action, { prior: priors[action] })),
      best: highest, value, line: [highest], done: true,
    });
  }

  step() {}

  thought() { return this.known; }
}
