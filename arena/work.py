"""A student's own work in a folder: the form that counts, its cells, and the verdicts of its visible checks.

    arena check                 # every problem set in the student's folder
    arena check ps2_uct         # one of them

The form that holds work is checked. If both forms hold work and they differ, the notebook is checked, as in grading.
Code cells are loaded one after another; experiments (games, plots, long runs) and text are skipped.
"""

import __future__

import ast
import configparser
import hashlib
import json
import linecache
import re
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from arena import check
from arena.imports import absent_in_grading
from arena.set_facts import facts_of
from arena.shipped import set_order

HEADER = re.compile(r"# %%(?!\S)(.*)")
PROBLEM_SET = re.compile(r"ps\d+_\w+")
_GUARD = re.compile(r"if __name__ == ([\"'])__main__\1:[ \t]*(#.*)?")
# IPython's own lines, as the grader leaves them out (`autograder/sandbox/inside/cell_text.py`; a test compares the two)
MAGIC = re.compile(
    r"^([ \t]*+)(?:(?:[\w, ]++=[ \t]*+)?+[%!].*+|\?{1,2}+[\w.*]++[ \t]*+|[%\w.*]++\?{1,2}+[ \t]*+)$", re.MULTILINE
)
CELL_MAGICS_OF_PYTHON = ("%%time", "%%timeit", "%%capture")
FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
BOTH = "Both forms hold work and they differ: the notebook counts, here and in grading."
IMPORTED = "Your notebook imports the module beside it, so the module is loaded there, here and in grading."


RELEASED = Path("assignments")  # in a clone: the sets as they were handed out, which belong to the releases
OWN = Path("work")  # in a clone: the student's own files; no release has anything in this folder
NO_CHECK = "There is no visible check in this file: were its cells deleted? The file that you were given has them."


@dataclass(frozen=True)
class Cell:
    """One code cell: `label` is its file name in tracebacks, `checks` says whether it is a visible check."""

    label: str
    source: str
    checks: bool


@dataclass(frozen=True)
class Work:
    """The form that counts; `remarks` are sentences that the student must read."""

    path: Path
    cells: tuple[Cell, ...]
    remarks: tuple[str, ...] = ()


class NoWork(Exception):
    """There is nothing to check; the text says why."""


def own_folder() -> Path:
    """Return the folder for a student's own files: `work` in a clone of the course, elsewhere the current folder."""
    return OWN if RELEASED.is_dir() else Path()


def as_typed(path: Path) -> Path:
    """Return the path that a student means: in a clone, ps2_uct means work/ps2_uct."""
    own = own_folder() / path
    return own if own.exists() and not path.exists() else path


def problem_sets(folder: Path) -> list[Path]:
    """Return the path without ending of each problem set in a folder or one level below it, sorted by name."""
    files = [path for path in (*folder.glob("*"), *folder.glob("*/*")) if path.suffix in (".py", ".ipynb")]
    stems = {path.with_suffix("") for path in files if PROBLEM_SET.fullmatch(path.stem)}
    return sorted(stems, key=lambda stem: (set_order(stem.name), stem))


def read(stem: Path) -> Work:
    """Return the form that counts for the problem set at `stem`, a path without its ending.

    Raises:
        NoWork: neither form is there, or neither can be read.
    """
    forms, remarks = {}, []
    for path in (stem.with_suffix(".ipynb"), stem.with_suffix(".py")):
        if path.is_file():
            try:
                forms[path] = read_form(path)
            except ValueError:  # damaged JSON, or no UTF-8
                remarks.append(f"{path.name} cannot be read: it is damaged.")
    if not forms:
        raise NoWork(" ".join(remarks) or f"neither {stem.name}.ipynb nor {stem.name}.py is there")
    stub = handed_out(stem.parent)
    worked = [path for path, cells in forms.items() if fingerprint(cells) != stub]
    path = (worked or list(forms))[0]
    cells = forms[path]
    if len(worked) == 2 and len(set(map(fingerprint, forms.values()))) == 2:
        place = import_of([cell.source for cell in cells], stem.name)
        if place is not None:  # the work is in the module: its cells come before the cell that imports them
            cells = [*cells[:place], *(cell for cell in forms[worked[1]] if not cell.checks), *cells[place:]]
        remarks.append(BOTH if place is None else IMPORTED)
    return Work(path, tuple(cells), tuple(remarks))


