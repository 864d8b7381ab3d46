"""Erase one student: every file, row and line in a course that is about this person, and then a search for what is left.

What is the student's alone is removed. From tables, logs and states the student's part is taken out. Pages of the class and of
others that name the student are removed, and the next run of grade writes them again. What other people have written is not
touched: the search names it. The roster's line goes last, so that the command can be run again after a kill.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps.baseapp import NbGrader

from arena.errors import UserError
from arena.files import write_atomic
from arena.near_miss import did_you_mean
from autograder.course.class_report import write_front_page
from autograder.course.roster import check_course
from autograder.course.storage.lock import course_lock
from autograder.course.traces import HANDED_OUT, SHORTEST, SQLITE, Person, found_in, person_in, traces, unpacked
from autograder.csv_text import neutral, read_table
from autograder.gradebook.course import open_course
from autograder.gradebook.hand_ins import folder_of
from autograder.gradebook.policy.course_file import read_course_file
from autograder.gradebook.policy.roster_file import ID, MORE_DAYS, ROSTER, read_roster
from autograder.gradebook.policy.teams_file import TEAMS, read_teams
from autograder.json_files import read_state
from autograder.log import LOG, log
from autograder.problem_sets.source import names
from autograder.submission.gate import SECRET, SUBMITTED

ERASED = "[erased]"
LOCK = ".lock"
MADE_AGAIN = ("report", "feedback", "returned", "tournament")  # folders with pages that a run or a command writes again
EXPORTS = ("canvas.csv", "moodle.csv", "blackboard.csv", "marks.csv", "marks.json", "nbgrader_grades.csv")
OF_OTHERS = (SUBMITTED, "autograded", "collected", "reports")  # in folders of other students, their own words
EXCHANGE = "/usr/local/share/nbgrader/exchange"  # nbgrader's own choice
_COLUMNS = frozenset({  # titles of the columns that say whose a row is, in our tables and in those of the platforms
    "student", "id", "other", "nearest", "student_id", "username", "user name", "email", "email address", "sis login id",
    "sis user id", "id number", "identifier", "full name", "last_name"})
_KEYS = frozenset({"students", "missing", "challenge", "cpu_s", "runs", "title", "ps", "played", "open", "ours", "by", "sound",
                   "changes", "before", "report", "staff", "parts"})  # of our own files: no student can have one of these ids


@dataclass
class Erased:
    """What an erasure has done, as paths within the course.

    removed: files and folders that are gone.    changed: files from which a part is gone.
    moved: hand-ins of a team that are the other member's now.
    outside: files in nbgrader's exchange that are gone; `refused`: those that could not be removed.
    left: what the search found afterwards, (path, where in it).
    """

    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)


def known_person(course: Path, id: str) -> Person:
    """Return what to look for when a student is erased: the id, and what the roster, the platforms and the reports know.

    Raises:
        UserError: no course, or an id that cannot be told from the course's own words.
    """
    check_course(course)
    if not id.strip() or id in (".", "..", *names(), *_KEYS) or set(id) & set("/\\\0"):
        raise UserError(f"{id!r} cannot be erased: it is no id of a student, or a word of the course's own files")
    return person_in(course, id, _texts(course, id))


def search(course: Path, person: Person) -> list[tuple[str, str]]:
    """Return what names a person in a course: (path within the course, where in it; "" for the name of the file)."""
    return [(path.relative_to(course).as_posix(), where) for path, where in traces(course, person) if path.name != LOCK]


def check_known(course: Path, person: Person, found: list[tuple[str, str]]) -> None:
    """Raise UserError if nothing in a course is about this id: a typing error, or everything is gone already."""
    if not found:
        known = {path.name for path in (course / SUBMITTED).iterdir()} | {other.id for other in read_roster(course) or ()}
        raise UserError(f"nothing in {course} is about {person.id!r}, and nothing was changed{did_you_mean(person.id, known)}")


def erase(course: Path, person: Person) -> Erased:
    """Erase a student and search for what is left.

    Raises:
        Busy: a grader is at work in the course.    UserError: the gradebook is in use, or a file of the course cannot be read.
    """
    with course_lock(course):
        return _Eraser(course, person).erase()


def _texts(course: Path, id: str) -> Iterator[str]:
    """Yield the texts that are this student's alone."""
    people = read_roster(course) or ()
    for person in people:
        if person.id == id:
            both = person.first_name and person.last_name
            full = [person.full_name, f"{person.last_name}, {person.first_name}"] if both else []
            cells = [cell for column, cell in (person.others or {}).items() if column != MORE_DAYS]
            others = {text for other in people if other.id != id for text in (other.full_name, other.email, *(
                other.others or {}).values())}
            yield from (text for text in (*full, person.email, *cells) if text not in others)
    for of_set in read_state(course / "collected" / "names.json").values():
        for name in of_set.get(id, ()) if isinstance(of_set, dict) else ():
            yield from (str(name.get(part, "")) for part in ("beginning", "account") if isinstance(name, dict))
    yield from (row["handle"] for row in read_table(course / "tournament" / "players.csv") if row.get("student") == neutral(id))
    shared = {sha for path in (course / "reports").glob("*/*.json") if path.parent.name != id for sha in _hashes(path)}
    yield from {sha for path in (course / "reports" / id).glob("*.json") for sha in _hashes(path)} - shared


