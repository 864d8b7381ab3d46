"""Sentences for staff about work that is not where the grader looks for it, in submitted/<student>/<set>/."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from arena.shipped import set_number, set_order
from autograder.course.odd_names import skeleton

WORK = frozenset({".ipynb", ".py", ".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".pdf", ".docx", ".html"})


def misplaced(place: Path, ps: str | None, sets: Collection[str]) -> Iterator[str]:
    """Yield sentences about work that is not graded as `ps`, in one entry of `submitted/`.

    Args:
        place: the entry, a folder of a student as a rule.
        ps: the set; None for all sets, for a course in which no work is in its place.
        sets: the names of all problem sets.

    Raises:
        OSError: the folder cannot be read.
    """
    if place.name.startswith("."):
        return
    meant, ps = ([ps], ps) if ps else (sorted(sets, key=set_order), "<set>")
    if place.is_file():
        if place.suffix.lower() in WORK:
            yield f"{place.name!r} is directly in submitted/ and was not graded: move it to submitted/<student>/{ps}/"
        return
    if place.name in sets:
        yield (f"submitted/{place.name}/ was not graded: the folder of a set must be in a student's, "
               f"submitted/<student>/{place.name}/")
        return
    if (place / ps).is_dir():
        return  # everything else there belongs to other sets, or is the student's own
    there = sorted(place.iterdir())
    if not any(not path.name.startswith(".") for path in there):
        yield f"{place.name!r} is an empty folder"
    for path in there:
        if path.is_file() and path.suffix.lower() in WORK and (path.stem == ps or path.stem not in sets):
            yield (f"{place.name!r}: {path.name!r} is not in the folder of a problem set and was not graded: "
                   f"if it is {ps}, move it to submitted/{place.name}/{ps}/")
        elif path.is_dir() and path.name not in sets and (right := next((name for name in meant if _is_meant(path, name)), None)):
            yield f"{place.name!r}: the folder {path.name!r} was not graded: rename it to {right!r} if that is meant"


def _is_meant(folder: Path, ps: str) -> bool:
    """Whether a folder is called like a set but for its spelling ("PS2 UCT", "ps2", "ps2_uct (1)"), or holds the set's file."""
    name = skeleton(folder.name).replace("-", "_").replace(" ", "_")
    holds_it = any((folder / f"{ps}{ending}").is_file() for ending in (".ipynb", ".py"))
    number = re.search(r"[0-9]+", folder.name)  # "ps10 chess" begins with ps1, and is not meant for it
    return holds_it or name.startswith(skeleton(ps.partition("_")[0])) and (not number or number[0] == set_number(ps))
