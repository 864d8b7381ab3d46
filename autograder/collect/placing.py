"""What becomes of each member of a zip: a plan, made before anything is written. Each member has a row in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from arena.errors import UserError
from autograder.collect.archive import Member, is_junk, refusal
from autograder.collect.choosing import choose
from autograder.collect.people import Found, People
from autograder.collect.platforms import PLAIN, Handed, Platform, read_name, recognise
from autograder.collect.rows import IGNORED, LEFT_OVER, Plan, Row, one_line
from autograder.collect.times import Clock
from autograder.plain_text import plain_text
from autograder.problem_sets.source import names

_NO_END = "where the assignment's name ends and the user name begins is not clear: a roster.csv with a column username tells it"


def plan(members: Sequence[Member], people: People, ps: str | None, clock: Clock) -> Plan:
    """Decide on every member of a zip.

    Args:
        ps: the problem set; None: the one that the names of the files say.

    Raises:
        UserError: nothing is recognised, a roster is needed, or the set is not clear.
    """
    usual = [member.path for member in members if not is_junk(member.path) and refusal(member) is None]
    platform, around = recognise(usual)
    rows = [Row(member, member.path.removeprefix(around)) for member in members]
    _read(rows, platform, people)
    told = [row for row in rows if not row.outcome]
    if not told:
        more = "" if people.roster else "; files with ids in their names need a roster.csv"
        raise UserError(f"nothing in it is named as Canvas, Moodle or Blackboard name files, or lies in a student's folder{more}")
    _check_roster(platform, people, told)
    ps = _set_of((row.handed.file for row in told), ps)
    _find_students(told, platform, people)
    _find_set(told, platform, ps)
    clock.look_at([row.member.date for row in told if row.handed.file])
    submissions = [choose(student, mine, platform, ps, clock) for student, mine in _by_student(rows).items()]
    return Plan(platform, ps, rows, [one for one in submissions if one.files], clock.known or platform.titled)


def _read(rows: Sequence[Row], platform: Platform, people: People) -> None:
    """Set what each name says, and decide on members that are no student's."""
    last = {row.member.path: row for row in rows}
    for row in rows:
        if is_junk(row.member.path):
            row.end(IGNORED, "made by an operating system or an editor")
        elif why := refusal(row.member):
            row.end(LEFT_OVER, why)
        elif last[row.member.path] is not row:
            row.end(IGNORED, "the zip has a later file of the same name")
        elif row.path.endswith("/"):
            row.end(LEFT_OVER, "an empty folder")
        else:
            handed = _read_plain(row.path, people) if platform is PLAIN else read_name(platform, row.path)
            if handed is None:
                expected = "in no student's folder, and its name holds no id, or several" if platform is PLAIN else (
                    f"not named as {platform.name} names files")
                row.end(LEFT_OVER, expected)
            else:
                row.handed = handed


def _read_plain(path: str, people: People) -> Handed | None:
    """Read `<student>/...`, or a file with one id in its name: "ada_ps2_uct.ipynb" is ps2_uct.ipynb of ada."""
    folder, slash, rest = path.partition("/")
    if slash:
        return Handed(login=folder, file=rest)
    found = people.ids_in(path)
    if len(found) != 1:
        return None
    before, word, after = r"[\W_]*(?<![^\W_])", re.escape(found[0]), r"(?![^\W_])[\W_]*?(?=[^\W_]|\.[a-z]+$)"
    without = re.sub(before + word + after, "", path, flags=re.IGNORECASE)
    return Handed(login=found[0], file=without if PurePosixPath(without).suffix else path)


