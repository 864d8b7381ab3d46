// Python's `random.Random`: the same seed gives the same numbers, so that a search here is the search in Python.
//
// Source: Matsumoto and Nishimura, "Mersenne Twister" (1998), MT19937. How a seed becomes a key, and how a whole number below a
// limit is drawn, is as CPython does it (`random_seed`, `_randbelow_with_getrandbits`).

const MT_WORDS = 624, MT_AHEAD = 397;

export class Random {
  // Args: seed, a whole number from 0 to 2**53 - 1.
  constructor(seed) {
    this.words = new Uint32Array(MT_WORDS);
    this.next = MT_WORDS;
    const key = [seed >>> 0];
    if (seed > 0xffffffff) key.push(Math.floor(seed / 2 ** 32));
    this.mixIn(key);
  }

  mixIn(key) {
    const words = this.words;
    words[0] = 19650218;
    for (let i = 1; i < MT_WORDS; i++) words[i] = Math.imul(1812433253, words[i - 1] ^ words[i - 1] >>> 30) + i;
    let i = 1, j = 0;
    const wrap = () => {
      if (++i < MT_WORDS) return;
      words[0] = words[MT_WORDS - 1];
      i = 1;
    };
    for (let k = Math.max(MT_WORDS, key.length); k; k--) {
      words[i] = (words[i] ^ Math.imul(words[i - 1] ^ words[i - 1] >>> 30, 1664525)) + key[j] + j;
      wrap();
      j = (j + 1) % key.length;
    }
    for (let k = MT_WORDS - 1; k; k--) {
      words[i] = (words[i] ^ Math.imul(words[i - 1] ^ words[i - 1] >>> 30, 1566083941)) - i;
      wrap();
    }
    words[0] = 0x80000000;
  }

  // Returns 32 random bits.
  word() {
    if (this.next === MT_WORDS) this.refill();
    let word = this.words[this.next++];
    word ^= word >>> 11;
    word ^= word << 7 & 0x9d2c5680;
    word ^= word << 15 & 0xefc60000;
    return (word ^ word >>> 18) >>> 0;
  }

  refill() {
    const words = this.words;
    for (let i = 0; i < MT_WORDS; i++) {
      const mixed = words[i] & 0x80000000 | words[(i + 1) % MT_WORDS] & 0x7fffffff;
      words[i] = words[(i + MT_AHEAD) % MT_WORDS] ^ mixed >>> 1 ^ (mixed & 1 ? 0x9908b0df : 0);
    }
    this.next = 0;
  }

  // Returns a whole number in 0 .. limit - 1, as `randrange(limit)`.
  below(limit) {
    const shift = Math.clz32(limit);
    let drawn = this.word() >>> shift;
    while (drawn >= limit) drawn = this.word() >>> shift;
    return drawn;
  }

  choice(list) {
    return list[this.below(list.length)];
  }
}
