"""Look over a class: read its submissions as text, compare them, write the page and the table for staff."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.build.source import check_known, load
from autograder.files import write_atomic
from autograder.gradebook.tables import csv_text
from autograder.grading import submission as submissions
from autograder.grading.marking import Watcher
from autograder.grading.roll import Entry, call_roll
from autograder.limits import trouble_of, within
from autograder.log import log
from autograder.similarity.fingerprints import Vocabulary
from autograder.similarity.pairs import Pair, Work, similar_pairs
from autograder.verify.bank import load_bank

RIGHT = Path(__file__).resolve().parents[2] / "tests" / "right"
MOST_LETTERS = 100_000  # of a submission; the longest solution of ours has a quarter
LEXER_CPU_S, LEXER_MIB = 5.0, 512  # so many letters of ordinary code take half a second


@dataclass(frozen=True)
class Findings:
    """What came of a look.

    pairs: the highest score first.    unread: (student, why) of those who could not be compared.
    untouched: how many handed in nothing but what they were given, or what every right answer has.
    """

    ps: str
    title: str
    pairs: tuple[Pair, ...]
    works: int
    untouched: int
    unread: tuple[tuple[str, str], ...]
    page: Path
    table: Path

    def line(self) -> str:
        """Return what there is to say in one line."""
        pairs = f"{len(self.pairs)} pair{'' if len(self.pairs) == 1 else 's'} to look at"
        return f"compared {self.works} submissions: {pairs}, {len(self.unread)} could not be read"


def look_over(course: Path, ps: str, watcher: Watcher | None = None) -> Findings:
    """Compare everybody's `ps` with everybody's, and write report/similarity-<ps>.html and .csv, readable by their owner alone.

    Raises:
        Trouble: no such problem set, no course, or nobody handed in.
    """
    from autograder.pages.similarity_page import similarity_page

    check_known(ps)
    watcher, roll, vocabulary = watcher or Watcher(), call_roll(course, ps), Vocabulary(load(ps))
    try:
        explained = what_the_set_explains(ps, vocabulary)  # first: what was handed out need not be taken apart again
        works, unread = [], []
        watcher.start("reading submissions", len(roll.entries))
        for entry in roll.entries:
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
    submission = submissions.read(entry.folder, ps)
    if submission.form == submissions.NONE:
        raise Unread(f"{submission.note} ({submission.trouble})" if submission.trouble else submission.note)
    try:
        cells = [(cell.exercise, cell.source) for cell in submission.cells if cell.role == "code"]
        letters = sum(len(source.strip()) for _, source in cells)
        worded = within(LEXER_CPU_S, LEXER_MIB, vocabulary.worded, cells) if letters <= MOST_LETTERS else []
        work = Work(entry.student, vocabulary.lettered(worded))
    except Exception as error:
        raise Unread(f"Its code cannot be taken apart: {trouble_of(error)}.") from error
    if letters > MOST_LETTERS:
        raise Unread(f"Its code has {letters:,} letters; at most {MOST_LETTERS:,} are compared.")
    return work


def what_the_set_explains(ps: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Return the fingerprints of everything that was handed out, of our solution, and of the right answers in other styles."""
    cells = [cell for cell in load(ps).cells if not cell.markdown]
    ours = [text for cell in cells for text in (cell.stub, cell.solution)]
    ours += [answer.code for answer in load_bank(RIGHT / f"{ps}.py")]
    return frozenset(one for piece in vocabulary.pieces((None, text) for text in ours) for one in piece.fingerprints)


def _table(pairs: list[Pair]) -> str:
    rows = [[pair.first.student, pair.second.student, f"{pair.score:.0f}", f"{pair.shared:.0f}", f"{pair.share:.2f}"]
            for pair in pairs]
    return csv_text(["student", "other", "score", "shared", "share"], rows)
