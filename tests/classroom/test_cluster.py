"""A class on a Dask cluster with real processes: the same grades as on one machine, whichever workers come and go."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from many_submissions import answers, entries
from players import a_course, graded

from arena.errors import UserError
from autograder.course.challenge.class_exams import hold_challenge
from autograder.course.grade_class import Means, mark
from autograder.course.roster import Entry, list_submissions
from autograder.grading import fingerprint as settings
from autograder.grading.config import Settings
from autograder.selftest.endurance.cluster import Hosts
from autograder.workers.dask import executor as cluster
from autograder.workers.dask import registry as registry
from autograder.workers.dask.executor import Cluster
from autograder.workers.dask.worker import Sealed

pytestmark = pytest.mark.usefixtures("whole_world")

ROOT = Path(__file__).resolve().parents[2]
PATHS = f"{ROOT}{os.pathsep}{Path(__file__).resolve().parent}"  # the workers find this folder's jobs too
PS = "ps2_uct"
STUDENTS = ("abel", "ada", "bela", "cleo", "gita", "otto", "petra", "quinn", "samir", "tove", "umar", "zeno")
SECRET = "the edition of these tests of a cluster"
SETTINGS = Settings(SECRET.encode())


@pytest.fixture(scope="module", autouse=True)
def longer_timeout() -> Iterator[None]:
    """A busy machine is not a fault."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(registry, "WORKERS_S", 600.0)
        yield


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    """A scheduler and three workers, one of them below a nanny. We learn of the first lost worker, not only of the fourth."""
    no_retries = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with Hosts(tmp_path_factory.mktemp("dask") / "hosts", PYTHONPATH=PATHS, **no_retries) as started:
        for option in ("--no-nanny", "--no-nanny", "--nanny"):
            started.add(option)
        yield started


@pytest.fixture(scope="module")
def executor(hosts: Hosts) -> Iterator[Cluster]:
    with Cluster(hosts.address) as connected:
        wait_until(lambda: connected.workers == 3)
        yield connected


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    with Hosts(tmp_path_factory.mktemp("bare") / "hosts", PYTHONPATH=PATHS) as started:
        yield started


@pytest.fixture
def bare(scheduler: Hosts) -> Iterator[Hosts]:
    """A scheduler without workers."""
    yield scheduler
    for name in list(scheduler.workers):
        scheduler.kill(name)


def wait_until(true: Callable[[], bool], seconds: float = 300) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def waiting(folder: Path, count: int) -> list[Entry]:
    """Submissions whose grading ends when the file `go` exists."""
    return entries(folder, [f"wait {folder}/go {folder}/begun-{number}" for number in range(count)])


def at_work(folder: Path) -> int:
    return len(list(folder.glob("begun-*")))


def processes_of(worker: int) -> list[int]:
    """The processes that a worker has started."""
    pids = []
    for thread in Path(f"/proc/{worker}/task").iterdir():
        pids += map(int, (thread / "children").read_text().split())
    return pids


# -- workers that come and go -----------------------------------------------------------------------


def test_every_job_is_done_by_a_process_of_a_worker(tmp_path: Path, executor: Cluster) -> None:
    got = answers(entries(tmp_path, [f"fine {number}" for number in range(9)]), SETTINGS, workers=1, executor=executor)
    assert [got[f"s{number:02}"]["text"] for number in range(9)] == [f"fine {number}" for number in range(9)]
    assert os.getpid() not in {answer["worker"] for answer in got.values()}


def test_a_job_that_ends_its_process_twice_exhausts_its_retries_and_the_workers_live(tmp_path: Path, executor: Cluster) -> None:
    texts = ["fine 0", "kill", "raise", f"kill-once {tmp_path}/seen", "wall", "fine 5"]
    got = answers(entries(tmp_path, texts), SETTINGS, workers=1, executor=executor)
    assert got["s01"] == "grading this submission ended the grader's worker process 2 times"
    assert got["s02"] == "the grader failed 2 times: RuntimeError: not the student's doing"
    assert got["s04"] == "the grader failed 2 times: SandboxUnavailable: the sandbox did not start"
    assert [got[student]["text"] for student in ("s00", "s03", "s05")] == [texts[0], texts[3], texts[5]]
    assert executor.workers == 3


