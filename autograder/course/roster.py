"""The submissions of a course folder, and remarks about irregular folders."""

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from arena.shipped import set_order
from autograder.course.misplaced import misplaced
from autograder.course.odd_names import odd_names
from autograder.gradebook.policy.course_file import COURSE_FILE, read_course_file
from autograder.gradebook.policy.exemptions import read_exempt
from autograder.gradebook.policy.more_time import check_shares
from autograder.gradebook.policy.roster_file import ROSTER, read_roster
from autograder.gradebook.policy.teams_file import read_teams
from autograder.problem_sets.source import check_known, names
from autograder.submission.discover import Entry
from autograder.submission.gate import TIMESTAMP, is_students_own


@dataclass(frozen=True)
class SubmissionList:
    """The submissions of one problem set in alphabetical order, and sentences for staff.

    Each member of a team has an entry with the folder of the hand-in that counts for the team.

    missing: the students of the roster without a submission who must do the set; None without a roster.
    teams: of those that have handed in, the members, and whose hand-in counts.
    """

    entries: tuple[Entry, ...]
    remarks: tuple[str, ...]
    missing: tuple[str, ...] | None = None
    teams: tuple[tuple[tuple[str, ...], str], ...] = ()

    @property
    def works(self) -> tuple[Entry, ...]:
        """Each hand-in once: of a team, that of the member who has handed it in."""
        return tuple(entry for entry in self.entries if entry.folder.parent.name == entry.student)


def list_submissions(course: Path, ps: str) -> SubmissionList:
    """Find `submitted/<student>/<ps>/` in a course folder; links are not followed.

    Raises:
        UserError: the folder is not a course, or no student has handed in this problem set.
    """
    check_course(course, ps)
    submitted = course / "submitted"
    entries: list[Entry] = []
    remarks: list[str] = []
    for folder in sorted(submitted.iterdir(), key=lambda path: os.fsencode(path.name)):
        try:
            refusal = _refusal(folder) or _work_refusal(folder, ps)
            if refusal is None and (folder / ps).is_dir() and not folder.name.startswith("."):
                entries.append(Entry(folder.name, folder / ps))
            remarks += misplaced(folder, ps, names()) if refusal is None else ()
            if is_students_own(folder / ps, TIMESTAMP):
                remarks.append(f"{folder.name!r}: timestamp.txt belongs to the student's account and was ignored: collect "
                               "the work with `nbgrader collect`, or write the file yourself")
        except OSError as error:  # a folder without permission costs only its own submission
            refusal = f"{folder.name!r}: this folder could not be read ({error.strerror}); correct its permissions to grade it"
        remarks += [refusal] if refusal else []
    check_shares(course)
    entries, teams, of_teams = _with_teams(course, ps, entries)
    remarks += of_teams
    present, people = [entry.student for entry in entries], read_roster(course)
    roster = None if people is None else tuple(person.id for person in people)
    remarks += odd_names(present, roster or ())
    missing = None if roster is None else tuple(sorted(set(roster) - set(present) - read_exempt(course, ps).keys()))
    remarks += [] if roster is None else _unknown(roster, present)
    remarks += [missing_remark(missing)] if missing else []
    if not entries:
        raise UserError(_nobody(submitted, ps, remarks))
    return SubmissionList(tuple(entries), tuple(remarks), missing, teams)


def _with_teams(
    course: Path, ps: str, entries: list[Entry]
) -> tuple[list[Entry], tuple[tuple[tuple[str, ...], str], ...], list[str]]:
    """Return the submissions with one for each member of a team, all with the folder of the hand-in that counts.

    Returns also the teams, see `SubmissionList`, and remarks.
    """
    teams = read_teams(course)
    if not teams:
        return entries, (), []
    from autograder.gradebook.hand_ins import folder_of, handed_in  # imported late: it imports nbgrader

    own = {entry.student for entry in entries}
    everybody = sorted({member for student in own for member in teams.members(student, ps)}, key=os.fsencode)
    made, there, remarks = [], [], []
    for student in everybody:
        made.append(Entry(student, folder_of(course, student, ps, teams)))
        team, counts = teams.members(student, ps), made[-1].folder.parent.name
        if len(team) == 1 or student != team[0]:
            continue
        there.append((team, counts))
        if len(several := handed_in(course, student, ps, teams)) > 1:
            remarks.append(f"{' and '.join(map(repr, several))} are a team, and each has handed in: the last hand-in counts for "
                           f"all of them, that of {counts!r}")
    return made, tuple(there), remarks


def handed_in(course: Path) -> list[str]:
    """Return the problem sets that at least one student has handed in, in alphabetical order.

    Raises:
        UserError: the folder is not a course.
    """
    check_course(course)
    return [ps for ps in names() if any((course / "submitted").glob(f"*/{ps}/"))]


