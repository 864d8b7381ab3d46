"""The key of an exercise's findings: a changed check is the business of its own exercise, and of no other one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grading import exercise_keys as keys
from autograder.grading import fingerprint
from autograder.grading.config import Settings
from autograder.grading.exercise_keys import EVERY, exercise_keys, statements, text_for
from autograder.grading.fingerprint import GRADING, covered
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.stored_findings import TREE
from autograder.paths import REPOSITORY
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import load, names
from tests.speeds import again

PS = "ps2_uct"
SETTINGS = Settings(b"an edition")
HIDDEN = REPOSITORY / "tests" / "hidden"


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", names())
def test_a_check_belongs_to_the_same_exercise_for_its_key_and_for_the_grader(ps: str) -> None:
    for file in sorted((HIDDEN / ps).glob("test_*.py")):
        named: dict[str, frozenset[str]] = {}
        for statement in statements(file.read_text()):
            named |= dict.fromkeys(statement.binds if statement.exercises else (), statement.exercises)
        checks = {check.function.__name__: {check.exercise} for check in hidden_suite(ps).checks
                  if check.function.__code__.co_filename == str(file)}
        assert checks and named == checks, file


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", names())
def test_another_line_in_a_check_changes_the_text_of_its_own_exercise(ps: str) -> None:
    for file in sorted((HIDDEN / ps).glob("test_*.py")):
        text = file.read_text()
        in_file = statements(text)
        ids = {id for statement in in_file for id in statement.exercises}
        before = {id: text_for(id, in_file) for id in ids}
        assert ids and EVERY not in ids and all(before.values())
        for statement in {statement.exercises: statement for statement in in_file if statement.exercises}.values():
            body = statement.text.rstrip()
            after = statements(text.replace(body, f"{body}\n    assert True", 1))
            assert {id for id in ids if text_for(id, after) != before[id]} == statement.exercises


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", names())
def test_a_check_is_in_the_key_of_its_own_exercise_only_whoever_imports_its_file(ps: str) -> None:
    known, files = keys._engine_files(ps), sorted((HIDDEN / ps).glob("test_*.py"))
    parsed = {file: statements(file.read_text()) for file in files}
    ids = {id for in_file in parsed.values() for statement in in_file for id in statement.exercises}
    before = {id: keys._used_by(id, parsed, known) for id in ids}
    assert [file for _, behind in before.values() for file in behind if file in parsed] == []  # none counts as a whole
    for file, in_file in parsed.items():
        for check in {statement.exercises: statement for statement in in_file if statement.exercises}.values():
            changed = replace(check, text=f"{check.text}    assert True\n")
            after = {**parsed, file: tuple(changed if statement is check else statement for statement in in_file)}
            assert {id for id in ids if keys._used_by(id, after, known)[0] != before[id][0]} == check.exercises, file


FILE = '''\
"""About."""
from __future__ import annotations
import pytest
from own import near, far

SIZES = [1, 2]
WAYS = [size + 1 for size in SIZES]
LONELY = 3

def helper():
    return WAYS

class TestNothing:
    pass

@pytest.mark.exercise("1.1")
def test_one(student):
    assert near(helper())

@pytest.mark.exercise("1.2", cpu_s=3)
@pytest.mark.parametrize("size", SIZES)
def test_two(student, size):
    assert far(size)
'''


def test_what_a_check_uses_is_followed_by_its_names() -> None:
    in_file = statements(FILE)
    first, second = text_for("1.1", in_file), text_for("1.2", in_file)
    assert "WAYS" in first and "SIZES = " in first and "import near" in first and "far" not in first and "test_two" not in first
    assert "SIZES = " in second and "import far" in second and "near" not in second
    assert "WAYS" not in second and "parametrize" in second
    assert all('"""About."""' in text and "LONELY" not in text for text in (first, second))
    assert all("TestNothing" in text for text in (first, second))  # nothing says whose checks it holds: it counts for all
    assert text_for("1.3", statements("pytestmark = pytest.mark.exercise('1.4')\ndef test_x():\n    pass\n")) == ""


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the files that decide a grading of ps2, for its keys."""
    for name in covered(GRADING, PS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, tmp_path / name)
    for module in (keys, fingerprint):
        monkeypatch.setattr(module, "REPOSITORY", tmp_path)
    _forget()
    yield tmp_path
    _forget()