def _check_roster(platform: Platform, people: People, told: Sequence[Row]) -> None:
    """Raise UserError if nobody can be placed without a roster, or without its names."""
    if platform.roster and people.roster is None:
        raise UserError(f"{platform.name} writes names and not ids: put a roster.csv with the columns id, first_name and "
                        "last_name into the course")
    if platform.roster and not any(one.first_name or one.last_name or any(map(one.cell, platform.columns))
                                   for one in people.roster or ()):
        raise UserError(f"{platform.name} writes names and not ids, and roster.csv has none: it needs first_name and last_name, "
                        f"or {platform.columns[0]}")
    tops = {row.handed.login for row in told if "/" in row.path}
    below = {row.handed.file.partition("/")[0] for row in told if "/" in row.handed.file} - set(names())
    if people.roster is None and platform is PLAIN and len(tops) == 1 and len(below) > 1:
        raise UserError(f"{plain_text(next(iter(tops)))!r} may be a student, or a folder around the students' folders: put a "
                        "roster.csv with a column id into the course")


def sets_in(path: str) -> set[str]:
    """Return the problem sets that a path is called after; case, blanks and signs do not count."""
    plain = re.sub(r"[\W_]", "", path.casefold())
    return {name for name in names() if name.replace("_", "") in plain}


def _set_of(paths: Iterable[str], ps: str | None) -> str:
    """Return the set, if one is given; otherwise the one set that files are called after."""
    counts = Counter(name for path in paths for name in sets_in(path))
    if ps and counts and not counts[ps]:  # the wrong zip: its work would replace what stands in submitted/
        other, number = counts.most_common(1)[0]
        raise UserError(f"none of its files is called after {ps}, but {number} after {other}: collect it with --ps {other}")
    if ps:
        return ps
    if len(counts) == 1:
        return next(iter(counts))
    said = " and ".join(f"{name} ({number})" for name, number in counts.most_common())
    raise UserError(f"its files are called after {said or 'no problem set'}: say which it is, with --ps {min(counts or names())}")


def _find_students(told: Sequence[Row], platform: Platform, people: People) -> None:
    """Set the student of each row; two people of the platform who may be one student are left over, both."""
    logins = _logins(told, people) if platform.titled else {}
    who: dict[str, set[tuple[str, str, str]]] = {}
    for row in told:
        login = logins.get(row.handed.login, row.handed.login)
        found = people.find(platform, replace(row.handed, login=login)) if login or not row.handed.login else Found(why=_NO_END)
        row.student = found.student
        if found.student:
            who.setdefault(found.student, set()).add((row.handed.person, row.handed.number, row.handed.login))
        else:
            row.end(LEFT_OVER, found.why)
    for row in told:
        if len(who.get(row.student, ())) > 1:
            both = " and ".join(sorted(one_line(" ".join(one)) for one in who[row.student]))
            row.end(LEFT_OVER, f"{both} may both be {row.student!r} of roster.csv")


def _logins(told: Sequence[Row], people: People) -> dict[str, str]:
    """Return user names without the titles before them: what all have in common ends before them, and no _ is in them.

    With a roster, People tries all ends itself. Without one, a user name for which both rules differ is "".
    """
    if people.roster is not None:
        return {}
    logins = sorted({row.handed.login for row in told})
    common = 0
    while len(logins) > 1 and common < len(logins[0]) and logins[0][common] == logins[-1][common]:
        common += 1  # of sorted texts, what the first and the last have in common all have
    start = logins[0].rfind("_", 0, common) + 1
    return {one: one.rpartition("_")[2] if len(logins) == 1 or "_" not in one[start:] else "" for one in logins}


def _find_set(told: Sequence[Row], platform: Platform, ps: str) -> None:
    """Take away the folder of the set, <student>/<set>/...; in a plain zip there may be other sets beside it."""
    for row in told:
        folder, slash, rest = row.handed.file.partition("/")
        if slash and folder == ps:
            row.handed = replace(row.handed, file=rest)
        elif platform is PLAIN and slash and folder in names():
            row.end(IGNORED, f"of {folder}: collect it with --ps {folder}")


def _by_student(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        if not row.outcome:
            found.setdefault(row.student, []).append(row)
    return found
