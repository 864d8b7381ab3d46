"""Each covert channel, as root and as an ordinary user: nothing arrives in a sandbox that arrives outside of it."""

import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sandbox import contents
from autograder.sandbox.bubblewrap import JAIL
from autograder.sandbox.host import files
from autograder.selftest.channels.pairs import AFTER, PAIRS, Pair
from autograder.selftest.channels.trial import Inside, with_control
from tests.unit.in_the_sandbox import SMALL, ask, root

# Counters of the whole host: on a host that does much else the pair does not work outside either, and it takes a minute.
NOISY = ("numbers of p", "numbers of f", "numbers of s", "forks in", "memory of the host", "counters of")
TRIED = [pair for pair in PAIRS if not pair.open_because and not pair.name.startswith(NOISY)]


@pytest.fixture(scope="module")
def inside() -> Iterator[Inside]:
    made = Inside()
    yield made
    made.close()


@pytest.mark.usefixtures("whole_world")
@pytest.mark.parametrize("pair", TRIED, ids=[pair.name for pair in TRIED])
def test_a_channel_that_works_between_processes_carries_nothing_between_sandboxes(pair: Pair, inside: Inside):
    for _ in range(3):
        control, result = with_control(pair, inside)
        assert not result.carried, (str(control), str(result))
        if control.carried:
            return
    pytest.skip(f"between two processes of this host the pair carries nothing either: {control}")


@pytest.mark.usefixtures("repetition")
def test_counters_of_the_whole_host_cannot_be_moved_or_read(inside: Inside):
    for pair in (pair for pair in PAIRS if pair.name.startswith(NOISY) and pair.name != "numbers of processes"):
        assert inside(pair).refused, pair.name


@pytest.mark.usefixtures("repetition")
def test_no_bits_are_carried_through_cold_pages_in_fifty_tries(inside: Inside):
    """before, the code of our own solution arrived so, and a stub earned points with it"""
    pairs = [pair for pair in AFTER if pair.name in ("page cache: time of a read", "page cache: major faults")]
    carried = [(pair.name, seed) for pair in pairs for seed in range(25 if root() else 2) if inside(pair, seed).carried]
    assert len(pairs) == 2 and carried == []


@pytest.mark.usefixtures("processes")
def test_the_files_of_a_sandbox_are_in_memory():
    tree = files.tree_of(SMALL)
    if tree.doubt:
        pytest.skip(f"this host has no memory for them: {tree.doubt}")
    assert files._in_memory(tree.folder) and (tree.folder / JAIL[1:]).is_dir()
    assert ask("import os\ndef f(): return [os.stat(top).st_dev for top in ('/', '/opt', '/usr/lib', '/etc')]") == [
        tree.folder.stat().st_dev] * 4


@pytest.mark.usefixtures("repetition")
def test_without_memory_the_files_lie_on_a_disk_and_it_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "_places", lambda: iter([tmp_path / "full", tmp_path / "place"]))
    real = files._made
    monkeypatch.setattr(files, "_made", lambda tree, sources: "full: no room" if tree.folder.parent.name == "full" else
                        real(tree, sources))
    files._tree.cache_clear()
    try:
        tree = files.tree_of(SMALL)
        assert tree.folder.parent == tmp_path / "place" and tree.whole
        assert files._in_memory(tmp_path) or "memory" in tree.doubt
        assert ask("def f(): return 42") == 42
        (tree.folder.parent / f"{tree.folder.name}.done").unlink()  # as at a user's last logout
        assert files.tree_of(SMALL).whole
    finally:
        files._tree.cache_clear()


@pytest.mark.usefixtures("processes")
def test_a_copy_that_another_grader_makes_and_uses_meanwhile_is_waited_for_no_longer(monkeypatch, tmp_path):
    """two workers of one class begin at once on a new host: the second one hung until the first one's end"""
    locked, others = files._locked, []

    def overtaken(path: Path, how: int) -> int:
        if how & fcntl.LOCK_EX and not others:
            others.append(locked(path, fcntl.LOCK_SH))
            assert files._made(files.Tree(path.with_suffix(""), ""), contents.sources_of(SMALL)) == ""
        return locked(path, how)

    monkeypatch.setattr(files, "_places", lambda: iter([tmp_path]))
    monkeypatch.setattr(files, "_locked", overtaken)
    files._tree.cache_clear()
    try:
        assert files.tree_of(SMALL).folder.parent == tmp_path and len(others) == 1
    finally:
        files._tree.cache_clear()
        for lock in others:
            os.close(lock)


def test_a_copy_that_nobody_uses_for_long_goes(tmp_path):
    made = {name: tmp_path / f"{name}.done" for name in ("fresh", "old", "held")}
    for name, mark in made.items():
        (tmp_path / name).mkdir()
        mark.touch()
        os.utime(mark, (0, time.time() - (0 if name == "fresh" else files.UNUSED_S + 1)))
    lock = files._locked(tmp_path / "held.lock", fcntl.LOCK_SH)
    files._clear_away(tmp_path, "another kind")
    os.close(lock)
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {"fresh", "held"}
