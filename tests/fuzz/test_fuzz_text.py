"""A short fuzzing run of the code that reads students' text; docs/fuzzing.md describes the long runs."""

from pathlib import Path

import pytest

from autograder.submission import read as submissions
from tests.fuzz import text_inputs
from tests.fuzz.fuzz_text import fuzz, made, pace
from tests.fuzz.text_inputs import KINDS, SHARES

pytestmark = pytest.mark.usefixtures("processes")

INPUTS = {"submission": 350, "advice": 200, "magics": 300, "similarity": 60, "markdown": 20, "names": 200, "errors": 300,
          "weights": 250, "timestamp": 300}


@pytest.mark.parametrize("kind", INPUTS)
def test_whatever_is_read_is_a_value_or_one_of_our_sentences_in_time_that_goes_with_its_length(kind: str, tmp_path: Path) -> None:
    no_input_gets_through(kind, range(INPUTS[kind] // 8), tmp_path)


@pytest.mark.parametrize("kind", INPUTS)
def test_so_it_is_with_more_inputs(kind: str, tmp_path: Path, repetition: None) -> None:
    no_input_gets_through(kind, range(INPUTS[kind] // 8, INPUTS[kind]), tmp_path)


def no_input_gets_through(kind: str, numbers: range, folder: Path) -> None:
    tally = fuzz(7, numbers, {kind: pace(kind, folder)}, folder, kind)
    assert tally.faults == [] and tally.inputs == len(numbers)
    assert len(tally.outcomes) > 1 or kind == "markdown", "the inputs come to one end only: they do not reach far"


def test_every_kind_has_its_share_and_an_input_is_the_same_again() -> None:
    assert INPUTS.keys() == KINDS.keys() == SHARES.keys()
    assert [made(3, number) for number in range(20) if made(3, number)[0] != "weights"] == [
        made(3, number) for number in range(20) if made(3, number)[0] != "weights"]


def _raising(text: str) -> str:
    return text[len(text)]


def _of_the_square(text: str) -> str:
    for at in range(len(text)):
        text[at:].count("x"), text[at:].count("y")
    return text


@pytest.mark.parametrize("reader, message", [(_raising, "IndexError"), (_of_the_square, "are in proportion")])
def test_a_reader_that_raises_or_takes_the_square_is_noticed(monkeypatch, tmp_path: Path, reader, message: str) -> None:
    paces = {"magics": (5e-5, 1e-9)}  # of a fast machine, not of this one, which may be busy just now
    monkeypatch.setattr(text_inputs, "without_magics", reader)
    assert any(message in fault for fault in fuzz(7, range(60), paces, tmp_path, "magics").faults)


def test_a_submission_that_ends_at_the_boundary_is_noticed(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(submissions, "_choose", lambda forms, problem_set: forms["neither"])
    faults = fuzz(7, range(5), {"submission": (1, 1)}, tmp_path, "submission").faults
    assert any("raised KeyError in read.py" in fault for fault in faults)
