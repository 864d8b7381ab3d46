"""What of ours is in a process while an exercise is graded: all earlier exercises, and nothing that answers this one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

import pytest

from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.outcomes import Finding, partial_credit
from autograder.grading.reference import module_submission, our_submission
from autograder.grading.report import Outcome
from autograder.grading.submission_runner import SubmissionRunner
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank
from autograder.problem_sets.graph import ReferenceCode
from autograder.problem_sets.source import Exercise, ProblemSet, load, module_text, names, read
from autograder.sandbox.session import Session
from autograder.selftest.attack.bank import LOOT, Attack
from autograder.selftest.attack.making import files_of
from autograder.submission.discover import MODULE
from autograder.submission.parse import Cell
from autograder.submission.read import Submission
from tests.hostile.break_it import OF_ALL_SETS


def findings_of(submission: Submission, id: str, check: str | None = None, fail_fast: bool = True) -> list[Finding]:
    """The findings of an exercise's checks, or of one of them; with `fail_fast`, until the first that is not passed."""
    runner = SubmissionRunner(submission)
    run = SuiteRun(runner, Settings(public_secret()), check, exercise=id, ours_only=fail_fast, fail_fast=fail_fast)
    try:
        run.run()
    finally:
        runner.close()
    return run.findings[id]


def outcomes(submission: Submission, id: str, check: str | None = None) -> set[Outcome]:
    """The outcomes of an exercise's checks, or of one of them, over our functions, until the first that is not passed."""
    return {finding.outcome for finding in findings_of(submission, id, check)}


def with_cells(ps: str, *codes: str) -> Submission:
    ours = our_submission(load(ps))
    return replace(ours, cells=(*ours.cells, *(Cell(f"cell {place}", code, None, "code") for place, code in enumerate(codes))))


def planted(ps: str, exercise: Exercise) -> list[str]:
    return [name for name, _ in load(ps).reference(load(ps).ours_for(exercise)).functions]


# -- what is planted ---------------------------------------------------------------------------------


@pytest.mark.parametrize("ps", names())
def test_all_earlier_exercises_but_those_whose_answer_is_a_constant(ps):
    known = load(ps)
    constants = [exercise for exercise in known.exercises if exercise.constant]
    assert [exercise.functions for exercise in constants] == [("first_wrong_node",)], "a set has one bug to find in a tree"
    for place, exercise in enumerate(known.exercises):
        ours = known.ours_for(exercise)
        assert [*ours] == [earlier.id for earlier in known.exercises[:place] if not earlier.constant]
        assert not set(exercise.functions) & set(planted(ps, exercise))


SCRIPT = '''# %% [markdown]
# # A set

# %% exercise="9.1" title="one" points=95
def one(number: int):
    """Return something."""
    # TODO 9.1: 1 line.
    ### BEGIN SOLUTION 9.1
    BODY
    ### END SOLUTION 9.1

# %% check="9.1"
@check("9.1", "one")
def check_9_1():
    """a word"""

# %% check="joint" points=5
@check("joint", "everything together")
def check_joint():
    """a word"""
'''


@pytest.mark.parametrize("body, constant", [
    ('return "G", "sign kept"', True), ("return 9", True), ("return {1: [2.5, None], -3: ()}", True), ("return 2 ** 8", True),
    ("answer = (1, 2)\n    return answer", True), ("return [0.5 for _ in (1, 2)]", True),
    ("return number", False), ("return len(str(1))", False), ("return WORDS", False), ("return number.real", False),
    ("number + 1", False),
])
def test_a_constant_is_what_asks_nobody_for_its_result(body, constant):
    (exercise,) = read(SCRIPT.replace("BODY", body), "ps9_new", "solutions/ps9_new.py").exercises
    assert exercise.constant == constant


