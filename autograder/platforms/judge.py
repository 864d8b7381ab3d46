"""Grade one folder on another machine: find the sandbox, grade the set, and let the player climb the ladder if it may.

A container of a platform often runs as root without the rights of root. There are two ways to open a sandbox, and both are
tried: as root, which needs CAP_SYS_ADMIN and CAP_NET_ADMIN; and as an ordinary user, which needs user namespaces. If neither
works, nothing is graded, because student code is never run without a sandbox.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.challenge.ladder import load_ladder
from arena.challenge.report import ChallengeReport
from arena.errors import UserError
from autograder.challenge.model import Conditions, ExamResult
from autograder.challenge.player.entrant import Entrant
from autograder.grading.config import Graded, Settings
from autograder.grading.dropped_exercises import decided
from autograder.grading.report import Report
from autograder.platforms.apart import Unfinished, apart
from autograder.problem_sets.source import facts_of
from autograder.submission.discover import Entry
from autograder.submission.payload import Payload, read_payload

RESERVE_S = 30.0  # to write the result, before the platform ends everything
LEAST_EXAM_S = 20.0
NO_TIME = "The challenge was not finished within this platform's time limit. The points above do not depend on it."
NOBODY = 65534
AS_ROOT = "bubblewrap as root: a user id of its own for each exercise"
AS_USER = "bubblewrap as an ordinary user: a user namespace of its own for each exercise"


@dataclass(frozen=True)
class Isolation:
    """The sandbox of a grading. `uid`: the user who has to open it; None for the user of this process."""

    sentence: str
    uid: int | None = None


def strongest() -> Isolation:
    """Return the sandbox that opens here.

    Raises:
        UserError: no sandbox opens; the text says, for staff, what was tried.
    """
    root = os.geteuid() == 0
    tried = []
    for isolation in (Isolation(AS_ROOT), Isolation(AS_USER, NOBODY)) if root else (Isolation(AS_USER),):
        try:
            apart("check", uid=isolation.uid)
            return isolation
        except (UserError, Unfinished) as error:
            tried.append(f"{isolation.sentence.partition(':')[0]}: {error}")
    raise UserError("no sandbox opens here, and student code is never run without one. Tried: " + "; ".join(tried))


class NotGraded(RuntimeError):
    """There is no grade, because of a fault of ours or of the machine; the text is for staff."""


@dataclass(frozen=True)
class Judged:
    """A grade. `isolation` describes the sandbox of the student code.

    challenge: the player's exam, or None. note: for the student, why there is none although the set has a player.
    """

    report: Report
    isolation: str
    challenge: ChallengeReport | None = None
    note: str = ""


def judge(
    folder: Path, ps: str, settings: Settings, *, seconds: float, challenge: bool, ladder: Mapping[str, Any] | None = None,
    positions: tuple[Any, ...] = (),
) -> Judged:
    """Grade a folder.

    Args:
        seconds: the time limit, by the clock.
        ladder: values of a course that replace the ladder's, as in the table [challenge] of its course.toml.
        positions: of move quality, see `Conditions`.

    Raises:
        NotGraded: no sandbox opens here, or the time was too short.
    """
    end = time.monotonic() + seconds - RESERVE_S
    try:
        isolation = strongest()
        payload = read_payload(folder, ps)
        graded: Graded = apart("grade", payload, settings, uid=isolation.uid, timeout_s=max(1.0, end - time.monotonic()))
    except (UserError, Unfinished) as error:
        raise NotGraded(str(error)) from error
    report = decided(graded.report, settings)
    if not challenge or not facts_of(ps).player:
        return Judged(report, isolation.sentence)
    conditions = Conditions(settings.secret, load_ladder(changes=ladder), positions=positions)
    exam, note = _climb(payload, report, conditions, isolation.uid, end)
    return Judged(report, isolation.sentence, exam, note)


def _climb(
    payload: Payload, report: Report, conditions: Conditions, uid: int | None, end: float
) -> tuple[ChallengeReport | None, str]:
    """Let the player of a submission climb the ladder; return its report, or None with a sentence for the student."""
    missing = [name for name in facts_of(payload.ps).beside if payload.item(name) is None]
    if missing:
        return None, f"No player was entered into the challenge: {', '.join(missing)} was not handed in."
    entrant = Entrant(payload.ps, Entry("", Path()), report, payload.player_sha256)
    if (waiting := entrant.answer_without_playing()) is not None:
        return waiting, ""
    left_s = end - time.monotonic()
    if left_s < LEAST_EXAM_S:
        return None, NO_TIME
    try:
        result: ExamResult = apart("exam", payload, conditions, uid=uid, timeout_s=left_s)
    except (UserError, Unfinished) as error:
        print(f"challenge: {error}")  # for staff
        return None, NO_TIME
    return result.report, ""
