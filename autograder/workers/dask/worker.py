"""Our code on a worker of a Dask cluster. It keeps processes that grade, and passes jobs to them.

A Dask worker runs its tasks in threads, beside the loop that talks to the scheduler. Grading needs a process: its clocks are
signals and the process's own CPU time, and its sandboxes end with the thread that started them. So every thread has a grader
process, which begins with the first submission, stays warm for the next, and ends with the worker.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from arena.errors import UserError
from autograder.grading.config import PACKAGES, PYTHON, installed
from autograder.grading.fingerprint import code_parts
from autograder.paths import REPOSITORY
from autograder.sandbox.bubblewrap import SandboxUnavailable
from autograder.sandbox.sandbox import check_sandbox

DONE, FAILED, REFUSED, DIED = "done", "failed", "refused", "died"


@dataclass(frozen=True)
class Sealed:
    """A pickled job and its arguments, with the edition's secret. Its repr shows nothing of them: Dask logs failed tasks."""

    content: bytes = field(repr=False)


@dataclass(frozen=True)
class TaskResult:
    """The result of a job.

    kind: DONE, content is the pickled answer; FAILED, content is the pickled exception; REFUSED, this worker cannot grade and
        `message` says why; DIED, the job ended its grader process.
    """

    kind: str
    content: bytes = field(default=b"", repr=False)
    message: str = ""
    worker: str = ""  # its address, if the worker is refused


def identity() -> dict[str, str]:
    """Return what two machines must have in common to write the same reports: versions, and a hash of each part of the code."""
    versions = {"Python": PYTHON, **{name: installed(name) for name in PACKAGES}}
    return {**versions, **code_parts()}


# -- on the worker: in a thread of Dask's -----------------------------------------------------------

_idle: list[GraderProcess] = []


def take(expected: Mapping[str, str], work: Sealed) -> TaskResult:
    """Let a grader process of this worker do a job. Dask runs this function; it raises nothing.

    Args:
        expected: the identity of the sender; a grader with another identity would write other reports.
    """
    try:
        process = _process(expected)
    except (EOFError, OSError) as error:
        return _refusal(f"cannot start the grader ({error or 'it ended at once'}); its log says more")
    if process.identity != expected:
        process.end()
        return _refusal(f"has {_differences(expected, process.identity)}: bring both machines to the same commit, run make "
                        "setup there, and start the worker again")
    outcome = process.do(work.content)
    if outcome.kind != DIED:
        _idle.append(process)
    return _refusal(f"cannot grade: {outcome.message}") if outcome.kind == REFUSED else outcome


def greet(expected: Mapping[str, str]) -> TaskResult:
    """Say whether this worker can grade, which means: it can open a sandbox."""
    return take(expected, Sealed(pickle.dumps((check_sandbox, ()))))


def _refusal(why: str) -> TaskResult:
    from distributed import get_worker  # only a Dask worker calls this function

    address = get_worker().address
    return TaskResult(REFUSED, message=f"the worker {address} on {socket.gethostname()} {why}", worker=address)


def _process(expected: Mapping[str, str]) -> GraderProcess:
    """Return an idle process, or a new one; an idle process may be older than an update of this machine."""
    try:
        process = _idle.pop()
    except IndexError:
        return GraderProcess()
    if process.identity == expected:
        return process
    process.end()
    return GraderProcess()


def _differences(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    names = [name for name in here if there.get(name) != here[name]]
    versions = [f"{name} {there.get(name)} (here {here[name]})" for name in names if name in ("Python", *PACKAGES)]
    parts = [name for name in names if name not in ("Python", *PACKAGES)]
    return " and ".join(filter(None, [", ".join(versions), f"another {', '.join(parts)} than this machine" if parts else ""]))


class GraderProcess:
    """A process that does one job after another. `identity` is from the files and packages at its start.

    multiprocessing would refuse to start it: a Dask worker below a nanny is a daemon.
    """

    def __init__(self) -> None:
        self._line, theirs = multiprocessing.Pipe()
        command = [sys.executable, "-c", f"from {__name__} import main; main({theirs.fileno()})"]
        self._process = subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
        theirs.close()
        try:
            self.identity: dict[str, str] = pickle.loads(self._line.recv_bytes())
        except (EOFError, OSError):
            self.end()
            raise

    def do(self, work: bytes) -> TaskResult:
        """Let the process do a job, and wait for it."""
        try:
            self._line.send_bytes(work)
            result: TaskResult = pickle.loads(self._line.recv_bytes())
            return result
        except (EOFError, OSError):
            self.end()
            return TaskResult(DIED, message=f"a grader process on {socket.gethostname()} ended with {self._process.returncode}")

    def end(self) -> None:
        """End the process and its sandbox."""
        self._line.close()
        self._process.wait()


# -- in the grader process --------------------------------------------------------------------------


def main(line_number: int) -> None:
    """Do the jobs that come over a connection, until the worker at its other end is gone."""
    for number in (signal.SIGINT, signal.SIGTERM):  # SLURM signals all processes of a job: this one ends after its worker
        signal.signal(number, signal.SIG_IGN)
    line, works = Connection(line_number), queue.SimpleQueue[bytes]()
    threading.Thread(target=_listen, args=(line, works), daemon=True).start()
    line.send_bytes(pickle.dumps(identity()))
    while True:
        line.send_bytes(pickle.dumps(_do(works.get())))


def _listen(line: Connection, works: queue.SimpleQueue[bytes]) -> None:
    while True:
        try:
            works.put(line.recv_bytes())
        except (EOFError, OSError):
            os._exit(1)  # also in the middle of a job; the sandbox ends with this process


def _do(work: bytes) -> TaskResult:
    try:
        job, arguments = pickle.loads(work)
        return TaskResult(DONE, pickle.dumps(job(*arguments)))
    except ImportError as error:
        return TaskResult(REFUSED, message=f"{error}: run make setup there, and start the worker with that .venv")
    except UserError as failure:
        return TaskResult(REFUSED, message=str(failure))
    except BaseException as error:
        try:
            if isinstance(error, SandboxUnavailable):
                check_sandbox()
        except UserError as failure:
            return TaskResult(REFUSED, message=str(failure))
        return TaskResult(FAILED, _pickled(error))


def _pickled(error: BaseException) -> bytes:
    """Return an exception as bytes; if it cannot be pickled, a RuntimeError replaces it."""
    try:
        data = pickle.dumps(error)
        pickle.loads(data)
        return data
    except Exception:
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
