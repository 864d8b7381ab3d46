"""What `pip install` of this repository and of the students' repository gives: `arena` with all that it loads, and nothing of the
staff's; and the story of a student who has the students' repository alone.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from placeholders import invented

from autograder.course.new_course import handout
from autograder.grading.report import Report
from autograder.problem_sets.source import load, module_text, released
from autograder.selftest.leaks import leaks
from scripts import as_a_student
from scripts.release import write_release
from scripts.student_repository import Source

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("arena", "assets", "assignments", "autograder", "trainer", "solutions", "tests/hidden",  # not all may travel
              "docs", "scripts/student", ".binder")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
SOURCE = Source("0123456789", "Ada", "ada@example.org", "2026-10-01T08:00:00+02:00")
PS, WRITTEN = "ps2_uct", ("2.1", "2.5", "2.6")
CHANGES = "## [0.2.0] - 2026-11-01\n\n### For students\n\nFixed: a sentence of problem set 2.\n"


def run(*command: object, cwd: Path, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(word) for word in command], cwd=cwd, env={**kept, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, because a build leaves its files in it."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in BUILT_FROM:
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    return copy


def wheel_of(source: Path, room: Path) -> Path:
    """Build the wheel of a source folder as pip does, without downloads."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-index", "--no-deps")
    run(*pip, "--no-build-isolation", "--wheel-dir", room, source, cwd=room)
    return next(room.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(checkout, tmp_path_factory.mktemp("wheel"))


def contents(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def test_the_wheel_holds_all_of_arena_with_what_it_loads_and_nothing_else(wheel: Path) -> None:
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "arena").rglob("*.py")}
    nets = {f"arena/assets/nets/{path.name}" for path in (ROOT / "assets" / "nets").glob("*.npz")}
    assert len(modules) > 30 and len(nets) > 5
    assets = {f"arena/assets/{name}" for name in ("connect_four_book.npz", "connect_four_positions.npz", "nets/README.md",
                                                 "strength/points.json")}
    loaded = assets | {"arena/challenge/rungs.toml"}
    sets = {f"arena/assignments/{ps}/{name}" for ps in released()
            for name in (f"{ps}.ipynb", f"{ps}.py", "pytest.ini", "facts.json")}
    page = {f"arena/board/{path.parent.name}/{path.name}" for folder in ("static", "in_page")
            for path in (ROOT / "arena" / "board" / folder).iterdir()}
    assert contents(wheel) == modules | nets | loaded | page | sets


def test_the_wheel_names_no_address_that_nobody_knows(wheel: Path) -> None:
    by_file = invented(wheel)
    assert any(name.endswith("METADATA") for name in by_file) and {name: names for name, names in by_file.items() if names} == {}


def test_nothing_of_the_staff_s_is_in_the_wheel(wheel: Path) -> None:
    assert leaks(wheel) == []


