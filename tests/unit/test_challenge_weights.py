"""The weights that a student hands in: arrays of numbers are read, and everything else is refused with a sentence."""

import io
import os
import pickle
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from arena.weights_file import MOST_FILE_BYTES, NAME, WeightsError, parse
from autograder.challenge.player.weights import read_weights

ARRAYS = {
    "conv1.weight": np.arange(24, dtype=np.float32).reshape(2, 3, 2, 2),
    "conv1.bias": np.zeros(2, np.float32),
    "norm.num_batches_tracked": np.array(7, np.int64),
    "head": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "empty": np.zeros((0, 3), np.float16),
}


def saved(save: Callable = np.savez, **arrays: object) -> bytes:
    file = io.BytesIO()
    save(file, **(arrays or ARRAYS))
    return file.getvalue()


def zipped(entries: list[tuple[str, bytes]], method: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file.getvalue()


def npy(array: object) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def with_header(header: str, content: bytes = b"") -> bytes:
    text = header.encode().ljust(117) + b"\n"
    return zipped([("w.npy", b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text + content)])


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_what_numpy_saves_comes_through(save: Callable) -> None:
    read = parse(saved(save))
    assert list(read) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert read[name].dtype == array.dtype and read[name].shape == array.shape
        assert (read[name] == array).all() and read[name].flags["C_CONTIGUOUS"] and read[name].flags["WRITEABLE"]


def test_a_folder_without_weights_has_none_and_equal_files_have_one_hash(tmp_path: Path) -> None:
    assert read_weights(tmp_path) is None
    (tmp_path / NAME).write_bytes(saved())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / NAME).write_bytes(saved(np.savez_compressed))
    first, second = read_weights(tmp_path), read_weights(tmp_path / "other")
    assert first.sha256 == read_weights(tmp_path).sha256 != second.sha256 and list(first.arrays) == list(second.arrays)


class Evil:
    """Pickles to a call that would leave a file behind."""

    def __reduce__(self) -> tuple:
        return os.mkdir, ("opened",)


def torch_file() -> bytes:
    file = io.BytesIO()
    torch.save({"w": torch.zeros(3)}, file)
    return file.getvalue()


def encrypted() -> bytes:
    data = bytearray(saved(w=np.zeros(3)))
    data[6] |= 1  # of the local header; and of the header in the table of contents
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


