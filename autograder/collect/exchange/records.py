"""The hand-ins in the folder `inbound` of nbgrader's exchange: the student and the time of each.

Everybody may write there, under any name: `<user name>+<set>+<time>+<random letters>`. So only what the kernel records counts:
the owner of a folder, and the time of the last change of its content.
"""

from __future__ import annotations

import os
import pwd
import stat
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from nbgrader.utils import parse_utc

from autograder.plain_text import one_line
from autograder.problem_sets.source import facts_of
from autograder.submission.discover import file_names
from autograder.submission.gate import Refused, Rules, held, kind_of, take

MOST_RECORDS = 100  # of one student and set that are opened; the others are named
MOST_LINES = 100  # about hand-ins of one owner that are not collected


@dataclass(frozen=True)
class Record:
    """A hand-in that may be collected.

    name: of its folder in `inbound`. owner: the user id of the folder. time_ns: by the kernel's clock. rules: what may be taken
    from it. claimed_s: the time in its name, in seconds since 1970; it counts for nothing. noted: for staff, or "".
    """

    name: str
    student: str
    owner: int
    time_ns: int
    rules: Rules
    claimed_s: float
    noted: str = ""


@dataclass
class Inbound:
    """All hand-ins of one set: by student, the latest first, and a line for each that cannot be collected."""

    records: dict[str, list[Record]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Looking:
    """What to look for.

    students: a pattern of user names. trusted: user ids whose folders may be anybody's. by_owner: whether a folder counts only
    if it belongs to the student of its name. ignored: patterns of files to pass over.
    """

    ps: str
    students: str
    trusted: frozenset[int]
    by_owner: bool
    ignored: Sequence[str]


def look_through(inbound: int, looking: Looking) -> Inbound:
    """Judge every folder of a set in the open folder `inbound`; one that cannot be judged affects no other."""
    lines = defaultdict[int, list[str]](list)
    names: dict[int, set[str]] = defaultdict(set)
    claims: dict[int, list[tuple[str, str, float, os.stat_result]]] = defaultdict(list)
    for name in sorted(os.listdir(inbound), key=os.fsencode):
        owner = -1
        try:
            claimed = claim(name, looking.ps)
            if claimed is None or not fnmatchcase(claimed[0], looking.students):
                continue
            with held(name, inbound) as folder:
                status = os.fstat(folder)
            owner = status.st_uid
            if not stat.S_ISDIR(status.st_mode):
                raise Refused(f"it is {kind_of(status)}, not a folder")
            _check_owner(claimed[0], owner, looking)
            claims[owner].append((name, *claimed, status))
            names[owner] |= {claimed[0], *_names_of(owner)}
        except (Refused, OSError) as error:
            lines[owner].append(_line(name, error))
    records = defaultdict[str, list[Record]](list)
    for owner, mine in claims.items():
        if looking.by_owner and owner not in looking.trusted and len(names[owner]) > 1:
            both = " and ".join(sorted(names[owner]))
            why = f"user id {owner} has the names {both}, so it is not clear whose it is"
            lines[owner] += [_line(name, why) for name, *_ in mine]
            continue
        for student in sorted({student for _, student, _, _ in mine}):
            his = sorted((entry for entry in mine if entry[1] == student), key=lambda entry: entry[3].st_ctime_ns, reverse=True)
            lines[owner] += [_line(name, f"more than {MOST_RECORDS} hand-ins of one student: only the latest are opened")
                             for name, *_ in his[MOST_RECORDS:]]
            for name, _, claimed_s, status in his[:MOST_RECORDS]:
                try:
                    records[student].append(_record(inbound, name, student, claimed_s, status.st_uid, looking))
                except (Refused, OSError) as error:
                    lines[owner].append(_line(name, error))
    return Inbound({student: sorted(his, key=lambda record: record.time_ns, reverse=True)
                    for student, his in sorted(records.items())}, list(_not_too_many(lines)))


def claim(name: str, ps: str) -> tuple[str, float] | None:
    """Return the user name and the time that a folder's name claims; None if it is another set's.

    Raises:
        Refused: the name does not have nbgrader's form, can be read in two ways, or has no time in it.
    """
    pieces = name.split("+")
    readings = [("+".join(pieces[:place]), pieces[place + 1]) for place in range(1, len(pieces) - 1)
                if pieces[place] == ps and len(pieces) - place in (2, 3)]
    if len(pieces) < 3 or (ps in pieces[1:] and not readings):
        raise Refused("its name is not <user name>+<set>+<time>+<letters>")
    if not readings:
        return None
    if len(readings) > 1:
        raise Refused(f"its name can be read as a hand-in of {' or '.join(repr(one_line(student)) for student, _ in readings)}")
    student, time = readings[0]
    if not student or student.startswith(".") or "/" in student or not student.isprintable() or set(student) & set('<>"'):
        raise Refused("its name does not begin with a user name")
    try:
        return student, (parse_utc(time) - _EPOCH).total_seconds()
    except Exception as error:  # dateutil raises ValueError, OverflowError, decimal.InvalidOperation and others
        raise Refused("its name has no time that can be read") from error


_NOBODY = -1  # not a user id: every file is judged as if root or the grader owned it
_EPOCH = parse_utc("1970-01-01 00:00:00 UTC")


def _check_owner(student: str, owner: int, looking: Looking) -> None:
    """Raise Refused if a folder in a student's name belongs to another; root and the grader may put in folders for students."""
    if not looking.by_owner or owner in looking.trusted:
        return
    try:
        account = pwd.getpwnam(student).pw_uid
    except KeyError:
        raise Refused(f"it belongs to {account_of(owner)}, and no account is called {one_line(student)!r}") from None
    if account != owner:
        raise Refused(f"it belongs to {account_of(owner)}, not to {one_line(student)!r}")


def account_of(owner: int) -> str:
    """Return an account's name in quotes, or its number if it has no name."""
    return next((repr(name) for name in _names_of(owner)), f"user id {owner}, which has no account")


def _names_of(owner: int) -> set[str]:
    """The name of a user id in the system's list; if it has several, the first."""
    try:
        return {pwd.getpwuid(owner).pw_name}
    except KeyError:
        return set()


def _record(inbound: int, name: str, student: str, claimed_s: float, owner: int, looking: Looking) -> Record:
    """Look into a folder, without copying anything."""
    put_in = owner in looking.trusted and student not in _names_of(owner)
    asked = (*file_names(looking.ps).values(), *facts_of(looking.ps).beside)
    rules = Rules(_NOBODY if put_in else owner, looking.trusted, asked, looking.ignored)
    with held(name, inbound) as folder:
        if os.fstat(folder).st_uid != owner:
            raise Refused("it was replaced by another folder while it was looked at")
        time_ns = take(folder, rules).time_ns
    return Record(name, student, owner, time_ns, rules, claimed_s, f"put in by {account_of(owner)}" if put_in else "")


def _line(name: str, why: object) -> str:
    reason = why.strerror if isinstance(why, OSError) and why.strerror else str(why)
    return f"not collected: {one_line(name)}: {reason}"


def _not_too_many(lines: dict[int, list[str]]) -> Iterator[str]:
    for owner, of_owner in lines.items():
        yield from of_owner[:MOST_LINES]
        if len(of_owner) > MOST_LINES:
            yield f"not collected: {len(of_owner) - MOST_LINES} more folders of {account_of(owner)}"
