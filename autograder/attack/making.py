"""A course folder with the attacks and the honest in it, and one with the honest alone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from autograder.attack.bank import FORGED, MODULE, SOLVED, Attack
from autograder.challenge.rungs import LADDER
from autograder.demo.cast import cast_of
from autograder.demo.workshop import Files, Workshop, added, added_to_module
from autograder.files import write_atomic
from autograder.grading.edition import course_secret

HONEST = ("honest-half", "honest-right", "honest-wrong")
# The exams of an attacked class: the same rules and fewer games, so that a player shows its manners soon.
LADDER_CHANGES = {"student_simulations": "23", "highest": '"Random"', "games": "40", "each": "2", "move_cpu_s": "0.4",
                  "game_cpu_s": "5.0"}


@lru_cache(maxsize=8)
def shop_of(ps: str) -> Workshop:
    return Workshop(ps)


def make_courses(alone: Path, course: Path, attacks: Sequence[Attack]) -> None:
    """Lay out two courses of one edition: in `alone` the honest of every attacked set, in `course` the attacks beside them."""
    for folder in (alone, course):
        shutil.rmtree(folder, ignore_errors=True)
        write_atomic(folder / LADDER.name, quick_ladder())
        for ps in sets_of(attacks):
            for student, files in honest(ps).items():
                _write(folder / "submitted" / student / ps, files)
    course_secret(alone)
    shutil.copy(alone / "edition.secret", course)
    for attack in attacks:
        hand_in(course, attack)


def sets_of(attacks: Iterable[Attack]) -> list[str]:
    """Return the sets that are attacked, in the order in which they are graded."""
    return sorted({attack.ps for attack in attacks})


def honest(ps: str) -> dict[str, Files]:
    """Return the files of the honest students: all right, half done, and one mistake."""
    shop, cast = shop_of(ps), cast_of(ps)
    texts = (shop.written_up_to(cast.half), shop.solved, shop.answered(shop.wrong[cast.wrong[0]]))
    return {student: shop.notebook(text) for student, text in zip(HONEST, texts, strict=True)}


def hand_in(course: Path, attack: Attack) -> None:
    """Put one attack into `submitted/`."""
    folder = course / "submitted" / attack.handle / attack.ps
    folder.parent.mkdir(parents=True, exist_ok=True)
    if attack.make is None:
        _write(folder, files_of(attack))
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


def quick_ladder() -> str:
    """Return our ladder with cheaper exams."""
    text = LADDER.read_text()
    for key, value in LADDER_CHANGES.items():
        text = re.sub(rf"^{key} = \S+", f"{key} = {value}", text, flags=re.M)
    return text


def _write(folder: Path, files: Files) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_atomic(folder / name, text)
