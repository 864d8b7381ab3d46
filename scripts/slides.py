"""Draw the pictures of docs/teaching from real runs: `python -m scripts.slides`, or with the names of some pictures.

Every run has a fixed seed, and a second run writes the same bytes. The title inside each file says in words what it shows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from arena.near_miss import meant_or_listed
from autograder.paths import REPOSITORY
from scripts.slide_canvas import Slide
from scripts.slides_of_games import around_the_edge, eight_views, movers_view
from scripts.slides_of_searches import bounds, exams, four_phases, proofs, sequential, trap, tree

FOLDER = REPOSITORY / "docs" / "teaching" / "figures"
QUICK: dict[str, Callable[[], Slide]] = {  # without networks
    "ps1_movers_view": movers_view,
    "ps1_eight_views": eight_views,
    "ps1_around_the_edge": around_the_edge,
    "ps2_bounds": bounds,
    "ps2_four_phases": four_phases,
    "ps2_tree_50": lambda: tree(50),
    "ps2_tree_200": lambda: tree(200),
    "ps2_trap": trap,
    "ps3_proofs": proofs,
    "ps3_exams": exams,
    "ps3_sequential": sequential,
}


def every() -> dict[str, Callable[[], Slide]]:
    """Return all pictures by name; torch, which takes seconds to begin, is loaded only here."""
    from scripts.slides_with_networks import WITH_NETWORKS

    return QUICK | WITH_NETWORKS


def main(wanted: Iterable[str]) -> int:
    """Draw the pictures of these names, or all."""
    names = list(wanted)
    slides = QUICK if names and set(names) <= set(QUICK) else every()
    if unknown := [name for name in names if name not in slides]:
        print(f"no picture {unknown[0]}{meant_or_listed(unknown[0], slides)}")
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or slides:
        (FOLDER / f"{name}.svg").write_text(slides[name]().svg(), encoding="utf-8")
        print(f"wrote {(FOLDER / name).relative_to(REPOSITORY)}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
