"""The fingerprints: they change exactly when something changes that can affect a grade, an exam or a page."""

import ast
import json
import shutil
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

from autograder.gradebook.stamp import code_version
from autograder.grading import config
from autograder.grading import fingerprint as settings
from autograder.grading.config import Settings, installed
from autograder.grading.exercise_keys import exercise_keys
from autograder.grading.fingerprint import (
    EXAM,
    GRADING,
    MEETING,
    POSITIONS,
    RECORDING,
    WORKER,
    code_fingerprint,
    covered,
    fingerprint,
)
from autograder.grading.import_closure import files_behind, named_in
from autograder.paths import REPOSITORY
from autograder.problem_sets.source import facts_of, load, module_text, names
from autograder.sandbox import contents
from autograder.sandbox.bubblewrap import SITE
from autograder.sandbox.inside import no_pictures
from autograder.sandbox.profiles import profile_of
from autograder.tournament.meeting import play as play_bout

PS3 = "ps3_connect_four"
# Files that a worker imports or reads but that do not affect a grade, each with the reason.
NO_SAY = {
    "tests/unit/traced_worker.py": "the test's own",
    "tests/unit/__init__.py": "the test's own",
    "tests/__init__.py": "one sentence",
    "arena/challenge/rungs.toml": "the bytes of the course's ladder, its own or this one, are in the key of an exam",
}
# Files that grade nobody: pages, banks, the demo classes, the watch over the grading, and the release of assignments.
BESIDE = (
    "autograder/pages/", "autograder/selftest/", "autograder/similarity/", "autograder/gradebook/", "autograder/cli/",
    "autograder/course/", "autograder/workers/", "autograder/progress.py",
    "tests/wrong/", "tests/right/", "tests/hostile/", "tests/broken/", "tests/demo/", "tests/unit/", "assignments/", "trainer/",
    "scripts/", "bench/", "docs/", "assets/nets/", "assets/make/", "pyproject.toml", "tests/mutants/", "tests/width/",
)


def traced(work: str, room: Path, *sets: str) -> dict:
    """Do the work for our solutions in a separate process; return their points and the files that it touched."""
    for ps in sets:
        (room / ps).mkdir()
        (room / ps / f"{ps}.py").write_text(module_text(load(ps), solution=True))
    folders = [str(room / ps) for ps in sets]
    command = [sys.executable, "-m", "tests.unit.traced_worker", work, str(room / "traced.json"), *folders]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    return json.loads((room / "traced.json").read_text())


@pytest.mark.usefixtures("processes")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", names())
def test_whatever_a_grading_imports_reads_or_mounts_is_in_its_fingerprint(ps: str, tmp_path: Path) -> None:
    trace = traced(GRADING, tmp_path, ps)
    assert trace["points"] == [100]  # every check ran
    assert {f"solutions/{ps}.py", "autograder/sandbox/inside/worker.py", "arena/check.py"} <= set(trace["files"])
    assert any(name.startswith(f"tests/hidden/{ps}/") for name in trace["files"])
    assert set(trace["files"]) - set(covered(GRADING)) - NO_SAY.keys() == set()


@pytest.mark.usefixtures("repetition")
def test_whatever_an_exam_imports_reads_or_mounts_is_in_its_fingerprint(tmp_path: Path) -> None:
    trace = traced(EXAM, tmp_path, PS3)
    assert trace["games"][0] >= 2  # the exam began, whoever won
    assert {"assets/connect_four_book.npz", "assets/connect_four_positions.npz", "arena/players/uct.py"} <= set(trace["files"])
    assert set(trace["files"]) - set(covered(EXAM)) - NO_SAY.keys() == set()


def test_a_meeting_of_the_tournament_begins_where_its_fingerprint_does() -> None:
    assert f"{play_bout.__module__.replace('.', '/')}.py" in settings._BEGIN[MEETING]
    files = set(covered(MEETING))
    assert {"autograder/tournament/meeting.py", "arena/players/solver.py", "assets/connect_four_book.npz"} <= files


def test_nothing_else_is_in_the_fingerprint_of_a_grading_or_of_an_exam() -> None:
    assert all((REPOSITORY / name).exists() for name in BESIDE)
    for work in (GRADING, EXAM, MEETING):
        assert [name for name in covered(work) if name.startswith(BESIDE)] == []
    assert [name for name in covered(GRADING) if name.startswith(("autograder/challenge/", "assets/", "arena/players/"))] == []
    assert [name for name in covered(EXAM) if name.startswith("tests/")] == []


def test_how_a_picture_looks_regrades_nobody() -> None:
    """a new colour in `arena.show` leaves every grade, exam and recording as it is, and it is in no sandbox"""
    drawings = {f"arena/show/{path.name}" for path in (REPOSITORY / "arena" / "show").glob("*.py")}
    for work in (GRADING, EXAM, MEETING, RECORDING, POSITIONS, WORKER):
        assert drawings.isdisjoint(covered(work)), work
    assert {f"arena/show/{part}.py" for part in no_pictures.PARTS} == drawings - {"arena/show/__init__.py"}
    for ps in names():
        arena = [path for path, place in contents.sources_of(profile_of(facts_of(ps))) if f"{SITE}/arena" in place]
        assert arena and not any(path.is_relative_to(REPOSITORY / "arena" / "show") for path in arena)


