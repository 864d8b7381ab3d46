"""The archive for Gradescope: what is in it, and what it makes of submissions in a container like Gradescope's."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from arena.challenge.ladder import LADDER, load_ladder
from arena.challenge.report import PLAYED, ChallengeReport, RungReport
from autograder.course.challenge.course_positions import course_positions
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.excused_checks import write_excused
from autograder.grading.grade import grade_submission
from autograder.grading.report import Outcome, Report
from autograder.platforms.archive import archive, edition_digest, files_of
from autograder.platforms.gradescope import UNDECIDED, leaderboard, not_graded, results
from autograder.platforms.judge import AS_ROOT, AS_USER, Judged, NotGraded, judge
from autograder.problem_sets import build
from autograder.problem_sets.source import load, module_text, names
from autograder.progress import Watcher
from autograder.selftest.leaks import leaks
from tests.commands import autograder, output_of
from tests.unit.gradescope_container import FEW_RIGHTS, FULL_PROC, NO_NAMESPACES, NO_RIGHTS, Container

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "tests/unit/gradescope.schema.json").read_text())
PS, SECRET = "ps2_uct", b"of this test"
RIGHT, STUB = module_text(load(PS), solution=True), module_text(load(PS), solution=False)
WRONG = f"{RIGHT}\n\n# %%\ndef ucb1(means, counts, c):\n    return 0\n"
HOSTILE = RIGHT + '''

# %%
import os
for place in ("/autograder/results/results.json", "/autograder/source/edition.secret", "/autograder/run_autograder"):
    try:
        open(place, "w").write('{"score": 100}')
        print("LOOT")
    except OSError:
        pass
print('{"score": 100, "tests": []}')


def backpropagate(leaf, value):
    listings = [str(os.listdir(place)) for place in ("/autograder", "/autograder/source") if os.path.exists(place)]
    if listings:
        raise ValueError("LOOT " + listings[0])
    os._exit(0)
'''
ABOUT = {"problem_set": PS, "edition": "0123", "grader": "4567"}
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can build a container with rights")


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / f"{PS}.zip"
    path.write_bytes(archive(PS, Settings(SECRET), minutes=10))
    return path


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory, zipped: Path) -> Container:
    place = tmp_path_factory.mktemp("container")
    for folder in (place, place.parent):
        folder.chmod(0o755)
    return Container(place, zipped)


def checked(result: dict) -> dict:
    jsonschema.Draft202012Validator(SCHEMA).validate(result)
    assert result["stdout_visibility"] == "hidden"
    return result


# ---- the archive

def test_the_two_files_that_gradescope_looks_for_are_in_the_root_and_can_be_run(zipped: Path) -> None:
    with zipfile.ZipFile(zipped) as packed:
        for name in ("setup.sh", "run_autograder"):
            assert packed.read(name).startswith(b"#!/usr/bin/env bash\n")
            assert packed.getinfo(name).external_attr >> 16 & 0o777 == 0o755
        assert packed.read("edition.secret") == SECRET
        about = json.loads(packed.read("archive.json"))
    assert about["problem_set"] == PS and about["edition"] == edition_digest(SECRET) and not about["challenge"]


def test_the_same_files_give_the_same_archive(zipped: Path) -> None:
    assert archive(PS, Settings(SECRET), minutes=10) == zipped.read_bytes()


@pytest.mark.parametrize("ps", names())
def test_no_other_set_travels(ps: str) -> None:
    others = [other for other in names() if other != ps]
    inside = files_of(ps)
    assert [name for name in inside if any(other in name for other in others)] == []
    assert [name for name in inside if re.match(r"tests/(?!hidden/|__init__)|assignments/|assets/nets|docs/", name)] == []
    assert f"solutions/{ps}.py" in inside and f"tests/hidden/{ps}/test_joint.py" in inside
    assert ("assets/connect_four_book.npz" in inside) == (ps in ("ps3_connect_four", "ps5_alphazero"))


@pytest.mark.usefixtures("computing")
def test_the_archive_holds_the_staff_s_lines_of_its_own_set_alone(zipped: Path) -> None:
    files = {re.search(r" (?:is|holds a line of) (\S+?)(?::|$)", line)[1] for line in leaks(zipped)}
    shared = {name for name in files_of(PS) if re.fullmatch(r"tests/hidden/[^/]+", name)}
    own = {f"solutions/{PS}.py", *(name for name in files_of(PS) if name.startswith(f"tests/hidden/{PS}/"))}
    assert f"solutions/{PS}.py" in files
    # A few lines are in two sets or also in a bank; the file is named that has them first.
    for stranger in files - shared - own:
        theirs = (ROOT / stranger).read_bytes()
        with zipfile.ZipFile(zipped) as packed:
            assert all(packed.read(name) != theirs for name in packed.namelist() if packed.getinfo(name).file_size)


def test_a_set_without_networks_needs_no_torch(zipped: Path) -> None:
    with zipfile.ZipFile(zipped) as packed:
        lock = packed.read("requirements.lock").decode().split()
    assert {line.partition("==")[0] for line in lock} >= {"numpy", "pytest", "uv"} and len(lock) < 12
    assert set(lock) <= set((ROOT / "requirements.lock").read_text().split())


@pytest.mark.usefixtures("processes")
def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "edition.secret").write_bytes(SECRET)
    made = tmp_path / "deep" / "my.zip"
    words = ("gradescope", "--ps", PS, "--to", made, "--edition-secret")
    assert f"edition {edition_digest(SECRET)}" in output_of(*words, tmp_path / "course")
    assert made.stat().st_mode & 0o777 == 0o600 and made.read_bytes() == archive(PS, Settings(SECRET), minutes=10)
    refused = autograder(*words, tmp_path / "nowhere")
    assert refused.returncode == 2 and "no such file or folder" in refused.stderr


# ---- with the settings of a course

@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with limits, a shorter ladder of weaker bots, and an excused check."""
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "edition.secret").write_bytes(SECRET)
    (folder / "course.toml").write_text('[cpu_s]\n"2.5" = 1\n[challenge]\nhighest = "Pebble"\n')
    (folder / "rungs.toml").write_text(re.sub(r"^each = \d+", "each = 6", LADDER.read_text(), flags=re.M))
    write_excused(folder, PS, "test_an_excused_check", "it was wrong")
    return folder


