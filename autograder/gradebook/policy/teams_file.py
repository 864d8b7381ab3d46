"""The teams of a course: teams.csv, with a line for each member, for all sets or for one.

    id,team,set
    ada,red,
    bob,red,
    ada,,ps5_alphazero        ada and bob work alone in this set
    bob,,ps5_alphazero
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import UserError
from autograder.gradebook.policy.roster_file import ID, read_roster, read_rows
from autograder.plain_text import one_line
from autograder.problem_sets.source import names

TEAMS = "teams.csv"
TEAM, SET = "team", "set"
MOST_MEMBERS = 3  # for a class of an odd number; more is a wrong table


@dataclass(frozen=True)
class Teams:
    """The members of each team by set and student, in alphabetical order; a student without a team is in no tuple."""

    by_set: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.by_set.values())

    def members(self, student: str, ps: str) -> tuple[str, ...]:
        """The members of a student's team in a set, the student among them; the student alone without a team."""
        return self.by_set.get(ps, {}).get(student, (student,))

    def are_mates(self, student: str, other: str, ps: str) -> bool:
        """Whether two students are in one team in a set."""
        return student != other and other in self.members(student, ps)


def read_teams(course: Path) -> Teams:
    """Return the teams of a course; none without a teams.csv.

    A line with a set counts for this set in place of the student's line without one; with an empty team the student works alone.

    Raises:
        UserError: the file is not such a table; the sentence names every wrong line, and every team of one member.
    """
    path = course / TEAMS
    if not path.exists():
        return Teams()
    rows, people = read_rows(path), read_roster(course)
    known = None if people is None else {person.id for person in people}
    wrong, lines = [], dict[tuple[str, str], int]()
    team_of: dict[tuple[str, str], str] = {}  # by student and set; "" for all sets
    for line, row in rows:
        student, team, ps = row[ID], one_line(row.get(TEAM, "")), row.get(SET, "")
        if TEAM not in row:
            wrong.append(f"line {line}: there is no column 'team'")
        elif ps and ps not in names():
            wrong.append(f"line {line}: {one_line(ps)!r} is no problem set: {', '.join(names())}, or an empty cell for all")
        elif known is not None and student not in known:
            wrong.append(f"line {line}: {one_line(student)!r} is not in roster.csv")
        elif (student, ps) in lines:
            wrong.append(f"line {line}: {one_line(student)!r} is also in line {lines[student, ps]}{' for ' + ps if ps else ''}")
        elif not team and not ps:
            wrong.append(f"line {line}: {one_line(student)!r} has no team: remove the line")
        else:
            lines[student, ps], team_of[student, ps] = line, team
    teams = {ps: _in_set(team_of, ps) for ps in names()}
    wrong += [] if wrong else _wrong_sizes(teams)
    if wrong:
        raise UserError(f"{path}: {'; '.join(dict.fromkeys(wrong))}")
    return Teams({ps: {student: members for members in of_set.values() for student in members} for ps, of_set in teams.items()})


def _in_set(team_of: Mapping[tuple[str, str], str], ps: str) -> dict[str, tuple[str, ...]]:
    """The members of each team in one set, by the team's name."""
    own = {student: team for (student, of), team in team_of.items() if not of}
    own |= {student: team for (student, of), team in team_of.items() if of == ps}
    members: dict[str, list[str]] = defaultdict(list)
    for student, team in sorted(own.items()):
        if team:
            members[team].append(student)
    return {team: tuple(students) for team, students in members.items()}


def _wrong_sizes(teams: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[str]:
    sentences = []
    for ps, of_set in teams.items():
        for team, members in of_set.items():
            if len(members) == 1:
                sentences.append(f"team {team!r} has one member in {ps}, {members[0]!r}: add the other one, or write the line "
                                 f"{members[0]},,{ps} for a student who works alone there")
            elif len(members) > MOST_MEMBERS:
                sentences.append(f"team {team!r} has {len(members)} members: at most {MOST_MEMBERS} make one team")
    return sentences
