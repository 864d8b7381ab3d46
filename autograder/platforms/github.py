"""Fetch the work of a class from GitHub: `python -m autograder.platforms.github students.csv --ps ps2_uct --course courses/mcts`.

students.csv has the columns `id` and `repository` (owner/name). Only the files of the assignment are fetched, through GitHub's
own program `gh`: nothing is cloned, so no hook, filter or link of a student's repository is ever followed. The grader, the
hidden checks and the secret stay where this runs; the students' repositories only need to be readable from here.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from arena.files import write_atomic, write_if_changed
from autograder.course.storage.lock import course_lock
from autograder.problem_sets.source import check_known, facts_of
from autograder.submission.discover import file_names
from autograder.submission.gate import opened, read_below

RAW = "Accept: application/vnd.github.raw+json"
NAME = re.compile(r"[A-Za-z0-9_][\w.-]*")  # a folder's name that cannot be read as an option of a program
REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9_][A-Za-z0-9_.-]*")
TIMESTAMP = "timestamp.txt"  # nbgrader's name for the time of handing in


class Unreachable(RuntimeError):
    """GitHub did not answer, or refused; the text is for staff."""


@dataclass(frozen=True)
class Source:
    """A student, by the name of the folder in `submitted`, and the repository with the work."""

    student: str
    repository: str


def sources(table: Path) -> list[Source]:
    """Read the table of students.

    Raises:
        UserError: a column is missing, a cell is not a name of a folder or of a repository, or two rows have one id.
    """
    with table.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    if not rows or not {"id", "repository"} <= set(rows[0]):
        raise UserError(f"{table} needs the columns id and repository, and a line for each student")
    seen = dict[str, int]()
    for number, row in enumerate(rows, 2):
        if not NAME.fullmatch(row["id"] or "") or not REPOSITORY.fullmatch(row["repository"] or ""):
            raise UserError(f"{table}:{number}: not an id and owner/name: {row['id']!r}, {row['repository']!r}")
        if (before := seen.setdefault(row["id"].casefold(), number)) != number:  # one folder on a disk that ignores case
            raise UserError(f"{table}: lines {before} and {number} have one id, {row['id']!r}: each student has one repository")
    return [Source(row["id"], row["repository"]) for row in rows]


def fetch(source: Source, ps: str, course: Path) -> int:
    """Put a student's files of a set into the course; return how many there are. Files that are gone on GitHub stay here.

    The time of handing in is the time of the last push, if any of these files is new or changed. A later push of something else
    is not a later hand-in, so files that are here already keep their time.

    Raises:
        Unreachable: GitHub's answer was neither the file nor "not found"; nothing was written.
        OSError: the folder is a link, or cannot be written.
    """
    names = [*file_names(ps).values(), *facts_of(ps).beside]
    files = {name: content for name in names if (content := _file(source.repository, ps, name)) is not None}
    if not files:
        return 0
    folder = course / "submitted" / source.student / ps
    new = {name: content for name, content in files.items() if read_below(folder, name, len(content)) != content}
    if new or not (folder / TIMESTAMP).exists():
        pushed_at = _pushed_at(source.repository)
        folder.mkdir(parents=True, exist_ok=True)
        with opened(folder):
            pass  # raises where a link leads elsewhere
        write_if_changed(folder / TIMESTAMP, pushed_at)  # first: a run that is killed leaves no new files with an old time
        for name, content in new.items():
            write_atomic(folder / name, content)
    return len(files)


def _pushed_at(repository: str) -> str:
    """Return the time of the last push, by GitHub's own clock; the dates of commits come from the student's machine."""
    try:
        return str(json.loads(_ask(f"repos/{repository}") or b"")["pushed_at"])
    except (ValueError, KeyError, TypeError):
        raise Unreachable(f"repos/{repository}: the answer has no pushed_at") from None


def _fetched(source: Source, ps: str, course: Path) -> bool:
    """Fetch a student's files and print a line; return False if that failed, which stops no other student."""
    try:
        number = fetch(source, ps, course)
    except (Unreachable, OSError) as error:
        print(f"{source.student}: NOT FETCHED: {error}")
        return False
    print(f"{source.student}: {number or 'no'} file{'' if number == 1 else 's'} of {ps}")
    return True


def _file(repository: str, ps: str, name: str) -> bytes | None:
    """Return a file of the repository: from its root, from the folder of the set, or from that in `work/`."""
    answers = (_ask(f"repos/{repository}/contents/{path}", "-H", RAW) for path in (name, f"{ps}/{name}", f"work/{ps}/{name}"))
    return next((content for content in answers if content is not None), None)


def _ask(*words: str) -> bytes | None:
    """Return GitHub's answer; None for "not found"."""
    done = subprocess.run(["gh", "api", *words], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode == 0:
        return done.stdout
    message = done.stderr.decode(errors="replace").strip()
    if "HTTP 404" in message:
        return None
    raise Unreachable(f"{words[0]}: {message or f'gh ended with status {done.returncode}'}")


def main(words: list[str] | None = None) -> int:
    """Fetch the work of a class; return 1 if a repository could not be read, so that nobody takes its work for missing."""
    parser = argparse.ArgumentParser(prog="python -m autograder.platforms.github", description=__doc__)
    parser.add_argument("students", type=Path)
    parser.add_argument("--ps", required=True)
    parser.add_argument("--course", type=Path, required=True)
    given = parser.parse_args(words)
    try:
        check_known(given.ps)
        chosen = sources(given.students)
        given.course.mkdir(mode=0o700, parents=True, exist_ok=True)
        with course_lock(given.course):  # no grader reads a file that is being written
            failed = sum(not _fetched(source, given.ps, given.course) for source in chosen)
    except UserError as error:
        print(error)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
