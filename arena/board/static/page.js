// The board on a page of its own: requests go to the program that serves the page; the address names the position.
import { board } from "./board.js";
import { remembered } from "./viewer.js";

const tab = crypto.randomUUID();   // a game for each tab

async function ask(request) {
  const answer = await fetch(`ask?tab=${tab}`, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(request),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

// What is shown first, where the address names no position: one column wins, and the searches change their minds.
const PUZZLE = {
  address: "connect_four/3521536661131421", simulations: 30,
  words: "A puzzle: X is to move. One column wins, all others lose. Let the searches at the right go on, or play it yourself.",
};

const play = board(document.querySelector("main"), ask, {
  puzzle: PUZZLE,
  address: location.hash.slice(1),
  moved: remembered(address => play.open(address)),
  listens: document,
});
