"""Work under another name: which files are found, which are ignored, and that they travel to a worker with the same hash."""

import os
import pickle
from pathlib import Path

import pytest

from autograder.problem_sets import build
from autograder.problem_sets.source import load
from autograder.submission import discover as find
from autograder.submission.discover import others
from autograder.submission.payload import read_payload
from autograder.submission.read import read, read_folder

PS = "ps2_uct"
STUB, SOLVED = build(load(PS), solution=False), build(load(PS), solution=True)


def lay(folder: Path, *names: str, content: str = SOLVED[0]) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def names_and_kinds(folder: Path) -> list[tuple[str, str]]:
    return [(other.name, other.kind) for other in others(folder, PS)]


def test_names_that_browsers_mail_programs_and_platforms_give(tmp_path: Path) -> None:
    names = ["PS2_UCT-1.ipynb", "deep/er/late_ps2_uct.py", "jdoe_ps2_uct.ipynb.txt", "ps2_uct"]
    lay(tmp_path, *names)
    kinds = ["notebook", "module", "notebook", "either"]
    assert names_and_kinds(tmp_path) == list(zip(sorted(names), kinds, strict=True))


def test_paper_is_named_only_where_there_is_nothing_else(tmp_path: Path) -> None:
    lay(tmp_path, "ps2_uct.pdf")
    assert names_and_kinds(tmp_path) == [("ps2_uct.pdf", "paper")]
    lay(tmp_path, "homework.ipynb")
    assert names_and_kinds(tmp_path) == [("homework.ipynb", "notebook")]


def test_a_name_of_their_own_counts_only_where_nothing_has_the_right_one(tmp_path: Path) -> None:
    lay(tmp_path, "homework.ipynb", "helpers.py", "ps1_games.ipynb", "notes.md")
    assert names_and_kinds(tmp_path) == [("helpers.py", "module"), ("homework.ipynb", "notebook"), ("ps1_games.ipynb", "foreign")]
    lay(tmp_path, "ps2_uct (1).ipynb")
    assert names_and_kinds(tmp_path) == [("ps2_uct (1).ipynb", "notebook")]
    (tmp_path / "ps2_uct (1).ipynb").rename(tmp_path / "ps2_uct.ipynb")
    assert names_and_kinds(tmp_path) == []


def test_leftovers_links_and_odd_names_are_passed_over(tmp_path: Path) -> None:
    lay(tmp_path, ".ipynb_checkpoints/ps2_uct.ipynb", "__MACOSX/ps2_uct.ipynb", "._ps2_uct.ipynb", "too/deep/by/one/ps2_uct.py")
    lay(tmp_path.parent / "elsewhere", "ps2_uct.ipynb")
    (tmp_path / "linked").symlink_to(tmp_path.parent / "elsewhere")
    (tmp_path / "ps2_uct (2).ipynb").symlink_to(tmp_path.parent / "elsewhere" / "ps2_uct.ipynb")
    lay(tmp_path, "ps2_uct\n.ipynb")
    os.mkfifo(tmp_path / "ps2_uct (3).ipynb")
    assert names_and_kinds(tmp_path) == [] and read_folder(tmp_path, PS).form == "none"


def test_no_more_is_taken_than_one_submission_may_bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, *(f"ps2_uct {number}.py" for number in range(9)), content="x = 1")
    assert len(names_and_kinds(tmp_path)) == find.MOST_FOUND
    monkeypatch.setattr(find, "MOST_BYTES", 12)
    assert len(names_and_kinds(tmp_path)) == 2
    monkeypatch.setattr(find, "MOST_ENTRIES", 1)
    assert len(names_and_kinds(tmp_path)) == 1


def test_what_is_never_read_takes_the_place_of_no_work(tmp_path: Path) -> None:
    lay(tmp_path, *(f"{number} ps2_uct.zip" for number in range(find.MOST_FOUND)), "ps2_uct (1).ipynb")
    assert names_and_kinds(tmp_path)[:2] == [("ps2_uct (1).ipynb", "notebook"), ("0 ps2_uct.zip", "archive")]


@pytest.mark.parametrize("names", [
    ["ps2_uct (1).ipynb"], ["sub/ps2_uct.ipynb", "ps2_uct.zip"], ["ps1_games.ipynb"], ["ps2_uct.ipynb/ps2_uct.ipynb"],
    ["ps2_uct (1).ipynb", "ps2_uct (2).py"],
])
def test_it_travels_and_reads_the_same_there(tmp_path: Path, names: list[str]) -> None:
    lay(tmp_path, *names)
    payload = read_payload(tmp_path, PS)
    there = pickle.loads(pickle.dumps(payload))
    assert there.sha256 == payload.sha256 and read(there) == read_folder(tmp_path, PS)


def test_another_name_is_another_hash_since_the_report_names_it(tmp_path: Path) -> None:
    lay(tmp_path / "a", "ps2_uct (1).ipynb")
    lay(tmp_path / "b", "ps2_uct (2).ipynb")
    assert read_payload(tmp_path / "a", PS).sha256 != read_payload(tmp_path / "b", PS).sha256


def test_work_under_the_right_name_is_graded_whatever_lies_beside_it(tmp_path: Path) -> None:
    lay(tmp_path, "ps2_uct.ipynb", content=SOLVED[0])
    lay(tmp_path, "ps2_uct_other.ipynb", content=SOLVED[0].replace("num_visits", "visits"))
    submission = read_folder(tmp_path, PS)
    assert submission.note == "" and any("num_visits" in source for _, source in submission.code())


def test_of_several_the_one_with_work_is_taken_and_of_two_with_work_none(tmp_path: Path) -> None:
    lay(tmp_path, "ps2_uct.ipynb", "ps2_uct a.ipynb", content=STUB[0])
    lay(tmp_path, "ps2_uct b.ipynb")
    assert read_folder(tmp_path, PS).note == "ps2_uct b.ipynb was read as your notebook: call it ps2_uct.ipynb next time."
    lay(tmp_path, "ps2_uct c.ipynb", content=SOLVED[0].replace("num_visits", "visits"))
    note = read_folder(tmp_path, PS).note
    assert note.startswith("ps2_uct b.ipynb and ps2_uct c.ipynb differ, and none of them is called ps2_uct.ipynb: hand in one")


def test_a_stub_that_was_handed_out_in_other_words_is_no_work(tmp_path: Path) -> None:
    """an upgrade brings better docstrings; whoever hands in the old notebook beside the module wrote nothing in the notebook"""
    other_words = [("# TODO 2.5: walk", "# TODO 2.5: go"), ("Add the result of one", "Add what came of one"),
                   ("import math", "# What you need.\nimport math")]
    older = STUB[0]
    for now, then in other_words:
        assert now in older
        older = older.replace(now, then.replace("\n", '\\n",\n    "'))
    lay(tmp_path, f"{PS}.ipynb", content=older)
    lay(tmp_path, f"{PS}.py", content=SOLVED[1])
    submission = read_folder(tmp_path, PS)
    assert (submission.form, submission.note) == ("module", "")
    lay(tmp_path, f"{PS}.ipynb", content=older.replace("import math", "import math, json"))
    assert read_folder(tmp_path, PS).form == "notebook"
