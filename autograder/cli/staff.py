"""Decisions of staff about a course; each decision is a line in COURSE/log.jsonl."""

import math
from pathlib import Path
from typing import Annotated

import typer

from arena.errors import UserError
from autograder.cli.completion import exercises, students
from autograder.cli.options import Course, PsOfCourse, StudentName
from autograder.plain_text import one_line

MOST_HOURS = 10 * 366 * 24  # ten years: a longer extension is a typing error, and too long for dates

app = typer.Typer(
    help="Decisions about a course: excuse a check, drop an exercise, exempt a student, extend a due date, answer a dispute.",
    no_args_is_help=True)


@app.command()
def roster(course: Course, ps: PsOfCourse = None) -> None:
    """List who has handed in, who is missing, and which folders are irregular.

    Example: python -m autograder staff roster courses/mcts --ps ps2_uct
    """
    from autograder.course.grade_class import not_what_was_asked_for
    from autograder.course.roster import list_submissions, set_meant
    from autograder.gradebook.policy.people_names import read_names
    from autograder.submission.read import read_folder

    ps = set_meant(course, ps)
    listed, names = list_submissions(course, ps), read_names(course)
    for remark in listed.remarks:
        typer.echo(names.in_sentence(remark))
    for entry in listed.entries:
        submission = read_folder(entry.folder, ps)
        for remark in not_what_was_asked_for(entry.student, submission.form, submission.note):
            typer.echo(names.in_sentence(remark))
    for members, by in listed.teams:
        typer.echo(f"a team: {' and '.join(map(names.beside, members))}, handed in by {by}")
    total = len(listed.works)
    typer.echo(f"{total} submission{'' if total == 1 else 's'} of {ps}")


@app.command()
def differences(
    course: Course,
    ps: PsOfCourse = None,
    workers: Annotated[int | None, typer.Option(min=1, help="parallel processes")] = None,
) -> None:
    """Grade without recording: list the changes of points that a run would make.

    Example: python -m autograder staff differences courses/mcts --ps ps2_uct
    """
    from rich.console import Console

    from autograder.course.pipeline import preview
    from autograder.course.roster import set_meant
    from autograder.gradebook.policy.people_names import read_names
    from autograder.progress import ProgressBar
    from autograder.workers.capacity import workers_that_fit

    changes = preview(course, set_meant(course, ps), workers or workers_that_fit(), ProgressBar(Console(stderr=True)))
    moved, names = [change for change in changes if not change.is_first], read_names(course)
    for student in dict.fromkeys(change.student for change in changes if change.is_first):
        typer.echo(f"{names.beside(student)}  not recorded before")
    for change in moved:
        typer.echo(names.at_start(str(change), change.student))
    typer.echo(f"{len(moved)} change{'' if len(moved) == 1 else 's'} of points; nothing was recorded")


@app.command()
def excuse(
    course: Course,
    check: Annotated[str, typer.Argument(metavar="CHECK", help="the hidden check's name, as in the reports")],
    why: Annotated[str, typer.Option(help="the reason, for the log and for the students")],
    ps: PsOfCourse = None,
    undo: Annotated[bool, typer.Option("--undo", help="let it decide again")] = False,
) -> None:
    """Count a hidden check as passed for all students, from the next run on.

    Example: python -m autograder staff excuse courses/mcts test_greedy_takes_the_best_mean --ps ps2_uct --why "wrong in spring"
    """
    from autograder.course.roster import list_submissions, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.course.storage.report_store import ReportStore
    from autograder.grading.excused_checks import read_excused, write_excused
    from autograder.log import log

    ps = set_meant(course, ps)
    store = ReportStore(course, ps)
    reports = [report for entry in list_submissions(course, ps).entries if (report := store.get(entry.student)) is not None]
    names = {known.name for report in reports for exercise in report.exercises for known in exercise.checks}
    if check not in names:
        raise UserError(f"no report of {ps} in {course} has a check {check!r}: grade the class first, or correct the name")
    with course_lock(course):
        if undo and check not in read_excused(course, ps):
            raise UserError(f"{check} of {ps} is not excused: nothing was changed")
        log(course, "excuse", ps=ps, check=check, why=why, **({"undo": True} if undo else {}))  # no decision without its line
        write_excused(course, ps, check, why, undo)
    typer.echo(f"{check} of {ps} decides again from the next run on" if undo else
               f"{check} of {ps} counts as passed from the next run on; "
               "an exercise gets its points if it passes its other checks")


