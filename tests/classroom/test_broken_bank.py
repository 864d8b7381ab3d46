"""A dozen cases of the broken bank, graded as a class; `make broken` grades all of them."""

from pathlib import Path

import pytest
from rich.console import Console

from arena.errors import UserError
from autograder.selftest.broken.bank import load_messes
from autograder.selftest.broken.class_of_messes import grade_bank


@pytest.mark.usefixtures("whole_world")
def test_the_quick_ones_get_what_is_written_down_and_stop_nobody(tmp_path: Path) -> None:
    quick = [mess for mess in load_messes() if mess.quick]
    verdicts, failure = grade_bank(quick, tmp_path, Console(quiet=True))
    assert failure == [] and len(verdicts) >= 6
    assert {verdict.mess.name: verdict.wrong for verdict in verdicts if verdict.wrong} == {}


def test_every_entry_says_how_it_came_about_and_has_a_name_of_its_own() -> None:
    bank = load_messes()
    assert len({mess.name for mess in bank}) == len(bank) >= 60
    assert all(mess.what and (mess.files is None) != (mess.lay is None) for mess in bank)


@pytest.mark.usefixtures("repetition")
def test_an_entry_that_is_graded_otherwise_is_told(tmp_path: Path) -> None:
    """A test of the judge: the right answer, recorded as one that loses 2.6 and must read something."""
    from dataclasses import replace

    (right,) = load_messes("another right one")
    wrong = replace(right, points=85.0, lost={"2.6": "not yet"}, says=("Nothing was found",))
    ((verdict,), failure) = grade_bank([wrong], tmp_path, Console(quiet=True))
    assert failure == [] and not verdict.stopped
    assert verdict.wrong == ("100 points", "lost {}", "nothing says 'Nothing was found'",
                             "the feedback does not say 'Nothing was found'")


def test_a_name_that_is_none_is_one_sentence() -> None:
    with pytest.raises(UserError, match="no entry of the broken bank is called 'no such thing'"):
        load_messes("no such thing")
