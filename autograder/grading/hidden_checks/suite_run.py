"""Run a hidden suite over one submission, each exercise in a fresh process.

For each exercise the checks first run over our functions: the exercises before it are the reference's. If one fails, the
checks run again over the student's own functions, in a second process, and the better of the two counts. Where the student's
code is the judge ("break it"), nothing of ours is beside it. A reference run (reference.py) helps to decide what a check's
end means.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from arena.edition import dice
from autograder.grading import outcomes
from autograder.grading.config import Settings
from autograder.grading.hidden_checks import known_mistakes as recognise
from autograder.grading.hidden_checks import one_answer
from autograder.grading.hidden_checks.collect import HiddenCheck, Suite, hidden_suite
from autograder.grading.hidden_checks.own_time import StuckError, own_time_limited
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.grading.outcomes import Finding, Wording
from autograder.grading.reference import our_submission
from autograder.grading.report import Outcome
from autograder.grading.stored_findings import Part
from autograder.grading.submission_runner import EXERCISE_CPU_S, OURS, OWN, SubmissionRunner
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import Exercise
from autograder.sandbox.bubblewrap import SandboxUnavailable
from autograder.sandbox.errors import Costly, HostKill, StudentError, WallClockTimeout
from autograder.sandbox.host.host_lock import HostLock
from autograder.sandbox.profiles import profile_of
from autograder.sandbox.sandbox import SandboxDied
from autograder.sandbox.session import MOST_OF_OURS_S, Session

HOST_TROUBLE = (WallClockTimeout, HostKill, SandboxDied)  # a busy or full host may cause these too
OWN_CPU_S = 30.0  # CPU time of the grader for one check; they need hundredths of a second
AGAIN_CPU_S = 3.0  # for a check that did not end here before: everybody has its edition, and 30 s for each of 600 are five hours
FAIL_FAST_CPU_S = 2.0
MOST_SLOW = 3  # processes of one exercise's fresh checks that may use up their time; then no more are tried


def cpu_limit(checks: Iterable[HiddenCheck]) -> float:
    """Return the CPU seconds that an exercise has for these checks of it, where the course sets no limit of its own."""
    return max(check.cpu_s or EXERCISE_CPU_S for check in checks)


def nobody(part: float) -> None:
    """Take the graded part of a submission, in [0, 1], and do nothing with it."""


@dataclass
class _Attempt:
    """One attempt at an exercise, and the process in which its checks run now.

    exercise, mode, cpu_s: as in `SubmissionRunner.begin`. host_lock: the attempt's place among the exercises of this host.
    longer: the factor by which the grader's own limits are longer than usual.
    ours_from_s: the grader's CPU time at the beginning.
    mode_asked: whether a check has asked for the mode; then another mode may give it other inputs.
    """

    exercise: Exercise | None
    mode: str
    cpu_s: float
    longer: float
    host_lock: HostLock
    ours_from_s: float = field(default_factory=time.process_time)
    session: Session | None = None
    student: Student | None = None  # the fixture of `session`
    mode_asked: bool = False


@dataclass
class SuiteRun:
    """One submission under the suite. After `run`, `findings` holds the findings of all checks, for each exercise id.

    only: the name of a single check, for `explain` and for the reference run.
    exercise: the id of a single exercise. ours_only: no second attempt over the submission's own functions, where it would meet
        the same functions and inputs: for answers of our banks, whose other functions are ours. fail_fast: an attempt has
        FAIL_FAST_CPU_S and ends with the first check that is not passed: for mutants (see selftest/one_exercise.py).
    host_lock: a place among the exercises of this host that the caller holds; without it each attempt takes its own.
    waits_for: the exercises that kept the joint check from being run.
    answers: to questions whose answer can be guessed, by exercise; one submission has one answer.
    doubtful: the host may have influenced the findings, so that they must not be cached.
    known: parts of an earlier grading that hold for this one; they are taken instead of being found again.
    parts: of this grading, by exercise. taken: the number of known ones among the exercises and the joint check.
    stuck: a check did not end in the grader, which shortens the next try of that check.
    tell: is called before each exercise with the part of the exercises that is done, in [0, 1].
    """

    runner: SubmissionRunner
    settings: Settings
    only: str | None = None
    exercise: str | None = None
    ours_only: bool = False
    fail_fast: bool = False
    host_lock: HostLock | None = None
    is_reference: bool = False
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    waits_for: tuple[str, ...] = ()
    errors: list[str] = field(default_factory=list)
    answers: dict[str, one_answer.Given] = field(default_factory=dict)
    doubtful: bool = False
    stuck: bool = False
    known: Mapping[str, Part] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)
    taken: int = 0
    tell: Callable[[float], None] = nobody
    _now: _Attempt = field(init=False, repr=False)

    @property
    def suite(self) -> Suite:
        """The hidden suite of the submission's problem set."""
        return hidden_suite(self.runner.problem_set.name)

    def run(self) -> None:
        """Run the suite. Errors of the suite itself are in `errors`.

        Raises:
            SandboxUnavailable: this host cannot build the sandbox; the text says what to do.
        """
        suite = self.suite
        self.errors += suite.errors
        if suite.errors:
            return
        groups: dict[str, list[HiddenCheck]] = {}
        for check in suite.checks:
            if self.only in (None, check.name) and self.exercise in (None, check.exercise):
                groups.setdefault(check.exercise, []).append(check)
        exercises = self.runner.problem_set.exercises
        for number, exercise in enumerate(exercises):
            self.tell(number / len(exercises))
            if exercise.id in groups:
                self.findings[exercise.id] = self._part(exercise.id, partial(self._exercise, exercise, groups[exercise.id]))
            elif self.only is None and self.exercise is None:
                self.errors.append(f"exercise {exercise.id} has no hidden check")
        if JOINT in groups:
            self.findings[JOINT] = self._joint(groups[JOINT])

    def observe(self, asked: HiddenCheck) -> Finding:
        """Run a check that is not of the suite over the student's own functions; no report has its finding."""
        return self._attempt(None, [asked], OWN)[0]

    @property
    def separable(self) -> bool:
        """Whether every part of this grading would be the same alone: nothing passed from one exercise to a later one."""
        runner = self.runner
        passed_on = runner.definitions_only or runner.spent or runner.sleeps > 0 or runner.problems is None
        return not (self.errors or self.doubtful or self.stuck or passed_on)

    def _part(self, id: str, find: Callable[[], list[Finding]]) -> list[Finding]:
        """Return the findings of one exercise, or of the joint check: the known ones, or what `find` finds."""
        if known := self.known.get(id):
            self.runner.charge(known.cpu_s, known.wall_s)
            if known.answer:
                self.answers[id] = known.answer
            self.parts[id] = known
            self.taken += 1
            return list(known.findings)
        cpu_s, wall_s = self.runner.cpu_s, self.runner.wall_s
        findings = find()
        self.parts[id] = Part(tuple(findings), self.runner.cpu_s - cpu_s, self.runner.wall_s - wall_s, self.answers.get(id))
        return findings

    # -- one exercise -----------------------------------------------------------------------------

    def _exercise(self, exercise: Exercise, checks: list[HiddenCheck]) -> list[Finding]:
        if all(check.fresh for check in checks):  # it judges implementations: one of ours beside it would be the verdict
            return self._attempt(exercise, checks, OWN)
        over_ours = self._attempt(exercise, checks, OURS)
        settled = self.ours_only and not self._now.mode_asked or exercise.id in self.answers
        if settled or outcomes.outcome(over_ours) in (Outcome.PASSED, Outcome.NOT_WRITTEN):
            return over_ours
        return min(over_ours, self._attempt(exercise, checks, OWN), key=outcomes.rank)

    def _joint(self, checks: list[HiddenCheck]) -> list[Finding]:
        """Run the joint check, unless an exercise that it uses has not passed: then it waits, or is undecided too."""
        needed = {id for check in checks for id in check.needs}
        by_exercise = {id: self._outcome(id) for id in self.findings if id in needed}
        undecided = [id for id, outcome in by_exercise.items() if outcome == Outcome.GRADER_FAULT]
        failed = [id for id, outcome in by_exercise.items() if outcome not in (Outcome.PASSED, Outcome.GRADER_FAULT)]
        if failed:
            self.waits_for = tuple(id for id, outcome in by_exercise.items() if outcome != Outcome.PASSED)
            untouched = all(outcomes.outcome(findings) == Outcome.NOT_WRITTEN for findings in self.findings.values())
            reason, outcome = f"this check waits for {_listed(failed)}", Outcome.NOT_WRITTEN if untouched else Outcome.NOT_YET
        elif undecided:
            reason, outcome = f"this check waits for {_listed(undecided)}, which the grader could not judge", Outcome.GRADER_FAULT
        else:
            return self._part(JOINT, partial(self._attempt, None, checks, OWN))
        return [Finding(check.name, check.line, outcome, reason) for check in checks]

    def _outcome(self, id: str) -> Outcome:
        """Return an exercise's outcome; excused checks count as passed, so that the joint check does not wait for them."""
        findings = self.findings[id]
        outcome = outcomes.outcome(findings)
        if outcome not in (Outcome.NOT_YET, Outcome.TOO_SLOW):
            return outcome
        excused = (replace(finding, outcome=Outcome.PASSED) for finding in findings if finding.name in self.settings.excused)
        return outcomes.outcome([*excused, *(finding for finding in findings if finding.name not in self.settings.excused)])

    def _attempt(self, exercise: Exercise | None, checks: list[HiddenCheck], mode: str) -> list[Finding]:
        course_s = dict(self.settings.cpu_s).get(checks[0].exercise) if exercise or checks[0].exercise == JOINT else None
        cpu_s = FAIL_FAST_CPU_S if self.fail_fast else course_s or cpu_limit(checks)
        # the grader may take longer by the same factor; implementations run in it, and all that a check may send is counted
        longer = max(3.0 if all(check.fresh for check in checks) else 1.0, cpu_s / EXERCISE_CPU_S)
        self._now = _Attempt(exercise, mode, cpu_s, longer, self.host_lock or HostLock())
        try:
            return self._findings(exercise, checks)
        finally:
            self._end_session()
            if self.host_lock is None:
                self._now.host_lock.leave()

    def _findings(self, exercise: Exercise | None, checks: list[HiddenCheck]) -> list[Finding]:
        by_place: dict[int, Finding] = {}  # by the check's place in the suite
        for place in self._order(checks):
            check, first = checks[place], not by_place
            skipped = _skipped(check, list(by_place.values()))
            by_place[place] = skipped or self._check(check)
            if check.partial_credit and by_place[place].outcome == Outcome.NOT_WRITTEN:
                by_place[place] = _not_run(check, Outcome.NOT_WRITTEN)
            if skipped:
                continue
            if check.fresh:
                self._end_session()
            if self.fail_fast and by_place[place].outcome != Outcome.PASSED:
                break
            unwritten = first and by_place[place].outcome == Outcome.NOT_WRITTEN
            if unwritten and exercise is not None and len(exercise.functions) == 1:
                others = ((other, later) for other, later in enumerate(checks) if other != place)
                by_place |= {other: _not_run(later, Outcome.NOT_WRITTEN) for other, later in others}
                break
        lost = any(finding.outcome != Outcome.PASSED for finding in by_place.values() if not finding.partial_credit)
        if lost and outcomes.outcome([*by_place.values()]) != Outcome.NOT_WRITTEN:  # those tried before, too
            tried = (place for place in by_place if checks[place].partial_credit)
            by_place |= {place: outcomes.not_yet_tried(checks[place].name) for place in tried}
        return [by_place[place] for place in sorted(by_place)]

    def _order(self, checks: list[HiddenCheck]) -> list[int]:
        """Return the places of checks in the order in which they run.

        Checks with a process of their own run in an order that nobody can foretell: a process can learn how many came before
        it (by the age of its sandbox, for one), and could pass just the ones that come first.
        """
        places = list(range(len(checks)))
        if all(check.fresh for check in checks):
            name = f"{self.runner.problem_set.name}/order/{checks[0].exercise}"
            dice(self.settings.secret, f"{name}/{self.runner.submission.sha256}").shuffle(places)
        return places

    def _check(self, check: HiddenCheck) -> Finding:
        error = self._ended_by(check)
        if isinstance(error, HOST_TROUBLE):
            self._end_session()
            if not isinstance(error, WallClockTimeout) or self.runner.sleeps == 0:
                with self._now.host_lock.alone(), self.runner.alone():
                    error = self._ended_by(check)
                    self._end_session()  # the process must end before other exercises run again
        self.runner.sleeps += isinstance(error, WallClockTimeout)
        if isinstance(error, Costly):
            self._end_session()
        question = recognise.question_after(error, check.question)
        line = check.line if error is None else check.lost_line or check.line
        recognised = question is not None and question == recognise.suspected()
        wording = Wording(check.name, line, question, recognised, check.partial_credit)
        return outcomes.finding(wording, error, self.runner.submission, lambda: self._sound(check, error))

    def _ended_by(self, check: HiddenCheck) -> BaseException | None:
        """Run a check and its delayed operations; return the exception that ended it, or None."""
        recognise.forget()
        if self.runner.trace is not None:
            self.runner.trace.begin(check.name, self._now.mode)
        error = self._raised_by(check)
        if given := one_answer.taken():
            self.answers[check.exercise] = given
        if isinstance(error, SandboxUnavailable):
            raise error  # no other check can do better on this host
        if error is None and (session := self._now.session) is not None:
            try:
                session.settle()
            except (StudentError, SandboxDied) as late:
                error = late
        if self.runner.trace is not None:
            self.runner.trace.ended(error)
        return error

    def _sound(self, check: HiddenCheck, error: BaseException | None) -> bool:
        """Say whether this check passes over our own solution, in this edition and on this host."""
        if self.is_reference:
            return False
        by_host = isinstance(error, HOST_TROUBLE)
        self.doubtful |= by_host
        known = (self.runner.problem_set, check.name, self.settings)
        if by_host or known not in _sound_checks:
            self._end_session()
            runner = SubmissionRunner(our_submission(self.runner.problem_set), self.runner.sandboxed)
            reference = SuiteRun(runner, self.settings, check.name, host_lock=self._now.host_lock, is_reference=True)
            try:
                reference.run()
            finally:
                runner.close()
            if [finding.outcome for findings in reference.findings.values() for finding in findings] != [Outcome.PASSED]:
                return False
            _sound_checks.add(known)
        return True

    def _raised_by(self, check: HiddenCheck) -> BaseException | None:
        """Run a check; return the exception that ended it, or None."""
        given = dict(check.parameters)
        try:
            with own_time_limited(AGAIN_CPU_S if check.name in _stuck else OWN_CPU_S * self._now.longer):
                if "student" in check.asks_for:
                    given["student"] = self._student()
                if "edition" in check.asks_for:
                    given["edition"] = dice(self.settings.secret, f"{self.runner.problem_set.name}/{check.name}")
                check.function(**given)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # pytest's own outcomes are not subclasses of Exception
            if isinstance(error, StuckError):
                _stuck.add(check.name)
                self.stuck = True
            return error
        return None

    def _student(self) -> Student:
        now = self._now
        left_s = MOST_OF_OURS_S * now.longer - (time.process_time() - now.ours_from_s)
        if left_s <= 0:
            raise Costly("the grader's own CPU time for this exercise is used up")
        if now.student is None or now.session is None or not now.session.open:
            self._end_session()
            now.session = self.runner.begin(now.exercise, now.mode, now.cpu_s)
            now.session.spend(left_s)
            with_torch, suite = "torch" in profile_of(self.runner.problem_set.facts).packages, self.suite
            now.student = Student(now.session, suite.types, self._methods(), now.mode, with_torch, suite.signatures)
        return now.student

    def _methods(self) -> frozenset[str]:
        functions = (name for exercise in self.runner.problem_set.exercises for name in exercise.functions)
        return frozenset(name.partition(".")[2] for name in functions if "." in name)

    def _end_session(self) -> None:
        now = self._now
        now.mode_asked |= now.student is not None and now.student.mode_asked
        session, now.session = now.session, None
        if session is not None:
            self.runner.end(session)


