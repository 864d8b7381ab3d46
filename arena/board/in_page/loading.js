// What is read from the files of the page at the first question for it: the networks, and the solver with its opening book.
import { bytesOf, readArchive } from "./archive.js";
import { Network } from "./network.js";
import { UserError } from "./positions.js";
import { Book, exactScore, Solver } from "./solver.js";

const held = {}; // name of a file -> its bytes in base64, until it is read
const begun = new Map(); // name of what is made -> {made, failure}, both null while it is being loaded

// Something is being loaded; ask again soon. The text says what.
export class Loading extends Error {}

// Gives the files of the page, {name: base64}: "book", the opening book, and the networks.
export function give(files) {
  Object.assign(held, files);
}

// Returns the solver of Connect Four as {solver, exact}; `exact` asks the opening book first.
export function loadedSolver() {
  return loaded("the solver", "solver", async () => {
    const book = new Book(await arraysOf("book")), solver = new Solver();
    return { solver, exact: exactScore(book, solver) };
  });
}

// Returns a network as {net, answers}; `answers` are those that it gave.
export function loadedNet(game, file) {
  return loaded("the network", file, async () => ({ net: new Network(game, await arraysOf(file)), answers: new Map() }));
}

// Returns what `make` makes, begun at the first question for it. Raises Loading until it is made.
function loaded(words, name, make) {
  if (!begun.has(name)) {
    const state = { made: null, failure: null };
    begun.set(name, state);
    make().then(made => { state.made = made; }, error => { state.failure = error.message; });
  }
  const { made, failure } = begun.get(name);
  if (failure !== null) throw new UserError(`${words} cannot be loaded: ${failure}`);
  if (!made) throw new Loading(`loading ${words}`);
  return made;
}

async function arraysOf(file) {
  const arrays = await readArchive(bytesOf(held[file]));
  delete held[file];
  return arrays;
}
