"""What the readers of students' text are fuzzed with: real submissions changed here and there, and texts made to do harm.

Every kind has a maker, from a source of random numbers to an input, and an examination that the input must pass.
"""

from __future__ import annotations

import copy
import io
import json
import random
import re
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from autograder.build import build
from autograder.build.source import load, names
from autograder.challenge.nearness import distance
from autograder.challenge.weights import MOST_BYTES, WeightsError, parse
from autograder.grading import advice, parcel
from autograder.grading import submission as submissions
from autograder.grading.find import file_names, others
from autograder.grading.forms import MAX_CODE_BYTES, Cell
from autograder.grading.lookalikes import odd_names
from autograder.grading.submission import Submission
from autograder.plain import plain_text
from autograder.sandbox.errors import StudentError, label, raised, readable
from autograder.sandbox.inside.loader import without_magics
from scripts.text_families import REPEATED

Files = dict[str, bytes]
LONGEST = 20_000  # letters that a family is repeated to
ODD_LETTERS = "\0\x07\x1b\x9b\x85\u202e\u2066\u200b\u2028\u2029\ufeff\ufffd\ue000\ud800\udfff\U0001f600\U000e0001"
ODD_LETTERS += "\u0130\u00df\ufb01\u0430\u3164"
ODD_TEXTS = (
    *REPEATED.values(), *ODD_LETTERS, "", "def ucb(", "class TreeNode:\n    def is_terminal(self): ", "from ps2_uct import *\n",
    "import ps2_uct\n", "# %%\n", '# %% exercise="2.6"\n', '# %% check="2.5"\n', '# %% [markdown] answer="2.13"\n',
    '# %% tags=["experiment"] active="ipynb"\n', "%%bash\n", "%time x\n", "!ls\n", "<<<<<<< HEAD\n=======\n>>>>>>> x\n",
    "raise NotImplementedError(", "lambda: ", "not ", "@method_of(TreeNode)\n", "max = 3\n", "async def ", "x = yield ", "f'{",
    "\\N{", "<script>", "![a](data:image/png;base64,AA", "[x](javascript:alert(1))", "| a |\n|-|\n", "$$", "&#x1F600;",
    "from __future__ ",
)
ODD_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 2**70, "", "x", "code", "markdown", "raw", [], {}, [[]], [None], {"": {}}, "experiment",
    {"tags": ["experiment"]}, {"nbgrader": {"grade_id": "ex2_6_code"}}, {"nbgrader": {"grade_id": "ex2_13"}}, {"nbgrader": None},
    {"cell_type": "code", "source": ["x = 1\n", 3]}, {"cell_type": "markdown", "source": None}, "\ud800", "\u202e",
)
ODD_NUMBERS = ("9" * 5_000, "1e999999", "-0", "NaN", "-Infinity", "0." + "1" * 3_000, "1E400")