@app.command()
def drop(
    course: Course,
    exercise: Annotated[str, typer.Option(help="an exercise, such as 2.5; joint: the joint check", autocompletion=exercises)],
    why: Annotated[str, typer.Option(help="the reason, for the log and for the students")],
    ps: PsOfCourse = None,
    undo: Annotated[bool, typer.Option("--undo", help="let it count again")] = False,
) -> None:
    """Take an exercise out of a course from the next run on: it gives no points, and the set has fewer points at most.

    Example: python -m autograder staff drop courses/mcts --exercise 2.5 --ps ps2_uct --why "not taught this year"
    """
    from arena.near_miss import meant_or_listed
    from autograder.course.roster import check_course, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.grading.dropped_exercises import read_dropped, write_dropped
    from autograder.log import log
    from autograder.problem_sets.rules import JOINT
    from autograder.problem_sets.source import load

    ps = set_meant(course, ps)
    check_course(course, ps)
    known = load(ps).ids
    if exercise not in known:
        raise UserError(f"{ps} has no exercise {exercise!r}{meant_or_listed(exercise, known)}")
    with course_lock(course):
        if undo and exercise not in read_dropped(course, ps):
            raise UserError(f"{exercise} of {ps} counts already: nothing was changed")
        log(course, "drop", ps=ps, exercise=exercise, why=why, **({"undo": True} if undo else {}))  # no decision without its line
        write_dropped(course, ps, exercise, why, undo)
    if undo:
        typer.echo(f"{exercise} of {ps} counts again from the next run on, with the marks by hand that it had")
    else:
        typer.echo(f"{exercise} of {ps} does not count from the next run on: no points, no marks by hand, no maximum")
        if exercise != JOINT:
            typer.echo("the joint check still needs it: drop joint too, if students cannot have written it")


@app.command()
def extend(
    course: Course,
    student: Annotated[
        str | None, typer.Argument(metavar="STUDENT", help="a folder name under submitted/", autocompletion=students)
    ] = None,
    hours: Annotated[
        float | None, typer.Option(min=0, max=MOST_HOURS, help="hours after the due date; 0 removes an extension")
    ] = None,
    table: Annotated[Path | None, typer.Option(help="for many students: a CSV file with the columns id and hours")] = None,
    ps: PsOfCourse = None,
) -> None:
    """Extend the due date for one student or for those of a table; nobody need have handed in yet. The next run of grade uses it.

    A table with a wrong line changes nothing; every wrong line is named.

    Example: python -m autograder staff extend courses/mcts ada --hours 48 --ps ps2_uct
    """
    from autograder.course.roster import check_course, check_student, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.gradebook.extension import extend as extend_due_dates
    from autograder.gradebook.policy.bulk_table import read_values
    from autograder.gradebook.policy.people_names import read_names
    from autograder.log import log

    ps = set_meant(course, ps)
    check_course(course, ps)

    def hours_of(name: str, text: str) -> float:
        check_student(course, ps, name)
        try:
            more = float(text)
        except ValueError:
            more = math.nan
        if not 0 <= more <= MOST_HOURS:
            raise UserError(f"{one_line(text)!r} is not a number of hours, 0 to {MOST_HOURS}")
        return more

    if table is not None and student is None and hours is None:
        more = read_values(table, "hours", hours_of)
    elif table is None and student is not None and hours is not None:
        check_student(course, ps, student)
        more = {student: hours}
    else:
        raise UserError("name one STUDENT with --hours, or many students with --table")
    with course_lock(course):
        for name, number in more.items():
            log(course, "extend", ps=ps, student=name, hours=number)  # first: no decision counts without its line
        handed_in = extend_due_dates(course, ps, more)
    names = read_names(course)
    for name, number in more.items():
        when = "" if name in handed_in else ", from the first submission on"
        typer.echo(f"{names.beside(name)}: {number:g} hours more for {ps}{when}")


