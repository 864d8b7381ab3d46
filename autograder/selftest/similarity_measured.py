"""The scores of copies and of independent work: the figures of docs/instructors.md.

    python -m autograder.selftest.similarity_measured [ps2_uct]

Each answer of tests/right/ has one author and may have several functions. In a class, all functions of an answer belong to one
student: if two students had them, the author's habits would count as a copy. In each class, one student then copies a number
of exercises from another student. The right answers are treated as unknown, so the set explains only the stub and our solution.

The bank has fewer authors than answers, so two of its answers are closer than the work of two strangers.
"""

from __future__ import annotations

import random
import re
import sys

import numpy as np

from autograder.problem_sets.bank.answers import right_answers
from autograder.problem_sets.source import load
from autograder.similarity.fingerprints import Piece, Vocabulary
from autograder.similarity.pairs import LEAST_SCORE, Work, similar_pairs

STUDENTS, CLASSES = 16, 60
COPIED = (0, 1, 2, 3, 4, 5)
_FUNCTION = re.compile(r"^(?=def )", re.MULTILINE)
Functions = dict[str, Piece]  # by the exercise that they answer


def answers_of(ps: str, vocabulary: Vocabulary, ours: frozenset[str]) -> list[Functions]:
    """Return the functions of each right answer, without those that an earlier answer or our solution has word by word."""
    known, answers = set(ours), []
    for code in right_answers(ps):
        functions: Functions = {}
        for piece in vocabulary.pieces((None, text) for text in _FUNCTION.split(code)):
            if piece.exercise and piece.words not in known:
                known.add(piece.words)
                functions.setdefault(piece.exercise, piece)
        if functions:
            answers.append(functions)
    return answers


def draw_class(answers: list[Functions], rng: random.Random) -> list[Functions]:
    """Return the work of STUDENTS students: each answer belongs to one of them, or to nobody if all have its exercises."""
    students: list[Functions] = [{} for _ in range(STUDENTS)]
    for answer in rng.sample(answers, len(answers)):
        if free := [work for work in students if not answer.keys() & work.keys()]:
            min(free, key=len).update(answer)
    return students


def measure(ps: str) -> None:
    """Print a line for each number of copied exercises."""
    problem_set = load(ps)
    vocabulary, rng = Vocabulary(problem_set), random.Random(1)
    handed_out = vocabulary.pieces((None, text) for cell in problem_set.cells if not cell.markdown
                                   for text in (cell.stub, cell.solution))
    explained = frozenset(fingerprint for piece in handed_out for fingerprint in piece.fingerprints)
    answers = answers_of(ps, vocabulary, frozenset(piece.words for piece in handed_out))
    functions = sum(map(len, answers))
    print(f"{ps}: {len(answers)} answers with {functions} functions; {CLASSES} classes of {STUDENTS} for each number of copies")
    for copied in COPIED:
        copies, others = [], []
        for _ in range(CLASSES):
            students = draw_class(answers, rng)
            for exercise in rng.sample(sorted(students[0]), min(copied, len(students[0]))):
                students[1][exercise] = students[0][exercise]
            works = [Work(f"{number}", tuple(work.values())) for number, work in enumerate(students)]
            pairs = similar_pairs(works, explained, least_score=0.01)
            scores = {(pair.first.student, pair.second.student): pair.score for pair in pairs}
            copies.append(scores.pop(("0", "1"), 0.0))
            others.append(max(scores.values(), default=0.0))
        low, middle = np.quantile(copies, (0.1, 0.5))
        listed, wrongly = (sum(score >= LEAST_SCORE for score in highest) for highest in (copies, others))
        print(f"  {copied} copied: score {middle:5.1f} (a tenth below {low:.1f}), listed in {listed} of {CLASSES} classes; "
              f"highest of the other pairs {max(others):.1f}, listed in {wrongly}")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["ps2_uct"]:
        measure(name)
