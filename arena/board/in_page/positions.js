// A game up to now, as arena/board/positions.py has it: opened by a text of moves, described as plain data.
import { emptySquares, RULES, resultFor, rowsOf } from "./rules.js";

export const TITLES = { tic_tac_toe: "Tic-Tac-Toe", connect_four: "Connect Four", othello: "Othello 6x6" };
const IN_A_ROW = { tic_tac_toe: 3, connect_four: 4 };
const LONGEST_TEXT = 400; // characters in a text of moves

// An error that the reader can correct; its text is one sentence.
export class UserError extends Error {}

export class Position {
  constructor(game, actions, states) {
    this.game = game;
    this.actions = actions;
    this.states = states;
  }

  get name() { return this.game.name; }
  get state() { return this.states[this.states.length - 1]; }
  get mover() { return this.state.player; }
  get over() { return this.game.outcome(this.state) !== null; }
  get legal() { return this.game.legal(this.state); }
  get moves() { return this.actions.join(this.game.numActions > 10 ? "." : ""); }
  get empty() { return emptySquares(this.game, this.state); }

  play(action) {
    if (!this.legal.includes(action)) {
      throw new UserError(this.over ? "the game is over: take a move back, or begin a new game"
        : `${action} is not legal here; legal moves: ${this.legal.join(", ")}`);
    }
    return new Position(this.game, [...this.actions, action], [...this.states, this.game.play(this.state, action)]);
  }

  backTo(ply) {
    return new Position(this.game, this.actions.slice(0, ply), this.states.slice(0, ply + 1));
  }
}

export function startOf(name) {
  const game = Object.hasOwn(RULES, name) ? RULES[name] : null;
  if (!game) throw new UserError(`no game is called '${name.slice(0, 40)}'; choose from ${Object.keys(RULES).join(", ")}`);
  return new Position(game, [], [game.start()]);
}

// Returns the position after `moves`, a text as `Position.moves` writes it.
export function openPosition(name, moves) {
  let position = startOf(name);
  wordsOf(moves, position.game.numActions > 10).forEach((word, i) => {
    try {
      position = position.play(Number(word));
    } catch (error) {
      if (error instanceof UserError) throw new UserError(`move ${i + 1} of ${moves}: ${error.message}`);
      throw error;
    }
  });
  return position;
}

function wordsOf(moves, separated) {
  const words = separated && moves ? moves.split(".") : [...moves];
  if (moves.length > LONGEST_TEXT || !words.every(word => /^[0-9]{1,2}$/.test(word))) {
    const form = separated ? "numbers with dots between them, such as 13.9.10" : "digits, such as 4435";
    throw new UserError(`moves must be ${form}, not '${moves.slice(0, 40)}'`);
  }
  return words;
}

// Returns all that a page needs to draw a position.
export function describe(position) {
  const { game, state, legal, over } = position;
  const rows = rowsOf(game, state), before = position.actions.length ? rowsOf(game, position.states.at(-2)) : rows;
  return {
    game: position.name, title: TITLES[position.name], moves: position.moves, actions: position.actions,
    rows, stones_fall: game.stonesFall, pass_action: game.passAction, legal,
    must_pass: !over && game.passAction !== null && legal.length === 1 && legal[0] === game.passAction,
    last: squaresWhere(rows, (sign, r, c) => sign !== "." && before[r][c] === "."), row: winningRow(position, rows),
    mover: "XO"[position.mover], over, caption: captionOf(position, rows),
    result: over ? resultFor(game, state, 0) : null,
  };
}

function squaresWhere(rows, holds) {
  return rows.flatMap((signs, r) => [...signs].flatMap((sign, c) => holds(sign, r, c) ? [[r, c]] : []));
}

function captionOf({ game, state, over, legal, mover }, rows) {
  const result = over ? resultFor(game, state, 0) : null, must = legal.length === 1 && legal[0] === game.passAction;
  const words = !over ? `${"XO"[mover]} ${must ? "must pass" : "to move"}`
    : result === 0 ? "draw" : result > 0 ? "X has won" : "O has won";
  if (game.passAction === null) return words;
  const count = sign => rows.join("").split(sign).length - 1;
  return `${words}, X ${count("X")} : O ${count("O")}`;
}

// Returns the squares of a finished row of three or four, in games that are won so; else none.
function winningRow({ name, over }, rows) {
  const length = IN_A_ROW[name];
  if (!length || !over) return [];
  for (let r = 0; r < rows.length; r++) {
    for (let c = 0; c < rows[0].length; c++) {
      for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
        const squares = Array.from({ length }, (_, i) => [r + i * down, c + i * right]);
        const signs = squares.map(([y, x]) => rows[y]?.[x]);
        if ((signs[0] === "X" || signs[0] === "O") && signs.every(sign => sign === signs[0])) return squares;
      }
    }
  }
  return [];
}