def odd_text(rng: random.Random) -> str:
    """Return a text of a few pieces, some of them again and again."""
    parts = []
    for _ in range(rng.randrange(1, 6)):
        piece = rng.choice(ODD_TEXTS)
        times = rng.choice((1, 1, 1, 2, 7, 100, LONGEST // max(1, len(piece)) // 4)) if rng.random() < 0.4 else 1
        parts.append(piece * times)
    return "".join(parts)[:LONGEST]


def changed(text: str, rng: random.Random) -> str:
    """Return a text with one to three of its parts replaced, moved, repeated or cut."""
    for _ in range(rng.randrange(1, 4)):
        first, last = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        last = min(last, first + rng.choice((0, 1, 10, 500)))
        what = rng.random()
        if what < 0.5:
            text = text[:first] + odd_text(rng) + text[last:]
        elif what < 0.7:
            text = text[:first] + text[first:last] * rng.choice((2, 3, 30)) + text[last:]
        elif what < 0.85:
            text = text[:first] + text[last:]
        elif what < 0.95:
            text = text[:first]
        else:
            text = text[first:] + text[:first]
    return text[: 3 * LONGEST]


def encoded(text: str, rng: random.Random) -> bytes:
    how = rng.choices(("utf-8", "utf-16", "latin-1", "utf-8-sig"), (20, 1, 1, 1))[0]
    data = text.encode(how, "surrogatepass" if how.startswith("utf") else "replace")
    if rng.random() < 0.05 and data:
        at = rng.randrange(len(data))
        data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    return data.replace(b"\n", rng.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")))


# -- submissions ---------------------------------------------------------------------------------------


@cache
def _real(ps: str) -> tuple[dict, str, dict, str]:
    """Return the notebook and the module of our solution and of the stub."""
    (notebook, module), (stub, stub_module) = build(load(ps), solution=True), build(load(ps), solution=False)
    return json.loads(notebook), module, json.loads(stub), stub_module


def _notebook(ps: str, rng: random.Random) -> str:
    """Return a notebook of some of our cells, with values of its JSON replaced."""
    solved, _, stub, _ = _real(ps)
    cells = rng.choice((solved, solved, stub))["cells"]
    content = {**solved, "cells": json.loads(json.dumps(rng.sample(cells, rng.randrange(0, 7))))}
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        _replace_one(content, rng)
    text = json.dumps(content, ensure_ascii=rng.random() < 0.9)
    if rng.random() < 0.1:
        text = text.replace(": null", f": {rng.choice(ODD_NUMBERS)}", rng.randrange(1, 4))
    if rng.random() < 0.1:
        depth = rng.choice((10, 900, 5_000))
        text = text.replace(": null", f": {'[' * depth}{']' * depth}", 1)
    return changed(text, rng) if rng.random() < 0.15 else text


def _replace_one(value: Any, rng: random.Random) -> None:
    """Replace, or change the text of, one value somewhere below a list or dict."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = rng.choice(keys)
        inner = value[key]
        if isinstance(inner, (dict, list)) and inner and rng.random() < 0.85:
            value = inner
            continue
        if isinstance(inner, str) and rng.random() < 0.7:
            value[key] = changed(inner, rng)
        elif rng.random() < 0.1:
            del value[key]
        else:
            value[key] = copy.deepcopy(rng.choice(ODD_VALUES))
        return


def _module(ps: str, rng: random.Random) -> str:
    _, solved, _, stub = _real(ps)
    cells = re.split(r"(?m)^(?=# %%)", rng.choice((solved, solved, stub)))
    text = "".join(rng.sample(cells, min(len(cells), rng.randrange(0, 7))))
    return changed(text, rng) if rng.random() < 0.8 else text + odd_text(rng)


def make_submission(rng: random.Random) -> tuple[str, Files]:
    """A folder: one form or both, under their names or others."""
    ps = rng.choice(names())
    files: Files = {}
    for form, name in file_names(ps).items():
        if rng.random() < 0.6:
            other = rng.choice(("notebook", "module")) if rng.random() < 0.05 else form
            text = _notebook(ps, rng) if other == "notebook" else _module(ps, rng)
            files[_other_name(name, rng) if rng.random() < 0.2 else name] = encoded(text, rng)
    if rng.random() < 0.1:
        files[_other_name(rng.choice(list(file_names(ps).values())), rng)] = encoded(odd_text(rng), rng)
    return ps, files


def _other_name(name: str, rng: random.Random) -> str:
    stem, _, ending = name.partition(".")
    odd = odd_text(rng)[:12].replace("/", "").replace("\0", "").encode("utf-8", "replace").decode()
    return rng.choice((f"{stem} (1).{ending}", f"sub/{name}", f"{stem}.{ending}.txt", stem, f"{stem}{odd}.{ending}",
                       f"mine.{ending}", f"{odd or 'x'}.{ending}", f"{stem}.zip"))


def examine_submission(made: tuple[str, Files], room: Path) -> str:
    """Read, hash, pack and lay out a submission; nothing may raise, nor end at the boundary that is there for the rest."""
    ps, files = made
    folder, there = room / "work", room / "there"
    _lay(folder, files)
    submission = submissions.read(folder, ps)
    assert submission.trouble == "", submission.trouble
    assert submission.form in ("notebook", "module", "none") and plain_text(submission.note) == submission.note
    assert all(isinstance(cell, Cell) and isinstance(cell.source, str) and plain_text(cell.label) == cell.label
               for cell in submission.cells)
    assert all(cell.role in ("code", "experiment", "check", "markdown") for cell in submission.cells)
    assert sum(len(source) for _, source in submission.code()) <= 2 * MAX_CODE_BYTES  # both forms, joined
    packed = parcel.pack(folder, ps)
    assert packed.trouble == "" and all(plain_text(other.name) == other.name for other in others(folder, ps))
    _lay(there, {})
    parcel.unpack(packed, there)
    assert submissions.read(there, ps) == submission, "another submission once it has travelled"
    return submission.form


def _lay(folder: Path, files: Files) -> None:
    for path in sorted(folder.rglob("*"), reverse=True) if folder.exists() else ():
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        try:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        except (OSError, ValueError):  # a name that no file can have, or that another one has as a folder
            pass


# -- single readers ------------------------------------------------------------------------------------


def make_text(rng: random.Random) -> str:
    """Code of ours, changed; or something odd."""
    if rng.random() < 0.3:
        return odd_text(rng)
    ps = rng.choice(names())
    cells = [cell for cell in load(ps).cells if not cell.markdown]
    return changed(rng.choice(cells).solution, rng)


def make_cells(rng: random.Random) -> Submission:
    ps = rng.choice(names())
    ours = load(ps).cells
    chosen = rng.sample(ours, rng.randrange(1, 8))
    cells = [Cell(f"cell {number}", changed(cell.solution, rng) if rng.random() < 0.5 else cell.solution, None,
                  "markdown" if cell.markdown or rng.random() < 0.1 else "code") for number, cell in enumerate(chosen, 1)]
    return Submission(ps, "notebook", tuple(cells), "", "0")


def examine_advice(submission: Submission, room: Path) -> str:
    exercises = load(submission.problem_set).exercises
    letters = length(submission)
    there = [one for one in exercises if any(f"def {one.functions[0]}" in cell.source for cell in submission.cells)]
    lost = {exercise.id: ("not written", "not yet")[letters % 2] for exercise in there or exercises[letters % 6 :: 6]}
    try:
        said = advice._sentences(submission, lost)
    except (RecursionError, MemoryError):  # Python's parser at nesting that it takes and cannot walk; the child has it
        return "too deep"
    assert isinstance(said, list) and len(said) <= advice.MOST_SENTENCES
    assert all(isinstance(one, str) and len(one) < 1_500 for one in said)
    known = ("there is no", "more than once", "still raises", "takes (", "stands", "unfinished merge", "own names")
    return next((words for words in known if said and words in said[0]), "another" if said else "nothing")


def examine_magics(text: str, room: Path) -> str:
    plain = without_magics(text)
    assert isinstance(plain, str) and len(plain) <= 4 * len(text) + 4
    if not text.startswith("%%"):
        assert plain.count("\n") == text.count("\n")
    return "changed" if plain != text else "same"


@cache
def _vocabulary(ps: str) -> Any:
    from autograder.similarity.fingerprints import Vocabulary

    return Vocabulary(load(ps))


def make_short_text(rng: random.Random) -> str:
    return make_text(rng)[:1_500]  # its lexer takes the square of the length, and has a limit of its own


def examine_similarity(text: str, room: Path) -> str:
    vocabulary = _vocabulary("ps2_uct")
    pieces = vocabulary.lettered(vocabulary.worded([(None, text)]))
    for piece in pieces:
        assert len(piece.words) == len(piece.places) and plain_text(piece.source) == piece.source
        assert all(0 <= start <= end <= len(piece.source) for start, end in piece.places)
    return "pieces" if pieces else "nothing"


def make_markdown(rng: random.Random) -> str:
    ps = rng.choice(names())
    texts = [cell.solution for cell in load(ps).cells if cell.markdown]
    return (changed(rng.choice(texts), rng) if rng.random() < 0.6 else odd_text(rng))[:3_000]


def examine_markdown(text: str, room: Path) -> str:
    from autograder.gradebook.rendering import safe_markdown

    page = safe_markdown.__wrapped__(text) if hasattr(safe_markdown, "__wrapped__") else safe_markdown(text)
    assert isinstance(page, str) and "<script" not in page.lower() and "<iframe" not in page.lower()
    return "page"


def make_names(rng: random.Random) -> list[str]:
    base = rng.choice(("ada", "Zoë 明 O'Hara", "s1234", "Иван", "anna.b"))
    return [changed(base, rng)[: rng.choice((20, 80))] for _ in range(rng.randrange(1, 12))]


def examine_names(found: list[str], room: Path) -> str:
    said = odd_names(found, found[:2])
    assert all(isinstance(one, str) and one.isprintable() for one in said), said
    for name in found:
        assert plain_text(plain_text(name)) == plain_text(name) and len(plain_text(name)) == len(name)
        assert label(name).isprintable() or any(letter.isspace() for letter in label(name))
    return "remarks" if said else "nothing"


def make_error(rng: random.Random) -> Any:
    """What a worker may send for an exception: names, cell, line, whether it is the stub's, text for staff; one thing is odd."""
    said: list[Any] = [[odd_text(rng)[:300], "ValueError"], odd_text(rng)[:900], rng.choice((3, -1, 2**70)), rng.random() < 0.1,
                       odd_text(rng)[:9_000]]
    odd = (copy.deepcopy(rng.choice(ODD_VALUES)), [odd_text(rng)[:300]], ["MemoryError", 3], True)
    if rng.random() < 0.5:
        said[rng.randrange(5)] = rng.choice(odd)
    return said if rng.random() < 0.95 else rng.choice((said[:4], said + [0], *odd))


def examine_error(value: Any, room: Path) -> str:
    error = raised(value)
    assert isinstance(error, StudentError) and plain_text(error.staff) == error.staff and len(error.staff) <= 4_000
    assert plain_text(str(error)) == str(error) and readable(value) == plain_text(readable(value))
    return type(error).__name__


KINDS_OF_NUMBERS = ("<f2", "<f4", "<f8", "|i1", "<u8")
EXTREMES = (0.0, 1.0, -1.0, 6e4, -6e4, 6e-8, 3e38, 1e-45, 1.7e308, -1.7e308, 5e-324, float("nan"), float("inf"))


def make_weights(rng: random.Random) -> bytes:
    """An archive of arrays, of extreme numbers at times, with some of its bytes changed."""
    arrays = {}
    with np.errstate(all="ignore"):
        for number in range(rng.randrange(0, 5)):
            shape = tuple(rng.choice((0, 1, 2, 5, 12)) for _ in range(rng.randrange(0, 5)))
            array = np.random.default_rng(rng.getrandbits(32)).normal(size=shape) * rng.choice(EXTREMES[1:-2])
            if rng.random() < 0.3:
                array = np.full(shape, rng.choice(EXTREMES[: None if rng.random() < 0.2 else -2]))
            dtype = rng.choice(KINDS_OF_NUMBERS[:3] if rng.random() < 0.8 else KINDS_OF_NUMBERS)
            arrays[rng.choice(("w", "conv.weight", "a_1", "b")) + str(number)] = np.nan_to_num(array).astype(dtype) \
                if dtype[1] in "iu" else array.astype(dtype)
    file = io.BytesIO()
    if rng.random() < 0.1:
        odd = odd_text(rng)[:200].replace("\0", "").encode("utf-8", "replace").decode() or "w"
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(rng.choice(("w.npy", "../w.npy", "w", odd)), b"\x93NUMPY" + encoded(odd_text(rng), rng))
    else:
        rng.choice((np.savez, np.savez_compressed))(file, **arrays)
    data = bytearray(file.getvalue())
    for _ in range(rng.choice((0, 0, 0, 1, 2, 8))):
        at = rng.randrange(len(data))
        how = rng.random()
        if how < 0.7:
            data[at] = rng.randrange(256)
        elif how < 0.85:
            del data[at : at + rng.choice((1, 20, 1_000))]
        else:
            data[at:at] = data[at : at + rng.choice((4, 46, 500))] * rng.choice((1, 2, 50))
        if not data:
            break
    return bytes(data)


_LAST: list[dict[str, np.ndarray]] = []


def examine_weights(data: bytes, room: Path) -> str:
    """Read weights, and compare them with themselves and with those before them."""
    try:
        arrays = parse(data)
    except WeightsError as error:
        assert str(error).isprintable() and len(str(error)) < 500
        return "refused"
    assert all(array.dtype.kind in "fiu" and np.isfinite(array).all() for array in arrays.values())
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        for other in (arrays, *_LAST):
            apart = distance(arrays, other)
            assert apart is not None and 0 <= apart <= 1 and abs(apart - distance(other, arrays)) < 1e-9
    _LAST[:] = [arrays]
    return "compared"


def make_timestamp(rng: random.Random) -> bytes:
    """What may stand in nbgrader's timestamp.txt."""
    real = ("2026-11-22 11:00:00 UTC", "22 Nov 2026 3pm +0200", "20261122T110000Z", "2026-W12-3", "11:59:59.999999 -1400")
    if rng.random() < 0.6:
        return encoded(changed(rng.choice(real), rng)[: rng.choice((30, 4_000))], rng)
    return "".join(rng.choice("0123456789:-+TZ., UTCapm/eE") for _ in range(rng.randrange(40))).encode()


def examine_timestamp(data: bytes, room: Path) -> str:
    from autograder.gradebook.stamp import read_side_files

    _lay(room / "work", {"timestamp.txt": data})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of time zones that dateutil does not know
        found = read_side_files(room / "work")
    assert found in ({}, {"timestamp.txt": data})
    return "a time" if found else "none"


Make = Callable[[random.Random], Any]
Examine = Callable[[Any, Path], str]
KINDS: dict[str, tuple[Make, Examine]] = {
    "submission": (make_submission, examine_submission),
    "advice": (make_cells, examine_advice),
    "magics": (make_text, examine_magics),
    "similarity": (make_short_text, examine_similarity),
    "markdown": (make_markdown, examine_markdown),
    "names": (make_names, examine_names),
    "errors": (make_error, examine_error),
    "weights": (make_weights, examine_weights),
    "timestamp": (make_timestamp, examine_timestamp),
}
# Of some hundred inputs so many are of a kind.
SHARES = {"submission": 40, "advice": 15, "magics": 12, "similarity": 6, "markdown": 3, "names": 8, "errors": 6, "weights": 10,
          "timestamp": 4}


def length(value: Any) -> int:
    """Return how many letters or bytes an input has; of an archive as many as it unpacks to, as far as it is read."""
    if isinstance(value, bytes) and value.startswith(b"PK"):
        try:
            with zipfile.ZipFile(io.BytesIO(value)) as archive:
                return len(value) + min(MOST_BYTES, sum(entry.file_size for entry in archive.infolist()))
        except Exception:  # a broken one is not unpacked
            return len(value)
    if isinstance(value, (str, bytes)):
        return len(value)
    if isinstance(value, dict):
        return sum(map(length, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(length, value))
    return sum(len(cell.source) for cell in value.cells) if isinstance(value, Submission) else 1
