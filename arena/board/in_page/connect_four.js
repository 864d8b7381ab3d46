// The squares of Connect Four, as arena/players/bitboard.py has them: the bit of a square is 7 * column + row, row 0 at the bottom.
import { found, HALF, LOW } from "./bits.js";

export const FLOORS_LOW = 1 | 1 << 7 | 1 << 14 | 1 << 21, FLOORS_HIGH = 1 | 1 << 7 | 1 << 14;
export const SQUARES_LOW = FLOORS_LOW * 63, SQUARES_HIGH = FLOORS_HIGH * 63;

function hasFourAlong(low, high, step) {
  const pairs = low & (low >>> step | high << HALF - step), highPairs = high & high >>> step;
  return pairs & (pairs >>> 2 * step | highPairs << HALF - 2 * step) || highPairs & highPairs >>> 2 * step;
}

// Returns a number other than 0 if there are four in a row.
export function hasFour(low, high) {
  return hasFourAlong(low, high, 7) || hasFourAlong(low, high, 6) || hasFourAlong(low, high, 8) || hasFourAlong(low, high, 1);
}

// Finds the free squares, reachable now or later, that would give these stones four in a row.
export function winningSquares(low, high, occupiedLow, occupiedHigh) {
  let winsLow = low << 1 & low << 2 & low << 3, winsHigh = high << 1 & high << 2 & high << 3;
  for (let step = 6; step <= 8; step++) {
    const up1 = low << step, up1High = high << step | low >>> HALF - step;
    const up2 = low << 2 * step, up2High = high << 2 * step | low >>> HALF - 2 * step;
    const up3 = low << 3 * step, up3High = high << 3 * step | low >>> HALF - 3 * step;
    const down1 = low >>> step | high << HALF - step, down1High = high >>> step;
    const down2 = low >>> 2 * step | high << HALF - 2 * step, down2High = high >>> 2 * step;
    const down3 = low >>> 3 * step | high << HALF - 3 * step, down3High = high >>> 3 * step;
    winsLow |= up1 & up2 & (up3 | down1) | down1 & down2 & (down3 | up1);
    winsHigh |= up1High & up2High & (up3High | down1High) | down1High & down2High & (down3High | up1High);
  }
  found.low = winsLow & SQUARES_LOW & ~occupiedLow;
  found.high = winsHigh & SQUARES_HIGH & ~occupiedHigh;
}

// The squares on which the next stone can land, at most one a column. No column carries into the next.
export const playableLow = occupiedLow => occupiedLow + FLOORS_LOW & SQUARES_LOW;
export const playableHigh = occupiedHigh => occupiedHigh + FLOORS_HIGH & SQUARES_HIGH;

// Finds the squares to play on that do not let the other player, who has these threats, win at once; none if two threaten.
export function notLosing(threatsLow, threatsHigh, occupiedLow, occupiedHigh) {
  let low = playableLow(occupiedLow), high = playableHigh(occupiedHigh);
  const forcedLow = low & threatsLow, forcedHigh = high & threatsHigh;
  if (forcedLow | forcedHigh) {
    const several = (forcedLow && forcedHigh) || (forcedLow & forcedLow - 1) || (forcedHigh & forcedHigh - 1);
    low = several ? 0 : forcedLow;
    high = several ? 0 : forcedHigh;
  }
  found.low = low & ~(threatsLow >>> 1); // a stone below a threat lets the other player win
  found.high = high & ~(threatsHigh >>> 1);
}

// Returns the columns of these squares, ascending.
export function columnsOf(low, high) {
  const columns = [];
  for (let column = 0; column < 7; column++) {
    if ((column < 4 ? low >>> 7 * column : high >>> 7 * column - HALF) & 63) columns.push(column);
  }
  return columns;
}

const THREATS = 6;

// Returns the column in which a forced win of the mover begins, -1 without such a win; the mover cannot win at once.
// Each stone of it threatens to win at once, and the last of at most THREATS stones threatens to win in two ways.
//
// Source: Allis, van den Herik and Huntjens, "Go-Moku and threat-space search" (1993); see arena/players/threats.py.
export function winningThreat(ownLow, ownHigh, theirsLow, theirsHigh) {
  return threatens(ownLow, ownHigh, theirsLow, theirsHigh, THREATS);
}

function threatens(ownLow, ownHigh, theirsLow, theirsHigh, stones) {
  const occupiedLow = ownLow | theirsLow, occupiedHigh = ownHigh | theirsHigh;
  winningSquares(theirsLow, theirsHigh, occupiedLow, occupiedHigh);
  notLosing(found.low, found.high, occupiedLow, occupiedHigh);
  let { low, high } = found;
  while (low | high) {
    const bit = low ? low & -low : 0, bitHigh = low ? 0 : high & -high;
    low ^= bit;
    high ^= bitHigh;
    const ownNow = ownLow | bit, ownNowHigh = ownHigh | bitHigh;
    const takenLow = occupiedLow | bit, takenHigh = occupiedHigh | bitHigh;
    winningSquares(ownNow, ownNowHigh, takenLow, takenHigh);
    const winsLow = playableLow(takenLow) & found.low, winsHigh = playableHigh(takenHigh) & found.high;
    if (!(winsLow | winsHigh)) continue;
    const reply = winsLow ? winsLow & -winsLow : 0, replyHigh = winsLow ? 0 : winsHigh & -winsHigh;
    const column = Math.floor((bit ? 31 - Math.clz32(bit) : HALF + 31 - Math.clz32(bitHigh)) / 7);
    const nextLow = takenLow | reply, nextHigh = takenHigh | replyHigh; // a second square still wins behind the reply
    if (playableLow(nextLow) & found.low | playableHigh(nextHigh) & found.high) return column;
    if (stones > 1 && threatens(ownNow, ownNowHigh, theirsLow | reply, theirsHigh | replyHigh, stones - 1) >= 0) return column;
  }
  return -1;
}
