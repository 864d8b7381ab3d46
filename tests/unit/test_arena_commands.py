"""`arena` and its commands: a wrong name is answered with the one that was meant, and a clone keeps a student's files apart."""

from pathlib import Path

import pytest

from arena.__main__ import COMMANDS, main
from arena.near_miss import did_you_mean, near_miss

NAMES = ["ps1_games", "ps2_uct", "ps3_connect_four", "ps10_chess"]
MODULE = """# %%
from arena.check import check
# %% check="1.1"
@check("1.1", "one")
def check_1_1():
    pass
"""


@pytest.mark.parametrize("asked, meant", [
    ("ps2", "ps2_uct"), ("PS2", "ps2_uct"), ("2", "ps2_uct"), ("ps2_utc", "ps2_uct"), ("ps1", "ps1_games"),
    ("ps10", "ps10_chess"), ("ps3_conect_four", "ps3_connect_four"), ("ps", ""), ("", ""), ("ps4", ""), ("homework", ""),
])
def test_a_number_or_a_slip_is_near_to_one_name(asked: str, meant: str) -> None:
    assert near_miss(asked, NAMES) == meant
    assert did_you_mean(asked, NAMES) == (f": did you mean {meant}?" if meant else "")


def handed_in(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / f"{folder.name}.py").write_text(MODULE, encoding="utf-8")
    return folder


@pytest.mark.parametrize("words, message", [
    (["check", "ps1"], "ps1 does not exist: did you mean ps1_games?\n"),
    (["ps1"], "ps1 does not exist: did you mean ps1_games?\n"),
    (["check", "sub/ps1_game"], "sub/ps1_game does not exist: did you mean sub/ps1_games?\n"),
    (["chek"], "the folder chek does not exist: did you mean `arena check`?\n"),
    (["check", "xyz"], "xyz does not exist; . holds ps1_games\n"),
    (["check", "ps1_games/ps1_games.py"], "ps1_games/ps1_games.py is a file: name its folder, arena check ps1_games\n"),
    (["get", "ps2"], "arena: no problem set is called ps2: did you mean ps2_uct?\n"),
])
def test_a_wrong_name_is_answered_with_the_one_that_was_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    handed_in(tmp_path / "ps1_games")
    handed_in(tmp_path / "sub" / "ps1_games")
    assert main(words) == 2
    assert capsys.readouterr().err == message


def test_check_may_be_left_out_and_each_command_has_its_help(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = handed_in(tmp_path / "ps1_games")
    for words in (["check", str(folder)], [str(folder)]):
        assert main(words) == 0 and "1.1 one   passed\n1 of 1 exercises done" in capsys.readouterr().out
    for command in COMMANDS:
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        assert f"usage: arena {command} " in capsys.readouterr().out


def test_in_a_clone_the_student_s_files_are_in_a_folder_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """nothing is written into `assignments`, which the next release changes"""
    monkeypatch.chdir(tmp_path)
    handed_in(tmp_path / "assignments" / "ps1_games")
    assert main(["check"]) == 0 and f"== {Path('assignments/ps1_games/ps1_games.py')}\n" in capsys.readouterr().out
    assert main(["get", "ps2_uct"]) == 0
    assert [path.parent for path in tmp_path.rglob("ps2_uct.py")] == [tmp_path / "work" / "ps2_uct"]
    handed_in(tmp_path / "work" / "ps1_games")
    capsys.readouterr()
    assert main(["check", "ps1_games"]) == 0 and f"== {Path('work/ps1_games/ps1_games.py')}\n" in capsys.readouterr().out
    assert main(["get", "ps2_uct"]) == 0 and "work/ps2_uct is there already" in capsys.readouterr().out
    assert main(["get", "ps2_uct", "--to", "here"]) == 0 and (tmp_path / "here/ps2_uct/ps2_uct.py").is_file()
