"use strict";
// Steps through the games of a challenge. All text from the report is set as text; nothing is parsed as HTML.
(() => {
  const data = JSON.parse(document.getElementById("games-data").textContent);
  const find = (id) => document.getElementById(id);
  const viewer = find("viewer"), board = find("board"), slider = find("ply"), where = find("where"), list = find("moves");
  const matchBox = find("match"), gameBox = find("game"), values = find("values"), cells = find("value-cells"), heads = find("value-heads");
  const COLUMNS = 7, ROWS = 6, SQUARES = 42, SIDE = 40, HIGHEST = 21;
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq";
  const RESULTS = { won: "you won", drew: "a draw", lost: "you lost" };
  const now = { match: 0, game: 0, ply: 0, worst: -1, shows: false };

  const game = () => {
    const [opening, colour, result, moves, letters, reason] = data.matches[now.match].games[now.game];
    return { opening, colour, result, moves: Array.from(moves, Number), letters, reason };
  };

  // The scores of the columns before move `ply` (from 0), or null if the report does not have them.
  function scores(played, ply) {
    const first = played.moves.length - played.letters.length / COLUMNS;
    let letters = ply >= first && ply < played.moves.length ? played.letters.slice((ply - first) * COLUMNS, (ply - first + 1) * COLUMNS) : "";
    const known = data.worst.find(([match, at, number]) => match === now.match && at === now.game && number === ply + 1);
    if (!letters && known) letters = known[3];
    return letters ? Array.from(letters, (letter) => letter === "-" ? null : ALPHABET.indexOf(letter) - HIGHEST) : null;
  }

  // How many plies a game lasts from a position with this number of stones; see plies_to_end in arena/players/solver.py.
  function plies(score, stones) {
    if (score === 0) return SQUARES - stones;
    const first = (score > 0) === (stones % 2 === 0);
    return 2 * (22 - Math.abs(score)) - (first ? 1 : 0) - stones;
  }

  // The value of the position before move `ply` with perfect play, for the student: 1, 0 or -1; undefined where it is not known.
  function value(played, ply) {
    if (ply === played.moves.length) return { won: 1, drew: 0, lost: -1 }[played.result];
    const own = (at) => "XO"[at % 2] === played.colour ? 1 : -1;
    const here = scores(played, ply), before = ply > 0 && scores(played, ply - 1);
    if (here) return own(ply) * Math.sign(Math.max(...here.filter((score) => score !== null)));
    return before ? own(ply - 1) * Math.sign(before[played.moves[ply - 1]]) : undefined;
  }

  // In a sentence, which move of the student decided a game that was not won: the last one that made it what it was in the end.
  function decided(played) {
    const slips = played.moves.map((_, ply) => ply).filter((ply) => isMistake(played, ply));
    const ply = slips.filter((slip) => value(played, slip + 1) === value(played, played.moves.length)).pop();
    return ply === undefined ? "" : `: move ${ply + 1} ${played.result === "lost" ? "gave it away" : "gave the win away"}`;
  }

  const isOwn = (played, ply) => ply >= played.opening && "XO"[ply % 2] === played.colour;

  // Whether the student's move `ply` made the result worse, as far as the report has the values.
  function isMistake(played, ply) {
    const found = isOwn(played, ply) && scores(played, ply);
    if (!found) return false;
    const best = Math.max(...found.filter((score) => score !== null));
    return Math.sign(best) > Math.sign(found[played.moves[ply]]);
  }

  function shape(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function element(name, text, classes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (classes) made.className = classes;
    return made;
  }

  function drawBoard(played) {
    const columns = Array.from({ length: COLUMNS }, () => []);
    played.moves.slice(0, now.ply).forEach((column, number) => columns[column].push(number));
    const shapes = [];
    columns.forEach((stones, column) => {
      for (let row = 0; row < ROWS; row += 1) {
        const x = (column + 0.5) * SIDE, y = (ROWS - row - 0.5) * SIDE, number = stones[row];
        const sign = number === undefined ? "" : "XO"[number % 2];
        shapes.push(shape("circle", { cx: x, cy: y, r: SIDE * 0.4, class: sign ? "stone-" + sign : "empty" }));
        if (sign) shapes.push(shape("text", { x, y: y + 6, class: "sign" }, sign));
        if (number === now.ply - 1) shapes.push(shape("circle", { cx: x, cy: y, r: SIDE * 0.45, class: "last" }));
      }
    });
    columns.forEach((_, column) => shapes.push(shape("text", { x: (column + 0.5) * SIDE, y: ROWS * SIDE + 13, class: "number" }, String(column))));
    if (isMistake(played, now.ply)) {       // the student is to move here, and went wrong
      const found = scores(played, now.ply), best = Math.max(...found.filter((score) => score !== null));
      found.forEach((score, column) => {
        const kind = column === played.moves[now.ply] ? "slip" : score === best ? "better" : "";
        const x = (column + 0.5) * SIDE, y = (ROWS - columns[column].length - 0.5) * SIDE;
        if (kind) shapes.push(shape("circle", { cx: x, cy: y, r: SIDE * 0.4, class: kind }), shape("text", { x, y: y + 6, class: `sign ${kind}` }, kind === "slip" ? "✗" : "✓"));
      });
    }
    board.replaceChildren(...shapes);
    const inWords = columns.map((stones, column) => `column ${column}: ${stones.map((number) => "XO"[number % 2]).join(" ") || "empty"}`);
    board.setAttribute("aria-label", `The board, each column from below. ${inWords.join("; ")}`);
  }

  function drawValues(played) {
    const found = scores(played, now.ply);
    const over = now.ply === played.moves.length;
    values.hidden = !now.shows;
    find("values-table").hidden = !found;
    find("no-values").hidden = Boolean(found);
    find("no-values").textContent = over ? "The game is over here." : "The values of this position are not in the report.";
    if (!found) return;
    const best = Math.max(...found.filter((score) => score !== null));
    heads.replaceChildren(...found.map((_, column) => element("th", String(column))));
    cells.replaceChildren(...found.map((score, column) => {
      const cell = element("td");
      if (score === null) cell.append(element("span", "full", "soft"));
      else {
        cell.append(element("span", score === 0 ? "draws" : score > 0 ? "wins " : "loses "));
        if (score !== 0) cell.append(element("span", `in ${plies(score, now.ply)}`));
        if (score === best) cell.append(element("span", "✓ best", "mark sign-good"));
        if (column === played.moves[now.ply]) cell.append(element("span", isMistake(played, now.ply) ? "✗ played" : "played", "mark"));
      }
      return cell;
    }));
  }

  function moveWords(played, ply) {
    const mistake = isMistake(played, ply) ? ", a mistake" : "";
    const who = ply < played.opening ? "opening" : isOwn(played, ply) ? "you" : "the bot";
    return `move ${ply + 1}, ${who}: ${"XO"[ply % 2]} in column ${played.moves[ply]}${mistake}`;
  }

  function drawMoves(played) {
    list.replaceChildren(...played.moves.map((column, ply) => {
      const item = element("li"), button = element("button", `${"XO"[ply % 2]}${column}${isMistake(played, ply) ? " ✗" : ""}`);
      button.type = "button";
      button.setAttribute("aria-label", moveWords(played, ply));
      button.className = ply < played.opening ? "opening" : isMistake(played, ply) ? "mistake" : "";
      button.addEventListener("click", () => go(ply + 1));
      item.append(button);
      return item;
    }));
  }

  function go(ply) {
    const played = game(), last = played.moves.length;
    now.ply = Math.min(Math.max(ply, 0), last);
    slider.value = now.ply;
    find("first").disabled = find("back").disabled = now.ply === 0;
    find("on").disabled = find("end").disabled = now.ply === last;
    const end = now.ply === last ? `. The end: ${RESULTS[played.result]}${played.reason ? `, ${played.reason}` : decided(played)}` : "";
    const fate = now.ply < last && { "1": ". With perfect play you win", "0": ". With perfect play it is a draw", "-1": ". With perfect play you lose" }[value(played, now.ply)];
    const turn = now.ply < last && isOwn(played, now.ply) ? `. You, ${played.colour}, are to move` : "";
    where.textContent = (now.ply ? `After ${moveWords(played, now.ply - 1)} (of ${last} moves)` : `The empty board, before move 1 of ${last}`)
      + end + turn + (fate || "");
    slider.setAttribute("aria-valuetext", where.textContent);
    list.querySelectorAll("button").forEach((button, at) => {
      if (at === now.ply - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    drawBoard(played);
    drawValues(played);
    drawCurve(played);
    remember(false);
  }

  // Who wins, move by move, for the student; a click goes to the move. The slider does the same by keyboard.
  const WIDE = 420, HEIGHT = 64, LEFT = 46, x = (ply, last) => LEFT + (WIDE - LEFT - 8) * ply / Math.max(last, 1), y = (result) => 32 - 22 * result;
  function drawCurve(played) {
    const last = played.moves.length, shapes = [], curve = find("curve");
    for (const [result, text] of [[1, "you win"], [0, "draw"], [-1, "you lose"]]) {
      shapes.push(shape("line", { x1: LEFT, x2: WIDE - 8, y1: y(result), y2: y(result) }), shape("text", { x: 4, y: y(result) + 3 }, text));
    }
    let run = [];
    const runs = [run];
    for (let ply = 0; ply <= last; ply += 1) {
      const known = value(played, ply);
      if (known === undefined) runs.push(run = []);
      else run.push(`${x(ply, last)},${y(known)}`);
    }
    shapes.push(...runs.filter((points) => points.length > 1).map((points) => shape("polyline", { points: points.join(" ") })));
    played.moves.forEach((_, ply) => {
      if (isMistake(played, ply)) shapes.push(shape("circle", { cx: x(ply + 1, last), cy: y(value(played, ply + 1)), r: 4, class: "slip" }));
    });
    shapes.push(shape("line", { x1: x(now.ply, last), x2: x(now.ply, last), y1: 4, y2: HEIGHT - 4, class: "at" }));
    curve.replaceChildren(...shapes);
  }
  find("curve").addEventListener("click", (event) => {
    const box = find("curve").getBoundingClientRect(), last = game().moves.length;
    go(Math.round(((event.clientX - box.left) / box.width * WIDE - LEFT) / (WIDE - LEFT - 8) * last));
  });

  // The address names the game and the ply, #Stone-4/17: a reload, a link and the browser's back lead to the same position.
  let started = false;
  const address = () => `#${encodeURIComponent(data.matches[now.match].name)}-${now.game + 1}/${now.ply}`;
  function remember(isNewGame) {
    if (!started || location.hash === address()) return;
    if (isNewGame) history.pushState(null, "", address());
    else history.replaceState(null, "", address());
  }
  function follow() {
    const [, name, number, ply] = location.hash.match(/^#(.+)-(\d+)\/(\d+)$/) || [];
    const match = data.matches.findIndex((each) => encodeURIComponent(each.name) === name);
    if (match < 0 || !data.matches[match].games[number - 1]) return false;
    choose(match, number - 1, Number(ply));
    return true;
  }

  function choose(match, at, ply) {
    const changed = match !== now.match || !gameBox.options.length;
    [now.match, now.game] = [match, at];
    if (changed) {
      gameBox.replaceChildren(...data.matches[match].games.map(([, colour, result], number) => {
        const option = element("option", `game ${number + 1}: you ${colour}, ${RESULTS[result]}`);
        option.value = number;
        return option;
      }));
    }
    matchBox.value = match;
    gameBox.value = at;
    const played = game();
    slider.max = played.moves.length;
    drawMoves(played);
    now.ply = ply === undefined ? played.opening : ply;
    remember(true);
    go(now.ply);
    find("worst-move").textContent = "";
  }

  function worst(step) {
    if (!data.worst.length) return;
    now.worst = (now.worst + step + data.worst.length) % data.worst.length;
    const [match, at, number, , sentence] = data.worst[now.worst];
    choose(match, at, number - 1);
    find("worst-move").textContent = `Worst move ${now.worst + 1} of ${data.worst.length} in all games, ${sentence} (moves of both).`;
  }

  function show() {
    now.shows = !now.shows;
    find("show").setAttribute("aria-pressed", now.shows);
    drawValues(game());
  }

  const keys = {
    ArrowLeft: () => go(now.ply - 1), ArrowRight: () => go(now.ply + 1), Home: () => go(0), End: () => go(game().moves.length),
    w: () => worst(1), v: show,
  };
  document.addEventListener("keydown", (event) => {
    const typed = event.target.closest("select, input, textarea, [contenteditable]");
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey || (typed && typed !== slider)) return;
    event.preventDefault();
    act();
  });
  find("first").addEventListener("click", keys.Home);
  find("back").addEventListener("click", keys.ArrowLeft);
  find("on").addEventListener("click", keys.ArrowRight);
  find("end").addEventListener("click", keys.End);
  find("next-worst").addEventListener("click", keys.w);
  find("show").addEventListener("click", show);
  slider.addEventListener("input", () => go(Number(slider.value)));
  matchBox.addEventListener("change", () => choose(Number(matchBox.value), 0));
  gameBox.addEventListener("change", () => choose(now.match, Number(gameBox.value)));
  document.querySelectorAll("[data-worst]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      now.worst = Number(button.dataset.worst) - 1;
      worst(1);
      viewer.scrollIntoView();
      slider.focus({ preventScroll: true });
    });
  });

  if (data.matches.some((match) => match.games.length)) {
    matchBox.replaceChildren(...data.matches.map((match, place) => {
      const option = element("option", match.name);
      option.value = place;
      return option;
    }));
    find("next-worst").hidden = !data.worst.length;
    viewer.hidden = false;
    if (!follow()) {
      if (data.worst.length) worst(1);
      else choose(data.matches.length - 1, 0);
    }
    started = true;
    window.addEventListener("popstate", follow);
  }
})();
