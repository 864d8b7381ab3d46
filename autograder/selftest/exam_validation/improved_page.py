"""The part of docs/exam_validation.md about `challenge_player`, written from the figures of `improved.py`, and the conditions."""

from typing import Any

from arena.challenge.ladder import load_ladder
from arena.challenge.sprt import FAILED, PASSED, UNDECIDED, VERDICTS
from arena.files import write_atomic
from autograder.selftest.exam_validation import page
from autograder.selftest.exam_validation.improved_players import BROKEN, IMPROVEMENTS
from autograder.selftest.exam_validation.page import IMPROVED, interval, share, table

Figures = dict[str, Any]
Kept = dict[str, Figures]  # by "improvement / rung", by a broken player's name, and "counted"
COUNTED = "counted"

TEXT = """
An exam also asks `challenge_player`, if there is one ([your own improvement](challenge.md#your-own-improvement)). These are the
improvements that the course names, written as students write them (`improved_players.py` in
`autograder/selftest/exam_validation/`), at 400 simulations a move, each game with a new object. A draw counts half; the interval
is the 95 % interval. Stone has 400 simulations of plain UCT too, so an improvement that helps scores more than .500 against it.

    python -m autograder.selftest.exam_validation.improved                       all, 1,000 games a line: many hours on one core
    python -m autograder.selftest.exam_validation.improved proofs --rung Stone   one line
    python -m autograder.selftest.exam_validation.improved broken
    python -m autograder.selftest.exam_validation.improved counted

A line with fewer than 1,000 games is not measured to the end, and a rung without a line not at all: with tactics a game takes
much longer, see the last column. The command goes on where it stopped.
"""
EXAMS = """
Broken improvements, in exams against Pebble as above. The command ends with an error if one of them passes an exam.
"""
TACTICS = """
A player with tactics looks two plies ahead before each move of a rollout. It must never be marked as an overrun. In {moves:,}
counted moves of the course's own player with tactics, at positions with 0 to 35 stones and {simulations} simulations each, there
were {overruns} overruns; the largest count was {most:.0%} of what is allowed. The command ends with an error after one overrun.
"""


def section(kept: Kept, measured: str) -> str:
    """Return the part of the page; `measured` is a sentence: at which commit."""
    rungs = [rung.name for rung in load_ladder().rungs]
    rows: list[tuple[str, ...]] = [
        (name, rung, f"{2 * len(kept[key]['pairs']):,}", share(kept[key]["score"]), interval(kept[key]),
         f"{kept[key]['cpu_s'] / 2 / len(kept[key]['pairs']):.2f}")
        for name in IMPROVEMENTS for rung in rungs if (key := f"{name} / {rung}") in kept
    ]
    broken: list[tuple[str, ...]] = [
        (name, *(str(kept[name][verdict]) for verdict in (PASSED, FAILED, UNDECIDED)), f"{kept[name]['games']:.0f}")
        for name in BROKEN if name in kept
    ]
    parts = [IMPROVED, f"{TEXT}\n{measured}",
             table(("improvement", "against", "games", "score", "interval", "CPU seconds a game"), rows)]
    if broken:
        parts += [EXAMS, table(("player", "passed", "failed", "undecided", "games an exam"), broken)]
    if COUNTED in kept:
        parts.append(TACTICS.format(**kept[COUNTED]))
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def write_section(kept: Kept, measured: str) -> int:
    """Write the part into the page, at its end; return 1 and print sentences where a condition is false."""
    before = page.PAGE.read_text(encoding="utf-8").partition(IMPROVED)[0].rstrip("\n")
    write_atomic(page.PAGE, f"{before}\n\n{section(kept, measured)}")
    wrong = misses(kept)
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


def misses(kept: Kept) -> list[str]:
    """Return a sentence for each condition on the figures that is false."""
    wrong = [f"{name} passed {kept[name][PASSED]} of {sum(kept[name][verdict] for verdict in VERDICTS)} exams"
             for name in BROKEN if name in kept and kept[name][PASSED]]
    if kept.get(COUNTED, {}).get("overruns"):
        wrong.append(f"a player with tactics was marked as an overrun {kept[COUNTED]['overruns']} times")
    return wrong
