"""Every assertion of a hidden check tells staff what was expected and what came, so that `explain` can answer a complaint."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HIDDEN = Path(__file__).resolve().parents[1] / "hidden"


def silent(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition that compare nothing: when they fail, only True and False are known.

    A name and a `not` of a name are not comparisons either. Beside `is not None` and the like there are two sides.
    """
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from silent(value)
    elif not isinstance(test, ast.Compare):
        yield test


def silent_assertions(source: str) -> list[str]:
    """The assertions without a message that hold a silent part, as "line: code"."""
    asserts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert) and node.msg is None]
    return [f"{node.lineno}: {ast.unparse(node)}" for node in asserts if any(silent(node.test))]


@pytest.mark.parametrize("path", sorted(HIDDEN.rglob("*.py")), ids=lambda path: path.relative_to(HIDDEN).as_posix())
def test_an_assertion_has_two_sides_or_a_message(path: Path) -> None:
    """Write `assert [x for x in xs if not right(x)] == []` in place of `assert all(...)`, or add a message."""
    assert silent_assertions(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("code", [
    "assert all(x > 0 for x in xs)", "assert any(xs)", "assert not any(xs)", "assert same(a, b)", "assert found",
    "assert not found", "assert a == b and all(xs)", "assert (a > 0).all()", "assert a | b",
])  # fmt: skip
def test_what_tells_nothing_is_found(code: str) -> None:
    assert silent_assertions(code) == [f"1: {ast.unparse(ast.parse(code))}"]


@pytest.mark.parametrize("code", [
    "assert a == b", "assert 1 < a < 3 and b is None", "assert [x for x in xs if x <= 0] == []", "assert same(a, b), 'why'",
])  # fmt: skip
def test_what_has_two_sides_or_a_message_is_allowed(code: str) -> None:
    assert silent_assertions(code) == []
