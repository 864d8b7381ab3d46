"""Answers dealt out among markers: who marks which answer, which answers two of them mark, and how far these marks differ.

dealt.json has, by set, student and cell, the first marker and perhaps a second one with a score. nbgrader keeps one score of a
cell, so the second marker writes scores into a table of their own, without seeing the first ones, and `staff second` takes it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from nbgrader.api import Gradebook, MissingEntry

from arena.errors import UserError
from autograder.gradebook.hand_ins import folder_of
from autograder.gradebook.ledger import GradebookEntry, read_ledger
from autograder.gradebook.markers import authors
from autograder.gradebook.policy.teams_file import read_teams
from autograder.grading.edition import course_secret
from autograder.json_files import read_decisions, write_decisions

FILE = "dealt.json"
FIRST, SECOND, SCORE = "first", "second", "second_score"
BY_STUDENT, BY_EXERCISE = "student", "exercise"
FAR_APART = 2.0  # points between two marks of one answer, from which on the answer is named
Place = tuple[str, str]  # student and cell


@dataclass(frozen=True)
class MarkerRow:
    """How far a marker is: answers that were dealt, that are marked, and of these that somebody else has marked."""

    marker: str
    dealt: int
    marked: int
    by_others: int


@dataclass(frozen=True)
class Marking:
    """The state of the marking of a set, for staff.

    differences: second mark minus first, in points, of the answers that have both.    twice: the answers that two are to mark.
    others: sentences about answers that somebody else has marked than was dealt.    apart: about answers whose two marks are
        far apart.
    """

    rows: tuple[MarkerRow, ...] = ()
    differences: tuple[float, ...] = ()
    twice: int = 0
    others: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()

    @property
    def twice_in_words(self) -> str:
        """How far the marks of the sample differ; "" if no answer is marked twice."""
        if not self.twice:
            return ""
        begin = f"{len(self.differences)} of {self.twice} answers that two people mark have both marks"
        if not self.differences:
            return f"{begin}."
        mean, size = fmean(self.differences), fmean(map(abs, self.differences))
        return f"{begin}: the second mark is {mean:+.2f} points from the first on average, and they differ by {size:.2f} points."


@dataclass
class Dealt:
    """What was dealt in a set: markers by answer. new: the number of answers that nobody had before."""

    first: dict[Place, str] = field(default_factory=dict)
    second: dict[Place, str] = field(default_factory=dict)
    new: int = 0

    def of(self, marker: str) -> list[tuple[Place, bool]]:
        """The answers of a marker, each with whether it is the second mark."""
        return sorted([(place, False) for place, who in self.first.items() if who == marker]
                      + [(place, True) for place, who in self.second.items() if who == marker])


def deal(course: Path, gradebook: Gradebook, ps: str, among: Sequence[str], by: str, twice: int) -> Dealt:
    """Deal the answers of a set that are to be marked, and write dealt.json.

    Who has an answer already keeps it, if the marker is among these. The rest is dealt evenly, in an order that no name
    decides. Of a team one member's answer is dealt, for the mark goes to the others.

    Args:
        by: BY_STUDENT, one marker for all answers of a student; BY_EXERCISE, one marker for all answers to a question.
        twice: how many answers a second marker gets too, at least.

    Raises:
        UserError: nothing is to be marked, or the markers are not enough.
    """
    if not among or len(set(among)) < len(among) or not all(name.strip() for name in among):
        raise UserError("name each marker once: --among ann,ben")
    if twice and len(among) < 2:
        raise UserError("a second mark needs a second marker: name two at least")
    content, secret, teams = read_decisions(course / FILE), course_secret(course), read_teams(course)
    known = {(student, cell): entry for student, cells in content.get(ps, {}).items() for cell, entry in cells.items()}
    ledger = read_ledger(gradebook, ps)
    places = sorted({(student, cell) for student, entry in ledger.items() for cell in entry.to_mark
                     if folder_of(course, student, ps, teams).parent.name == student} | known.keys())
    if not places:
        raise UserError(f"nothing of {ps} is to be marked by hand: grade the class first")
    places.sort(key=lambda place: key_of(secret, ps, place))
    dealt = Dealt({place: entry[FIRST] for place, entry in known.items() if entry.get(FIRST) in among},
                  {place: entry[SECOND] for place, entry in known.items() if entry.get(SECOND)})
    dealt.new = len(places) - len(dealt.first)
    unit = (lambda place: place[0]) if by == BY_STUDENT else (lambda place: place[1])
    owners = {unit(place): who for place, who in dealt.first.items()}
    load = Counter(dealt.first.values())  # of markers with the same load, the one who is named first gets the next answer
    for place in places:
        if place not in dealt.first:
            owner = owners.setdefault(unit(place), min(among, key=load.__getitem__))
            dealt.first[place] = owner
            load[owner] += 1
    for place in places:
        if len(dealt.second) < twice and place not in dealt.second:
            second = min((name for name in among if name != dealt.first[place]), key=load.__getitem__)
            dealt.second[place] = second
            load[second] += 1
    of_set: dict[str, dict[str, dict[str, object]]] = {}
    for place in places:
        entry: dict[str, object] = {**known.get(place, {}), FIRST: dealt.first[place]}
        entry |= {SECOND: dealt.second[place]} if place in dealt.second else {}
        of_set.setdefault(place[0], {})[place[1]] = entry
    write_decisions(course / FILE, {**content, ps: of_set})
    return dealt


def key_of(secret: bytes, ps: str, place: Place) -> str:
    """The name of an answer in the tables of the markers, which says nothing about the student."""
    return hmac.new(secret, f"deal {ps} {place[0]} {place[1]}".encode(), hashlib.sha256).hexdigest()[:12]


def table_of(
    course: Path, gradebook: Gradebook, ps: str, dealt: Dealt, marker: str, scores: Mapping[str, str] | None = None,
) -> list[list[str]]:
    """The rows of a marker's table: key, question, the answer's page in formgrader, "second" for a second mark, and its score.

    Args:
        scores: by key, what the marker has written already.
    """
    secret, rows = course_secret(course), []
    for place, is_second in dealt.of(marker):
        try:
            page = f"formgrader/submissions/{gradebook.find_submission_notebook(ps, ps, place[0]).id}"
        except MissingEntry:
            page = ""
        key = key_of(secret, ps, place)
        rows.append([key, place[1], page, SECOND if is_second else "", (scores or {}).get(key, "") if is_second else ""])
    return sorted(rows)


def second_marks(course: Path, gradebook: Gradebook, ps: str) -> dict[str, tuple[Place, float]]:
    """The answers that two people mark, by key: student and cell, and the most points."""
    content, secret = read_decisions(course / FILE).get(ps, {}), course_secret(course)
    worth = {cell.name: float(cell.max_score) for notebook in gradebook.find_assignment(ps).notebooks
             for cell in (*notebook.grade_cells, *notebook.task_cells)}
    return {key_of(secret, ps, (student, cell)): ((student, cell), worth.get(cell, 0.0))
            for student, cells in content.items() for cell, entry in cells.items() if entry.get(SECOND)}


def write_second_marks(course: Path, ps: str, scores: Mapping[Place, float]) -> None:
    """Write second marks into dealt.json; the gradebook keeps the first ones."""
    content = read_decisions(course / FILE)
    for (student, cell), score in scores.items():
        content[ps][student][cell][SCORE] = score
    write_decisions(course / FILE, content)


def marking_of(course: Path, gradebook: Gradebook, ps: str) -> Marking:
    """Return how far the marking of a set is; empty if nothing was dealt."""
    content = read_decisions(course / FILE).get(ps, {})
    dealt = {(student, cell): entry for student, cells in content.items() for cell, entry in cells.items()}
    if not dealt:
        return Marking()
    ledger, by = read_ledger(gradebook, ps), authors(course, ps)
    marked = {place: score for place in dealt if (score := _score(ledger.get(place[0]), place[1])) is not None}
    foreign = {place: by[place] for place in marked if place in by and by[place] != dealt[place][FIRST]}
    rows = []
    for marker in sorted({str(entry[FIRST]) for entry in dealt.values()}):
        own = [place for place, entry in dealt.items() if entry[FIRST] == marker]
        rows.append(MarkerRow(marker, len(own), sum(place in marked for place in own), sum(place in foreign for place in own)))
    seconds = {place: (float(entry[SCORE]), str(entry.get(SECOND))) for place, entry in sorted(dealt.items())
               if SCORE in entry and place in marked}
    apart = tuple(f"{student!r} {cell} has {marked[student, cell]:g} and, from {who}, {score:g}: talk about it, and correct the "
                  "score in formgrader" for (student, cell), (score, who) in seconds.items()
                  if abs(score - marked[student, cell]) >= FAR_APART)
    others = tuple(f"{student!r} {cell} was dealt to {dealt[student, cell][FIRST]}, and {who} has marked it"
                   for (student, cell), who in sorted(foreign.items()))
    return Marking(tuple(rows), tuple(score - marked[place] for place, (score, _) in seconds.items()),
                   sum(bool(entry.get(SECOND)) for entry in dealt.values()), others, apart)


def _score(entry: GradebookEntry | None, cell: str) -> float | None:
    """The score that a person has given an answer; None if there is none, or one for an earlier answer."""
    return None if entry is None or entry.asks.get(cell) else entry.manual.get(cell)
