"""A class of any size without two equal notebooks: answers from the banks of right and wrong answers, in turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.files import write_atomic
from autograder.course.storage.report_store import ReportStore
from autograder.grading.report import Outcome
from autograder.problem_sets.bank.answers import Answer
from autograder.problem_sets.rules import JOINT
from autograder.selftest.demo.submission_maker import SubmissionMaker, added

EDITION = "the edition of these classes\n"  # the same positions in every run


def class_of(maker: SubmissionMaker, students: int) -> Iterator[tuple[str, Answer]]:
    """Yield `students` of them, every second one with a right answer; both banks are used evenly for any number of students."""
    banks = (list(maker.right.values()), list(maker.wrong.values()))
    shares = (students - students // 2, students // 2)
    for number in range(students):
        bank, share = banks[number % 2], shares[number % 2]
        yield f"student-{number:05}", bank[number // 2 * len(bank) // share % len(bank)]


def hand_in(course: Path, ps: str, students: int) -> None:
    """Make a course folder; each notebook ends with its student's answer, below a line with the student's name."""
    maker = SubmissionMaker(ps)
    for student, answer in class_of(maker, students):
        text = added(maker.solved, f"# handed in by {student}\n{answer.code}")
        write_atomic(course / "submitted" / student / ps / f"{ps}.ipynb", text)
    write_atomic(course / "edition.secret", EDITION, mode=0o600)


def misjudged(course: Path, ps: str, students: int) -> list[str]:
    """Return a sentence for each student whose report disagrees with the bank."""
    store, wrong = ReportStore(course, ps), []
    for student, answer in class_of(SubmissionMaker(ps), students):
        report, must, may = store.get(student), {answer.exercise} - {None}, {answer.exercise, JOINT} if answer.exercise else set()
        lost = {exercise.id for exercise in report.exercises if exercise.outcome != Outcome.PASSED} if report else {"the report"}
        if not must <= lost <= may:
            wrong.append(f"{student} ({answer.title}): lost {', '.join(sorted(lost))}")
    return wrong
