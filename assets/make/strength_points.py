"""Measure the players of the lessons on one axis: their mistakes at the critical positions of Connect Four.

    python -m assets.make.strength_points        about a quarter of an hour on one core; a stopped run goes on

The points are stored in `assets/strength/points.json`, and `make ladder` draws them. Compiled players have many positions. Our
solutions in Python have fewer. The points of a network in training come from the log of its run. The network that ships is asked
at the half for reporting alone, because steps of its training were chosen on the other one.
"""

import argparse
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch

from arena.challenge.ladder import load_ladder
from arena.files import write_atomic
from arena.games import ConnectFour, State
from arena.match import Player
from arena.nets import find
from arena.players.network import asking, load_net
from arena.players.random import RandomPlayer
from arena.players.rules import compiled
from arena.players.uct import UCTPlayer
from arena.progress import Progress
from arena.strength.points import POINTS, Point, point_of, read_points
from arena.strength.positions import Answer, Position, answers, sample
from arena.strength.uncertainty import share_error
from assets.make.nets_page import read_log
from assets.make.own_nets import CHALLENGE
from assets.make.own_nets import LOG as OWN_LOG
from solutions import ps2_uct, ps3_connect_four, ps4_puct
from trainer.measure import measured
from trainer.strength import asked, reporting

COMMAND = "python -m assets.make.strength_points"
GAME, RULES = ConnectFour(), compiled("connect_four")
LOG = "connect_four"
AFTER = (0, 6, 20, 60)  # minutes of this run
LOGGED = 300  # positions of each measurement in this log: 50 of each stratum
MANY, SOME, FEW = 1000, 250, 100  # positions of each stratum
BOTS = {rung.name: rung.simulations for rung in load_ladder().rungs if rung.simulations}  # name -> simulations a move
SEED = 0


@dataclass(frozen=True)
class Own:
    """A player from a function; it keeps nothing between moves."""

    function: Callable[[State, int, random.Random], int]

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the move."""
        return self.function(state, simulations, rng)


def flat(state: State, simulations: int, rng: random.Random) -> int:
    """Play equally many random games after each move, and return the move with the best mean: no tree."""
    legal = GAME.legal_actions(state)
    totals = dict.fromkeys(legal, 0.0)
    for number in range(simulations // len(legal) * len(legal)):
        action = legal[number % len(legal)]
        totals[action] -= ps2_uct.simulate(GAME, GAME.play(state, action), ps2_uct.random_policy, rng)
    return max(legal, key=lambda action: totals[action])


def tactical(state: State, simulations: int, rng: random.Random) -> int:
    """Search with the tactical rollouts of 3.9, in a new tree."""
    return ps3_connect_four.Searcher(GAME, ps3_connect_four.tactical_rollout).choose(state, simulations, rng)


def proving(state: State, simulations: int, rng: random.Random) -> int:
    """Search with the proofs of 3.8."""
    return ps3_connect_four.solve(GAME, state, simulations, rng)[0]


def with_priors(name: str) -> Player:
    """Return the search of problem set 4 over a network of `assets/nets`."""
    network = asking(load_net(RULES, find(name)))

    def evaluate(state: State) -> tuple[dict[int, float], float]:
        legal = GAME.legal_actions(state)
        allowed = np.isin(np.arange(GAME.num_actions), legal)
        priors, values = network(GAME.planes(state)[None], allowed[None])
        return {action: float(priors[0, action]) for action in legal}, float(values[0])

    return Own(lambda state, simulations, rng: ps4_puct.MCTSPlayer(GAME, evaluate).choose(state, simulations, rng))


def answers_of(player: Player, simulations: int, each: int, among: Sequence[Position] | None = None) -> list[Answer]:
    """Return a player's answers at `each` positions of every stratum in `among`, by default all, with a line of progress."""
    chosen = sample(each, random.Random(f"points {SEED}"), among)
    replies, progress = [], Progress(len(chosen))
    for number, position in enumerate(chosen):
        replies += answers(player, simulations, SEED + number, [position])
        progress.step()
    return replies


def of_network(name: str, simulations: int) -> list[Answer]:
    """Return the answers of a network's search at the half for reporting, many positions side by side."""
    return asked(RULES, measured(RULES, load_net(RULES, find(name))), simulations, reporting())


