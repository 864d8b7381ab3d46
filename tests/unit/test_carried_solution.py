"""Our own solution, carried from one exercise's process to a later one's by the pages of cold files: a stub must earn nothing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.grading import submission_runner
from autograder.problem_sets.source import load
from autograder.sandbox import sandbox
from autograder.sandbox.host import files
from autograder.sandbox.profiles import profile_of
from autograder.selftest.demo.staging import maker_of
from autograder.selftest.demo.submission_maker import added
from autograder.selftest.one_exercise import caught_by
from autograder.submission.payload import Item, Payload
from autograder.submission.read import Submission, read

pytestmark = pytest.mark.usefixtures("whole_world")

PS = "ps2_uct"
TRIES = 50
# A page is read for a 1. Later each page is touched, and the kernel's account of major faults tells which was cold.
STORE = '''
import marshal, mmap, os, resource, types

def _spots(many):
    pages = []
    for top in ("/opt", "/usr/lib"):
        for folder, inner, names in os.walk(top):
            inner.sort()
            for name in sorted(names):
                if name.endswith(".py") and len(pages) < many:
                    path = folder + "/" + name
                    pages += [(path, place) for place in range(0, os.path.getsize(path) // 4096 * 4096, 4096)]
    return pages[:many]

def _touch(spot):
    path, place = spot
    with open(path, "rb") as file:
        with mmap.mmap(file.fileno(), 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ, offset=place) as page:
            page.madvise(mmap.MADV_RANDOM)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
            page[0]
            return resource.getrusage(resource.RUSAGE_SELF).ru_majflt == before

MOST = 16 + 8 * 700

def leave(data):
    text = len(data).to_bytes(2, "big") + data
    bits = [byte >> n & 1 for byte in text for n in range(8)]
    for bit, spot in zip(bits, _spots(MOST), strict=False):
        if bit:
            _touch(spot)

def find():
    bits = [_touch(spot) for spot in _spots(MOST)]
    text = bytes(sum(bit << n for n, bit in enumerate(bits[place:place + 8])) for place in range(0, len(bits) - 7, 8))
    return text[2:2 + int.from_bytes(text[:2], "big")]
'''
SENDER = STORE + '''
_sent = []
def best_child(node, exploration, rng):
    if not _sent:
        _sent.append(1)
        code = ucb.__code__  # without its docstring and its lines
        leave(marshal.dumps(code.replace(co_consts=(None, *code.co_consts[1:]), co_linetable=b"")))
    return None
'''
RECEIVER = STORE + '''
_found = []
def ucb(node, exploration):
    if not _found:
        _found.append(types.FunctionType(marshal.loads(find()), globals()))
    return _found[0](node, exploration)
'''


def stub_with(code: str) -> Submission:
    notebook = added(maker_of(PS).stub, code).encode()
    return read(Payload(PS, (Item(f"{PS}.ipynb", "file", notebook),)))


def arrived(folder: Path) -> bool:
    """Make the files of a sandbox cold, grade 2.7 of one stub and then 2.6 of another; return whether the other has 2.6 right."""
    for path in folder.rglob("*.py"):
        with path.open("rb") as file:
            os.fsync(file.fileno())  # only what is written down can be forgotten
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    caught_by(stub_with(SENDER), "2.7", [""])
    return caught_by(stub_with(RECEIVER), "2.6", [""]) == (None,)


@pytest.fixture
def on_a_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Let the files of the sandboxes be on a disk, as on a host without memory for them."""
    if files._in_memory(tmp_path):
        pytest.skip("the folder for temporary files is in memory: no page is cold there")
    submission_runner.close_idle()
    monkeypatch.setattr(files, "_places", lambda: iter([tmp_path]))
    files._tree.cache_clear()
    yield tmp_path
    submission_runner.close_idle()
    files._tree.cache_clear()


def test_from_cold_pages_of_a_disk_a_stub_earns_the_points(on_a_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """the control: this attack works wherever a page can be cold"""
    monkeypatch.setattr(sandbox, "warm", lambda tree: None)
    assert any(arrived(on_a_disk) for _ in range(3))


def test_from_a_disk_whose_pages_are_read_again_it_earns_nothing(on_a_disk: Path) -> None:
    assert not any(arrived(on_a_disk) for _ in range(3))


def test_from_the_files_in_memory_it_earns_nothing() -> None:
    tree = files.tree_of(profile_of(load(PS).facts))
    if tree.doubt:
        pytest.skip(f"this host has no memory for them: {tree.doubt}")
    assert not any(arrived(tree.folder) for _ in range(TRIES))
