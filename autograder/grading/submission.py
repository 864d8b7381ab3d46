"""Read a submission, as text. Nothing of it is run, imported or looked up here.

A folder holds the notebook, the module, or both. The one that differs from the stub is graded; if both do and
they differ from each other, it is the notebook, and the report says so.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from autograder.build.source import ProblemSet, load
from autograder.files import read_regular
from autograder.grading.forms import Cell, Unreadable, module_cells, notebook_cells

MAX_FILE_BYTES = 16 * 2**20
MAX_CODE_BYTES = 2 * 2**20
NOTEBOOK, MODULE, NONE = "notebook", "module", "none"


@dataclass(frozen=True)
class Submission:
    """What was handed in, as far as it can be read. `note` is what its reader must know, in sentences, or ""."""

    problem_set: str
    form: str
    cells: tuple[Cell, ...]
    note: str
    sha256: str

    def code(self) -> list[tuple[str, str]]:
        """Return (label, source) of the cells that grading loads, in order: no experiments, no checks, no text."""
        return [(cell.label, cell.source) for cell in self.cells if cell.role == "code"]


def file_names(ps: str) -> dict[str, str]:
    """Return the file name of each form."""
    return {NOTEBOOK: f"{ps}.ipynb", MODULE: f"{ps}.py"}


def raw_sha256(folder: Path, ps: str) -> str:
    """Return the hash of the submission's raw bytes: of both files, with their names; of nothing when none can be read."""
    digest = hashlib.sha256()
    for name in file_names(ps).values():
        data = read_regular(folder / name, MAX_FILE_BYTES)
        content = data if data is not None else _stand_in(folder / name)
        if content is not None:
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _stand_in(path: Path) -> bytes | None:
    """Return what enters the hash for a file that is not read: that it is there, what it is, and how large."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return f"not read: {stat.S_IFMT(status.st_mode)} {status.st_size if stat.S_ISREG(status.st_mode) else 0}".encode()


def read(folder: Path, ps: str) -> Submission:
    """Return the submission in `folder`; whatever cannot be read is told in its note, never raised."""
    problem_set = load(ps)
    forms: dict[str, tuple[Cell, ...]] = {}
    complaints: dict[str, str] = {}
    for form, name in file_names(ps).items():
        try:
            cells = _read_form(folder / name, form, problem_set)
            if cells is not None:
                forms[form] = cells
        except Unreadable as error:
            complaints[form] = f"{name} {error}."
    form, note = _choose(forms, problem_set)
    notes = [note, *complaints.values()]
    if complaints and form != NONE:
        notes.append(f"The {form} was graded.")
    elif not forms and not complaints:
        notes.append(f"Nothing was found to grade: the folder needs {' or '.join(file_names(ps).values())}.")
    cells = _with_answers(forms, form, problem_set)
    return Submission(ps, form, cells, " ".join(filter(None, notes)), raw_sha256(folder, ps))


def _read_form(path: Path, form: str, problem_set: ProblemSet) -> tuple[Cell, ...] | None:
    if not os.path.lexists(path):
        return None
    data = read_regular(path, MAX_FILE_BYTES)
    if data is None:
        raise Unreadable(_why_not_read(path))
    parse = notebook_cells if form == NOTEBOOK else module_cells
    cells = parse(data, problem_set)
    size = sum(len(cell.source) for cell in cells if cell.role == "code")
    if size > MAX_CODE_BYTES:
        raise Unreadable(f"holds {size / 2**20:.0f} MiB of code; at most {MAX_CODE_BYTES // 2**20} MiB are read")
    return tuple(cells)


def _why_not_read(path: Path) -> str:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file; hand in the file itself"
    if status.st_size > MAX_FILE_BYTES:
        return (
            f"has {status.st_size / 2**20:.0f} MiB; at most {MAX_FILE_BYTES // 2**20} MiB are read: "
            "clear the outputs of its cells and hand it in again"
        )
    return "could not be opened; check its permissions"


def _choose(forms: dict[str, tuple[Cell, ...]], problem_set: ProblemSet) -> tuple[str, str]:
    stub = _stub_work(problem_set.name)
    worked = [form for form, cells in forms.items() if _work(cells) != stub]
    if len(worked) == 2 and _work(forms[NOTEBOOK]) != _work(forms[MODULE]):
        return NOTEBOOK, "Both forms hold work and they differ: the notebook was graded, the module was not."
    return (worked or list(forms) or [NONE])[0], ""


def _work(cells: tuple[Cell, ...]) -> list[str]:
    """Return what makes two forms the same work: the code, without the white space around cells."""
    return [source for cell in cells if cell.role == "code" and (source := cell.source.strip())]


@lru_cache(maxsize=8)
def _stub_work(name: str) -> list[str]:
    return [cell.stub.strip() for cell in load(name).cells if cell.role in ("given", "exercise") and cell.stub.strip()]


def _with_answers(forms: dict[str, tuple[Cell, ...]], form: str, problem_set: ProblemSet) -> tuple[Cell, ...]:
    """Return the graded form's cells; a free answer that was written only in the other form is kept."""
    cells = forms.get(form, ())
    untouched = {cell.stub.strip() for cell in problem_set.cells if cell.role == "answer"}
    others = {
        cell.exercise: cell
        for name, other in forms.items()
        if name != form
        for cell in other
        if cell.role == "markdown" and cell.exercise and cell.source.strip() not in untouched
    }
    return tuple(
        replace(cell, source=others[cell.exercise].source)
        if cell.role == "markdown" and cell.exercise in others and cell.source.strip() in untouched
        else cell
        for cell in cells
    )
