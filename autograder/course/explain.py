"""For staff: run one hidden check of a submission again and show all requests and answers."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

from arena.errors import UserError
from arena.near_miss import did_you_mean
from autograder.gradebook.policy.grading_settings import settings_of
from autograder.grading.config import Settings
from autograder.grading.edition import SECRET_NAME, public_secret
from autograder.grading.hidden_checks.answer_types import describe
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.report import Outcome
from autograder.grading.submission_runner import SubmissionRunner, budget_under
from autograder.sandbox.codec import HandleId, Special
from autograder.sandbox.errors import StudentError
from autograder.sandbox.session import Session
from autograder.submission.discover import NONE
from autograder.submission.read import read_folder

MOST_LINES = 200
_QUIET = ("compile", "load", "rebind")


def explain(folder: Path, ps: str, check: str) -> str:
    """Return the record of one check: requests, answers, expected values, and the command to run it again.

    If `folder` is in a course (submitted/<student>/<ps>), the course's edition is used, otherwise the public edition.

    Raises:
        UserError: the folder or the check does not exist, or the folder contains nothing readable.
    """
    if not folder.is_dir():
        raise UserError(f"no such folder: {folder}")
    within_course = folder.resolve().parents
    if len(within_course) > 1 and within_course[0].name == "submitted" and (within_course[1] / SECRET_NAME).is_file():
        raise UserError(f"{folder} is the folder of a student; give the folder of a problem set in it: {folder / ps}")
    submission = read_folder(folder, ps)
    if submission.form == NONE:
        raise UserError(f"nothing to run in {folder}: {submission.note}")
    trace = Trace()
    course = _course(folder)
    settings = settings_of(course, ps) if course else Settings(public_secret())
    runner = SubmissionRunner(submission, True, budget_under(settings.cpu_s), trace=trace)
    run = SuiteRun(runner, settings, only=check)
    try:
        run.run()
    finally:
        runner.close()
    findings = [(id, finding) for id, of_exercise in run.findings.items() for finding in of_exercise]
    if not findings:
        near = did_you_mean(check, (known.name for known in hidden_suite(ps).checks))
        where = f"; reports/<student>/{ps}.json has their names, and the page of the class shows those that are lost"
        raise UserError(f"no check is called {check!r} in {ps}{near or where}")
    id, finding = findings[-1]
    command = f"{shlex.quote(sys.executable)} -m autograder explain {shlex.quote(str(folder))} --check {check} --ps {ps}"
    parts = [
        f"{id} {check}: {finding.outcome}",
        f"    {finding.line}",
        f"    hint: {finding.hint}" if finding.hint else "",
        *trace.lines(),
        "",
        finding.staff.rstrip() or ("nothing went wrong" if finding.outcome == Outcome.PASSED else ""),
        "",
        f"again: {command}",
    ]
    return "\n".join(part for part in parts if part is not None)


def _course(folder: Path) -> Path | None:
    """Return the course that contains this folder of a submission; None if no course does."""
    course = folder.resolve().parents[2] if len(folder.resolve().parents) > 2 else folder
    return course if (course / SECRET_NAME).is_file() else None


class Trace:
    """Records each request of the grader and its answer, attempt by attempt."""

    def __init__(self) -> None:
        self._attempts: list[tuple[str, list[str]]] = []

    def attempt(self, mode: str) -> None:
        """Begin the lines of a new process."""
        titles = {"ours": "over our versions of the exercises it calls", "own": "over the student's own functions"}
        self._attempts.append((titles[mode], []))

    def watch(self, session: Session) -> None:
        """Record every request of `session`."""
        request, later = session.request, session.later

        def traced_later(operation: str, *arguments: Any) -> None:
            self._note(operation, f"{operation} {', '.join(map(_text, arguments))}")
            later(operation, *arguments)

        def traced(operation: str, *arguments: Any) -> Any:
            asked = f"{operation} {', '.join(map(_text, arguments))}"
            try:
                answer = request(operation, *arguments)
            except StudentError as error:
                self._note(operation, f"{asked}\n        !! {type(error).__name__}: {error}")
                raise
            self._note(operation, f"{asked}\n        -> {_text(answer)}")
            return answer

        session.request, session.later = traced, traced_later  # type: ignore[method-assign]  # of this one session

    def _note(self, operation: str, line: str) -> None:
        if operation not in _QUIET and self._attempts:
            self._attempts[-1][1].append(line)

    def lines(self) -> list[str]:
        """Return the recorded lines; long records are cut in the middle."""
        result = []
        for title, lines in self._attempts:
            cut = len(lines) - MOST_LINES
            shown = lines if cut <= 0 else [*lines[: MOST_LINES // 2], f"... {cut} more ...", *lines[-MOST_LINES // 2 :]]
            result += ["", f"requests and answers, {title}:", *(f"    {line}" for line in shown)]
        return result


def _text(value: Any) -> str:
    if isinstance(value, HandleId):
        return f"object {value.id}"
    if isinstance(value, Special):
        return value.value if value.name == "function" else f"{value.name} {value.value}"
    if isinstance(value, (list, tuple)) and len(value) < 20:
        inner = ", ".join(map(_text, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return describe(value).partition(" ")[2]
