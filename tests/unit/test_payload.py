"""A submission's files are read once, and travel as data with their hash."""

import os
import pickle
from pathlib import Path

from autograder.submission.payload import MAX_FILE_BYTES, Payload, read_payload

PS, PS5 = "ps2_uct", "ps5_alphazero"


def sent(folder: Path, ps: str = PS) -> Payload:
    """The data that arrives at a worker, hash included."""
    payload = read_payload(folder, ps)
    there: Payload = pickle.loads(pickle.dumps(payload))
    assert there == payload and there.sha256 == payload.sha256
    return there


def test_both_forms_arrive_and_nothing_else_does(tmp_path: Path) -> None:
    (tmp_path / f"{PS}.py").write_bytes(b"x = 1\r\n\xff")
    (tmp_path / f"{PS}.ipynb").write_text("{}")
    (tmp_path / "diary.txt").write_text("private")
    assert {item.name: item.content for item in sent(tmp_path).items} == {f"{PS}.ipynb": b"{}", f"{PS}.py": b"x = 1\r\n\xff"}


def test_the_hash_is_that_of_the_bytes_and_the_names(tmp_path: Path) -> None:
    hashes = set()
    for name, text in ((f"{PS}.py", "x = 1"), (f"{PS}.py", "x = 2"), (f"{PS} (1).py", "x = 1")):
        (tmp_path / name).write_text(text)
        hashes.add(sent(tmp_path).sha256)
        (tmp_path / name).unlink()
    assert len(hashes) == 3


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / f"{PS}.py").symlink_to("/etc/passwd")
    assert [(item.kind, item.content) for item in sent(tmp_path).items] == [("link", b"")]


def test_a_pipe_or_a_folder_in_the_place_of_a_file_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / f"{PS}.py")
    (tmp_path / f"{PS}.ipynb").mkdir()
    assert [item.kind for item in sent(tmp_path).items] == ["folder", "pipe"]


def test_of_a_huge_file_only_the_length_travels(tmp_path: Path) -> None:
    (tmp_path / f"{PS}.ipynb").touch()
    os.truncate(tmp_path / f"{PS}.ipynb", 2 * MAX_FILE_BYTES)
    payload = sent(tmp_path)
    assert len(pickle.dumps(payload)) < 1000 and payload.items[0].size == 2 * MAX_FILE_BYTES


def test_weights_make_another_player_and_not_another_submission(tmp_path: Path) -> None:
    (tmp_path / f"{PS5}.py").write_text("x = 1")
    without = sent(tmp_path, PS5)
    (tmp_path / "weights.npz").write_bytes(b"numbers")
    beside = sent(tmp_path, PS5)
    assert without.sha256 == without.player_sha256 == beside.sha256 != beside.player_sha256
