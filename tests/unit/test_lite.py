"""The pins of the problem sets in a browser's tab; tests/browser/test_lite.py builds the page and solves a set in it."""

import hashlib
import json
import re

import pytest

from arena.set_facts import facts_of
from scripts import lite
from scripts.static_server import serving

ELSEWHERE = {"micropip", "decorator", "jedi"}  # only a tab has the first two; the newer jedi of a kernel at home is 3 MB larger


def pinned(lock):
    """The version of each package of a lock, by its name."""
    lines = [line.split()[0].partition("==") for line in lock.read_text().splitlines()]
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, _, version in lines}


@pytest.mark.parametrize("lock", [lite.TOOLS_LOCK, lite.TAB_LOCK], ids=lambda lock: lock.name)
def test_each_line_of_a_lock_names_one_version_and_one_file(lock):
    lines = lock.read_text().splitlines()
    assert len(lines) > 5
    assert all(re.fullmatch(r"[\w-]+==[\w.]+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)


def test_in_a_tab_the_packages_are_those_of_a_notebook_at_home():
    tab, home = pinned(lite.TAB_LOCK), pinned(lite.REPOSITORY / "requirements.lock")
    assert {name: version for name, version in tab.items() if home.get(name) != version}.keys() == ELSEWHERE
    tools, widgets = pinned(lite.TOOLS_LOCK), ("anywidget", "jupyterlab-widgets")
    assert [tools[name] for name in widgets] == [home[name] for name in widgets]


def test_a_tab_has_the_sets_whose_graded_code_needs_nothing_but_numpy():
    assert [facts_of(ps).packages for ps in lite.WITH_NUMPY] == [{"numpy"}] * 3
    assert "import numpy" in (lite.REPOSITORY / "solutions" / "ps1_games.py").read_text()
    for ps in lite.WITHOUT_NUMPY:  # tests/unit/test_without_numpy.py runs them
        assert "import numpy" not in (lite.REPOSITORY / "solutions" / f"{ps}.py").read_text()


@pytest.mark.parametrize("ps", lite.WITH_NUMPY)
def test_in_a_tab_a_notebook_has_all_its_cells_and_no_link_to_a_page_beside_it(ps, tmp_path):
    lite._add_notebooks([ps], tmp_path)
    text = (lite.REPOSITORY / "assignments" / ps / f"{ps}.ipynb").read_text()
    stub, tab = (json.loads(each)["cells"] for each in (text, (tmp_path / "files" / f"{ps}.ipynb").read_text()))
    assert "](../" in text and "](../" not in json.dumps(tab)
    changed = [(old, new) for old, new in zip(stub, tab, strict=True) if old != new]
    assert [old["cell_type"] for old, _ in changed] == ["markdown"]
    assert all("Language models in this course" in "".join(new["source"]) for _, new in changed)


def test_a_file_of_the_distribution_that_is_another_is_refused(tmp_path):
    (tmp_path / "numpy.whl").write_bytes(b"a wheel")
    sha256 = hashlib.sha256(b"a wheel").hexdigest()
    with serving(tmp_path) as served:
        lite._fetch(f"{served.address}/numpy.whl", sha256, tmp_path / "copy.whl")
        assert (tmp_path / "copy.whl").read_bytes() == b"a wheel"
        with pytest.raises(lite.NotBuilt, match="is not the file that Pyodide"):
            lite._fetch(f"{served.address}/numpy.whl", sha256[::-1], tmp_path / "other.whl")
        with pytest.raises(lite.NotBuilt, match="cannot be read: HTTP Error 404"):
            lite._fetch(f"{served.address}/no.whl", sha256, tmp_path / "other.whl")
    assert not (tmp_path / "other.whl").exists()


def test_if_jupyterlite_changes_its_page_our_button_is_not_lost_in_silence(tmp_path):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "index.html").write_text("<html><body>another page</body></html>")
    with pytest.raises(lite.NotBuilt, match="where does its head end"):
        lite._add_ours(tmp_path)


def test_what_cannot_be_built_is_said_in_one_sentence(monkeypatch, capsys):
    def refuse(distribution):
        raise lite.NotBuilt("npm is not installed")

    monkeypatch.setattr(lite, "build", refuse)
    assert lite.main([]) == 1
    assert capsys.readouterr().out == "lite: npm is not installed\n"