@pytest.mark.usefixtures("processes")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", names())
def test_a_student_s_own_check_has_nothing_of_ours_beside_it(ps, monkeypatch):
    """In each process of "break it" nothing is planted; in the one of an ordinary exercise something is, or this sees nothing."""
    known, asked, request = load(ps), [], Session.request

    def listened(self, operation, *arguments):
        asked.append(operation)
        return request(self, operation, *arguments)

    monkeypatch.setattr(Session, "request", listened)
    fresh = [exercise for exercise in known.exercises
             if all(check.fresh for check in hidden_suite(ps).checks if check.exercise == exercise.id)]
    assert [exercise.id for exercise in fresh] == [exercise.id for exercise in known.exercises if exercise.extra]
    assert len(fresh) == 1
    checks = [check for check in hidden_suite(ps).checks if check.exercise == fresh[0].id]
    for check in checks[::len(checks) // 2]:
        assert outcomes(our_submission(load(ps)), fresh[0].id, check.name) == {Outcome.PASSED}
    assert asked.count("load") == len(checks[::len(checks) // 2]) > 1 and "rebind" not in asked
    outcomes(our_submission(load(ps)), known.exercises[1].id)
    assert "rebind" in asked


# -- a right answer over a wrong earlier exercise ----------------------------------------------------

Sample = tuple[str, Exercise, Exercise, Answer]


def outside_calls() -> Iterator[Sample]:
    """The right answers of the banks that name an earlier exercise which our own solution does not call."""
    for ps in names():
        exercises = load(ps).exercises
        for answer in load_bank(REPOSITORY / "tests" / "right" / f"{ps}.py"):
            made = {node.name: node for node in ast.walk(ast.parse(answer.code)) if isinstance(node, ast.FunctionDef)}
            for place, exercise in enumerate(exercises):
                own = [made[name] for name in exercise.functions if name in made]
                used = {node.id for function in own for node in ast.walk(function) if isinstance(node, ast.Name)}
                for other in () if exercise.extra else exercises[:place]:
                    theirs = {name for name in other.functions if "." not in name}
                    if other.id not in exercise.calls and not other.constant and theirs & used and not theirs & made.keys():
                        yield ps, exercise, other, answer


def over_a_wrong_answer(sample: Sample) -> Submission:
    ps, _, other, answer = sample
    broken = "def broken(*args, **named):\n    raise RuntimeError\n\n\n"
    return with_cells(ps, answer.code, broken + "\n".join(f"{name} = broken" for name in other.functions if "." not in name))


@pytest.mark.usefixtures("processes")
def test_a_right_answer_keeps_its_points_over_a_wrong_exercise_that_only_it_calls(monkeypatch):
    """These are answers that people gave; with the exercises alone that our solution calls, every one of them would lose."""
    samples = [*outside_calls()]
    assert len(samples) >= 15 and {sample[0] for sample in samples} >= {"ps1_games", "ps2_uct", "ps3_connect_four"}
    for sample in samples:
        assert outcomes(over_a_wrong_answer(sample), sample[1].id) == {Outcome.PASSED}, sample[3].title
    monkeypatch.setattr(ProblemSet, "ours_for", lambda self, exercise: exercise.calls)
    assert not [sample for sample in samples[::3] if outcomes(over_a_wrong_answer(sample), sample[1].id) == {Outcome.PASSED}]


# -- what is planted answers nothing else -----------------------------------------------------------

STEP = {"ps1_games": 5, "ps4_puct": 5, "ps5_alphazero": 6}  # of the pairs of these larger sets, every so manieth is tried


def stub_that_calls(ps: str, exercise: Exercise, name: str) -> Submission:
    """The stub; the functions of one exercise do nothing but call this function."""
    forwarding = f"def found(*args, **named):\n    return {name}(*args, **named)\n\n\n"
    own = "\n".join(f"{function} = {'property(found)' if function.endswith('.num_actions') else 'found'}"
                    for function in exercise.functions)
    return module_submission(load(ps), f"{module_text(load(ps), solution=False)}\n\n# %%\n{forwarding}{own}\n")


@pytest.mark.usefixtures("computing")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", names())
def test_a_stub_earns_nothing_by_a_call_of_what_is_planted(ps):
    pairs = [(exercise, name) for exercise in load(ps).exercises if not exercise.extra for name in planted(ps, exercise)]
    assert len(pairs) > 60
    passed = [(exercise.id, name) for exercise, name in pairs[::STEP.get(ps, 1)]
              if outcomes(stub_that_calls(ps, exercise, name), exercise.id) == {Outcome.PASSED}]
    assert passed == []


@pytest.mark.usefixtures("processes")
def test_a_stub_would_earn_points_if_the_exercise_itself_were_planted(monkeypatch):
    """Else the test above could not fail."""
    exercise = load("ps2_uct").exercise("2.6")
    monkeypatch.setattr(ProblemSet, "ours_for", lambda self, asked: (asked.id,))
    stub = module_submission(load("ps2_uct"), module_text(load("ps2_uct"), solution=False))
    assert outcomes(stub, exercise.id) == {Outcome.PASSED}


# -- the attacks of the bank, each also with its guard off ---------------------------------------------

COMPARE, READ, CALL = OF_ALL_SETS[::3], OF_ALL_SETS[1::3], OF_ALL_SETS[2::3]
CALLED = {"ps1_games": "1.3", "ps2_uct": "2.6", "ps3_connect_four": "3.1", "ps4_puct": "4.1", "ps5_alphazero": "5.4"}


def of_each_set(attacks):
    return pytest.mark.parametrize("attack", attacks, ids=[attack.ps for attack in attacks])


def attacking(attack: Attack) -> Submission:
    (text,) = files_of(replace(attack, form=MODULE)).values()
    return module_submission(load(attack.ps), text)


def extra_exercise(ps: str) -> str:
    return next(exercise.id for exercise in load(ps).exercises if exercise.extra)


@pytest.mark.usefixtures("processes")
@pytest.mark.first_shows
@of_each_set(COMPARE)
def test_a_check_that_compares_wins_only_where_our_functions_are_beside_it(attack, monkeypatch):
    id, submission = extra_exercise(attack.ps), attacking(attack)
    assert Outcome.NOT_YET in outcomes(submission, id)
    monkeypatch.setattr(SuiteRun, "_exercise", lambda self, exercise, checks: self._attempt(exercise, checks, "ours"))
    assert partial_credit(findings_of(submission, id, fail_fast=False)) >= 0.7


@pytest.mark.usefixtures("processes")
@pytest.mark.first_shows
@of_each_set(READ)
def test_an_answer_is_read_only_where_a_constant_is_planted(attack, monkeypatch):
    bug, submission = next(exercise for exercise in load(attack.ps).exercises if exercise.constant), attacking(attack)
    for exercise in (load(attack.ps).exercises[2], load(attack.ps).exercise(extra_exercise(attack.ps))):
        assert LOOT not in "".join(finding.staff for finding in findings_of(submission, exercise.id))
    monkeypatch.setattr(ProblemSet, "ours_for", lambda self, exercise: (bug.id,))
    (finding,) = findings_of(submission, load(attack.ps).exercises[2].id)
    assert LOOT in finding.staff


@pytest.mark.usefixtures("processes")
@pytest.mark.first_shows
@of_each_set(CALL)
def test_a_stub_that_calls_what_it_finds_wins_only_where_the_exercise_is_planted(attack, monkeypatch):
    submission, reference = attacking(attack), ProblemSet.reference
    for id in (CALLED[attack.ps], extra_exercise(attack.ps)):
        assert Outcome.NOT_YET in outcomes(submission, id)

    def under_another_name(known: ProblemSet, ids: tuple[str, ...]) -> ReferenceCode:
        code = reference(known, ids)
        renamed = ((f"ours_{name}", f"{text}\nours_{name} = {name}") for name, text in code.functions)
        return replace(code, functions=tuple(renamed))

    monkeypatch.setattr(ProblemSet, "ours_for", lambda self, exercise: (exercise.id,))
    monkeypatch.setattr(ProblemSet, "reference", under_another_name)
    assert outcomes(submission, CALLED[attack.ps]) == {Outcome.PASSED}


def parts(source: str) -> dict[str, int]:
    """Every statement and expression of a source, with the number of its nodes."""
    inside = (node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.stmt, ast.expr)))
    return {ast.dump(node): sum(1 for _ in ast.walk(node)) for node in inside}


@pytest.mark.usefixtures("computing")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", names())
def test_no_planted_code_holds_half_of_an_exercise(ps):
    """Read from code objects: the text that is planted, with its helpers, has no large part of the exercise's own functions."""
    for exercise in load(ps).exercises:
        ours = load(ps).reference(load(ps).ours_for(exercise))
        have = parts("\n".join([ours.imports, *(text for _, text in ours.functions)]))
        for name, text in load(ps).reference((exercise.id,)).functions:
            (function,) = ast.parse(text).body
            body = function.body[ast.get_docstring(function) is not None:]
            whole = sum(sum(1 for _ in ast.walk(statement)) for statement in body)
            shared = {part: size for statement in body for part, size in parts(ast.unparse(statement)).items() if part in have}
            assert max(shared.values(), default=0) < max(40, whole / 2), (exercise.id, name)
