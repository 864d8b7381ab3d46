// The rules of the three games, as arena/games has them. A state is {own, ownHigh, theirs, theirsHigh, player}: the stones of the
// player to move and of the other player as sets of squares (bits.js), and the player to move, 0 or 1. Nobody changes a state.
//
// Of a game: name, numActions, height, width, stonesFall, passAction (null without one), start(), legal(state), ascending;
// play(state, action), which must be legal; outcome(state), 1, 0 or -1 for the player to move, null while the game goes on;
// bit(row, column). For a search with proofs: winsAtOnce(state), sound(state), forcedWin(state) and playedOut(state), whose
// meanings arena/players/rules.py explains.

import { countSet, found, HALF, hasBit, LOW } from "./bits.js";
import {
  columnsOf, hasFour, notLosing, playableHigh, playableLow, SQUARES_HIGH, SQUARES_LOW, winningSquares, winningThreat,
} from "./connect_four.js";

const NONE = [];

// ---- Tic-Tac-Toe: square, action and bit share a number

const TTT_FULL = 0o777, TTT_LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const hasLine = stones => TTT_LINES.some(line => (stones & line) === line);
const actionsIn = squares => [0, 1, 2, 3, 4, 5, 6, 7, 8].filter(square => squares >> square & 1);

function completed(own, theirs) {
  let squares = 0;
  for (const line of TTT_LINES) {
    const missing = line & ~own;
    if (!(missing & missing - 1)) squares |= missing;
  }
  return squares & ~theirs;
}

const ticTacToe = {
  name: "tic_tac_toe", numActions: 9, height: 3, width: 3, stonesFall: false, passAction: null,
  bit: (row, column) => 3 * row + column,
  start: () => ({ own: 0, ownHigh: 0, theirs: 0, theirsHigh: 0, player: 0 }),
  legal: state => hasLine(state.theirs) ? [] : actionsIn(TTT_FULL & ~(state.own | state.theirs)),
  play: ({ own, theirs, player }, action) =>
    ({ own: theirs, ownHigh: 0, theirs: own | 1 << action, theirsHigh: 0, player: 1 - player }),
  outcome: ({ own, theirs }) => hasLine(theirs) ? -1 : (own | theirs) === TTT_FULL ? 0 : null,
  winsAtOnce: ({ own, theirs }) => actionsIn(completed(own, theirs)),
  sound({ own, theirs }) {
    const forced = completed(theirs, own);
    return forced & forced - 1 ? [] : actionsIn(forced || TTT_FULL & ~(own | theirs));
  },
  forcedWin: () => NONE,
  playedOut: () => null,
};

// ---- Connect Four: an action is a column

const connectFour = {
  name: "connect_four", numActions: 7, height: 6, width: 7, stonesFall: true, passAction: null,
  bit: (row, column) => 7 * column + 5 - row,
  start: ticTacToe.start,
  legal(state) {
    if (hasFour(state.theirs, state.theirsHigh)) return [];
    return columnsOf(playableLow(state.own | state.theirs), playableHigh(state.ownHigh | state.theirsHigh));
  },
  play({ own, ownHigh, theirs, theirsHigh, player }, action) {
    let stone = 0, stoneHigh = 0; // adding 1 at the floor carries through the column's stones to its first free square
    if (action < 4) stone = (own | theirs) + (1 << 7 * action) & 63 << 7 * action;
    else stoneHigh = (ownHigh | theirsHigh) + (1 << 7 * action - HALF) & 63 << 7 * action - HALF;
    return { own: theirs, ownHigh: theirsHigh, theirs: own | stone, theirsHigh: ownHigh | stoneHigh, player: 1 - player };
  },
  outcome({ own, ownHigh, theirs, theirsHigh }) {
    if (hasFour(theirs, theirsHigh)) return -1;
    return (own | theirs) === SQUARES_LOW && (ownHigh | theirsHigh) === SQUARES_HIGH ? 0 : null;
  },
  winsAtOnce({ own, ownHigh, theirs, theirsHigh }) {
    const low = own | theirs, high = ownHigh | theirsHigh;
    winningSquares(own, ownHigh, low, high);
    return columnsOf(playableLow(low) & found.low, playableHigh(high) & found.high);
  },
  sound({ own, ownHigh, theirs, theirsHigh }) {
    const low = own | theirs, high = ownHigh | theirsHigh;
    winningSquares(theirs, theirsHigh, low, high);
    notLosing(found.low, found.high, low, high);
    return columnsOf(found.low, found.high);
  },
  forcedWin({ own, ownHigh, theirs, theirsHigh }) {
    const column = winningThreat(own, ownHigh, theirs, theirsHigh);
    return column < 0 ? NONE : [column];
  },
  playedOut: () => null,
};

// ---- Othello 6x6: an action is a square, row by row, or the pass; the bit of a square is 7 * row + column

const OTHELLO_PASS = 36, OTHELLO_STEPS = [1, 6, 7, 8], SHORT_END = 10;
const OTHELLO_LOW = 63 | 63 << 7 | 63 << 14 | 63 << 21, OTHELLO_HIGH = 63 | 63 << 7;

