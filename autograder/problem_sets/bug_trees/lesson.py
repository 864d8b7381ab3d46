"""Read, compare and write the tree of an edition in a lesson of `solutions/`, and the answer beside it."""

import json
import re
from pathlib import Path

from arena.files import write_atomic
from autograder.paths import REPOSITORY
from autograder.problem_sets.bug_trees.lines import Row
from autograder.problem_sets.bug_trees.puzzle import FAMILIES, Puzzle, draw, edition_dice

FUNCTION = "first_wrong_node"
TREE = re.compile(r"^TREE = \[\n.*?^\]$", re.M | re.S)
ANSWER = re.compile(rf"(?<=^def {FUNCTION}\(\) -> tuple\[str, str\]:\n)(.*?)^    return [^\n]+$", re.M | re.S)
EDITION = re.compile(r'^EDITION = .*$', re.M)


def tree_text(ps: str, rows: list[Row]) -> str:
    """Return the cell's lines of a tree: one line for each node, from the bottom up."""
    heading = ", ".join(("name", "parent", *FAMILIES[ps].columns))
    return "\n".join(["TREE = [", f"    # {heading}", *(f"    ({', '.join(map(_word, row))})," for row in rows), "]"])


def _word(value: object) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def with_puzzle(ps: str, source: str, puzzle: Puzzle) -> str:
    """Return the source of a lesson with this tree and this answer in place of its own."""
    node, kind = map(json.dumps, puzzle.answer)
    changed, trees = TREE.subn(lambda _: tree_text(ps, puzzle.rows), source)
    changed, num_answers = ANSWER.subn(lambda match: f"{match[1]}    return {node}, {kind}", changed)
    if (trees, num_answers) != (1, 1):
        raise ValueError(f"solutions/{ps}.py has {trees} trees and {num_answers} answers to {FUNCTION}, not one of each")
    return changed


def write_edition(edition: str, repository: Path = REPOSITORY) -> dict[Path, str]:
    """Write the trees of an edition into the lessons, and its name beside the solver; return the files as they were before.

    A process that has read the lessons or the name already goes on with the old trees.
    """
    lessons = {ps: repository / "solutions" / f"{ps}.py" for ps in FAMILIES}
    name = repository / "autograder" / "problem_sets" / "bug_trees" / "edition.py"
    before = {path: path.read_text(encoding="utf-8") for path in (*lessons.values(), name)}
    after = {path: with_puzzle(ps, before[path], draw(ps, edition_dice(edition, ps))) for ps, path in lessons.items()}
    after[name] = EDITION.sub(lambda _: f"EDITION = {json.dumps(edition)}", before[name])
    for path, text in after.items():
        write_atomic(path, text)
    return before
