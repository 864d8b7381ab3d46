"""The students' files, assignments/NAME/: written from the sources, and compared with them."""

from itertools import zip_longest
from pathlib import Path

from arena.files import write_atomic
from arena.work import fingerprint, module_cells
from autograder.paths import REPOSITORY
from autograder.problem_sets import facts_file
from autograder.problem_sets.notebook import notebook_text
from autograder.problem_sets.source import ProblemSet, load, module_text, names

ASSIGNMENTS = REPOSITORY / "assignments"
# With it, `pytest` in a student's folder runs the visible checks, prints their texts, and leaves no files behind.
PYTEST_INI = """[pytest]
addopts = -p arena.pytest_checks -p no:cacheprovider -q --no-header --tb=no -rN
handed_out = {handed_out}
"""


def build(ps: ProblemSet, *, solution: bool) -> tuple[str, str]:
    """Return (notebook, module) as text: solved, or the students' version."""
    return notebook_text(ps, solution=solution), module_text(ps, solution=solution)


def write_assignments(folder: Path = ASSIGNMENTS) -> list[str]:
    """Write the students' files of every set, and return the names of the files."""
    wanted = _wanted(folder)
    for path, text in wanted.items():
        write_atomic(path, text)
    return [_name(path, folder) for path in wanted]


def check_assignments(folder: Path = ASSIGNMENTS) -> list[str]:
    """Return one sentence for each file of `folder` that differs from the build; [] if none does."""
    wanted, problems = _wanted(folder), []
    for path, text in wanted.items():
        there = path.read_bytes() if path.is_file() else None
        if there is None:
            problems.append(f"{_name(path, folder)} is missing: run `make build`")
        elif there != text.encode():
            lines = zip_longest(there.split(b"\n"), text.encode().split(b"\n"))
            line = next(number for number, (built, present) in enumerate(lines, 1) if built != present)
            problems.append(f"{_name(path, folder)}:{line} is not what the build gives: edit solutions/, then run `make build`")
    for path in sorted(folder.rglob("*")):
        passing = any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(folder).parts)
        if path.is_file() and path not in wanted and not passing:
            problems.append(f"{_name(path, folder)} does not come from the build: remove it")
    return problems


def _wanted(folder: Path) -> dict[Path, str]:
    """Return every file of assignments/ with its text."""
    wanted = {}
    for name in names():
        ps = load(name)
        notebook, module = build(ps, solution=False)
        wanted[folder / name / f"{name}.ipynb"] = notebook
        wanted[folder / name / f"{name}.py"] = module
        wanted[folder / name / "pytest.ini"] = pytest_ini(module)
        wanted[folder / name / facts_file.NAME] = facts_file.facts_json(ps)
    return wanted


def pytest_ini(module: str) -> str:
    """Return the pytest.ini for a set with this stub module; its fingerprint tells a student's work from the untouched stub."""
    return PYTEST_INI.format(handed_out=fingerprint(module_cells(module, "")))


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder.parent).as_posix()