def unpacked(course: Path, ps: str, to: Path) -> Path:
    """What the command makes of a course, unpacked."""
    output_of("gradescope", "--ps", ps, "--to", to / "a.zip", "--edition-secret", course)
    shutil.unpack_archive(to / "a.zip", to / "source")
    return to / "source"


def in_the_archive(source: Path, code: str) -> str:
    """What this code prints, run on the files of the archive alone."""
    done = subprocess.run([sys.executable, "-c", code], cwd=source, env={**os.environ, "PYTHONPATH": str(source)},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("repetition")
def test_the_time_limits_of_a_course_travel_and_decide(course: Path, tmp_path: Path) -> None:
    slow = f"{RIGHT}\n\n# %%\nimport time\n_backpropagate = backpropagate\ndef backpropagate(node, value):\n" \
           "    while time.process_time() < 4:\n        pass\n    return _backpropagate(node, value)\n"
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / f"{PS}.py").write_text(slow)
    source = unpacked(course, PS, tmp_path)
    assert json.loads((source / "archive.json").read_text())["settings"]["excused"] == ["test_an_excused_check"]
    in_the_archive(source, f"from pathlib import Path; from autograder.platforms.gradescope import main; "
                           f"main(Path({str(tmp_path)!r}))")
    result = checked(json.loads((tmp_path / "results" / "results.json").read_text()))
    outcomes = {test["number"]: test["extra_data"]["outcome"] for test in result["tests"]}
    assert outcomes["2.5"] == "too slow" and outcomes["2.4"] == "passed"


@pytest.mark.usefixtures("repetition")
def test_the_ladder_of_a_course_travels(course: Path, tmp_path: Path) -> None:
    source = unpacked(course, "ps3_connect_four", tmp_path)
    about = json.loads((source / "archive.json").read_text())
    assert about["ladder"] == {"highest": "Pebble"} and about["settings"]["cpu_s"] == []
    assert (source / "arena" / "challenge" / "rungs.toml").read_bytes() == (course / "rungs.toml").read_bytes()
    printed = in_the_archive(source, "from arena.challenge.ladder import load_ladder; "
                                  f"ladder = load_ladder(changes={about['ladder']}); print(ladder.highest, ladder.quality.each)")
    assert printed.split() == ["Pebble", "6"] and load_ladder().highest != "Pebble"
    drawn = source / "own_positions.json"
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        assert packed.getinfo(drawn.name).external_attr >> 16 & 0o777 == 0o600
    assert json.loads(drawn.read_text()) == list(course_positions(course, SECRET, 6, Watcher()))
    printed = in_the_archive(source, "from autograder.platforms.gradescope import _own_positions; print(len(_own_positions()))")
    assert printed.split() == ["36"]


