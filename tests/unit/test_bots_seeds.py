"""No player learns a bot's seed: a guesser finds a small one, and in an exam none, whatever it sees in its own generator."""

import random
import runpy
from pathlib import Path
from typing import Any

from arena.challenge.match import Seeds, play_pair
from arena.games import ConnectFour
from arena.match import play_match
from arena.players.random import RandomPlayer

GAME = ConnectFour()
ROOT = Path(__file__).resolve().parents[2]
LINE = (3, 3, 3, 3, 3, 2, 4, 4)
ATTACK = runpy.run_path(str(ROOT / "tests/hostile/players.py"))["SEEDS"]


class Guesser:
    """The player of the attack; `sure` counts the moves at which it knew the bot's generator."""

    def __init__(self) -> None:
        self.sure = 0

    def new_game(self) -> None:
        self.space: dict[str, Any] = {}
        exec(ATTACK, self.space)

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        # in an exam the player gets a generator of its own for each move, whose seed the match's generator has drawn
        own = random.Random(rng.getrandbits(63))
        action, _, sure = self.space["knowing"](GAME, state, own, lambda game, state, rng, simulations: (None, None))
        self.sure += sure
        legal = GAME.legal_actions(state)
        safe = [column for column in legal if GAME.outcome(GAME.play(state, column)) is None] or legal
        self.space["last"][1] = safe[0] if action is None else action  # long games, so that there is much to compare
        return int(self.space["last"][1])


def test_the_guesser_finds_a_small_seed() -> None:
    """the control: without it, the next test would pass for a guesser that guesses nothing"""
    guesser = Guesser()
    for seed in range(12):
        play_match(GAME, guesser, RandomPlayer(GAME), 2, (23, 0), seed, openings=[LINE], progress=False)
    assert guesser.sure > 0


def test_in_an_exam_it_finds_none() -> None:
    rng, guesser = Seeds(b"a course's secret", "a submission").dice("Random"), Guesser()
    games = [game for _ in range(12) for game in
             play_pair(guesser, RandomPlayer(GAME), (23, 0), rng.getrandbits(63), LINE).games]
    assert guesser.sure == 0
    assert not any(game.fault for game in games) and max(len(game.actions) for game in games) > 24  # it had much to compare


def test_the_two_generators_of_a_game_have_nothing_in_common() -> None:
    """all that a player can know of its generator, its whole state, is that of another seed than the bot's"""
    states = {random.Random(f"{who} 7 {number}").getstate() for who in ("first", "second") for number in (0, 1)}
    assert len(states) == 4
    assert Seeds(b"a", "same").dice("Random").getrandbits(63) != Seeds(b"b", "same").dice("Random").getrandbits(63)
