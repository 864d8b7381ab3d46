// The playable board, drawn in any element: a page of its own or a cell of a notebook.
//
//     const play = board(root, ask, {address: "connect_four/4435", moved: address => ...});
//     play.open("othello/13.9.10");  play.end();
//
// `ask(request)` returns a promise of the answer; arena/board/session.py says what requests and answers hold. All that is
// drawn is in `root`, all styles under `.arena-board` (board.css). The page decides nothing about the rules or the searches.

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
const SERIES = {network: "network", opponent: "the opponent's search", solver: "solver", result: "result"};

export function board(root, ask, {address = "", moved = () => {}, puzzle = null} = {}) {
  const view = build(root);
  let games = [], now = null, minds = null, curve = [], stale = false;
  let stepsLeft = 0, settled = false, stuck = false, busy = false, ended = false;
  let curveWaits = false, solversTurn = false, summed = true;
  let pace = 20;              // simulations that fit into a request
  let doing = "";             // what the request under way is for
  const wanted = [{do: "games"}, opening(address || (puzzle ? puzzle.address : ""))];
  if (puzzle && !address) {
    view.minds.open = true;
    view.hides = true;
    stepsLeft = puzzle.simulations;
  }

  function want(request) {
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
      say(`The program behind this page does not answer (${error.message}). Is it still running?`, true);
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
      summed = !(now.over && now.actions.length === now.line.length);
      moved(now.moves ? `${now.game}/${now.moves}` : now.game);
    }
    if (answer.error) {
      stuck = request.do === "think" || request.do === "minds" || request.do === "curve";
      say(answer.error, true);
    } else if (answer.waiting && request.do === "think") {
      say(`${answer.waiting} …`);
    } else if (changed) {
      say(news(before, now));
    } else if (answer.summary !== undefined) {
      summed = true;
      say(`${now.caption}. ${answer.summary}`.trim());
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
    if (answer.thought) showThought(view, answer);
    else if (request.do === "new" || request.do === "position" || request.do === "undo") showNoThought(view);
    if (changed || request.do === "new" || request.do === "position") {
      fillChoices(view, games, now);
      showBoard(view, now, play);
    }
    view.pass.hidden = now.pass_action === null;
    view.pass.disabled = !(now.must_pass && now.turn === "you");
    view.undo.disabled = !now.actions.length;
    view.first.disabled = view.back.disabled = !now.actions.length;
    view.on.disabled = view.end.disabled = now.actions.length === now.line.length;
    view.intro.hidden = !(puzzle && `${now.game}/${now.moves}` === puzzle.address);
    view.words.textContent = view.intro.hidden ? "" : puzzle.words;
    if (view.intro.hidden) view.hides = false;
    showMinds(view, now, minds);
    showCurve(view, curve, now.actions.length);
    showRunning();
  }

  function showRunning() {
    view.run.textContent = running() ? "stop" : "run";
    view.run.setAttribute("aria-pressed", String(running()));
  }

  function say(words, wrong = false) {
    view.status.textContent = words;
    view.status.classList.toggle("wrong", wrong);
  }

  function play(action) {
    if (now && now.turn === "you" && !busyWithGame()) want({do: "play", action});
  }

  function busyWithGame() {
    return wanted.length > 0 || !["", "minds", "curve"].includes(doing);
  }

  // Said to a screen reader, and to whoever waits for the board: a move that is made now would not count.
  function showBusy() {
    view.grid.setAttribute("aria-busy", String(busyWithGame()));
  }

  function think(steps) {
    stepsLeft = !running() ? stepsLeft + steps : steps === Infinity ? 0 : steps;
    stuck = false;
    showRunning();
    pump();
  }

  view.game.onchange = () => want({do: "new", game: view.game.value, moves: ""});
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
  const step = to => now && want({do: "step", to: Math.min(Math.max(to, 0), now.line.length)});
  view.first.onclick = () => step(0);
  view.back.onclick = () => step(now.actions.length - 1);
  view.on.onclick = () => step(now.actions.length + 1);
  view.end.onclick = () => step(now.line.length);
  view.chart.onclick = event => {
    const to = plyAt(view, curve, event);
    if (to !== null) step(to);
  };
  view.pass.onclick = () => play(now.pass_action);
  view.minds.ontoggle = () => pump();
  view.answer.onclick = () => {
    view.hides = false;
    view.answer.hidden = true;
    showMinds(view, now, minds);
    showCurve(view, curve, now.actions.length);
  };
  for (const [button, steps] of view.steps) button.onclick = () => think(steps);
  root.onkeydown = event => press(event, view, now, play, () => want({do: "undo"}));

  let drawnWidth = 0;
  const sizes = new ResizeObserver(() => requestAnimationFrame(() => {
    if (now && drawnWidth !== view.chart.clientWidth) showCurve(view, curve, now.actions.length);
    drawnWidth = view.chart.clientWidth;
  }));
  sizes.observe(view.chart);

  pump();
  return {
    open: to => want(opening(to)),
    end() {
      ended = true;
      sizes.disconnect();
      root.replaceChildren();
      root.onkeydown = null;
    },
  };
}