def _forget() -> None:
    for cached in (keys._engine, keys._engine_files, keys._checks, keys._text):
        cached.cache_clear()


def now() -> dict[str, str]:
    _forget()
    return exercise_keys(PS, SETTINGS)


ALL = {*(exercise.id for exercise in load(PS).exercises), JOINT, TREE}


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("name, expected", [
    ("autograder/grading/outcomes.py", ALL),
    again("arena/games/toy.py", ALL),
    again("requirements.lock", ALL),
    ("tests/hidden/ps2_uct/conftest.py", ALL),
    ("tests/hidden/ps2_uct/test_joint.py", set()),
    ("tests/hidden/ps2_uct/shown.py", {TREE}),
    ("tests/hidden/ps2_uct/implementations.py", {"2.15"}),
    again("tests/hidden/break_it.py", {"2.15"}),
    again("tests/hidden/find_the_bug.py", {"2.14"}),
])
def test_what_a_changed_file_makes_anew(elsewhere: Path, name: str, expected: set[str]) -> None:
    before = now()
    assert before.keys() == ALL and len(set(before.values())) == len(ALL)
    with (elsewhere / name).open("a") as file:
        file.write("\n# changed\n")  # a comment below a file of checks is in no check
    after = now()
    assert {id for id in ALL if before[id] != after[id]} == expected


@pytest.mark.usefixtures("computing")
def test_a_file_that_nobody_names_counts_for_every_exercise(elsewhere: Path) -> None:
    before = now()
    (elsewhere / "tests/hidden/ps2_uct/data.txt").write_text("new")
    after = now()
    assert {id for id in ALL if before[id] != after[id]} == ALL - {TREE}
    with (elsewhere / "tests/hidden/ps2_uct/test_bandit.py").open("a") as file:
        file.write('\n@pytest.mark.exercise("2.0")\ndef test_data(student):\n    assert open("data.txt")\n')
    (elsewhere / "tests/hidden/ps2_uct/data.txt").write_text("newer")
    after = now()
    assert {id for id in ALL if before[id] != after[id]} == {"2.0"}


@pytest.mark.usefixtures("computing")
def test_a_helper_of_another_file_of_checks_counts_with_what_it_uses(elsewhere: Path) -> None:
    first, second = (elsewhere / "tests" / "hidden" / PS / f"test_{name}.py" for name in ("first", "second"))
    of_second = FILE.replace("from own import near, far\n", "").replace("near(", "bool(").replace("far(", "bool(")
    own = "@pytest.mark.exercise('1.7')\ndef test_it(student):\n    assert helper()\n"

    def used(line: str, text: str = of_second) -> tuple[str, set[Path]]:
        first.write_text(f"import pytest\n{line}\n\n{own}")
        second.write_text(text)
        return keys._used_by("1.7", {file: statements(file.read_text()) for file in (first, second)}, frozenset())

    text, behind = used("from tests.hidden.ps2_uct.test_second import helper")
    assert "def helper" in text and "WAYS = " in text and "SIZES = " in text and "test_it" in text
    assert "LONELY" not in text and "test_one" not in text and second not in behind
    changed = of_second.replace("[1, 2]", "[1, 2, 3]")
    assert used("from tests.hidden.ps2_uct.test_second import helper", changed)[0] != text
    for line in ("from tests.hidden.ps2_uct.test_second import test_one as helper",
                 "import tests.hidden.ps2_uct.test_second as helper"):
        assert second in used(line)[1], line  # no helper of that name, or the whole file: all of it counts


def test_a_limit_is_in_the_key_of_its_exercise_and_the_edition_in_every_key() -> None:
    here = exercise_keys(PS, SETTINGS)
    longer = exercise_keys(PS, Settings(b"an edition", cpu_s=(("2.9", 20.0),)))
    assert {id for id in ALL if here[id] != longer[id]} == {"2.9"}
    other = exercise_keys(PS, Settings(b"another edition"))
    assert all(here[id] != other[id] for id in ALL)


def test_an_exercise_depends_on_our_code_of_those_before_it() -> None:
    ours = {id: keys._ours(load(PS), id) for id in ALL - {TREE}}
    assert "def ucb(" in ours["2.6"] and "def ucb(" in ours["2.9"] and "def ucb(" not in ours["2.5"]
    assert "first_wrong_node" not in ours["2.15"]  # an answer that is a constant is planted nowhere
