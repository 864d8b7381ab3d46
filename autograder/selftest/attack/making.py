"""Two course folders: one with attacks and honest students, one with the honest students only."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.grading.edition import course_secret
from autograder.selftest.attack.bank import FORGED, SOLVED, Attack
from autograder.selftest.demo.staging import lay_honest, maker_of, write_all
from autograder.selftest.demo.submission_maker import Files, SubmissionMaker, added, added_to_module
from autograder.submission.discover import MODULE


def make_courses(alone: Path, course: Path, attacks: Sequence[Attack]) -> None:
    """Make two courses of one edition: `alone` with the honest students of all attacked sets, `course` with the attacks too."""
    for folder in (alone, course):
        shutil.rmtree(folder, ignore_errors=True)
        for ps in sets_of(attacks):
            lay_honest(folder, ps)
    course_secret(alone)
    shutil.copy(alone / "edition.secret", course)
    for attack in attacks:
        hand_in(course, attack)


def sets_of(attacks: Iterable[Attack]) -> list[str]:
    """Return the attacked sets, in the order of grading."""
    return sorted({attack.ps for attack in attacks})


def hand_in(course: Path, attack: Attack) -> None:
    """Put one attack into `submitted/`."""
    folder = course / "submitted" / attack.handle / attack.ps
    folder.parent.mkdir(parents=True, exist_ok=True)
    if attack.make is None:
        write_all(folder, files_of(attack))
        return
    folder.mkdir()
    attack.make(folder, maker_of(attack.ps))


def files_of(attack: Attack) -> Files:
    """Return the files of an attack's submission, by name."""
    maker = maker_of(attack.ps)
    if attack.form == MODULE:
        base = maker.solved_module if attack.base == SOLVED else maker.stub_module
        tail = "\n".join(f"{name} = forged" for name in maker.functions) if attack.base == FORGED else ""
        return maker.module(added_to_module(base, f"{attack.code}\n{tail}"))
    if attack.base == FORGED:
        return maker.notebook(forged_notebook(maker, attack.code))
    return maker.notebook(added(maker.solved if attack.base == SOLVED else maker.stub, attack.code))


def forged_notebook(maker: SubmissionMaker, code: str) -> str:
    """Return the stub with `code` in the cell of the first exercise, and with `forged` as every function.

    So the code acts before every visible check, if a grader runs the notebook from top to bottom. A class that our stub defines
    in an exercise keeps its fields.
    """
    cells = {}
    for exercise in maker.problem_set.exercises:
        keeps = f"{_stub_of(maker, exercise.id)}\n\n" if any("." in name for name in exercise.functions) else ""
        cells[exercise.id] = keeps + "\n".join(f"{name} = forged" for name in exercise.functions)
    first = next(iter(cells))
    cells[first] = f"{code}\n\n{cells[first]}"
    return maker.filled(maker.stub, cells)


def _stub_of(maker: SubmissionMaker, id: str) -> str:
    return next(cell.stub for cell in maker.problem_set.cells if cell.role == "exercise" and cell.id == id)
