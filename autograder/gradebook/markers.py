"""Who marked what in formgrader: each score by hand is a line of the course's log, and two markers who disagree are told.

nbgrader keeps the last score only, without its author. A line has the command "mark", who, when, the set, the student, the cell,
the score before and after, and a digest of the answer: marks of two versions of an answer are not a disagreement.
"""
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Grade

from autograder.gradebook.stamp import read_stamp
from autograder.log import log, read_log, unix_user
from autograder.plain_text import plain_text

MARK = "mark"  # the command of a line
Scores = tuple[float | None, float | None]  # by hand, and the extra credit


def scores(grade: Grade) -> Scores:
    """Return what a person has entered for one cell of one student."""
    return grade.manual_score, grade.extra_credit


def log_mark(course: Path, grade: Grade, before: Scores, who: str) -> None:
    """Add a line to the course's log if a person's score is another one now.

    Raises:
        OSError: the line cannot be written.
    """
    (old, extra), (new, more) = before, scores(grade)
    if (old, extra or 0.0) == (new, more or 0.0):
        return
    submission = grade.notebook.assignment
    ps, student, cell = submission.assignment.name, submission.student.id, grade.name
    by_extra = {"old_extra": extra, "new_extra": more} if (extra or 0.0) != (more or 0.0) else {}
    log(course, MARK, who=who, ps=ps, student=student, cell=cell, old=old, new=new, **by_extra,
        answer=_answer(course, student, ps, cell))


def who_marks(user: Any) -> str:
    """Return the name of formgrader's user: that of a hub, which has one server for several people, else the Unix user's.

    Args:
        user: `current_user` of a handler. Without a hub it is nobody's name: one token, or one password, is for everybody.
    """
    if "JUPYTERHUB_API_URL" not in os.environ:
        return unix_user()
    name = user.get("name") if isinstance(user, dict) else getattr(user, "username", None)
    return plain_text(str(name)) if name else unix_user()


def authors(course: Path, ps: str) -> dict[tuple[str, str], str]:
    """Return who has given the last score of each answer of a set, by student and cell, by the log of the course."""
    last: dict[tuple[str, str], str] = {}
    for place, score, entry in _marks(course, ps):
        if score is not None:
            last[place] = str(entry["who"])
        else:
            last.pop(place, None)
    return last


def disagreements(course: Path, ps: str) -> list[str]:
    """Return a sentence for each answer of a set to which two people have given different scores, by the log of the course.

    Of each person the last score counts. A score that is taken back (an empty box in formgrader) ends the disagreement: what is
    entered after it is what they agree on.
    """
    given: dict[tuple[str, str], dict[str, tuple[float, str]]] = defaultdict(dict)  # by student and cell, by person: score, when
    answers: dict[tuple[str, str], object] = {}
    for place, score, entry in _marks(course, ps):
        if answers.get(place) != entry.get("answer") or score is None:
            given[place].clear()
        answers[place] = entry.get("answer")
        if score is not None:
            given[place].pop(str(entry["who"]), None)  # the last one is at the end
            given[place][str(entry["who"])] = score, str(entry["when"])
    apart = {place: marks for place, marks in given.items() if len({score for score, _ in marks.values()}) > 1
             and answers[place] == _answer(course, place[0], ps, place[1])}
    return [f"{student!r} {cell}: {_in_words(marks)}; the last one counts. "
            "Agree on a score, empty the box in formgrader, and enter it"
            for (student, cell), marks in sorted(apart.items())]


def _marks(course: Path, ps: str) -> Iterator[tuple[tuple[str, str], float | None, dict[str, Any]]]:
    """Yield each line of a set: student and cell, the score, None if it was taken back, and the whole line."""
    for entry in read_log(course, MARK):
        if entry.get("ps") == ps and isinstance(entry.get("student"), str) and isinstance(entry.get("cell"), str):
            score = entry.get("new")
            yield (entry["student"], entry["cell"]), float(score) if isinstance(score, int | float) else None, entry


def _in_words(marks: dict[str, tuple[float, str]]) -> str:
    return ", ".join(f"{plain_text(who)} gave {score:g} ({when[:16].replace('T', ' ')} UTC)"
                     for who, (score, when) in marks.items())


def _answer(course: Path, student: str, ps: str, cell: str) -> str:
    """What is marked: the digest of a free answer, for any other cell that of the whole submission; "" if nobody knows."""
    stamp = read_stamp(course, student, ps)
    answers = stamp.get("answers")
    return str((answers.get(cell) if isinstance(answers, dict) else None) or stamp.get("submission", ""))
