"""Search for mistakes of the perfect player, and for positions at which our solver and `bitbully` differ.

    python -m autograder.selftest.exam_validation.perfect_check                        all parts, a quarter of an hour
    python -m autograder.selftest.exam_validation.perfect_check mistakes --count 100   one part, 100 positions or games

`mistakes`: the player's moves on random positions of 8 to 30 plies, compared with the scores of a solver with its own table and
no book. `first`: from the empty board, the player moves first and wins against every rung. `drawn`: from drawn openings, the
player never loses. `bitbully`: our solver and bitbully give the same scores on random positions of 10 to 40 plies, both without
a book.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from typing import cast

from arena.challenge.ladder import load_ladder
from arena.challenge.match import bot
from arena.errors import UserError
from arena.games import ConnectFour, after
from arena.match import Player, play_game, play_match
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver, end_score
from arena.strength.openings import line_to, quiet_draws
from arena.strength.positions import sign
from bench.bitbully import BitBully, Missing

GAME = ConnectFour()
BATCH = 100
Line = list[int]


def random_line(plies: int, rng: random.Random) -> Line:
    """Return a line of `plies` random moves after which the game is not over."""
    while True:
        state = GAME.start()
        line: Line = []
        while len(line) < plies and GAME.outcome(state) is None:
            line.append(rng.choice(GAME.legal_actions(state)))
            state = GAME.play(state, line[-1])
        if len(line) == plies and GAME.outcome(state) is None:
            return line


def lines_of(lowest: int, highest: int, count: int, rng: random.Random) -> Iterator[Line]:
    """Yield `count` random lines; the numbers of lines per length, from `lowest` to `highest`, differ by at most one."""
    for number in range(count):
        yield random_line(lowest + number % (highest - lowest + 1), rng)


def mistakes(perfect: PerfectPlayer, count: int = 2000, seed: int = 0) -> Iterator[str | None]:
    """Yield for each of `count` positions the mistake of the perfect player's move, None if the move is right."""
    rng, label = random.Random(seed), Solver()
    for line in lines_of(8, 30, count, rng):
        state = after(GAME, line)
        chosen, best = perfect.choose(state, 0, rng), label.score(state)
        reached = GAME.play(state, chosen)
        outcome = GAME.outcome(reached)
        score = -label.score(reached) if outcome is None else end_score(reached, outcome)
        if sign(score) < sign(best):
            yield f"after {line} it plays {chosen} and makes the result worse: {score} instead of {best}"
        elif score < best:
            yield f"after {line} it plays {chosen}, which takes longer to win or less time to lose: {score} instead of {best}"
        else:
            yield None


def first(perfect: PerfectPlayer, count: int = 60, seed: int = 0) -> Iterator[str | None]:
    """Yield a sentence for each game as first player from the empty board, against all rungs in turn; None for a win."""
    rungs = load_ladder().rungs
    for number in range(count):
        rung = rungs[number % len(rungs)]
        other = cast(Player, bot(rung))  # a player, not a function that makes players
        actions, result = play_game(GAME, (perfect, other), rung.simulations, random.Random(f"{seed} {number}"))
        yield None if result == 1 else f"against {rung.name} it did not win {actions}"


def drawn(perfect: PerfectPlayer, count: int = 120, seed: int = 0) -> Iterator[str | None]:
    """Yield a sentence for each lost game from a drawn opening, with both colours, against all rungs; None otherwise."""
    rungs, rng = load_ladder().rungs, random.Random(seed)
    for number, state in enumerate(rng.sample(quiet_draws(), count // 2)):
        rung = rungs[number % len(rungs)]
        line = line_to(state)
        assert line is not None  # every opening can be reached by moves
        match = play_match(GAME, perfect, bot(rung), 2, (0, rung.simulations), seed + number, openings=[line], progress=False)
        for game in match.games:
            yield None if game.score > 0 else f"against {rung.name} it lost {game.actions}"


def bitbully(perfect: PerfectPlayer, count: int = 3000, seed: int = 0) -> Iterator[str | None]:
    """Yield a sentence for each position at which our solver and bitbully differ, None if they agree.

    Raises:
        UserError: bitbully is not installed; the text says how to install it.
    """
    rng = random.Random(seed)
    lines = list(lines_of(10, 40, count, rng))
    try:
        with BitBully() as peer:
            for begin in range(0, count, BATCH):
                some = lines[begin : begin + BATCH]
                for line, theirs in zip(some, peer.scores(some)[0], strict=True):
                    ours = perfect.solver.score(after(GAME, line))
                    yield None if ours == theirs else f"after {line} our score is {ours}, bitbully's {theirs}"
    except Missing as missing:
        raise UserError(str(missing)) from None


PARTS: dict[str, Callable[..., Iterator[str | None]]] = {
    "mistakes": mistakes, "first": first, "drawn": drawn, "bitbully": bitbully,
}  # fmt: skip


def run(name: str, options: dict[str, int]) -> int:
    """Run one part, print its progress, and return the number of failures; that nothing was done is one."""
    wrong = number = 0
    for number, fault in enumerate(PARTS[name](PerfectPlayer(Solver(24)), **options), 1):
        wrong += fault is not None
        if fault:
            print(f"\n{fault}")
        if sys.stdout.isatty():
            print(f"\r{name}: {number} done, {wrong} wrong", end="", flush=True)
    print(f"\r{name}: {number} done, {wrong} wrong", flush=True)
    return wrong if number else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m autograder.selftest.exam_validation.perfect_check", description=__doc__.partition("\n")[0])
    parser.add_argument("part", nargs="?", choices=PARTS, help="without one: all")
    parser.add_argument("--count", type=int, help="positions or games; needs a part")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.count and not given.part:
        parser.error("--count needs a part: give its name too")
    options = {"seed": given.seed, **({"count": given.count} if given.count else {})}
    wrong = 0
    for name in [given.part] if given.part else PARTS:
        try:
            wrong += run(name, options)
        except UserError as failure:
            print(failure)
            if given.part:
                return UserError.exit_code
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