@app.command()
def exempt(
    course: Course,
    student: StudentName,
    why: Annotated[str, typer.Option(help="the reason, for the log alone")],
    ps: PsOfCourse = None,
    undo: Annotated[bool, typer.Option("--undo", help="let the set count again for this student")] = False,
) -> None:
    """Exempt a student from a set, from the next run on: it has no mark, and is neither in the total nor in the maximum.

    Work that is handed in all the same is graded and has its page.

    Example: python -m autograder staff exempt courses/mcts ada --ps ps2_uct --why "ill for three weeks"
    """
    from autograder.course.roster import check_course, check_student, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.gradebook.policy.exemptions import read_exempt, write_exempt
    from autograder.gradebook.policy.people_names import read_names
    from autograder.log import log

    ps = set_meant(course, ps)
    check_course(course, ps)
    check_student(course, ps, student)
    name = read_names(course).beside(student)
    with course_lock(course):
        if undo and student not in read_exempt(course, ps):
            raise UserError(f"{name} must do {ps} already: nothing was changed")
        log(course, "exempt", ps=ps, student=student, why=why, **({"undo": True} if undo else {}))  # no decision without its line
        write_exempt(course, ps, student, why, undo)
    typer.echo(f"{name}: {ps} counts again from the next run on" if undo else
               f"{name}: {ps} does not count from the next run on, neither in the total nor in the maximum")


@app.command()
def due(course: Course, ps: PsOfCourse = None) -> None:
    """List whose due date in a set is not the class's, and why; and who has used late-day tokens, in all sets.

    It says what counts from the next run of grade on.

    Example: python -m autograder staff due courses/mcts --ps ps2_uct
    """
    from autograder.course.roster import check_course, check_gradebook, set_meant
    from autograder.gradebook.course import open_course
    from autograder.gradebook.due_dates import DueDates, tokens_text
    from autograder.gradebook.nbgrader_patches import one_session
    from autograder.gradebook.policy.people_names import read_names

    ps = set_meant(course, ps)
    check_course(course, ps)
    check_gradebook(course, f"run make course COURSE={course}, or grade the class first")
    names, app = read_names(course), open_course(course, ps)
    with one_session(app) as gradebook:
        dates = DueDates(course, gradebook, other_rule=bool(app.config.AssignLatePenalties.get("plugin_class")))
        if ps not in dates.due:
            raise UserError(f"{ps} has no due date: give it one in {course}/course.toml")
        everybody = sorted(dates.everybody())
        for student in everybody:
            if (parts := dates.of(student, ps)).hours:
                typer.echo(f"{names.beside(student)}: {dates.sentence(student, ps, parts, 'this student')}")
        for student in everybody:
            if spent := dates.spent(student):
                typer.echo(f"{names.beside(student)}: {tokens_text(dates.tokens, spent)}")
        typer.echo(f"{ps} is due {dates.date(ps)} for everybody else")


@app.command()
def times(
    course: Course,
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="a CSV file with the columns id and time")],
    ps: PsOfCourse = None,
) -> None:
    """Set when students have handed in, for a platform that says only who is late; it counts from the next run of grade on.

    A time without a zone is in that of course.toml. A table with a wrong line changes nothing; every wrong line is named.

    Example: python -m autograder staff times courses/mcts late.csv --ps ps2_uct
    """
    from autograder.collect.hand_in_times import read_times, write_times
    from autograder.course.roster import check_course, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.log import log

    ps = set_meant(course, ps)
    check_course(course, ps)
    read = read_times(course, ps, table)
    with course_lock(course):
        for student, time in read.items():
            log(course, "times", ps=ps, student=student, time=time.isoformat(" "))  # first: no decision counts without its line
        changed = write_times(course, ps, read)
    typer.echo(f"{len(read)} hand-in times of {ps}, {changed} of them new: they count from the next run of grade on")


