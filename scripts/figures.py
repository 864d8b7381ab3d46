"""Draw the README's pictures: a real search of the reference solution, and how a network learned in an hour.

`make figures` runs it from the repository's root.
"""
import json
import random
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from arena.games import TicTacToe
from arena.show.tree import draw_tree
from solutions import ps2_uct

FIGURE = Path("docs/figures/search_tree.svg")
POSITION = "XOX/.O./..."
SIMULATIONS = 200
CURVE = Path("docs/figures/learning_curve.svg")
LOG = Path("assets/nets/connect_four.log.jsonl")  # of `make train GAME=connect_four MINUTES=60`


def main() -> None:
    """Draw both pictures."""
    search_tree()
    learning_curve()


def search_tree() -> None:
    """Search from a position in which X has to block; draw two plies, with the most visited line in colour."""
    game = TicTacToe()
    _, root = ps2_uct.search(game, game.parse(POSITION), SIMULATIONS, 1.0, random.Random(2))
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    draw_tree(game, root, path=_most_visited(root, plies=2), max_depth=2, max_children=5).save(FIGURE)
    print(f"wrote {FIGURE}")


def learning_curve() -> None:
    """Draw the measurements of a training run: the score against a bot of the ladder, and the share of wrong moves."""
    lines = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
    measured = [line for line in lines if "score against Stone" in line]
    minutes = [line["minutes"] for line in measured]
    with mpl.rc_context({"svg.hashsalt": "curve", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=(6.4, 3.2), layout="constrained")
        axes = figure.add_subplot(xlabel="minutes of training on two cores", ylabel="share")
        axes.plot(minutes, [line["score against Stone"] for line in measured], "o-", label="score against the bot Stone")
        axes.plot(minutes, [line["mistakes at 100"] for line in measured], "s--",
                  label="moves that make the result worse, with 100 simulations")
        axes.set(xlim=(0, None), ylim=(0, 1))
        axes.grid(alpha=0.3)
        axes.legend(loc="center right", frameon=False)
        figure.savefig(CURVE, metadata={"Date": None})
    print(f"wrote {CURVE}")


def _most_visited(root: ps2_uct.TreeNode, plies: int) -> list[ps2_uct.TreeNode]:
    line = [root]
    for _ in range(plies):
        line.append(max(line[-1].children.values(), key=lambda child: child.num_visits))
    return line


if __name__ == "__main__":
    main()
