"""Each student's own due date in each set: the class's, and what moves it.

    staff       `staff extend`, for one set
    standing    `more_days` in the roster, for every set
    share       `more_percent` in the roster, of the time between the day that a set is handed out and its due date
    team        the latest due date of the members holds for the hand-in of a team
    tokens      late-day tokens, which late hand-ins take by themselves

The gradebook has the sum as nbgrader's extension, so nbgrader's own commands and the late rule see it. `more_time.json` has the
parts. It is written first: a run that is killed between the two leaves a file that both states of the gradebook fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.apps.baseapp import NbGrader

from arena.errors import UserError
from arena.shipped import set_order
from autograder.gradebook.extension import waiting_extensions
from autograder.gradebook.hand_ins import folder_of, handed_in, time_of
from autograder.gradebook.policy.course_file import LateRule, Tokens, read_course_file
from autograder.gradebook.policy.more_time import MoreTime, hours_text, no_release, read_more_time, write_more_time
from autograder.gradebook.policy.roster_file import read_roster
from autograder.gradebook.policy.teams_file import read_teams
from autograder.log import log
from autograder.submission.gate import SUBMITTED

ACCOMMODATION, SPENT = "accommodation", "tokens"  # commands in the course's log


@dataclass(frozen=True)
class _Recorded:
    """What the gradebook has of one submission; times in UTC without a zone."""

    timestamp: datetime | None
    extension: timedelta | None


class DueDates:
    """The due dates of a course as its settings, roster, teams, hand-ins and gradebook make them now; it writes nothing.

    Raises:
        UserError: one of the course's tables or files cannot be used.
    """

    def __init__(self, course: Path, gradebook: Gradebook, *, other_rule: bool = False) -> None:
        """`other_rule`: the course has a late plugin of its own, whose penalties nobody knows before they are given."""
        self.course, self.file, self.teams = course, read_course_file(course), read_teams(course)
        people = read_roster(course) or ()
        self.standing = {person.id: hours for person in people if (hours := person.more_hours)}
        self.percent = {person.id: percent for person in people if (percent := person.more_percent)}
        self.rule = self.file.late or (LateRule(percent_per_day=1.0) if other_rule else None)
        self._gradebook = gradebook
        self._parts: dict[tuple[str, str], MoreTime] = {}
        self._spent: dict[str, dict[str, int]] = {}

    @property
    def tokens(self) -> Tokens | None:
        """The course's late-day tokens; None if it has none."""
        return self.file.tokens

    @property
    def changes_nothing(self) -> bool:
        """Whether nothing but `staff extend` can move a due date, now or at the last run."""
        return not (self.tokens or self.standing or self.percent or self.teams or any(self._before.values()))

    @cached_property
    def due(self) -> dict[str, datetime]:
        """The due date of the class in each set that has one, in UTC without a zone; the first one first."""
        of_gradebook = {assignment.name: assignment.duedate for assignment in self._gradebook.assignments}
        dates = {ps: due for ps in self.file.sets if (due := of_gradebook.get(ps) or self.file.due_in_utc(ps))}
        return dict(sorted(dates.items(), key=lambda item: (item[1], set_order(item[0]))))

    @cached_property
    def _recorded(self) -> dict[str, dict[str, _Recorded]]:
        rows = (self._gradebook.db.query(Assignment.name, SubmittedAssignment.student_id, SubmittedAssignment.timestamp,
                                         SubmittedAssignment.extension)
                .join(SubmittedAssignment, SubmittedAssignment.assignment_id == Assignment.id).all())
        recorded: dict[str, dict[str, _Recorded]] = {}
        for name, student, timestamp, extension in rows:
            recorded.setdefault(name, {})[student] = _Recorded(timestamp, extension)
        return recorded

    @cached_property
    def _before(self) -> dict[str, dict[str, tuple[MoreTime, frozenset[float]]]]:
        return {ps: read_more_time(self.course, ps) for ps in self.file.sets}

    @cached_property
    def _waiting(self) -> dict[str, dict[str, float]]:
        return {ps: waiting_extensions(self.course, ps) for ps in self.file.sets}

    def waiting(self, ps: str) -> Mapping[str, float]:
        """The hours of the extensions that wait for a first hand-in, by student."""
        return self._waiting.get(ps, {})

    def in_gradebook(self, student: str, ps: str) -> float | None:
        """The hours of the extension in the gradebook; None if it has no submission of the student."""
        known = self._recorded.get(ps, {}).get(student)
        return None if known is None else known.extension.total_seconds() / 3600 if known.extension else 0.0

    def counted(self, student: str, ps: str) -> MoreTime:
        """What counts in the gradebook since the last run over the set."""
        hours, known = self.in_gradebook(student, ps), self._before.get(ps, {}).get(student)
        if known is not None and (hours is None or _is_one_of(hours, known[1])):
            return known[0]
        return MoreTime(staff=hours or 0.0)

    def of(self, student: str, ps: str) -> MoreTime:
        """What moves the due date of a student in a set from the next run over the set on."""
        parts = self.of_without_tokens(student, ps)
        number = self.spent(student).get(ps, 0)
        return replace(parts, tokens=number, token_hours=self.tokens.hours) if number and self.tokens else parts

    def _own(self, student: str, ps: str) -> MoreTime:
        staff = self.waiting(ps).get(student, 0.0) if self.in_gradebook(student, ps) is None else (
            self.counted(student, ps).staff)
        return MoreTime(staff=staff, standing=self.standing.get(student, 0.0), share=self._share(student, ps))

    def _share(self, student: str, ps: str) -> float:
        """The hours that a student has more in proportion to the time of a set, rounded up to a whole hour."""
        if student not in self.percent or ps not in self.due:
            return 0.0
        released = self.file.released_in_utc(ps)
        if released is None:
            raise UserError(no_release(self.course, ps, student))
        time = max(self.due[ps] - released, timedelta())
        return float(-(-time * self.percent[student] / 100 // timedelta(hours=1)))

    def spent(self, student: str) -> Mapping[str, int]:
        """The tokens that a student's late hand-ins take, by set: the sets in the order of the class's due dates.

        A hand-in takes as few as give the smallest loss of points; none where the late rule would take as much with them.
        """
        if student not in self._spent:
            self._spent[student] = {}
            if self.tokens and self.rule:
                self._spent[student] = self._spend(student, self.tokens, self.rule)
        return self._spent[student]

    def _spend(self, student: str, tokens: Tokens, rule: LateRule) -> dict[str, int]:
        left, spent = tokens.each, dict[str, int]()
        for ps, due in self.due.items():
            time = self.handed_in_at(student, ps)
            if time is None or left == 0:
                continue
            late = time - due - timedelta(hours=self.of_without_tokens(student, ps).hours)
            losses = [rule.penalty(1.0, late - timedelta(hours=number * tokens.hours)) for number in range(left + 1)]
            number = losses.index(min(losses))
            spent |= {ps: number} if number else {}
            left -= number
        return spent

    def of_without_tokens(self, student: str, ps: str) -> MoreTime:
        """The same as `of`, for a hand-in that is on time: without tokens."""
        if (student, ps) not in self._parts:
            own = self._own(student, ps)
            latest = max(self._own(member, ps).hours for member in self.teams.members(student, ps))
            self._parts[student, ps] = replace(own, team=latest - own.hours)
        return self._parts[student, ps]

    def handed_in_at(self, student: str, ps: str) -> datetime | None:
        """When the work that counts for a student came, in UTC without a zone; None if that is not known."""
        if handed_in(self.course, student, ps, self.teams):
            return time_of(folder_of(self.course, student, ps, self.teams))
        known = self._recorded.get(ps, {}).get(student)
        return known.timestamp if known else None

    def students(self, ps: str) -> set[str]:
        """The students with work in a set: in submitted/, through their team, or in the gradebook."""
        there = {path.parent.name for path in (self.course / SUBMITTED).glob(f"*/{ps}/")}
        return there | {member for student in there for member in self.teams.members(student, ps)} | set(
            self._recorded.get(ps, {}))

    def everybody(self) -> set[str]:
        """The students of the roster, and those with work or an extension in any set."""
        people = {person.id for person in read_roster(self.course) or ()}
        return people.union(*(self.students(ps) | self.waiting(ps).keys() for ps in self.due))

    def date(self, ps: str) -> str:
        """The due date of the class, as text."""
        return _at(self.due[ps])

    def sentence(self, student: str, ps: str, parts: MoreTime, whom: str = "you") -> str:
        """The due date of the class and that of a student, with the reasons; "" without a due date."""
        due = self.due.get(ps)
        if due is None:
            return ""
        own = due + timedelta(hours=parts.hours)
        theirs = f", and {_at(own)} for {whom} ({parts.words()})" if parts.hours else ""
        return f"Due {_at(due)}{theirs}{self._late(student, ps, own)}."

    def _late(self, student: str, ps: str, own: datetime) -> str:
        time = self.handed_in_at(student, ps)
        if time is None or time <= own:
            return ""
        minutes = -(-(time - own) // timedelta(minutes=1))
        days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
        units = ((days, "day"), (hours, "hour"), (rest, "minute"))
        parts = [f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in units if number]
        return f"; handed in {' '.join(parts[:2])} after that"


def settle(course: Path, app: NbGrader, gradebook: Gradebook) -> tuple[dict[str, float], list[str]]:
    """Bring the gradebook's extensions of a set up to date with the roster, the teams and the tokens, and log what changed.

    Returns: by student, the hours for those who are recorded for the first time, whom the gradebook does not know yet; and
        sentences about other sets, whose tokens are others now.
    """
    ps = app.coursedir.assignment_id
    dates = DueDates(course, gradebook, other_rule=bool(app.config.AssignLatePenalties.get("plugin_class")))
    if dates.changes_nothing:
        return waiting_extensions(course, ps), []
    now = {student: dates.of(student, ps) for student in sorted(dates.students(ps))}
    before = {student: dates.counted(student, ps) for student in now}
    moved = {student: parts for student, parts in now.items()
             if not _same(parts, before[student]) or not _is_one_of(dates.in_gradebook(student, ps) or 0.0, {parts.hours})}
    for student, parts in moved.items():
        _log(course, ps, student, before[student], parts)
    noted = {student: (parts, dates.in_gradebook(student, ps) or 0.0) for student, parts in moved.items()
             if not parts.is_by_staff_alone or not before[student].is_by_staff_alone}
    if noted:
        write_more_time(course, ps, noted)
    for student, parts in moved.items():
        if dates.in_gradebook(student, ps) is not None:
            gradebook.grant_extension(ps, student, hours=parts.hours)
    first = {student: parts.hours for student, parts in now.items() if dates.in_gradebook(student, ps) is None and parts.hours}
    return waiting_extensions(course, ps) | first, list(_others(dates, ps, now))


def own_due_dates(dates: DueDates, ps: str) -> dict[str, str]:
    """Return a sentence for staff by student, of those whose due date in a set is not the class's; handed in or not."""
    everybody = sorted(dates.students(ps).union(dates.standing, dates.percent, dates.waiting(ps))) if ps in dates.due else []
    counted = {student: dates.of(student, ps) if dates.in_gradebook(student, ps) is None else dates.counted(student, ps)
               for student in everybody}
    return {student: dates.sentence(student, ps, parts, "this student") for student, parts in counted.items() if parts.hours}


def _others(dates: DueDates, ps: str, students: Iterable[str]) -> Iterable[str]:
    """Sentences about sets that were graded with other tokens than now."""
    for other in dates.due:
        changed = [student for student in students if other != ps and dates.in_gradebook(student, other) is not None
                   and dates.counted(student, other).tokens != dates.spent(student).get(other, 0)]
        if changed:
            yield (f"the late-day tokens of {', '.join(map(repr, changed))} in {other} are others now: "
                   f"grade {other} again")


def _log(course: Path, ps: str, student: str, before: MoreTime, now: MoreTime) -> None:
    if (before.standing, before.share, before.team) != (now.standing, now.share, now.team):
        log(course, ACCOMMODATION, ps=ps, student=student, standing_hours=now.standing, share_hours=now.share,
            team_hours=now.team, old_standing_hours=before.standing, old_share_hours=before.share, old_team_hours=before.team)
    if before.tokens != now.tokens:
        log(course, SPENT, ps=ps, student=student, tokens=now.tokens, old=before.tokens)


def tokens_text(tokens: Tokens | None, spent: Mapping[str, int]) -> str:
    """How many tokens a student has left: "Late-day tokens of 24 hours: 2 of 3 left (1 for ps2_uct)."; "" without tokens."""
    if tokens is None:
        return ""
    used = ", ".join(f"{number} for {ps}" for ps, number in spent.items() if number)
    left = tokens.each - sum(spent.values())
    return f"Late-day tokens of {hours_text(tokens.hours)}: {left} of {tokens.each} left{f' ({used})' if used else ''}."


def _same(one: MoreTime, other: MoreTime) -> bool:
    return _rounded(one) == _rounded(other)


def _rounded(parts: MoreTime) -> tuple[float, ...]:
    hours = parts.staff, parts.standing, parts.share, parts.team
    return *(round(part, 6) for part in hours), parts.tokens, parts.token_hours


def _is_one_of(hours: float, known: Iterable[float]) -> bool:
    return any(abs(hours - other) < 1e-6 for other in known)  # hours: a few milliseconds


def _at(moment: datetime) -> str:
    return f"{moment.replace(tzinfo=UTC):%Y-%m-%d %H:%M} UTC"
