"""For staff: run one hidden check of a submission again, and answer a complaint about it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from arena.errors import UserError
from arena.near_miss import did_you_mean
from autograder.course.promise import promise
from autograder.course.shown_assertion import assertion_lines, sides_kept
from autograder.course.shown_calls import TITLES, Attempt, Trace
from autograder.gradebook.course_python import check_python
from autograder.gradebook.policy.grading_settings import settings_of
from autograder.grading.config import Settings
from autograder.grading.edition import SECRET_NAME, named_secret, public_secret
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.hidden_checks.student_proxy import DidNotRaise
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.outcomes import Finding
from autograder.grading.report import JOINT_TITLE, Outcome
from autograder.grading.submission_runner import SubmissionRunner, budget_under
from autograder.pages.student.explained_page import explained_page
from autograder.plain_text import plain_text
from autograder.problem_sets.rules import JOINT
from autograder.sandbox.errors import StudentError, WrongType
from autograder.submission.discover import NONE
from autograder.submission.read import Submission, read_folder

TWINS = ("", "twin 1", "twin 2", "twin 3", "twin 4")  # names of editions; everybody may see what is drawn from them
SHOWN = ("  expected:", "  came:", "  first difference:", "  it says:")  # not the code of the check and its values
AFTER_OTHERS = "    It passes alone, and fails after the other checks of its exercise: something stays from one call to the next."
GIVEN_AWAY = "Your answer itself is judged here. Another tree or implementation like those of the check would give it away."
NO_TWIN = "In five editions that everybody may see your code passes this check. Ask your instructor, who sees the inputs."


def explain(folder: Path, ps: str, check: str) -> str:
    """Return the answer to a complaint about one check: calls, expected and actual values, the promise, the command again.

    If `folder` is in a course (submitted/<student>/<ps>), the course's edition is used, otherwise the public edition.

    Raises:
        UserError: the folder or the check does not exist, or the folder contains nothing readable.
    """
    submission = submission_in(folder, ps)
    trace = Trace()
    id, finding = _finding(submission, settings_in(folder, ps), check, trace)
    command = f"{shlex.quote(sys.executable)} -m autograder explain {shlex.quote(str(folder))} --check {check} --ps {ps}"
    own = next(known for known in hidden_suite(ps).checks if known.name == check)
    parts = [
        f"{id} {check}: {finding.outcome}",
        f"    {finding.line}",
        *([f"    hint: {finding.hint}"] if finding.hint else []),
        *([AFTER_OTHERS] if trace.together else []),
        "",
        *_attempts(trace.attempts, finding),
        *promise(submission.problem_set, own),
        f"again: {command}",
    ]
    return plain_text("\n".join(parts))  # an exception's message is the student's own text


def explain_to_student(folder: Path, ps: str, check: str) -> str:
    """Return a page that answers a student's complaint: inputs of a public edition replace the hidden ones.

    Where the student's answer itself is judged ("find the bug", "break it"), a twin would give the answer away: the page then
    has the check's sentence, its hint and the lesson's words.

    Raises:
        UserError: as for `explain`.
    """
    submission = submission_in(folder, ps)
    id, finding = _finding(submission, settings_in(folder, ps), check, Trace())
    own = next(known for known in hidden_suite(ps).checks if known.name == check)
    exercise = next((known for known in submission.problem_set.exercises if known.id == id), None)
    title = exercise.title if exercise else JOINT_TITLE
    words = promise(submission.problem_set, own)
    if finding.outcome == Outcome.PASSED:
        return explained_page(id, title, finding.line, None, words, why_not="Your code passes this check.")
    if own.fresh or (exercise and exercise.constant):
        return explained_page(id, title, finding.line, finding.hint, words, why_not=GIVEN_AWAY)
    for edition in TWINS:
        trace = Trace()
        _, twin = _finding(submission, Settings(named_secret(edition)), check, trace)
        if twin.outcome != Outcome.PASSED and trace.attempts:
            decisive = _decisive(trace.attempts, twin)
            verdict = [line for line in _verdict(decisive) if line.startswith(SHOWN)]
            return explained_page(id, title, finding.line, finding.hint, words, verdict=verdict, calls=decisive.lines())
    return explained_page(id, title, finding.line, finding.hint, words, why_not=NO_TWIN)


def submission_in(folder: Path, ps: str) -> Submission:
    """Return the submission in a folder.

    Raises:
        UserError: the folder does not exist, or contains nothing readable.
    """
    if not folder.is_dir():
        raise UserError(f"no such folder: {folder}")
    within_course = folder.resolve().parents
    if len(within_course) > 1 and within_course[0].name == "submitted" and (within_course[1] / SECRET_NAME).is_file():
        raise UserError(f"{folder} is the folder of a student; give the folder of a problem set in it: {folder / ps}")
    submission = read_folder(folder, ps)
    if submission.form == NONE:
        raise UserError(f"nothing to run in {folder}: {submission.note}")
    return submission


def _finding(submission: Submission, settings: Settings, check: str, trace: Trace) -> tuple[str, Finding]:
    """Run one check, and return its exercise and its finding; `trace` keeps what travelled.

    If it passes alone, all checks of its exercise are run as in grading: code that keeps something from one call to the next
    may fail only after the others.
    """
    results = _run(submission, settings, trace, check)
    if not results:
        ps = submission.problem_set.name
        near = did_you_mean(check, (known.name for known in hidden_suite(ps).checks))
        where = f"; reports/<student>/{ps}.json has their names, and the page of the class shows those that are lost"
        raise UserError(f"no check is called {check!r} in {ps}{near or where}")
    id, finding = results[-1]
    if finding.outcome == Outcome.PASSED and id != JOINT:
        together = Trace()
        finding = next(result for _, result in _run(submission, settings, together, exercise=id) if result.name == check)
        own = [attempt for attempt in together.attempts if attempt.check == check]
        if finding.outcome != Outcome.PASSED and own:
            trace.attempts, trace.together = own, True
    return id, finding


def _run(
    submission: Submission, settings: Settings, trace: Trace, check: str | None = None, exercise: str | None = None
) -> list[tuple[str, Finding]]:
    """Run one check, or all of an exercise, and return the findings, each with its exercise."""
    runner = SubmissionRunner(submission, True, budget_under(settings.cpu_s), trace=trace)
    run = SuiteRun(runner, settings, only=check, exercise=exercise)
    try:
        with sides_kept(trace):
            run.run()
    finally:
        runner.close()
    return [(id, finding) for id, of_exercise in run.findings.items() for finding in of_exercise]


def _attempts(attempts: list[Attempt], finding: Finding) -> list[str]:
    """Return the lines on the attempt that counts; another attempt with the same lines is only named."""
    if not attempts:
        return [finding.staff.rstrip() or "the check was not run", ""]
    decisive = _decisive(attempts, finding)
    verdict = _verdict(decisive)
    lines = [*verdict, "", f"What the check did, {TITLES[decisive.mode]}:", *decisive.lines(), ""]
    for other in attempts:
        if other is not decisive:
            others = _verdict(other)
            if others[:4] == verdict[:4]:  # further values may name other objects
                lines.append(f"The result {TITLES[other.mode]} is the same.")
            else:
                lines += [f"The result {TITLES[other.mode]}:", *(f"    {line}" for line in others)]
            lines.append("")
    return lines


def _decisive(attempts: list[Attempt], finding: Finding) -> Attempt:
    """Return the attempt that counts: one that passed if the check passed, else the first."""
    return next((attempt for attempt in attempts if (attempt.error is None) == (finding.outcome == Outcome.PASSED)), attempts[0])


def _verdict(attempt: Attempt) -> list[str]:
    """Return what was expected and what came in an attempt."""
    error = attempt.error
    if error is None:
        return ["The check passed: nothing went wrong."]
    if lines := assertion_lines(attempt):
        return lines
    if isinstance(error, DidNotRaise):
        last = next((call for call in reversed(attempt.calls) if call.runs), None)
        came = f"no error, but {last.answer}" if last else "no error"
        kind = str(error).removesuffix(" was raised").removeprefix("no ")
        return ["The check expects an error:", f"  expected: {kind}", f"  came:     {came}"]
    expected, came = "an answer, as the lesson promises it", f"{type(error).__name__}: {error}"
    if isinstance(error, WrongType):
        expected, came = error.expected, error.received
    lines = ["The check ended before it could compare:", f"  expected: {expected}", f"  came:     {came}"]
    if isinstance(error, StudentError) and error.staff:
        lines += ["  in the submission's process:", *(f"    {line}" for line in error.staff.rstrip().splitlines())]
    return lines


def settings_in(folder: Path, ps: str) -> Settings:
    """Return the settings of the course that contains this folder of a submission, otherwise those of the public edition.

    Raises:
        UserError: another Python grades the course, under which the check may end in another way.
    """
    course = folder.resolve().parents[2] if len(folder.resolve().parents) > 2 else folder
    if not (course / SECRET_NAME).is_file():
        return Settings(public_secret())
    check_python(course)
    return settings_of(course, ps)