def import_of(sources: Sequence[str], ps: str) -> int | None:
    """Return the index of the first cell that imports the set's own module, or None; `sources` are the texts of the cells."""
    wanted = re.compile(rf"^[ \t]*+(?:from[ \t]++\.?{ps}[ \t]++import|import[ \t]++{ps})\b", re.MULTILINE)
    return next((place for place, source in enumerate(sources) if wanted.search(source)), None)


def read_form(path: Path) -> list[Cell]:
    """Return the code cells of a notebook or a module.

    Raises:
        ValueError: the file is damaged.
    """
    text = path.read_text(encoding="utf-8-sig")
    return module_cells(text, str(path)) if path.suffix == ".py" else _notebook_cells(text)


def module_cells(text: str, label: str) -> list[Cell]:
    """Return the code cells of a module; each source begins with empty lines, so that its line numbers stay."""
    lines = without_guard(text.split("\n"))
    heads = [number for number, line in enumerate(lines) if HEADER.fullmatch(line)]
    cells = []
    for start, end in zip([-1, *heads], [*heads, len(lines)], strict=True):
        header, body = lines[start] if start >= 0 else "", "\n".join(lines[start + 1 : end])
        if body.strip() and "[markdown]" not in header and '"experiment"' not in header:
            cells.append(Cell(label, "\n" * (start + 1) + body, "check=" in header))
    return cells


def without_guard(lines: list[str]) -> list[str]:
    """Return a module's lines without `if __name__ == "__main__":` over the cells below it; the number of lines stays.

    Whole cells under that line are valid Python. But each cell is loaded alone, as in an import, where the block does not
    run: nothing of them would be left. Code under that line that belongs to no cell, an experiment, is not run.
    """
    for at in (number for number, line in enumerate(lines) if _GUARD.fullmatch(line)):
        end = next((number for number in range(at + 1, len(lines)) if lines[number][:1] not in (*" \t#", "")), len(lines))
        body = lines[at + 1 : end]
        head = next((number for number, line in enumerate(body) if HEADER.fullmatch(line.strip())), len(body))
        inside = next((line for line in body[head:] if line[:1] in (" ", "\t") and line.lstrip()[:1] not in ("#", "")), "")
        if inside:
            first = next(line for line in body if line.lstrip()[:1] not in ("#", ""))
            indent = first[: len(first) - len(first.lstrip())]
            return [*lines[:at], "", *(line.removeprefix(indent) for line in body), *lines[end:]]
    return lines


def _notebook_cells(text: str) -> list[Cell]:
    content = json.loads(text)
    cells = []
    for number, cell in enumerate(content.get("cells", []) if isinstance(content, dict) else [], 1):
        metadata = cell.get("metadata", {})
        source = "".join(cell.get("source", ""))
        if cell.get("cell_type") == "code" and source.strip() and "experiment" not in metadata.get("tags", []):
            locked = metadata.get("nbgrader", {}).get("locked", False)  # visible checks are locked
            cells.append(Cell(f"cell {number}", source, locked))
    if not cells:
        raise ValueError("a notebook without code")
    return cells


def fingerprint(cells: Sequence[Cell]) -> str:
    """Return a hash of the text that a student may have written: code, without checks and without white space around cells."""
    sources = [cell.source.strip() for cell in cells if not cell.checks]
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()


