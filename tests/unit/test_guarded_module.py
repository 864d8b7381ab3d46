"""A module whose cells are all under `if __name__ == "__main__":` is valid Python, and is read as its student meant it."""

from pathlib import Path

import pytest

from arena.work import module_cells, without_guard
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.grade import grade_submission
from autograder.problem_sets.percent import HEADER
from autograder.problem_sets.source import load, module_text

PS = "ps1_games"
GUARD = 'if __name__ == "__main__":'


def guarded(text: str, headers: bool) -> str:
    """The whole module under the guard; the headers of its cells are indented with it or stay at the margin."""
    lines = [line if not line or (HEADER.fullmatch(line) and not headers) else f"    {line}" for line in text.split("\n")]
    return "\n".join([GUARD, *lines])


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("headers", [False, True])
def test_a_module_under_the_guard_earns_what_it_earns_without(tmp_path: Path, headers: bool) -> None:
    text = guarded(module_text(load(PS), solution=True), headers)
    compile(text, PS, "exec")
    (tmp_path / f"{PS}.py").write_text(text)
    assert grade_submission(tmp_path, PS, Settings(public_secret())).report.points == 100
    assert [cell.checks for cell in module_cells(text, PS)].count(True) == sum(cell.role == "check" for cell in load(PS).cells)


def test_lines_keep_their_numbers_and_what_is_no_cell_stays_under_the_guard():
    lines = ["# %%", "def one():", "    return 1", GUARD + "  # try it", "    print(one())", "# a note", "# %%", "two = 2"]
    assert without_guard(lines) == lines
    under = ["# %%", GUARD, "    # %%", "    def one():", "        return 1", "", "# %%", "    two = 2", "three = 3"]
    assert without_guard(under) == ["# %%", "", "# %%", "def one():", "    return 1", "", "# %%", "two = 2", "three = 3"]
    assert without_guard([GUARD]) == [GUARD] and without_guard([]) == []
