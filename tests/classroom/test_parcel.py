"""A submission travels as data and is laid out again as it was."""

import os
import pickle

import pytest

from autograder.grading import parcel
from autograder.grading.submission import raw_sha256

PS = "ps2_uct"


@pytest.fixture
def folders(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    return tmp_path / "here", tmp_path / "there"


def send(here, there):
    packed = pickle.loads(pickle.dumps(parcel.pack(here, PS)))
    parcel.unpack(packed, there)
    return packed


def test_both_forms_arrive_and_nothing_else_does(folders):
    here, there = folders
    (here / f"{PS}.py").write_bytes(b"x = 1\r\n\xff")
    (here / f"{PS}.ipynb").write_text("{}")
    (here / "diary.txt").write_text("private")
    send(here, there)
    assert sorted(os.listdir(there)) == [f"{PS}.ipynb", f"{PS}.py"]
    assert (there / f"{PS}.py").read_bytes() == b"x = 1\r\n\xff"


def test_the_hash_of_the_submission_travels_unchanged(folders):
    here, there = folders
    (here / f"{PS}.py").write_text("x = 1\n")
    send(here, there)
    assert raw_sha256(there, PS) == raw_sha256(here, PS)


def test_a_link_is_not_followed(folders):
    here, there = folders
    (here / f"{PS}.py").symlink_to("/etc/passwd")
    packed = send(here, there)
    assert packed.items[0].content == b""
    assert (there / f"{PS}.py").is_symlink()
    assert not (there / f"{PS}.py").exists()
    assert raw_sha256(there, PS) == raw_sha256(here, PS)


def test_a_pipe_or_a_folder_in_the_place_of_a_file_does_not_block(folders):
    here, there = folders
    os.mkfifo(here / f"{PS}.py")
    (here / f"{PS}.ipynb").mkdir()
    packed = send(here, there)
    assert [item.kind for item in packed.items] == ["folder", "pipe"]
    assert raw_sha256(there, PS) == raw_sha256(here, PS)


def test_of_a_huge_file_only_the_length_travels(folders):
    here, there = folders
    size = 2 * parcel.MAX_FILE_BYTES
    (here / f"{PS}.ipynb").touch()
    os.truncate(here / f"{PS}.ipynb", size)
    packed = send(here, there)
    assert len(pickle.dumps(packed)) < 1000
    assert (there / f"{PS}.ipynb").stat().st_size == size
    assert raw_sha256(there, PS) == raw_sha256(here, PS)
