"""docs/exam_validation.md, written from the figures of `exams.py`, and the conditions on these figures."""

from pathlib import Path
from typing import Any

from arena.challenge.sprt import FAILED, PASSED, UNDECIDED, VERDICTS
from arena.files import write_atomic
from autograder.selftest.exam_validation.flaws import BROKEN_PLAYERS, BrokenPlayer

PAGE = Path("docs/exam_validation.md")
IMPROVED = "## Improved players"  # the last part of the page, which `improved.py` writes
WEAK, AT_LEAST = 0.50, 20  # no player of this true score or less may pass, and at least this number of them must be tried
Figures = dict[str, Any]  # the figures of one player, by name, as JSON: counts, scores, an interval, lists of words

INTRODUCTION = """# Validation of the exam

We test the exam with players of known strength. These are the graded exams against Pebble (100 simulations a move, pass
above .70, fail below .55; [the challenge](challenge.md)), with players at 400 simulations:

    python -m autograder.selftest.exam_validation.exams

plays all these exams again, writes this page, and ends with an error if one of these conditions is false:

- The reference passes every exam.
- No broken player with a true score of .50 or less passes an exam, and at least 20 such players were tried.
- The compiled broken players score like the wrong answers in Python that they copy.

{measured}
"""

BROKEN = """
## Broken players

Each is our compiled UCT with one mistake (`flaws.py` and `flawed_uct.py` in `autograder/selftest/exam_validation/`; a test
proves that without a flaw it plays the bot's own moves). The true score comes from 1,000 games; a draw counts half. The interval
is its 95 % interval. The next columns are 50 exams, each with another edition: other openings, other seeds. The reference had
{exams}.
"""

PASSING = """
## Wrong players that pass

Strength does not prove correctness. These players play well enough; only the hidden checks of the problem sets find their
mistake. Each was graded as our solution with this one mistake. Only players whose joint check passed may enter the challenge
(last column).
"""

PYTHON = """
## The same mistakes in Python

The wrong answer of `tests/wrong/ps3_connect_four.py` itself, in {games} games against Pebble, and its compiled copy.
"""

SIMULATED = """
## Simulated exams

Players who win each game with the same probability and never draw: {count:,} simulated exams each, and the exact values from
the rules of the test (`chances` in `arena/challenge/sprt.py` counts all possible exams).
"""


def write_page(kept: dict[str, Figures], measured: str) -> None:
    """Write the page from the figures so far; `measured` is a sentence: at which commit."""
    broken = [(player, kept[f"broken {player.words}"]) for player in BROKEN_PLAYERS if f"broken {player.words}" in kept]
    broken.sort(key=lambda pair: pair[1]["score"])
    reference = kept.get("reference")
    exams = f"{_exams(reference)} exams" if reference else "none yet"
    rows = [_row("the reference", reference)] if reference else []
    rows += [_row(player.words, figures) for player, figures in broken]
    passing = [(player, figures) for player, figures in broken if figures[PASSED]]
    python = [(name.split()[1], figures) for name, figures in kept.items() if name.startswith("python ")]
    simulated = [(name.split()[1], figures) for name, figures in kept.items() if name.startswith("simulated ")]
    text = [
        INTRODUCTION.format(measured=measured),
        BROKEN.format(exams=exams),
        table(("player", "true score", "interval", "passed", "failed", "undecided", "games an exam"), rows),
        PASSING,
        table(("player", "true score", "passed", "hidden checks that catch it", "may enter"),
               [_passing(*pair) for pair in passing]),
        PYTHON.format(games=60),
        table(("mistake", "in Python", "interval", "compiled"), [_python(*pair, broken) for pair in python]),
        SIMULATED.format(count=20_000),
        table(("true score", "passed", "failed", "undecided", "games", "exactly: passed", "undecided", "games"),
               [_simulated(*pair) for pair in simulated]),
        improved_part(),
    ]
    write_atomic(PAGE, "\n".join(part.strip("\n") + "\n" for part in text if part))


def improved_part() -> str:
    """Return the last part of the present page; "" if the page has no such part."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return IMPROVED + text.partition(IMPROVED)[2] if IMPROVED in text else ""


def misses(kept: dict[str, Figures]) -> list[str]:
    """Return a sentence for each condition on the figures that is false."""
    wrong = []
    if kept["reference"][PASSED] != _exams(kept["reference"]):
        wrong.append(f"the reference did not pass every exam: {kept['reference']}")
    broken = {player.words: kept[f"broken {player.words}"] for player in BROKEN_PLAYERS}
    weak = {words: figures for words, figures in broken.items() if figures["score"] <= WEAK}
    wrong += [f"{words}: its true score is {figures['score']:.3f}, and it passed {figures[PASSED]} exams"
              for words, figures in weak.items() if figures[PASSED]]
    if len(weak) < AT_LEAST:
        wrong.append(f"only {len(weak)} broken players have a true score of {WEAK} or less; {AT_LEAST} are needed")
    for player in BROKEN_PLAYERS:
        python = kept.get(f"python {player.flaw.name}")
        if python and not _meet(python["interval"], broken[player.words]["interval"]):
            wrong.append(f"{player.words}: {python['score']:.3f} in Python, {broken[player.words]['score']:.3f} compiled")
    return wrong


def _meet(first: list[float], second: list[float]) -> bool:
    return max(first[0], second[0]) <= min(first[1], second[1])


def _exams(figures: Figures) -> int:
    counts: list[int] = [figures[verdict] for verdict in VERDICTS]
    return sum(counts)


def _row(words: str, figures: Figures) -> tuple[str, ...]:
    verdicts = (str(figures[verdict]) for verdict in (PASSED, FAILED, UNDECIDED))
    return words, share(figures["score"]), interval(figures), *verdicts, f"{figures['games']:.0f}"


def _passing(player: BrokenPlayer, figures: Figures) -> tuple[str, ...]:
    checks = "; ".join(f"`{check}`" for check in figures.get("caught_by", ()))
    caught_by = f"{player.ps}: {checks}" if checks else "none: no bank has this mistake"
    enter = {True: "yes", False: "no", None: "?"}[figures.get("may_enter")]
    return player.words, share(figures["score"]), f"{figures[PASSED]} of {_exams(figures)}", caught_by, enter


def _python(name: str, figures: Figures, broken: list[tuple[BrokenPlayer, Figures]]) -> tuple[str, ...]:
    words, compiled = next((player.words, twin) for player, twin in broken if player.flaw.name == name)
    return words, share(figures["score"]), interval(figures), share(compiled["score"])


def _simulated(score: str, figures: Figures) -> tuple[str, ...]:
    exact = figures["exact"]
    counts = (f"{figures[verdict]:,}" for verdict in (PASSED, FAILED, UNDECIDED))
    return (share(float(score)), *counts, f"{figures['games']:.1f}", f"{exact[PASSED]:,.1f}", f"{exact[UNDECIDED]:,.1f}",
            f"{figures['exact_games']:.1f}")


def share(score: float) -> str:
    """Return a score with three digits, such as .779."""
    return f"{score:.3f}".removeprefix("0") if score < 1 else "1"


def interval(figures: Figures) -> str:
    """Return the interval of figures in words."""
    low, high = figures["interval"]
    return f"{share(low)} to {share(high)}"


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table of the page."""
    lines = [heads, tuple("---" if number == 0 else "---:" for number in range(len(heads))), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