// Finds the squares where a stone encloses a line of the other player's stones.
export function enclosing(own, ownHigh, theirs, theirsHigh) {
  let low = 0, high = 0;
  for (const step of OTHELLO_STEPS) {
    const back = HALF - step;
    let up = own << step & theirs, upHigh = (ownHigh << step | own >>> back) & theirsHigh;
    let down = (own >>> step | ownHigh << back) & theirs, downHigh = ownHigh >>> step & theirsHigh;
    for (let i = 0; i < 3; i++) { // an enclosed line on this board holds at most four stones
      const before = up, beforeHigh = downHigh;
      up |= up << step & theirs;
      upHigh |= (upHigh << step | before >>> back) & theirsHigh;
      downHigh |= downHigh >>> step & theirsHigh;
      down |= (down >>> step | beforeHigh << back) & theirs;
    }
    low |= up << step | down >>> step | downHigh << back;
    high |= upHigh << step | up >>> back | downHigh >>> step;
  }
  found.low = low & OTHELLO_LOW & ~(own | theirs);
  found.high = high & OTHELLO_HIGH & ~(ownHigh | theirsHigh);
}

function othelloActions(low, high) {
  const actions = [];
  for (let row = 0; row < 6; row++) {
    const squares = row < 4 ? low >>> 7 * row : high >>> 7 * row - HALF;
    for (let column = 0; column < 6; column++) if (squares >>> column & 1) actions.push(6 * row + column);
  }
  return actions;
}

// Returns the state after a stone on a square that may be played.
function placed({ own, ownHigh, theirs, theirsHigh, player }, action) {
  const bit = Math.floor(action / 6) * 7 + action % 6;
  const stone = bit < HALF ? 1 << bit : 0, stoneHigh = bit < HALF ? 0 : 1 << bit - HALF;
  let turned = 0, turnedHigh = 0;
  for (const step of OTHELLO_STEPS) {
    for (const isUp of [true, false]) {
      let line = 0, lineHigh = 0, at = stone, atHigh = stoneHigh;
      while (true) {
        const before = at;
        at = (isUp ? at << step : at >>> step | atHigh << HALF - step) & LOW;
        atHigh = isUp ? atHigh << step | before >>> HALF - step : atHigh >>> step;
        if (!(at & theirs | atHigh & theirsHigh)) break;
        line |= at;
        lineHigh |= atHigh;
      }
      if (!(at & own | atHigh & ownHigh)) continue;
      turned |= line;
      turnedHigh |= lineHigh;
    }
  }
  return {
    own: theirs ^ turned, ownHigh: theirsHigh ^ turnedHigh,
    theirs: own | stone | turned, theirsHigh: ownHigh | stoneHigh | turnedHigh, player: 1 - player,
  };
}

const passed = ({ own, ownHigh, theirs, theirsHigh, player }) =>
  ({ own: theirs, ownHigh: theirsHigh, theirs: own, theirsHigh: ownHigh, player: 1 - player });

function moreStones(state) {
  return Math.sign(countSet(state.own, state.ownHigh) - countSet(state.theirs, state.theirsHigh));
}

// Returns the result of best play for the player to move, if it is between `alpha` and `beta`; else a bound.
function othelloResult(state, alpha, beta) {
  const actions = othello.legal(state);
  if (!actions.length) return moreStones(state);
  for (const action of actions) {
    alpha = Math.max(alpha, -othelloResult(othello.play(state, action), -beta, -alpha));
    if (alpha >= beta) break;
  }
  return alpha;
}

const othello = {
  name: "othello", numActions: 37, height: 6, width: 6, stonesFall: false, passAction: OTHELLO_PASS,
  bit: (row, column) => 7 * row + column,
  start: () => ({ own: 1 << 17 | 1 << 23, ownHigh: 0, theirs: 1 << 16 | 1 << 24, theirsHigh: 0, player: 0 }),
  legal({ own, ownHigh, theirs, theirsHigh }) {
    enclosing(own, ownHigh, theirs, theirsHigh);
    if (found.low | found.high) return othelloActions(found.low, found.high);
    enclosing(theirs, theirsHigh, own, ownHigh);
    return found.low | found.high ? [OTHELLO_PASS] : [];
  },
  play: (state, action) => action === OTHELLO_PASS ? passed(state) : placed(state, action),
  outcome({ own, ownHigh, theirs, theirsHigh }) {
    enclosing(own, ownHigh, theirs, theirsHigh);
    if (found.low | found.high) return null;
    enclosing(theirs, theirsHigh, own, ownHigh);
    if (found.low | found.high) return null;
    return moreStones({ own, ownHigh, theirs, theirsHigh });
  },
  winsAtOnce: () => NONE,
  sound: state => othello.legal(state),
  forcedWin: () => NONE,
  playedOut(state) {
    return emptySquares(othello, state) > SHORT_END ? null : othelloResult(state, -1, 1);
  },
};
export const RULES = { tic_tac_toe: ticTacToe, connect_four: connectFour, othello };

// ---- of every game

// Returns the rows of the board, top row first: X, O or "." for each square.
export function rowsOf(game, { own, ownHigh, theirs, theirsHigh, player }) {
  const signs = player ? "OX" : "XO";
  return Array.from({ length: game.height }, (_, row) => Array.from({ length: game.width }, (_, column) => {
    const bit = game.bit(row, column);
    return hasBit(own, ownHigh, bit) ? signs[0] : hasBit(theirs, theirsHigh, bit) ? signs[1] : ".";
  }).join(""));
}

// Returns the result of a game that is over for a player, 0 or 1.
export function resultFor(game, state, player) {
  const outcome = game.outcome(state);
  return state.player === player ? outcome : 0 - outcome;
}

export const emptySquares = (game, state) =>
  game.height * game.width - countSet(state.own | state.theirs, state.ownHigh | state.theirsHigh);

// Returns a text that only this position has; the player to move is part of it.
export const keyOf = state => `${state.own},${state.ownHigh},${state.theirs},${state.theirsHigh},${state.player}`;
