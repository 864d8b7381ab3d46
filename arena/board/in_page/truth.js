// The solver's mind, as arena/board/truth.py: the exact result of every move, one move at a time.
//
// A judge is (state, action) => [result for the player who moves, a number by which such moves are ranked, words].
import { countSet } from "./bits.js";
import { pliesToEnd, Unfinished } from "./solver.js";
import { keyOf, resultFor, RULES } from "./rules.js";
import { moveThought, thoughtOf } from "./uct.js";

const DEEPEST = { tic_tac_toe: 9, othello: 10 }; // the longest games that a search of all lines finishes soon, in empty squares
const LATE = { ...DEEPEST, connect_four: 26 }; // the same for all moves of all positions of a game
const WORDS = { "1": "wins", "0": "draws", "-1": "loses" };
const PATIENCE = 100000; // positions that the solver looks at before the page gets an answer, at first
const MORE_PATIENCE = 1.5; // each time that it was not enough: what the table has lost must be found again

// A judge that asks a solver for a limited time: `of` returns null where the time was too short, and more is given the next time.
export class Patient {
  // Args: solver, that the judge asks, null for none.
  constructor(judge, solver = null) {
    Object.assign(this, { judge, solver, patience: PATIENCE });
  }

  of({ state }, action) {
    if (this.solver) this.solver.patience = this.patience;
    try {
      const judged = this.judge(state, action);
      this.patience = PATIENCE;
      return judged;
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error;
      this.patience *= MORE_PATIENCE;
      return null;
    }
  }
}

export class Truth {
  // Args: judge, a `Patient` one; rng, chooses among the best moves.
  constructor(position, judge, rng) {
    Object.assign(this, { position, judge, rng, known: new Map(), best: null });
  }

  step(count) {
    const { legal } = this.position;
    for (const action of legal.filter(action => !this.known.has(action)).slice(0, count)) {
      const judged = this.judge.of(this.position, action);
      if (!judged) return; // the next step asks again
      this.known.set(action, judged);
    }
    if (this.best !== null || this.known.size < legal.length) return;
    const highest = Math.max(...[...this.known.values()].map(([, rank]) => rank));
    this.best = this.rng.choice([...this.known].filter(([, [, rank]]) => rank === highest).map(([action]) => action));
  }

  thought() {
    const moves = this.position.legal.map(action => {
      const [value, , note] = this.known.get(action) ?? [null, 0, ""];
      return moveThought(action, { value, note });
    });
    if (this.best === null) return thoughtOf({ moves });
    return thoughtOf({ moves, best: this.best, value: this.known.get(this.best)[0], line: [this.best], done: true });
  }
}

// The mind of a solver that cannot see the end of the game from here.
export class TooDeep {
  constructor({ empty, name, legal }) {
    const note = `too deep: ${empty} empty squares; exact from ${DEEPEST[name]} on`;
    this.known = thoughtOf({ moves: legal.map(action => moveThought(action)), done: true, note });
  }

  step() {}

  thought() { return this.known; }
}

export const isTooDeep = position => position.empty > (DEEPEST[position.name] ?? 0);

// Returns the judge of a game; that of Connect Four asks the solver, the others search all lines. Args: perfect, {exact, solver}.
export function judgeOf(game, perfect) {
  return perfect ? new Patient(connectFourJudge(perfect.exact), perfect.solver) : new Patient(exactJudge(game));
}

// Returns a judge that searches all lines to the end of the game; it remembers every position that it has seen.
function exactJudge(game) {
  const known = new Map();
  const value = state => {
    const key = keyOf(state);
    let best = known.get(key) ?? game.outcome(state);
    if (best === null) {
      best = -1;
      for (const action of game.legal(state)) {
        best = Math.max(best, 0 - value(game.play(state, action)));
        if (best === 1) break;
      }
    }
    known.set(key, best);
    return best;
  };
  return (state, action) => {
    const result = 0 - value(game.play(state, action));
    return [result, result, WORDS[result]];
  };
}

// Returns the judge of Connect Four: a sooner win and a later loss rank higher. Args: exact, state => score.
function connectFourJudge(exact) {
  const game = RULES.connect_four;
  return (state, action) => {
    const after = game.play(state, action), outcome = game.outcome(after);
    const score = outcome === null ? 0 - exact(after) : endScore(after, outcome);
    return [Math.sign(score), score, WORDS[Math.sign(score)] + (score ? ` in ${pliesToEnd(state, score)}` : "")];
  };
}

// Returns the score of a finished game for the player who moved last, whose stones are `theirs`.
function endScore({ theirs, theirsHigh }, outcome) {
  return outcome ? 22 - countSet(theirs, theirsHigh) : 0;
}

// Looks for the move by which a player made a finished game what it was in the end: {number, from 1; better, the best actions}.
export class Deciding {
  // Args: judge, a `Patient` one.
  constructor(line, player, judge) {
    Object.assign(this, { line, player, judge, ply: line.actions.length - 1, judged: new Map() });
    this.result = resultFor(line.game, line.state, player);
  }

  // Returns the move, null if there is none as far as a solver sees soon, or undefined while it is still being looked for.
  step() {
    const { line, player, judged, result } = this;
    for (; this.ply >= 0; this.ply--, judged.clear()) {
      const at = line.backTo(this.ply);
      if (at.empty > LATE[line.name] || result === 1) return null;
      if (at.mover !== player) continue;
      for (const action of at.legal) {
        const known = judged.get(action) ?? this.judge.of(at, action);
        if (!known) return undefined;
        judged.set(action, known);
      }
      const highest = Math.max(...[...judged.values()].map(([, rank]) => rank));
      const better = at.legal.filter(action => judged.get(action)[1] === highest);
      const played = judged.get(line.actions[this.ply])[0];
      if (judged.get(better[0])[0] > played && played === result) return { number: this.ply + 1, better };
    }
    return null;
  }
}
