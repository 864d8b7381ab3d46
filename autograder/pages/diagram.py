"""A whole game of Connect Four as one picture: every stone shows the number of its move."""

from arena.games import ConnectFour
from arena.games.connect_four import HEIGHT, WIDTH
from arena.result import PlayedGame
from arena.show.board import EMPTY, GRID, INK, O_COLOUR, X_COLOUR

GAME = ConnectFour()
SIDE = 26  # the side of a square, in pixels
Place = tuple[int, int]  # column, row from the bottom


def diagram(game: PlayedGame) -> str:
    """Return a game as SVG: X blue, O orange, the opening's stones pale, a ring around the four that won."""
    stones = _stones(game.actions)
    four = _four(stones)
    shapes = [f'<rect width="{WIDTH * SIDE}" height="{HEIGHT * SIDE}" fill="white" stroke="{GRID}"/>']
    for column in range(WIDTH):
        for row in range(HEIGHT):
            number = stones.get((column, row), 0)
            shapes.append(_square((column, row), number, number <= game.num_opening, (column, row) in four))
    width, height = WIDTH * SIDE, HEIGHT * SIDE
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" '
            f'height="{height + 2}" role="img"><title>{_moves(game)}</title>{"".join(shapes)}</svg>')


def _stones(actions: tuple[int, ...]) -> dict[Place, int]:
    """Return the number of the move, from 1, that filled each square."""
    heights, stones = [0] * WIDTH, {}
    for number, column in enumerate(actions, 1):
        stones[column, heights[column]] = number
        heights[column] += 1
    return stones


def _four(stones: dict[Place, int]) -> set[Place]:
    """Return the squares of every row of four, or more, of one colour."""
    found: set[Place] = set()
    for column, row in stones:
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [(column + step * right, row + step * up) for step in range(4)]
            if len({stones[place] % 2 for place in line if place in stones}) == 1 and all(place in stones for place in line):
                found.update(line)
    return found


def _square(place: Place, number: int, opening: bool, won: bool) -> str:
    x, y = (place[0] + 0.5) * SIDE, (HEIGHT - place[1] - 0.5) * SIDE
    if not number:
        return f'<circle cx="{x}" cy="{y}" r="{SIDE * .4:.1f}" fill="{EMPTY}"/>'
    ring = f' stroke="{INK}" stroke-width="2.5"' if won else ""
    pale = ' fill-opacity=".45"' if opening else ""
    return (f'<circle cx="{x}" cy="{y}" r="{SIDE * .4:.1f}" fill="{X_COLOUR if number % 2 else O_COLOUR}"{pale}{ring}/>'
            f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-family="Helvetica, Arial, sans-serif" font-size="11" '
            f'font-weight="bold" fill="{INK if opening else "white"}">{number}</text>')


def _moves(game: PlayedGame) -> str:
    return f"columns 0 to 6: {' '.join(map(str, game.actions))}"
