"""Our solver against bitbully's solver, both without a book, on random positions of several lengths."""
import random
import time

from arena.games import ConnectFour, after
from arena.match import random_openings
from arena.players.solver import Solver
from bench import Row, must
from bench.bitbully import BitBully, Missing

GAME = ConnectFour()
# plies: number of positions. Up to 8 plies our players look into a book.
POSITIONS = {8: 20, 9: 20, 10: 40, 11: 60, 12: 120, 13: 160, 14: 240, 16: 400, 20: 1200, 24: 4000, 28: 4000, 32: 4000, 36: 4000}
TURNS = 20


def rows() -> list[Row]:
    """Positions a second at the length where our ratio is worst; CPU time. Both keep their tables between positions."""
    try:
        with BitBully() as bitbully:
            seconds = {plies: _compare(plies, count, bitbully) for plies, count in POSITIONS.items()}
    except Missing as missing:
        print(f"solver_vs_bitbully is left out: {missing}")
        return []
    worst = min(seconds, key=lambda plies: seconds[plies][1] / seconds[plies][0])
    each = "; ".join(f"{plies} plies {1000 * ours / POSITIONS[plies]:.3g} ms, theirs {1000 * peer / POSITIONS[plies]:.3g} ms "
                     f"({peer / ours:.2f})" for plies, (ours, peer) in seconds.items())
    how = (f"mean CPU time a random position: {each}; the row is the worst of them, {worst} plies; "
           f"{TURNS} turns each, the same positions for both, no book")
    ours, peer = (POSITIONS[worst] / total for total in seconds[worst])
    return [Row("solver_vs_bitbully", ours, peer, "positions/s", 1.0, how)]


def _compare(plies: int, count: int, peer: BitBully) -> tuple[float, float]:
    """Return the CPU seconds of (our solver, bitbully) for `count` positions; a different score ends the comparison."""
    lines = random_openings(GAME, count, plies, random.Random(plies))
    must(len(lines) == count, f"{len(lines)} positions of {plies} plies were drawn, not {count}")
    solver, ours, theirs = Solver(), 0.0, 0.0
    solver.score(GAME.parse("......./......./......O/OXOXXXO/XOXOOOX/OXOXXXO"))     # compile before the clock starts
    for turn in range(TURNS):
        some = lines[turn::TURNS]
        states = [after(GAME, line) for line in some]
        start = time.process_time()
        scores = [solver.score(state) for state in states]
        ours += time.process_time() - start
        peer_scores, seconds = peer.scores(some)
        theirs += seconds
        if scores != peer_scores:
            raise RuntimeError(f"we and bitbully differ after {plies} plies: {scores} and {peer_scores} on {some}")
    return ours, theirs
