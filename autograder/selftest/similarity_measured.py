"""The scores of copies and of independent work: the figures of docs/instructors.md.

    python -m autograder.selftest.similarity_measured [ps2_uct]

Classes are drawn from answers that are known to be independent: tests/right/ and tests/natural/, no answer twice in a class.
In each class, one student copies a number of exercises from another student. The right answers are treated as unknown, so the
set explains only the stub and our solution.
"""

from __future__ import annotations

import random
import re
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.source import load
from autograder.similarity.fingerprints import Piece, Vocabulary
from autograder.similarity.pairs import LEAST_SCORE, Work, similar_pairs

TESTS = Path(__file__).resolve().parents[2] / "tests"
STUDENTS, CLASSES = 16, 60
_FUNCTION = re.compile(r"^(?=def )", re.MULTILINE)


def answers_by_exercise(ps: str, vocabulary: Vocabulary) -> dict[str, list[tuple[Piece, ...]]]:
    """Return the different answers to each exercise, for exercises with enough answers for a class."""
    found: dict[str, dict[str, tuple[Piece, ...]]] = defaultdict(dict)
    bank = [answer for kind in ("right", "natural") for answer in load_bank(TESTS / kind / f"{ps}.py")]
    for text in (text for answer in bank for text in _FUNCTION.split(answer.code)):
        for piece in vocabulary.pieces([(None, text)]):
            if piece.exercise:
                found[piece.exercise].setdefault(piece.words, (piece,))
    return {exercise: list(known.values()) for exercise, known in found.items() if len(known) >= STUDENTS}


def measure(ps: str) -> None:
    """Print a line for each number of copied exercises."""
    problem_set = load(ps)
    vocabulary, rng = Vocabulary(problem_set), random.Random(1)
    handed_out = vocabulary.pieces((None, text) for cell in problem_set.cells if not cell.markdown
                                   for text in (cell.stub, cell.solution))
    explained = frozenset(one for piece in handed_out for one in piece.fingerprints)
    answers = answers_by_exercise(ps, vocabulary)
    print(f"{ps}: {len(answers)} exercises with {STUDENTS} answers or more; {CLASSES} classes of {STUDENTS}")
    for copied in (0, 1, 2, 3, len(answers) // 2, len(answers)):
        copies, others, listed = [], [], 0
        for _ in range(CLASSES):
            drawn = {exercise: rng.sample(known, STUDENTS) for exercise, known in answers.items()}
            for exercise in rng.sample(sorted(answers), copied):
                drawn[exercise][1] = drawn[exercise][0]
            works = [Work(f"{number}", tuple(piece for known in drawn.values() for piece in known[number]))
                     for number in range(STUDENTS)]
            pairs = similar_pairs(works, explained, least_score=0.01)
            found = {(pair.first.student, pair.second.student): pair.score for pair in pairs}
            copies.append(found.pop(("0", "1"), 0.0))
            others.append(max(found.values(), default=0.0))
            listed += copies[-1] >= LEAST_SCORE
        low, middle = np.quantile(copies, (0.1, 0.5))
        print(f"  {copied:2} copied: score {middle:6.1f} (a tenth below {low:.1f}), listed in {listed} of {CLASSES} classes; "
              f"highest of the other pairs {max(others):.1f}, listed in {sum(score >= LEAST_SCORE for score in others)}")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["ps2_uct"]:
        measure(name)
