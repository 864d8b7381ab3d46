"""The gate: what is judged is what is copied, and no time of a hand-in can be set back."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.submission import gate
from autograder.submission.gate import Refused, Rules, Taken, opened, read_below, take
from autograder.submission.payload import read_payload

PS = "ps2_uct"
LOOT = b"the loot of this test"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "record" / "inside").mkdir(parents=True)
    for name in (f"{PS}.py", "inside/a.txt"):
        (tmp_path / "record" / name).write_bytes(b"honest")
    (tmp_path / "hidden").mkdir()
    for name in ("a.txt", f"{PS}.py"):
        (tmp_path / "hidden" / name).write_bytes(LOOT)
    return tmp_path


def taken(folder: Path, *, copy: bool = True, trusted: frozenset[int] = frozenset()) -> Taken:
    with opened(folder / "record") as record:
        return take(record, Rules(os.geteuid(), trusted, (f"{PS}.ipynb", f"{PS}.py")), folder / "copy" if copy else None)


@pytest.mark.parametrize("umask, modes", [(0o077, {0o600, 0o700}), (0o007, {0o660, 0o770}), (0o000, {0o660, 0o770})])
def test_what_is_there_is_copied_for_those_who_may_read_the_course(folder: Path, umask: int, modes: set[int]) -> None:
    before = os.umask(umask)
    try:
        assert taken(folder).sizes == {f"{PS}.py": 6, "inside/a.txt": 6}
    finally:
        os.umask(before)
    assert (folder / "copy/inside/a.txt").read_bytes() == b"honest"
    assert {path.stat().st_mode & 0o777 for path in (folder / "copy").rglob("*")} == modes


@pytest.mark.parametrize("name", [f"{PS}.py", "inside"])
@pytest.mark.parametrize("moment", ["before it is held", "after it is judged"])
def test_what_is_exchanged_for_a_link_between_a_look_and_the_copy_is_never_followed(
        folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, moment: str) -> None:
    def exchange() -> None:
        place = folder / "record" / name
        if not place.is_symlink():
            place.rename(folder / "aside")
            place.symlink_to(folder / "hidden" / (name if "." in name else ""))
    if moment == "before it is held":
        listed = gate.entries_of
        monkeypatch.setattr(gate, "entries_of", lambda *given: (listed(*given), exchange())[0])
    else:
        reopened = gate.reopened
        holding = gate.held

        def held(entry: str, parent: int):
            context = holding(entry, parent)
            if entry == name:
                monkeypatch.setattr(gate, "reopened", lambda *given: (exchange(), reopened(*given))[1])
            return context
        monkeypatch.setattr(gate, "held", held)
    with pytest.raises(Refused):
        taken(folder)
    assert not [path for path in (folder / "copy").rglob("*") if path.is_file() and path.read_bytes() == LOOT]


def test_a_file_that_grows_or_changes_while_it_is_copied_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = os.read

    def growing(descriptor: int, size: int) -> bytes:
        block = read(descriptor, size)
        with (folder / "record" / f"{PS}.py").open("ab") as file:
            file.write(b"x" * 100)
        return block
    monkeypatch.setattr(gate.os, "read", growing)
    with pytest.raises(Refused, match="changed while it was copied"):
        taken(folder)
    assert (folder / "copy" / f"{PS}.py").stat().st_size < 2**20


def rewritten(record: Path) -> None:
    (record / f"{PS}.py").write_bytes(b"HONEST")


def renamed_in(record: Path) -> None:
    (record.parent / "hidden" / "a.txt").rename(record / "b.txt")


def folder_renamed_in(record: Path) -> None:
    (record.parent / "hidden").rename(record / "b")


def taken_out(record: Path) -> None:
    (record / "inside" / "a.txt").unlink()


def whole_renamed(record: Path) -> None:
    record.rename(record.with_name("before"))
    record.with_name("before").rename(record)


@pytest.mark.parametrize("change", [rewritten, renamed_in, folder_renamed_in, taken_out, whole_renamed])
def test_a_change_after_the_deadline_is_seen_although_times_are_set_back(folder: Path, change: Callable[[Path], None]) -> None:
    time.sleep(0.05)
    deadline = time.time_ns()
    assert taken(folder, copy=False).time_ns < deadline
    time.sleep(0.05)
    change(folder / "record")
    for path in (folder / "record", *(folder / "record").rglob("*")):
        before = path.stat().st_ctime_ns
        if before > deadline:  # what was changed; setting a time back moves the change time forward, too
            os.utime(path, ns=(10**18, 10**18))
    assert taken(folder, copy=False).time_ns > deadline


def test_a_file_of_others_counts_only_if_everybody_may_read_it_and_it_has_one_name(folder: Path) -> None:
    rules = Rules(student=4242, trusted=frozenset({os.geteuid()}), asked=(f"{PS}.py",))
    work = folder / "record" / f"{PS}.py"
    assert rules.refusal(work.stat()) is None
    work.chmod(0o640)
    assert "may not read it" in str(rules.refusal(work.stat()))
    work.chmod(0o644)
    os.link(work, folder / "second")
    assert "a second name" in str(rules.refusal(work.stat()))
    assert "belongs to user id" in str(Rules(4242, frozenset(), ()).refusal(work.stat()))


@pytest.mark.parametrize("where", ["ada", f"ada/{PS}", f"ada/{PS}/{PS}.py", f"ada/{PS}/inside"])
def test_below_submitted_no_link_is_followed_wherever_it_stands(tmp_path: Path, where: str) -> None:
    work = tmp_path / "submitted" / "ada" / PS
    (work / "inside").mkdir(parents=True)
    (work / f"{PS}.py").write_bytes(b"mine")
    (work / "inside" / f"{PS} b.py").write_bytes(b"mine too")
    assert read_payload(work, PS).item(f"{PS}.py").content == b"mine"
    place = tmp_path / "submitted" / where
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    contents = {item.name: item.content for item in read_payload(work, PS).items}
    behind = {"ada": 0, f"ada/{PS}": 0, f"ada/{PS}/{PS}.py": 1, f"ada/{PS}/inside": 1}[where]
    assert len([content for content in contents.values() if content]) == behind
    assert read_below(work, f"{PS}.py", 100) == (b"mine" if where.endswith("inside") else None)


def test_a_folder_that_staff_name_may_be_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / f"{PS}.py").write_bytes(b"mine")
    (tmp_path / "named").symlink_to(tmp_path / "real")
    assert read_payload(tmp_path / "named", PS).item(f"{PS}.py").content == b"mine"