def handed_out(folder: Path) -> str:
    """Return the fingerprint of the untouched stub, from the folder's pytest.ini; "" if it is not there."""
    settings = configparser.ConfigParser(interpolation=None)
    try:
        settings.read(folder / "pytest.ini", encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return ""
    return settings.get("pytest", "handed_out", fallback="")


def not_in_grading(work: Work) -> list[str]:
    """Return a sentence for each import of something that is installed here, and not there when the work is graded."""
    facts = facts_of(work.path.stem)
    cells = [(cell.label, _readable(cell)) for cell in work.cells if not cell.checks]  # the grader has its own checks
    return [absent.sentence for absent in absent_in_grading(cells, work.path.stem, facts, work.path.parent)] if facts else []


def _readable(cell: Cell) -> list[ast.stmt]:
    """Return the statements of a cell; none if it is not Python, which loading reports."""
    try:
        return _statements(cell)
    except (SyntaxError, ValueError):
        return []


def load(work: Work) -> list[str]:
    """Run the cells, so that the checks are registered, and return a sentence for each statement that failed."""
    check.forget()
    module = sys.modules[work.path.stem] = ModuleType(work.path.stem)  # dataclasses look their module up there
    module.__file__ = str(work.path)
    failed, flags = [], 0
    for cell in work.cells:
        if not cell.label.endswith(".py"):  # tracebacks of a notebook need the source here; a module's is in its file
            linecache.cache[cell.label] = (len(cell.source), None, cell.source.splitlines(keepends=True), cell.label)
        try:
            statements = _statements(cell)
        except (SyntaxError, ValueError) as error:
            failed.append(f"{_skipped(cell, getattr(error, 'lineno', 0) or 0, error)}; nothing of this cell is loaded")
            continue
        for statement in statements:
            try:
                code = compile(ast.Module([statement], []), cell.label, "exec", flags, dont_inherit=True)
                flags |= code.co_flags & FUTURE  # `from __future__ import annotations` is for everything after it
                exec(code, module.__dict__)
            except (Exception, SystemExit) as error:
                failed.append(_skipped(cell, statement.lineno, error))
    return failed


def _statements(cell: Cell) -> list[ast.stmt]:
    try:
        return ast.parse(cell.source, cell.label).body
    except SyntaxError:
        plain = _without_magics(cell.source)
        if plain == cell.source:
            raise
        return ast.parse(plain, cell.label).body


def _without_magics(source: str) -> str:
    """Return a cell's text without IPython's `%`, `!` and `?` lines; the line numbers stay."""
    lines = source.splitlines(keepends=True)
    if lines and lines[0].startswith("%%") and not lines[0].startswith(CELL_MAGICS_OF_PYTHON):
        return "\n" * len(lines)  # %%bash, %%html: not Python at all
    return MAGIC.sub(lambda match: match[1] + "pass", source)


def _skipped(cell: Cell, line: int, error: BaseException) -> str:
    text = str(getattr(error, "msg", error))
    return f"Skipped while loading: {cell.label}, line {line}: {type(error).__name__}: {text}"


def check_folder(folder: Path, tell: Callable[[str], None] = print, only: Collection[str] = ()) -> int:
    """Print the verdicts of every problem set in `folder`, or of the exercises `only`; return the number of sets."""
    stems = problem_sets(folder)
    for number, stem in enumerate(stems):
        if number:
            tell("")
        try:
            work = read(stem)
        except NoWork as nothing:
            tell(f"{stem.name}: {nothing}")
            continue
        tell(f"== {work.path}")
        for sentence in (*work.remarks, *not_in_grading(work), *load(work)):
            tell(sentence)
        verdicts: dict[str, str] = {}
        for visible in check.registered():
            if only and visible.exercise not in only:
                continue
            verdicts[visible.exercise], text = visible.verdict(verdicts)
            tell(text)
        tell(check.summary(verdicts) if verdicts else f"no check {' or '.join(only)} in this file" if only else NO_CHECK)
    return len(stems)
