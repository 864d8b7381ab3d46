"""GitHub: what is fetched from the students' repositories, and the results in Classroom 50's form."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from autograder.grading.report import Outcome, Report
from autograder.platforms import classroom50
from autograder.platforms import github as from_github
from autograder.problem_sets.source import load

PS = "ps2_uct"
SCHEMA = json.loads(Path(__file__).with_name("classroom50.schema.json").read_text())
VARIABLES = {
    "CLASSROOM": "mcts", "ASSIGNMENT": "uct", "SUBMISSION_TAG": "submit/2026-11-01T09-00-00Z-0a1b2c3", "OWNER": "ada",
    "COMMIT_URL": "https://github.com/o/r/commit/0a", "RELEASE_URL": "https://github.com/o/r/releases/tag/x",
    "SUBMITTED_AT": "2026-11-01T10:00:00+01:00",
}
GH = '''#!/usr/bin/env python3
import os, sys
from pathlib import Path
path = Path(os.environ["FAKE_GITHUB"]) / sys.argv[2]
if "broken" in sys.argv[2]:
    sys.exit("gh: Bad credentials (HTTP 401)")
if path.is_dir():
    path = path / "about.json"
if not path.is_file():
    sys.exit("gh: Not Found (HTTP 404)")
sys.stdout.buffer.write(path.read_bytes())
'''


@pytest.fixture
def github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program `gh` that reads a folder; o/ada has a module, o/ben a notebook in a folder, o/eve nothing."""
    place = tmp_path / "github"
    for repository in ("o/ada", "o/ben", "o/eve"):
        (place / "repos" / repository / "contents" / PS).mkdir(parents=True)
        (place / "repos" / repository / "about.json").write_text('{"pushed_at": "2026-11-01T09:00:00Z"}')
    (place / "repos/o/ada/contents/ps2_uct.py").write_bytes(b"x = 1\n")
    (place / f"repos/o/ben/contents/{PS}/{PS}.ipynb").write_bytes(b"{}")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.setenv("FAKE_GITHUB", str(place))
    return place


def collected(tmp_path: Path, table: str) -> int:
    (tmp_path / "students.csv").write_text(table)
    return from_github.main([str(tmp_path / "students.csv"), "--ps", PS, "--course", str(tmp_path / "course")])


@pytest.mark.usefixtures("processes")
@pytest.mark.usefixtures("github")
def test_the_files_of_the_assignment_are_fetched(tmp_path: Path) -> None:
    assert collected(tmp_path, "id,repository\nada,o/ada\nben,o/ben\neve,o/eve\n") == 0
    submitted = tmp_path / "course" / "submitted"
    names = sorted(path.relative_to(submitted).as_posix() for path in submitted.rglob("*") if path.is_file())
    assert names == [f"ada/{PS}/{PS}.py", f"ada/{PS}/timestamp.txt", f"ben/{PS}/{PS}.ipynb", f"ben/{PS}/timestamp.txt"]
    assert (submitted / "ada" / PS / "timestamp.txt").read_text() == "2026-11-01T09:00:00Z"


@pytest.mark.usefixtures("processes")
def test_a_later_push_of_something_else_is_no_later_hand_in(github: Path, tmp_path: Path) -> None:
    table, folder = "id,repository\nada,o/ada\n", tmp_path / "course" / "submitted" / "ada" / PS
    assert collected(tmp_path, table) == 0
    (github / "repos/o/ada/about.json").write_text('{"pushed_at": "2026-11-15T09:00:00Z"}')
    assert collected(tmp_path, table) == 0
    assert (folder / "timestamp.txt").read_text() == "2026-11-01T09:00:00Z"
    (github / "repos/o/ada/contents/ps2_uct.py").write_bytes(b"x = 2\n")
    assert collected(tmp_path, table) == 0
    assert (folder / "timestamp.txt").read_text() == "2026-11-15T09:00:00Z"


@pytest.mark.usefixtures("processes")
def test_work_in_the_folder_of_the_students_repository_is_found(github: Path, tmp_path: Path) -> None:
    """and what was handed out, beside it, is not taken for work"""
    for place, content in (("work", b"mine"), ("assignments", b"theirs")):
        (github / f"repos/o/eve/contents/{place}/{PS}").mkdir(parents=True)
        (github / f"repos/o/eve/contents/{place}/{PS}/{PS}.py").write_bytes(content)
    assert collected(tmp_path, "id,repository\neve,o/eve\n") == 0
    assert (tmp_path / "course" / "submitted" / "eve" / PS / f"{PS}.py").read_bytes() == b"mine"


