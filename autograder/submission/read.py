"""Read a submission, as text. This module does not run, import or look up anything of it.

A folder holds the notebook, the module, or both. The form that differs from the stub is graded. If both differ from the
stub and from each other, the notebook is graded, and the report says so. If neither contains any work, files with other names
are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from arena.shipped import set_number
from arena.work import import_of
from autograder.limited_child import failure_text, within
from autograder.plain_text import plain_text
from autograder.problem_sets.source import ProblemSet, load, names
from autograder.submission.discover import ARCHIVE, EITHER, FOREIGN, MODULE, NONE, NOTEBOOK, PAPER, file_names
from autograder.submission.parse import (
    MAX_CODE_BYTES,
    Cell,
    Unreadable,
    holds_module,
    holds_notebook,
    module_cells,
    not_the_file,
    notebook_cells,
    too_large,
)
from autograder.submission.payload import MAX_FILE_BYTES, Item, Payload, read_payload

# Up to this size, reading takes a hundredth of a second and happens here; a child process reads more. Ours has 0.1 MB.
SMALL_BYTES = 2**20
READ_CPU_S, READ_MIB = 20.0, 1024
READING = "reading"  # part of the staff's report: why the submission could not be read
CANNOT_BE_READ = (
    "This submission cannot be read by the grader, so there was nothing to grade. Open your file where you wrote it, save it "
    "once more and hand it in again; if the same happens, tell your instructor, who sees what went wrong."
)
OTHER_SET = "holds exercises of"
# The beginning of an exercise: in a notebook nbgrader's name of its cell, in a module the line above it.
_EXERCISE = re.compile(rb'"grade_id": "ex([0-9]+)_|^# %% exercise="([0-9]+)\.', re.MULTILINE)
# A docstring in the form that all our stubs have, or a comment. An upgrade may put either in other words.
_WORDS = re.compile(r'""".*?"""|#[^\n]*', re.DOTALL)
IMPORTED = "Your notebook imports the module beside it, so the module was loaded there."


@dataclass(frozen=True)
class Submission:
    """The work that was handed in, as far as it can be read.

    note: sentences for its reader, or "". failure: for staff, why reading ended in an unexpected way,
    or "".
    """

    problem_set: ProblemSet
    form: str
    cells: tuple[Cell, ...]
    note: str
    sha256: str
    failure: str = ""

    def code(self) -> list[tuple[str, str]]:
        """Return (label, source) of the cells that grading loads, in order: no experiments, checks or text."""
        return [(cell.label, cell.source) for cell in self.cells if cell.role == "code"]


def read(payload: Payload) -> Submission:
    """Return the submission in these files; its note says what cannot be read.

    All text of a submission enters the grader here, and this function never raises, whatever the student did and whatever fails
    unexpectedly. After an unexpected failure the submission has no cells, and `failure` informs staff.
    """
    problem_set = load(payload.ps)  # an error in a problem set is not a submission's fault
    if payload.failure:
        return _unreadable(problem_set, payload, payload.failure)
    try:
        small = sum(len(item.content) for item in payload.items) <= SMALL_BYTES
        parts = _read(problem_set, payload) if small else within(READ_CPU_S, READ_MIB, _read, problem_set, payload)
        form, cells, note = parts
        return Submission(problem_set, form, cells, plain_text(note), payload.sha256)
    except Exception as error:  # RecursionError and MemoryError too
        return _unreadable(problem_set, payload, failure_text(error))


def read_folder(folder: Path, ps: str) -> Submission:
    """Return the submission in a folder."""
    return read(read_payload(folder, ps))


def _unreadable(problem_set: ProblemSet, payload: Payload, failure: str) -> Submission:
    """Return the replacement for a submission that could not be read; `failure` is for staff."""
    return Submission(problem_set, NONE, (), CANNOT_BE_READ, payload.sha256, failure)


def _read(problem_set: ProblemSet, payload: Payload) -> tuple[str, tuple[Cell, ...], str]:
    """Return form, cells and note."""
    ps = problem_set.name
    contents = _Contents(problem_set, payload)
    for form, name in file_names(ps).items():
        if payload.item(name) is not None:
            contents.add(name, form)
    if not any(_worked(cells, problem_set) for cells in contents.forms.values()):
        contents.look_further()
    form, note = _choose(contents.forms, problem_set)
    notes = [note, *contents.notes, *contents.complaints.values()]
    if contents.complaints and form != NONE:
        notes.append(f"The {form} was graded.")
    elif not contents.forms and not contents.complaints:
        notes.append(f"Nothing was found to grade: the folder needs {' or '.join(file_names(ps).values())}.")
        notes += contents.instead
    cells = _joined(contents.forms, ps) if note == IMPORTED else _with_answers(contents.forms, form, problem_set)
    return form, cells, " ".join(filter(None, notes))


@dataclass
class _Contents:
    """The contents of a folder, form by form, and the sentences about them.

    complaints: by file name, why a file could not be read. instead: sentences about other files that are not a submission.
    """

    problem_set: ProblemSet
    payload: Payload
    forms: dict[str, tuple[Cell, ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    complaints: dict[str, str] = field(default_factory=dict)
    instead: list[str] = field(default_factory=list)

    def add(self, name: str, form: str) -> None:
        """Read a file with a right name; if it is of the other form, it counts as that form unless that file is there too."""
        item = self.payload.item(name)
        try:
            held, cells = _read_item(item, form, self.problem_set)
        except Unreadable as error:
            self.complaints[name] = f"{name} {error}."
            return
        right = file_names(self.problem_set.name)[held]
        if held != form and self.payload.item(right) is not None:
            self.complaints[name] = f"{name} holds a {held}, and {right} is there too."
            return
        if held != form:
            self.notes.append(f"{name} holds a {held} and was read as one.")
        if other := _other_set(item.content if item else b"", self.problem_set.name):
            self.notes.append(f"{name} {OTHER_SET} {other}, and none of {self.problem_set.name}: hand in the right file.")
        self.forms[held] = cells

    def look_further(self) -> None:
        """Look for work under other names; take none if two files of a form differ."""
        works: dict[str, dict[str, tuple[Cell, ...]]] = {NOTEBOOK: {}, MODULE: {}}
        for other in self.payload.others:
            if other.kind == ARCHIVE:
                self.instead.append(f"{other.name} is an archive: hand in the file that is in it.")
            elif other.kind == FOREIGN:
                self.instead.append(f"{other.name} is the name of another problem set.")
            elif other.kind == PAPER:
                self.instead.append(f"{other.name} is neither a notebook nor a module.")
            else:
                try:
                    form, cells = _read_item(self.payload.item(other.name), other.kind, self.problem_set)
                    works[form][other.name] = cells
                except Unreadable as error:
                    self.complaints[other.name] = f"{other.name} {error}."
        for form, by_name in works.items():
            self._take(form, by_name)

    def _take(self, form: str, by_name: dict[str, tuple[Cell, ...]]) -> None:
        asked = file_names(self.problem_set.name)[form]
        worked = {name: cells for name, cells in by_name.items() if _worked(cells, self.problem_set)}
        candidates = worked or ({} if self.forms else by_name)
        if len({tuple(_work(cells)) for cells in candidates.values()}) > 1:
            self.complaints[asked] = (
                f"{_listed(list(candidates))} differ, and none of them is called {asked}: hand in one, under that name."
            )
        elif candidates:
            name, cells = next(iter(candidates.items()))
            self.forms[form] = cells
            self.complaints.pop(asked, None)
            self.notes.append(f"{name} was read as your {form}: call it {asked} next time.")


def _other_set(data: bytes, ps: str) -> str:
    """Return the set whose exercises a file holds, if it holds none of `ps`; else ""."""
    numbers = {(in_notebook or in_module).decode() for in_notebook, in_module in _EXERCISE.findall(data)}
    return "" if set_number(ps) in numbers else next((name for name in names() if set_number(name) in numbers), "")


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _read_item(item: Item | None, form: str, problem_set: ProblemSet) -> tuple[str, tuple[Cell, ...]]:
    """Return the form in a file, whatever its name, and its cells."""
    if item is None or item.kind != "file":
        raise Unreadable(_why_not_read(item))
    data = item.content
    if reason := not_the_file(data):
        raise Unreadable(reason)
    if form != NOTEBOOK and holds_notebook(data):
        form = NOTEBOOK
    elif form != MODULE and holds_module(data) or form == EITHER:
        form = MODULE
    parse = notebook_cells if form == NOTEBOOK else module_cells
    cells = parse(data, problem_set)
    size = sum(len(cell.source) for cell in cells if cell.role == "code")
    if size > MAX_CODE_BYTES:
        too_large(size)
    return form, tuple(cells)


def _why_not_read(item: Item | None) -> str:
    if item is None or item.kind != "unread":
        return "is not a regular file; hand in the file itself"
    if item.size > MAX_FILE_BYTES:
        return (
            f"has {item.size / 2**20:.0f} MiB; at most {MAX_FILE_BYTES // 2**20} MiB are read: "
            "clear the outputs of its cells and hand it in again"
        )
    return "could not be opened; check its permissions"


def _choose(forms: dict[str, tuple[Cell, ...]], problem_set: ProblemSet) -> tuple[str, str]:
    worked = [form for form in (NOTEBOOK, MODULE) if form in forms and _worked(forms[form], problem_set)]
    if len(worked) == 2 and _work(forms[NOTEBOOK]) != _work(forms[MODULE]):
        if _import_of(forms[NOTEBOOK], problem_set.name) is not None:
            return NOTEBOOK, IMPORTED
        return NOTEBOOK, "Both forms hold work and they differ: the notebook was graded, the module was not."
    return (worked or [form for form in (NOTEBOOK, MODULE) if form in forms] or [NONE])[0], ""


def _import_of(cells: tuple[Cell, ...], ps: str) -> int | None:
    """Return the index of the first code cell that imports the set's own module, or None."""
    return import_of([cell.source if cell.role == "code" else "" for cell in cells], ps)


