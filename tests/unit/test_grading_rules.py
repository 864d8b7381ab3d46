"""The rules for reading, judging and reporting answers: types, verdicts, editions."""

import math
import multiprocessing
import os
import stat

import numpy as np
import pytest

from arena.edition import dice
from autograder.grading import outcomes as verdict
from autograder.grading.edition import SECRET_NAME, course_secret, drawn_once, public_secret
from autograder.grading.hidden_checks import suite_run as suite
from autograder.grading.hidden_checks.answer_types import (
    Handle,
    anything,
    boolean,
    integer,
    listof,
    mapping,
    node,
    optional,
    pair,
    real,
    text,
    tupleof,
)
from autograder.grading.outcomes import (
    MEANING,
    OF_YOUR_OWN,
    Finding,
    Wording,
    earned,
    finding,
    outcome,
    raised_sentence,
    rank,
    speaking,
)
from autograder.grading.report import Outcome
from autograder.grading.submission_runner import SpentError
from autograder.problem_sets.source import load
from autograder.sandbox import session
from autograder.sandbox.bubblewrap import SandboxUnavailable
from autograder.sandbox.codec import HandleId
from autograder.sandbox.errors import (
    Died,
    HostKill,
    NotWritten,
    OutOfMemory,
    Overdrawn,
    Raised,
    StudentError,
    TooSlow,
    Unsendable,
    WallClockTimeout,
    WrongType,
)
from autograder.submission.parse import Cell
from autograder.submission.read import Submission

# -- types ------------------------------------------------------------------------------------------

HANDLE = Handle()
VALUES = {
    "None": None,
    "True": True,
    "1": 1,
    "1.0": 1.0,
    "nan": math.nan,
    "'1'": "1",
    "int64": np.int64(1),
    "uint8": np.uint8(1),
    "float32": np.float32(1),
    "bool_": np.bool_(True),
    "array": np.ones(2),
    "array of one": np.ones(1),
    "empty": np.ones(0),
    "list": [1, 2],
    "tuple": (1, 2),
    "dict": {1: 2},
    "node": HANDLE,
    "2**120": 2**120,
}
ACCEPTED = {
    integer: {"1", "int64", "uint8", "2**120"},
    real: {"1", "1.0", "nan", "int64", "uint8", "float32", "2**120"},
    boolean: {"True", "1", "bool_", "int64", "uint8"},
    text: {"'1'"},
    node: {"node"},
    anything: set(VALUES),
    optional(integer): {"None", "1", "int64", "uint8", "2**120"},
    pair(integer, integer): {"list", "tuple"},
    tupleof(integer, real): {"list", "tuple"},
    pair(real, real): {"list", "tuple", "array"},
    listof(integer): {"list", "tuple", "empty"},
    listof(real): {"list", "tuple", "array", "array of one", "empty"},
    mapping(integer, real): {"dict"},
}


@pytest.mark.parametrize("number", range(len(ACCEPTED)))
def test_each_type_reads_these_values_and_no_others(number):
    read, accepted = list(ACCEPTED.items())[number]
    fits = set()
    for name, value in VALUES.items():
        try:
            read(value)
            fits.add(name)
        except WrongType:
            pass
    assert fits == accepted


def test_what_is_read_is_a_plain_value():
    assert [
        type(read(value)) for read, value in ((integer, np.int8(3)), (real, 3), (real, np.float16(3)), (boolean, np.bool_(0)))
    ] == [int, float, float, bool]
    assert [type(item) for item in listof(real)(np.ones(2))] == [float, float]
    assert math.isnan(real(np.float32("nan"))) and real(math.nan) != real(math.nan)


def test_a_very_long_text_is_none():
    for read in (text, anything):
        assert read("x" * 10_000)
        with pytest.raises(WrongType):
            read("x\n" * 10_000)


def test_anything_can_be_compared_without_surprise():
    """a comparison with an array is an array, and its truth value would be an error of ours"""
    for value in (
        np.ones(3),
        [np.ones(3)],
        (np.ones(3),),
        {1: [np.ones(3)]},
        np.ones(0),
        np.ones(1),
        [[np.ones((2, 2))]],
        HandleId(1),
    ):
        assert (anything(value) == (1, 2)) is False and (anything(value) != (1, 2)) is True
        assert anything(value) not in ([9], "x", None)
    assert anything((np.int64(1), [np.float64(2)])) == (1, [2.0])


# -- verdicts -----------------------------------------------------------------------------------------

SUBMISSION = Submission(load("ps2_uct"), "notebook", (Cell("cell 3", "def f():\n    return 1 / 0\n", "2.5", "code"),), "", "0")


