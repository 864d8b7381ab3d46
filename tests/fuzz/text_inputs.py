"""Inputs for fuzzing the readers of students' text: real submissions with small changes, and texts made to do harm.

Every kind has a maker, from random numbers to an input, and an examination that the input must pass.
"""

from __future__ import annotations

import copy
import io
import random
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from arena.weights_file import MOST_BYTES, WeightsError, parse
from autograder.course.odd_names import odd_names
from autograder.grading import diagnose as advice
from autograder.plain_text import plain_text
from autograder.problem_sets.source import load, names
from autograder.sandbox.errors import StudentError, label, raised, readable
from autograder.sandbox.inside.cell_text import without_magics
from autograder.similarity.weights import distance
from autograder.submission import payload as payload
from autograder.submission.parse import Cell
from autograder.submission.read import Submission
from tests.fuzz.odd_submissions import ODD_VALUES, changed, encoded, examine_submission, lay, make_submission, odd_text


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
    return Submission(load(ps), "notebook", tuple(cells), "", "0")


def examine_advice(submission: Submission, room: Path) -> str:
    exercises = submission.problem_set.exercises
    letters = length(submission)
    there = [exercise for exercise in exercises
             if any(f"def {exercise.functions[0]}" in cell.source for cell in submission.cells)]
    lost = {exercise.id: ("not written", "not yet")[letters % 2] for exercise in there or exercises[letters % 6 :: 6]}
    try:
        sentences = advice._sentences(submission, lost, ())
    except (RecursionError, MemoryError):  # Python's parser at nesting that it accepts and cannot walk; the child runs it
        return "too deep"
    assert isinstance(sentences, list) and len(sentences) <= advice.MOST_SENTENCES
    assert all(isinstance(sentence, str) and len(sentence) < 1_500 for sentence in sentences)
    known = ("there is no", "more than once", "still raises", "takes (", "stands", "unfinished merge", "own names")
    return next((words for words in known if sentences and words in sentences[0]), "another" if sentences else "nothing")


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
    return make_text(rng)[:1_500]  # its lexer needs quadratic time, and has its own limit


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
    from autograder.gradebook.feedback.filters import safe_markdown

    page = safe_markdown.__wrapped__(text) if hasattr(safe_markdown, "__wrapped__") else safe_markdown(text)
    assert isinstance(page, str) and "<script" not in page.lower() and "<iframe" not in page.lower()
    return "page"


def make_names(rng: random.Random) -> list[str]:
    base = rng.choice(("ada", "Zoë 明 O'Hara", "s1234", "Иван", "anna.b"))
    return [changed(base, rng)[: rng.choice((20, 80))] for _ in range(rng.randrange(1, 12))]


def examine_names(students: list[str], room: Path) -> str:
    remarks = odd_names(students, students[:2])
    assert all(isinstance(remark, str) and remark.isprintable() for remark in remarks), remarks
    for name in students:
        assert plain_text(plain_text(name)) == plain_text(name) and len(plain_text(name)) == len(name)
        assert label(name).isprintable() or any(letter.isspace() for letter in label(name))
    return "remarks" if remarks else "nothing"


def make_error(rng: random.Random) -> Any:
    """A worker's message for an exception: names, cell, line, whether it is the stub's, text for staff; one part is odd."""
    error: list[Any] = [[odd_text(rng)[:300], "ValueError"], odd_text(rng)[:900], rng.choice((3, -1, 2**70)), rng.random() < 0.1,
                       odd_text(rng)[:9_000]]
    odd = (copy.deepcopy(rng.choice(ODD_VALUES)), [odd_text(rng)[:300]], ["MemoryError", 3], True)
    if rng.random() < 0.5:
        error[rng.randrange(5)] = rng.choice(odd)
    return error if rng.random() < 0.95 else rng.choice((error[:4], error + [0], *odd))


def examine_error(value: Any, room: Path) -> str:
    error = raised(value)
    assert isinstance(error, StudentError) and plain_text(error.staff) == error.staff and len(error.staff) <= 4_000
    assert plain_text(str(error)) == str(error) and readable(value) == plain_text(readable(value))
    return type(error).__name__


KINDS_OF_NUMBERS = ("<f2", "<f4", "<f8", "|i1", "<u8")
EXTREMES = (0.0, 1.0, -1.0, 6e4, -6e4, 6e-8, 3e38, 1e-45, 1.7e308, -1.7e308, 5e-324, float("nan"), float("inf"))


def make_weights(rng: random.Random) -> bytes:
    """An archive of arrays, sometimes of extreme numbers, with some of its bytes changed."""
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
    """Read weights, and compare them with themselves and with earlier ones."""
    try:
        arrays = parse(data)
    except WeightsError as error:
        assert str(error).isprintable() and len(str(error)) < 500  # noqa: PT017 - it is what the fuzzing looks for
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
    """Possible contents of nbgrader's timestamp.txt."""
    real = ("2026-11-22 11:00:00 UTC", "22 Nov 2026 3pm +0200", "20261122T110000Z", "2026-W12-3", "11:59:59.999999 -1400")
    if rng.random() < 0.6:
        return encoded(changed(rng.choice(real), rng)[: rng.choice((30, 4_000))], rng)
    return "".join(rng.choice("0123456789:-+TZ., UTCapm/eE") for _ in range(rng.randrange(40))).encode()


def examine_timestamp(data: bytes, room: Path) -> str:
    from autograder.gradebook.stamp import read_side_files

    lay(room / "work", {"timestamp.txt": data})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # with time zones that dateutil does not know
        files = read_side_files(room / "work")
    assert files in ({}, {"timestamp.txt": data})
    return "a time" if files else "none"


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
# How many of a few hundred inputs are of each kind.
SHARES = {"submission": 40, "advice": 15, "magics": 12, "similarity": 6, "markdown": 3, "names": 8, "errors": 6, "weights": 10,
          "timestamp": 4}


def length(value: Any) -> int:
    """Return how many letters or bytes an input has; of an archive its unpacked size, as far as it is read."""
    if isinstance(value, bytes) and value.startswith(b"PK"):
        try:
            with zipfile.ZipFile(io.BytesIO(value)) as archive:
                return len(value) + min(MOST_BYTES, sum(entry.file_size for entry in archive.infolist()))
        except Exception:  # a broken archive is not unpacked
            return len(value)
    if isinstance(value, (str, bytes)):
        return len(value)
    if isinstance(value, dict):
        return sum(map(length, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(length, value))
    return sum(len(cell.source) for cell in value.cells) if isinstance(value, Submission) else 1
