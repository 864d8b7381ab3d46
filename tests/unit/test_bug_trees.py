"""Find the bug in this tree: every drawn tree has exactly one right answer, and the lesson shows the present edition's."""

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest

from arena.show.listed import draw_list
from autograder.problem_sets.bug_trees import FAMILIES, answers, draw, drawn
from autograder.problem_sets.bug_trees import lesson as lessons
from autograder.problem_sets.bug_trees.edition import EDITION
from autograder.problem_sets.bug_trees.puzzle import FEWEST, MOST, edition_dice
from autograder.problem_sets.source import load, module_text

EDITIONS = 200
ROOT = Path(__file__).resolve().parents[2]
SETS = tuple(FAMILIES)


def given(ps: str) -> dict:
    """What the given cell of the lesson holds: TREE, COLUMNS and KINDS."""
    (cell,) = [cell for cell in load(ps).cells if cell.role == "given" and cell.solution.startswith("TREE = [")]
    names: dict = {}
    exec(cell.stub, names)
    return names


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", SETS)
def test_every_edition_has_exactly_one_right_answer(ps: str) -> None:
    """The solver gets the lines alone: it recomputes every number, and tries every kind of mistake over the whole tree."""
    kinds, places, sizes, trees = Counter(), Counter(), Counter(), set()
    for number in range(EDITIONS):
        puzzle = draw(ps, edition_dice(f"edition {number}", ps))
        assert answers(ps, puzzle.rows) == {puzzle.answer}
        trees.add(repr(puzzle.rows))
        kinds[puzzle.answer[1]] += 1
        places[[row[0] for row in puzzle.rows].index(puzzle.answer[0])] += 1
        sizes[len(puzzle.rows)] += 1
    assert set(kinds) == set(FAMILIES[ps].kinds) and min(kinds.values()) >= 10  # of about 30
    assert len(trees) == EDITIONS and FEWEST <= min(sizes) and max(sizes) <= MOST
    assert max(places.values()) < EDITIONS / 2, "who always names the same line is mostly wrong"


@pytest.mark.parametrize("ps", SETS)
def test_a_search_without_a_mistake_has_no_wrong_node(ps: str) -> None:
    family, in_range = FAMILIES[ps], 0
    for number in range(100):
        rows = family.grow(edition_dice(f"right {number}", ps), "no mistake")
        assert answers(ps, rows) == set()
        in_range += FEWEST <= len(rows) <= MOST
    assert in_range > 10


@pytest.mark.parametrize("ps", SETS)
def test_children_stand_before_their_parent_and_the_root_is_last(ps: str) -> None:
    for number in range(20):
        rows = draw(ps, edition_dice(f"order {number}", ps)).rows
        names = [row[0] for row in rows]
        assert len(set(names)) == len(names) and [row[0] for row in rows if row[1] is None] == names[-1:]
        assert all(names.index(name) < names.index(parent) for name, parent, *_ in rows if parent)


def test_a_tree_changed_by_hand_is_wrong_where_it_was_changed() -> None:
    right = [("A", "C", False, [1], 1, 1), ("B", "C", False, [-1], 1, -1), ("C", "D", False, [0], 3, 0),
             ("D", None, False, [], 3, 0)]
    assert answers("ps2_uct", right) == set()
    kept = [("A", "C", False, [1], 1, 1), ("B", "C", False, [1], 1, 1), ("C", "D", False, [1], 3, 3),
            ("D", None, False, [], 3, 3)]
    assert answers("ps2_uct", kept) == {("C", "sign kept")}
    twice = [("A", "B", True, [-1], 2, -2), ("B", "C", False, [0], 3, 2), ("C", None, False, [], 3, -2)]
    assert answers("ps2_uct", twice) == {("A", "end counted twice")}


@pytest.mark.parametrize("ps", SETS)
def test_the_lesson_shows_the_tree_and_the_kinds_that_the_solver_knows(ps: str) -> None:
    here = given(ps)
    assert (here["TREE"], here["COLUMNS"]) == (drawn(ps).rows, FAMILIES[ps].columns)
    assert list(here["KINDS"]) == list(FAMILIES[ps].kinds)
    source = (ROOT / "solutions" / f"{ps}.py").read_text(encoding="utf-8")
    assert lessons.with_puzzle(ps, source, draw(ps, edition_dice(EDITION, ps))) == source


@pytest.mark.parametrize("ps", SETS)
def test_the_answer_is_not_in_what_students_get(ps: str) -> None:
    node, kind = drawn(ps).answer
    handed_out = module_text(load(ps), solution=False)
    assert f"{json.dumps(node)}, {json.dumps(kind)}" not in handed_out
    assert handed_out.count(json.dumps(kind)) == 1, "in KINDS, and nowhere else"


def test_another_edition_changes_all_lessons_and_only_there_the_tree_and_the_answer(tmp_path: Path) -> None:
    (tmp_path / "solutions").mkdir()
    (tmp_path / "autograder" / "problem_sets" / "bug_trees").mkdir(parents=True)
    names = [f"solutions/{ps}.py" for ps in SETS] + ["autograder/problem_sets/bug_trees/edition.py"]
    for name in names:
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    earlier = lessons.write_edition('the "2027" one', tmp_path)
    assert {str(path.relative_to(tmp_path)): text for path, text in earlier.items()} == {
        name: (ROOT / name).read_text(encoding="utf-8") for name in names}
    assert 'EDITION = "the \\"2027\\" one"' in (tmp_path / names[-1]).read_text(encoding="utf-8")
    for ps, name in zip(SETS, names, strict=False):
        before, after = ((folder / name).read_text(encoding="utf-8") for folder in (ROOT, tmp_path))
        assert before != after
        assert lessons.with_puzzle(ps, after, drawn(ps)) == before


def test_a_lesson_without_its_tree_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 trees"):
        lessons.with_puzzle("ps2_uct", "# nothing here\n", drawn("ps2_uct"))


@pytest.mark.parametrize("ps", SETS)
def test_the_picture_has_every_node_with_its_numbers(ps: str) -> None:
    here = given(ps)
    picture = ElementTree.fromstring(draw_list(here["TREE"], here["COLUMNS"]).svg)
    texts = ["".join(shape.itertext()) for shape in picture if shape.tag.endswith("text")]
    middle = {shape[0].text: shape.get("x") for shape in picture if shape.tag.endswith("text") and len(shape)}
    edges = {(shape.get("x1"), shape.get("x2")) for shape in picture if shape.tag.endswith("line")}
    assert edges == {(middle[parent], middle[name]) for name, parent, *_ in here["TREE"] if parent is not None}
    for name, _, *values in here["TREE"]:
        assert name in texts
        for column, value in zip(here["COLUMNS"], values, strict=True):
            assert not isinstance(value, int | float) or isinstance(value, bool) or f"{column}\xa0{value}" in texts
