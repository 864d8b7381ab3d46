"""The students' repository: what is in it, and what a second release does to the work of a student who has the first one."""

import re
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.problem_sets.source import released
from autograder.selftest.leaks import leaks
from scripts.release import changes, part_for
from scripts.student_repository import NotReleased, Source, lay_out, main, pages, project_file, publish
from tests.commands import git

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Source("0123456789abcdef", "Ada Lovelace", "ada@example.org", "2026-11-01T12:00:00+01:00")
ADDRESS = "https://github.com/ada/mcts"
CHANGELOG = """# Changelog

## [Unreleased]

### For students

Soon.

## [0.2.0] - 2026-11-01

### For instructors

Added
- A report.

### For students

Fixed
- The docstring of 2.5, see [the page](docs/students.md) and [theirs](docs/instructors.md).

## 0.1.0

### For instructors
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a release, of the checkout as it is."""
    files = tmp_path_factory.mktemp("release") / "files"
    lay_out(ROOT, files, notes="Nothing new.")
    return files


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts}


# ---- what is in it


def test_it_holds_arena_the_sets_and_what_a_student_reads(files: Path) -> None:
    names = names_in(files)
    at_the_top = {name.split("/")[0] for name in names}
    assert at_the_top == {".binder", ".devcontainer", ".gitattributes", ".github", ".gitignore", "CHANGES.md", "LICENSE",
                          "README.md", "arena", "assets", "assignments", "docs", "pyproject.toml", "setup.py"}
    assert {f"arena/{path.relative_to(ROOT / 'arena')}" for path in (ROOT / "arena").rglob("*.py")} < names
    assert {name for name in names if name.startswith("assignments/")} == {
        f"assignments/{ps}/{name}" for ps in released() for name in (f"{ps}.ipynb", f"{ps}.py", "pytest.ini", "facts.json")}
    assert {"assets/connect_four_book.npz", "assets/nets/connect_four.npz", "docs/students.md", "docs/figures/play.png",
            ".github/workflows/checks.yml", ".devcontainer/devcontainer.json"} < names
    assert not [name for name in names if re.search(r"solution|hidden|grader|trainer|marking|hints|ideas", name)]


def test_its_pages_link_only_to_what_is_in_it_and_name_no_command_of_the_staff_s(files: Path) -> None:
    shown = [files / "README.md", files / "CHANGES.md", *(files / "docs").glob("*.md")]
    assert len(shown) >= 4
    for page in shown:
        text = page.read_text(encoding="utf-8")
        linked = [target for target in re.findall(r"\]\(([^)#\s]+)", text) if not target.startswith("http")]
        assert not [target for target in linked if not (page.parent / target).is_file()], page
        assert not re.search(r"(?:`|^ {4})make [a-z]|python -m (?:autograder|trainer)|For instructors", text, re.M), page


def test_the_wheel_has_the_same_name_and_needs_and_the_extras_of_students(files: Path) -> None:
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    theirs = tomllib.loads((files / "pyproject.toml").read_text(encoding="utf-8"))
    for key in ("name", "version", "dependencies", "requires-python", "scripts", "license"):
        assert theirs["project"][key] == ours["project"][key]
    assert set(theirs["project"]["optional-dependencies"]) == {"networks", "play"} and "urls" not in theirs["project"]
    assert theirs["tool"] == {"setuptools": ours["tool"]["setuptools"]} and theirs["build-system"] == ours["build-system"]
    assert tomllib.loads(project_file(ours, ADDRESS))["project"]["urls"] == {"Repository": ADDRESS}


def test_an_address_that_is_known_is_in_the_commands_and_badges(tmp_path: Path) -> None:
    lay_out(ROOT, tmp_path, address=ADDRESS)
    for name in ("README.md", "docs/students.md"):
        page = (tmp_path / name).read_text(encoding="utf-8")
        assert f"\n    git clone {ADDRESS} mcts\n" in page and "ADDRESS" not in page
    assert tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"] == {"Repository": ADDRESS}


def test_a_page_loses_the_sections_for_instructors_and_the_links_that_lead_nowhere() -> None:
    text = ("# A\n\n[b](b.md#x), [c](c.md) and ![d](d.png), [e](https://e.org), [f](#here)\n\n"
            "## For instructors\n\nsecret\n\n### deeper\n\nsecret\n\n## Last\n")
    assert pages({"docs/a.md": text, "docs/b.md": "## For instructors\n\nsecret"}) == {
        "docs/a.md": "# A\n\n[b](b.md#x), c and ![d](d.png), [e](https://e.org), [f](#here)\n\n## Last\n", "docs/b.md": "\n"}


def test_the_notes_are_the_parts_of_the_changelog_by_version() -> None:
    versions = changes(CHANGELOG)
    assert list(versions) == ["Unreleased", "0.2.0", "0.1.0"]
    assert list(versions["0.2.0"]) == ["For instructors", "For students"] and versions["0.1.0"] == {}
    assert part_for("instructors", versions["0.2.0"]) == "Added\n- A report."
    assert part_for("students", versions["Unreleased"]) == "Soon." and part_for("students", versions["0.1.0"]) == ""
    assert changes("") == changes("# Changelog\n") == {}


