// Steps through finished games of Connect Four, in a page that holds them as JSON (autograder/pages/replay_data.py says how): which
// game, the exact values, the worst moves. All text of the data is set as text; nothing is parsed as HTML.

import { html } from "./elements.js";
import { moveWords, remembered, viewer } from "./viewer.js";

const COLUMNS = 7, ROWS = 6, SQUARES = 42, HIGHEST = 21;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq";
const root = document.getElementById("viewer"), data = JSON.parse(document.getElementById("games-data").textContent);
// A page with all games as text has each line once; a number stands before it.
data.matches.forEach((match, place) => {
  const lines = () => document.querySelectorAll("pre.lines")[place].textContent.trimEnd().split("\n");
  match.games ??= lines().map(line => line.replace(/^ *\d+ {2}/, "")).filter(Boolean);
});
const me = data.me ?? "you", results = { won: `${me} won`, drew: "a draw", lost: `${me} lost` };
const now = { match: -1, game: 0, ply: 0, worst: -1, shows: false };
let played = null;

const view = viewer(root, { go, listens: data.alone ? root : document, keys: { w: () => worst(1), v: show } });
const matchBox = html("select", { change: () => choose(Number(matchBox.value), 0) });
const gameBox = html("select", { change: () => choose(now.match, Number(gameBox.value)) });
const nextWorst = html("button", { type: "button", "aria-keyshortcuts": "w", hidden: !data.worst.length, click: () => worst(1) }, "next worst move (w)");
const shows = html("button", { type: "button", "aria-pressed": "false", "aria-keyshortcuts": "v", hidden: Boolean(data.me), click: show }, "show exact values (v)");
const values = html("div", { class: "values", hidden: true });
const head = document.getElementById("viewer-head");
const worstMove = html("p", { class: "worst", "aria-live": "polite" });

// What a line of the report says, such as "8 X won 3341502644" or "8 O lost - KeyError in cell 12"; see line_of in report.py.
function parts(text) {
  const [opening, colour, result, digits, ...reason] = text.split(" ");
  return { opening: Number(opening), colour, result, line: digits === "-" ? [] : Array.from(digits, Number), reason: reason.join(" ") };
}

// A game with its mistakes and values, as the viewer takes it; `scores` are those of the columns before each move, or null.
function read(match, at) {
  const { opening, colour, result, line, reason } = parts(data.matches[match].games[at]), letters = data.matches[match].values[at] ?? "";
  const first = line.length - letters.length / COLUMNS, own = ply => "XO"[ply % 2] === colour;
  const scores = line.map((_, ply) => {
    const known = data.worst.find(each => each[0] === match && each[1] === at && each[2] === ply + 1);
    const text = (ply < first ? "" : letters.slice((ply - first) * COLUMNS, (ply - first + 1) * COLUMNS)) || (known ? known[3] : "");
    return text ? Array.from(text, letter => letter === "-" ? null : ALPHABET.indexOf(letter) - HIGHEST) : null;
  });
  // the value before move `ply` with perfect play, for the student; undefined where it is not known
  const value = ply => {
    if (ply === line.length) return { won: 1, drew: 0, lost: -1 }[result];
    if (scores[ply]) return (own(ply) ? 1 : -1) * Math.sign(best(scores[ply]));
    return ply && scores[ply - 1] ? (own(ply - 1) ? 1 : -1) * Math.sign(scores[ply - 1][line[ply - 1]]) : undefined;
  };
  const points = [...line, 0].map((_, ply) => value(ply) === undefined ? {} : { [ply === line.length ? "result" : "solver"]: value(ply) });
  const mistakes = line.flatMap((action, ply) => {
    const found = ply >= opening && own(ply) && scores[ply];
    if (!found || Math.sign(best(found)) <= Math.sign(found[action])) return [];
    return [{ ply, value: value(ply + 1), better: found.flatMap((score, column) => score === best(found) ? [column] : []) }];
  });
  const who = ply => ply < opening ? "opening" : own(ply) ? me : data.me ? data.matches[match].name : "the bot";
  return { game: "connect_four", stones_fall: true, pass_action: null, opening, colour, result, line, reason, scores, value, points, mistakes, who,
    axis: [`${me} ${data.me ? "wins" : "win"}`, "draw", `${me} ${data.me ? "loses" : "lose"}`] };
}

