"""The jobs that the workers of these tests run instead of grading. A separate module: worker processes import it by name."""

import os
import signal
import time
from pathlib import Path

from autograder.grading.grade import Settings
from autograder.sandbox.bubblewrap import SandboxUnavailable
from autograder.submission.payload import Payload
from autograder.workers.pool import tell_share


def obey(payload: Payload, settings: Settings) -> dict:
    """Do what the submission's text says, and answer with this text."""
    text = payload.items[0].content.decode()
    word, _, rest = text.partition(" ")
    if word == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "kill-once" and not Path(rest).exists():
        Path(rest).touch()
        os._exit(7)
    if word == "wait":  # wait for one file, and say so by another file
        awaited, begun = map(Path, rest.split())
        tell_share(0.25)
        begun.touch()
        while not awaited.exists():
            time.sleep(0.02)
        tell_share(0.0)
    if word == "raise":
        raise RuntimeError("not the student's doing")
    if word == "wall":
        raise SandboxUnavailable("the sandbox did not start")
    return {"text": text, "worker": os.getpid()}
