// Places for the nodes that are shown: a parent over its children, each level in one row, much visited nodes larger. How far
// the levels are apart is the picture's matter: it depends on the zoom.

import { boardHeight } from "./tree_board.js";

export const CARD = 100;  // width of the card of the most visited node, in units of the drawing
const TEXT = 50;          // height of the lines of text on such a card
const GAP = 14;

export function cardHeight(shape) {
  return boardHeight(shape, CARD - 16) + TEXT;
}

// Returns the shown nodes from the root down, each before its children, in their order from left to right:
// {id, parent (its index, -1 at the root), depth, place, siblings, x (middle), k (size, 0.4 to 1)}; the width of all, and the
// heights of the levels.
export function layout(rootId, nodes, childrenOf, shape) {
  const placed = [], heights = [];
  const most = Math.log(2 + Math.max(1, nodes.get(rootId).n || 0));
  let right = 0;

  function place(id, parent, depth, order, siblings) {
    const node = nodes.get(id), k = 0.4 + 0.6 * Math.log(2 + Math.max(0, node.n || 0)) / most;
    const item = { id, parent, depth, place: order, siblings, x: 0, k: Math.min(1, k) };
    const index = placed.push(item) - 1, half = item.k * CARD / 2, left = right;
    heights[depth] = Math.max(heights[depth] || 0, item.k);
    const children = childrenOf(id).map((child, i, all) => place(child, index, depth + 1, i, all.length));
    if (children.length === 0) item.x = left + half;
    else {
      item.x = (children[0].x + children[children.length - 1].x) / 2;
      if (item.x - half < left) shift(index, left + half - item.x);
    }
    right = Math.max(right, item.x + half + GAP);
    return item;
  }

  // A parent wider than its children moves to the right, with all that is below it: they were placed last.
  function shift(index, by) {
    for (let i = index; i < placed.length; i++) placed[i].x += by;
    right += by;
  }

  place(rootId, -1, 0, 0, 1);
  return { placed, width: right, levels: heights.map((k) => k * cardHeight(shape)) };
}
