"""Hand back the pages and marks of one problem set: to a platform, or as a mail merge."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.api import Gradebook

from arena.challenge.report import ASSIGNMENT
from arena.errors import UserError
from autograder.collect.kept_names import read_names
from autograder.course.change_texts import FOLDER as CHANGES
from autograder.course.roster import check_gradebook
from autograder.course.storage.lock import course_lock
from autograder.course.zips import zip_of
from autograder.csv_text import neutral, table_text
from autograder.gradebook.course import open_course
from autograder.gradebook.hand_ins import folder_of
from autograder.gradebook.marks.exports import notes_of
from autograder.gradebook.marks.final_marks import FinalMarks, final_rows, mark_text
from autograder.gradebook.marks.platforms import (
    PLATFORMS,
    Platform,
    Table,
    blackboard_table,
    canvas_table,
    filled_template,
    moodle_table,
    moodle_worksheet,
    read_template,
)
from autograder.gradebook.marks.read_marks import read_marks
from autograder.gradebook.policy.roster_file import EMAIL, FIRST, ID, LAST, Person
from autograder.gradebook.policy.teams_file import Teams, read_teams
from autograder.handing_back.addressees import Addressees, without_name
from autograder.handing_back.challenge import ChallengePages
from autograder.handing_back.files import Written, put
from autograder.handing_back.last_return import LastReturn, note_return, read_last
from autograder.handing_back.pages import NoPage, Pages, SetPages
from autograder.handing_back.uploads import MAIL, UPLOADS, Upload
from autograder.log import log
from autograder.plain_text import plain_text
from autograder.progress import Watcher

RETURNED = "returned"  # of the course: returned/<ps>/canvas.zip and so on
_TABLES: Mapping[str, Callable[[FinalMarks], Table]] = {
    "canvas": canvas_table, "moodle": moodle_worksheet, "blackboard": blackboard_table}


@dataclass
class HandedBack:
    """The result for one problem set.

    way: one of WAYS.    students: those whose page is handed back.    left_out: by student, why there is none.
    absent: the students of the roster who have not handed in.    remarks: sentences for staff.    files: what was written.
    unchanged: how many others have got the same page and points before, if only what has changed is handed back.
    """

    ps: str
    way: str
    students: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    files: list[Written] = field(default_factory=list)
    unchanged: int = 0


def hand_back(
    course: Path, ps: str, way: str, zips: Sequence[Path] = (), template: Path | None = None, watcher: Watcher | None = None,
    *, only_changed: bool = False,
) -> HandedBack:
    """Write returned/<ps>/<way>.zip and <way>.csv; for a mail merge mail.csv, and the pages of which it has the paths.

    The pages of the challenge are in one zip for each set whose players took part, returned/challenge/<way>-<set>.zip.

    Args:
        ps: a problem set, or the challenge.
        way: one of WAYS.
        zips: downloads of the platform, if it is not known from the collection how the hand-ins were named.
        template: the platform's own table, into which the marks are filled.
        only_changed: leave out the pages of those whose page and points are those of the last return by this way.

    Raises:
        UserError: the course has no gradebook, nobody took part in the challenge, or a file cannot be used.
        Busy: a grader is at work in the course.
    """
    watcher, done = watcher or Watcher(), HandedBack(ps, way)
    with course_lock(course):
        marks, teams = _marks(course, ps), read_teams(course)
        source: Pages = ChallengePages(course) if ps == ASSIGNMENT else SetPages(course, ps, teams)
        found = Addressees() if way == MAIL else source.addressees(UPLOADS[way], zips)
        done.remarks += found.twice
        pages = _pages(course, marks, found, source, teams, done, watcher)
        if not pages:
            return done
        memory = course / RETURNED / ps / f"{way}.json"
        last, points = read_last(memory), {student: mark_text(marks, student, ps) for student in pages}
        changed = {student: page for student, page in pages.items() if not last.has(student, page, points[student])}
        if only_changed or way == MAIL:
            advice = "; if those never went out, return all of them: without CHANGED=1" if only_changed and last.students else ""
            done.remarks.append(last.sentence(len(changed), len(pages)) + advice)
        if only_changed:
            done.unchanged, pages = len(pages) - len(changed), changed
            done.remarks += [] if pages else ["no page is written: those that are there are of an earlier return"]
        done.students = sorted(pages)
        log(course, "return", ps=ps, to=way, students=done.students)
        if way != MAIL:
            _write_upload(course, marks, pages, found, source, template, done)
        elif pages:
            _write_mail(course, marks, pages, last, source, done)
        note_return(memory, last, pages, points)
    return done


def _marks(course: Path, ps: str) -> FinalMarks:
    """The marks of one set, as the gradebook has them now."""
    check_gradebook(course)
    app = open_course(course, ps)
    with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
        marks = read_marks(course, gradebook)
    return replace(marks, assignments={name: most for name, most in marks.assignments.items() if name == ps})


def _pages(
    course: Path, marks: FinalMarks, found: Addressees, source: Pages, teams: Teams, done: HandedBack, watcher: Watcher,
) -> dict[str, bytes]:
    """The pages to hand back by student; who gets none is put into `done`."""
    candidates, before = sorted(source.students(found)), final_rows(course)
    done.absent = sorted({person.id for person in marks.people if not marks.is_exempt(person.id, done.ps)} - set(candidates))
    without = [] if done.way == MAIL else [student for student in candidates if student not in found.names]
    nameless = {student: source.set_of(student) for student in without}
    unknown = without_name(nameless, UPLOADS[done.way], with_zip=source.has_assignment) if nameless else {}
    unknown |= {student: f"is in a team with {by}, who handed in: the page goes to {by} here, and to everybody with FOR=mail"
                for student in unknown if (by := folder_of(course, student, nameless[student], teams).parent.name) != student}
    pages = {}
    watcher.start(source.title, len(candidates))
    for student in candidates:
        try:
            page = source.page(student)
            _check_mark(marks, student, done.ps, before)
            reason = found.refused.get(student) or unknown.get(student)
            if reason:
                done.left_out[student] = reason
            else:
                pages[student] = page
        except NoPage as error:
            done.left_out[student] = str(error)
        watcher.step(student)
    watcher.end()
    return pages


def _check_mark(marks: FinalMarks, student: str, ps: str, before: Mapping[str, Mapping[str, str]]) -> None:
    """Raise NoPage if a mark has changed since the page was written: page and table would disagree."""
    told, now = before.get(neutral(student), {}).get(ps, ""), mark_text(marks, student, ps)
    if told != now:
        raise NoPage("the mark has changed since the last run: run grade")


def _write_upload(
    course: Path, marks: FinalMarks, pages: Mapping[str, bytes], found: Addressees, source: Pages, template: Path | None,
    done: HandedBack,
) -> None:
    upload, platform, bare, people = UPLOADS[done.way], PLATFORMS[done.way], _TABLES[done.way], marks.people
    if source.has_assignment or upload.platform.lasting:  # the others' numbers are those of the player's assignment
        people = tuple(_with_account(person, upload, found.accounts.get(person.id)) for person in people)
    if done.way == "moodle" and not source.has_assignment:  # a worksheet would overwrite the marks of the player's set
        bare = moodle_table
    elif done.way == "moodle" and template is None:  # other numbers of the roster may be those of another assignment
        people = tuple(person for person in people if person.id in found.accounts)
        if others := [person.id for person in marks.people
                      if done.ps in marks.marks.get(person.id, {}) and person.id not in found.accounts]:
            done.remarks.append(f"not in {done.way}.csv, because no hand-in of their own has their number on Moodle: "
                                f"{', '.join(others)}; give Moodle's own worksheet (TEMPLATE=), or import that of make export")
    if template and not source.has_assignment:
        _check_no_worksheet(template, platform, found)
    known = replace(marks, people=people)
    table = filled_template(known, template, platform) if template else bare(known)
    done.remarks += [*notes_of(table), *marks.above]
    folder, zips = course / RETURNED / done.ps, dict[str, dict[str, bytes]]()
    for student, page in pages.items():
        name = f"{done.way}.zip" if source.has_assignment else f"{done.way}-{source.set_of(student)}.zip"
        zips.setdefault(name, {})[found.names[student]] = page
    if zips and not source.has_assignment:
        done.remarks.append(f"upload each zip in {upload.platform.name}'s assignment of the set in its name")
    done.files = [put(folder / name, zip_of(packed)) for name, packed in sorted(zips.items())]
    done.files.append(put(folder / f"{done.way}.csv", table.text.encode()))


def _check_no_worksheet(template: Path, platform: Platform, found: Addressees) -> None:
    """Raise UserError if a template is the worksheet of a player's set, in which the challenge would replace the set's marks."""
    _, (header, *rows) = read_template(template, platform)
    places = [place for place, title in enumerate(header) if title.strip() == "Identifier"]
    if {row[place].rpartition(" ")[2] for row in rows for place in places if place < len(row)} & set(found.accounts.values()):
        raise UserError(f"{template} is the worksheet of a set, whose marks the challenge would replace: leave it out, or "
                        "give the table of the whole gradebook")


def _with_account(person: Person, upload: Upload, account: str | None) -> Person:
    """A person with the number of this very hand-in, for the table of marks; a user name there has a title before it."""
    if account is None or not upload.column:
        return person
    return replace(person, others={**(person.others or {}), upload.column: account})


def _write_mail(
    course: Path, marks: FinalMarks, pages: Mapping[str, bytes], last: LastReturn, source: Pages, done: HandedBack,
) -> None:
    folder = course / RETURNED / done.ps
    kept = {ps: read_names(course, ps) for ps in {source.set_of(student) for student in pages}}
    people = {person.id: person for person in marks.people}
    most, rows = marks.assignments.get(done.ps), []
    for student, page in sorted(pages.items()):
        path = folder / "pages" / f"{student}.html"
        put_page = put(path, page)
        person = people.get(student, Person(student))
        if not person.email:
            done.remarks.append(f"{student}: has no address in roster.csv")
        platforms = " and ".join(sorted({name.platform for name in kept[source.set_of(student)].get(student, ())}))
        mark = mark_text(marks, student, done.ps)
        changed = "" if last.has(student, page, mark) else _changed(course, done.ps, student, last, mark)
        rows.append([*map(neutral, (student, person.first_name, person.last_name, person.email)), mark,
                     f"{most:g}" if most is not None else "", neutral(str(put_page.path.resolve())), changed, platforms])
    header = [ID, FIRST, LAST, EMAIL, "mark", "max", "page", "changed", "platform"]
    done.files = [put(folder / f"{MAIL}.csv", table_text(header, rows).encode())]


def _changed(course: Path, ps: str, student: str, last: LastReturn, mark: str) -> str:
    """What is new for a student, in words: the text of a run that has changed the points since the last return, or a sentence."""
    before = last.students.get(student)
    texts = sorted((course / CHANGES / ps / student).glob("*.txt"))
    if texts and (before is None or re.sub(r"\D", "", texts[-1].name) > re.sub(r"\D", "", before.when)):
        return "\n".join(neutral(plain_text(line)) for line in texts[-1].read_text(encoding="utf-8").strip().splitlines())
    if before is None:
        return "The page is new."
    return "The page has changed." if before.points == mark else f"The mark has changed: {before.points} before, {mark} now."