@pytest.mark.usefixtures("repetition")
def test_the_wheel_of_a_source_archive_is_the_same(checkout: Path, wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-c", f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})", cwd=checkout)
    archive = next(tmp_path.glob("*.tar.gz"))
    assert leaks(archive) == []
    shutil.unpack_archive(archive, tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    (tmp_path / "again").mkdir()
    assert contents(wheel_of(unpacked, tmp_path / "again")) == contents(wheel)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all packages that are installed here, but without this project: what pip would download."""
    packages = tmp_path_factory.mktemp("packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(("mcts_to_alphazero", "__editable__")):
            (packages / path.name).symlink_to(path)
    return packages


@pytest.mark.usefixtures("whole_world")
def test_a_student_has_the_students_repository_alone_from_the_first_day_to_the_next_release(
    checkout: Path, wheel: Path, packages: Path, tmp_path: Path
) -> None:
    """all that the documentation says (on GitHub the same script runs on Windows and macOS); then three exercises, handed in"""
    release, room, course = (tmp_path / name for name in ("release", "Übungen von Jörg", "autumn"))
    room.mkdir()
    write_release(checkout, release, SOURCE)
    assert contents(next(release.glob("*.whl"))) == contents(wheel)
    student, lines = as_a_student.Student(room, release, packages), list[str]()
    assert as_a_student.take(student.steps(), lines.append) == 0, "\n".join(lines)

    mine = student.clone / "work" / PS / f"{PS}.py"
    for cell in load(PS).cells:
        if cell.role == "exercise" and cell.id in WRITTEN:
            mine.write_text(mine.read_text(encoding="utf-8").replace(cell.stub, cell.solution), encoding="utf-8")
    work = mine.read_bytes()
    assert "\n3 of 13 exercises done" in student.run(student.python, "-m", "arena", "check", PS, cwd=student.clone)

    run(sys.executable, "-m", "autograder", "course", course, "--sets", PS, "--timezone", "UTC", cwd=ROOT)
    (course / "submitted" / "kim" / PS).mkdir(parents=True)
    shutil.copy(mine, course / "submitted" / "kim" / PS)
    run(sys.executable, "-m", "autograder", "grade", course, "--ps", PS, cwd=ROOT)
    report = Report.from_json((course / "reports" / "kim" / f"{PS}.json").read_text(encoding="utf-8"))
    assert {exercise.id for exercise in report.exercises if exercise.outcome == "passed"} == {*WRITTEN}
    assert report.points == sum(load(PS).exercise(id).points for id in WRITTEN)

    after = tmp_path / "after"
    shutil.copytree(checkout, after)
    stub = after / "assignments" / PS / f"{PS}.py"
    stub.write_text(stub.read_text(encoding="utf-8").replace("# TODO 2.5:", "# TODO 2.5, mended:"), encoding="utf-8")
    project = after / "pyproject.toml"
    project.write_text(re.sub(r'^version = ".*"$', 'version = "0.2.0"', project.read_text(encoding="utf-8"), flags=re.M))
    (after / "CHANGELOG.md").write_text(CHANGES, encoding="utf-8")
    write_release(after, release, replace(SOURCE, commit="abcdef"))
    student.run("git", "pull", "--no-rebase", "--no-edit", cwd=student.clone)
    assert mine.read_bytes() == work and "mended" in (student.clone / "assignments" / PS / f"{PS}.py").read_text(encoding="utf-8")
    assert "Fixed: a sentence" in (student.clone / "CHANGES.md").read_text(encoding="utf-8")
    assert "arena 0.2.0" in student.run(student.python, "-m", "arena", "--version", cwd=student.clone)
    assert "\n3 of 13 exercises done" in student.run(student.python, "-m", "arena", "check", PS, cwd=student.clone)
    assert "holds work" in student.run(student.python, "-m", "arena", "get", PS, cwd=student.clone, status=2)
    assert mine.read_bytes() == work and leaks(release) == []


def test_a_student_without_the_repository_stops_at_the_first_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_a_student.main([str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "is not a git repository, and one is needed" in printed and ": 1 of 1 steps failed: pip install\n" in printed


def test_a_step_that_fails_hides_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [("one", dict), ("two", lambda: as_a_student.expect("said", "said", "unsaid")),
             ("three", lambda: as_a_student.refuse("said", "said")), ("four", lambda: os.listdir("nowhere")), ("five", dict)]
    assert as_a_student.take(steps) == 1
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines() if line[:1].strip()] == ["ok", *["FAILED"] * 3, "ok", "as"]
    assert printed.endswith(": 3 of 5 steps failed: two; three; four\n") and "the output lacks 'unsaid'" in printed
    assert as_a_student.take([]) == 1


@pytest.fixture
def student(tmp_path: Path) -> as_a_student.Student:
    """A student with the editable install of these tests."""
    student = as_a_student.Student(tmp_path, tmp_path)
    student.python = Path(sys.executable)
    return student


@pytest.mark.usefixtures("repetition")
def test_what_is_not_as_told_is_seen(student: as_a_student.Student, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """a set that is not a fresh start, a solution with a mistake, files that differ, a traceback"""
    student.get()
    student.fresh()
    solution = module_text(load("ps1_games"), solution=True)
    (student.work / "ps1_games/ps1_games.py").write_text(solution, encoding="utf-8")
    with pytest.raises(as_a_student.NotAsDocumented, match="the output lacks 'ps1_games.ipynb' and 'NOT WRITTEN'"):
        student.fresh()
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions/ps1_games.py").write_text(solution.replace("return ", "return 1 + "), encoding="utf-8")
    monkeypatch.setattr(as_a_student, "REPOSITORY", tmp_path)
    with pytest.raises(as_a_student.NotAsDocumented, match="NOT YET"):
        student.solved()
    (tmp_path / "ps2_uct.zip").write_bytes(handout(ROOT / "assignments/ps2_uct"))
    student.zips = [tmp_path / "ps2_uct.zip"]
    with pytest.raises(as_a_student.NotAsDocumented, match=r"ps1_games.ipynb of `arena get` is not that of the zip"):
        student.unzip()
    with pytest.raises(as_a_student.NotAsDocumented, match="ZeroDivisionError"):
        student.run(sys.executable, "-c", "1 / 0", status=1)


def test_the_editable_install_finds_the_staff_s_packages_from_any_folder(checkout: Path, tmp_path: Path) -> None:
    """nbgrader reads a course's configuration in the course folder, and it imports from `autograder`."""
    build = f"from setuptools import build_meta; build_meta.build_editable({str(tmp_path)!r})"
    run(sys.executable, "-c", build, cwd=checkout)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as archive:
        archive.extractall(tmp_path / "site")
    look = "import site, sys; site.addsitedir(sys.argv[1]); import arena, autograder.paths as staff, trainer"
    printed = run(sys.executable, "-S", "-c", f"{look}; print(arena.__file__, trainer.__file__, staff.__file__)",
                  tmp_path / "site", cwd=tmp_path)
    names = ("arena/__init__.py", "trainer/__init__.py", "autograder/paths.py")
    assert printed.split() == [str(checkout / name) for name in names]
