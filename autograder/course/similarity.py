"""Look over a class: read its submissions as text, compare them, write the page and the table for staff."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.files import write_atomic
from autograder.course.roster import list_submissions
from autograder.csv_text import csv_text
from autograder.limited_child import failure_text, within
from autograder.log import log
from autograder.pages.similarity_page import similarity_page
from autograder.problem_sets.source import check_known, load
from autograder.progress import Watcher
from autograder.similarity.fingerprints import Vocabulary
from autograder.similarity.pairs import Findings, Pair, Work, similar_pairs
from autograder.submission.discover import NONE, Entry
from autograder.submission.read import read_folder

MOST_LETTERS = 100_000  # of a submission; the longest solution of ours has a quarter
LEXER_CPU_S, LEXER_MIB = 5.0, 512  # so many letters of ordinary code take half a second


def look_over(course: Path, ps: str, watcher: Watcher | None = None, right_answers: Sequence[str] = ()) -> Findings:
    """Compare everybody's `ps` with everybody's, and write report/similarity-<ps>.html and .csv, readable by their owner alone.

    Args:
        right_answers: code that any right submission may have, in other styles than our solution's; it is no sign of a copy.

    Raises:
        UserError: no such problem set, no course, or nobody handed in.
    """
    check_known(ps)
    watcher, listed, vocabulary = watcher or Watcher(), list_submissions(course, ps), Vocabulary(load(ps))
    try:
        # first: what was handed out need not be taken apart again
        explained = what_the_set_explains(ps, vocabulary, right_answers)
        works, unread = [], []
        watcher.start("reading submissions", len(listed.entries))
        for entry in listed.entries:
            try:
                works.append(read_work(entry, ps, vocabulary))
            except Unread as error:
                unread.append((entry.student, str(error)))
            watcher.step(entry.student)
        watcher.start("comparing", len(works))
        pairs = similar_pairs(works, explained, watcher.reach)
    finally:
        watcher.end()
    untouched = sum(work.fingerprints <= explained for work in works)
    page = course / "report" / f"similarity-{ps}.html"
    findings = Findings(ps, load(ps).title, tuple(pairs), len(works), untouched, tuple(unread), page, page.with_suffix(".csv"))
    write_atomic(findings.page, similarity_page(findings), mode=0o600)
    write_atomic(findings.table, _table(pairs), mode=0o600)
    log(course, "similarity", ps=ps, submissions=len(works), pairs=len(pairs), unread=len(unread))
    return findings


class Unread(Exception):
    """A submission that cannot be compared, and why."""


def read_work(entry: Entry, ps: str, vocabulary: Vocabulary) -> Work:
    """Read one submission as the grader does, as text.

    Raises:
        Unread: nothing of it can be read, it is too long, or it cannot be taken apart in reasonable time.
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
        raise Unread(f"Its code cannot be taken apart: {failure_text(error)}.") from error
    if letters > MOST_LETTERS:
        raise Unread(f"Its code has {letters:,} letters; at most {MOST_LETTERS:,} are compared.")
    return work


def what_the_set_explains(ps: str, vocabulary: Vocabulary, right_answers: Sequence[str] = ()) -> frozenset[str]:
    """Return the fingerprints of everything that was handed out, of our solution, and of the right answers in other styles."""
    cells = [cell for cell in load(ps).cells if not cell.markdown]
    ours = [text for cell in cells for text in (cell.stub, cell.solution)]
    pieces = vocabulary.pieces((None, text) for text in (*ours, *right_answers))
    return frozenset(one for piece in pieces for one in piece.fingerprints)


def _table(pairs: list[Pair]) -> str:
    rows = [[pair.first.student, pair.second.student, f"{pair.score:.0f}", f"{pair.shared:.0f}", f"{pair.share:.2f}"]
            for pair in pairs]
    return csv_text(["student", "other", "score", "shared", "share"], rows)