def jobs() -> dict[tuple[str, str], Callable[[], list[Answer]]]:
    """Return the measurements: (name, source) -> what gives the answers."""
    uct, ps2, ps3, ps4, ps5 = UCTPlayer(), "ps2_uct", "ps3_connect_four", "ps4_puct", "ps5_alphazero"
    measurements: dict[tuple[str, str], Callable[[], list[Answer]]] = {
        ("random play (Random)", "bots"): partial(answers_of, RandomPlayer(GAME), 1, MANY),
        ("flat Monte Carlo, 400 games", ps2): partial(answers_of, Own(flat), 400, SOME),
    }
    for bot, count in BOTS.items():
        measurements[f"UCT, {count:,} simulations ({bot})", "bots"] = partial(answers_of, uct, count, MANY)
    for count in (300, 1000, 3000, 10_000):
        measurements[f"UCT, {count:,} simulations", ps2] = partial(answers_of, uct, count, MANY)
    measurements["UCT with tactical rollouts, 400 simulations", ps3] = partial(answers_of, Own(tactical), 400, FEW)
    measurements["UCT with proofs, 400 simulations", ps3] = partial(answers_of, Own(proving), 400, SOME)
    priors = with_priors("connect_four")
    measurements["PUCT over the network that ships, 100 simulations", ps4] = partial(answers_of, priors, 100, SOME, reporting())
    for count, words in ((0, "alone"), (100, "and 100 simulations"), (600, "and 600 simulations")):
        measurements[f"the network that ships, {words}", ps5] = partial(of_network, "connect_four", count)
    return measurements


def in_training() -> list[Point]:
    """Return points of the network that ships, in training, with 100 simulations: measurements of its log after AFTER minutes."""
    logged = [line for line in read_log(LOG) if "mistakes at 100" in line]
    points = []
    for line in (next(line for line in logged if line["minutes"] >= minutes) for minutes in AFTER):
        rate, name = line["mistakes at 100"], f"make train after {line['minutes']:.0f} minutes, 100 simulations"
        points.append(Point(name, "ps5_alphazero", rate, share_error(rate, LOGGED), LOGGED))
    return points


def of_own_code() -> list[Point]:
    """Return points of problem set 5's own code as a student runs it, with the simulations of the challenge: see `own_nets`."""
    key, points = f"mistakes at {CHALLENGE}", []
    for line in read_log(OWN_LOG):
        if key in line:
            name, rate = f"problem set 5's code, {line['minutes']} minutes, {CHALLENGE} simulations", line[key]
            points.append(Point(name, "ps5_alphazero", rate, share_error(rate, line["positions"]), line["positions"]))
    return points


def write_points(points: list[Point], command: str, path: Path = POINTS) -> None:
    """Store points, with the command that measured them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [asdict(point) | {"mistakes": round(point.mistakes, 4), "error": round(point.error, 4)} for point in points]
    write_atomic(path, json.dumps({"command": command, "points": rows}, indent=1) + "\n")


def main() -> None:
    """Measure what is not stored yet, and store each result at once."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--to", type=Path, default=POINTS)
    parser.add_argument("--again", nargs="?", const="", metavar="WORDS", help="measure again what has these words in its name")
    options = parser.parse_args()
    torch.set_num_threads(1)
    stored = read_points(options.to) if options.to.exists() else []
    kept = [point for point in stored if options.again is None or options.again not in point.name]
    known = {point.name: point for point in kept}
    points = [*in_training(), *of_own_code()]
    for (name, source), ask in jobs().items():
        point = known.get(name) or point_of(name, source, ask())
        points.append(point)
        print(f"{point.name}: {100 * point.mistakes:.1f} ± {100 * point.error:.1f} %", flush=True)
        left = [old for old in kept if old.name not in {new.name for new in points}]
        write_points(points + left, COMMAND, options.to)
    # the scores are the solver's own: perfect play is not a measurement
    write_points([*points, Point("perfect play", "perfect", 0.0, 0.0, 6 * MANY)], COMMAND, options.to)
    print(f"written: {options.to}")


if __name__ == "__main__":
    main()
