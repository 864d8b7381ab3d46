"""All code that reads a student's text outside of the sandbox needs twice the time for twice the text, for any text."""

import io
import json
import re
import zipfile

import pytest

from arena import weights_file as weights
from autograder.course.odd_names import odd_names
from autograder.grading import diagnose as advice
from autograder.plain_text import plain_text
from autograder.problem_sets.source import load
from autograder.sandbox.inside.cell_text import without_magics
from autograder.similarity.fingerprints import _FUNCTIONS, _tidy
from autograder.submission import discover as find
from autograder.submission import parse as forms
from autograder.submission import read as submissions
from autograder.submission.parse import Cell, Unreadable
from autograder.submission.read import Submission
from tests.fuzz.text_families import ENDS, REPEATED, SLACK, growth
from tests.speeds import again

PS = "ps2_uct"
SET = load(PS)


def module(text: str) -> object:
    try:
        return forms.module_cells(text.encode(), SET)
    except Unreadable:
        return None


def notebook(text: str) -> object:
    """The text as a cell's source, as two sources in pieces, and as the JSON itself."""
    whole = json.dumps({"cells": [{"cell_type": "code", "source": text}, {"cell_type": "code", "source": text.splitlines()}]})
    for content in (whole, text, '{"cells": ' + text):
        try:
            forms.notebook_cells(content.encode(), SET)
        except Unreadable:
            pass
    return None


def joined(text: str) -> object:
    cells = {"notebook": (Cell("cell 1", text, None, "code"), Cell("cell 2", text, "2.13", "markdown")),
             "module": (Cell("ps2_uct.py", text + "\n#", None, "code"),)}
    form, _ = submissions._choose(cells, SET)
    return submissions._joined(cells, PS), submissions._with_answers(cells, form, SET)


def looked_at(text: str) -> object:
    """The work of the advice besides parsing: all of it over text that no parser accepts, and over a text cell."""
    cells = advice._Text(unread=[("cell 1", text)], texts=[("cell 2", text)])
    submission = Submission(load(PS), "notebook", (Cell("cell 1", text, None, "code"),), "", "0")
    return advice._merges(submission), list(advice._of_function("ucb", True, cells, SET))


def named(text: str) -> object:
    """So many names that their letters together are as many as in the text."""
    names = [text[at : at + 60] for at in range(0, len(text), 60)]
    return odd_names(names, names[::2]), [find._kind(name, PS) for name in names[:200]], plain_text(text)


def tidied(text: str) -> object:
    return _FUNCTIONS.split(_tidy(text))


def weighed(text: str) -> object:
    """The text as the header of an array, and as the table of contents of an archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        header = text.encode("utf-8")[:60_000]
        archive.writestr("a.npy", b"\x93NUMPY\2\0" + len(header).to_bytes(4, "little") + header)
    for data in (file.getvalue(), b"PK\3\4" + text.encode() + file.getvalue()[-200:]):
        try:
            weights.parse(data)
        except weights.WeightsError:
            pass
    return None


FUNCTIONS = [without_magics, module, notebook, joined, looked_at, again(named), tidied, weighed]


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_twice_the_text_takes_twice_the_time(function):
    slow = {(name, end): ratio for name, unit in REPEATED.items() for end, text in ENDS.items()
            if (ratio := growth(function, unit, text, 5_000)) > 4 * SLACK}
    assert slow == {}


def the_square(text: str) -> object:
    return re.compile(r"^([ \t]*)(?:(?:[\w, ]+=[ \t]*)?[%!].*|\?{1,2}[\w.*]+[ \t]*)$", re.M).sub("", text)


def of_pairs(text: str) -> object:
    return [number for number in range(len(text) // 4) for _ in range(len(text) // 4)]


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("function, unit, end", [(the_square, " ", "$"), (of_pairs, "a", "")])
def test_what_takes_the_square_is_noticed(function, unit, end):
    """the old pattern for magics: 100,000 blanks and a dollar took 77 s"""
    assert growth(function, unit, end, 1_000) > 4 * SLACK
