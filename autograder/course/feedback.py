"""The students' pages in feedback/: our pages, nbgrader's, and small pages as substitutes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from arena.challenge.report import ASSIGNMENT
from arena.files import write_if_changed
from autograder.course.recorded_code import recorded_code
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import WORK, Failures, open_course
from autograder.gradebook.due_dates import DueDates, tokens_text
from autograder.gradebook.feedback.publish import publish
from autograder.gradebook.hand_ins import side_files, team_sentence
from autograder.gradebook.ledger import GradebookEntry
from autograder.gradebook.nbgrader_patches import one_session
from autograder.gradebook.policy.exemptions import for_students, read_exempt
from autograder.gradebook.policy.teams_file import read_teams
from autograder.gradebook.stamp import HANDED_OVER, digest
from autograder.grading.edition import course_secret
from autograder.json_files import read_state, write_state
from autograder.limited_child import failure_text
from autograder.pages.environment import pages_version
from autograder.pages.student.report_page import ByHand, report_page
from autograder.pages.student.small_page import small_page
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet, load
from autograder.progress import Watcher


def feedback(course: Path, ps: str, watcher: Watcher | None = None, failures: Failures | None = None) -> list[str]:
    """Bring feedback/ up to date and return the students with a new page.

    A student whose page cannot be made gets a small page: the points, and nothing from the student's work. The files with
    which nbgrader finds a page are written too.

    Args:
        failures: see `publish`.

    Raises:
        CourseError: no student's page can be made.
    """
    course, failures = course.resolve(), defaultdict(list) if failures is None else failures
    published, teams = publish(course, ps, watcher, failures), read_teams(course)
    for student in published.without:
        folder = course / "feedback" / student / ps
        write_if_changed(folder / f"{ps}.html", small_page(student, load(ps), ReportStore(course, ps).get(student)))
        for name, data in side_files(course, student, ps, teams).items():
            write_if_changed(folder / name, data)
    if watcher:
        watcher.start("pages of the reports", None)
    _write_report_pages(course, ps, published.ledger, failures)
    _fit_for_release(course, ps, published.ledger)
    return published.new


def _fit_for_release(course: Path, ps: str, students: Iterable[str]) -> None:
    """Complete the two files without which `nbgrader release_feedback` ends in an error, for work that came another way.

    No student knows this secret of ours, so nobody can fetch another student's page with it.
    """
    secret = course_secret(course)
    for student in students:
        folder = course / "feedback" / student / ps
        own = hashlib.sha256(b"feedback:" + secret + f"{student}/{ps}".encode()).hexdigest()
        for name, text in zip(HANDED_OVER, ("", own), strict=True):
            if (folder / f"{ps}.html").is_file() and not (folder / name).exists():
                write_if_changed(folder / name, text)


def _write_report_pages(course: Path, ps: str, ledger: Mapping[str, GradebookEntry], failures: Failures) -> None:
    """Write feedback/<student>/<ps>/index.html for the students for whom anything on the page has changed."""
    problem_set, store, state_path = load(ps), ReportStore(course, ps), course / WORK / f"report-pages-{ps}.json"
    known, now, code, own = read_state(state_path), {}, pages_version(), own_lines(course, ps, ledger)
    for student, entry in sorted(ledger.items()):
        report, before, by_hand = store.get(student), store.before(student), by_hand_of(problem_set, entry)
        if report is None:
            continue
        path = course / "feedback" / student / ps / "index.html"
        links, when = _links(course, student, ps), _when(store, student, entry)
        now[student] = digest(repr([
            report, before and (before.sha256, before.points), by_hand, links, when, own.get(student, ""), code]))
        if known.get(student) == now[student] and path.is_file():
            continue
        try:
            sources = recorded_code(course, student, problem_set)
            page = report_page(student, problem_set, report, before, sources, by_hand, links, when, own.get(student, ""))
        except Exception as error:
            failures[student].append(f"its first feedback page could not be made ({failure_text(error)})")
            page = small_page(student, problem_set, report)
            del now[student]
        write_if_changed(path, page)
    if now != known:
        write_state(state_path, now)


def own_lines(course: Path, ps: str, students: Iterable[str]) -> dict[str, str]:
    """Return a line by student about the team, the due date where it is not the class's, and late-day tokens if there are any.

    A student who need not do the set reads this first.
    """
    lines, exempt = {}, read_exempt(course, ps)
    with one_session(open_course(course, ps)) as gradebook:
        dates = DueDates(course, gradebook)
        for student in students if ps in dates.due else ():
            parts = dates.counted(student, ps)
            spent = {name: number for name in dates.due if (number := dates.counted(student, name).tokens)}
            about = [dates.sentence(student, ps, parts)] if parts.hours or dates.tokens else []
            lines[student] = " ".join([*about, tokens_text(dates.tokens, spent)]).strip()
        for student in students:
            team = team_sentence(course, student, ps, dates.teams)
            first = f"{for_students('this set')} " if student in exempt else ""
            lines[student] = f"{first}{team} {lines.get(student, '')}".strip()
    return lines


def _when(store: ReportStore, student: str, entry: GradebookEntry) -> str:
    """Return when a submission was handed in, if the gradebook knows it, and when it was graded."""
    dates = [("handed in", entry.timestamp and entry.timestamp.strftime("%Y-%m-%d %H:%M")), ("graded", store.graded_at(student))]
    return ", ".join(f"{what} {date} UTC" for what, date in dates if date)


def by_hand_of(problem_set: ProblemSet, entry: GradebookEntry) -> ByHand:
    """Return what people have entered for one submission: marks and comments by exercise id, or by the name of a question."""
    names = {problem_set.grade_id(id): id for id in problem_set.ids}
    names |= {problem_set.code_id(exercise.id): exercise.id for exercise in problem_set.exercises}
    names |= {problem_set.grade_id(cell.id): f"question {cell.id}" for cell in problem_set.cells if cell.role == "answer"}
    marks = {names[id]: mark for id, mark in entry.manual.items() if mark is not None and id in names}
    comments = {names[id]: manual for id, (_, manual) in entry.comments.items() if manual and id in names}
    answers = {names[problem_set.grade_id(cell.id)]: float(cell.points) for cell in problem_set.cells if cell.role == "answer"}
    most = answers | {exercise.id: float(exercise.points) for exercise in problem_set.exercises} | {
        JOINT: float(problem_set.joint_points)}
    to_mark = {names[id]: most[names[id]] for id in entry.to_mark if id in names}
    unanswered = {name: most for name, most in answers.items() if name not in marks and name not in to_mark}
    return ByHand(marks, comments, entry.score, entry.penalty or 0.0, to_mark, unanswered)


def _links(course: Path, student: str, ps: str) -> dict[str, str]:
    """Return the student's other pages, relative to this one."""
    folder = course / "feedback" / student
    pages = {"the whole notebook, with the checks and the comments in it": (folder / ps, f"{ps}.html"),
             "the games of the final challenge": (folder / ASSIGNMENT, f"{ASSIGNMENT}.html")}
    return {text: name if where.name == ps else f"../{where.name}/{name}"
            for text, (where, name) in pages.items() if (where / name).is_file()}