def _joined(forms: dict[str, tuple[Cell, ...]], ps: str) -> tuple[Cell, ...]:
    """Return the notebook's cells, with the module's code in front of the cell that imports it."""
    module = tuple(cell for cell in forms[MODULE] if cell.role == "code")
    place = _import_of(forms[NOTEBOOK], ps) or 0
    return forms[NOTEBOOK][:place] + module + forms[NOTEBOOK][place:]


def _worked(cells: tuple[Cell, ...], problem_set: ProblemSet) -> bool:
    """Whether the cells contain any code that was not handed out, whatever the comments and docstrings."""
    return bare(_work(cells)) not in ([], _stub_work(problem_set))


def _work(cells: tuple[Cell, ...]) -> list[str]:
    """Return the work in cells, for comparison: the code, without the white space around cells."""
    return [source for cell in cells if cell.role == "code" and (source := cell.source.strip())]


@lru_cache(maxsize=8)
def _stub_work(problem_set: ProblemSet) -> list[str]:
    return bare(cell.stub for cell in problem_set.cells if cell.role in ("given", "exercise"))


def bare(sources: Iterable[str]) -> list[str]:
    """Return code without comments, docstrings and empty lines, cell by cell; cells that hold nothing else are left out.

    Two texts that are equal then hold the same code, so a set that was handed out before a docstring got better words is still
    known as a stub. The code is not parsed: it may be a student's.
    """
    lines = ((line.rstrip() for line in _WORDS.sub("", source).splitlines()) for source in sources)
    return [code for code in ("\n".join(filter(None, cell)) for cell in lines) if code]


def _with_answers(forms: dict[str, tuple[Cell, ...]], form: str, problem_set: ProblemSet) -> tuple[Cell, ...]:
    """Return the graded form's cells; a free answer that is only in the other form is kept."""
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
