"""Folders for a submission: gone at the end, and when their process was killed, gone when the next one begins."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.grading import room
from autograder.grading.room import temporary_room


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files in which nothing is too young, as a new process sees it."""
    monkeypatch.setattr(room.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(room, "YOUNG_S", -1.0)
    room._clear_up.cache_clear()
    yield tmp_path
    room._clear_up.cache_clear()


def holder(place: Path) -> subprocess.Popen:
    """A process that works in a room until it is killed."""
    work = ("import signal; from autograder.grading.room import temporary_room\n"
            "with temporary_room(): print(1, flush=True); signal.pause()")
    process = subprocess.Popen([sys.executable, "-c", work], env=os.environ | {"TMPDIR": str(place)}, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"1\n"
    return process


def test_a_room_is_empty_and_private_and_gone_at_the_end(place: Path) -> None:
    with temporary_room() as folder:
        assert list(folder.iterdir()) == [] and folder.stat().st_mode & 0o077 == 0 and folder.parent == place
        (folder / "a").mkdir()
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_goes_and_what_is_in_use_stays(place: Path) -> None:
    killed, working = holder(place), holder(place)
    rooms = set(place.iterdir())
    try:
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        with temporary_room() as folder:
            left = set(place.iterdir()) - {folder}
        assert len(rooms) == 2 and len(left) == 1 and left < rooms
    finally:
        working.kill()
        working.wait()


def test_links_files_and_young_folders_stay(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = place / "elsewhere"
    (elsewhere / "kept").mkdir(parents=True)
    (place / f"{room.PREFIX}link").symlink_to(elsewhere)
    (place / f"{room.PREFIX}file").touch()
    monkeypatch.setattr(room, "YOUNG_S", 60.0)
    (place / f"{room.PREFIX}young").mkdir()
    with temporary_room():
        pass
    assert len(list(place.iterdir())) == 4 and (elsewhere / "kept").is_dir()
