// Plain UCT with random rollouts, for any game: arena/board/minds.py's, with the same random numbers and so the same tree.
//
// Source: Kocsis and Szepesvari (2006); the bound is -W/n + c sqrt(ln N / n), in the mover's view, with c = 1.
import { resultFor } from "./rules.js";

export const MOST_SIMULATIONS = 100000; // of one search
export const LONGEST_LINE = 12;

// Returns what a mind knows about one legal move; null for what this kind of mind does not know.
export const moveThought = (action, known = {}) => ({ action, visits: null, value: null, prior: null, note: "", ...known });

// Returns what a mind thinks about a position; arena/board/minds.py says what the fields mean.
export const thoughtOf = known =>
  ({ simulations: 0, moves: [], best: null, value: null, line: [], done: false, note: "", ...known });

const newNode = (game, state, action) =>
  ({ action, state, outcome: game.outcome(state), untried: game.legal(state), children: [], visits: 0, total: 0 });

export class UCT {
  // Args: rootFirst, the first simulation is a rollout from the root and adds no node, as the bots of the ladder do it.
  constructor(game, state, rng, rootFirst = false) {
    this.game = game;
    this.rng = rng;
    this.root = newNode(game, state, null);
    if (rootFirst) {
      this.root.visits = 1;
      this.root.total = this.rollout(state);
    }
  }

  step(count) {
    const runs = Math.min(count, MOST_SIMULATIONS - this.root.visits);
    for (let i = 0; i < runs; i++) this.simulate();
  }

  thought() {
    const { root, game } = this;
    const moves = game.legal(root.state).map(action => {
      const child = root.children.find(each => each.action === action);
      return moveThought(action, child ? { visits: child.visits, value: -child.total / child.visits } : { visits: 0 });
    });
    const line = this.line();
    return thoughtOf({
      simulations: root.visits, moves, best: line.length ? line[0] : null, value: root.visits ? root.total / root.visits : null,
      line, done: root.visits >= MOST_SIMULATIONS,
    });
  }

  simulate() {
    const path = [this.root];
    let node = this.root;
    while (node.outcome === null) {
      const isNew = node.untried.length > 0;
      let child;
      if (isNew) {
        const [action] = node.untried.splice(this.rng.below(node.untried.length), 1);
        child = newNode(this.game, this.game.play(node.state, action), action);
        node.children.push(child);
      } else child = highestBound(node);
      path.push(child);
      node = child;
      if (isNew) break;
    }
    let value = node.outcome === null ? this.rollout(node.state) : node.outcome;
    for (let i = path.length - 1; i >= 0; i--) {
      path[i].visits++;
      path[i].total += value;
      value = -value;
    }
  }

  // Plays at random to the end; returns the result for the player to move at `state`.
  rollout(state) {
    const { game, rng } = this, { player } = state;
    for (let actions = game.legal(state); actions.length; actions = game.legal(state)) {
      state = game.play(state, rng.choice(actions));
    }
    return resultFor(game, state, player);
  }

  // Follows the most visited moves down the tree; of equals the first action counts.
  line() {
    const line = [];
    let node = this.root;
    while (node.children.length && line.length < LONGEST_LINE) {
      node = node.children.reduce((best, each) =>
        each.visits > best.visits || each.visits === best.visits && each.action < best.action ? each : best);
      line.push(node.action);
    }
    return line;
  }
}

// Of equal bounds the child that was made first counts.
function highestBound(node) {
  const log = Math.sqrt(Math.log(node.visits));
  let chosen = null, highest = -Infinity;
  for (const child of node.children) {
    const bound = log / Math.sqrt(child.visits) - child.total / child.visits;
    if (bound > highest) {
      highest = bound;
      chosen = child;
    }
  }
  return chosen;
}
