"""The scores of copies and of independent work: the figures of docs/instructors.md.

    python -m autograder.selftest.similarity_measured [ps2_uct]

Classes are drawn from answers that are known to be independent, those of tests/right/; no answer comes twice in a class.
In each class, one student copies a number of exercises from another student. The right answers are treated as unknown, so the
set explains only the stub and our solution.
"""

from __future__ import annotations

import random
import re
import sys
from collections import defaultdict

import numpy as np

from autograder.problem_sets.bank.answers import right_answers
from autograder.problem_sets.source import load
from autograder.similarity.fingerprints import Piece, Vocabulary
from autograder.similarity.pairs import LEAST_SCORE, Work, similar_pairs

STUDENTS, CLASSES = 16, 60
LEAST_ANSWERS = 8  # to an exercise, or it is left out; who gets none of its answers has not written it
_FUNCTION = re.compile(r"^(?=def )", re.MULTILINE)


def answers_by_exercise(ps: str, vocabulary: Vocabulary) -> dict[str, list[tuple[Piece, ...]]]:
    """Return the different answers to each exercise, for exercises with LEAST_ANSWERS or more."""
    pieces: dict[str, dict[str, tuple[Piece, ...]]] = defaultdict(dict)
    for text in (text for code in right_answers(ps) for text in _FUNCTION.split(code)):
        for piece in vocabulary.pieces([(None, text)]):
            if piece.exercise:
                pieces[piece.exercise].setdefault(piece.words, (piece,))
    return {exercise: list(known.values()) for exercise, known in pieces.items() if len(known) >= LEAST_ANSWERS}


def measure(ps: str) -> None:
    """Print a line for each number of copied exercises."""
    problem_set = load(ps)
    vocabulary, rng = Vocabulary(problem_set), random.Random(1)
    handed_out = vocabulary.pieces((None, text) for cell in problem_set.cells if not cell.markdown
                                   for text in (cell.stub, cell.solution))
    explained = frozenset(fingerprint for piece in handed_out for fingerprint in piece.fingerprints)
    answers = answers_by_exercise(ps, vocabulary)
    print(f"{ps}: {len(answers)} exercises with {LEAST_ANSWERS} answers or more; {CLASSES} classes of {STUDENTS}")
    for copied in (0, 1, 2, 3, len(answers) // 2, len(answers)):
        copies, others, listed = [], [], 0
        for _ in range(CLASSES):
            drawn = {exercise: rng.sample(known, min(len(known), STUDENTS)) for exercise, known in answers.items()}
            for exercise in rng.sample(sorted(answers), copied):
                drawn[exercise][1] = drawn[exercise][0]
            works = [Work(f"{number}", tuple(piece for known in drawn.values() for answer in known[number:number + 1]
                                             for piece in answer)) for number in range(STUDENTS)]
            pairs = similar_pairs(works, explained, least_score=0.01)
            scores = {(pair.first.student, pair.second.student): pair.score for pair in pairs}
            copies.append(scores.pop(("0", "1"), 0.0))
            others.append(max(scores.values(), default=0.0))
            listed += copies[-1] >= LEAST_SCORE
        low, middle = np.quantile(copies, (0.1, 0.5))
        print(f"  {copied:2} copied: score {middle:6.1f} (a tenth below {low:.1f}), listed in {listed} of {CLASSES} classes; "
              f"highest of the other pairs {max(others):.1f}, listed in {sum(score >= LEAST_SCORE for score in others)}")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["ps2_uct"]:
        measure(name)
