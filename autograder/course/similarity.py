"""Compare the submissions of a class: read them as text, compare them, write the page and the table for staff."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.files import write_atomic
from autograder.course.class_report import write_front_page
from autograder.course.published import look_for_ours
from autograder.course.roster import list_submissions
from autograder.csv_text import csv_text
from autograder.gradebook.policy.people_names import Names, read_names
from autograder.gradebook.policy.teams_file import read_teams
from autograder.limited_child import failure_text, within
from autograder.log import log
from autograder.modes import in_course
from autograder.pages.course.similarity_page import similarity_page
from autograder.problem_sets.source import ProblemSet, check_known, load
from autograder.progress import Watcher
from autograder.similarity.fingerprints import Vocabulary
from autograder.similarity.pairs import Pair, SimilarPairs, Work, similar_pairs
from autograder.submission.discover import NONE, Entry
from autograder.submission.read import read_folder

MOST_LETTERS = 100_000  # in a submission; our longest solution has a quarter of that
LEXER_CPU_S, LEXER_MIB = 5.0, 512  # MOST_LETTERS of ordinary code take half a second


def look_over(course: Path, ps: str, watcher: Watcher | None = None, right_answers: Sequence[str] = ()) -> SimilarPairs:
    """Compare all submissions of `ps` with each other; write report/similarity-<ps>.html and .csv.

    Args:
        right_answers: right answers in other styles than our solution's; their code is not a sign of a copy.

    Raises:
        UserError: the problem set does not exist, the folder is not a course, or nobody has handed in.
    """
    check_known(ps)
    watcher, listed, problem_set = watcher or Watcher(), list_submissions(course, ps).works, load(ps)
    vocabulary = Vocabulary(problem_set)
    try:
        # first, so that the handed-out code is parsed only once
        explained = what_the_set_explains(problem_set, vocabulary, right_answers)
        works, unread = [], []
        watcher.start("reading submissions", len(listed))
        for entry in listed:
            try:
                works.append(read_work(entry, ps, vocabulary))
            except Unread as error:
                unread.append((entry.student, str(error)))
            watcher.step(entry.student)
        watcher.start("comparing", len(works))
        pairs = similar_pairs(works, explained, watcher.reach)
        identical = look_for_ours(course, problem_set, listed, watcher)
    finally:
        watcher.end()
    names = read_names(course)
    untouched = sum(work.fingerprints <= explained for work in works)
    page = course / "report" / f"similarity-{ps}.html"
    findings = SimilarPairs(
        ps, problem_set.title, tuple(pairs), len(works), untouched, tuple(unread), identical, page, page.with_suffix(".csv"))
    with in_course(course):
        write_atomic(findings.page, similarity_page(findings, names, read_teams(course)), mode=0o660)
        write_atomic(findings.table, _table(pairs, names), mode=0o660)
        write_front_page(course)  # it links to this page
        log(course, "similarity", ps=ps, submissions=len(works), pairs=len(pairs), identical=len(identical.by_student),
            unread=len(unread))
    return findings


class Unread(Exception):
    """A submission cannot be compared; the text says why."""


def read_work(entry: Entry, ps: str, vocabulary: Vocabulary) -> Work:
    """Read one submission as the grader does, as text.

    Raises:
        Unread: the submission cannot be read, is too long, or cannot be parsed in reasonable time.
    """
    submission = read_folder(entry.folder, ps)
    if submission.form == NONE:
        raise Unread(f"{submission.note} ({submission.failure})" if submission.failure else submission.note)
    try:
        cells = [(cell.exercise, cell.source) for cell in submission.cells if cell.role == "code"]
        letters = sum(len(source.strip()) for _, source in cells)
        worded = within(LEXER_CPU_S, LEXER_MIB, vocabulary.worded, cells) if letters <= MOST_LETTERS else []
        work = Work(entry.student, vocabulary.lettered(worded))
    except Exception as error:
        raise Unread(f"Its code cannot be parsed: {failure_text(error)}.") from error
    if letters > MOST_LETTERS:
        raise Unread(f"Its code has {letters:,} letters; at most {MOST_LETTERS:,} are compared.")
    return work


def what_the_set_explains(problem_set: ProblemSet, vocabulary: Vocabulary, right_answers: Sequence[str] = ()) -> frozenset[str]:
    """Return the fingerprints of the handed-out code, of our solution, and of the right answers in other styles."""
    cells = [cell for cell in problem_set.cells if not cell.markdown]
    ours = [text for cell in cells for text in (cell.stub, cell.solution)]
    pieces = vocabulary.pieces((None, text) for text in (*ours, *right_answers))
    return frozenset(fingerprint for piece in pieces for fingerprint in piece.fingerprints)


def _table(pairs: list[Pair], names: Names) -> str:
    rows = [[pair.first.student, pair.second.student, f"{pair.score:.0f}", f"{pair.shared:.0f}", f"{pair.share:.2f}",
             *([names.of(pair.first.student), names.of(pair.second.student)] if names else [])] for pair in pairs]
    return csv_text(["student", "other", "score", "shared", "share", *(["name", "other_name"] if names else [])], rows)
