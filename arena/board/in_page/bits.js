// Sets of squares. A bit for each square is too many for the 32 bits of a whole number here, so a set is two of them: `low` has
// the bits 0 to 27, `high` those from 28 on. That is four columns of Connect Four and three, or four rows of Othello and two.
//
// A function whose result is a set leaves it in `found`, until the next such call: a search asks millions of times, and a new
// object for every answer would cost more than the answer.

export const HALF = 28, LOW = (1 << HALF) - 1;
export const found = { low: 0, high: 0 };

export function countBits(word) {
  word -= word >>> 1 & 0x55555555;
  word = (word & 0x33333333) + (word >>> 2 & 0x33333333);
  return Math.imul(word + (word >>> 4) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export const countSet = (low, high) => countBits(low) + countBits(high);

export const hasBit = (low, high, bit) => (bit < HALF ? low >>> bit : high >>> bit - HALF) & 1;

export function bitsOf(low, high) {
  const bits = [];
  for (let left = low; left; left &= left - 1) bits.push(31 - Math.clz32(left & -left));
  for (let left = high; left; left &= left - 1) bits.push(HALF + 31 - Math.clz32(left & -left));
  return bits;
}

// Returns whether the set holds two squares or more.
export const isSeveral = (low, high) => (low && high) || (low & low - 1) || (high & high - 1);
