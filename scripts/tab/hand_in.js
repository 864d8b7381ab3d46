// On the page of a notebook: says when Python is ready, and a button downloads the file to hand in.
"use strict";

const READY = "Python is ready: Shift and Enter run a cell. Your work is kept in this browser alone: save the file after each sitting.";
const STARTING = "Python is starting, which takes up to a minute.";

const bar = document.createElement("aside");
bar.id = "hand-in";
bar.setAttribute("aria-label", "Your file");
const note = document.createElement("span");
note.setAttribute("role", "status");
const button = document.createElement("button");
button.type = "button";
button.textContent = "Save the file to hand in";
button.addEventListener("click", () => save().catch((error) => say(`The file could not be saved: ${error.message}`)));
bar.append(note, button);

function say(text) {
  note.textContent = text;
}

/** Return what `ask` returns, once it returns something; the page is built step by step, and nothing tells when. */
async function until(ask) {
  for (;;) {
    const found = ask();
    if (found) return found;
    await new Promise((later) => setTimeout(later, 200));
  }
}

const notebook = () => globalThis.jupyterapp?.shell?.currentWidget?.context && globalThis.jupyterapp.shell.currentWidget;

/** Save the notebook in the browser, then hand the same text to the reader as a file. */
async function save() {
  const { context } = await until(notebook);
  await context.save();
  const kept = await globalThis.jupyterapp.serviceManager.contents.get(context.path, { content: true });
  const file = new Blob([`${JSON.stringify(kept.content, null, 1)}\n`], { type: "application/x-ipynb+json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = kept.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  await navigator.storage?.persist?.(); // a browser that agrees does not clear the work when its disk is full
  say(`${kept.name} is in your downloads, as of ${new Date().toLocaleTimeString()}.`);
}

/** The first answer of Python itself: the page calls a kernel idle long before it can run anything. */
async function ready() {
  const panel = await until(notebook);
  const kernel = await until(() => panel.sessionContext?.session?.kernel);
  await kernel.requestExecute({ code: "", silent: true, store_history: false }).done;
  bar.dataset.python = "ready";
  say(READY);
}

addEventListener("DOMContentLoaded", () => {
  document.body.append(bar);
  say(STARTING);
  ready();
});
