"""Plan the outcome of each member of a zip, before anything is written. Each member has a row in the plan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from zipfile import ZipInfo

from arena.errors import UserError
from arena.shipped import set_order
from autograder.collect.archive import Member, is_junk, refusal
from autograder.collect.choosing import choose
from autograder.collect.people import Match, People
from autograder.collect.platforms import MOST_WAYS, PLAIN, Handed, Platform, readings, recognise
from autograder.collect.rows import IGNORED, LEFT_OVER, Plan, Row
from autograder.collect.times import Clock
from autograder.plain_text import one_line, plain_text
from autograder.problem_sets.source import names

_FEW = 10  # one person in this many may have named files after another set
_NO_END = "it is not clear where the assignment's name ends and the user name begins: add a roster.csv with a column username"


def plan(members: Sequence[Member], people: People, ps: str | None, clock: Clock) -> Plan:
    """Decide on every member of a zip.

    Args:
        ps: the problem set; None for the one in the names of the files.

    Raises:
        UserError: no name is recognised, a roster is needed, or the set is not clear.
    """
    usual = [member.path for member in members if not is_junk(member.path) and refusal(member) is None]
    platform, around = recognise(usual)
    rows = [Row(member, member.path.removeprefix(around)) for member in members]
    _read(rows, platform, people)
    named = [row for row in rows if not row.outcome]
    if not named:
        more = "" if people.roster else "; files with ids in their names need a roster.csv"
        raise UserError("none of its files has a name as Canvas, Moodle or Blackboard write it, and none is in a student's "
                        f"folder{more}")
    _check_roster(platform, people, named)
    ps = _set_of(named, ps)
    _find_students(named, platform, people)
    _find_set(named, platform, ps)
    clock.look_at([row.member.date for row in named if row.handed.file])
    submissions = [choose(student, mine, [row for row in named if student in row.perhaps], platform, ps, clock)
                   for student, mine in _by_student(rows).items()]
    with_files = [submission for submission in submissions if submission.files]
    return Plan(platform, ps, rows, with_files, clock.known or platform.titled)


def _read(rows: Sequence[Row], platform: Platform, people: People) -> None:
    """Set what each name says, and decide on members that do not belong to a student."""
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
            row.readings = _read_plain(row.path, people) if platform is PLAIN else readings(platform, row.path)
            if row.readings:
                row.handed = row.readings[0]
            else:
                why = f"not named as {platform.name} names files"
                row.end(LEFT_OVER, _unread(row.path, people) if platform is PLAIN else why)


def _read_plain(path: str, people: People) -> list[Handed]:
    """Read `<student>/...`, or a file with one id in its name: "ada_ps2_uct.ipynb" is ps2_uct.ipynb of ada."""
    folder, slash, rest = path.partition("/")
    if slash:
        return [Handed(login=folder, file=rest)]
    ids = people.ids_in(path)
    if len(ids) != 1:
        return []
    before, word, after = r"[\W_]*(?<![^\W_])", re.escape(ids[0]), r"(?![^\W_])[\W_]*?(?=[^\W_]|\.[a-z]+$)"
    without = re.sub(before + word + after, "", path, flags=re.IGNORECASE)
    return [Handed(login=ids[0], file=without if PurePosixPath(without).suffix else path)]


def _unread(path: str, people: People) -> str:
    ids = " and ".join(map(repr, people.ids_in(path)))
    return f"not in a student's folder, and its name contains {ids and f'several ids: {ids}' or 'no id'}"


def _check_roster(platform: Platform, people: People, named: Sequence[Row]) -> None:
    """Raise UserError if nobody can be placed without a roster, or without its names."""
    if platform.roster and people.roster is None:
        raise UserError(f"{platform.name} writes names and not ids: put a roster.csv with the columns id, first_name and "
                        "last_name into the course")
    if platform.roster and not any(person.first_name or person.last_name or any(map(person.cell, platform.columns))
                                   for person in people.roster or ()):
        raise UserError(f"{platform.name} writes names and not ids, and roster.csv has none: it needs first_name and last_name, "
                        f"or {platform.columns[0]}")
    tops = {row.handed.login for row in named if "/" in row.path}
    below = {row.handed.file.partition("/")[0] for row in named if "/" in row.handed.file} - set(names())
    if people.roster is None and platform is PLAIN and len(tops) == 1 and len(below) > 1:
        raise UserError(f"{plain_text(next(iter(tops)))!r} may be a student, or a folder around the students' folders: put a "
                        "roster.csv with a column id into the course")


def sets_in(path: str) -> set[str]:
    """Return the problem sets whose names are in a path; case, blanks and punctuation do not count."""
    plain = re.sub(r"[\W_]", "", path.casefold())
    return {name for name in names() if name.replace("_", "") in plain}


def _set_of(named: Iterable[Row], ps: str | None) -> str:
    """Return the set, if one is given; otherwise the one in the names of the files. One odd file decides nothing."""
    sets: dict[tuple[str, str, str], set[str]] = {}
    for row in named:
        sets.setdefault(row.handed.who, set()).update(sets_in(row.handed.file))
    counts = Counter(name for of_person in sets.values() for name in of_person)
    (most, number), *others = counts.most_common() or [("", 0)]
    if ps and most and not counts[ps] and 2 * number >= len(sets):  # the wrong zip, which would replace what is in submitted/
        raise UserError(f"no file name in it contains {ps}, but {number} contain {most}: collect it with --ps {most}")
    if ps:
        return ps
    if most and all(_FEW * other <= len(sets) for _, other in others):
        return most
    both = " and ".join(f"{name} ({number})" for name, number in counts.most_common())
    one = min(counts or names(), key=set_order)
    raise UserError(f"its file names contain {both or 'no problem set'}: give the set, such as --ps {one}")


def owners(paths: Sequence[str], platform: Platform, people: People) -> list[Row]:
    """Find the students of names alone, as in a download that has exactly these members; a row without a student says why."""
    rows = [Row(Member(ZipInfo(path), path, None), path, readings(platform, path)) for path in paths]
    for row in rows:
        if row.readings:
            row.handed = row.readings[0]
        else:
            row.end(LEFT_OVER, f"not named as {platform.name} names files")
    _find_students([row for row in rows if row.readings], platform, people)
    return rows


def _find_students(named: Sequence[Row], platform: Platform, people: People) -> None:
    """Set the student of each row. Work of one of two students is left over, and so is that of two people for one student."""
    clear = [row.readings[0] for row in named if len(row.readings) == 1]
    logins = _logins(clear, people) if platform.titled else {}
    numbers_count = people.numbers_count(platform, clear)
    who: dict[str, set[tuple[str, str, str]]] = {}
    for row in named:
        if len(row.readings) >= MOST_WAYS:
            row.end(LEFT_OVER, f"its name can be read in {MOST_WAYS} ways or more, so it is not given to anybody")
            continue
        ways: dict[tuple[object, str], tuple[Handed, Match]] = {}
        for handed in _possible(row.readings, clear):
            login = logins.get(handed.login, handed.login)
            known = login or not handed.login
            match = people.find(platform, replace(handed, login=login), numbers_count) if known else Match(why=_NO_END)
            ways.setdefault((match.student or handed.who, handed.file), (handed, match))
        row.handed, match = next(iter(ways.values()))
        row.perhaps = frozenset(possible.student for _, possible in ways.values() if possible.student)
        if len(ways) > 1 and row.perhaps:
            row.end(LEFT_OVER, _two_ways(ways.values()))
        elif not match.student:
            row.end(LEFT_OVER, match.why)
        else:
            row.student = match.student
            who.setdefault(match.student, set()).add(row.handed.who)
    for row in named:
        if len(who.get(row.student, ())) > 1:
            both = " and ".join(sorted(one_line(" ".join(parts)) for parts in who[row.student]))
            row.end(LEFT_OVER, f"{both} may both be {row.student!r} of roster.csv")


def _possible(ways: Sequence[Handed], clear: Sequence[Handed]) -> Sequence[Handed]:
    """Return the readings of a name that the names with one reading alone do not rule out.

    Uploads are numbered in one sequence for the whole platform, so those of one assignment are near each other: 20261005 in
    "lovelaceada_11_213450123_20261005_tree.png" is a date. A student chooses neither number, so nobody can move these bounds.
    """
    if len(ways) == 1:
        return ways
    orders = [int(handed.order) for handed in clear if handed.order]
    least, most = (min(orders) // 2 - 100, max(orders) * 2 + 100) if orders else (0, 10**18)
    return [handed for handed in ways if not handed.order or least <= int(handed.order) <= most] or ways


def _two_ways(ways: Iterable[tuple[Handed, Match]]) -> str:
    meanings = [f"{repr(plain_text(handed.file)) if handed.file else 'a text'} of "
                + (repr(match.student) if match.student else f"{plain_text(handed.person or handed.login)!r}"
                   + (f" (number {handed.number})" if handed.number else "")) for handed, match in ways]
    return one_line(f"its name can be read in two ways, so it is not given to anybody: {' or '.join(meanings[:3])}")


def _logins(clear: Sequence[Handed], people: People) -> dict[str, str]:
    """Return user names without the titles before them. The common beginning of all ends before them, and no _ is in them.

    With a roster, People tries all endings itself. Without one, a user name for which both rules differ is "".
    """
    if people.roster is not None:
        return {}
    logins = sorted({handed.login for handed in clear})
    common = 0
    while len(logins) > 1 and common < len(logins[0]) and logins[0][common] == logins[-1][common]:
        common += 1  # of sorted texts, what the first and the last have in common all have
    start = logins[0].rfind("_", 0, common) + 1 if logins else 0
    return {login: login.rpartition("_")[2] if len(logins) == 1 or "_" not in login[start:] else "" for login in logins}


def _find_set(named: Sequence[Row], platform: Platform, ps: str) -> None:
    """Remove the folder of the set, <student>/<set>/...; in a plain zip there may be other sets beside it."""
    for row in named:
        folder, slash, rest = row.handed.file.partition("/")
        if slash and folder == ps:
            row.handed = replace(row.handed, file=rest)
        elif platform is PLAIN and slash and folder in names():
            row.end(IGNORED, f"part of {folder}: collect it with --ps {folder}")


def _by_student(rows: Iterable[Row]) -> dict[str, list[Row]]:
    by_student: dict[str, list[Row]] = {}
    for row in rows:
        if not row.outcome:
            by_student.setdefault(row.student, []).append(row)
    return by_student
