"""The page of similar submissions: pairs, side by side, what they share marked. All of it is students' text, shown as text."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz.distance import Indel

from autograder.build.source import load
from autograder.limits import trouble_of
from autograder.pages.class_page import environment
from autograder.similarity.fingerprints import ELSEWHERE, K, Piece
from autograder.similarity.look import Findings
from autograder.similarity.pairs import LEAST_SCORE, Pair

MOST_SHOWN = 40  # pairs side by side; the table has all
MOST_LETTERS_SHOWN = 12_000  # of one side of one exercise
Segment = tuple[str, bool]  # text, and whether it is shared


def similarity_page(findings: Findings) -> str:
    """Return the page as HTML."""
    return environment().get_template("similarity.html").render(
        findings=findings,
        pairs=[_pair(findings.ps, pair) for pair in findings.pairs[:MOST_SHOWN]],
        words=K,
        least=f"{LEAST_SCORE:g}",
    )


def _pair(ps: str, pair: Pair) -> dict:
    """One pair: the exercises in which it shares something rare."""
    titles = {exercise.id: f"{exercise.id} {exercise.title}" for exercise in load(ps).exercises} | {ELSEWHERE: "elsewhere"}
    known = {piece.exercise for work in (pair.first, pair.second) for piece in work.pieces if _has(piece, pair)}
    exercises, trouble = [], ""
    try:
        exercises = [_exercise(titles[id], id, pair) for id in [*titles] if id in known]
    except Exception as error:  # one work that cannot be shown is no reason to show nobody's
        trouble = trouble_of(error)
    return {"pair": pair, "percent": f"{100 * pair.share:.0f} %", "exercises": exercises, "trouble": trouble}


def _has(piece: Piece, pair: Pair) -> bool:
    return not pair.common.isdisjoint(piece.fingerprints)


def _exercise(title: str, id: str, pair: Pair) -> dict:
    """The functions of one exercise that share something, side by side; how alike they are, word by word and in order."""
    sides = [[piece for piece in work.pieces if piece.exercise == id and _has(piece, pair)] for work in (pair.first, pair.second)]
    words = ["".join(piece.words for piece in side) for side in sides]
    alike = f"{100 * Indel.normalized_similarity(*words):.0f} %" if all(words) else ""
    return {"title": title, "alike": alike, "sides": [list(_cut(_segments(side, pair.common))) for side in sides]}


def _segments(pieces: list[Piece], common: frozenset[str]) -> Iterator[Segment]:
    """Yield the text of some pieces in parts, shared ones from the first letter of a word to the last of another."""
    for piece in pieces:
        at = 0
        for start, end in _runs(piece, common):
            yield piece.source[at:start], False
            yield piece.source[start:end], True
            at = end
        yield piece.source[at:], False


def _runs(piece: Piece, common: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) in the source of words that stand together in shared fingerprints."""
    first = last = None
    for number, fingerprint in enumerate(piece.fingerprints):
        if fingerprint not in common:
            continue
        if last is not None and number > last + 1:
            yield piece.places[first][0], piece.places[last][1]
            first = None
        first, last = number if first is None else first, number + K - 1
    if last is not None:
        yield piece.places[first][0], piece.places[last][1]


def _cut(segments: Iterator[Segment]) -> Iterator[Segment]:
    """Yield as much as a page can show."""
    room = MOST_LETTERS_SHOWN
    for text, is_shared in segments:
        if len(text) > room:
            yield text[:room], is_shared
            yield "\n[cut here]\n", False
            return
        room -= len(text)
        yield text, is_shared