def _hashes(path: Path) -> list[str]:
    return re.findall(r'"(?:sha256|submission)": ?"([0-9a-f]{64})"', path.read_text(encoding="utf-8", errors="replace"))


class _Eraser:
    def __init__(self, course: Path, person: Person) -> None:
        self.course, self.person, self.done = course, person, Erased()
        self.exact = {person.id, neutral(person.id), *person.others, *map(neutral, person.others)}

    @cached_property
    def _app(self) -> NbGrader | None:
        """Nbgrader's application; None for a course without a gradebook."""
        has_one = (self.course / "nbgrader_config.py").exists()
        return open_course(self.course, read_course_file(self.course).sets[0]) if has_one else None

    def erase(self) -> Erased:
        self._give_to_mates()
        self._exchange()
        self._databases()
        for path in sorted(self.course.rglob("*"), key=lambda path: (path.name == ROSTER, path)):
            inside = path.relative_to(self.course)
            if path.exists() and not path.is_symlink() and inside.parts[0] not in HANDED_OUT:
                self._look_at(path, inside)
        log(self.course, "erase", files=len(self.done.removed), changed=len(self.done.changed))
        write_front_page(self.course)
        self.done.left = search(self.course, self.person)
        return self.done

    def _look_at(self, path: Path, inside: Path) -> None:
        """Remove a file or folder, or take the student's part out of it."""
        if path.name == self.person.id or path.is_file() and self.person.is_in_name(path.name):
            self._remove(path)
        elif not path.is_file() or path.name == LOCK:
            return
        elif inside.parts[0] == ".cache" or inside.parts == (inside.name,) and inside.name in EXPORTS:
            self._made_again(path)
        elif inside.parts[0] in OF_OTHERS and len(inside.parts) > 2:
            return  # another student's
        elif path.suffix == ".zip":
            self._zip(path)
        elif path.suffix in (".html", ".htm") and inside.parts[0] in MADE_AGAIN:
            self._made_again(path)
        elif path.name == LOG:
            self._log(path)
        elif path.suffix == ".json":
            self._json(path)
        elif path.suffix in (".csv", ".tsv", ".xls", ".txt") and len(inside.parts) < 4:
            self._table(path)
        elif path.suffix == ".log":
            self._lines(path)

    def _names(self, content: bytes) -> bool:
        return next(found_in(content, self.person), None) is not None

    def _remove(self, path: Path) -> None:
        self.done.removed.append(path.relative_to(self.course).as_posix() + ("/" if path.is_dir() else ""))
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()

    def _made_again(self, path: Path) -> None:
        content = path.read_bytes()
        if self._names(content) or any(text.encode() in content for text in self.exact if len(text) == 64):
            self._remove(path)

    def _write(self, path: Path, content: bytes) -> None:
        if content != path.read_bytes():
            write_atomic(path, content, mode=path.stat().st_mode & 0o777)
            self.done.changed.append(path.relative_to(self.course).as_posix())

    def _blank(self, text: str) -> str:
        """A text of ours without the student."""
        return self.person.pattern.sub(ERASED.encode(), text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")

    def _json(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            content = json.loads(text)
        except ValueError:
            return
        kept = self._without(content)
        if kept != content:
            is_pretty = "\n " in text
            made = json.dumps(kept, sort_keys=True, indent=2 if is_pretty else None, ensure_ascii=not is_pretty)
            self._write(path, (made + ("\n" if text.endswith("\n") else "")).encode())

    def _without(self, value: Any) -> Any:
        """A value of JSON without what is the student's: keys, entries with the student's id, members of lists, words."""
        if isinstance(value, dict):
            return {self._blank(key): self._without(each) for key, each in value.items()
                    if key not in self.exact and not self._is_own(each)}
        if isinstance(value, list):
            return [self._without(each) for each in value if not self._is_own(each)
                    and not (isinstance(each, str) and each in self.exact)]
        return self._blank(value) if isinstance(value, str) else value

    def _is_own(self, value: Any) -> bool:
        return isinstance(value, dict) and value.get("student") == self.person.id

    def _log(self, path: Path) -> None:
        kept = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
            try:
                entry = json.loads(line)
            except ValueError:
                entry = None
            if not self._is_own(entry):
                changed = self._without(entry) if isinstance(entry, dict) else None
                kept.append(json.dumps(changed, ensure_ascii=False) + "\n" if changed not in (None, entry)
                            else line if changed is not None else self._blank(line))
        self._write(path, "".join(kept).encode())

    def _lines(self, path: Path) -> None:
        lines = path.read_bytes().splitlines(keepends=True)
        self._write(path, b"".join(line for line in lines if not self._names(line)))

    def _table(self, path: Path) -> None:
        """Cut the student's rows out of a table, and the student's words out of the other cells; the rest keeps its bytes."""
        content = path.read_bytes()
        two_bytes, marked = content[:2] in (b"\xff\xfe", b"\xfe\xff"), content[:3] == b"\xef\xbb\xbf"
        encoding = "utf-16" if two_bytes else "utf-8-sig" if marked else "utf-8"
        try:
            text = content.decode(encoding)
            rows = list(_records(text))
        except (UnicodeDecodeError, csv.Error):
            return  # the search says whether the student is in it
        if not rows:
            return
        titles = [title.strip().lower() for title in rows[0][1]]
        own_columns = [at for at, title in enumerate(titles) if title in _COLUMNS]
        if path.name in (ROSTER, TEAMS):
            own_columns = [at for at, title in enumerate(titles) if title == ID]
        alone = self._alone_after(path)
        kept = [rows[0][0]]
        for line, cells in rows[1:]:
            own = {cells[at].strip() for at in own_columns if at < len(cells)}
            if not own & (self.exact if path.name not in (ROSTER, TEAMS) else {self.person.id}) and not own & alone:
                kept.append(line if path.name == ROSTER else self._blank(line))
        self._write(path, "".join(kept).encode(encoding))

    def _alone_after(self, path: Path) -> set[str]:
        """The members who would be a team of one without the student: their lines go too, for they work alone now."""
        if path.name != TEAMS:
            return set()
        teams = read_teams(self.course)
        groups = [teams.members(self.person.id, ps) for ps in names()]
        return {member for group in groups if len(group) == 2 for member in group} - {self.person.id}

    def _zip(self, path: Path) -> None:
        content = path.read_bytes()
        members = list(unpacked(content))
        own = {name for name, member in members
               if self._names(member) or any(self.person.is_in_name(part) for part in Path(name).parts)
               or self.person.pattern.search(name.encode())
               or any(len(text) >= SHORTEST and name.startswith(text) for text in self.person.others)}
        if not own:
            return
        if len(own) == len(members):
            self._remove(path)
            return
        made = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(made, "w") as kept:
            for member in packed.infolist():
                if member.filename not in own:
                    kept.writestr(member, packed.read(member))
        self._write(path, made.getvalue())

    def _give_to_mates(self) -> None:
        """Make the hand-in of a team the other member's, if it is in the folder of the student who goes."""
        teams = read_teams(self.course)
        for ps in names():
            for mate in teams.members(self.person.id, ps):
                folder = folder_of(self.course, mate, ps, teams)
                own = self.course / SUBMITTED / mate / ps
                if mate != self.person.id and folder.parent.name == self.person.id and folder.is_dir() and not own.exists():
                    shutil.copytree(folder, own, symlinks=True, ignore=shutil.ignore_patterns(SECRET))
                    self.done.moved.append(own.relative_to(self.course).as_posix())

    def _databases(self) -> None:
        """Take the student out of the gradebook, wherever it is, and out of its copies in the course."""
        for path in sorted(self.course.rglob("*")):
            top = path.relative_to(self.course).parts[0]
            if path.is_file() and not path.is_symlink() and top not in (*HANDED_OUT, SUBMITTED):
                with path.open("rb") as file:
                    is_database = file.read(len(SQLITE)) == SQLITE
                if is_database:
                    self._database(path)
        app = self._app
        if app and not app.coursedir.db_url.startswith("sqlite"):
            with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
                try:
                    gradebook.remove_student(self.person.id)
                    self.done.changed.append("the gradebook on the server")
                except MissingEntry:
                    pass

    def _database(self, path: Path) -> None:
        try:
            database = sqlite3.connect(path, isolation_level=None)
            try:
                tables = {row[0] for row in database.execute("select name from sqlite_master where type = 'table'")}
                if not {"student", "submitted_assignment", "submitted_notebook"} <= tables or not self._is_in(database):
                    return
                database.execute("pragma secure_delete = on")
                database.execute("begin immediate")
                of_student = "select id from submitted_assignment where student_id = ?"
                notebooks = f"select id from submitted_notebook where assignment_id in ({of_student})"
                for table in sorted({"grade", "comment"} & tables):
                    database.execute(f"delete from {table} where notebook_id in ({notebooks})", (self.person.id,))
                database.execute(f"delete from submitted_notebook where assignment_id in ({of_student})", (self.person.id,))
                database.execute("delete from submitted_assignment where student_id = ?", (self.person.id,))
                database.execute("delete from student where id = ?", (self.person.id,))
                database.execute("commit")
                database.execute("vacuum")  # what is deleted would stay readable in the file
            finally:
                database.close()
        except sqlite3.OperationalError as error:
            raise UserError(f"{path} is in use or cannot be written ({error}): close formgrader, and run the same command again"
                            ) from error
        except sqlite3.DatabaseError:
            return  # damaged; the search says whether the student is in it
        self.done.changed.append(path.relative_to(self.course).as_posix())

    def _is_in(self, database: sqlite3.Connection) -> bool:
        return database.execute("select 1 from student where id = ?", (self.person.id,)).fetchone() is not None

    def _exchange(self) -> None:
        """Remove the student's hand-ins and pages from nbgrader's exchange, as far as this user may."""
        app = self._app
        if app is None:
            return
        place = Path(str(app.config.Exchange.get("root", EXCHANGE)), app.coursedir.course_id)
        handed_in = sorted((place / "inbound").glob("*")) if (place / "inbound").is_dir() else []
        pages = sorted((place / "feedback").glob("*.html")) if (place / "feedback").is_dir() else []
        for path in (*(path for path in handed_in if path.name.startswith(f"{self.person.id}+")),
                     *(path for path in pages if self._can_be_read(path) and self._names(path.read_bytes()))):
            try:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
                self.done.outside.append(str(path))
            except OSError as error:
                self.done.refused.append(f"{path} ({error.strerror})")

    @staticmethod
    def _can_be_read(path: Path) -> bool:
        try:
            path.open("rb").close()
        except OSError:
            return False
        return True


def _records(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the records of a table, each as it is in the file and as cells."""
    lines = text.splitlines(keepends=True)
    separator = max(",;\t", key=(lines[0] if lines else "").count)
    reader, begin = csv.reader(iter(lines), delimiter=separator), 0
    for cells in reader:
        yield "".join(lines[begin:reader.line_num]), cells
        begin = reader.line_num


def grouped(found: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return how many places there are in each folder or file at the top of the course."""
    counts: dict[str, int] = {}
    for path, _ in found:
        top = path.split("/")[0] + ("/" if "/" in path else "")
        counts[top] = counts.get(top, 0) + 1
    return counts
