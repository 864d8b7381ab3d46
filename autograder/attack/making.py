"""A course folder with the attacks and the honest in it, and one with the honest alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.attack.bank import FORGED, SOLVED, Attack
from autograder.demo.staged import lay_honest, shop_of, write_all
from autograder.demo.workshop import Files, Workshop, added, added_to_module
from autograder.grading.edition import course_secret
from autograder.grading.find import MODULE


def make_courses(alone: Path, course: Path, attacks: Sequence[Attack]) -> None:
    """Lay out two courses of one edition: in `alone` the honest of every attacked set, in `course` the attacks beside them."""
    for folder in (alone, course):
        shutil.rmtree(folder, ignore_errors=True)
        for ps in sets_of(attacks):
            lay_honest(folder, ps)
    course_secret(alone)
    shutil.copy(alone / "edition.secret", course)
    for attack in attacks:
        hand_in(course, attack)


def sets_of(attacks: Iterable[Attack]) -> list[str]:
    """Return the sets that are attacked, in the order in which they are graded."""
    return sorted({attack.ps for attack in attacks})


def hand_in(course: Path, attack: Attack) -> None:
    """Put one attack into `submitted/`."""
    folder = course / "submitted" / attack.handle / attack.ps
    folder.parent.mkdir(parents=True, exist_ok=True)
    if attack.make is None:
        write_all(folder, files_of(attack))
        return
    folder.mkdir()
    attack.make(folder, shop_of(attack.ps))


def files_of(attack: Attack) -> Files:
    """Return what is handed in, by file name."""
    shop = shop_of(attack.ps)
    if attack.form == MODULE:
        base = shop.solved_module if attack.base == SOLVED else shop.stub_module
        tail = "\n".join(f"{name} = forged" for name in shop.functions) if attack.base == FORGED else ""
        return shop.module(added_to_module(base, f"{attack.code}\n{tail}"))
    if attack.base == FORGED:
        return shop.notebook(forged_notebook(shop, attack.code))
    return shop.notebook(added(shop.solved if attack.base == SOLVED else shop.stub, attack.code))


def forged_notebook(shop: Workshop, code: str) -> str:
    """Return the stub with `code` in the cell of the first exercise, and `forged` for every function.

    So it acts before every visible check, where a grader that runs the notebook from top to bottom would meet it. A class
    that our stub makes in an exercise keeps its fields.
    """
    cells = {}
    for exercise in shop.problem_set.exercises:
        keeps = f"{_stub_of(shop, exercise.id)}\n\n" if any("." in name for name in exercise.functions) else ""
        cells[exercise.id] = keeps + "\n".join(f"{name} = forged" for name in exercise.functions)
    first = next(iter(cells))
    cells[first] = f"{code}\n\n{cells[first]}"
    return shop.filled(shop.stub, cells)


def _stub_of(shop: Workshop, id: str) -> str:
    return next(cell.stub for cell in shop.problem_set.cells if cell.role == "exercise" and cell.id == id)
