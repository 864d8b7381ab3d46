"""Choose the files of a student that count, and the names under which the grader finds them."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from autograder.collect.archive import refused_name, settled
from autograder.collect.platforms import Platform
from autograder.collect.rows import IGNORED, LEFT_OVER, WORK, Row, Submission
from autograder.collect.times import Clock
from autograder.problem_sets.source import facts_of
from autograder.submission.discover import file_names


def choose(student: str, rows: list[Row], unclear: list[Row], platform: Platform, ps: str, clock: Clock) -> Submission:
    """Choose the files of one student that count.

    Args:
        unclear: files that may be this student's or another student's, so they count for neither.
    """
    last = max(row.handed.time for row in rows)
    newest = clock.time(last, None)
    for row in rows:
        if row.handed.time < last:
            this = clock.time(row.handed.time, None)
            if row.handed.file and this and newest and this.later > newest.earlier:
                row.end(LEFT_OVER, "the clocks were changed between this attempt and the last one: nobody knows which was later")
            row.end(IGNORED, "an earlier attempt; the last one counts")
    left = [row for row in rows if not row.outcome]
    typed = [row for row in left if not row.handed.file]
    for row in typed:
        alone = len(typed) == len(left)
        row.end(LEFT_OVER if alone else IGNORED, f"a text on {platform.name} itself" + (", and no file" if alone else ""))
    asked = {*file_names(ps).values(), *facts_of(ps).beside}
    files: dict[str, Row] = {}
    for row in sorted((row for row in left if row.handed.file), key=_upload):
        path = "/".join(part for part in row.handed.file.split("/") if part not in ("", "."))
        if why := refused_name(path):
            row.end(LEFT_OVER, why)
            continue
        name = _asked_name(path, asked, platform)
        before = files.get(name)
        if before is not None and not platform.versions:
            before.end(LEFT_OVER, f"another file would have the same name {name!r}")
            row.end(LEFT_OVER, before.why)
        elif before is not None:
            before.end(IGNORED, f"an earlier upload of {name}; the last one counts")
        files[name] = row
    _leave_clashes(files)
    files = {path: row for path, row in files.items() if not row.outcome}
    if not any(map(_is_work, files)) and any(row.outcome == LEFT_OVER and _is_work(row.handed.file) for row in (*rows, *unclear)):
        for row in files.values():
            row.end(LEFT_OVER, "the notebook or module of the same submission is left over")
        files = {}
    for row in files.values():
        row.why = "" if row.member.info.file_size else "0 bytes"
    if files and not any(map(_is_work, files)):
        row = next(iter(files.values()))
        row.why = f"no notebook and no module; {PurePosixPath(row.handed.file).name!r} is put there as it is, and never unpacked"
    moments = [moment for row in files.values() if (moment := clock.time(row.handed.time, row.member.date))]
    time = max((moment.earlier for moment in moments), default=None)
    later = max((moment.later for moment in moments), default=None)
    return Submission(student, files, time, any(row.handed.late for row in files.values()), later if later != time else None)


def _leave_clashes(files: dict[str, Row]) -> None:
    """Leave over files that would, or could, be in one another's place: "a" beside "a/b", "A" beside "a"."""
    same: dict[str, list[str]] = {}
    for path in files:
        same.setdefault(settled(path), []).append(path)
    for place, paths in same.items():
        if any(str(parent) in same for parent in PurePosixPath(place).parents):
            for path in paths:
                files[path].end(LEFT_OVER, "the zip has a file where its folder is")
        elif len(paths) > 1:
            for path in paths:
                files[path].end(LEFT_OVER, f"on some disks {' and '.join(map(repr, paths))} are the same name")


def _is_work(path: str) -> bool:
    return settled(path).endswith(WORK)


def _upload(row: Row) -> tuple[int, int]:
    """The order of uploads: Canvas numbers them; its -2 comes after its -1."""
    version = re.search(r"-(\d{1,6})\.\w+$", row.handed.file)
    return int(row.handed.order or 0), int(version[1]) if version else 0


def _asked_name(path: str, asked: Collection[str], platform: Platform) -> str:
    """The name that the assignment asks for, if a platform has only numbered it: ps2_uct-1.ipynb."""
    numberless = re.sub(r"-\d{1,6}(?=\.\w+$)", "", path) if platform.versions else path
    return numberless if numberless in asked else path

