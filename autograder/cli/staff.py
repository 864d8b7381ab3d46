"""Decisions of staff about a course; each decision is a line in COURSE/log.jsonl."""

from datetime import timedelta
from typing import Annotated

import typer

from arena.errors import UserError
from autograder.cli.completion import exercises
from autograder.cli.options import Course, PsOfCourse, StudentName

MOST_HOURS = 10 * 366 * 24  # ten years: a longer extension is a typing error, and too long for dates

app = typer.Typer(
    help="Decisions about a course: excuse a check, drop an exercise, extend a due date, answer a dispute.", no_args_is_help=True)


@app.command()
def roster(course: Course, ps: PsOfCourse = None) -> None:
    """List who has handed in, who is missing, and which folders are irregular.

    Example: python -m autograder staff roster courses/mcts --ps ps2_uct
    """
    from autograder.course.grade_class import not_what_was_asked_for
    from autograder.course.roster import list_submissions, set_meant
    from autograder.submission.read import read_folder

    ps = set_meant(course, ps)
    listed = list_submissions(course, ps)
    for remark in listed.remarks:
        typer.echo(remark)
    for entry in listed.entries:
        submission = read_folder(entry.folder, ps)
        for remark in not_what_was_asked_for(entry.student, submission.form, submission.note):
            typer.echo(remark)
    total = len(listed.entries)
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
    from autograder.progress import ProgressBar
    from autograder.workers.capacity import workers_that_fit

    changes = preview(course, set_meant(course, ps), workers or workers_that_fit(), ProgressBar(Console(stderr=True)))
    moved = [change for change in changes if not change.is_first]
    for student in dict.fromkeys(change.student for change in changes if change.is_first):
        typer.echo(f"{student}  not recorded before")
    for change in moved:
        typer.echo(str(change))
    typer.echo(f"{len(moved)} changes of points; nothing was recorded")


@app.command()
def excuse(
    course: Course,
    check: Annotated[str, typer.Argument(metavar="CHECK", help="the hidden check's name, as in the reports")],
    why: Annotated[str, typer.Option(help="the reason, for the log and for the students")],
    ps: PsOfCourse = None,
) -> None:
    """Count a hidden check as passed for all students, from the next run on.

    Example: python -m autograder staff excuse courses/mcts test_greedy_takes_the_best_mean --ps ps2_uct --why "wrong in spring"
    """
    from autograder.course.roster import list_submissions, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.course.storage.report_store import ReportStore
    from autograder.grading.excused_checks import write_excused
    from autograder.log import log

    ps = set_meant(course, ps)
    store = ReportStore(course, ps)
    reports = [report for entry in list_submissions(course, ps).entries if (report := store.get(entry.student)) is not None]
    names = {known.name for report in reports for exercise in report.exercises for known in exercise.checks}
    if check not in names:
        raise UserError(f"no report of {ps} in {course} has a check {check!r}: grade the class first, or correct the name")
    with course_lock(course):
        log(course, "excuse", ps=ps, check=check, why=why)  # first: no decision counts without its line
        write_excused(course, ps, check, why)
    typer.echo(f"{check} of {ps} counts as passed from the next run on; "
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
    student: StudentName,
    hours: Annotated[float, typer.Option(min=0, max=MOST_HOURS, help="hours after the due date; 0 removes an extension")],
    ps: PsOfCourse = None,
) -> None:
    """Extend the due date for one student, who need not have handed in yet; the next run of grade uses it.

    Example: python -m autograder staff extend courses/mcts ada --hours 48 --ps ps2_uct
    """
    from autograder.course.roster import check_course, check_student, set_meant
    from autograder.course.storage.lock import course_lock
    from autograder.gradebook.extension import extend as extend_due_date
    from autograder.log import log

    ps = set_meant(course, ps)
    check_course(course, ps)
    check_student(course, ps, student)
    with course_lock(course):
        log(course, "extend", ps=ps, student=student, hours=hours)  # first: no decision counts without its line
        handed_in = extend_due_date(course, ps, student, timedelta(hours=hours))
    typer.echo(f"{student}: {hours:g} hours more for {ps}{'' if handed_in else ', from the first submission on'}")


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
    typer.echo(f"{student}: the dispute about {exercise} of {ps} is {state}")
