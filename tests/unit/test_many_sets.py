"""Problem sets with numbers of more than one digit: they are read, named and put in order like the others."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.work import problem_sets
from autograder.cli import completion
from autograder.collect.placing import sets_in
from autograder.course.misplaced import misplaced
from autograder.gradebook.tables import CHANGES, Change, write_changes
from autograder.problem_sets import build, source
from autograder.problem_sets.new_set import write_new_set
from autograder.problem_sets.source import load, names, released
from autograder.submission.read import read_folder

ROOT = Path(__file__).resolve().parents[2]
SETS = ["ps1_games", "ps2_uct", "ps10_chess", "ps12_go", "ps100_hex"]


@pytest.fixture(scope="module", autouse=True)
def sets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Two of our sets, and three from the template."""
    repository = tmp_path_factory.mktemp("repository")
    (repository / "solutions").mkdir()
    for name in SETS[:2]:
        shutil.copy(ROOT / "solutions" / f"{name}.py", repository / "solutions")
    for name in SETS[2:]:
        write_new_set(name, "", repository)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "SOLUTIONS", repository / "solutions")
        patch.setattr(completion, "REPOSITORY", repository)
        yield
    load.cache_clear()


def note_on(folder: Path, *, named: str, holds: str) -> str:
    """What a student is told whose files are named after one set and hold the stub of another one."""
    folder.mkdir()
    for ending, text in zip((".ipynb", ".py"), build(load(holds), solution=False), strict=True):
        (folder / f"{named}{ending}").write_text(text)
    return read_folder(folder, named).note


def test_the_sets_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    assert names() == SETS == completion.problem_sets("") and completion.problem_sets("ps1") == ["ps1_games", *SETS[2:]]
    for name in SETS:
        (tmp_path / "mine" / name).mkdir(parents=True)
        (tmp_path / "mine" / name / f"{name}.py").touch()
    assert [stem.name for stem in problem_sets(tmp_path / "mine")] == SETS


@pytest.mark.parametrize("holds, named", [
    ("ps1_games", "ps10_chess"), ("ps10_chess", "ps1_games"), ("ps12_go", "ps10_chess"), ("ps2_uct", "ps12_go"),
    ("ps10_chess", "ps100_hex"),
])
def test_a_file_of_another_set_is_named(tmp_path: Path, holds: str, named: str) -> None:
    for ending in (".ipynb", ".py"):
        note = f"{named}{ending} holds exercises of {holds}, and none of {named}: hand in the right file."
        assert note in note_on(tmp_path / ending, named=named, holds=holds)


@pytest.mark.parametrize("ps", SETS[2:])
def test_a_file_of_its_own_set_is_right(tmp_path: Path, ps: str) -> None:
    assert note_on(tmp_path / "work", named=ps, holds=ps) == ""


@pytest.mark.parametrize("folder, ps", [
    ("PS1 games", "ps1_games"), ("ps1", "ps1_games"), ("ps2_uct (1)", "ps2_uct"), ("PS10 chess", "ps10_chess"),
    ("ps12", "ps12_go"), ("ps100", "ps100_hex"), ("ps11", ""),
])
def test_a_folder_that_is_nearly_called_after_a_set(tmp_path: Path, folder: str, ps: str) -> None:
    (tmp_path / "ada" / folder).mkdir(parents=True)
    note = f"'ada': the folder {folder!r} was not graded: rename it to {ps!r} if that is meant"
    assert list(misplaced(tmp_path / "ada", None, names())) == [note] * bool(ps)
    assert {name for name in names() if list(misplaced(tmp_path / "ada", name, names()))} == {ps} - {""}


def test_a_set_from_the_template_is_a_draft() -> None:
    assert released() == SETS[:2]


def test_a_download_is_called_after_one_set() -> None:
    assert [sets_in(f"ada_lovelace/PS{name[2:]} (2).ipynb") for name in SETS] == [{name} for name in SETS]


def test_tables_of_a_course_have_the_sets_in_order(tmp_path: Path) -> None:
    for ps in ("ps10_chess", "ps2_uct", "ps12_go", "ps1_games"):
        write_changes(tmp_path, ps, [Change("ada", "1.1", 0.0, 1.0, "new answer")])
    rows = (tmp_path / CHANGES).read_text().splitlines()[1:]
    assert [row.split(",")[1] for row in rows] == ["ps1_games", "ps2_uct", "ps10_chess", "ps12_go"]
