"""Lock files are in a place where no other user can be first; if there is no such place, a sentence says why."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.sandbox.bubblewrap import SandboxUnavailable
from autograder.sandbox.host import locks
from autograder.sandbox.host.host_lock import HostLock
from autograder.sandbox.host.locks import lock_folder, open_lock
from autograder.sandbox.host.uids import UidBlock
from autograder.sandbox.sandbox import check_sandbox
from tests.unit.in_the_sandbox import root

SOMEBODY = 65_533


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which this user's locks must be, empty: /run for root, else the user's own runtime folder."""
    top = tmp_path / "top"
    top.mkdir(mode=0o700)
    monkeypatch.setattr(locks, "RUN", top)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(top))
    monkeypatch.setenv("HOME", str(tmp_path / "no-home"))
    locks._safe_one.cache_clear()
    yield top
    locks._safe_one.cache_clear()


def test_the_folder_is_ones_own_and_nobody_elses_on_this_host():
    folder = lock_folder()
    status = os.lstat(folder)
    assert (status.st_uid, status.st_mode & 0o777) == (os.geteuid(), 0o700) and not folder.is_symlink()
    if root():
        assert folder.parent == Path("/run")  # where only root can make something; /run/lock is open to everybody


def test_it_is_made_once_and_made_again_when_it_is_gone(place: Path):
    folder = lock_folder()
    assert folder.parent == place and lock_folder() == folder
    os.close(open_lock("room"))
    shutil.rmtree(folder)
    os.close(open_lock("room"))
    assert [path.name for path in folder.iterdir()] == ["room"]


@pytest.mark.parametrize("squat", ["a link", "a file", "open to others", "somebody else's"])
def test_a_place_that_was_taken_is_a_sentence(place: Path, tmp_path: Path, squat: str):
    taken = place / locks.NAME
    if squat == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        taken.symlink_to(tmp_path / "elsewhere")
    elif squat == "a file":
        taken.touch()
    elif squat == "open to others":
        taken.mkdir()
        taken.chmod(0o777)
    elif root():
        taken.mkdir(mode=0o700)
        os.chown(taken, SOMEBODY, SOMEBODY)
    else:
        pytest.skip("only root can make a folder somebody else's")
    for use in (lock_folder, HostLock, UidBlock):
        with pytest.raises(SandboxUnavailable, match="^no safe place for lock files was found: "):
            use()
    with pytest.raises(UserError, match=str(taken)):
        check_sandbox()


def test_a_place_where_others_could_put_theirs_instead_is_none(place: Path):
    place.chmod(0o777)
    with pytest.raises(SandboxUnavailable, match=f"others may write into {place}, above {place}/{locks.NAME}: chmod go-w it"):
        lock_folder()
    place.chmod(0o1777)  # there a folder belongs to its owner
    locks._safe_one.cache_clear()
    assert lock_folder().parent == place


@pytest.mark.skipif(root(), reason="root's place is /run")
def test_a_user_without_a_runtime_folder_has_one_at_home(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(home))
    for runtime in ("", "not/absolute", "/usr", str(tmp_path / "gone" / "gone")):  # none, none, root's, missing
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        locks._safe_one.cache_clear()
        assert lock_folder() == home / ".cache" / f"{locks.NAME}-{os.uname().nodename}"
    os.close(open_lock("room"))


def test_a_lock_that_is_a_link_is_a_sentence(place: Path, tmp_path: Path):
    (lock_folder() / "room").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SandboxUnavailable, match="room cannot be opened"):
        HostLock()
    assert not (tmp_path / "elsewhere").exists()


def test_names_taken_in_the_temporary_folder_stop_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("room", "door"):
        (tmp_path / f"{locks.NAME}-{os.geteuid()}.{name}").mkdir()
    HostLock().leave()
