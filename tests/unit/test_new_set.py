"""A sixth set from the template: as it stands it builds, its banks prove it, and it is a draft, which no student gets."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.problem_sets.new_set import write_new_set
from autograder.problem_sets.source import released
from tests.commands import autograder, output_of

pytestmark = pytest.mark.usefixtures("whole_world")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what builds and verifies, with one set beside the new one."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("autograder", "arena", "assets", "solutions", "assignments", "tests/hidden"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in ("requirements.lock", "pyproject.toml", "setup.py", "tests/__init__.py"):
        shutil.copy(ROOT / name, copy / name)
    return copy


def test_a_new_set_verifies_as_it_stands(repository: Path) -> None:
    output_of("new", "ps6_choices", "--title", "means and choices", cwd=repository)
    output_of("build", cwd=repository)
    assert "# Problem set 6: means and choices" in (repository / "assignments/ps6_choices/ps6_choices.py").read_text()
    verified = output_of("verify", "--ps", "ps6_choices", cwd=repository)
    assert "solution 100/100, stub 0/100, wrong answers 5 caught 0 missed, right answers 2 passed 0 failed" in verified
    assert "ps6_choices is a draft; `make test` lists at its end what it still needs for a release" in verified
    built = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", "out"]
    subprocess.run(built, cwd=repository, check=True, capture_output=True)
    assert {path.name for path in (repository / "out" / "arena" / "assignments").iterdir()} == {*released()}
    checks = autograder("new", "ps6_other", cwd=repository)
    assert checks.returncode == 2 and "problem set 6 is ps6_choices: take another number" in checks.stderr


@pytest.mark.parametrize("name", ["ps6", "PS6_chess", "ps0_zero", "chess", "ps6_../x", "ps6_Chess", "ps6 chess"])
def test_a_name_that_is_none_is_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="is not a valid problem-set name: write ps6_name"):
        write_new_set(name, "", tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "tests" / "wrong").mkdir(parents=True)
    (tmp_path / "tests" / "wrong" / "ps6_chess.py").write_text("mine")
    with pytest.raises(UserError, match="ps6_chess.py is there already"):
        write_new_set("ps6_chess", "chess", tmp_path)
    assert (tmp_path / "tests" / "wrong" / "ps6_chess.py").read_text() == "mine" and not (tmp_path / "solutions").exists()
