"""`challenge_player` in games and exams: what each improvement scores, that broken ones fail, and that tactics keep to the time.

    python -m autograder.selftest.exam_validation.improved                        all against all rungs: many hours on one core
    python -m autograder.selftest.exam_validation.improved --rung Stone           the improvements against one rung
    python -m autograder.selftest.exam_validation.improved proofs --rung Stone    one of them
    python -m autograder.selftest.exam_validation.improved broken                 50 exams of each broken player
    python -m autograder.selftest.exam_validation.improved counted                1,000 counted moves of the player with tactics
    python -m autograder.selftest.exam_validation.improved page                   write the figures so far into the page

A stopped run goes on where it was: what was played is in build/exam_validation_improved.json.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.challenge.ladder import load_ladder
from arena.challenge.match import bot
from arena.files import write_atomic
from arena.games import ConnectFour
from arena.match import play_match
from arena.result import score_interval
from arena.strength.openings import line_to, quiet_draws
from autograder.challenge.player.query_budget import CountedLooks, allowed
from autograder.selftest.exam_validation.exams import EXAMS, GAMES, examine
from autograder.selftest.exam_validation.improved_page import Figures, Kept, write_section
from autograder.selftest.exam_validation.improved_players import BROKEN, IMPROVEMENTS, TACTICS
from autograder.selftest.exam_validation.python_answer import solution_with
from autograder.selftest.git_objects import measured_at

GAME, LADDER = ConnectFour(), load_ladder()
KEPT = Path("build/exam_validation_improved.json")
PAIRS_AT_ONCE = 5  # a stop loses at most these
COUNTED_MOVES, COUNTED_SIMULATIONS = 1000, 10


class AsGraded:
    """A player made by a `challenge_player`: anew for each game, and asked by `choose` alone."""

    def __init__(self, text: str) -> None:
        self._module = solution_with(text, "improved player")
        self.new_game()

    def new_game(self) -> None:
        """Forget the game before."""
        self._player = self.over(GAME)

    def over(self, game: Any) -> Any:
        """Return the player over another game object."""
        return self._module.challenge_player(game)

    def choose(self, state: Any, simulations: int, rng: random.Random) -> int:
        """Return the move."""
        action: int = self._player.choose(state, simulations, rng)
        return action


def measure(text: str, rung: str, before: Figures | None, games: int) -> Iterator[Figures]:
    """Yield the figures after every few games: the scores of the pairs of games, and the CPU seconds of both players."""
    figures: Figures = before or {"pairs": [], "cpu_s": 0.0}
    player, against = AsGraded(text), LADDER.rung(rung)
    drawn = random.Random(rung).sample(quiet_draws(), games // 2)  # the same openings for every player
    while len(figures["pairs"]) < games // 2:
        begin, began_s = len(figures["pairs"]), time.process_time()
        lines = [line for state in drawn[begin : begin + PAIRS_AT_ONCE] if (line := line_to(state)) is not None]
        match = play_match(GAME, player, bot(against), 2 * len(lines), (LADDER.student_simulations, against.simulations), begin,
                           openings=lines, progress=False)
        assert not match.faults, match.faults
        figures["pairs"] += match.pair_scores
        figures["cpu_s"] = round(figures["cpu_s"] + time.process_time() - began_s, 1)
        figures["score"], figures["interval"] = sum(figures["pairs"]) / len(figures["pairs"]), score_interval(figures["pairs"])
        yield figures


class Asked:
    """The game as a watched player sees it: states are names, and each call is counted."""

    def __init__(self, counted: CountedLooks) -> None:
        self.num_actions, self._counted = GAME.num_actions, counted

    def __getattr__(self, method: str) -> Any:
        return lambda *given: self._counted.answer(method, *given)


def positions(seed: int) -> Iterator[Any]:
    """Yield unfinished positions of random games, with any number of stones."""
    rng = random.Random(seed)
    while True:
        state = GAME.start()
        for _ in range(rng.randrange(36)):
            if GAME.outcome(state) is None:
                state = GAME.play(state, rng.choice(GAME.legal_actions(state)))
        if GAME.outcome(state) is None and len(GAME.legal_actions(state)) > 1:
            yield state


def count(moves: int = COUNTED_MOVES, simulations: int = COUNTED_SIMULATIONS, seed: int = 3) -> Figures:
    """Count the calls in `moves` moves of the player with tactics; `most` is the largest share of what is allowed."""
    player, overruns, most = AsGraded(TACTICS), 0, 0.0
    for number, state in zip(range(moves), positions(seed), strict=False):
        game = CountedLooks(state, simulations)
        player.over(Asked(game)).choose(game.token(state), simulations, random.Random(number))
        overruns += game.overrun is not None
        most = max(most, game.asked["play"] / allowed(state, simulations)["play"])
    return {"moves": moves, "simulations": simulations, "overruns": overruns, "most": most}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m autograder.selftest.exam_validation.improved", description=__doc__.partition("\n")[0])
    parser.add_argument("part", nargs="?", choices=[*IMPROVEMENTS, "broken", "counted", "page"], help="without one: all")
    parser.add_argument("--rung", choices=[rung.name for rung in LADDER.rungs], help="without it: all of them")
    parser.add_argument("--games", type=int, default=GAMES)
    given = parser.parse_args()
    kept: Kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}

    def keep(name: str, figures: Figures) -> None:
        kept[name] = figures
        write_atomic(KEPT, json.dumps(kept))

    for name in [given.part] if given.part in IMPROVEMENTS else [] if given.part else IMPROVEMENTS:
        for rung in [given.rung] if given.rung else [rung.name for rung in LADDER.rungs]:
            for figures in measure(IMPROVEMENTS[name], rung, kept.get(f"{name} / {rung}"), given.games):
                keep(f"{name} / {rung}", figures)
                print(f"{name} against {rung}: {figures['score']:.3f} after {2 * len(figures['pairs'])} games", flush=True)
    for name in BROKEN if given.part in (None, "broken") else ():
        if name not in kept:
            keep(name, examine(AsGraded(BROKEN[name]), EXAMS))
            print(f"{name}: {kept[name]}", flush=True)
    if given.part in (None, "counted"):
        keep("counted", count())
        print(f"counted: {kept['counted']}", flush=True)
    return write_section(kept, measured_at())


if __name__ == "__main__":
    raise SystemExit(main())
