"""A draft's tests that fail are one list at the end, and no failure; those of a released set fail as always."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
from pathlib import Path
from autograder.problem_sets import source
source.SOLUTIONS = Path(__file__).parent
"""
TESTS = """
from pathlib import Path
import pytest
from autograder.problem_sets.source import names

@pytest.mark.parametrize("ps", names())
def test_it_has_a_page(ps):
    (Path(__file__).parent / f"{ps}.md").read_text()

@pytest.fixture(params=names())
def points(request):
    return {"ps2_uct": 95, "ps3_go": 95}[request.param]

def test_its_points_are_known(points):
    assert points == 95

@pytest.mark.parametrize("ps", names())
def test_its_name_is_short(ps):
    assert len(ps) < 20

def test_of_no_set():
    assert not names()
"""


def run(folder: Path, *words: str) -> tuple[str, str]:
    """The closing line of a run of these tests, without its time, and all that it said."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.drafts", "-p", "no:cacheprovider", "-c", folder / "pytest.ini"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}  # nothing of the run around it
    done = subprocess.run([*map(str, command), *words, str(folder)], cwd=ROOT, env=environment, text=True, capture_output=True)
    assert done.stdout, done.stderr
    return done.stdout.strip().splitlines()[-1].partition(" in ")[0], done.stdout


@pytest.mark.usefixtures("repetition")
def test_what_a_draft_lacks_is_one_list(tmp_path: Path) -> None:
    for name, text in {
        "ps2_uct.py": "# %% [markdown]\n", "ps2_uct.md": "", "ps10_chess.py": "# %% [markdown] draft=true\n",
        "conftest.py": CONFTEST, "test_all.py": TESTS, "pytest.ini": "[pytest]\n",
    }.items():
        (tmp_path / name).write_text(text)
    for processes in ("0", "2"):
        closing, printed = run(tmp_path, "-n", processes)
        assert closing == "1 failed, 4 passed, 2 xfailed", printed
        _, _, printed = printed.partition("ps10_chess is a draft; what its release still needs: 2 ")
        assert printed.splitlines()[1:5] == [
            "test_all.py:12: its points are known", "    KeyError: 'ps10_chess'",
            "test_all.py:8: it has a page", f"    there is no {tmp_path}/ps10_chess.md",
        ]
    (tmp_path / "ps3_go.py").write_text("# %% [markdown]\n")
    assert run(tmp_path)[0] == "2 failed, 6 passed, 2 xfailed"