# ---- its commits


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The files of a release, without most of what a test of commits has no use for."""
    files = tmp_path / "files"
    for name in ("README.md", "assignments/ps2_uct/ps2_uct.py", "arena/old.py", ".gitignore"):
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_text(f"{name} of the first release\n" * 30, encoding="utf-8")
    return files


@pytest.mark.usefixtures("processes")
def test_the_same_release_is_the_same_commit_on_every_machine(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = publish(small, tmp_path / "one", "Release 1", "The notes.\n", SOURCE)
    settings = tmp_path / "settings"
    settings.write_text("[user]\nname = Somebody\n[commit]\ngpgSign = true\n[core]\nautocrlf = true\nhooksPath = /nowhere\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert publish(small, tmp_path / "two", "Release 1", "The notes.\n", SOURCE) == commit != ""
    assert publish(small, tmp_path / "two", "Release 1", "", replace(SOURCE, commit="another")) == ""  # no file has changed
    shown = git(tmp_path / "two", "log", "--format=%an <%ae> %aI %cn %cI%n%B").splitlines()
    assert shown[:2] == ["Ada Lovelace <ada@example.org> 2026-11-01T12:00:00+01:00 Ada Lovelace 2026-11-01T12:00:00+01:00",
                         "Release 1"]
    assert shown[2:7] == ["", "The notes.", "", "Source: 0123456789abcdef", ""]
    assert git(tmp_path / "two", "branch").split() == ["*", "main"]


def second(small: Path, repository: Path) -> str:
    """Release again: a stub has changed, a file is new, one is gone."""
    stub = small / "assignments" / "ps2_uct" / "ps2_uct.py"
    stub.write_text(stub.read_text(encoding="utf-8").replace("first", "second"), encoding="utf-8")
    (small / "arena" / "old.py").unlink(missing_ok=True)
    (small / "arena" / "new.py").write_text("new\n", encoding="utf-8")
    return publish(small, repository, "Release 2", "", SOURCE)


@pytest.mark.usefixtures("processes")
def test_a_second_release_keeps_the_history_and_the_pages_of_the_course(small: Path, tmp_path: Path) -> None:
    repository = tmp_path / "student"
    first = publish(small, repository, "Release 1", "", SOURCE)
    (repository / "COURSE.md").write_text("our rules\n", encoding="utf-8")
    with pytest.raises(NotReleased, match="not committed: commit them, or take them back"):
        second(small, repository)
    git(repository, "add", "COURSE.md")
    git(repository, "commit", "-m", "the rules of our course")
    assert second(small, repository)
    assert git(repository, "log", "--format=%s").splitlines() == ["Release 2", "the rules of our course", "Release 1"]
    assert git(repository, "rev-parse", "HEAD~2").strip() == first
    assert names_in(repository) == {"README.md", "assignments/ps2_uct/ps2_uct.py", "arena/new.py", ".gitignore", "COURSE.md"}


@pytest.mark.usefixtures("processes")
def test_a_pull_changes_nothing_of_a_student_s_work_and_never_conflicts(small: Path, tmp_path: Path) -> None:
    """work that is not committed, and work that is, by the command in the students' README"""
    command = re.search(r"^    git (pull .*)$", (ROOT / "scripts/student/README.md").read_text(encoding="utf-8"), re.M)[1].split()
    published, clone = tmp_path / "student", tmp_path / "clone"
    publish(small, published, "Release 1", "", SOURCE)
    git(tmp_path, "clone", "--quiet", str(published), "clone")
    mine = clone / "work" / "ps2_uct" / "ps2_uct.py"
    mine.parent.mkdir(parents=True)
    shutil.copy(clone / "assignments" / "ps2_uct" / "ps2_uct.py", mine)
    mine.write_text("my answer\n" + mine.read_text(encoding="utf-8"), encoding="utf-8")
    work = mine.read_bytes()

    second(small, published)
    assert "Fast-forward" in git(clone, *command)
    assert mine.read_bytes() == work and "second" in (clone / "assignments/ps2_uct/ps2_uct.py").read_text(encoding="utf-8")

    git(clone, "add", "work")
    git(clone, "commit", "-m", "my work")
    (small / "README.md").write_text("third\n", encoding="utf-8")
    publish(small, published, "Release 3", "", SOURCE)
    git(clone, *command)
    assert mine.read_bytes() == work and (clone / "README.md").read_text(encoding="utf-8") == "third\n"
    assert git(clone, "status", "--porcelain") == ""


@pytest.mark.usefixtures("processes")
def test_what_a_later_release_takes_back_is_still_found_in_the_history(small: Path, tmp_path: Path) -> None:
    page = small / "README.md"
    page.write_text((ROOT / "solutions" / "ps2_uct.py").read_text(encoding="utf-8"), encoding="utf-8")
    publish(small, tmp_path / "student", "Release 1", "", SOURCE)
    page.write_text("nothing\n", encoding="utf-8")
    publish(small, tmp_path / "student", "Release 2", "", SOURCE)
    assert any("README.md" in line and "in git" in line for line in leaks(tmp_path / "student"))


@pytest.mark.usefixtures("processes")
def test_the_command_makes_a_repository_of_the_checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "student"), "--address", ADDRESS]) == 0
    commit = capsys.readouterr().out.strip()
    assert git(tmp_path / "student", "rev-parse", "HEAD").strip() == commit
    assert main([str(tmp_path / "student"), "--address", ADDRESS]) == 0 and "nothing has changed" in capsys.readouterr().out
    assert main([str(tmp_path / "other"), "--address", "somewhere"]) == 2
    assert capsys.readouterr().err.startswith("release: ")
