// The board on a page without a server: requests go to a worker of the page, whose script and files are in the page itself.
import { wholePage } from "./whole_page.js";

const textOf = id => document.getElementById(id).textContent;
const waiting = new Map();   // number of a request -> what settles its promise
let asked = 0;

const engine = new Worker(URL.createObjectURL(new Blob([textOf("engine")], {type: "text/javascript"})));
engine.onmessage = ({data: {number, answer, failure}}) => {
  const {resolve, reject} = waiting.get(number);
  waiting.delete(number);
  if (failure === undefined) resolve(answer);
  else reject(new Error(failure));
};
engine.onerror = ({message}) => waiting.forEach(({reject}) => reject(new Error(message)));

function ask(request) {
  return new Promise((resolve, reject) => {
    waiting.set(asked, {resolve, reject});
    engine.postMessage({number: asked++, request});
  });
}

const files = Object.fromEntries([...document.querySelectorAll("script[data-file]")].map(each => [each.dataset.file, each.textContent]));
engine.postMessage({files, catalogue: JSON.parse(textOf("catalogue")), seed: crypto.getRandomValues(new Uint32Array(1))[0]});
wholePage(ask);
