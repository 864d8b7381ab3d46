"""Exams of players of known strength; the figures of docs/exam_validation.md.

    python -m autograder.selftest.exam_validation.exams           all exams, half an hour on one core; after a stop it continues
    python -m autograder.selftest.exam_validation.exams --page    write the existing figures into docs/exam_validation.md

The exams are graded exams against Pebble: `climb` with the openings of an edition, a different edition for each exam.
"""

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from arena.challenge.ladder import load_ladder
from arena.challenge.match import Seeds, climb
from arena.challenge.sprt import FAILED, PASSED, UNDECIDED, SequentialTest, chances, simulate
from arena.files import write_atomic
from arena.games import ConnectFour
from arena.match import MatchPlayer, play_match
from arena.players.uct import UCTPlayer
from arena.strength.openings import line_to, quiet_draws
from autograder.challenge.player.sandboxed import is_ready
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.grade import grade_submission
from autograder.problem_sets.bank.answers import Answer, load_bank, submission_text
from autograder.problem_sets.source import load
from autograder.selftest.exam_validation.flawed_uct import FlawedPlayer
from autograder.selftest.exam_validation.flaws import BROKEN_PLAYERS, BrokenPlayer, Flaw
from autograder.selftest.exam_validation.page import Figures, misses, write_page
from autograder.selftest.exam_validation.python_answer import PythonPlayer
from autograder.selftest.git_objects import measured_at

GAME, RUNG = ConnectFour(), "Pebble"
LADDER = load_ladder()
EXAMS, EXAMS_OF_REFERENCE, GAMES, PYTHON_GAMES = 50, 200, 1000, 60
SEED = 7  # the seed of the simulated exams, here and in the tests
SIMULATED, TRUE_SCORES = 20_000, (0.50, 0.55, 0.70, 0.79)
IN_PYTHON = (Flaw.NO_FLIP, Flaw.LOG_OF_CHILD, Flaw.FINAL_RANDOM, Flaw.FINAL_BOUND, Flaw.ONE_STEP)
KEPT = Path("build/exam_validation.json")


def measure(entrant: MatchPlayer, games: int, seed: int = 0) -> Figures:
    """Return the score of `games` games against the rung's bot, from randomly chosen quiet openings, and its 95 % interval."""
    rng = random.Random(seed)
    drawn = rng.sample(quiet_draws(), games // 2)
    lines = [line for state in drawn if (line := line_to(state)) is not None]  # every opening can be reached by moves
    budgets = (LADDER.student_simulations, LADDER.rung(RUNG).simulations)
    match = play_match(GAME, entrant, UCTPlayer(), games, budgets, seed, openings=lines, progress=False)
    faults = Counter(fault.reason for fault in match.faults if fault.by == 0)
    return {"score": match.score, "interval": match.interval, "faults": faults.most_common(1)}


def examine(entrant: MatchPlayer, count: int) -> Figures:
    """Return the verdicts of `count` exams, each with a different edition, and the mean number of games."""
    ladder = replace(LADDER, rungs=(LADDER.rung(RUNG),), highest=RUNG)
    # The published figures come from these seeds.
    results = [next(climb(entrant, ladder, Seeds(b"controls %d" % number, "controls"))) for number in range(count)]
    verdicts = Counter(result.verdict for result in results)
    games = sum(len(result.match.games) for result in results) / count
    return {PASSED: verdicts[PASSED], FAILED: verdicts[FAILED], UNDECIDED: verdicts[UNDECIDED], "games": games}


def of_broken(broken: BrokenPlayer) -> Figures:
    """Return a broken player's true score and exams; if it passed one, also the hidden checks that catch its mistake."""
    player = FlawedPlayer(broken.flaw, broken.exploration)
    figures = measure(player, GAMES) | examine(player, EXAMS)
    return figures | (graded(broken) if figures[PASSED] else {})


def graded(player: BrokenPlayer) -> Figures:
    """Grade the player's wrong answer; return which hidden checks of its exercise fail, and whether it may enter an exam."""
    answer = _answer(player)
    if answer is None:
        return {}
    with tempfile.TemporaryDirectory() as room:
        (Path(room) / f"{player.ps}.py").write_text(submission_text(load(player.ps), answer), encoding="utf-8")
        report = grade_submission(Path(room), player.ps, Settings(public_secret())).report
    failed = [f"{exercise.id} {check.name}" for exercise in report.exercises for check in exercise.checks
              if check.outcome != PASSED and exercise.id == answer.exercise]
    return {"caught_by": failed, "may_enter": is_ready(report)}


def in_python(flaw: Flaw) -> Figures:
    """Return the score of the bank's wrong answer itself, in Python, over fewer games."""
    broken = next(player for player in BROKEN_PLAYERS if player.flaw == flaw)
    return measure(PythonPlayer(_answer(broken)), PYTHON_GAMES)


def simulated(score: float) -> Figures:
    """Return the verdicts of simulated exams of a player with this true score, and the exact probabilities."""
    rung = LADDER.rung(RUNG)
    test = SequentialTest(rung.fail, rung.pass_, rung.games, LADDER.error_odds)
    rng = random.Random(SEED)
    ended = [simulate(replace(test), score, rng) for _ in range(SIMULATED)]
    verdicts = Counter(verdict for verdict, _ in ended)
    chance, games = chances(test, score)
    return {
        PASSED: verdicts[PASSED], FAILED: verdicts[FAILED], UNDECIDED: verdicts[UNDECIDED],
        "games": sum(count for _, count in ended) / SIMULATED,
        "exact": {verdict: SIMULATED * chance.get(verdict, 0.0) for verdict in (PASSED, FAILED, UNDECIDED)},
        "exact_games": games,
    }  # fmt: skip


def _answer(player: BrokenPlayer) -> Answer | None:
    bank = load_bank(Path("tests/wrong") / f"{player.ps}.py")
    return next((answer for answer in bank if answer.title == player.answer), None)


def parts() -> dict[str, Callable[[], Figures]]:
    """Return all measurements by name, in their order."""
    reference = {"reference": lambda: measure(UCTPlayer(), GAMES) | examine(UCTPlayer(), EXAMS_OF_REFERENCE)}
    exams = {f"simulated {score}": lambda score=score: simulated(score) for score in TRUE_SCORES}
    broken = {f"broken {player.words}": lambda player=player: of_broken(player) for player in BROKEN_PLAYERS}
    python = {f"python {flaw.name}": lambda flaw=flaw: in_python(flaw) for flaw in IN_PYTHON}
    return exams | reference | broken | python


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m autograder.selftest.exam_validation.exams", description=__doc__.partition("\n")[0])
    parser.add_argument("--page", action="store_true", help="measure nothing: write the page from the existing figures")
    given = parser.parse_args()
    kept: dict[str, Figures] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    if not given.page:
        for name, measured in parts().items():
            if name not in kept:
                kept[name] = measured()
                write_atomic(KEPT, json.dumps(kept, indent=1))
            print(f"{name}: {json.dumps(kept[name])}", flush=True)
    write_page(kept, measured_at())
    missing = [name for name in parts() if name not in kept]
    wrong = [f"not measured yet: {name}" for name in missing] or misses(kept)
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