@app.command()
def dispute(
    course: Course,
    student: StudentName,
    exercise: Annotated[str, typer.Option(help="the exercise, such as 2.5, or joint")],
    opened: Annotated[str | None, typer.Option("--open", help="what the student objects to")] = None,
    answer: Annotated[str | None, typer.Option(help="what you answered")] = None,
    ps: PsOfCourse = None,
) -> None:
    """Record a dispute about an exercise, or its answer; the class page lists both from the next run of grade on.

    Example: python -m autograder staff dispute courses/mcts ada --exercise 2.5 --open "the sign is right" --ps ps2_uct
    """
    from autograder.course.roster import check_course, check_student, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.gradebook.policy.disputes import ANSWERED, OPEN, check_dispute, write_dispute
    from autograder.gradebook.policy.people_names import read_names
    from autograder.log import log
    from autograder.problem_sets.source import load

    state, text = (OPEN, opened) if opened is not None else (ANSWERED, answer)
    if (opened is None) == (answer is None) or not (text or "").strip():
        raise UserError("give either --open TEXT, what the student objects to, or --answer TEXT, what you answered")
    ps = set_meant(course, ps)
    known = load(ps).ids
    if exercise not in known:
        raise UserError(f"no exercise of {ps} is called {exercise!r}; choose from {', '.join(known)}")
    check_course(course, ps)
    check_student(course, ps, student)
    with course_lock(course):
        check_dispute(course, ps, student, exercise, state)
        log(course, "dispute", ps=ps, student=student, exercise=exercise, state=state, text=text)  # first, as every decision
        write_dispute(course, ps, student, exercise, state, str(text))
    typer.echo(f"{read_names(course).beside(student)}: the dispute about {exercise} of {ps} is {state}")


@app.command()
def erase(
    course: Course,
    student: StudentName,
    yes: Annotated[bool, typer.Option("--yes", help="erase; without it the command only lists where the student is")] = False,
) -> None:
    """Erase a student: files, rows, pages, cache, log and gradebook; then search the course for what is left.

    Exit codes: 0 nothing is left, or only listed; 1 something is left to look at; 2 a problem to solve first; 3 a grader is
    at work.

    Example: python -m autograder staff erase courses/mcts ada --yes
    """
    from autograder.course.erase import check_known, grouped, known_person, search
    from autograder.course.erase import erase as erase_student
    from autograder.gradebook.policy.people_names import read_names

    person = known_person(course, student)
    found, name = search(course, person), read_names(course).beside(student)
    check_known(course, person, found)
    for top, number in grouped(found).items():
        typer.echo(f"  {one_line(top)}: {number} place{'' if number == 1 else 's'}")
    if person.is_a_word:
        typer.echo(f"{student!r} is a word of the handed-out files too: in free text it counts only where it names somebody")
    if not yes:
        typer.echo(f"{one_line(name)} is in {len(found)} places; nothing was changed. --yes erases, and nothing brings it back")
        return
    done = erase_student(course, person)
    for what, paths in (("gone", done.removed), ("a part is gone", done.changed), ("now the other member's", done.moved),
                        ("gone from the exchange", done.outside), ("could not be removed", done.refused)):
        for path in paths:
            typer.echo(f"{what}: {one_line(path)}")
    for path, where in done.left:
        typer.echo(f"left, because it is not the student's own: {one_line(path)}{f', in {one_line(where)}' if where else ''}")
    typer.echo(f"the search finds {len(done.left) or 'nothing'}; run grade to write the removed pages of the class again. "
               "Backups, downloads elsewhere, and what students have been given are not in the course")
    raise typer.Exit(1 if done.left or done.refused else 0)


@app.command()
def archive(
    course: Course,
    to: Annotated[Path | None, typer.Option(help="the new zip; default: <course>.zip in this folder")] = None,
) -> None:
    """Write a course into one zip that opens in any browser, and can be restored: marks, hand-ins, feedback, versions, code.

    Example: python -m autograder staff archive courses/mcts --to mcts-2026.zip
    """
    from autograder.course.archive import archive as archive_course

    made = archive_course(course, to or Path(f"{course.resolve().name}.zip"))
    for link in made.links:
        typer.echo(f"left out, because it is a link or no file: {one_line(link)}")
    typer.echo(f"{made.path}: {made.files} files, {made.path.stat().st_size / 2**20:.1f} MiB of {made.bytes / 2**20:.1f} MiB")


@app.command()
def restore(
    archive: Annotated[Path, typer.Argument(metavar="ZIP", help="what staff archive has written")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="a new folder for the course")],
) -> None:
    """Restore a course from its archive into a new folder, and check every file.

    Example: python -m autograder staff restore mcts-2026.zip courses/mcts-again
    """
    from autograder.course.archive import restore as restore_course

    typer.echo(f"{restore_course(archive, folder)} files are in {folder}, and each is as it was")


