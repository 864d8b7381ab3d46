// The playable board, drawn in any element: a page of its own or a cell of a notebook.
//
//     const play = board(root, ask, {address: "connect_four/4435", moved: address => ...});
//     play.open("othello/13.9.10");  play.end();
//
// `ask(request)` returns a promise of the answer; arena/board/session.py says what requests and answers hold. All that is
// drawn is in `root`, all styles under `.arena-board` (viewer.css, board.css). The page decides nothing about the rules or the
// searches. What one sees of the game itself is the viewer's; this is what a finished game has not: a reader who plays, opponents
// and minds that think.

import { html } from "./elements.js";
import { differing } from "./mind_words.js";
import { moveName, shortName, signed, viewer } from "./viewer.js";

const FRAMES = 16;            // a search of an opponent is shown in at least this many steps,
const FRAME_MS = 40;          // with so much time between two of them
const REQUEST_MS = 80;        // a request should take about so long: then the page feels alive
const RETRY_MS = 250;         // until something that is being loaded is asked for again
const MINDS = {
  solver: ["Solver", "the exact result"],
  uct: ["UCT", "visits, value; random games"],
  network: ["Network", "its guess, without a search"],
  alphazero: ["AlphaZero", "visits, value; the network"],
};

// Args: moved, hears the address of what is shown, and whether it is another game; listens, where keys are heard.
export function board(root, ask, {address = "", moved = () => {}, puzzle = null, listens = root} = {}) {
  const digits = Object.fromEntries([..."0123456789"].map(key => [key, () => now.pass_action === null && play(Number(key))]));
  const game = viewer(root, {go: to => want({do: "step", to}), play, listens, keys: {
    ...digits, p: () => now.must_pass && play(now.pass_action), u: () => now.actions.length && want({do: "undo"}),
  }});
  const view = build(root, game);
  let games = [], now = null, minds = null, curve = [], stale = false;
  let stepsLeft = 0, settled = false, stuck = false, busy = false, ended = false;
  let curveWaits = false, solversTurn = false, summed = true;
  let pace = 20;              // simulations that fit into a request
  let doing = "";             // what the request under way is for
  const wanted = [{do: "games"}, opening(address || (puzzle ? puzzle.address : ""))];
  if (puzzle && (!address || address === puzzle.address)) {
    view.minds.open = true;
    view.hides = true;
    stepsLeft = puzzle.simulations;
  }

  function want(request) {
    if (request.do === "step" && wanted.at(-1)?.do === "step") wanted.pop();     // a slider is faster than answers
    wanted.push(request);
    stuck = false;
    showBusy();
    pump();
  }

  // One request at a time: first what the reader wants, then the opponent, the searches, the curve, the solver's next move.
  function next() {
    if (wanted.length) return wanted.shift();
    if (!now || stuck) return null;
    if (!summed) return {do: "summary"};
    if (now.turn === "opponent") return {do: "think", simulations: portion(now.opponent.simulations)};
    const think = view.minds.open && !now.over;
    solversTurn = running() && !settled && !solversTurn;
    if (think && stepsLeft > 0 && !solversTurn) return {do: "minds", step: Math.min(stepsLeft, pace)};
    if (stale && !curveWaits && (minds || !think)) return {do: "curve"};
    if (think && !settled) return {do: "minds"};
    return stale ? {do: "curve"} : null;
  }

  function running() {
    return stepsLeft === Infinity;
  }

  async function pump() {
    if (busy) return;
    busy = true;
    try {
      for (let request; !ended && (request = next());) {
        const began = performance.now();
        doing = request.do;
        showBusy();
        const answer = await ask(request);
        doing = "";
        if (ended) return;
        take(request, answer, performance.now() - began);
        showBusy();
        if (request.do === "think" && !stuck && !calm()) await pause(FRAME_MS);
        if (answer.waiting || Object.values(answer.minds ?? {}).some(mind => mind.waiting)) await pause(RETRY_MS);
      }
    } catch (error) {
      stuck = true;
      stepsLeft = 0;
      game.say(`The program behind this page does not answer (${error.message}). Is it still running?`, true);
      showRunning();
    } finally {
      busy = false;
      doing = "";
      showBusy();
    }
  }

  function portion(budget) {
    return calm() || !budget ? Math.max(pace, 1) : Math.max(1, Math.min(pace, Math.ceil(budget / FRAMES)));
  }

  function take(request, answer, took) {
    const simulations = request.step || request.simulations;
    if (simulations && !answer.waiting && simulations >= pace / 2) {
      pace = Math.round(Math.min(1000, Math.max(5, simulations * Math.min(2, REQUEST_MS / Math.max(took, 1)))));
    }
    if (answer.games) {
      games = answer.games;
      return;
    }
    const before = now;
    now = answer.board;
    const changed = !before || before.game !== now.game || before.moves !== now.moves;
    if (changed || request.do === "new" || request.do === "position") {
      minds = null;
      settled = false;
      stale = true;
      if (before) stepsLeft = 0;
      if (request.do === "new" || request.do === "position") curve = [];
      summed = !(now.over && now.actions.length === now.line.length);
      moved(addressOf(now), before && (request.do === "new" || request.do === "position"));
    }
    if (answer.error) {
      stuck = request.do === "think" || request.do === "minds" || request.do === "curve";
      game.say(answer.error, true);
    } else if (answer.waiting && request.do === "think") {
      game.say(`${answer.waiting} …`);
    } else if (changed) {
      game.say(news(before, now));
    } else if (answer.summary !== undefined) {
      summed = true;
      game.say(`${now.caption}. ${answer.summary}`.trimEnd());
    }
    if (answer.minds) {
      minds = answer.minds;
      stepsLeft -= answer.stepped;
      curveWaits = false;
      settled = Object.values(minds).every(mind => !mind.waiting) && (minds.solver.done || minds.solver.missing !== undefined);
      if (["uct", "alphazero"].every(name => minds[name].done || minds[name].missing !== undefined)) stepsLeft = 0;
      if (minds.solver.done) stale = true;
    }
    if (answer.curve) {
      curve = answer.curve;
      stale = curveWaits = Boolean(answer.waiting);
    }
    view.intro.hidden = !(puzzle && `${now.game}/${now.moves}` === puzzle.address);
    view.words.textContent = view.intro.hidden ? "" : puzzle.words;
    if (view.intro.hidden) view.hides = false;
    if (answer.thought) showThought(view, answer);
    else if (request.do === "new" || request.do === "position" || request.do === "undo") showNoThought(view, now);
    if (changed || request.do === "new" || request.do === "position" || request.do === "summary") {
      fillChoices(view, games, now);
      game.show({...now, ply: now.actions.length, points: points(), axis: ["X wins", "even", "O wins"],
        open: action => now.turn === "you" && now.legal.includes(action)});
    } else game.drawCurve(points());
    view.pass.hidden = now.pass_action === null;
    view.pass.disabled = !(now.must_pass && now.turn === "you");
    view.undo.disabled = !now.actions.length;
    showMinds(view, now, minds);
    showRunning();
  }

  // A puzzle's answer is not on the curve before the reader has asked for it.
  function points() {
    const known = curve.slice(0, now.line.length + 1);
    return view.hides ? known.map(({solver, ...others}) => others) : known;
  }

  function showRunning() {
    view.run.textContent = running() ? "stop" : "run";
    view.run.setAttribute("aria-pressed", String(running()));
  }

  function play(action) {
    if (now && now.turn === "you" && !busyWithGame()) want({do: "play", action});
  }

  function busyWithGame() {
    return wanted.length > 0 || !["", "minds", "curve"].includes(doing);
  }

  // Said to a screen reader, and to whoever waits for the board: a move that is made now would not count.
  function showBusy() {
    game.board.setAttribute("aria-busy", String(busyWithGame()));
  }

  function think(steps) {
    stepsLeft = !running() ? stepsLeft + steps : steps === Infinity ? 0 : steps;
    stuck = false;
    showRunning();
    pump();
  }

  view.game.onchange = () => want({do: "new", game: view.game.value});
  view.opponent.onchange = () => fillSimulations(view, games);
  view.form.onsubmit = event => {
    event.preventDefault();
    const request = {do: "new", game: view.game.value, you: view.you.value, opponent: view.opponent.value};
    if (!view.simulations.disabled) request.simulations = Number(view.simulations.value);
    want(request);
  };
  view.position.onsubmit = event => {
    event.preventDefault();
    want({do: "position", game: now.game, moves: view.moves.value.trim()});
  };
  view.undo.onclick = () => want({do: "undo"});
  view.pass.onclick = () => play(now.pass_action);
  view.minds.ontoggle = () => pump();
  view.answer.onclick = () => {
    view.hides = false;
    view.answer.hidden = true;
    showMinds(view, now, minds);
    game.drawCurve(points());
  };
  for (const [button, steps] of view.more) button.onclick = () => think(steps);

  pump();
  return {
    open: to => want(opening(to)),
    end() {
      ended = true;
      game.end();
    },
  };
}

