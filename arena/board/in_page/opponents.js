// Who can be played against, as arena/board/opponents.py: a mind for each opponent of the list that the page was built with.
import { loadedNet, loadedSolver } from "./loading.js";
import { Prior, PUCT } from "./puct.js";
import { isTooDeep, judgeOf, TooDeep, Truth } from "./truth.js";
import { moveThought, thoughtOf, UCT } from "./uct.js";

// Returns the minds by the kind of an opponent: (position, rng, file) => mind; `file` names a network.
export const MINDS_BY_KIND = {
  uct: (position, rng) => new UCT(position.game, position.state, rng),
  bot: (position, rng) => new UCT(position.game, position.state, rng, true),
  puct: (position, rng, file) => newPuct(position, file),
  prior: (position, rng, file) => newPrior(position, file),
  perfect: newTruth,
  random: (position, rng) => new RandomMind(position, rng),
};

export function newPrior(position, file) {
  return new Prior(position.game, loadedNet(position.game, file).net, position.state);
}

export function newPuct(position, file) {
  const { net, answers } = loadedNet(position.game, file);
  return new PUCT(position.game, net, position.state, answers);
}

export function newTruth(position, rng) {
  const judge = newJudge(position.game);
  return position.name !== "connect_four" && isTooDeep(position) ? new TooDeep(position) : new Truth(position, judge, rng);
}

export const newJudge = game => judgeOf(game, game.name === "connect_four" ? loadedSolver() : null);

class RandomMind {
  constructor(position, rng) {
    Object.assign(this, { position, rng, best: null });
  }

  step() {
    this.best ??= this.rng.choice(this.position.legal);
  }

  thought() {
    const moves = this.position.legal.map(action => moveThought(action));
    return this.best === null ? thoughtOf({ moves }) : thoughtOf({ moves, best: this.best, line: [this.best], done: true });
  }
}
