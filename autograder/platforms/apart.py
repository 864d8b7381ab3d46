"""Run our own work in a separate process, which can be stopped at a deadline and can run as a user without rights.

    graded = apart("grade", payload, settings, uid=None, timeout_s=500)

The child is our code and is trusted; student code runs in the sandbox that the child opens, and ends with the child.
"""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from arena.errors import UserError
from autograder.paths import REPOSITORY


class Unfinished(RuntimeError):
    """The work was not done; the text is for staff."""


def apart(work: str, *arguments: object, uid: int | None = None, timeout_s: float | None = None) -> Any:
    """Return the answer of one of WORKS, from a child process.

    Args:
        uid: the user and group id of the child, for a parent that is root; None: those of this process.
        timeout_s: by the clock; then the child is killed, and its sandbox with it.

    Raises:
        UserError: this host has no sandbox.
        Unfinished: the child failed or was stopped.
    """
    with tempfile.TemporaryDirectory() as folder:
        # Compiled bots are kept in this folder where the child may not write beside their source.
        environment = {**os.environ, "HOME": folder, "TMPDIR": folder, "NUMBA_CACHE_DIR": folder} if uid is not None else None
        rights: dict[str, Any] = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
        command = [sys.executable, "-m", "autograder.platforms.apart", work]
        try:
            if uid is not None:
                os.chown(folder, uid, uid)
            done = subprocess.run(command, input=pickle.dumps(arguments), stdout=subprocess.PIPE, cwd=REPOSITORY,
                                  env=environment, timeout=timeout_s, check=False, **rights)
        except subprocess.TimeoutExpired:
            raise Unfinished(f"'{work}' was stopped after {timeout_s:.0f} s") from None
        except (OSError, subprocess.SubprocessError) as error:  # for example: no right to become another user
            raise Unfinished(f"'{work}' could not be started: {error}") from error
    if done.returncode != 0:
        raise Unfinished(f"'{work}' ended with status {done.returncode}; its last lines are above")
    refused, answer = pickle.loads(done.stdout)
    if refused:
        raise UserError(refused)
    return answer


def _check() -> None:
    from autograder.sandbox.sandbox import check_sandbox

    check_sandbox()


def _grade(*arguments: Any) -> Any:
    from autograder.grading.grade import grade_payload

    return grade_payload(*arguments)


def _exam(*arguments: Any) -> Any:
    from autograder.challenge.exam.whole_exam import run_exam_of

    return run_exam_of(*arguments)


WORKS: dict[str, Callable[..., Any]] = {"check": _check, "grade": _grade, "exam": _exam}


def main(work: str) -> None:
    """Do the work in the child: arguments come in on standard input, the answer goes out on standard output."""
    answers = os.dup(1)
    os.dup2(2, 1)  # what our code prints must not be read as an answer
    try:
        refused, answer = "", WORKS[work](*pickle.load(sys.stdin.buffer))
    except UserError as error:
        refused, answer = str(error), None
    with os.fdopen(answers, "wb") as file:
        pickle.dump((refused, answer), file)


if __name__ == "__main__":
    main(sys.argv[1])
