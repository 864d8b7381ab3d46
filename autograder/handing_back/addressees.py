"""Whose page goes under which name. If a name may lead to anybody but its student, nobody gets this page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from arena.errors import UserError
from autograder.collect.archive import members_of, opened, settled
from autograder.collect.kept_names import KeptName, can_be_read, listed_names, names_in, read_names
from autograder.collect.people import People
from autograder.collect.placing import owners, plan
from autograder.collect.rows import Row
from autograder.collect.times import Clock, course_timezone
from autograder.gradebook.policy.roster_file import read_roster
from autograder.handing_back.uploads import Upload
from autograder.plain_text import one_line


@dataclass
class Addressees:
    """The students of a set whose hand-ins came from one platform.

    names: by student, the name of the file in the upload.    accounts: by student, the number or the user name on the platform.
    refused: by student, why no name can be used.    twice: sentences about students with several hand-ins.
    """

    names: dict[str, str] = field(default_factory=dict)
    accounts: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)


def addressees(course: Path, ps: str, upload: Upload, zips: Sequence[Path] = (), file: str = "") -> Addressees:
    """Find the name of each student's page, from what the collections kept and from downloads that are given again.

    Args:
        zips: downloads of this set; their names count more than older ones. Nothing of them is collected.
        file: how the page is called there; by default as the set.

    Raises:
        UserError: a zip cannot be used, or is of another platform; or collected/names.json or the roster cannot be read.
    """
    platform, people = upload.platform, People(read_roster(course))
    kept = read_names(course, ps)
    of_student = {student: [name for name in names if name.platform == platform.name] for student, names in kept.items()}
    for student, name in listed_names(course, ps, platform, people).items():
        if not of_student.get(student):
            of_student[student] = [name]
    for name_of in _names_of_zips(course, ps, upload, zips, people):
        for student, name in name_of.items():
            of_student[student] = [*(other for other in of_student.get(student, []) if other.account != name.account), name]
    found = Addressees(twice=_twice(kept, of_student))
    given = {student: names for student, names in of_student.items() if names}
    _check(found, given, upload, people, file or f"{ps}.html")
    return found


def _names_of_zips(course: Path, ps: str, upload: Upload, zips: Sequence[Path], people: People) -> list[dict[str, KeptName]]:
    """The names in downloads, the newest download last, as `collect` orders them."""
    dated = []
    with ExitStack() as open_zips:
        for path in zips:
            members = members_of(open_zips.enter_context(opened(path)), path)
            try:
                of_zip = plan(members, people, ps, Clock(course_timezone(course), datetime.now(UTC)))
            except UserError as error:
                raise UserError(f"{path.name}: {error}") from error
            if of_zip.platform is not upload.platform:
                raise UserError(f"{path.name} is no download of {upload.platform.name}: its names are {of_zip.platform.name}'s")
            dated.append((max(member.info.date_time for member in members), names_in(of_zip)))
    return [names for _, names in sorted(dated, key=lambda entry: entry[0])]


def _twice(kept: Mapping[str, Sequence[KeptName]], of_student: Mapping[str, Sequence[KeptName]]) -> list[str]:
    """Sentences about students who have handed in on several platforms, or under several numbers of one."""
    sentences, elsewhere = [], dict[str, list[str]]()
    for student, names in sorted(of_student.items()):
        others = sorted({name.platform for name in kept.get(student, ())} - {name.platform for name in names})
        if names and others:
            elsewhere.setdefault(" and ".join(others), []).append(student)
        if len(names) > 1:
            *earlier, last = (one_line(name.account) for name in names)
            sentences.append(f"{student}: several hand-ins on {names[-1].platform}: {', '.join(earlier)} and, later, {last}")
    return [*sentences, *(f"also handed in on {others}: {', '.join(students)}" for others, students in elsewhere.items())]


def _check(found: Addressees, of_student: Mapping[str, Sequence[KeptName]], upload: Upload, people: People, file: str) -> None:
    """Sort the students into those with a name, and those whose name cannot be used.

    The roster of today must lead from the name to the student, and so must the platform's own way to read it. A number that a
    person keeps in all assignments shows whether two hand-ins are one person's; of other accounts the last one counts.
    """
    lasting = upload.platform.lasting
    candidates = [(student, name) for student, names in sorted(of_student.items()) for name in (names if lasting else names[-1:])]
    rows = owners([name.beginning + file for _, name in candidates], upload.platform, people)
    accounts = Counter(name.account for _, name in candidates)
    places = Counter(settled(row.path) for row in rows)
    for (student, name), row in zip(candidates, rows, strict=True):
        reason = _other_owner(student, name, row, people) or _other_reading(name, row.path, upload)
        if not reason and (accounts[name.account] > 1 or places[settled(row.path)] > 1):
            reason = f"another student has the same name on {upload.platform.name}: {one_line(name.beginning)!r}"
        if reason:
            found.refused[student] = reason
        else:
            found.names[student], found.accounts[student] = row.path, name.account
    for student in found.names:  # of two accounts the roster has ruled out the other one
        found.refused.pop(student, None)


def _other_owner(student: str, name: KeptName, row: Row, people: People) -> str:
    """Why a name does not lead to its student; "" if it does."""
    if people.roster is None:  # then only a user name has placed the work, and it is the id, perhaps with a title before it
        own = name.account == student or name.account.endswith(f"_{student}")
        return "" if own else f"its name on the platform, {one_line(name.account)!r}, is another one"
    if row.outcome:  # also where two names lead to the student
        return row.why
    return "" if row.student == student else f"by the roster of today, {one_line(name.beginning)!r} is {row.student!r}"


def _other_reading(name: KeptName, path: str, upload: Upload) -> str:
    """Why the platform may give a file of this name to another account; "" if it does not."""
    title, shown = upload.platform.name, one_line(name.beginning)
    if upload.reads and (read := upload.reads(path)) != name.account:
        return f"{title} would read its name, {shown!r}, as " + (f"that of number {one_line(read)}" if read else "nobody's")
    if not can_be_read(upload.platform, path, name.account):
        return f"its name, {shown!r}, does not have the number {one_line(name.account)}"
    return ""


def without_name(sets: Mapping[str, str], upload: Upload, *, with_zip: bool) -> dict[str, str]:
    """Return the sentence about students whose name on the platform nobody knows.

    Args:
        sets: by student, the set that was handed in.    with_zip: whether a download can be given for it.
    """
    title = upload.platform.name
    what_to_do = {ps: f"{title}'s download again, or give it here too (ZIP=)" if with_zip else f"{title}'s download of {ps} again"
                  for ps in sets.values()}
    return {student: f"no name on {title} is known: collect {what_to_do[ps]}" for student, ps in sets.items()}
