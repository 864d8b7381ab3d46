// The exact score of a position of Connect Four, by the search of arena/players/solver.py: 0 is a draw, +k a win with the k-th
// last stone that the winner could still place, -k a loss in the same way, for the player to move.
//
// A question can be put aside: after `patience` positions `Unfinished` is thrown. The table remembers what was found, so that the
// same question soon comes to the place where it was left.
//
// Source: Allis, "A Knowledge-based Approach of Connect-Four" (1988); Pascal Pons, "Solving Connect 4" (the plan of the search).

import { countSet, found } from "./bits.js";
import {
  FLOORS_HIGH, FLOORS_LOW, notLosing, playableHigh, playableLow, winningSquares,
} from "./connect_four.js";

const ALL_SQUARES = 42;
const TABLE_BITS = 22;
const MIRROR_UNTIL = 14; // stones; with more, mirror images hardly ever meet
const SCORE_ZERO = 64, LOWER_BOUND = 100, HIGHEST_SCORE = 21, NOT_KNOWN = -128;
const CENTRE_LOW = [63 << 21, 63 << 14, 0, 63 << 7, 0, 63, 0], CENTRE_HIGH = [0, 0, 63, 0, 63 << 7, 0, 63 << 14];
const FIELDS = 5; // of a move in `moves`: its square and the replies that do not lose at once, both as sets, and its rank

export class Unfinished extends Error {}

export class Solver {
  constructor(tableBits = TABLE_BITS) {
    this.mask = (1 << tableBits) - 1;
    this.keys = new Int32Array(1 << tableBits); // the low part of a key
    this.entries = new Int32Array(1 << tableBits); // the high part << 8 | bound + SCORE_ZERO, and LOWER_BOUND more for a lower one
    this.moves = new Int32Array(ALL_SQUARES * 7 * FIELDS);
    this.patience = Infinity;
  }

  // Returns the exact score of a state where the game goes on.
  score({ own, ownHigh, theirs, theirsHigh }) {
    const low = own | theirs, high = ownHigh | theirsHigh, stones = countSet(low, high);
    winningSquares(own, ownHigh, low, high);
    if (playableLow(low) & found.low | playableHigh(high) & found.high) return Math.floor((ALL_SQUARES + 1 - stones) / 2);
    let least = -Math.floor((ALL_SQUARES - stones) / 2), most = Math.floor((ALL_SQUARES - 1 - stones) / 2);
    while (least < most) {
      let middle = least + Math.floor((most - least) / 2);
      if (middle <= 0 && Math.floor(least / 2) < middle) middle = Math.ceil(least / 2);
      else if (middle >= 0 && Math.floor(most / 2) > middle) middle = Math.floor(most / 2);
      const score = this.bound(own, ownHigh, low, high, middle, stones);
      if (score <= middle) most = score;
      else least = score;
    }
    return least + 0; // never -0
  }

  // Returns a lower bound of the score that is above `bound`, or an upper bound that is not; the mover cannot win at once.
  bound(own, ownHigh, low, high, bound, stones) {
    winningSquares(own ^ low, ownHigh ^ high, low, high);
    notLosing(found.low, found.high, low, high);
    if (!(found.low | found.high)) return -Math.floor((ALL_SQUARES - stones) / 2);
    return this.search(own, ownHigh, low, high, found.low, found.high, bound, stones);
  }

