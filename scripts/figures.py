"""Draw the README's picture: a real search of the reference solution. `make figures` runs it from the repository's root."""
import random
from pathlib import Path

from arena.games import TicTacToe
from arena.show.tree import draw_tree
from solutions import ps2_uct

FIGURE = Path("docs/figures/search_tree.svg")
POSITION = "XOX/.O./..."
SIMULATIONS = 200


def main() -> None:
    """Search from a position in which X has to block; draw two plies, with the most visited line in colour."""
    game = TicTacToe()
    _, root = ps2_uct.search(game, game.parse(POSITION), SIMULATIONS, 1.0, random.Random(2))
    dot = draw_tree(game, root, path=_most_visited(root, plies=2), max_depth=2, max_children=5)
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    FIGURE.write_bytes(dot.pipe(format="svg"))
    print(f"wrote {FIGURE}")


def _most_visited(root: ps2_uct.TreeNode, plies: int) -> list[ps2_uct.TreeNode]:
    line = [root]
    for _ in range(plies):
        line.append(max(line[-1].children.values(), key=lambda child: child.num_visits))
    return line


if __name__ == "__main__":
    main()