function opening(address) {
  const [game, moves = ""] = address.split("/");
  if (!game) return {do: "new"};
  return moves ? {do: "position", game, moves} : {do: "new", game, moves: ""};
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// ---- words

function moveName(now, action) {
  if (action === now.pass_action) return "pass";
  if (now.stones_fall) return `column ${action}`;
  const width = now.rows[0].length;
  return `row ${Math.floor(action / width) + 1}, column ${action % width + 1}`;
}

function shortName(now, action) {
  return action === now.pass_action ? "pass" : String(action);
}

function news(before, now) {
  const grown = before && before.game === now.game && now.actions.length === before.actions.length + 1;
  const move = grown ? `${before.mover} plays ${moveName(now, now.actions.at(-1))}. ` : "";
  const yours = now.turn === "you" && now.must_pass ? " You have no move: press pass." : "";
  return `${move}${now.caption}.${yours}`;
}

const signed = value => (value > 0.005 ? "+" : value < -0.005 ? "−" : "") + Math.abs(value).toFixed(2);

// ---- making elements

function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function labelled(words, control) {
  control.setAttribute("aria-label", words);     // the label's own text would also have the words of all options
  return h("label", {}, h("span", {}, words), control);
}

function build(root) {
  root.classList.add("arena-board");
  const view = {
    squares: [], drawn: "", chosen: "",
    status: h("p", {className: "status", role: "status"}, "…"),
    grid: h("div", {className: "squares", role: "group", "aria-label": "board"}),
    words: h("span"), answer: h("button", {type: "button"}, "show the solver's answer"), hides: false,
    first: h("button", {type: "button", "aria-label": "first position"}, "|◀"),
    back: h("button", {type: "button", "aria-label": "one move back", title: "key ,"}, "◀"),
    on: h("button", {type: "button", "aria-label": "one move on", title: "key ."}, "▶"),
    end: h("button", {type: "button", "aria-label": "last position"}, "▶|"),
    undo: h("button", {type: "button", title: "key u"}, "undo"),
    pass: h("button", {type: "button", title: "key p", hidden: true}, "pass"),
    game: h("select"), you: h("select"), opponent: h("select"), description: h("p", {className: "soft"}),
    simulations: h("input", {type: "number", min: 1, max: 100000, required: true}),
    moves: h("input", {type: "text", spellcheck: false, autocomplete: "off"}),
    thinkers: h("h2", {}, "What the opponent thinks"), thought: h("div", {className: "thought"}),
    chart: h("div", {className: "chart"}),
    run: h("button", {type: "button", "aria-pressed": "false", title: "simulations without end"}, "run"),
    table: h("table"), mindsNote: h("p", {className: "soft"}),
  };
  view.intro = h("p", {className: "intro", hidden: true}, view.words, " ", view.answer);
  view.you.append(h("option", {value: "X"}, "X, first"), h("option", {value: "O"}, "O, second"));
  view.form = h("form", {className: "choices"}, labelled("game", view.game), labelled("you play", view.you),
    labelled("opponent", view.opponent), labelled("simulations", view.simulations), h("button", {type: "submit"}, "new game"));
  view.position = h("form", {className: "choices"}, labelled("moves so far", view.moves),
    h("button", {type: "submit"}, "open position"));
  const by = [1, 10, 100, 1000].map(steps =>
    [h("button", {type: "button", "aria-label": `${steps} more simulations`}, `+${steps}`), steps]);
  view.steps = [...by, [view.run, Infinity]];
  view.minds = h("details", {className: "minds", open: false},
    h("summary", {}, h("h2", {}, "One position, four minds")),
    h("p", {className: "buttons"}, "simulations: ", ...view.steps.map(([button]) => button)),
    view.table, view.mindsNote);
  root.replaceChildren(
    h("div", {className: "left"}, view.intro, view.status, view.grid,
      h("p", {className: "buttons"}, view.first, view.back, view.on, view.end, view.undo, view.pass),
      view.form, view.description, view.position),
    h("div", {className: "right"}, h("section", {}, view.thinkers, view.thought),
      h("section", {}, h("h2", {}, "The game so far"), view.chart), view.minds));
  return view;
}

function fillChoices(view, games, now) {
  view.moves.value = now.moves;
  const chosen = [now.game, now.you, now.opponent.key, now.opponent.simulations].join("/");
  if (view.chosen === chosen) return;     // the reader may be about to choose something else
  view.chosen = chosen;
  view.game.replaceChildren(...games.map(one => h("option", {value: one.game, selected: one.game === now.game}, one.title)));
  const of = games.find(one => one.game === now.game).opponents;
  view.opponent.replaceChildren(...of.map(one =>
    h("option", {value: one.key, selected: one.key === now.opponent.key}, one.name)));
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

// ---- the board

function showBoard(view, now, play) {
  const height = now.rows.length, width = now.rows[0].length;
  if (view.drawn !== now.game) {
    view.drawn = now.game;
    view.squares = now.rows.map((_, r) => Array.from({length: width}, (_, c) =>
      h("button", {type: "button", className: "square", tabIndex: -1}, h("span", {className: "stone"}))));
    view.grid.replaceChildren(...view.squares.flat(),
      ...(now.stones_fall ? Array.from({length: width}, (_, c) => h("span", {className: "number", ariaHidden: "true"}, c)) : []));
    view.grid.style.setProperty("--width", width);
    view.grid.className = `squares ${now.game}`;
    view.squares[now.stones_fall ? height - 1 : 0][now.stones_fall ? 3 : 0].tabIndex = 0;
  }
  const marks = name => new Set(now[name].map(([r, c]) => r * width + c));
  const last = marks("last"), row = marks("row");
  now.rows.forEach((signs, r) => [...signs].forEach((sign, c) => {
    const square = view.squares[r][c], place = r * width + c, action = now.stones_fall ? c : place;
    const open = now.turn === "you" && now.legal.includes(action) && (now.stones_fall || sign === ".");
    square.className = `square ${sign === "." ? "empty" : sign.toLowerCase()}`;
    square.classList.toggle("last", last.has(place));
    square.classList.toggle("row", row.has(place));
    square.classList.toggle("open", open && sign === ".");
    square.firstChild.textContent = sign === "." ? (open && !now.stones_fall ? action : "") : sign;
    const where = now.stones_fall ? `column ${c}, row ${height - r} from below` : moveName(now, place);
    square.setAttribute("aria-label", `${where}: ${sign === "." ? "empty" : sign}${last.has(place) ? ", the last move" : ""}`);
    square.setAttribute("aria-disabled", String(!open));
    square.onclick = () => play(action);
    square.onpointerenter = () => squaresOf(view, now, action).forEach(target => target.classList.toggle("aim", open));
    square.onpointerleave = () => squaresOf(view, now, action).forEach(target => target.classList.remove("aim"));
    square.onfocus = () => {
      view.squares.flat().forEach(other => { other.tabIndex = other === square ? 0 : -1; });
    };
  }));
}

function squaresOf(view, now, action) {
  if (action === now.pass_action) return [];
  if (!now.stones_fall) return [view.squares.flat()[action]];
  const landing = now.rows.map(signs => signs[action]).lastIndexOf(".");
  return landing < 0 ? [] : [view.squares[landing][action]];
}

function press(event, view, now, play, undo) {
  if (!now || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  const flat = view.squares.flat(), at = flat.indexOf(event.target), width = now.rows[0].length;
  const way = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
  if (way && at >= 0) {
    const r = Math.floor(at / width) + way[0], c = at % width + way[1];
    view.squares[r]?.[c]?.focus();
  } else if (/^[0-9]$/.test(event.key) && now.pass_action === null) play(Number(event.key));
  else if (event.key === "p" && now.must_pass) play(now.pass_action);
  else if (event.key === "u" && !view.undo.disabled) undo();
  else if (event.key === "," && !view.back.disabled) view.back.click();
  else if (event.key === "." && !view.on.disabled) view.on.click();
  else return;
  event.preventDefault();
  event.stopPropagation();    // a notebook has shortcuts of its own
}

// ---- thoughts

function bar(share, words, mark = "") {
  const full = h("i");
  full.style.width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;
  return h("span", {className: `bar ${mark}`}, full, h("b", {}, words));
}

function showNoThought(view) {
  view.thinkers.textContent = "What the opponent thinks";
  view.thought.replaceChildren(h("p", {className: "soft"}, "Its visits, values and principal line appear here when it thinks."));
}

function showThought(view, answer) {
  const {thought, about, budget} = answer, most = Math.max(1, ...thought.moves.map(move => move.visits ?? 0));
  const made = thought.simulations ? `: ${thought.simulations}${budget ? ` of ${budget}` : ""} simulations` : "";
  view.thinkers.textContent = `What ${answer.board.opponent.name} ${answer.played === null ? "thinks" : "thought"} as ${about.mover}${made}`;
  const kind = thought.moves.some(move => move.visits !== null) ? "visits"
    : thought.moves.some(move => move.prior !== null) ? "prior" : "";
  const rows = thought.moves.filter(move => kind || move.note || move.action === thought.best).map(move => h("tr",
    {className: move.action === thought.best ? "best" : ""},
    h("th", {scope: "row"}, shortName(about, move.action), move.action === thought.best ? h("span", {title: "the best so far"}, " ★") : ""),
    h("td", {className: "wide"}, kind === "visits" ? bar(move.visits / most, move.visits)
      : kind === "prior" ? bar(move.prior, percent(move.prior)) : move.note),
    h("td", {className: "value"}, move.value === null ? "" : signed(move.value))));
  const head = h("tr", {}, h("th", {scope: "col"}, "move"), h("th", {scope: "col"}, kind || "result"),
    h("th", {scope: "col", className: "value"}, `value for ${about.mover}`));
  view.thought.replaceChildren(
    h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)),
    h("p", {className: "soft"}, lineWords(about, thought)));
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
  const head = h("tr", {}, h("th", {scope: "col"}, "move"), ...names.map(name => {
    const made = minds[name].simulations ? `${minds[name].simulations} visits` : "";
    return h("th", {scope: "col"}, MINDS[name][0], h("small", {}, made), h("small", {}, MINDS[name][1]));
  }));
  const most = name => Math.max(1, ...minds[name].moves.map(move => move.visits ?? 0));
  const rows = now.legal.map((action, i) => {
    const row = h("tr", {}, h("th", {scope: "row"}, shortName(now, action)),
      ...names.map(name => name === "solver" && view.hides ? h("td", {className: "none"}, "?")
        : mindCell(name, minds[name], i, minds[name].moves ? most(name) : 1)));
    const light = on => squaresOf(view, now, action).forEach(square => square.classList.toggle("shown", on));
    row.onpointerenter = () => light(true);
    row.onpointerleave = () => light(false);
    return row;
  });
  const values = h("tr", {className: "values"}, h("th", {scope: "row"}, "value"), ...names.map(name =>
    h("td", {}, minds[name].value === null || minds[name].value === undefined || name === "solver" && view.hides ? ""
      : signed(minds[name].value))));
  view.squares.flat().forEach(square => square.classList.remove("shown"));
  view.table.replaceChildren(h("caption", {}, `${now.mover} is to move; values are for ${now.mover}. ★ is the move that each would play.`),
    h("thead", {}, head), h("tbody", {}, ...rows), h("tfoot", {}, values));
  const notes = names.map(name => {
    const mind = minds[name], words = mind.waiting ? `${mind.waiting} …` : mind.missing ?? lineWords(now, {...mind, value: null});
    return words ? `${MINDS[name][0]}: ${words}` : "";
  });
  view.mindsNote.replaceChildren(...notes.filter(Boolean).map(words => h("span", {}, words)));
}

function mindCell(name, mind, i, most) {
  if (!mind.moves) return h("td", {className: "none"}, mind.waiting ? "…" : "–");
  const move = mind.moves[i], best = mind.best === move.action;
  const star = best ? h("span", {className: "star", title: "the move it would play"}, "★") : "";
  let shown = [];
  if (name === "solver") {
    const sign = {"1": "✓ ", "0": "= ", "-1": "✗ "}[String(move.value)] ?? "";
    shown = [h("span", {className: `fate ${({"1": "won", "-1": "lost"})[String(move.value)] ?? ""}`}, move.note ? sign + move.note : mind.done ? "–" : "…")];
  } else if (name === "network") shown = [bar(move.prior, percent(move.prior))];
  else shown = [bar(move.visits / most, move.visits), h("small", {}, move.note || (move.value === null ? "" : signed(move.value)))];
  return h("td", {className: best ? "best" : ""}, ...shown, star);
}

// ---- the curve

const CURVE = {height: 170, left: 56, right: 12, top: 12, bottom: 24, fewest: 10};
const curveWidth = view => Math.min(700, Math.max(280, view.chart.clientWidth || 600));   // in pixels, so that letters keep their size

// The ply at which a click on the curve aims; null outside its drawing.
function plyAt(view, curve, event) {
  const drawing = event.target.closest("svg"), box = drawing?.getBoundingClientRect();
  if (!box || box.height < CURVE.height / 2) return null;
  const share = (event.clientX - box.left - CURVE.left) / (curveWidth(view) - CURVE.left - CURVE.right);
  return Math.round(share * Math.max(CURVE.fewest, curve.length - 1));
}

function showCurve(view, curve, now) {
  const width = curveWidth(view), {height, left, right, top, bottom} = CURVE;
  const plies = Math.max(CURVE.fewest, curve.length - 1);
  const x = ply => left + (width - left - right) * ply / plies;
  const y = value => top + (height - top - bottom) * (1 - value) / 2;
  const parts = [1, 0, -1].flatMap(value => [
    svg("line", {x1: left, x2: width - right, y1: y(value), y2: y(value), class: value ? "rule" : "rule zero"}),
    svg("text", {x: left - 8, y: y(value) + 4, class: "axis", "text-anchor": "end"}, ["X wins", "even", "O wins"][1 - value]),
  ]);
  parts.push(svg("text", {x: width - right, y: height - 6, class: "axis", "text-anchor": "end"}, `move ${plies}`));
  parts.push(svg("text", {x: left, y: height - 6, class: "axis"}, "0"));
  const found = Object.keys(SERIES).filter(name => curve.some(point => name in point) && !(name === "solver" && view.hides));
  for (const name of found) {
    const points = curve.flatMap((point, ply) => name in point ? [[x(ply), y(point[name])]] : []);
    if (name === "network") parts.push(svg("polyline", {points: points.map(point => point.join(",")).join(" "), class: `line ${name}`}));
    parts.push(...points.map(([px, py]) => marker(name, px, py)));
  }
  parts.push(svg("line", {x1: x(now), x2: x(now), y1: top, y2: height - bottom, class: "rule at"}));
  const end = curve[now] ?? {};
  const words = found.filter(name => name in end).map(name => `${SERIES[name]} ${signed(end[name])}`);
  const drawing = svg("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `Evaluation for X after each move; after move ${now}: ${words.join(", ") || "not yet known"}`}, ...parts);
  const legend = h("p", {className: "legend"}, ...found.map(name => h("span", {},
    svg("svg", {viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true"}, marker(name, 8, 8)),
    `${SERIES[name]}${name in end ? ` ${signed(end[name])}` : ""}`)));
  view.chart.replaceChildren(drawing, legend);
}

function marker(name, x, y) {
  if (name === "network") return svg("circle", {cx: x, cy: y, r: 3.5, class: name});
  if (name === "opponent") return svg("rect", {x: x - 4, y: y - 4, width: 8, height: 8, class: name});
  if (name === "solver") return svg("path", {d: `M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}Z`, class: name});
  return svg("circle", {cx: x, cy: y, r: 6, class: name});
}