def test_what_was_under_way_at_a_worker_that_dies_is_done_by_others(tmp_path: Path, hosts: Hosts, executor: Cluster) -> None:
    doomed = hosts.add()
    wait_until(lambda: executor.workers == 4)

    def strike() -> None:
        wait_until(lambda: at_work(tmp_path) >= 4)
        processes = processes_of(hosts.workers[doomed].pid)
        hosts.kill(doomed)
        wait_until(lambda: not any(Path(f"/proc/{process}").exists() for process in processes))
        ended.extend(processes)
        (tmp_path / "go").touch()

    ended: list[int] = []
    thread = threading.Thread(target=strike)
    thread.start()
    got = answers(waiting(tmp_path, 10), SETTINGS, workers=1, executor=executor)
    thread.join()
    assert ended and all(answer["worker"] not in ended for answer in got.values())
    wait_until(lambda: executor.workers == 3)


def reports_of(course: Path, means: Means, at_each: Callable[[int], None] = lambda count: None) -> dict[str, str]:
    reports = {}
    for entry, _, kept in mark(course, PS, list_submissions(course, PS), means):
        reports[entry.student] = kept.report.to_json()
        at_each(len(reports))
    return reports


def test_a_class_gets_the_reports_of_one_machine_though_one_worker_dies_and_one_comes(
    demo_class: Path, tmp_path: Path, hosts: Hosts, executor: Cluster
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for course in (here, there):
        for student in STUDENTS:
            shutil.copytree(demo_class / "submitted" / student, course / "submitted" / student)
        (course / "edition.secret").write_text(SECRET)

    def disturb(reports: int) -> None:
        if reports == 4:
            hosts.kill(next(iter(hosts.workers)))
            hosts.add()

    graded_there = reports_of(there, Means(executor.workers, executor), disturb)
    assert len(graded_there) == len(STUDENTS) and graded_there == reports_of(here, Means(2))


def test_exams_of_the_challenge_are_the_same_and_leave_nothing_there(tmp_path: Path, executor: Cluster) -> None:
    here, there = (a_course(tmp_path / name, {"ada": ""}) for name in ("here", "there"))
    for course in (here, there):
        (course / "edition.secret").write_text(SECRET)
    challenges = [hold_challenge(here, "ps3_connect_four", graded(here), Means(2)),
                  hold_challenge(there, "ps3_connect_four", graded(there), Means(3, executor))]
    first, other = ({name: report.to_json() for name, report in challenge.reports.items()} for challenge in challenges)
    assert first == other and len(first) == 1
    assert not (there / ".cache" / "challenge").exists()


def test_the_secret_is_in_no_file_of_the_workers(hosts: Hosts, executor: Cluster) -> None:
    failing = executor._client.submit(len, Sealed(SECRET.encode()), pure=False)  # Dask logs every failure, with its arguments
    assert isinstance(failing.exception(), TypeError)
    files = [path for path in hosts.room.rglob("*") if path.is_file()]
    texts = [path.read_bytes() for path in files]
    assert any(b"Compute Failed" in text and b"Sealed" in text for text in texts)
    assert not any(SECRET.encode() in text for text in texts)


# -- faults that a person must repair ---------------------------------------------------------------


@pytest.fixture(scope="module")
def other_grader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this repository in which one rule of a game is different."""
    copy = tmp_path_factory.mktemp("other")
    for name in settings.covered(settings.WORKER):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    with (copy / "arena" / "games" / "toy.py").open("a") as file:
        file.write("\n# another\n")
    return copy


def test_a_worker_with_another_grader_is_refused_by_name(bare: Hosts, other_grader: Path) -> None:
    bare.add(PYTHONPATH=str(other_grader))
    with pytest.raises(UserError, match=r"^\S+: the worker tcp://127\.0\.0\.1:\d+ on .* has another arena than this mach"):
        Cluster(bare.address)


def test_a_worker_with_another_grader_that_comes_later_is_named_and_not_used(
    bare: Hosts, other_grader: Path, tmp_path: Path
) -> None:
    good, messages = bare.add(), []

    def refusals() -> list[str]:
        return [sentence for sentence in messages if sentence.startswith("not used: ")]

    with Cluster(bare.address, messages.append) as executor:
        bare.add(PYTHONPATH=f"{other_grader}{os.pathsep}{Path(__file__).parent}")
        thread = threading.Thread(target=lambda: (wait_until(lambda: bool(refusals())), (tmp_path / "go").touch()))
        thread.start()
        got = answers(waiting(tmp_path, 6), SETTINGS, workers=1, executor=executor)
        thread.join()
        assert len(got) == 6 and executor.workers == 1
        (sentence,) = refusals()
        assert "the worker tcp://" in sentence and "has another arena than this machine" in sentence
        bare.kill(good)  # now there is only the other one
        bare.add()
        assert answers(entries(tmp_path / "more", ["fine"]), SETTINGS, workers=1, executor=executor)["s00"]["text"] == "fine"


def test_a_worker_without_bubblewrap_is_refused(bare: Hosts) -> None:
    bare.add(PATH="/nowhere")
    with pytest.raises(UserError, match=r"^\S+: the worker tcp://\S+ on \S+ cannot grade: bubblewrap \(bwrap\) was not found"):
        Cluster(bare.address)


def test_a_worker_without_the_grader_is_refused(bare: Hosts, tmp_path: Path) -> None:
    (tmp_path / "autograder.py").touch()  # no package: nothing of the installed package is found behind it
    bare.add(PYTHONPATH=str(tmp_path))
    with pytest.raises(UserError, match=r"^\S+: the worker tcp://\S+ cannot run the grader \(ModuleNotFoundError.*make setup"):
        Cluster(bare.address)


def test_a_cluster_without_workers(bare: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "WORKERS_S", 3.0)
    messages: list[str] = []
    with pytest.raises(UserError, match=f"^{bare.address}: the cluster has had no worker for 3 s: start some"):
        Cluster(bare.address, messages.append)
    assert messages == [f"waiting up to 3 s for a worker at {bare.address}"]


def test_the_last_worker_is_gone(bare: Hosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = bare.add()
    with Cluster(bare.address) as executor:
        monkeypatch.setattr(registry, "WORKERS_S", 1.0)
        threading.Timer(0.5, bare.kill, [name]).start()
        with pytest.raises(UserError, match="has had no worker for 1 s: .*; what was graded is kept"):
            answers(waiting(tmp_path, 3), SETTINGS, workers=1, executor=executor)


def test_the_scheduler_is_gone(tmp_path: Path) -> None:
    with Hosts(tmp_path / "hosts", PYTHONPATH=PATHS) as started:
        started.add()
        with Cluster(started.address) as executor:
            threading.Timer(0.5, started.scheduler.kill).start()
            with pytest.raises(UserError, match=f"^{started.address}: the connection to the scheduler broke; what was"):
                answers(waiting(tmp_path, 3), SETTINGS, workers=1, executor=executor)
        (tmp_path / "go").touch()  # its worker waits for the end of its job


@pytest.mark.parametrize("address", ["127.0.0.1", "tcp://127.0.0.1:9", "carrier-pigeon://here:1"])
def test_no_scheduler_at_the_address(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    with pytest.raises(UserError, match=f"^no Dask scheduler answers at {address} .* is it running"):
        Cluster(address)


def test_a_server_that_never_says_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(UserError, match="no valid answer"):
        Cluster(f"tcp://127.0.0.1:{silent.getsockname()[1]}")


@pytest.mark.parametrize("before, options, sentence", [
    ("pass", [], "no Dask scheduler answers at 127.0.0.1 (missing port"),
    ("pass", ["--workers", "2"], "--workers is for this machine"),
    ("sys.modules['distributed'] = None", [], "a cluster needs the package distributed"),
])
def test_at_the_command_line_it_is_one_sentence(tmp_path: Path, before: str, options: list[str], sentence: str) -> None:
    (tmp_path / "submitted" / "ada" / PS).mkdir(parents=True)
    code = f"import sys; {before}; from autograder.cli.app import main; main()"
    command = [sys.executable, "-c", code, "grade", str(tmp_path), "--cluster", "127.0.0.1", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    *waited, message = done.stderr.splitlines()
    assert done.returncode == 2 and done.stdout == "" and [line for line in waited if not line.endswith(" s so far")] == []
    assert message.startswith(f"autograder: {sentence}")
