"""A name that is nearly right: whoever wrote it is told which one was probably meant, and no list of 200 names."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.board.positions import start
from arena.challenge.ladder import load_ladder
from arena.errors import UserError
from autograder.cli.proof_commands import verify
from autograder.gradebook.policy.course_file import read_course_file
from autograder.problem_sets.source import check_known
from autograder.selftest.attack.bank import load_attacks
from autograder.selftest.broken.bank import load_messes
from bench.__main__ import main as bench
from scripts.slides import main as slides
from trainer.__main__ import _rules as rules_to_train


@pytest.mark.parametrize("named, meant", [
    (lambda: check_known("ps2"), "ps2_uct"),
    (lambda: check_known("PS3_conect_four"), "ps3_connect_four"),
    (lambda: verify(ps="ps2_uct", exercise="2.55"), "2.5"),
    (lambda: load_ladder().rung("Peble"), "Pebble"),
    (lambda: start("conect_four"), "connect_four"),
    (lambda: rules_to_train("otello"), "othello"),
    (lambda: load_attacks("a-check-that-serches"), "a-check-that-searches"),
    (lambda: load_messes("delted-checks"), "deleted-checks"),
])
def test_the_name_that_was_meant_is_in_the_sentence(named: Callable[[], object], meant: str) -> None:
    with pytest.raises((UserError, KeyError)) as error:
        named()
    message = str(error.value)
    assert f": did you mean {meant}?" in message and "choose from" not in message and len(message) < 150


def test_a_set_in_course_toml(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text('[course]\nsets = ["ps2"]\n')
    with pytest.raises(UserError, match=r"sets has 'ps2'; valid names are ps1_games, .*: did you mean ps2_uct\?$"):
        read_course_file(tmp_path)


@pytest.mark.parametrize("main, wrong, meant", [(bench, "feedback_page", "feedback_pages"), (slides, ["trapp"], "ps2_trap")])
def test_a_benchmark_and_a_picture(main: Callable, wrong: object, meant: str, capsys: pytest.CaptureFixture) -> None:
    assert main(wrong) == 2
    assert capsys.readouterr().out.strip().endswith(f": did you mean {meant}?")


def test_a_name_that_is_near_nothing_gets_the_list() -> None:
    with pytest.raises(UserError, match=r"no problem set is called 'backgammon'; choose from ps1_games, "):
        check_known("backgammon")
    with pytest.raises(KeyError, match="no rung is called 'Everest'; choose from Random, Sand, "):
        load_ladder().rung("Everest")