def test_recordings_and_pages_hang_on_all_of_the_gradebook_and_not_on_how_a_grade_came_about() -> None:
    files = set(covered(RECORDING))
    assert {str(path.relative_to(REPOSITORY)) for path in (REPOSITORY / "autograder" / "gradebook").glob("*.py")} <= files
    assert {"arena/challenge/report_text.py", "autograder/problem_sets/notebook.py", "requirements.lock"} <= files
    graders = ("autograder/grading/outcomes.py", "autograder/grading/hidden_checks/suite_run.py", "autograder/sandbox/session.py")
    assert not files.intersection(graders)
    assert not any(name.startswith("tests/") for name in files)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the repository in another place, for its fingerprints."""
    copied = {name for work in (WORKER, MEETING, RECORDING) for name in covered(work)}
    beside = ("autograder/pages/templates/class.html", "autograder/cli/app.py", "arena/show/board.py", "tests/wrong/ps2_uct.py",
              "assets/nets/README.md")
    for name in (*copied, *beside, "pyproject.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, tmp_path / name)
    monkeypatch.setattr(settings, "REPOSITORY", tmp_path)
    code_fingerprint.cache_clear()
    yield tmp_path
    code_fingerprint.cache_clear()


def now() -> dict[str, str]:
    """The fingerprints of the copy in its present state."""
    code_fingerprint.cache_clear()
    own = Settings(b"an edition")
    return {**{work: fingerprint(own, work) for work in (GRADING, EXAM, MEETING)}, RECORDING: code_version()}


@pytest.mark.usefixtures("computing")
def test_a_fingerprint_is_the_same_wherever_the_repository_lies(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = now()
    monkeypatch.setattr(settings, "REPOSITORY", REPOSITORY)
    assert now() == there


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("name, works", [
    ("autograder/pages/templates/class.html", set()),
    ("autograder/cli/app.py", set()),
    ("arena/show/board.py", set()),
    ("tests/wrong/ps2_uct.py", set()),
    ("assets/nets/README.md", set()),
    ("pyproject.toml", set()),
    ("autograder/gradebook/words.py", {RECORDING}),
    ("autograder/gradebook/feedback/safe_html.py", {RECORDING}),
    ("tests/hidden/ps2_uct/test_tree.py", {GRADING}),
    ("tests/hidden/pytest.ini", {GRADING}),
    ("autograder/grading/hidden_checks/answer_types.py", {GRADING, EXAM, MEETING}),
    ("autograder/sandbox/inside/zygote.py", {GRADING, EXAM, MEETING}),
    ("arena/games/toy.py", {GRADING, EXAM, MEETING, RECORDING}),
    ("arena/players/solver.py", {EXAM, MEETING}),
    ("assets/connect_four_book.npz", {EXAM, MEETING}),
    ("arena/challenge/sprt.py", {EXAM, MEETING, RECORDING}),
    ("solutions/ps2_uct.py", {GRADING, RECORDING}),
    ("solutions/ps3_connect_four.py", {GRADING, EXAM, MEETING, RECORDING}),
    ("requirements.lock", {GRADING, EXAM, MEETING, RECORDING}),
])
def test_what_a_changed_file_makes_anew(elsewhere: Path, name: str, works: set[str]) -> None:
    before = now()
    with (elsewhere / name).open("ab") as file:
        file.write(b"\n# changed\n")
    after = now()
    assert {work for work in before if before[work] != after[work]} == works


@pytest.mark.usefixtures("computing")
def test_new_files_count_where_they_are_read_and_compiled_ones_never(elsewhere: Path) -> None:
    before = now()
    (elsewhere / "tests/hidden/ps2_uct/data.txt").write_text("new")
    after = now()
    assert after[GRADING] != before[GRADING] and after[EXAM] == before[EXAM]
    for folder in ("tests/hidden/ps2_uct", "autograder/grading", "solutions"):
        (elsewhere / folder / "__pycache__").mkdir(exist_ok=True)
        (elsewhere / folder / "__pycache__" / "x.pyc").write_text("compiled")
    assert now() == after


def test_editions_and_gradings_without_a_sandbox_have_fingerprints_of_their_own() -> None:
    given = (Settings(b"one"), Settings(b"another"), Settings(b"one", sandbox=False))
    assert len({fingerprint(choice, work) for choice in given for work in (GRADING, EXAM)}) == 6


@pytest.mark.parametrize("work", [GRADING, EXAM, MEETING])
def test_another_python_is_another_grading(work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = fingerprint(Settings(b"one"), work)
    monkeypatch.setattr(config, "PYTHON", "3.99")
    assert fingerprint(Settings(b"one"), work) != here


@pytest.mark.parametrize("package", config.PACKAGES)
def test_another_version_of_an_installed_package_is_another_grading(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """the lock is a file of ours, and may name another version than the one that is there"""
    here = fingerprint(Settings(b"one"), GRADING), exercise_keys("ps2_uct", Settings(b"one"))["2.5"]
    monkeypatch.setattr(config, "installed", lambda name: "0.1" if name == package else installed(name))
    there = fingerprint(Settings(b"one"), GRADING), exercise_keys("ps2_uct", Settings(b"one"))["2.5"]
    assert not {*here} & {*there}


def test_another_limit_is_another_grading() -> None:
    given = [(), (("2.9", 6.0),), (("2.9", 7.0),), (("2.8", 6.0),), (("2.8", 6.0), ("2.9", 6.0))]
    assert len({fingerprint(Settings(b"one", cpu_s=limits)) for limits in given}) == len(given)
    assert fingerprint(Settings(b"one", cpu_s=given[-1])) == fingerprint(Settings(b"one", cpu_s=given[-1][::-1]))


OTHER = {bytes: b"another", bool: False, frozenset: frozenset({"test_x"}), tuple: (("2.9", 6.0), ("joint", 0.5))}


def test_every_setting_is_in_the_key_but_the_decisions_of_staff_which_change_a_report_afterwards() -> None:
    own = Settings(b"one")
    changed = {field.name: replace(own, **{field.name: OTHER[type(getattr(own, field.name))]}) for field in fields(own)}
    assert {name for name, other in changed.items() if other.key() != own.key()} == {*changed} - {"excused", "dropped"}
    assert "one" not in own.key()


def test_settings_travel_to_another_machine() -> None:
    own = Settings(b"one", excused=OTHER[frozenset], cpu_s=OTHER[tuple])
    sent = json.dumps(own.as_data())
    assert "secret" not in sent and Settings.from_data(b"one", json.loads(sent)) == own


def test_every_way_of_importing_is_followed_and_what_is_for_type_checkers_is_not(tmp_path: Path) -> None:
    texts = {
        "own/__init__.py": "",
        "own/begin.py": """
