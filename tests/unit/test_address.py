"""No page carries an address that is not known; one command writes it; the first cell of docs/start.ipynb installs the course."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import nbformat
import pytest
from nbconvert.preprocessors import ExecutePreprocessor
from placeholders import placeholders

from scripts.address import BLOCK, plain, with_address, write_address

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("arena", "assets", "assignments")
PATTERNS = ("*.md", "pyproject.toml", "docs/**/*.md", "docs/**/*.ipynb", "assets/**/*.md", "assignments/*/*.*", ".binder/*",
            ".devcontainer/*")
SHOWN = sorted(path for pattern in PATTERNS for path in ROOT.glob(pattern))
ADDRESS = "https://github.com/ada/mcts"


def test_no_page_and_no_notebook_has_an_address_that_nobody_knows() -> None:
    assert len(SHOWN) > 70
    by_file = {str(path.relative_to(ROOT)): placeholders(path.read_text(encoding="utf-8")) for path in SHOWN if path.is_file()}
    assert {name: names for name, names in by_file.items() if names} == {}


@pytest.mark.parametrize("text", [
    "https://github.com/OWNER/REPOSITORY", "git clone git@github.com:OWNER/mcts", "pip install git+https://github.com/<you>/mcts",
    "(https://colab.research.google.com/github/someone/else/blob/main/x.ipynb)", "https://mybinder.org/v2/gh/someone/else/main",
    "pip install git+https://host.example.org/someone/else", "https://github.com/someone/else/actions/workflows/ci.yml",
])
def test_the_search_for_such_addresses_finds_them(text: str) -> None:
    assert placeholders(text)


@pytest.mark.parametrize("given", [
    ADDRESS, f"{ADDRESS}.git", f"{ADDRESS}/", "https://ada@github.com/ada/mcts", "https://ada:token@github.com/ada/mcts.git",
])
def test_an_address_is_host_owner_and_name_whatever_git_has_beside_it(given: str) -> None:
    assert plain(given) == ADDRESS


@pytest.mark.parametrize("wrong", [
    "", "github.com/ada/mcts", "http://github.com/ada/mcts", "git@github.com:ada/mcts.git", "https://github.com/ada",
    "https://github.com/a/b/c", "https://github.com/ada/mcts?token=x", "https://github.com/ada/mcts#x", "https://github.com:80/ada/mcts",
    "https://github.com/ada/mc ts", "https://github.com/ada/mcts)\n[x](y", "https://localhost/ada/mcts", "file:///ada/mcts",
])
def test_another_form_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="an address looks like"):
        plain(wrong)


def test_an_address_is_written_into_every_page_and_another_one_over_it(tmp_path: Path) -> None:
    marked = [path for path in SHOWN if path.suffix in (".md", ".toml") and BLOCK.search(path.read_text(encoding="utf-8"))]
    asking = [*marked, ROOT / "docs" / "start.ipynb"]
    assert {ROOT / "README.md", ROOT / "pyproject.toml"} < {*asking}
    for path in asking:
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(exist_ok=True)
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    names = sorted(path.relative_to(ROOT).as_posix() for path in asking)
    for address in (ADDRESS, "https://github.com/bob/games"):
        assert sorted(write_address(address, tmp_path)) == names
        assert write_address(address, tmp_path) == []
        name = address.removeprefix("https://github.com/")
        page = (tmp_path / "README.md").read_text()
        assert f"(docs/figures/colab.svg)](https://colab.research.google.com/github/{name}/blob/main/docs/start.ipynb)" in page
        assert f"(docs/figures/binder.svg)](https://mybinder.org/v2/gh/{name}/main?urlpath=lab/tree/docs/start.ipynb)" in page
        assert f"[![Tests]({address}/actions/workflows/ci.yml/badge.svg)]" in page
        assert tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["urls"] == {"Repository": address}
        assert f"%pip install -q git+{address}\n" in json.loads((tmp_path / "docs/start.ipynb").read_text())["cells"][0]["source"]
    assert "ada/mcts" not in "".join((tmp_path / name).read_text() for name in names)
    assert all((ROOT / name).is_file() for name in ("docs/start.ipynb", ".binder/requirements.txt", ".github/workflows/ci.yml"))


def test_a_page_in_a_folder_finds_the_pictures_and_pip_gets_a_line() -> None:
    page = "".join(f"<!-- address: {what} -->\n    pip install x.whl\n<!-- address end -->\n" for what in ("notebooks", "pip"))
    changed = with_address(page, ADDRESS, "..")
    assert "](../docs/figures/colab.svg)]" in changed
    assert f"    python -m pip install git+{ADDRESS}\n" in changed and "x.whl" not in changed
    elsewhere = with_address(page, "https://git.example.org/ada/mcts", "..")
    assert "colab" not in elsewhere and "git+https://git.example.org/ada/mcts" in elsewhere
    with pytest.raises(ValueError, match="asks for the address as 'bages'"):
        with_address(page.replace("notebooks", "bages"), ADDRESS, "..")


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
    notebook = nbformat.reads(with_address((ROOT / "docs" / "start.ipynb").read_text(), ADDRESS, ".."), as_version=4)
    cell = notebook.cells[0]
    assert cell.cell_type == "code" and f"git+{ADDRESS}\n" in cell.source
    cell.source = cell.source.replace(ADDRESS, f"file://{clone}")
    notebook.cells = [cell]
    room.mkdir()
    settings = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0",
                "PIP_TARGET": str(site), "PYTHONPATH": str(site)}
    for name, value in settings.items():
        monkeypatch.setitem(os.environ, name, value)
    ExecutePreprocessor(timeout=180, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(room)}})
    printed = "".join(output.get("text", "") for output in notebook.cells[0].outputs)
    assert (site / "arena" / "__init__.py").is_file(), printed
    assert (room / "ps2_uct" / "ps2_uct.ipynb").read_bytes() == (ROOT / "assignments/ps2_uct/ps2_uct.ipynb").read_bytes()
    assert not re.search("ERROR|Traceback", printed), printed
