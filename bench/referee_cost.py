"""The cost of the challenge's referee for a move, without the players: rules, clocks, messages to the sandbox, new processes."""
import random
import tempfile
import time
from pathlib import Path

from arena.challenge.ladder import load_ladder
from arena.challenge.match import Seeds, play_pair
from arena.games import ConnectFour
from arena.players.random import RandomPlayer
from autograder.challenge.player.sandboxed import contestant
from autograder.grading.edition import public_secret
from autograder.submission.read import read_folder
from bench import LIMIT, Row, must, rate

GAME = ConnectFour()
PAIRS, TURNS = 10, 5
LIMIT_MS = 1.0
PLAYER = """
class Root:
    pass

def uct(game, state, rng, *, simulations=None):
    return rng.choice(game.legal_actions(state)), Root()
"""


def rows() -> list[Row]:
    """Moves a second against the rate of the limit; CPU time of the grader's process, in games of players that do not think."""
    ladder, seconds, moves = load_ladder(), [], 0
    with tempfile.TemporaryDirectory() as room:
        (Path(room) / "ps3_connect_four.py").write_text(PLAYER)
        player = contestant(read_folder(Path(room), "ps3_connect_four"), ladder)
    lines = Seeds(public_secret(), "bench").draw_openings(random.Random(1), PAIRS)
    try:
        play_pair(player, RandomPlayer(GAME), (1, 1), 0, lines[0])     # start the sandbox before the clock starts
        for _ in range(TURNS):
            start = time.process_time()
            games = [game for seed, line in enumerate(lines) for game in
                     play_pair(player, RandomPlayer(GAME), (1, 1), seed, line).games]
            seconds.append(time.process_time() - start)
            moves = sum(len(game.actions[game.num_opening + game.colour :: 2]) for game in games)     # openings have even length
            must(not any(game.fault for game in games), "a game was lost off the board: "
                 f"{next((game.fault for game in games if game.fault), '')}")
            must(len(games) == 2 * PAIRS and moves > 0, f"{len(games)} games with {moves} moves were played, not {2 * PAIRS}")
    finally:
        player.end()
        player.runner.close()
    how = (f"peer: the limit of {LIMIT_MS:g} ms a move; {2 * PAIRS} games, {moves} moves of a random player in the sandbox (a "
           f"new process each game) against ours: {1000 / rate(moves, seconds):.2f} ms a move; CPU time of the grader's process, "
           f"median of {TURNS} turns")
    return [Row("referee_cost", rate(moves, seconds), 1000 / LIMIT_MS, "moves/s", 1.0, how, LIMIT)]
