"""Draw a tree with one mistake that has exactly one right answer, and solve it from its numbers alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from arena.edition import dice
from autograder.problem_sets.bug_trees import ps1, ps2, ps3, ps4, ps5
from autograder.problem_sets.bug_trees.edition import EDITION
from autograder.problem_sets.bug_trees.lines import Family, Row, read

FAMILIES: dict[str, Family] = {
    "ps1_games": ps1.FAMILY,
    "ps2_uct": ps2.FAMILY,
    "ps3_connect_four": ps3.FAMILY,
    "ps4_puct": ps4.FAMILY,
    "ps5_alphazero": ps5.FAMILY,
}
FEWEST, MOST = 8, 18  # nodes: enough to hide a mistake, few enough for one picture

Answer = tuple[str, str]  # the name of the first wrong node, the kind of the mistake


@dataclass(frozen=True)
class Puzzle:
    """A tree and the only right answer."""

    rows: list[Row]
    answer: Answer


def answers(ps: str, rows: Sequence[Row]) -> set[Answer]:
    """Return all answers that fit the numbers; the solver knows neither the mistake nor how the tree has grown.

    A node is wrong where its line does not follow from what the line itself tells and from its children's lines; the first
    wrong node is the first of the list. A kind fits if a search with this mistake writes exactly these lines.
    """
    family = FAMILIES[ps]
    lines = read(rows, family.columns)
    wrong = [line.name for line in lines if not family.right(line)]
    return {(wrong[0], kind) for kind, law in family.kinds.items() if all(map(law, lines))} if wrong else set()


def draw(ps: str, rng: Random) -> Puzzle:
    """Draw a mistake, then trees until one has exactly one right answer."""
    family = FAMILIES[ps]
    kind = rng.choice(list(family.kinds))
    while True:
        rows = family.grow(rng, kind)
        if FEWEST <= len(rows) <= MOST and not any(map(family.blurred, read(rows, family.columns))):
            possible = answers(ps, rows)
            if len(possible) == 1 and (answer := possible.pop())[1] == kind:
                return Puzzle(rows, answer)


def edition_dice(edition: str, ps: str) -> Random:
    """Return the generator that draws the tree of a problem set in this edition."""
    return dice(edition.encode(), f"bug tree of {ps}")


@cache
def drawn(ps: str) -> Puzzle:
    """Return the puzzle of the present edition, which is in the lesson."""
    return draw(ps, edition_dice(EDITION, ps))