  // Args: squares, the moves that do not lose at once, at least one.
  search(own, ownHigh, low, high, squares, squaresHigh, bound, stones) {
    if (stones >= ALL_SQUARES - 2) return 0;
    const worst = -(ALL_SQUARES - 2 - stones >> 1), best = ALL_SQUARES - 1 - stones >> 1;
    if (worst > bound) return worst;
    if (best <= bound) return best;
    if (--this.patience < 0) throw new Unfinished();
    if (!(squares & squares - 1 | squaresHigh & squaresHigh - 1 | (squares && squaresHigh))) { // a single move needs no table
      winningSquares(own | squares, ownHigh | squaresHigh, low | squares, high | squaresHigh);
      notLosing(found.low, found.high, low | squares, high | squaresHigh);
      if (!(found.low | found.high)) return best;
      const nextLow = low | squares, nextHigh = high | squaresHigh;
      return -this.search(own ^ low, ownHigh ^ high, nextLow, nextHigh, found.low, found.high, -bound - 1, stones + 1);
    }
    let key = own + low + FLOORS_LOW, keyHigh = ownHigh + high + FLOORS_HIGH;
    if (stones < MIRROR_UNTIL) {
      const turned = keyHigh >> 14 | (keyHigh >> 7 & 127) << 7 | (keyHigh & 127) << 14 | (key >> 21 & 127) << 21;
      const turnedHigh = key >> 14 & 127 | (key >> 7 & 127) << 7 | (key & 127) << 14;
      if (turnedHigh < keyHigh || turnedHigh === keyHigh && turned < key) {
        key = turned;
        keyHigh = turnedHigh;
      }
    }
    const mixed = Math.imul(key ^ keyHigh * 0x9e3779b1, 0x85ebca6b), place = (mixed ^ mixed >>> 15) & this.mask;
    for (let at = place, i = 0; i < 2; i++, at ^= 1) {
      if (this.keys[at] !== key || this.entries[at] >> 8 !== keyHigh) continue;
      const entry = (this.entries[at] & 255) - SCORE_ZERO, isLower = entry > HIGHEST_SCORE;
      const known = isLower ? entry - LOWER_BOUND : entry;
      if (isLower ? known > bound : known <= bound) return known;
    }
    const count = this.order(own, ownHigh, low, high, squares, squaresHigh, stones);
    if (!count) return best;
    if (best - 1 <= bound) return best - 1; // the other player has a reply to every move, so the next stone does not win either
    let highest = NOT_KNOWN;
    for (let i = 0, at = stones * 7 * FIELDS; i < count; i++, at += FIELDS) {
      const { moves } = this, nextLow = low | moves[at], nextHigh = high | moves[at + 1];
      const replies = moves[at + 2], repliesHigh = moves[at + 3];
      const score = -this.search(own ^ low, ownHigh ^ high, nextLow, nextHigh, replies, repliesHigh, -bound - 1, stones + 1);
      if (score > bound) {
        this.remember(place, key, keyHigh, score + SCORE_ZERO + LOWER_BOUND);
        return score;
      }
      if (score > highest) highest = score;
    }
    this.remember(place, key, keyHigh, highest + SCORE_ZERO);
    return highest;
  }

  // Another position's entry moves to the neighbour, where it lives until the next one moves there.
  remember(place, key, keyHigh, bound) {
    if (this.keys[place] !== key || this.entries[place] >> 8 !== keyHigh) {
      this.keys[place ^ 1] = this.keys[place];
      this.entries[place ^ 1] = this.entries[place];
    }
    this.keys[place] = key;
    this.entries[place] = keyHigh << 8 | bound;
  }

  // Writes the moves into `moves`, those that make most threats first, then central ones; returns their number.
  // The number is 0 if there is no reply to one of them that does not lose at once: it wins.
  order(own, ownHigh, low, high, squares, squaresHigh, stones) {
    const { moves } = this, first = stones * 7 * FIELDS;
    let count = 0;
    for (let i = 0; i < 7; i++) {
      const square = squares & CENTRE_LOW[i], squareHigh = squaresHigh & CENTRE_HIGH[i];
      if (!(square | squareHigh)) continue;
      winningSquares(own | square, ownHigh | squareHigh, low | square, high | squareHigh);
      const rank = countSet(found.low, found.high);
      notLosing(found.low, found.high, low | square, high | squareHigh);
      if (!(found.low | found.high)) return 0;
      let at = first + count++ * FIELDS;
      for (; at > first && moves[at - 1] < rank; at -= FIELDS) moves.copyWithin(at, at - FIELDS, at);
      moves[at] = square;
      moves[at + 1] = squareHigh;
      moves[at + 2] = found.low;
      moves[at + 3] = found.high;
      moves[at + 4] = rank;
    }
    return count;
  }
}

// Returns how many plies the game lasts from `state` when both play perfectly and its score is `score`.
export function pliesToEnd(state, score) {
  const stones = countSet(state.own | state.theirs, state.ownHigh | state.theirsHigh);
  if (!score) return ALL_SQUARES - stones;
  const byWinner = 22 - Math.abs(score), firstWon = score > 0 === (stones % 2 === 0);
  return 2 * byWinner - (firstWon ? 1 : 0) - stones;
}

// ---- the opening book: assets/connect_four_book.npz

export class Book {
  // Args: key, ascending; score, for the player to move. A key is own + all stones, of a position or its mirror image.
  constructor({ key, score }) {
    this.keys = key;
    this.scores = score;
  }

  // Returns the score of a state, undefined if the book does not hold it.
  lookUp({ own, ownHigh, theirs, theirsHigh }) {
    const low = 2 * own + theirs, high = 2 * ownHigh + theirsHigh; // own + all stones; no column carries into the next
    const column = i => i < 4 ? low >> 7 * i & 127 : high >> 7 * i - 28 & 127;
    let key = 0, turned = 0;
    for (let i = 6; i >= 0; i--) {
      key = key * 128 + column(i);
      turned = turned * 128 + column(6 - i);
    }
    const wanted = Math.min(key, turned);
    let from = 0, to = this.keys.length;
    while (from < to) {
      const middle = from + to >> 1;
      if (this.keys[middle] < wanted) from = middle + 1;
      else to = middle;
    }
    return this.keys[from] === wanted ? this.scores[from] : undefined;
  }
}

// Returns a function (state) => exact score, where the game goes on: the book first, then the solver.
export const exactScore = (book, solver) => state => book.lookUp(state) ?? solver.score(state);

