"""The page of similar submissions: pairs side by side, with shared parts marked. Students' code is shown as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rapidfuzz.distance import Indel

from autograder.gradebook.policy.people_names import Names
from autograder.gradebook.policy.teams_file import Teams
from autograder.limited_child import failure_text
from autograder.pages.environment import environment
from autograder.problem_sets.source import ProblemSet, load
from autograder.similarity.fingerprints import ELSEWHERE, K, Piece
from autograder.similarity.identical import LEAST, SHORT
from autograder.similarity.pairs import LEAST_SCORE, Pair, SimilarPairs

MOST_SHOWN = 40  # pairs side by side; the table has all pairs
MOST_LETTERS_SHOWN = 12_000  # for one side of one exercise
Segment = tuple[str, bool]  # text, and whether it is shared


def similarity_page(findings: SimilarPairs, names: Names | None = None, teams: Teams | None = None) -> str:
    """Return the page as HTML.

    Args:
        names: of the students, shown beside their ids.
        teams: a pair that is one team in another set is told: they have learned together.
    """
    problem_set = load(findings.ps)
    return environment().get_template("similarity.html").render(
        findings=findings,
        names=names or Names(),
        pairs=[_pair(problem_set, pair) | {"together": together(pair, teams or Teams())}
               for pair in findings.pairs[:MOST_SHOWN]],
        words=K,
        least=f"{LEAST_SCORE:g}",
        least_identical=LEAST,
        short=SHORT,
    )


def together(pair: Pair, teams: Teams) -> str:
    """The sets in which a pair is one team, as text; "" if there is none."""
    return ", ".join(ps for ps in teams.by_set if teams.are_mates(pair.first.student, pair.second.student, ps))


def _pair(problem_set: ProblemSet, pair: Pair) -> dict[str, Any]:
    """One pair: the exercises in which the two works share rare fingerprints."""
    titles = {exercise.id: f"{exercise.id} {exercise.title}" for exercise in problem_set.exercises} | {ELSEWHERE: "elsewhere"}
    known = {piece.exercise for work in (pair.first, pair.second) for piece in work.pieces if _has(piece, pair)}
    exercises, failure = [], ""
    try:
        exercises = [_exercise(titles[id], id, pair) for id in [*titles] if id in known]
    except Exception as error:  # the page must show the other pairs even if one cannot be shown
        failure = failure_text(error)
    return {"pair": pair, "percent": f"{100 * pair.share:.0f} %", "exercises": exercises, "trouble": failure}


def _has(piece: Piece, pair: Pair) -> bool:
    return not pair.common.isdisjoint(piece.fingerprints)


def _exercise(title: str, id: str, pair: Pair) -> dict[str, Any]:
    """The functions of one exercise with shared fingerprints, side by side, and their similarity word by word."""
    sides = [[piece for piece in work.pieces if piece.exercise == id and _has(piece, pair)] for work in (pair.first, pair.second)]
    words = ["".join(piece.words for piece in side) for side in sides]
    alike = f"{100 * Indel.normalized_similarity(*words):.0f} %" if all(words) else ""
    return {"title": title, "alike": alike, "sides": [list(_cut(_segments(side, pair.common))) for side in sides]}


def _segments(pieces: list[Piece], common: frozenset[str]) -> Iterator[Segment]:
    """Yield the text of pieces in segments; a shared segment begins and ends at the edge of a word."""
    for piece in pieces:
        at = 0
        for start, end in _runs(piece, common):
            yield piece.source[at:start], False
            yield piece.source[start:end], True
            at = end
        yield piece.source[at:], False


def _runs(piece: Piece, common: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) in the source for each run of words that are in shared fingerprints."""
    run: tuple[int, int] | None = None  # the first and the last word
    for number, fingerprint in enumerate(piece.fingerprints):
        if fingerprint not in common:
            continue
        if run is not None and number > run[1] + 1:
            yield piece.places[run[0]][0], piece.places[run[1]][1]
            run = None
        run = number if run is None else run[0], number + K - 1
    if run is not None:
        yield piece.places[run[0]][0], piece.places[run[1]][1]


def _cut(segments: Iterator[Segment]) -> Iterator[Segment]:
    """Yield the segments up to the length that a page can show."""
    room = MOST_LETTERS_SHOWN
    for text, is_shared in segments:
        if len(text) > room:
            yield text[:room], is_shared
            yield "\n[cut here]\n", False
            return
        room -= len(text)
        yield text, is_shared