BOMB = zipped([("w.npy", npy(np.zeros(2**20)) + bytes(60 * 2**20))], zipfile.ZIP_DEFLATED)
NUMBERS = "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }"
REFUSED = {
    "a pickle": (pickle.dumps(Evil()), "is a pickle, which is never opened here"),
    "torch.save": (torch_file(), "written by torch.save"),
    "an object array": (saved(w=np.array([Evil()], dtype=object)), "w holds Python objects"),
    "one array": (npy(np.zeros(3)), "is a single array and not an archive"),
    "an empty file": (b"", "is empty and not an archive"),
    "text": (b"0.1 0.2", "is something else and not an archive"),
    "no arrays": (zipped([]), "an empty or split archive"),
    "cut off": (saved()[:-40], "is damaged"),
    "cut in the middle": (saved()[:300], "is damaged"),
    "a name that leaves the folder": (zipped([("../w.npy", npy(np.zeros(3)))]), r"an entry called '\.\./w\.npy'"),
    "a folder": (zipped([("w/", b"")]), "an entry called 'w/'"),
    "another file": (zipped([("readme.txt", b"hello")]), "an entry called 'readme.txt'"),
    "a name for terminals": (zipped([("\x1b[2Jw.npy", npy(np.zeros(3)))]), r"an entry called '\\x1b\[2Jw\.npy'"),
    "a long name in signs": (zipped([("\U0001f600" * 60, b"")]), r"an entry called '\\U0001f600.{1,60}\.\.\.', not"),
    "encrypted": (encrypted(), "w.npy is encrypted"),
    "packed otherwise": (zipped([("w.npy", npy(np.zeros(3)))], zipfile.ZIP_BZIP2), "packed in a way that numpy does not use"),
    "too many": (zipped([(f"w{n}.npy", b"") for n in range(300)]), "holds 300 arrays"),
    "a zip bomb": (BOMB, "unpacks to 71,303,296 bytes; at most 4,194,304"),
    "not an array inside": (zipped([("w.npy", b"hello, world")]), "w is not a NumPy array"),
    "nan": (saved(w=np.array([1.0, np.nan])), "w holds nan or infinity"),
    "infinity": (saved(w=np.array([1.0, -np.inf], np.float32)), "w holds nan or infinity"),
    "text inside": (saved(w=np.array(["hello"])), "w is of type '<U5'"),
    "big-endian": (saved(w=np.zeros(3, ">f4")), "w is of type '>f4'"),
    "complex": (saved(w=np.zeros(3, complex)), "w is of type '<c16'"),
    "bools": (saved(w=np.zeros(3, bool)), r"w is of type '\|b1'"),
    "records": (saved(w=np.zeros(3, [("a", "<f4")])), "the header of w"),
    "a header that is a program": (with_header("__import__('os').mkdir('opened')"), "the header of w"),
    "a type that is a program": (with_header("{'descr': exit(), 'fortran_order': False, 'shape': (3,), }"), "the header of w"),
    "more than is there": (with_header(NUMBERS % "3,", bytes(16)), r"its shape \(3,\) says"),
    "less than is there": (with_header(NUMBERS % "1,", bytes(16)), r"its shape \(1,\) says"),
    "a shape without end": (with_header(NUMBERS % "999999999, 999999999, 999999999"), "as many numbers as its shape"),
    "a negative shape": (with_header(NUMBERS % "-1,"), "the header of w"),
    "too many sides": (with_header(NUMBERS % "1, 1, 1, 1, 1, 1, 1, 1, 1", bytes(8)), "as many numbers as its shape"),
    "a header without end": (with_header(NUMBERS % ("1, " * 9_000)), "the header of w"),
    "two hundred sides": (with_header(NUMBERS % ("1, " * 200), bytes(8)), "as its shape of 200 sides"),
    "a table of contents without end": (saved() + b"PK\x01\x02" * 90_000, "far more than the 256 arrays"),
    "a later format": (zipped([("w.npy", b"\x93NUMPY\x09\0" + bytes(40))]), "w is not a NumPy array"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_archive_of_numbers_is_refused_in_a_sentence(case: str, tmp_path: Path, monkeypatch) -> None:
    data, reason = REFUSED[case]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WeightsError, match=reason) as refusal:
        parse(data)
    assert str(refusal.value).startswith(NAME) and str(refusal.value).isprintable() and len(str(refusal.value)) < 250
    assert list(tmp_path.iterdir()) == []  # nothing was opened


def test_a_name_that_stands_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped([("w.npy", npy(np.zeros(3))), ("w.npy", npy(np.ones(3)))])
    with pytest.raises(WeightsError, match="holds w.npy twice"):
        parse(data)


def test_a_size_that_lies_unpacks_no_more_than_it_says() -> None:
    content = npy(np.zeros(2**17))
    data = bytearray(zipped([("w.npy", content)], zipfile.ZIP_DEFLATED))
    where = data.rindex(b"PK\x01\x02") + 24
    data[where : where + 4] = (1000).to_bytes(4, "little")
    with pytest.raises(WeightsError, match="is damaged"):
        parse(bytes(data))


def test_damage_anywhere_is_a_sentence_or_harmless() -> None:
    sound, rng = saved(), random.Random(11)
    for _ in range(1500):
        data = bytearray(sound)
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            arrays = parse(bytes(data))
        except WeightsError:
            continue
        assert all(array.dtype.kind in "fiu" for array in arrays.values())


def test_what_is_no_plain_file_is_not_opened(tmp_path: Path) -> None:
    for number, make in enumerate((Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/etc/passwd"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        make(folder / NAME)
        with pytest.raises(WeightsError, match="not a regular file"):
            read_weights(folder)


def test_a_file_that_is_too_large_is_told_by_its_size(tmp_path: Path) -> None:
    with (tmp_path / NAME).open("wb") as file:
        file.truncate(MOST_FILE_BYTES + 1)
    with pytest.raises(WeightsError, match="has 4,325,377 bytes; at most 4,325,376 are read"):
        read_weights(tmp_path)


@pytest.mark.parametrize("error", [RecursionError, MemoryError, KeyError, UnicodeDecodeError("utf-8", b"", 0, 1, "x")])
def test_whatever_the_reader_of_archives_raises_is_a_sentence(error, monkeypatch) -> None:
    def broken(*arguments: object) -> None:
        raise error

    data = saved()
    monkeypatch.setattr("arena.weights_file.zipfile.ZipFile", broken)
    with pytest.raises(WeightsError, match="weights.npz is damaged"):
        parse(data)