// An address names the game, its moves and, unless all of them are shown, how many: connect_four/4435/2.
function opening(address) {
  const [game, moves = "", ply = ""] = address.split("/");
  if (!game) return {do: "new"};
  if (!moves) return {do: "new", game};
  return {do: "position", game, moves, ...(/^\d+$/.test(ply) ? {to: Number(ply)} : {})};
}

function addressOf(now) {
  const moves = now.line.join(now.pass_action === null ? "" : ".");
  return [now.game, moves, now.actions.length < now.line.length ? now.actions.length : ""].filter(part => part !== "").join("/");
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// ---- words

function news(before, now) {
  const grown = before && before.game === now.game && now.actions.length === before.actions.length + 1;
  const move = grown ? `${before.mover} plays ${moveName(now, now.actions.at(-1))}. ` : "";
  const yours = now.turn === "you" && now.must_pass ? " You have no move: press pass." : "";
  return `${move}${now.caption}.${yours}`;
}

// ---- making elements

function labelled(words, control) {
  control.setAttribute("aria-label", words);     // the label's own text would also have the words of all options
  return html("label", {}, html("span", {}, words), control);
}

function build(root, game) {
  const view = {
    chosen: "", board: game.board, squaresOf: game.squaresOf, hides: false,
    words: html("span"), answer: html("button", {type: "button"}, "show the solver's answer"),
    undo: html("button", {type: "button", title: "key u"}, "undo"),
    pass: html("button", {type: "button", title: "key p", hidden: true}, "pass"),
    game: html("select"), you: html("select"), opponent: html("select"), description: html("p", {class: "soft"}),
    simulations: html("input", {type: "number", min: 1, max: 100000, required: true}),
    moves: html("input", {type: "text", spellcheck: "false", autocomplete: "off"}),
    thinkers: html("h2", {}, "What the opponent thinks"), thought: html("div", {class: "thought"}),
    run: html("button", {type: "button", "aria-pressed": "false", title: "simulations without end"}, "run"),
    differs: html("p", {class: "differs", hidden: true}), table: html("table"), mindsNote: html("p", {class: "soft"}),
  };
  view.intro = html("p", {class: "intro", hidden: true}, view.words, " ", view.answer);
  view.you.append(html("option", {value: "X"}, "X, first"), html("option", {value: "O"}, "O, second"));
  view.form = html("form", {class: "choices"}, labelled("game", view.game), labelled("you play", view.you),
    labelled("opponent", view.opponent), labelled("opponent's simulations", view.simulations), html("button", {type: "submit"}, "new game"));
  view.position = html("form", {class: "choices"}, labelled("moves so far", view.moves),
    html("button", {type: "submit"}, "open position"));
  const by = [1, 10, 100, 1000].map(steps =>
    [html("button", {type: "button", "aria-label": `${steps} more simulations`}, `+${steps}`), steps]);
  view.more = [...by, [view.run, Infinity]];
  view.minds = html("details", {class: "minds"},
    html("summary", {}, html("h2", {}, "One position, four minds")),
    view.differs,
    html("p", {class: "buttons"}, "more simulations for UCT and AlphaZero: ", ...view.more.map(([button]) => button)),
    view.table, view.mindsNote);
  view.thinking = html("section", {hidden: true}, view.thinkers, view.thought);
  game.buttons.append(view.undo, view.pass);
  root.replaceChildren(html("div", {class: "play"},
    html("div", {}, view.intro, game.status, game.board, game.steps),
    html("div", {class: "thinking"}, view.thinking, view.minds,
      html("section", {}, html("h2", {}, "The game so far"), game.curve, game.moves)),
    html("div", {class: "settings"}, view.form, view.description, view.position)));
  return view;
}

function fillChoices(view, games, now) {
  view.moves.value = now.moves;
  const chosen = [now.game, now.you, now.opponent.key, now.opponent.simulations].join("/");
  if (view.chosen === chosen) return;     // the reader may be about to choose something else
  view.chosen = chosen;
  view.game.replaceChildren(...games.map(one => html("option", {value: one.game, selected: one.game === now.game}, one.title)));
  const of = games.find(one => one.game === now.game).opponents;
  view.opponent.replaceChildren(...of.map(one =>
    html("option", {value: one.key, selected: one.key === now.opponent.key}, one.name)));
  view.you.value = now.you;
  fillSimulations(view, games);
  if (!view.simulations.disabled) view.simulations.value = now.opponent.simulations;
}

function fillSimulations(view, games) {
  const all = games.find(one => one.game === view.game.value).opponents;
  const chosen = all.find(one => one.key === view.opponent.value);
  view.simulations.disabled = !chosen.adjustable;
  view.simulations.value = chosen.simulations || "";
  view.description.textContent = `${chosen.name}: ${chosen.description}`;
}

// ---- thoughts

// A number, the bar that shows it, and what else is known: side by side, so that none of them hides another.
function bar(share, words, more) {
  const full = html("i");
  full.style.width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;
  return html("span", {class: "bar"}, html("b", {}, words), html("span", {class: "track"}, full),
    ...(more === undefined ? [] : [html("small", {}, more)]));
}

// Before the opponent has thought: how one gets to see it, if there is somebody who will.
function showNoThought(view, now) {
  view.thinking.hidden = now.over || now.opponent.key === "nobody" || !view.intro.hidden;     // in a puzzle the minds come first
  view.thinkers.textContent = "What the opponent thinks";
  view.thought.replaceChildren(html("p", {class: "soft"}, `Play a move, and you see here how ${now.opponent.name} chooses its answer.`));
}

function showThought(view, answer) {
  const {thought, about, budget} = answer, most = Math.max(1, ...thought.moves.map(move => move.visits ?? 0));
  const made = thought.simulations ? `: ${thought.simulations}${budget ? ` of ${budget}` : ""} simulations` : "";
  view.thinking.hidden = false;
  view.thinkers.textContent = `What ${answer.board.opponent.name} ${answer.played === null ? "thinks" : "thought"} as ${about.mover}${made}`;
  const kind = thought.moves.some(move => move.visits !== null) ? "visits"
    : thought.moves.some(move => move.prior !== null) ? "prior" : "";
  const rows = thought.moves.filter(move => kind || move.note || move.action === thought.best).map(move => html("tr",
    {class: move.action === thought.best ? "best" : ""},
    html("th", {scope: "row"}, shortName(about, move.action), move.action === thought.best ? html("span", {title: "the best so far"}, " ★") : ""),
    html("td", {class: "wide"}, kind === "visits" ? bar(move.visits / most, move.visits)
      : kind === "prior" ? bar(move.prior, percent(move.prior)) : move.note),
    html("td", {class: "value"}, move.value === null ? "" : signed(move.value))));
  const head = html("tr", {}, html("th", {scope: "col"}, "move"), html("th", {scope: "col"}, kind || "result"),
    html("th", {scope: "col", class: "value"}, `value for ${about.mover}`));
  view.thought.replaceChildren(
    html("table", {}, html("thead", {}, head), html("tbody", {}, ...rows)),
    html("p", {class: "soft"}, lineWords(about, thought)));
}

function percent(share) {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

function lineWords(now, thought) {
  const value = thought.value === null ? "" : `Value for ${now.mover}: ${signed(thought.value)}. `;
  const line = thought.line.length > 1 ? `Principal line: ${thought.line.map(action => shortName(now, action)).join(" ")}. ` : "";
  return value + line + (thought.note || "");
}

function showMinds(view, now, minds) {
  view.differs.textContent = now.over || !minds ? "" : differing(now, minds, !view.hides);
  view.differs.hidden = !view.differs.textContent;
  if (now.over) {
    view.table.replaceChildren();
    view.mindsNote.textContent = "The game is over: take a move back to see what the four think.";
    return;
  }
  if (!minds) {
    view.mindsNote.textContent = "";
    return;
  }
  const names = Object.keys(MINDS);
  const head = html("tr", {}, html("th", {scope: "col"}, "move"), ...names.map(name => {
    const made = minds[name].simulations ? `${minds[name].simulations} simulations` : "";
    return html("th", {scope: "col"}, MINDS[name][0], html("small", {}, made), html("small", {}, MINDS[name][1]));
  }));
  const most = name => Math.max(1, ...minds[name].moves.map(move => move.visits ?? 0));
  const rows = now.legal.map((action, i) => {
    const row = html("tr", {}, html("th", {scope: "row"}, shortName(now, action)),
      ...names.map(name => name === "solver" && view.hides ? html("td", {class: "none"}, "?")
        : mindCell(name, minds[name], i, minds[name].moves ? most(name) : 1)));
    const light = on => view.squaresOf(action).forEach(square => square.classList.toggle("shown", on));
    row.onpointerenter = () => light(true);
    row.onpointerleave = () => light(false);
    return row;
  });
  const values = html("tr", {class: "values"}, html("th", {scope: "row"}, "value"), ...names.map(name =>
    html("td", {}, minds[name].value === null || minds[name].value === undefined || name === "solver" && view.hides ? ""
      : signed(minds[name].value))));
  view.board.querySelectorAll(".shown").forEach(square => square.classList.remove("shown"));
  view.table.replaceChildren(html("caption", {}, `${now.mover} is to move; values are for ${now.mover}. ★ is the move that each would play.`),
    html("thead", {}, head), html("tbody", {}, ...rows), html("tfoot", {}, values));
  const notes = names.map(name => {
    const mind = minds[name], words = mind.waiting ? `${mind.waiting} …` : mind.missing ?? lineWords(now, {...mind, value: null});
    return words ? `${MINDS[name][0]}: ${words}` : "";
  });
  view.mindsNote.replaceChildren(...notes.filter(Boolean).map(words => html("span", {}, words)));
}

function mindCell(name, mind, i, most) {
  if (!mind.moves) return html("td", {class: "none"}, mind.waiting ? "…" : "–");
  const move = mind.moves[i], best = mind.best === move.action;
  const star = best ? html("span", {class: "star", title: "the move it would play"}, "★") : "";
  let shown = [];
  if (name === "solver") {
    const sign = {"1": "✓ ", "0": "= ", "-1": "✗ "}[String(move.value)] ?? "";
    shown = [html("span", {class: `fate ${({"1": "won", "-1": "lost"})[String(move.value)] ?? ""}`}, move.note ? sign + move.note : mind.done ? "–" : "…")];
  } else if (name === "network") shown = [bar(move.prior, percent(move.prior))];
  else shown = [bar(move.visits / most, move.visits, move.note || (move.value === null ? "" : signed(move.value)))];
  return html("td", {class: best ? "best" : ""}, ...shown, star);
}