@app.command()
def deal(
    course: Course,
    among: Annotated[str, typer.Option(help="the markers, by the names with which they mark: ann,ben")],
    by: Annotated[str, typer.Option(help="student: a student's answers go to one marker; exercise: those to a question do")] = (
        "student"),
    twice: Annotated[int, typer.Option(min=0, help="how many answers a second marker gets as well")] = 0,
    ps: PsOfCourse = None,
) -> None:
    """Deal the answers that are to be marked by hand among markers; each gets a table in COURSE/dealt. It may be run again.

    Example: python -m autograder staff deal courses/mcts --among ann,ben --twice 10 --ps ps2_uct
    """
    from arena.files import write_if_changed
    from autograder.course.roster import check_course, check_gradebook, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.csv_text import csv_text
    from autograder.gradebook.course import open_course
    from autograder.gradebook.dealing import BY_EXERCISE, BY_STUDENT, table_of
    from autograder.gradebook.dealing import deal as deal_answers
    from autograder.gradebook.nbgrader_patches import one_session
    from autograder.gradebook.policy.roster_file import ID, read_rows
    from autograder.log import log

    ps = set_meant(course, ps)
    check_course(course, ps)
    if by not in (BY_STUDENT, BY_EXERCISE):
        raise UserError(f"--by is {BY_STUDENT} or {BY_EXERCISE}, not {one_line(by)!r}")
    markers = [name.strip() for name in among.split(",")]
    if wrong := [name for name in markers if set(name) & set("/\\\0") or name.startswith(".") or not name.isprintable()]:
        raise UserError(f"{wrong[0]!r} is not the name of a marker")
    check_gradebook(course)
    with course_lock(course), one_session(open_course(course, ps)) as gradebook:
        dealt = deal_answers(course, gradebook, ps, markers, by, twice)
        log(course, "deal", ps=ps, among=markers, by=by, answers=len(dealt.first), twice=len(dealt.second))
        for marker in markers:
            place = course / "dealt" / f"{ps}-{marker}.csv"
            written = {row[ID]: row.get("score", "") for _, row in read_rows(place)} if place.exists() else {}
            rows = table_of(course, gradebook, ps, dealt, marker, written)
            write_if_changed(place, csv_text(["id", "question", "page", "mark", "score"], rows))
            second = sum(row[3] != "" for row in rows)
            more = f" and {second} second mark{'' if second == 1 else 's'}" if second else ""
            first = f"{len(rows) - second} answer{'' if len(rows) - second == 1 else 's'}"
            typer.echo(f"{one_line(marker)}: {first}{more}, {place}")
    typer.echo(f"{len(dealt.first)} answers of {ps} are dealt, {dealt.new} of them new")


@app.command()
def second(
    course: Course,
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="a table of staff deal, with scores in the lines with 'second'")],
    ps: PsOfCourse = None,
) -> None:
    """Take the scores of a second marker from a table; the gradebook keeps the first ones, and the class page has the difference.

    Lines without a score are left out. A table with a wrong line changes nothing; every wrong line is named.

    Example: python -m autograder staff second courses/mcts courses/mcts/dealt/ps2_uct-ben.csv --ps ps2_uct
    """
    from autograder.course.roster import check_course, check_gradebook, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.gradebook.course import open_course
    from autograder.gradebook.dealing import second_marks, write_second_marks
    from autograder.gradebook.nbgrader_patches import one_session
    from autograder.gradebook.policy.bulk_table import read_values
    from autograder.log import log

    ps = set_meant(course, ps)
    check_course(course, ps)
    check_gradebook(course)
    with one_session(open_course(course, ps)) as gradebook:
        known = second_marks(course, gradebook, ps)

    def score_of(key: str, text: str) -> float | None:
        if not text:
            return None
        if key not in known:
            raise UserError(f"{one_line(key)!r} is no answer of {ps} that two people mark")
        most = known[key][1]
        try:
            score = float(text.replace(",", "."))
        except ValueError:
            score = math.nan
        if not 0 <= score <= most:
            raise UserError(f"{one_line(text)!r} is not a score, 0 to {most:g}")
        return score

    given = {known[key][0]: score for key, score in read_values(table, "score", score_of).items() if score is not None}
    if not given:
        raise UserError(f"{table} has no scores: write them into the column score, in the lines with 'second'")
    with course_lock(course):
        for (student, cell), score in given.items():
            log(course, "second", ps=ps, student=student, cell=cell, score=score)  # first: no decision counts without its line
        write_second_marks(course, ps, given)
    marks = f"{len(given)} second mark{'' if len(given) == 1 else 's'}"
    typer.echo(f"{marks} of {ps}: the class page has the difference from the next run of grade on")
