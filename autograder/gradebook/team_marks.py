"""One hand-in, as many marks as the team has members: what a person enters for one of them holds for all.

In formgrader each member has a submission of the same work. The first score, extra credit or comment that is entered for a cell
goes to the other members at the next run. If it is corrected or taken back where it was entered, the others follow. If different
ones are entered for two members, both stay, and staff are told.

team_marks.json has, by set, member and cell, whose entry a run has given to this member, and what it was then. Without the file
each entry counts as made by a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Comment, Grade, Gradebook, SubmittedAssignment

from autograder.gradebook.hand_ins import handed_in
from autograder.gradebook.policy.teams_file import Teams, read_teams
from autograder.gradebook.stamp import read_stamp
from autograder.json_files import read_state, write_state

FILE = "team_marks.json"
_COMMENT = " (comment)"
_Copies = dict[str, dict[str, list[Any]]]  # by member and cell: whose entry was given, and its values


def share_marks(course: Path, gradebook: Gradebook, ps: str) -> tuple[list[str], list[str]]:
    """Give what people have entered for one member of a team to the others who have nothing there.

    Returns: the students whose marks have changed; sentences about answers with different marks.
    """
    changed: dict[str, None] = {}
    remarks, before = [], read_state(course / FILE)
    copies: _Copies = {member: {**cells} for member, cells in before.get(ps, {}).items()}
    for team in _teams(course, ps, read_teams(course)):
        of_member = {member: _entered(gradebook, ps, member) for member in team if _same_work(course, ps, team[0], member)}
        earlier = {member: {cell for cell in entered if _is_of_an_earlier_answer(entered, cell)}
                   for member, entered in of_member.items()}
        for cell in sorted({cell for rows in of_member.values() for cell in rows}):
            rows = {member: entered[cell] for member, entered in of_member.items() if cell in entered}
            values = {member: _value(row) for member, row in rows.items()}
            sources = {member: whose for member, value in values.items()
                       if (whose := _source(copies, member, cell, value)) in rows}
            own = {member: value for member, value in values.items()
                   if value and member not in sources and cell not in earlier[member]}
            if len(set(own.values())) > 1:
                words = ", ".join(f"{member!r} has {_in_words(value)}" for member, value in own.items())
                remarks.append(f"one hand-in of a team, two marks for {cell}: {words}. Correct one of them in formgrader")
                continue
            for member in own:
                copies.get(member, {}).pop(cell, None)
            for member in [member for member in rows if member not in own]:
                whose = next(iter(own), sources.get(member))
                if whose is None:
                    continue
                if values[member] != values[whose]:
                    _give(rows[member], values[whose])
                    changed[member] = None
                copies.setdefault(member, {})[cell] = [whose, *values[whose]]
    if changed:
        gradebook.db.commit()
    if copies != before.get(ps, {}):
        write_state(course / FILE, {**before, ps: copies})
    return list(changed), remarks


def _source(copies: _Copies, member: str, cell: str, value: tuple[object, ...]) -> str | None:
    """Whose entry a run has given to a member, if the member has it still; None if a person has entered the value."""
    whose, *given = copies.get(member, {}).get(cell, [None])
    return whose if value and tuple(given) == value else None


def _teams(course: Path, ps: str, teams: Teams) -> Iterator[tuple[str, ...]]:
    """The teams that have handed in a set, each once."""
    yield from (team for team in sorted(set(teams.by_set.get(ps, {}).values())) if handed_in(course, team[0], ps, teams))


def _same_work(course: Path, ps: str, one: str, other: str) -> bool:
    """Whether the gradebook has the same bytes for two members; it has not before the run over a new team ends."""
    stamps = [read_stamp(course, student, ps).get("submission") for student in (one, other)]
    return stamps[0] is not None and stamps[0] == stamps[1]


def _entered(gradebook: Gradebook, ps: str, student: str) -> dict[str, Any]:
    """The rows of a student that people fill in: grades by the name of the cell, comments by the name and "(comment)"."""
    rows: dict[str, Any] = {}
    submissions: Iterable[SubmittedAssignment] = gradebook.db.query(SubmittedAssignment).filter(
        SubmittedAssignment.student_id == student, SubmittedAssignment.assignment_id == gradebook.find_assignment(ps).id)
    for submission in submissions:
        for notebook in submission.notebooks:
            rows |= {grade.name: grade for grade in notebook.grades}
            rows |= {comment.name + _COMMENT: comment for comment in notebook.comments}
    return rows


def _is_of_an_earlier_answer(rows: dict[str, Any], cell: str) -> bool:
    """Whether formgrader asks for a mark of this cell: what is there was entered for other work, or is nothing."""
    grade = rows.get(cell.removesuffix(_COMMENT))
    return isinstance(grade, Grade) and bool(grade.needs_manual_grade)


def _value(row: Grade | Comment) -> tuple[object, ...]:
    """What a person has entered in a row; empty if nothing."""
    if isinstance(row, Comment):
        return (row.manual_comment,) if row.manual_comment else ()
    return (row.manual_score, row.extra_credit or 0.0) if row.manual_score is not None or row.extra_credit else ()


def _give(row: Grade | Comment, value: tuple[Any, ...]) -> None:
    """Write what a person has entered for another member; nothing, if it was taken back."""
    if isinstance(row, Comment):
        row.manual_comment = value[0] if value else None
    else:
        row.manual_score, row.extra_credit = value or (None, 0.0)
        row.needs_manual_grade = row.manual_score is None and row.auto_score is None  # as formgrader does


def _in_words(value: tuple[object, ...]) -> str:
    if len(value) == 1:
        return "one comment"
    score, extra = value
    return f"{score if score is not None else 'no score'}{f' and {extra} extra' if extra else ''}"
