"""The search for lines of the staff's in what students get, with leaks that it must find."""

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from autograder.problem_sets.assignments import build
from autograder.problem_sets.source import load, module_text
from autograder.selftest.leaks import leaks

ROOT = Path(__file__).resolve().parents[2]
SOLVED = "node, value = node.parent, -value"  # of solutions/ps2_uct.py


def zipped(name: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return packed.getvalue()


def tarred(name: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue())


def test_the_line_of_the_examples_is_one_of_the_solution_s() -> None:
    assert SOLVED in module_text(load("ps2_uct"), solution=True)


def test_nothing_of_the_staff_s_is_in_the_problem_sets_as_released() -> None:
    assert leaks(ROOT / "assignments") == []


def test_nothing_of_the_staff_s_is_in_arena() -> None:
    assert leaks(ROOT / "arena") == []


def test_nothing_of_the_staff_s_is_in_the_pages_for_teaching() -> None:
    assert [found for page in sorted((ROOT / "docs" / "teaching").glob("*.md")) for found in leaks(page)] == []


@pytest.mark.parametrize("name, content", [
    ("a.py", f"    {SOLVED}\n".encode()),
    ("a.md", f"One writes `{SOLVED.replace(' = ', '  =  ')}` here.".encode()),
    ("a.py", f"# {SOLVED}  # as the hint says\n".encode()),
    ("a.ipynb", json.dumps({"cells": [{"outputs": [{"text": [f"{SOLVED}\n"]}]}]}).encode()),
    ("a.html", f"<pre>{SOLVED.replace('-', '&#45;')}</pre>".encode()),
    ("a.zip", zipped("b/c.py", SOLVED.encode())),
    ("a.zip", zipped("b.zip", zipped("c.py", SOLVED.encode()))),
    ("a.tar.gz", tarred("b/c.py", SOLVED.encode())),
])
def test_a_planted_line_is_found(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / name).write_bytes(content)
    (found,) = leaks(tmp_path)
    assert found.startswith(f"deep/{name}") and "solutions/ps2_uct.py" in found
    assert leaks(tmp_path / "deep" / name)


@pytest.mark.parametrize("bank", ["hidden/ps2_uct/test_tree.py", "wrong/ps2_uct.py", "right/ps2_uct.py"])
def test_a_file_of_the_staff_s_is_found_whole_and_by_its_lines(tmp_path: Path, bank: str) -> None:
    content = (ROOT / "tests" / bank).read_bytes()
    (tmp_path / "innocent.txt").write_bytes(content)
    found = leaks(tmp_path)
    assert f"innocent.txt is tests/{bank}" in found and len(found) > 10
    (tmp_path / "innocent.txt").write_bytes(b"\n".join(content.split(b"\n")[5:]))
    assert len(leaks(tmp_path)) > 10


def test_solved_forms_are_found_in_both_forms(tmp_path: Path) -> None:
    for number, text in enumerate(build(load("ps2_uct"), solution=True)):
        path = tmp_path / ("a.ipynb", "a.py")[number]
        path.write_text(text, encoding="utf-8")
        assert len(leaks(path)) > 30
