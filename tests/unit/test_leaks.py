"""The search for lines of the staff's in what students get, with leaks that it must find."""

import gzip
import io
import json
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.get import get
from autograder.course.new_course import handout
from autograder.problem_sets.assignments import build
from autograder.problem_sets.source import load, module_text, names, released
from autograder.selftest.leaks import leaks
from docs.site.stage import LEFT_OUT
from tests.commands import autograder, git, output_of

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


@pytest.mark.usefixtures("computing")
def test_nothing_of_the_staff_s_is_in_the_problem_sets_as_released() -> None:
    assert leaks(ROOT / "assignments") == []


@pytest.mark.usefixtures("computing")
def test_nothing_of_the_staff_s_is_in_arena() -> None:
    assert leaks(ROOT / "arena") == []


@pytest.mark.usefixtures("computing")
def test_nothing_of_the_staff_s_is_in_the_pages_for_teaching() -> None:
    assert [leak for page in sorted((ROOT / "docs" / "teaching").glob("*.md")) for leak in leaks(page)] == []


PAGES = [path for folder in ("docs", "docs/maintainers") for path in sorted((ROOT / folder).glob("*.md"))
         if path.relative_to(ROOT).as_posix() not in LEFT_OUT]


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_nothing_of_the_staff_s_is_in_the_pages_of_the_documentation(page: Path) -> None:
    assert leaks(page) == []


@pytest.mark.usefixtures("computing")
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
    (leak,) = leaks(tmp_path)
    assert leak.startswith(f"deep/{name}") and "solutions/ps2_uct.py" in leak
    assert leaks(tmp_path / "deep" / name)


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("bank", ["hidden/ps2_uct/test_tree.py", "wrong/ps2_uct.py", "right/ps2_uct.py"])
def test_a_file_of_the_staff_s_is_found_whole_and_by_its_lines(tmp_path: Path, bank: str) -> None:
    content = (ROOT / "tests" / bank).read_bytes()
    (tmp_path / "innocent.txt").write_bytes(content)
    lines = leaks(tmp_path)
    assert f"innocent.txt is tests/{bank}" in lines and len(lines) > 10
    (tmp_path / "innocent.txt").write_bytes(b"\n".join(content.split(b"\n")[5:]))
    assert len(leaks(tmp_path)) > 10


@pytest.mark.usefixtures("computing")
def test_solved_forms_are_found_in_both_forms(tmp_path: Path) -> None:
    for number, text in enumerate(build(load("ps2_uct"), solution=True)):
        path = tmp_path / ("a.ipynb", "a.py")[number]
        path.write_text(text, encoding="utf-8")
        assert len(leaks(path)) > 30


# ---- the repository that a student begins with

@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the handouts of all sets, as a class gets it through GitHub."""
    folder = tmp_path / "template"
    folder.mkdir()
    for name in released():
        with zipfile.ZipFile(io.BytesIO(handout(ROOT / "assignments" / name))) as archive:
            archive.extractall(folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "The problem sets")
    return folder


@pytest.mark.usefixtures("processes")
def test_nothing_of_the_staff_s_is_in_the_repository_of_a_student(repository: Path, tmp_path: Path) -> None:
    assert len(list(repository.glob("ps*/ps*.ipynb"))) == 5 and leaks(repository) == []
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), "published.git")
    assert leaks(tmp_path / "published.git") == []


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("published", [False, True])
def test_what_was_removed_from_a_repository_is_found_in_its_commits(repository: Path, tmp_path: Path, published: bool) -> None:
    (repository / "notes.txt").write_text(f"first\n{SOLVED}\n")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "Notes")
    git(repository, "rm", "--quiet", "notes.txt")
    git(repository, "commit", "--quiet", "--message", "No notes")
    git(repository, "gc", "--quiet")
    if published:
        git(tmp_path, "clone", "--quiet", "--bare", str(repository), "published.git")
    (leak,) = leaks(tmp_path / "published.git" if published else repository)
    assert leak.startswith("notes.txt (") and leak.endswith(f"in git) holds a line of solutions/ps2_uct.py: {SOLVED}")


@pytest.mark.usefixtures("processes")
def test_the_objects_of_git_are_read_by_git_and_a_folder_of_that_name_is_a_folder(repository: Path) -> None:
    """an object of a stored archive ends as an archive does, and is none"""
    (repository / "net.npz").write_bytes(zipped("net.npy", random.Random(0).randbytes(200_000)))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "A network")
    assert leaks(repository) == []
    (repository / "objects").mkdir()
    (repository / "objects" / "notes.txt").write_text(SOLVED)
    assert [line.split(" holds ")[0] for line in leaks(repository)] == [str(Path("objects", "notes.txt"))]


@pytest.mark.usefixtures("processes")
def test_a_message_is_searched_and_what_no_branch_holds_any_more(repository: Path) -> None:
    git(repository, "commit", "--quiet", "--allow-empty", "--message", f"Say it\n\n{SOLVED}")
    git(repository, "reset", "--quiet", "--hard", "HEAD~1")
    assert [leak.partition(" ")[0] for leak in leaks(repository)] == [".git/COMMIT_EDITMSG", "commit"]


@pytest.mark.usefixtures("processes")
def test_a_repository_that_git_cannot_read_is_no_clean_one(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with pytest.raises(UserError, match="git cannot read"):
        leaks(tmp_path)


@pytest.mark.usefixtures("computing")
def test_what_arena_get_writes_holds_nothing_of_the_staff_s(tmp_path: Path) -> None:
    for name in names():
        assert get(name, tmp_path)
    assert leaks(tmp_path) == []


@pytest.mark.usefixtures("repetition")
def test_the_command_names_each_line_and_what_is_not_there(repository: Path, tmp_path: Path) -> None:
    assert "nothing of the staff's" in output_of("leaks", repository)
    (tmp_path / "a.py").write_text(SOLVED)
    done = autograder("leaks", repository, tmp_path / "a.py")
    assert done.returncode == 1 and done.stdout == f"{tmp_path}/a.py: a.py holds a line of solutions/ps2_uct.py: {SOLVED}\n"
    nothing = autograder("leaks", tmp_path / "nowhere")
    assert nothing.returncode == 2 and "no such file or folder" in nothing.stderr and "Traceback" not in nothing.stderr
