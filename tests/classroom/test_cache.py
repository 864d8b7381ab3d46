"""Earlier gradings are found by the submission's bytes and by the whole grader."""

import os

import pytest
from made import report

from autograder.course.storage.cache import Cache
from autograder.grading.config import Graded

REPORT = report({"2.0": "passed", "2.1": "not yet"}, note="a note – with a dash")
GRADED, SHA256 = Graded(REPORT, {"inputs": [1, 2]}), REPORT.sha256


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / ".cache", "grader 1")


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_was_stored_comes_back_the_same(cache):
    cache.store("ps2_uct", GRADED)
    assert cache.load("ps2_uct", SHA256) == GRADED


def test_other_bytes_another_set_or_another_grader_are_not_known(cache):
    cache.store("ps2_uct", GRADED)
    assert cache.load("ps2_uct", "abd") is None
    assert cache.load("ps1_games", SHA256) is None
    assert Cache(cache.folder, "grader 2").load("ps2_uct", SHA256) is None


@pytest.mark.parametrize("torn", ["", "{", "[]", '{"report": "{}", "staff": {}}', '{"report": 7}', "null"])
def test_an_entry_that_cannot_be_read_is_no_entry(cache, torn):
    cache.store("ps2_uct", GRADED)
    files(cache.folder)[0].write_text(torn)
    assert cache.load("ps2_uct", SHA256) is None


def test_nobody_else_may_read_what_hidden_checks_showed_staff(cache):
    cache.store("ps2_uct", GRADED)
    assert os.stat(cache.folder).st_mode & 0o007 == 0
    assert [os.stat(path).st_mode & 0o007 for path in files(cache.folder)] == [0]
