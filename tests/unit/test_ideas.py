"""docs/ideas/ names every hidden check with its exercise, and every check that it names exists."""

import ast
import re
from pathlib import Path

import pytest

from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.problem_sets.source import names

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"\| (?P<idea>[^|]+) \| (?P<exercises>[^|]+) \| (?P<checks>[^|]+) \|")


def page(ps: str) -> set[tuple[str, str]]:
    """(exercise, check) of every row of the page."""
    rows = [ROW.fullmatch(line) for line in (ROOT / "docs" / "ideas" / f"{ps}.md").read_text().splitlines()]
    return {(exercise.strip(), check) for row in rows if row for check in re.findall(r"`(test_\w+)`", row["checks"])
            for exercise in row["exercises"].split(",")}


def suite(ps: str) -> set[tuple[str, str]]:
    """(exercise, check) of every hidden check."""
    checks = set()
    for path in (ROOT / "tests" / "hidden" / ps).glob("test_*.py"):
        tree = ast.parse(path.read_text())
        whole = [node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"]
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                marks = " ".join(map(ast.unparse, [*node.decorator_list, *whole]))
                checks.add((re.search(r"pytest\.mark\.exercise\('([^']+)'", marks)[1], node.name))
    return checks


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", names())
def test_the_page_of_ideas_names_the_checks_of_the_suite(ps):
    assert suite(ps), f"no hidden check of {ps} was found"
    assert {check for _, check in page(ps)} == {check for _, check in suite(ps)}
    assert suite(ps) <= page(ps), "a check is in the row of another exercise"


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", names())
def test_every_hidden_check_asks_a_question(ps: str) -> None:
    """A student with a wrong value reads this hint beside the property."""
    assert [check.name for check in hidden_suite(ps).checks if not (check.question or "").endswith("?")] == []
