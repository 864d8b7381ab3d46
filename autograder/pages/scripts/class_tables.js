"use strict";
// The table of the students: sort, filter, find, hide names, export. Without this script the page shows the same data.
// The address keeps what is sorted, found and filtered, such as #outcome=n&sort=-points, for a reload and for a link.
(() => {
  const table = document.querySelector("table.students"), tools = document.querySelector(".tools");
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells], rows = [...body.rows];
  const part = (name) => tools.querySelector(`[name="${name}"]`);
  const find = part("find"), exercise = part("exercise"), outcome = part("outcome"), names = part("names");
  const shown = tools.querySelector("[role=status]");
  const order = "pnswf", collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const formula = new RegExp("FORMULA", "g");
  const name = (row) => [...row.cells[0].querySelectorAll(".who")].map((part) => part.textContent).join(" ");
  const fullName = (row) => (row.cells[0].querySelector("small.who") || {}).textContent || "";
  const words = new Map(rows.map((row) => [row, name(row).toLowerCase()]));
  const nameless = () => names.getAttribute("aria-pressed") === "true";
  const seen = (cell) => [...cell.childNodes]
    .filter((node) => node.nodeName !== "SMALL" && !(nameless() && node.classList && node.classList.contains("who")))
    .map((node) => node.textContent).join("").trim();     // what is small explains a number, and is not part of it
  let only = null, orderedBy = null;      // the column that a click has sorted by, with a minus before it for descending

  const remember = () => {
    const parts = { find: find.value, exercise: exercise && exercise.value, outcome: outcome && outcome.value, sort: orderedBy };
    const kept = new URLSearchParams(Object.entries(parts).filter(([, value]) => value)).toString();
    const bare = location.href.split("#")[0];
    if (kept || location.hash.includes("=")) history.replaceState(null, "", kept ? `${bare}#${kept}` : bare);
  };

  const fits = (row) => {
    if (only && !only.has(row.id)) return false;
    if (find.value && !words.get(row).includes(find.value.trim().toLowerCase())) return false;
    if (!outcome || !outcome.value) return true;
    const cells = exercise.value ? [row.cells[exercise.value]] : [...row.cells];
    return cells.some((cell) => cell.classList.contains(outcome.value));
  };
  const show = () => {
    let count = 0;
    for (const row of rows) {
      row.hidden = !fits(row);
      count += !row.hidden;
    }
    shown.textContent = `${count} of ${rows.length} students shown`;
    remember();
  };

  // what a cell is sorted by: its number, its outcome's place, or its text; empty cells come last
  const key = (cell) => {
    const text = seen(cell), place = order.indexOf(cell.className[0]);
    if (cell.className.length === 1 && place >= 0) return place;
    const number = parseFloat(text);
    return text === "" ? null : cell.tagName === "TD" && !Number.isNaN(number) ? number : text;
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b));
  const sort = (at, way) => {
    const keys = new Map(rows.map((row) => [row, key(row.cells[at])]));
    rows.sort((first, second) => {
      const a = keys.get(first), b = keys.get(second);
      return a === null || b === null ? (a === null) - (b === null) : way * compare(a, b);
    });
    body.append(...rows);
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[at].setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
  };
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      sort(at, way);
      orderedBy = head.dataset.name && `${way < 0 ? "-" : ""}${head.dataset.name}`;
      remember();
    });
  });

  // for showing in class: numbers in an order that tells nothing, and no text that a student wrote
  const aliases = () => {
    const numbers = rows.map((_, at) => at + 1);
    for (let at = numbers.length - 1; at > 0; at--) {
      const other = Math.floor(Math.random() * (at + 1));
      [numbers[at], numbers[other]] = [numbers[other], numbers[at]];
    }
    rows.forEach((row, at) => {
      const alias = document.createElement("span");
      alias.className = "alias";
      alias.textContent = `student ${numbers[at]}`;
      row.cells[0].append(alias);
    });
  };
  names.addEventListener("click", () => {
    const hide = !nameless();
    names.setAttribute("aria-pressed", String(hide));
    document.body.classList.toggle("nameless", hide);
    find.value = "";
    find.disabled = hide;
    for (const alias of body.querySelectorAll(".alias")) alias.remove();
    if (hide) aliases();
    sort(0, 1); // an order by name would tell the names
    orderedBy = null;
    show();
  });

  const harmless = (text) => text.replace(/\s+/g, " ").replace(formula, "$1$2'");
  const plain = (cell) => harmless(seen(cell));
  const line = (cells) => cells.map((text) => `"${text.replace(/"/g, '""')}"`).join(",");
  part("export").addEventListener("click", () => {
    const kept = heads.map((head, at) => at).filter((at) => !(nameless() && heads[at].classList.contains("who")));
    const titles = kept.map((at) => heads[at].dataset.name || plain(heads[at]));
    const named = !nameless() && rows.some(fullName);     // then a column of its own, after the ids
    const cells = (row) => kept.map((at) => plain(row.cells[at]));
    const both = ([id, ...others], own) => line(named ? [id, own, ...others] : [id, ...others]);
    const lines = rows.filter((row) => !row.hidden).map((row) => both(cells(row), harmless(fullName(row))));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([[both(titles, "name"), ...lines, ""].join("\n")], { type: "text/csv" }));
    link.download = `${table.dataset.file}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

  const all = () => {
    only = null;
    for (const field of [find, exercise, outcome]) if (field) field.value = "";
    show();
  };
  part("all").addEventListener("click", all);
  for (const field of [find, exercise, outcome]) if (field) field.addEventListener("input", show);
  for (const list of document.querySelectorAll("details.who")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "show only these in the table";
    button.addEventListener("click", () => {
      all();
      only = new Set([...list.querySelectorAll("a")].map((link) => link.hash.slice(1)));
      show();
      table.scrollIntoView();
    });
    list.querySelector("p").before(button);
  }
  const begin = () => {
    const wanted = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    for (const field of [find, exercise, outcome]) if (field) field.value = wanted.get(field.name) || "";
    const column = heads.findIndex((head) => head.dataset.name && head.dataset.name === (wanted.get("sort") || "").replace(/^-/, ""));
    if (column >= 0) {
      orderedBy = wanted.get("sort");
      sort(column, orderedBy.startsWith("-") ? -1 : 1);
    }
    show();
  };
  window.addEventListener("hashchange", () => {
    if (location.hash.includes("=")) return nameless() || begin();
    const row = rows.find((each) => each.id === location.hash.slice(1));
    if (!row) return;
    all(); // the student may be filtered out; back leads to the filter again
    row.scrollIntoView();
  });
  tools.hidden = false;
  begin();
})();