const best = scores => Math.max(...scores.filter(score => score !== null));

// The board after the first `ply` moves: its rows, the square of the last move, and a row of four if there is one.
function boardAt(line, ply) {
  const rows = Array.from({ length: ROWS }, () => Array(COLUMNS).fill(".")), last = [];
  line.slice(0, ply).forEach((column, number) => {
    const r = rows.findLastIndex(signs => signs[column] === ".");
    rows[r][column] = "XO"[number % 2];
    last[0] = [r, column];
  });
  const starts = rows.flatMap((signs, r) => signs.map((_, c) => [r, c]));
  const lines = starts.flatMap(([r, c]) => [[0, 1], [1, 0], [1, 1], [1, -1]].map(([down, right]) => [0, 1, 2, 3].map(i => [r + i * down, c + i * right])));
  const row = lines.find(places => ["XXXX", "OOOO"].includes(places.map(([r, c]) => rows[r]?.[c] ?? "").join(""))) ?? [];
  return { rows: rows.map(signs => signs.join("")), last, row };
}

// How many plies a game lasts from a position with this number of stones; see plies_to_end in arena/players/solver.py.
function plies(score, stones) {
  if (score === 0) return SQUARES - stones;
  const first = (score > 0) === (stones % 2 === 0);
  return 2 * (22 - Math.abs(score)) - (first ? 1 : 0) - stones;
}

// The move of the student that decided a game that was not won: the last one that made it what it was in the end.
const decisive = () => played.mistakes.findLast(mistake => mistake.value === played.value(played.line.length));

function decided() {
  const slip = decisive();
  return slip ? `: move ${slip.ply + 1} ${played.result === "lost" ? "gave it away" : "gave the win away"}` : "";
}

// The heading names the move that decided, as far as the solver has looked, and otherwise how the game ended.
function heading() {
  const slip = decisive(), game = `game ${now.game + 1} against ${data.matches[now.match].name}`;
  if (!slip) return `G${game.slice(1)}: ${results[played.result]}`;
  const { line, result, colour } = played;
  return `Your move ${slip.ply + 1} (${colour} in column ${line[slip.ply]}) ${result === "lost" ? "lost" : "gave away the win in"} ${game}`;
}

function words() {
  const { line, result, reason, opening, colour } = played, { ply } = now, last = line.length;
  const where = ply ? `After ${moveWords(played, ply - 1)} (of ${last} moves)` : `The empty board, before move 1 of ${last}`;
  if (ply === last) return `${where}. The end: ${results[result]}${reason ? `, ${reason}` : `${decided()}.`}`;
  const turn = !data.me && ply >= opening && "XO"[ply % 2] === colour ? `. You, ${colour}, are to move` : "";
  const fate = { 1: `. With perfect play ${played.axis[0]}`, 0: ". With perfect play it is a draw", "-1": `. With perfect play ${played.axis[2]}` };
  return `${where}${turn}${fate[played.value(ply)] ?? ""}.`;
}

function go(ply) {
  now.ply = Math.min(Math.max(ply, 0), played.line.length);
  view.say(words());
  view.show({ ...played, ...boardAt(played.line, now.ply), ply: now.ply });
  drawValues();
  const at = data.worst.findIndex(([match, game, number]) => match === now.match && game === now.game && number - 1 === now.ply);
  if (at >= 0) now.worst = at;
  worstMove.textContent = at < 0 ? "" : `Worst move ${at + 1} of ${data.worst.length} in all games, ${data.worst[at][4]} (moves of both).`;
  remember(false);
}