@pytest.mark.parametrize(
    "error, expected",
    [
        (None, Outcome.PASSED),
        (AssertionError("values"), Outcome.NOT_YET),
        (WrongType("an int", "'x'", "a str"), Outcome.NOT_YET),
        (Raised(["ValueError"], "cell 3", 2, ""), Outcome.NOT_YET),
        (Died("your code ended its own process"), Outcome.NOT_YET),
        (OutOfMemory("x"), Outcome.NOT_YET),
        (Overdrawn("x"), Outcome.NOT_YET),
        (Unsendable("x"), Outcome.NOT_YET),
        (StudentError("x"), Outcome.NOT_YET),
        (NotWritten("x"), Outcome.NOT_WRITTEN),
        (TooSlow("x"), Outcome.TOO_SLOW),
        (WallClockTimeout("x"), Outcome.TOO_SLOW),
        (SpentError("x"), Outcome.TOO_SLOW),
        (HostKill("x"), Outcome.GRADER_FAULT),
        (RuntimeError("ours"), Outcome.GRADER_FAULT),
        (KeyError("ours"), Outcome.GRADER_FAULT),
        (SandboxUnavailable("ours"), Outcome.GRADER_FAULT),
        (pytest.skip.Exception("ours"), Outcome.GRADER_FAULT),
    ],
)
def test_five_outcomes_and_what_leads_to_each(error, expected):
    result = finding(Wording("test_x", "a sentence", "a question?"), error, SUBMISSION)
    assert result.outcome == expected
    hint = f"{result.hint}"
    assert "values" not in hint and "ours" not in hint
    asks = isinstance(error, AssertionError) or type(error) is StudentError
    assert ("A question?" in hint) == asks  # the reason why the code stopped is reported unchanged


@pytest.mark.parametrize(
    "name, cell, line, sentence",
    [
        ("ZeroDivisionError", "cell 3", 2, "ZeroDivisionError in cell 3, line 2: `return 1 / 0`"),
        ("IllegalMove", "cell 3", 1, f"IllegalMove in cell 3, line 1: `def f():`. {MEANING['IllegalMove']}"),
        ("IllegalMove", "", 0, f"IllegalMove. {MEANING['IllegalMove']}"),
        ("ZeroDivisionError", "cell 3", 9, "ZeroDivisionError"),
        ("ZeroDivisionError", "cell 3", 0, "ZeroDivisionError"),
        ("ZeroDivisionError", "cell 3", -1, "ZeroDivisionError"),
        ("ZeroDivisionError", "cell 4", 1, "ZeroDivisionError"),
        ("ZeroDivisionError", "<script>", 1, "ZeroDivisionError"),
        ("", "cell 3", 2, "an exception of your own in cell 3, line 2: `return 1 / 0`"),
        ("the hidden input was 0.73", "cell 3", 2, "an exception of your own in cell 3, line 2: `return 1 / 0`"),
        ("print", "", 0, "an exception of your own"),
        ("int", "", 0, "an exception of your own"),
        ("__import__", "", 0, "an exception of your own"),
        ("__doc__", "", 0, "an exception of your own"),
    ],
)
def test_of_an_exception_only_pythons_own_name_and_a_line_of_their_file_are_told(name, cell, line, sentence):
    assert raised_sentence(name, cell, line, SUBMISSION) == sentence


@pytest.mark.parametrize("name", ["ValueError", "IllegalMove"])
def test_a_student_whose_own_raise_was_executed_is_asked_for_its_case(name):
    own = Submission(load("ps2_uct"), "notebook", (Cell("cell 3", "    raise ValueError('over')", "2.5", "code"),), "", "0")
    assert raised_sentence(name, "cell 3", 1, own) == f"{name} in cell 3, line 1: `raise ValueError('over')`. {OF_YOUR_OWN}"
    other = Submission(load("ps2_uct"), "notebook", (Cell("cell 3", "    raised = values[7]", "2.5", "code"),), "", "0")
    assert raised_sentence("IndexError", "cell 3", 1, other) == "IndexError in cell 3, line 1: `raised = values[7]`"


@pytest.mark.parametrize("first, second", [(150, 151), (7, 3)])
def test_the_notes_for_staff_number_objects_as_they_are_named(first, second):
    one, other = (f"<object {number} of the submission>" for number in (first, second))
    error = AssertionError(f"assert {one} in [{other}, {one}]")
    staff = finding(Wording("test_x", "a sentence", "a question?"), error, SUBMISSION).staff
    assert "assert <object 1 of the submission> in [<object 2 of the submission>, <object 1 of the submission>]" in staff


def test_an_exception_without_a_line_keeps_the_question():
    result = finding(Wording("test_x", "a sentence", "of which kind is it?"), Raised(["AttributeError"], "", 0, ""), SUBMISSION)
    assert result.hint == "AttributeError. Of which kind is it?"


def test_a_long_statement_is_cut_and_shows_nothing_that_is_not_seen():
    long = Submission(load("ps2_uct"), "notebook", (Cell("cell 3", f"    x = '{'a' * 300}\u202e'", "2.5", "code"),), "", "0")
    sentence = raised_sentence("KeyError", "cell 3", 1, long)
    assert sentence.startswith("KeyError in cell 3, line 1: `x = 'aaa") and sentence.endswith("aaa...`") and len(sentence) < 140
    short = Submission(load("ps2_uct"), "notebook", (Cell("cell 3", "x = '\u202e'", "2.5", "code"),), "", "0")
    assert "\u202e" not in raised_sentence("KeyError", "cell 3", 1, short)