from typing import TYPE_CHECKING
import own.plain
from own import (
    several,
)
from . import beside
from .folder.inner import name
if TYPE_CHECKING:
    from own import for_checkers
else:
    from own import otherwise
def late():
    from own.lazy import something
PRELOAD = ["own.by_text"]
FILTER = "own.filters.function"
SENTENCE = "own.sentence is mentioned"
""",
        **{f"own/{name}.py": "" for name in ("plain", "several", "beside", "for_checkers", "otherwise", "by_text", "filters",
                                             "sentence", "next_one", "unused")},
        "own/lazy.py": "import own.next_one",
        "own/folder/__init__.py": "",
        "own/folder/inner.py": "import own.begin, os.path",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    paths = {str(path.relative_to(tmp_path)) for path in files_behind(tmp_path, [tmp_path / "own/begin.py"])}
    assert paths == texts.keys() - {"own/for_checkers.py", "own/sentence.py", "own/unused.py"}
    without = files_behind(tmp_path, [tmp_path / "own/begin.py"], without=[tmp_path / "own/lazy.py"])
    assert paths - {str(path.relative_to(tmp_path)) for path in without} == {"own/lazy.py", "own/next_one.py"}


def parsed(text: str, package: tuple[str, ...]) -> set[str]:
    """What a file imports by Python's own parser, but for type checkers."""
    imported, waiting = set(), list[ast.AST](ast.parse(text).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            imported |= {f"{base}.{alias.name}" for alias in node.names}
        waiting += ast.iter_child_nodes(node)
    return imported


@pytest.mark.usefixtures("computing")
def test_the_patterns_find_every_import_that_python_s_parser_finds() -> None:
    """a form that ruff lets pass and the patterns do not know would leave a file out of the fingerprint"""
    files = {Path(name) for work in (GRADING, EXAM, MEETING, RECORDING, WORKER) for name in covered(work) if name.endswith(".py")}
    assert len(files) > 200
    for file in files:
        text, package = (REPOSITORY / file).read_bytes(), file.parent.parts
        assert parsed(text.decode(), package) <= named_in(text, package), file


@pytest.mark.parametrize("text", [
    "import a, b as c, d.e", "import a # , b", "from a import (b, c)", "from a import (\n    b as c,  # why, so\n    d\n)",
    "def f():\n    from a import b\n    import c", "from . import a", "from .. import a as b, c", "from ..a.b import c",
    "try:\n    import a\nexcept ImportError:\n    import b", "if x:\n\timport a\nelse:\n\tfrom b import c",
])
def test_each_form_of_an_import_is_known(text: str) -> None:
    assert parsed(text, ("own", "folder")) == named_in(text.encode(), ("own", "folder"))