function drawValues() {
  const scores = played.scores[now.ply];
  values.hidden = !now.shows;
  if (!scores) {
    const over = now.ply === played.line.length;
    values.replaceChildren(html("p", { class: "soft" }, over ? "The game is over here." : "The values of this position are not in the report."));
    return;
  }
  const cells = scores.map((score, column) => {
    if (score === null) return html("td", {}, html("span", { class: "soft" }, "full"));
    const wrong = played.mistakes.some(mistake => mistake.ply === now.ply);
    return html("td", {}, html("span", {}, score === 0 ? "draws" : score > 0 ? "wins " : "loses "),
      score === 0 ? "" : html("span", {}, `in ${plies(score, now.ply)}`),
      score === best(scores) ? html("span", { class: "mark best" }, "✓ best") : "",
      column === played.line[now.ply] ? html("span", { class: "mark" }, wrong ? "✗ played" : "played") : "");
  });
  values.replaceChildren(html("table", { class: "exact" },
    html("caption", {}, "with perfect play from here, for the player to move; the numbers count moves of both"),
    html("thead", {}, html("tr", {}, ...scores.map((_, column) => html("th", { scope: "col" }, column)))),
    html("tbody", {}, html("tr", {}, ...cells))));
}

function choose(match, game, ply) {
  if (match !== now.match) {
    gameBox.replaceChildren(...data.matches[match].games.map(parts).map(({ colour, result }, number) =>
      html("option", { value: number }, `game ${number + 1}: ${me} ${colour}, ${results[result]}`)));
  }
  Object.assign(now, { match, game });
  matchBox.value = match;
  gameBox.value = game;
  played = read(match, game);
  if (!data.me && !data.alone) head.textContent = heading();
  view.curve.hidden = Boolean(data.me) && !played.points.some(point => "solver" in point);
  now.ply = ply ?? played.opening;
  remember(true);
  go(now.ply);
}

function worst(step) {
  if (!data.worst.length) return;
  const [match, game, number] = data.worst[(now.worst + step + data.worst.length) % data.worst.length];
  choose(match, game, number - 1);
}

function show() {
  now.shows = !now.shows && !data.me;
  shows.setAttribute("aria-pressed", String(now.shows));
  drawValues();
}

// The address names the game and the ply, #Stone-4/17; one goes back to the game before, and not to each ply.
const address = () => `${encodeURIComponent(data.matches[now.match].name)}-${now.game + 1}/${now.ply}`;
const write = remembered(follow);
let started = false;

function remember(isNew) {
  if (started) write(address(), isNew);
}

function follow(to) {
  const [, name, number, ply] = to.match(/^(.+)-(\d+)\/(\d+)$/) ?? [];
  const match = data.matches.findIndex(each => encodeURIComponent(each.name) === name);
  if (match < 0 || !data.matches[match].games[number - 1]) return false;
  choose(match, number - 1, Number(ply));
  return true;
}

document.querySelectorAll("a.step").forEach(link => {
  link.hidden = false;
  link.addEventListener("click", event => {
    event.preventDefault();
    follow(link.hash.slice(1));
    root.scrollIntoView();
    view.slider.focus({ preventScroll: true });
  });
});

if (data.matches.some(match => match.games.length)) {
  const notes = [...root.children].slice(1);
  matchBox.append(...data.matches.map((match, place) => html("option", { value: place }, match.name)));
  view.buttons.append(shows);
  root.append(
    html("div", { class: "choose whole" }, html("label", {}, "against ", matchBox), html("label", {}, "game ", gameBox), nextWorst),
    html("div", { class: "left" }, view.board, values, view.steps),
    html("div", { class: "right" }, view.status, view.curve, worstMove, view.moves, ...notes));
  root.hidden = false;
  if (!follow(location.hash.slice(1))) {
    if (data.worst.length) worst(1);
    else choose(data.matches.length - 1, 0);
  }
  started = true;
}
