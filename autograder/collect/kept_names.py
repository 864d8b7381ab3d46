"""The names that a platform gave to the hand-ins of a course. They are kept, because feedback goes back under the same names.

Each collection writes them to collected/names.json. A course that was collected before this file existed has only the lists of
its downloads, collected/<zip>.csv, in which a name may have been made harmless for a spreadsheet; see `listed_names`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from arena.errors import UserError
from autograder.collect.people import People
from autograder.collect.placing import owners
from autograder.collect.platforms import PLAIN, Handed, Platform, readings, recognise
from autograder.collect.rows import PLACED, UNCHANGED, WORK, Plan, Submission
from autograder.csv_text import FORMULA_STARTS, read_table
from autograder.json_files import read_decisions, write_decisions
from autograder.log import read_log

FILE = Path("collected", "names.json")


@dataclass(frozen=True)
class KeptName:
    """How a platform named one hand-in.

    platform: its name, such as "Canvas".
    beginning: the platform's own part of the name, as it was in the download; the path that the student chose followed.
    account: whose the hand-in is on the platform: the person's number, on Blackboard the user name.
    """

    platform: str
    beginning: str
    account: str


def names_in(plan: Plan) -> dict[str, KeptName]:
    """Return the names of a download's hand-ins by student; none for a plain zip, which no platform named."""
    if plan.platform is PLAIN:
        return {}
    return {submission.student: _name(plan, submission) for submission in plan.submissions}


def _name(plan: Plan, submission: Submission) -> KeptName:
    """The name of the notebook or module; of another file if there is neither."""
    row = min(submission.files.values(), key=lambda row: not row.handed.file.endswith(WORK))
    beginning = row.path.removesuffix(row.handed.file).removesuffix(f"{plan.ps}/")  # a folder of the set is the student's
    return KeptName(plan.platform.name, beginning, _account(row.handed))


def _account(handed: Handed) -> str:
    return handed.number or handed.login


def read_names(course: Path, ps: str) -> dict[str, list[KeptName]]:
    """Return the names that were kept for a problem set, by student; of several hand-ins the one that counts is the last.

    Raises:
        UserError: the file cannot be read.
    """
    of_set = read_decisions(course / FILE).get(ps, {})
    try:
        return {student: [KeptName(**name) for name in names] for student, names in of_set.items()}
    except TypeError as error:
        raise UserError(f"{course / FILE} cannot be read ({error}): remove it, and collect the downloads again") from error


def keep_names(course: Path, plan: Plan) -> None:
    """Keep the names of the hand-ins that a collection has placed, or that were there already."""
    names, kept = names_in(plan), read_names(course, plan.ps)
    for submission in plan.submissions:
        outcomes = {row.outcome for row in submission.files.values()}
        if submission.student in names and outcomes & {PLACED, UNCHANGED}:
            before = kept.get(submission.student, [])
            kept[submission.student] = _with(before, names[submission.student], PLACED in outcomes)
    if names:
        content = {student: [asdict(name) for name in of_student] for student, of_student in kept.items()}
        write_decisions(course / FILE, {**read_decisions(course / FILE), plan.ps: content})


def _with(before: Sequence[KeptName], name: KeptName, counts: bool) -> list[KeptName]:
    """The names with another one. An account has one name; work that was not placed does not become the last.

    Args:
        counts: whether the work was placed.
    """
    others = [other for other in before if (other.platform, other.account) != (name.platform, name.account)]
    if counts or not others:
        return [*others, name]
    if len(others) == len(before):
        return [name, *others]
    return [name if (other.platform, other.account) == (name.platform, name.account) else other for other in before]


def listed_names(course: Path, ps: str, platform: Platform, people: People) -> dict[str, KeptName]:
    """Return the names of hand-ins from the lists of an older version, by student.

    A name counts only if it leads to the student of its line, and if nothing in it can have been changed for the list.
    """
    found: dict[str, KeptName] = {}
    for table in _lists(course, ps, platform):
        rows = read_table(table)
        _, around = recognise([row.get("file", "") for row in rows])
        placed = [row for row in rows if row.get("outcome") in (PLACED, UNCHANGED) and row.get("platform") == platform.name]
        placed.sort(key=lambda row: not row["file"].endswith(WORK))  # the notebook's own name first
        paths = [row["file"].removeprefix(around) for row in placed]
        names: dict[str, KeptName] = {}
        for row, owner in zip(placed, owners(paths, platform, people), strict=True):
            beginning = owner.path.removesuffix(owner.handed.file)
            if owner.student == row["student"] and not _may_be_changed(beginning):
                names.setdefault(owner.student, KeptName(platform.name, beginning, _account(owner.handed)))
        found |= names
    return found


def _lists(course: Path, ps: str, platform: Platform) -> Iterator[Path]:
    """The lists of a set's downloads, the first one first. The list of a later download replaced an earlier one of its name."""
    last: dict[str, dict[str, Any]] = {}
    for entry in read_log(course, "collect"):
        stem = Path(str(entry.get("zip", ""))).stem
        name = Path(str(entry.get("list") or (stem and f"{stem}.csv"))).name  # an older version named no list
        last.pop(name, None)
        last[name] = entry
    for name, entry in last.items():
        if name and entry.get("ps") == ps and entry.get("platform") == platform.name:
            yield course / FILE.parent / name


def _may_be_changed(beginning: str) -> bool:
    """Whether a list may show this name in another form: with a sign for what is invisible, or an apostrophe before a formula."""
    return "\ufffd" in beginning or any(f"'{start}" in beginning for start in FORMULA_STARTS)


def can_be_read(platform: Platform, name: str, account: str) -> bool:
    """Whether one way to read a name leads to this account."""
    return account in {_account(handed) for handed in readings(platform, name)}
