"""Ask a player for its move at all 6,000 stored positions, or at some of each stratum, and count its mistakes.

    python -m autograder.selftest.exam_validation.move_quality     our compiled UCT, 400 simulations
    python -m autograder.selftest.exam_validation.move_quality --simulations 0     a random player
    python -m autograder.selftest.exam_validation.move_quality assignments/ps3_connect_four a submission, as it is graded (min)
"""

import argparse
import math
import time
from collections import Counter
from pathlib import Path

from arena.challenge.ladder import MOST_EACH, Ladder, load_ladder
from arena.challenge.move_quality import quality_points
from arena.edition import dice
from arena.errors import UserError
from arena.games import ConnectFour
from arena.players.random import RandomPlayer
from arena.players.uct import UCTPlayer
from arena.strength import STRATA
from arena.strength.positions import Answer, answers, rates, sample
from autograder.challenge.practice import player_at
from autograder.grading.edition import public_secret


def told(answered: list[Answer], ladder: Ladder) -> str:
    """Return a table: for each stratum the positions, the mistakes, and a random player's mistakes; then the points."""
    shares, counts = rates(answered), Counter(answer.position.stratum for answer in answered)
    lines = [f"{'stratum':15}{'positions':>10}{'mistakes':>10}{'+-':>7}{'random':>9}{'mark':>7}"]
    for stratum in STRATA:
        share, random_share = shares[stratum], ladder.quality.random[stratum]
        margin = 1.96 * math.sqrt(share * (1 - share) / counts[stratum])
        mark = max(0.0, 1 - share / random_share)
        lines.append(f"{stratum:15}{counts[stratum]:10}{share:10.3f}{margin:7.3f}{random_share:9.2f}{mark:7.2f}")
    lines.append(f"points: {quality_points(shares, ladder):g} of {ladder.quality.points:g}")
    faults = Counter(answer.fault for answer in answered if answer.fault)
    lines += [f"{count} times no move: {fault}" for fault, count in faults.most_common(5)]
    return "\n".join(lines)


def ask(path: Path | None, simulations: int, each: int, seed: int) -> list[Answer]:
    """Return the answers of a submission; without a path, those of our own player.

    Raises:
        UserError: there is no player at `path`.
    """
    chosen = None if each == MOST_EACH else sample(each, dice(public_secret(), f"move quality {seed}"))
    if path is None:
        return answers(UCTPlayer() if simulations else RandomPlayer(ConnectFour()), simulations, seed, chosen)
    player = player_at(path, load_ladder())
    try:
        return answers(player, simulations, seed, chosen)
    except NotImplementedError as error:
        raise UserError(f"{path}: {error}") from None
    finally:
        player.end()
        player.runner.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m autograder.selftest.exam_validation.move_quality", description=__doc__.partition("\n")[0])
    parser.add_argument("player", nargs="?", type=Path, help="the folder, notebook or module of a ps3; default: our player")
    parser.add_argument("--simulations", type=int, default=load_ladder().student_simulations)
    parser.add_argument("--each", type=int, default=MOST_EACH, help="positions of each stratum")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begin = time.process_time()
    try:
        answered = ask(options.player, options.simulations, options.each, options.seed)
    except UserError as failure:
        print(failure)
        return UserError.exit_code
    print(told(answered, load_ladder()))
    print(f"{time.process_time() - begin:.0f} CPU seconds of this process")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
