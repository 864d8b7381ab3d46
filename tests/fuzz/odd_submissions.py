"""Odd texts, and whole submissions made of them: contents that no student would hand in on purpose."""


from __future__ import annotations

import copy
import json
import pickle
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

from autograder.plain_text import plain_text
from autograder.problem_sets import build
from autograder.problem_sets.source import load, names
from autograder.submission import payload as payload
from autograder.submission import read as submissions
from autograder.submission.discover import file_names, others
from autograder.submission.parse import MAX_CODE_BYTES, Cell
from tests.fuzz.text_families import REPEATED

Files = dict[str, bytes]

LONGEST = 20_000  # letters up to which a family is repeated
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
    """Return a text of a few pieces, some of them repeated many times."""
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
    """Read, hash and send a submission; nothing may be raised, and no error may reach the general boundary."""
    ps, files = made
    folder = room / "work"
    lay(folder, files)
    submission = submissions.read_folder(folder, ps)
    assert submission.failure == "", submission.failure
    assert submission.form in ("notebook", "module", "none") and plain_text(submission.note) == submission.note
    assert all(isinstance(cell, Cell) and isinstance(cell.source, str) and plain_text(cell.label) == cell.label
               for cell in submission.cells)
    assert all(cell.role in ("code", "experiment", "check", "markdown") for cell in submission.cells)
    assert sum(len(source) for _, source in submission.code()) <= 2 * MAX_CODE_BYTES  # both forms, joined
    packed = payload.read_payload(folder, ps)
    assert packed.failure == "" and all(plain_text(other.name) == other.name for other in others(folder, ps))
    assert submissions.read(pickle.loads(pickle.dumps(packed))) == submission, "another submission once it has travelled"
    return submission.form


def lay(folder: Path, files: Files) -> None:
    for path in sorted(folder.rglob("*"), reverse=True) if folder.exists() else ():
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        try:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        except (OSError, ValueError):  # a name that no file can have, or that a folder already has
            pass