def _skipped(check: HiddenCheck, before: list[Finding]) -> Finding | None:
    """Return the finding of a check that is not run because of the findings before it; None if it is to run."""
    slow = [finding for finding in before if finding.outcome == Outcome.TOO_SLOW]
    of_fresh = any(not finding.partial_credit for finding in slow) or check.partial_credit and len(slow) >= MOST_SLOW
    if of_fresh if check.fresh else before and before[-1].outcome == Outcome.TOO_SLOW:
        return _not_run(check, Outcome.TOO_SLOW, "not run: the time was used up before")
    if check.partial_credit and any(finding.outcome != Outcome.PASSED for finding in before if not finding.partial_credit):
        return outcomes.not_yet_tried(check.name)
    return None


def _not_run(check: HiddenCheck, outcome: Outcome, hint: str | None = None) -> Finding:
    return outcomes.not_run(check.name, check.line, outcome, hint, check.partial_credit)


_stuck: set[str] = set()  # the names of such checks, in this process
_sound_checks: set[tuple[object, ...]] = set()  # (problem set, check, settings) that passed over our own solution here


def _listed(ids: list[str]) -> str:
    return "exercise " + ids[0] if len(ids) == 1 else "exercises " + ", ".join(ids[:-1]) + " and " + ids[-1]

