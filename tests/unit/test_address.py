"""The badges of Colab and Binder: one address, and a first cell that works on a machine without the course."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbconvert.preprocessors import ExecutePreprocessor

from scripts.address import FILES, address, write_address

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("arena", "assets", "assignments")


def test_badges_stand_in_both_pages_and_open_the_notebook_of_the_present_address() -> None:
    owner = address().removeprefix("https://github.com/")
    for page, figures in (("README.md", "docs/figures"), ("docs/students.md", "figures")):
        text = (ROOT / page).read_text()
        assert f"({figures}/colab.svg)](https://colab.research.google.com/github/{owner}/blob/main/docs/start.ipynb)" in text
        assert f"({figures}/binder.svg)](https://mybinder.org/v2/gh/{owner}/main?urlpath=lab/tree/docs/start.ipynb)" in text
    assert (ROOT / "docs" / "start.ipynb").is_file() and (ROOT / ".binder" / "requirements.txt").is_file()


def test_another_address_is_written_everywhere_and_a_wrong_one_nowhere(tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for wrong in ("", "github.com/you/mcts", "https://github.com/you", "https://example.org/you/mcts", "https://github.com/a/b/c"):
        with pytest.raises(ValueError, match="is no address"):
            write_address(wrong, tmp_path)
    old = address().removeprefix("https://github.com/")
    assert write_address("https://github.com/you/mcts.git", tmp_path) == list(FILES)
    assert address(tmp_path) == "https://github.com/you/mcts"
    assert not [name for name in FILES if old in (tmp_path / name).read_text()]
    assert write_address("https://github.com/you/mcts", tmp_path) == []


@pytest.mark.usefixtures("repetition")
def test_the_first_cell_installs_the_course_and_writes_the_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """from a repository on this machine in the place of GitHub, and without the packages that would be downloaded"""
    clone, room, site = tmp_path / "clone", tmp_path / "room", tmp_path / "site"
    for name in BUILT_FROM:
        shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, clone)
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=clone, check=True)
    notebook = nbformat.read(ROOT / "docs" / "start.ipynb", as_version=4)
    cell = notebook.cells[0]
    assert cell.cell_type == "code" and f"git+{address()}\n" in cell.source
    cell.source = cell.source.replace(address(), f"file://{clone}")
    notebook.cells = [cell]
    room.mkdir()
    settings = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0",
                "PIP_TARGET": str(site), "PYTHONPATH": str(site)}
    for name, value in settings.items():
        monkeypatch.setitem(os.environ, name, value)
    ExecutePreprocessor(timeout=180, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(room)}})
    said = "".join(output.get("text", "") for output in notebook.cells[0].outputs)
    assert (site / "arena" / "__init__.py").is_file(), said
    assert (room / "ps2_uct" / "ps2_uct.ipynb").read_bytes() == (ROOT / "assignments/ps2_uct/ps2_uct.ipynb").read_bytes()
    assert not re.search("ERROR|Traceback", said), said
