// The networks that ship: `ResidualNet` of arena/players/network.py, with its weights as they are in assets/nets.
//
// `answer(state, actions)` returns the priors, a number for each action, those of the others than `actions` 0; and the value of
// the position for the player to move.
import { countSet, found, hasBit } from "./bits.js";
import { winningSquares } from "./connect_four.js";
import { convolution, GRAIN, ordered } from "./convolution.js";
import { enclosing } from "./rules.js";

const HEADS = 8; // channels that each head sees
const PAGE = 65536; // bytes of memory in WebAssembly

export class Network {
  // Args: arrays, the weights by their names in the file.
  constructor(game, arrays) {
    this.game = game;
    this.arrays = arrays;
    this.channels = arrays["stem.bias"].length;
    this.planes = arrays["stem.weight"].length / (9 * this.channels);
    this.rowSquares = game.width + 1;
    this.margin = this.rowSquares + 1; // squares in front of the first and behind the last, always 0
    this.computed = Math.ceil(game.height * this.rowSquares / GRAIN) * GRAIN;
    this.blocks = Object.keys(arrays).filter(name => /^first\.\d+\.weight$/.test(name)).length;
    this.place();
  }

  // Puts weights and boards into one memory, and makes the two convolutions, which differ in the channels of their input.
  place() {
    const { channels, planes, arrays, blocks } = this, squares = this.computed + 2 * this.margin;
    const names = ["stem", ...Array.from({ length: blocks }, (_, i) => [`first.${i}`, `second.${i}`]).flat()];
    const weights = names.map(name => arrays[`${name}.weight`].length + channels).reduce((sum, length) => sum + length, 0);
    const boards = [planes, channels, channels].map(depth => squares * depth);
    const bytes = 4 * (weights + boards.reduce((sum, length) => sum + length, 0));
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    this.numbers = new Float32Array(this.memory.buffer);
    let free = 0;
    const put = array => {
      this.numbers.set(array, free);
      free += array.length;
      return 4 * (free - array.length);
    };
    this.layers = names.map(name => {
      const inputs = name === "stem" ? planes : channels;
      return { w: put(ordered(arrays[`${name}.weight`], inputs, channels)), b: put(arrays[`${name}.bias`]) };
    });
    const board = depth => put(new Float32Array(squares * depth)) + 4 * this.margin * depth;
    [this.seen, this.x, this.y] = [board(planes), board(channels), board(channels)];
    this.stem = convolution(this.memory, this.rowSquares, planes, channels);
    this.body = convolution(this.memory, this.rowSquares, channels, channels);
  }

  answer(state, actions) {
    const { arrays, layers, x, y } = this;
    this.see(state);
    this.convolve(this.stem, this.seen, layers[0], x, 0);
    for (let block = 0; block < this.blocks; block++) {
      this.convolve(this.body, x, layers[2 * block + 1], y, 0);
      this.convolve(this.body, y, layers[2 * block + 2], x, x);
    }
    const logits = linear(arrays, "policy_head", this.head("policy_squares"));
    const hidden = linear(arrays, "value_hidden", this.head("value_squares")).map(number => Math.max(0, number));
    return { priors: softmax(logits, actions), value: Math.fround(Math.tanh(linear(arrays, "value_head", hidden)[0])) };
  }

  convolve(conv, from, { w, b }, to, added) {
    const { numbers, channels, rowSquares, computed, game } = this;
    conv(from, w, b, to, added, computed);
    const clear = (square, count) => numbers.fill(0, to / 4 + square * channels, to / 4 + (square + count) * channels);
    for (let row = 0; row < game.height; row++) clear(row * rowSquares + game.width, 1);
    clear(game.height * rowSquares, computed - game.height * rowSquares);
  }

  // Returns (HEADS, H, W), flat: a linear map of each square's channels, without what is below 0.
  head(name) {
    const { game, channels, numbers, rowSquares, arrays } = this, weights = arrays[`${name}.weight`], bias = arrays[`${name}.bias`];
    const result = new Float32Array(HEADS * game.height * game.width);
    for (let head = 0, at = 0; head < HEADS; head++) {
      for (let row = 0; row < game.height; row++) {
        for (let column = 0; column < game.width; column++) {
          const square = this.x / 4 + (row * rowSquares + column) * channels;
          let sum = bias[head];
          for (let c = 0; c < channels; c++) sum += weights[head * channels + c] * numbers[square + c];
          result[at++] = Math.max(0, sum);
        }
      }
    }
    return result;
  }

  // Writes the planes of a position: the stones of both players, and with five planes those of arena/players/planes.py.
  see(state) {
    const { game, planes, numbers, rowSquares } = this, { own, ownHigh, theirs, theirsHigh } = state;
    const sets = [[own, ownHigh], [theirs, theirsHigh]];
    if (planes === 5) sets.push(shownTo(game, own, ownHigh, theirs, theirsHigh), shownTo(game, theirs, theirsHigh, own, ownHigh));
    for (let row = 0; row < game.height; row++) {
      for (let column = 0; column < game.width; column++) {
        const bit = game.bit(row, column), at = this.seen / 4 + (row * rowSquares + column) * planes;
        sets.forEach(([low, high], plane) => { numbers[at + plane] = hasBit(low, high, bit); });
        if (planes === 5) numbers[at + 4] = lastMover(game, row, state);
      }
    }
  }
}

// Returns the free squares where a stone of the first player completes a row of four, or is a legal move of Othello.
function shownTo(game, own, ownHigh, theirs, theirsHigh) {
  if (game.name === "connect_four") winningSquares(own, ownHigh, own | theirs, ownHigh | theirsHigh);
  else enclosing(own, ownHigh, theirs, theirsHigh);
  return [found.low, found.high];
}

// Returns 1 or -1, the sign of a square in the plane that says who moves last.
function lastMover(game, row, { own, ownHigh, theirs, theirsHigh }) {
  const sign = game.name === "connect_four" && (game.height - row) % 2 ? 1 : -1;
  return countSet(own | theirs, ownHigh | theirsHigh) % 2 ? -sign : sign;
}

function linear(arrays, name, inputs) {
  const weights = arrays[`${name}.weight`], bias = arrays[`${name}.bias`];
  return bias.map((sum, row) => {
    const first = row * inputs.length;
    let total = sum;
    for (let i = 0; i < inputs.length; i++) total += weights[first + i] * inputs[i];
    return total;
  });
}

function softmax(logits, actions) {
  const highest = Math.max(...actions.map(action => logits[action])), priors = new Float32Array(logits.length);
  let sum = 0;
  for (const action of actions) sum += Math.exp(logits[action] - highest);
  for (const action of actions) priors[action] = Math.exp(logits[action] - highest) / sum;
  return priors;
}
