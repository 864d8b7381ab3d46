"""Make a course from an empty folder: settings, people and problem sets in nbgrader's gradebook, and a zip of each set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from arena.challenge.ladder import load_ladder
from arena.errors import UserError
from arena.files import read_regular, write_atomic, write_if_changed
from autograder.course.challenge.class_exams import course_ladder
from autograder.course.storage.lock import course_lock
from autograder.course.zips import zip_of
from autograder.gradebook.policy.canvas_roster import people_of_canvas, roster_text
from autograder.gradebook.policy.course_file import COURSE_FILE, OF_THE_LADDER, CourseFile, read_course_file
from autograder.gradebook.policy.more_time import check_shares
from autograder.gradebook.policy.roster_file import EMAIL, FIRST, LAST, ROSTER, Person, read_people, read_roster
from autograder.grading.config import course_tables
from autograder.log import log
from autograder.modes import for_students
from autograder.problem_sets.source import load
from autograder.problem_sets.source import names as all_sets
from autograder.progress import Watcher

HANDOUT = "handout"  # in the course folder: what students get, a zip of each set
LARGEST_ROSTER_BYTES = 16 * 2**20

_TEMPLATE = '''# The settings of this course. `make grade` and nbgrader's commands in this folder read them.
# After a change here or in roster.csv, run `make course COURSE=...` again: it brings the gradebook and the zips up to date.

[course]
sets = [{sets}]
timezone = {timezone}

# The last moment that is on time, in the time zone above. A set without a line is never late.
[due]
{due}

# When students got each set. With it the page of a set shows how long they took, and `more_percent` in roster.csv can be counted.
# [released]
# {first} = 2027-01-17T08:00:00

# The late rule. Late work loses nothing unless you remove the first # of these lines. For a rule of another kind, name a plugin
# of nbgrader in nbgrader_config.py.
# [late]
# grace_minutes = 15       # work that is at most this late still counts as on time
# percent_per_day = 10     # of the points that the work earned, for each day that has begun
# most_percent = 50        # the most that is taken away
# last_day = 7             # work that is later than this many days earns nothing; 0 means no such limit

# Late-day tokens: each student has so many in the whole course. A late hand-in takes them by itself, the sets in the order of
# their due dates, and only where the late rule would take less.
# [tokens]
# each = 3
# hours = 24

# The points that a whole set counts for in the total of the final marks. Without a line, a set counts for its own points.
# [points]
# ps2_uct = 40
# challenge = 20

{grading}

# The ladder of the challenge. The lines show the default values. For other rungs or points see docs/challenge.md.
# [challenge]
{challenge}
'''


@dataclass(frozen=True)
class Wishes:
    """What the command asks for: a roster to copy, the sets, due dates by set in the course's time zone, a time zone."""

    roster: Path | None = None
    sets: Sequence[str] = ()
    due: Mapping[str, datetime] | None = None
    timezone: str | None = None


def make_course(course: Path, wishes: Wishes, watcher: Watcher) -> CourseFile:
    """Make a folder a course that is ready for the first hand-in, or bring a course up to date with its settings and roster.

    Writes course.toml, roster.csv, nbgrader_config.py, submitted/, source/, release/, the gradebook (sets, due dates, people)
    and handout/<ps>.zip for each set. Settings and a roster that are there already are never replaced.

    Raises:
        UserError: the folder is in use for something else, the roster cannot be used, or course.toml or roster.csv differs from
            `wishes`.
    """
    _check_folder(course)
    roster = _roster(wishes.roster) if wishes.roster else None
    course.mkdir(mode=0o700, parents=True, exist_ok=True)
    with course_lock(course, watcher.say):
        _write_settings(course, wishes)
        if wishes.roster and roster:
            _write_roster(course, *roster, wishes.roster)
        settings = read_course_file(course)
        course_ladder(course)  # a wrong [challenge] is reported now, and not when the class is graded
        check_shares(course)
        (course / "submitted").mkdir(exist_ok=True)
        _fill_gradebook(course, settings, watcher)
        with for_students():
            for ps in settings.sets:
                write_if_changed(course / HANDOUT / f"{ps}.zip", handout(course / "release" / ps))
        log(course, "course", sets=settings.sets, due={ps: due.isoformat() for ps, due in settings.due.items()})
    watcher.end()
    return settings


def handout(release: Path) -> bytes:
    """Return a zip of a released set: one folder with the files that a student works on; the same set gives the same bytes."""
    files = {f"{release.name}/{path.name}": path.read_bytes() for path in release.iterdir() if path.is_file()}
    return zip_of(files, mode=0o600)  # as in the zips of earlier versions, whose bytes stay


def _check_folder(course: Path) -> None:
    if course.exists() and not course.is_dir():
        raise UserError(f"{course} is a file: give a new folder for the course")
    ours = (COURSE_FILE, "nbgrader_config.py", "submitted")
    if course.is_dir() and any(course.iterdir()) and not any((course / name).exists() for name in ours):
        raise UserError(f"{course} is not a course folder, and it is not empty: give a new folder")


