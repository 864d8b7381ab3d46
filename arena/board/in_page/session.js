// A game as requests and answers, with the contract of arena/board/session.py, which says what they hold: the same requests get
// the same answers. What takes long here, a solver's move, is continued at the next request.
import { Loading, loadedNet } from "./loading.js";
import { MINDS_BY_KIND, newJudge, newPrior, newPuct, newTruth } from "./opponents.js";
import { describe, openPosition, TITLES, UserError } from "./positions.js";
import { Random } from "./random.js";
import { resultFor } from "./rules.js";
import { Deciding } from "./truth.js";
import { MOST_SIMULATIONS, UCT } from "./uct.js";

const NOBODY = "nobody", FIRST_GAME = "connect_four";
const MOST_STEPS = 5000; // simulations in one request, so that each is answered soon
const RESULT_WORDS = { "1": "You won", "-1": "You lost" };
const NAMES = ["solver", "uct", "network", "alphazero"];

export class Session {
  // Args: list, the answer to {"do": "games"}; kinds, {game: {opponent's key: [kind, network]}}; nets, {game: its usual network}.
  constructor({ list, kinds, nets }, seed) {
    Object.assign(this, { list, kinds, nets, rng: new Random(seed) });
    this.does = {
      games: () => ({ games: this.list }), new: this.new, position: this.open, play: this.play, undo: this.undo, step: this.step,
      think: this.think, minds: this.showMinds, curve: this.showCurve, summary: this.summarize,
    };
    const first = openPosition(FIRST_GAME, "");
    this.you = first.mover;
    this.begin(first, this.opponentsOf(FIRST_GAME)[0]);
  }

  // Carries out a request and returns the answer; a request that cannot be carried out changes nothing.
  answer(request) {
    let answer;
    try {
      if (typeof request !== "object" || request === null) throw new UserError("a request is an object with a field `do`");
      const name = textIn(request, "do", "");
      if (!Object.hasOwn(this.does, name)) throw new UserError(`a request is one of ${Object.keys(this.does).join(", ")}`);
      answer = this.does[name].call(this, request);
    } catch (error) {
      if (error instanceof UserError) answer = { error: error.message };
      else if (error instanceof Loading) answer = { waiting: error.message };
      else throw error;
    }
    return { board: this.board(), ...answer };
  }

  opponentsOf(game) {
    return this.list.find(each => each.game === game).opponents;
  }

  begin(position, opponent) {
    this.opponent = opponent;
    this.simulations = opponent.simulations;
    this.curve = [];
    this.moveTo(position);
  }

  // What was thought about the position before is forgotten.
  moveTo(position) {
    this.line = position; // what was played; the reader may look at an earlier position of it
    this.decision = null;
    this.deciding = null;
    this.lookAt(position);
    const { length } = position.actions;
    this.curve = Array.from({ length: length + 1 }, (_, ply) => ply < length ? this.curve[ply] ?? {} : {});
  }

  lookAt(position) {
    this.position = position;
    this.mind = null;
    this.minds = {};
  }

  board() {
    const { key, name } = this.opponent, { decision, line } = this, result = () => resultFor(line.game, line.state, 0);
    return {
      ...describe(this.position), line: line.actions, you: "XO"[this.you], turn: this.turn(),
      opponent: { key, name, simulations: this.simulations },
      mistakes: decision ? [{ ply: decision.number - 1, better: decision.better, value: result() }] : [],
    };
  }

  // Returns whose turn it is: "nobody" when the game is over or an earlier turn of the opponent is looked at.
  turn() {
    if (this.position.over) return "nobody";
    if (this.opponent.key === NOBODY || this.position.mover === this.you) return "you";
    return this.position.actions.length === this.line.actions.length ? "opponent" : "nobody";
  }

  new(request) {
    const game = textIn(request, "game", this.position.name);
    return this.startWith(request, openPosition(game, textIn(request, "moves", "")), "XO"[this.you]);
  }

  open(request) {
    const line = openPosition(textIn(request, "game", this.position.name), textIn(request, "moves", ""));
    const shown = line.backTo(wholeIn(request, "to", line.actions.length, line.actions.length));
    const answer = this.startWith(request, line, "XO"[shown.mover]);
    this.lookAt(shown);
    return answer;
  }

  startWith(request, position, side) {
    const usual = position.name === this.position.name ? this.opponent.key : this.opponentsOf(position.name)[0].key;
    const opponent = this.named(position.name, textIn(request, "opponent", usual));
    const chosen = opponent === this.opponent ? this.simulations : opponent.simulations;
    const simulations = opponent.adjustable ? wholeIn(request, "simulations", chosen, MOST_SIMULATIONS) : opponent.simulations;
    if (opponent.adjustable && simulations < 1) throw new UserError("a search needs at least 1 simulation");
    const you = textIn(request, "you", side);
    if (you !== "X" && you !== "O") throw new UserError("`you` is X or O");
    this.you = "XO".indexOf(you);
    this.begin(position, opponent);
    this.simulations = simulations;
    return {};
  }

  named(game, key) {
    const known = this.opponentsOf(game), opponent = known.find(each => each.key === key);
    if (opponent) return opponent;
    const keys = known.map(each => each.key).join(", ");
    throw new UserError(`${TITLES[game]} has no opponent '${key.slice(0, 40)}'; choose from ${keys}`);
  }

