"""A run that is stopped, by a signal or a kill, loses nothing: the next run ends as an undisturbed run would."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"
STUDENTS = ("ada", "gita", "otto", "petra", "zeno")


@pytest.fixture(scope="module")
def submitted(demo_class, tmp_path_factory):
    """A small class, taken from the demo class."""
    folder = tmp_path_factory.mktemp("submitted")
    for student in STUDENTS:
        shutil.copytree(demo_class / "submitted" / student, folder / student)
    return folder


def new_course(submitted: Path, course: Path) -> Path:
    shutil.copytree(submitted, course / "submitted")
    # one edition for all: a forgery with random answers may pass a check by luck in one edition and not in another
    (course / "edition.secret").write_text("the edition of these tests")
    return course


def start(course: Path) -> subprocess.Popen:
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--workers", "2"]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def finish(course: Path) -> str:
    run = start(course)
    output, _ = run.communicate(timeout=300)
    assert run.returncode == 0, output
    return output


def wait_for(course: Path, pattern: str, run: subprocess.Popen) -> None:
    """Wait until the run has written such a file."""
    deadline = time.monotonic() + 120
    while not any(course.glob(pattern)):
        assert run.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)


def results(course: Path) -> dict[str, object]:
    """All results that must not depend on how often a run was stopped."""
    reports = {path.relative_to(course).as_posix(): path.read_text() for path in course.glob("reports/*/ps2_uct.json")}
    with Gradebook(f"sqlite:///{course}/gradebook.db", course.name) as gradebook:
        rows = sorted((row["student"], row["score"], row["max_score"]) for row in gradebook.submission_dicts(PS))
    return {"reports": reports, "grades": (course / "grades.csv").read_text(), "gradebook": rows}


@pytest.fixture(scope="module")
def undisturbed(submitted, tmp_path_factory):
    course = new_course(submitted, tmp_path_factory.mktemp("undisturbed"))
    output = finish(course)
    assert output.splitlines()[-2:] == ["graded 5 of 5 submissions, 0 grader faults", f"{course}/report/index.html"]
    return results(course)


# when the first of these is written: in the pool, in the gradebook, and after it
MOMENTS = ["reports/*/ps2_uct.json", "autograded/*/ps2_uct/ps2_uct.ipynb", "feedback/*/ps2_uct/ps2_uct.html"]


@pytest.mark.usefixtures("whole_world")
@pytest.mark.first_shows
@pytest.mark.parametrize("moment", MOMENTS)
def test_after_kill_9_a_second_run_ends_where_an_undisturbed_one_does(submitted, undisturbed, tmp_path, moment):
    course = new_course(submitted, tmp_path / "course")
    run = start(course)
    wait_for(course, moment, run)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    finish(course)
    assert results(course) == undisturbed


@pytest.mark.usefixtures("whole_world")
@pytest.mark.first_shows
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_polite_stop_says_what_is_kept_and_the_next_run_goes_on(submitted, undisturbed, tmp_path, stop):
    course = new_course(submitted, tmp_path / "course")
    run = start(course)
    wait_for(course, "reports/*/ps2_uct.json", run)
    os.killpg(run.pid, stop) if stop == signal.SIGINT else os.kill(run.pid, stop)
    output, _ = run.communicate(timeout=120)
    assert run.returncode == 130 and "Traceback" not in output
    assert "of 5 submissions have their report, nothing is lost; the same command continues from here" in output
    assert "known from before" in finish(course)
    assert results(course) == undisturbed


COMMANDS = {
    "grade": ["autograder", "grade", "{course}", "--workers", "2"],
    "verify": ["autograder", "verify", "--ps", "ps1_games", "--exercise", "1.1"],
    "new course": ["autograder", "course", "{course}-new", "--sets", "ps1_games"],
    "checks at home": ["arena", "assignments/ps1_games"],
}


@pytest.mark.first_shows
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_is_one_sentence(submitted, tmp_path, command):
    stopped_in_one_sentence(submitted, tmp_path, command, 1.5)


@pytest.mark.parametrize("after_s", [0.15, 0.5, 4])
@pytest.mark.parametrize("command", COMMANDS)
def test_so_it_is_at_other_moments(submitted, tmp_path, command, after_s, repetition):
    stopped_in_one_sentence(submitted, tmp_path, command, after_s)


def stopped_in_one_sentence(submitted, tmp_path, command, after_s):
    """Every process of the terminal gets it, also those that are still importing; a second one follows."""
    course = new_course(submitted, tmp_path / "course")
    words = [word.format(course=course) for word in COMMANDS[command]]
    run = subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    time.sleep(after_s)
    for _ in range(2):
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGINT)
            time.sleep(0.05)
    _, errors = run.communicate(timeout=120)
    ours = [line for line in errors.splitlines() if str(ROOT) in line]
    if "Traceback" in errors and (not ours or len(ours) == 1 and "from arena.interrupts import" in errors):
        pytest.skip("Python was still starting, or looking for the first module of ours, which waits for the signal")
    lines = [line for line in errors.splitlines() if line.strip() and " so far" not in line]
    assert run.returncode in (0, 130) and len(lines) == (run.returncode == 130), errors
    assert run.returncode == 0 or "stopped" in lines[0]
    deadline = time.monotonic() + 20
    while members(run.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert members(run.pid) == []


WARM = """
import sys, time
from autograder.workers.forkserver import warm_up
warm_up("ps1_games")
try:
    print("started", flush=True)
    time.sleep(120)
except KeyboardInterrupt:
    pass
"""


@pytest.mark.first_shows
@pytest.mark.parametrize("after_s", [0.05, 0.3, 0.8])
def test_the_server_of_the_workers_says_nothing_while_it_imports(after_s):
    run = subprocess.Popen([sys.executable, "-c", WARM], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    assert run.stdout.readline() == "started\n"
    time.sleep(after_s)
    os.killpg(run.pid, signal.SIGINT)
    assert run.communicate(timeout=60) == ("", "")


@pytest.mark.usefixtures("repetition")
def test_no_worker_outlives_a_killed_grader(submitted, tmp_path):
    course = new_course(submitted, tmp_path / "course")
    run = start(course)
    wait_for(course, "reports/*/ps2_uct.json", run)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    deadline = time.monotonic() + 20
    while members(run.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert members(run.pid) == []


def members(session: int) -> list[int]:
    """The live processes of a session, as the kernel lists them."""
    pids = []
    for folder in Path("/proc").iterdir():
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[3]) == session:
            pids.append(int(folder.name))
    return pids