def test_without_a_course_the_settings_are_ours(zipped: Path) -> None:
    with zipfile.ZipFile(zipped) as packed:
        about = json.loads(packed.read("archive.json"))
        assert packed.read("arena/challenge/rungs.toml") == LADDER.read_bytes()
    assert about["ladder"] == {} and Settings.from_data(b"", about["settings"]) == Settings(b"")


@pytest.mark.usefixtures("processes")
def test_settings_that_cannot_be_used_make_no_archive(course: Path, tmp_path: Path) -> None:
    (course / "course.toml").write_text('[challenge]\nhighest = "Moon"\n')
    done = autograder("gradescope", "--ps", PS, "--to", tmp_path / "a.zip", "--edition-secret", course)
    assert done.returncode == 2 and "Moon" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "a.zip").exists()


# ---- in a container

@pytest.mark.usefixtures("processes")
@needs_root
def test_the_setup_asks_for_what_is_missing_and_finds_what_is_there(container: Container) -> None:
    source = container.home / "source"
    (source / "fake").mkdir()
    (source / "fake" / "apt-get").write_text('#!/bin/sh\necho "apt-get $*" >> /autograder/apt.log\n')
    (source / "fake" / "apt-get").chmod(0o755)
    (source / "fake" / "python3").symlink_to(f"{sys.base_prefix}/bin/python{sys.version_info.major}.{sys.version_info.minor}")
    stamp = "import sys; sys.path.insert(0, 'scripts'); import install as s; s.STAMP.write_text(s._stamp(s.LOCK))"
    made = container.run("/bin/sh", "-c", f'cd source && fake/python3 -c "{stamp}"')
    assert made.returncode == 0, made.stderr
    done = container.run("/bin/sh", "-c", "PATH=/autograder/source/fake:$PATH bash source/setup.sh")
    assert done.returncode == 0, done.stdout + done.stderr
    asked = (container.home / "apt.log").read_text()
    assert "update" in asked and "bubblewrap libseccomp2" in asked


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@needs_root
@pytest.mark.parametrize("files", [
    {f"{PS}.py": RIGHT}, {f"{PS}.ipynb": build(load(PS), solution=True)[0]}, {f"{PS}.py": WRONG}, {f"{PS}.py": STUB}, {},
    {f"my {PS} (1).py": WRONG}, {"ps1_games.py": "x = 1\n"}, {f"{PS}.py": HOSTILE},
], ids=["right", "notebook", "wrong", "stub", "empty", "renamed", "another set's", "hostile"])
def test_a_submission_gets_the_grade_that_it_gets_here(container: Container, tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    here = grade_submission(tmp_path, PS, Settings(public_secret())).report
    result, staff = container.grade(files)
    checked(result)
    assert result["score"] == here.points + here.extra_points == sum(test["score"] for test in result["tests"])
    assert [(test["score"], test["max_score"]) for test in result["tests"]] == [
        (exercise.points, 0.0 if exercise.extra else exercise.max_points) for exercise in here.exercises]
    assert [test["status"] == "passed" for test in result["tests"]] == [part.outcome == Outcome.PASSED for part in here.exercises]
    assert [test["number"] for test in result["tests"]] == [*(part.id for part in here.exercises[:-1]), "2.16"]
    assert here.note in result["output"] and AS_ROOT in result["output"] and result["extra_data"]["isolation"] == AS_ROOT
    assert result["extra_data"]["edition"] == edition_digest(SECRET) and result["extra_data"]["submission"] == here.sha256
    assert result["visibility"] == "visible" and "leaderboard" not in result
    assert "LOOT" not in json.dumps(result) + staff and "Traceback" not in json.dumps(result) + staff
    assert (container.home / "source" / "edition.secret").read_bytes() == SECRET


@pytest.mark.usefixtures("whole_world")
@needs_root
def test_root_without_rights_grades_as_an_ordinary_user(container: Container) -> None:
    result, _ = container.grade({f"{PS}.py": WRONG}, rights=FEW_RIGHTS, proc=FULL_PROC)
    checked(result)
    assert result["extra_data"]["isolation"] == AS_USER and 0 < result["score"] < 100


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@needs_root
@pytest.mark.parametrize("rights", [FEW_RIGHTS, NO_RIGHTS, (*NO_NAMESPACES, *NO_RIGHTS)],
                         ids=["as docker", "no rights", "no name spaces"])
def test_without_a_sandbox_there_is_no_grade(container: Container, rights: tuple[str, ...]) -> None:
    result, staff = container.grade({f"{PS}.py": HOSTILE}, rights=rights)
    checked(result)
    assert "score" not in result and result["tests"] == [] and result["visibility"] == "hidden"
    assert result["output"].startswith("Not graded yet") and "bubblewrap" not in result["output"]
    assert "NOT GRADED, for staff: no sandbox opens here" in staff and "LOOT" not in staff
    assert result["extra_data"]["isolation"] == "none"


@pytest.mark.usefixtures("processes")
@needs_root
def test_a_grader_that_cannot_start_still_leaves_a_message(container: Container) -> None:
    about = container.home / "source" / "archive.json"
    text = about.read_text()
    about.write_text("{")
    try:
        result, staff = container.grade({f"{PS}.py": RIGHT})
    finally:
        about.write_text(text)
    assert checked(result)["tests"] == [] and result["output"].startswith("Not graded yet") and "JSONDecodeError" in staff


@pytest.mark.usefixtures("processes")
def test_a_time_limit_that_is_too_short_is_no_grade(tmp_path: Path) -> None:
    (tmp_path / f"{PS}.py").write_text(f"import time\ntime.sleep(60)\n{RIGHT}")
    with pytest.raises(NotGraded, match="'grade' was stopped after 1 s"):
        judge(tmp_path, PS, Settings(SECRET), seconds=0.0, challenge=False)


@pytest.mark.usefixtures("processes")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps, challenge", [("ps3_connect_four", False), ("ps1_games", True)])
def test_there_is_an_exam_only_where_it_is_asked_for_and_the_set_has_a_player(tmp_path: Path, ps: str, challenge: bool) -> None:
    (tmp_path / f"{ps}.py").write_text(build(load(ps), solution=False)[1])
    judged = judge(tmp_path, ps, Settings(SECRET), seconds=600.0, challenge=challenge)
    assert judged.challenge is None and judged.note == "" and judged.report.points == 0.0


# ---- the form of the results

def test_an_undecided_exercise_has_no_score_and_no_total_is_shown() -> None:
    fault = Report.fault(PS, "00")
    passed = [replace(exercise, outcome=Outcome.PASSED, points=exercise.max_points) for exercise in fault.exercises]
    report = fault.with_exercises([*passed[:3], fault.exercises[3], *passed[4:]])
    result = checked(results(Judged(report, AS_ROOT), ABOUT))
    lost = fault.exercises[3].max_points
    assert result["score"] == 100 - lost + report.extra_points
    assert result["output"].startswith(UNDECIDED.format(points=lost, exercises="2.3"))
    undecided = result["tests"][3]
    assert not {"score", "max_score", "status"} & set(undecided)
    assert [test["visibility"] for test in result["tests"]].index("hidden") == 3 and undecided["tags"] == ["grader fault"]
    assert "undecided" in undecided["output"] and result["extra_data"]["undecided_points"] == lost


def test_a_reason_for_staff_is_not_in_what_students_read() -> None:
    result = checked(not_graded("bwrap: no", ABOUT))
    assert "bwrap" not in result["output"] and result["extra_data"]["not_graded"] == "bwrap: no"


def test_the_leaderboard_is_of_players_that_played() -> None:
    rung = RungReport("Pebble", 20, "passed", 10.0, 10.0, 0.8, (0.7, 0.9), 4.0, (3, 3), (0, 0), (1, 1), {}, ())
    exam = ChallengeReport("ps3_connect_four", "00", PLAYED, "", 12.5, simulations=600, rungs=(rung, replace(rung, name="Stone",
                                                                                                    verdict="failed")))
    result = checked(results(Judged(Report.fault(PS, "00"), AS_ROOT, exam), ABOUT))
    assert result["leaderboard"] == leaderboard(exam) == [{"name": "Ladder points", "value": 12.5},
                                                          {"name": "Highest rung", "value": "1 Pebble"}]
    waiting = ChallengeReport("ps3_connect_four", "00", "not ready", "Not entered yet.")
    result = checked(results(Judged(Report.fault(PS, "00"), AS_ROOT, waiting), ABOUT))
    assert "leaderboard" not in result and "Not entered yet." in result["output"]