  play(request) {
    if (!this.position.over && this.turn() !== "you") throw new UserError(`it is the turn of ${this.opponent.name}`);
    this.moveTo(this.position.play(wholeIn(request, "action", null, this.position.game.numActions - 1)));
    return {};
  }

  undo() {
    for (let ply = this.position.actions.length - 1; ply >= 0; ply--) {
      const earlier = this.position.backTo(ply);
      if (this.opponent.key !== NOBODY && earlier.mover !== this.you) continue;
      this.lookAt(earlier);
      return {};
    }
    throw new UserError("you have no move to take back");
  }

  step(request) {
    this.lookAt(this.line.backTo(wholeIn(request, "to", null, this.line.actions.length)));
    return {};
  }

  // The opponent's search ends at its budget, or when it knows all.
  think(request) {
    if (this.turn() !== "opponent") throw new UserError("it is not the opponent's turn");
    const { position, simulations } = this, [kind, file] = this.kinds[position.name][this.opponent.key];
    this.mind ??= MINDS_BY_KIND[kind](position, this.rng, file);
    const made = this.mind.thought().simulations, count = wholeIn(request, "simulations", MOST_STEPS, MOST_STEPS);
    this.mind.step(simulations ? Math.min(count, simulations - made) : 1);
    const thought = this.mind.thought();
    const answer = { thought, budget: simulations, about: describe(position), played: null };
    if (thought.value !== null) this.note("opponent", thought.value);
    if ((thought.done || simulations > 0 && thought.simulations >= simulations) && thought.best !== null) {
      answer.played = thought.best;
      this.moveTo(position.play(thought.best));
    }
    return answer;
  }

  showMinds(request) {
    if (this.position.over) throw new UserError("the game is over, so there is no move to think about");
    const count = wholeIn(request, "step", 0, MOST_STEPS), absent = {};
    for (const name of NAMES) {
      try {
        this.minds[name] ??= this.newMind(name);
      } catch (error) {
        if (error instanceof Loading) absent[name] = { waiting: error.message };
        else if (error instanceof UserError) absent[name] = { missing: error.message };
        else throw error;
      }
    }
    const waiting = Object.entries(absent).some(([name, answer]) => answer.waiting && name !== "solver");
    const stepped = waiting ? 0 : count; // the searches keep in step
    for (const [name, mind] of Object.entries(this.minds)) mind.step(name === "solver" ? Number(count === 0) : stepped);
    return { stepped, minds: Object.fromEntries(NAMES.map(name => [name, absent[name] ?? this.shown(name)])) };
  }

  shown(name) {
    const thought = this.minds[name].thought();
    if ((name === "solver" || name === "network") && thought.value !== null) this.note(name, thought.value);
    return thought;
  }

  newMind(name) {
    const { position } = this, net = this.nets[position.name];
    if (name === "solver") return newTruth(position, this.rng);
    if (name === "uct") return new UCT(position.game, position.state, this.rng);
    return name === "network" ? newPrior(position, net) : newPuct(position, net);
  }

  // Returns, for each position of the game, the values for X; the network is asked about every position.
  showCurve() {
    const { line } = this, answer = {};
    try {
      const { net } = loadedNet(line.game, this.nets[line.name]);
      this.curve.forEach((point, ply) => {
        const at = line.backTo(ply);
        if (!("network" in point) && !at.over) point.network = forX(at, net.answer(at.state, at.legal).value);
      });
    } catch (error) {
      if (error instanceof Loading) answer.waiting = error.message;
      else if (error instanceof UserError) answer.missing = error.message;
      else throw error;
    }
    if (line.over) this.curve.at(-1).result = resultFor(line.game, line.state, 0);
    return { ...answer, curve: this.curve };
  }

  // Returns a sentence on a finished game against somebody; the caption has said a draw, so only its move is new.
  summarize() {
    const { line, you } = this;
    if (!line.over || this.opponent.key === NOBODY) return { summary: "" };
    this.deciding ??= new Deciding(line, you, newJudge(line.game));
    const move = this.deciding.step();
    if (move === undefined) return { waiting: "the solver looks for the move that decided the game" };
    this.decision = move;
    const result = resultFor(line.game, line.state, you);
    if (result === 0) return { summary: move ? `Move ${move.number} gave the win away.` : "" };
    return { summary: `${RESULT_WORDS[result]}${move ? `: move ${move.number} gave it away` : ""}.` };
  }

  // Keeps a value of the present position, which is for the player to move, for the curve.
  note(whose, value) {
    this.curve[this.position.actions.length][whose] = forX(this.position, value);
  }
}

const forX = (position, value) => position.mover === 0 ? value : 0 - value;

function textIn(request, field, usual) {
  const value = field in request ? request[field] : usual;
  if (typeof value !== "string") throw new UserError(`\`${field}\` must be a text`);
  return value;
}

// Returns a whole number of a request, 0 .. `most`; with null for `usual` the request must have it.
function wholeIn(request, field, usual, most) {
  const value = field in request ? request[field] : usual;
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new UserError(`\`${field}\` must be a whole number from 0 to ${most.toLocaleString("en")}`);
  }
  return value;
}