def sets_handed_in(course: Path) -> list[str]:
    """Return the course's sets that at least one student has handed in, in alphabetical order.

    Raises:
        UserError: the folder is not a course, or none of its sets was handed in; the sentence says what to do.
    """
    present = handed_in(course)
    sets = [name for name in present if name in read_course_file(course).sets]
    if not present:
        raise UserError(nothing_handed_in(course))
    if not sets:
        raise UserError(f"{course}/course.toml names no set that was handed in ({', '.join(present)}): correct its sets")
    return sets


def set_meant(course: Path, ps: str | None) -> str:
    """Return the problem set that a command about a course is for: the one that is named, or the only one.

    A set that the course has, and that nobody has handed in yet, counts too: a student may be ill before it is due.

    Raises:
        UserError: no such problem set, the folder is not a course, or the course has several sets.
    """
    if ps is not None:
        check_known(ps)
        return ps
    there, named = handed_in(course), read_course_file(course).sets
    sets = sorted({*there, *(named if (course / COURSE_FILE).is_file() else ())}, key=set_order) or named
    if len(sets) != 1:
        raise UserError(f"{course} has {len(sets)} problem sets: say which one with --ps {'|'.join(sets)}")
    return sets[0]


def check_handed_in(course: Path, students: Collection[str], sets: Collection[str]) -> None:
    """Check that each of these students has a submission of one of these problem sets.

    Raises:
        UserError: as `list_submissions`; or a student has none, and the sentence names all who have none.
    """
    unknown = sorted(set(students) - {entry.student for ps in sets for entry in list_submissions(course, ps).entries})
    if unknown:
        raise UserError(f"no student with this name has handed in {' or '.join(sets)}: {', '.join(map(repr, unknown))}")


def _nobody(submitted: Path, ps: str, remarks: list[str]) -> str:
    """Return a sentence: nobody has handed in a set, and what is there instead."""
    others = [other for other in handed_in(submitted.parent) if other != ps]
    there = (f"; there are submissions of {', '.join(others)}" if others
             else "; put the submissions there, and run the same command again")
    return "; ".join([f"nobody has handed in {ps}: {submitted} has no folder <student>/{ps}/{there}", *remarks[:3]])


def nothing_handed_in(course: Path) -> str:
    """Return a sentence: a course has no submissions of any set, what is there instead, and what to do."""
    odd = [remark for place in sorted((course / "submitted").iterdir()) for remark in _odd(place)]
    advice = (f"nobody has handed in anything yet: put the submissions into {course / 'submitted'}/<student>/<set>/, "
              "and run the same command again")
    return "; ".join([advice, *odd[:3]])


def _odd(place: Path) -> list[str]:
    try:
        return list(misplaced(place, None, names()))
    except OSError:
        return []


def check_course(course: Path, ps: str = "<ps>") -> None:
    """Raise UserError if a folder is not a course, before anything is written into it."""
    if not course.is_dir():
        raise UserError(f"no such course folder: {course}")
    if not (course / "submitted").is_dir():
        raise UserError(f"{course} is not a course folder: it has no folder 'submitted' (submitted/<student>/{ps}/)")


def check_gradebook(course: Path, advice: str = "grade the class first") -> None:
    """Raise UserError if a course has no gradebook yet; `advice` says what makes one."""
    if not (course / "nbgrader_config.py").exists():
        raise UserError(f"{course} has no gradebook yet: {advice}")


def check_student(course: Path, ps: str, student: str) -> None:
    """Raise UserError if neither the roster nor `submitted/` knows a student."""
    people = read_roster(course)
    if (course / "submitted" / student / ps).is_dir() or student in {person.id for person in people or ()}:
        return
    if len(read_teams(course).members(student, ps)) > 1:
        return
    why = f"and is not in {ROSTER}" if people is not None else f"and the course has no {ROSTER} of those who will hand in"
    raise UserError(f"{student!r} has no folder with {ps} in {course}/submitted, {why}: correct the name")


def _refusal(folder: Path) -> str | None:
    """The reason why an entry of `submitted/` cannot be a student's folder, as a sentence; None if it can."""
    try:
        folder.name.encode("utf-8")
    except UnicodeEncodeError:
        return f"{folder.name!r}: this folder name is not UTF-8 text; rename it to grade it"
    if folder.is_symlink():
        return f"{folder.name!r} is a link and was not followed"
    if not folder.name.isprintable():
        return f"{folder.name!r}: this folder name contains control characters; rename it to grade it"
    return None


def _work_refusal(folder: Path, ps: str) -> str | None:
    return f"{folder.name!r}: {ps} is a link and was not followed" if (folder / ps).is_symlink() else None


def _unknown(roster: tuple[str, ...], present: list[str]) -> list[str]:
    return [f"{student!r} is not in roster.csv, but was graded" for student in sorted(set(present) - set(roster))]


def missing_remark(missing: tuple[str, ...]) -> str:
    """Return the sentence about the students of the roster who have not handed in."""
    return f"no submission from {', '.join(map(repr, missing))}"