@pytest.mark.usefixtures("processes")
def test_one_student_s_failure_stops_no_other(github: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (github / "repos/o/ada/about.json").write_text("{}")
    (tmp_path / "course" / "submitted" / "eve").mkdir(parents=True)
    (tmp_path / "course" / "submitted" / "eve" / PS).write_text("a file in the place of a folder")
    (github / "repos/o/eve/contents/ps2_uct.py").write_bytes(b"x = 1\n")
    assert collected(tmp_path, "id,repository\nada,o/ada\neve,o/eve\nben,o/ben\n") == 1
    printed = capsys.readouterr().out
    assert "ada: NOT FETCHED" in printed and "eve: NOT FETCHED" in printed and "ben: 1 file of" in printed
    assert not (tmp_path / "course" / "submitted" / "ada").exists()


@pytest.mark.usefixtures("processes")
@pytest.mark.usefixtures("github")
def test_a_repository_that_does_not_answer_is_not_taken_for_empty(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert collected(tmp_path, "id,repository\nada,o/broken\nben,o/ben\n") == 1
    printed = capsys.readouterr().out
    assert "ada: NOT FETCHED" in printed and "HTTP 401" in printed and "ben: 1 file of" in printed


@pytest.mark.usefixtures("github")
@pytest.mark.parametrize("line", ["../x,o/ada", "..,o/ada", "ada,o/../x", "-x,o/ada", "ada,https://github.com/o/ada", ",o/ada"])
def test_a_table_s_cell_is_no_path_and_no_option(tmp_path: Path, line: str) -> None:
    assert collected(tmp_path, f"id,repository\n{line}\n") == 2
    assert not (tmp_path / "course").exists()


def test_two_repositories_for_one_folder_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert collected(tmp_path, "id,repository\nada,o/ada\neve,o/eve\nAda,o/eve\n") == 2
    assert "lines 2 and 4 have one id, 'Ada'" in capsys.readouterr().out


def decided() -> Report:
    fault = Report.fault(PS, "00")
    exercises = [replace(exercise, outcome=Outcome.PASSED, points=exercise.max_points) for exercise in fault.exercises]
    return replace(fault, note="").with_exercises([replace(exercises[0], outcome=Outcome.NOT_YET, points=0.0), *exercises[1:]])


def test_a_result_is_as_the_contract_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "report.json").write_text(decided().to_json())
    assert classroom50.main([str(tmp_path / "report.json"), "--to", str(tmp_path / "result.json")]) == 0
    result = json.loads((tmp_path / "result.json").read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(result)
    first = load(PS).exercises[0]
    assert (result["score"], result["max-score"]) == (100 - first.points + load(PS).extra_points, 100)  # extra points count above
    assert result["datetime"] == "2026-11-01T09:00:00Z" and result["review"] == VARIABLES["COMMIT_URL"]
    assert not result["tests"][0]["passed"] and all(test["passed"] for test in result["tests"][1:])


@pytest.mark.parametrize("points, whole", [
    ([2.5, 2.5, 7.0], [3, 2, 7]), ([0.0, 7.0, 2.5], [0, 7, 3]), ([2.4, 9.0], [2, 9]), ([], []),
    ([0.1] * 10, [0] * 4 + [1] + [0] * 5),
])  # fmt: skip
def test_points_become_whole_and_their_sum_is_rounded_once(points: list[float], whole: list[int]) -> None:
    assert classroom50.whole_points(points) == whole


def test_an_undecided_report_gives_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "report.json").write_text(Report.fault(PS, "00").to_json())
    assert classroom50.main([str(tmp_path / "report.json"), "--to", str(tmp_path / "result.json")]) == 1
    assert not (tmp_path / "result.json").exists()


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "report.json").write_text(decided().to_json())
    assert classroom50.main([str(tmp_path / "report.json"), "--to", str(tmp_path / "result.json")]) == 2
    assert "CLASSROOM, ASSIGNMENT" in capsys.readouterr().out
