// A page that is nothing but the board: its address names the position.
import { board } from "./board.js";
import { remembered } from "./viewer.js";

// What is shown first, where the address names no position: one column wins, and the searches change their minds.
const PUZZLE = {
  address: "connect_four/3521536661131421", simulations: 30,
  words: "A puzzle: X is to move. One column wins, all others lose. Click a column, or let the minds search on.",
};

export function wholePage(ask) {
  const play = board(document.querySelector("main"), ask, {
    puzzle: PUZZLE,
    address: location.hash.slice(1),
    moved: remembered(address => play.open(address)),
    listens: document,
  });
}