def _write_settings(course: Path, wishes: Wishes) -> None:
    """Write course.toml if there is none; if there is one, check that it says what the command asks for."""
    path = course / COURSE_FILE
    if not path.exists():
        write_atomic(path, settings_text(wishes))
        try:
            read_course_file(course)
        except UserError:
            path.unlink()  # an unknown set or time zone: the next try begins afresh
            raise
        return
    there, zone = read_course_file(course), wishes.timezone
    for key, asked, present in (
        ("sets", set(wishes.sets), set(there.sets)),
        ("timezone", zone, there.timezone),
        ("due", _moments(wishes.due or {}), {item for item in _moments(there.due) if item[0] in (wishes.due or {})}),
    ):
        if asked and asked != present:
            raise UserError(f"{path} has another value for {key!r}: edit this file, then run the command without that option")


def _moments(due: Mapping[str, datetime]) -> set[tuple[str, datetime]]:
    return {(ps, moment.replace(tzinfo=None)) for ps, moment in due.items()}


def settings_text(wishes: Wishes) -> str:
    """Return the text of a new course.toml."""
    sets = list(wishes.sets) or all_sets()
    due = wishes.due or {}
    lines = [f"{ps} = {due[ps].isoformat()}" if ps in due else f"# {ps} = 2027-01-31T23:59:00" for ps in sets]
    lines += [f"{ps} = {moment.isoformat()}" for ps, moment in due.items() if ps not in sets]
    return _TEMPLATE.format(sets=", ".join(map(json.dumps, sets)), timezone=json.dumps(wishes.timezone or local_timezone()),
                            due="\n".join(lines), first=sets[0], grading=_grading(), challenge=_challenge())


def _grading() -> str:
    return "\n\n".join(table.template for table in course_tables().values())


def _challenge() -> str:
    """Return the values of our ladder that course.toml may change, as comments."""
    ladder = load_ladder()
    return "\n".join(f"# {key} = {json.dumps(getattr(ladder, key))}" for key in OF_THE_LADDER)


def local_timezone() -> str:
    """Return the name of this machine's time zone, such as "Europe/Zurich"; "UTC" if it has none."""
    parts = Path("/etc/localtime").resolve().parts
    return "/".join(parts[parts.index("zoneinfo") + 1:]) if "zoneinfo" in parts else "UTC"


def _roster(path: Path) -> tuple[bytes, tuple[Person, ...]]:
    """Return what becomes roster.csv, and the people in it: a table of people as it is, or those of Canvas's gradebook."""
    people = people_of_canvas(path)
    if people is not None:
        return roster_text(people).encode(), people
    people, content = read_people(path), read_regular(path, LARGEST_ROSTER_BYTES)
    if content is None:
        raise UserError(f"{path} is not a regular file of at most {LARGEST_ROSTER_BYTES // 2**20} MiB")
    return content, people


def _write_roster(course: Path, content: bytes, people: Iterable[Person], given: Path) -> None:
    """Write roster.csv if there is none; if there is one, check that it has the people and the cells of the given table.

    It may have more cells: a person writes `more_days` there.
    """
    path = course / ROSTER
    if not path.exists():
        write_atomic(path, content)
        return
    asked, there = {person.id: person for person in people}, {person.id: person for person in read_people(path)}
    changed = {id for id in asked.keys() & there.keys() if _cells(asked[id]) - _cells(there[id])}
    other = sorted(asked.keys() ^ there.keys() | changed)
    if other:
        raise UserError(f"{path} is there already, and {given} says something else about {', '.join(map(repr, other[:10]))}"
                        f"{' and others' if other[10:] else ''}: edit roster.csv, then run the command without that table")


def _cells(person: Person) -> set[tuple[str, str]]:
    """What a table says about a person, beside the id."""
    cells = {FIRST: person.first_name, LAST: person.last_name, EMAIL: person.email, **(person.others or {})}
    return {(column, cell) for column, cell in cells.items() if cell}


def _fill_gradebook(course: Path, settings: CourseFile, watcher: Watcher) -> None:
    """Release the sets and add the people of the roster."""
    from autograder.gradebook.course import open_course, prepare  # imported late: they import nbgrader
    from autograder.gradebook.nbgrader_patches import one_session

    watcher.start("releasing", len(settings.sets))
    for ps in settings.sets:
        prepare(course, ps, watcher.say)
        watcher.step(load(ps).title)
    people = read_roster(course) or ()
    with one_session(open_course(course, settings.sets[0])) as gradebook:
        known = {student.id: student for student in gradebook.students}
        for person in _in_the_gradebook(people):
            names = {"first_name": person.first_name or None, "last_name": person.last_name or None}
            asked = {**names, "email": person.email or None}
            student = known.get(person.id)
            if student is None or any(getattr(student, name) != value for name, value in asked.items()):
                gradebook.update_or_create_student(person.id, **asked)


def _in_the_gradebook(people: Iterable[Person]) -> Iterable[Person]:
    """The people whose names formgrader can show safely."""
    from autograder.gradebook.recording.planning import unfit

    return (person for person in people if not any(map(unfit, (person.id, person.first_name, person.last_name, person.email))))