def test_of_an_exercise_one_finding_speaks_the_one_that_knows_the_mistake_before_the_first():
    first, second = (Finding(name, "", Outcome.NOT_YET, f"hint of {name}") for name in "ab")
    known = Finding("c", "", Outcome.NOT_YET, "hint of c", recognised=True)
    passed = Finding("p", "", Outcome.PASSED, None, recognised=True)
    assert speaking([passed, first, second, known]) is known
    assert speaking([passed, first, second]) is first
    assert speaking([passed, Finding("quiet", "", Outcome.NOT_YET, None)]) is None and speaking([]) is None


def test_of_checks_that_share_the_points_the_one_that_was_stopped_speaks():
    missed = Finding("missed", "", Outcome.NOT_YET, "which call would show it?", partial_credit=True)
    broken = Finding("broken", "", Outcome.NOT_YET, "IndexError in cell 3", partial_credit=True, stopped=True)
    rejected = Finding("right one", "", Outcome.NOT_YET, "a right one is rejected")
    assert speaking([missed, broken]) is broken
    assert speaking([rejected, missed, broken]) is rejected


def of(*outcomes: str) -> list[Finding]:
    return [Finding(f"test_{number}", "", result, None) for number, result in enumerate(outcomes)]


@pytest.mark.parametrize(
    "outcomes, together, gives_points",
    [
        ((Outcome.PASSED, Outcome.PASSED), Outcome.PASSED, True),
        ((Outcome.PASSED, Outcome.NOT_YET), Outcome.NOT_YET, False),
        ((Outcome.PASSED, Outcome.NOT_WRITTEN), Outcome.NOT_YET, False),
        ((Outcome.NOT_WRITTEN, Outcome.NOT_WRITTEN), Outcome.NOT_WRITTEN, False),
        ((Outcome.PASSED, Outcome.TOO_SLOW, Outcome.NOT_YET), Outcome.TOO_SLOW, False),
        ((Outcome.PASSED, Outcome.GRADER_FAULT), Outcome.GRADER_FAULT, False),
        ((Outcome.NOT_YET, Outcome.GRADER_FAULT), Outcome.GRADER_FAULT, False),
        ((Outcome.GRADER_FAULT, Outcome.GRADER_FAULT), Outcome.GRADER_FAULT, False),
    ],
)
def test_an_exercise_is_what_its_checks_are(outcomes, together, gives_points):
    assert (outcome(of(*outcomes)), earned(of(*outcomes))) == (together, gives_points)


def test_the_better_of_two_attempts_is_the_one_with_more_passed():
    attempts = [
        of(Outcome.PASSED, Outcome.PASSED),
        of(Outcome.PASSED, Outcome.GRADER_FAULT),
        of(Outcome.PASSED, Outcome.NOT_YET),
        of(Outcome.NOT_YET, Outcome.NOT_YET),
        of(Outcome.TOO_SLOW, Outcome.TOO_SLOW),
        of(Outcome.NOT_WRITTEN, Outcome.NOT_WRITTEN),
    ]
    assert sorted(attempts, key=rank) == attempts


def test_what_staff_read_has_a_size():
    assert len(finding(Wording("x", ""), AssertionError("x" * 10**7), SUBMISSION).staff) < verdict.MAX_STAFF_TEXT + 100


def test_a_student_who_keeps_the_grader_at_work_is_too_slow_before_it_is_a_fault_of_ours():
    assert session.MOST_OF_OURS_S < suite.OWN_CPU_S


# -- editions -------------------------------------------------------------------------------------------


def test_a_course_makes_its_secret_once_for_its_owner_alone(tmp_path):
    secret = course_secret(tmp_path)
    assert len(secret) == 64 and secret != public_secret() and course_secret(tmp_path) == secret
    assert stat.S_IMODE((tmp_path / SECRET_NAME).stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == [SECRET_NAME]
    (tmp_path / "other").mkdir()
    assert course_secret(tmp_path / "other") != secret


@pytest.mark.usefixtures("processes")
def test_graders_that_start_at_once_agree_on_the_secret(tmp_path):
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        secrets = pool.map(course_secret, [tmp_path] * 16, chunksize=1)
    assert len(set(secrets)) == 1 and os.listdir(tmp_path) == [SECRET_NAME]


def test_what_is_drawn_once_is_the_same_for_everybody_and_nobody_can_spoil_it():
    times = []

    @drawn_once
    def positions(edition, number):
        times.append(number)
        return [[edition.random()] for _ in range(number)]

    def one_check(secret):
        edition = dice(secret, "ps/test")
        first, second = positions(edition, 2), positions(edition, 1)
        seen = repr((first, second, edition.random()))
        first[0].append("spoilt")
        return seen

    assert one_check(b"a") == one_check(b"a") and times == [2, 1]
    assert one_check(b"b") != one_check(b"a") and times == [2, 1, 2, 1]
    edition = dice(b"a", "ps/test")
    assert one_check(b"a") == repr(([[edition.random()], [edition.random()]], [[edition.random()]], edition.random()))
