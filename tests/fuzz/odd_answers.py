"""Hidden checks and odd answers, thousands in a minute: can a check end in anything except its verdict?

    python -m tests.fuzz.odd_answers --runs 40                     # this many conversations of each check, all sets
    python -m tests.fuzz.odd_answers --runs 400 --ps ps4_puct --check evaluate

Every check gets the answers of our solution, with some of them replaced: near misses, arrays, values of any kind,
exceptions, questions with odd arguments. A check may end by StudentError, AssertionError or pytest's Failed. Any other end
costs the grader a reference run to find out whose fault it is: a check in this list should test a value before it computes.
"""

from __future__ import annotations

import argparse
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random

import numpy as np
from _pytest.outcomes import Failed

from autograder.problem_sets.source import names
from autograder.sandbox import codec
from autograder.sandbox.errors import StudentError
from tests.fuzz.odd import as_array, near, odd_value, spoilt
from tests.fuzz.replay import Message, Recorded, Turn, recorded

ALLOWED = (StudentError, AssertionError, Failed)
CPU_S = 5.0  # of one conversation; a check that takes longer is in the list too
CHANGES = (near, near, near, as_array, lambda rng, part: odd_value(rng, 2))


class Endless(BaseException):
    """A check does not end."""


@dataclass(frozen=True)
class Escaped:
    """An end of a check that is not allowed."""

    ps: str
    exercise: str
    check: str
    error: str
    where: str

    def __str__(self) -> str:
        return f"{self.ps} {self.exercise} {self.check}: {self.error} ({self.where})"


def changed(turns: tuple[Turn, ...], rng: Random) -> list[Turn]:
    """Return the conversation with some messages replaced."""
    other = [Turn(turn.key, list(turn.messages)) for turn in turns]
    spoken = [(turn, place) for turn in other for place in range(len(turn.messages))]
    often = rng.choice((1, 1, 2, len(spoken)))
    for turn, place in rng.sample(spoken, min(often, len(spoken), 200)):
        if place < len(turn.messages):
            turn.messages[place : place + 1] = _lies(turn.messages[place], rng)
    return other


def _lies(message: Message, rng: Random) -> list[Message]:
    """Return the messages in the place of a message; an answer stays one message."""
    number, kind, value = message
    value = deepcopy(value)
    if kind != "callback":
        if rng.random() < 0.05:
            return [(number, "error", [["ValueError", "Exception"], "", 0, False, ""])]
        return [_sendable((number, kind, spoilt(rng, value, rng.choice(CHANGES))))]
    how = rng.randrange(5)
    if how == 0:
        return [message] * rng.choice((2, 3, 300))
    if how == 1:
        return []
    odd = _sendable((number, kind, _arguments(value, rng)))
    return [odd] if how == 2 else [odd, message] if how == 3 else [message, odd]


def _arguments(value: list, rng: Random) -> list:
    how = rng.randrange(6)
    if how == 0:
        return [*value, None]
    if how == 1:
        return value[:-1]
    if how == 2:
        return [rng.choice((None, -1, 1e308, "x", (), np.zeros(2), {}, codec.HandleId(0))) for _ in value]
    if how == 3:
        return [odd_value(rng, 2) for _ in value]
    return [spoilt(rng, item, rng.choice(CHANGES)) if rng.random() < 0.7 else item for item in value]


def _sendable(message: Message) -> Message:
    """Return the message, or another one that can travel: some odd values are too deep or too large."""
    try:
        codec.encode(message)
    except codec.ProtocolError:
        return message[0], message[1], [] if message[1] == "callback" else "x"
    return message


def escaped(record: Recorded, turns: list[Turn]) -> Escaped | None:
    """Run a check over a conversation; return how it ended, None if that was its verdict."""

    def give_up(*_: object) -> None:
        raise Endless

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, CPU_S)
    try:
        record.play(turns)
    except ALLOWED:
        return None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        words = f"{type(error).__name__}: {error}"[:110]
        return Escaped(record.ps, record.check.exercise, record.check.name, words, _where(error))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return None


def _where(error: BaseException) -> str:
    """Return the innermost line of the suite, else of the grader, that an error passed."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/tests/hidden/" in frame.filename] or list(frames)
    return f"{ours[-1].filename.rpartition('/')[2]}:{ours[-1].lineno}"


def fuzz(sets: list[str], runs: int, seed: int, part: str = "") -> Iterator[Escaped | None]:
    """Yield the end of the check for every conversation."""
    for ps in sets:
        for record in recorded(ps):
            if part in record.check.name:
                for number in range(runs):
                    rng = Random(f"{seed} {record.check.name} {number}")
                    yield escaped(record, changed(record.turns, rng))


def main() -> int:
    parser = argparse.ArgumentParser(description="Give hidden checks odd answers.")
    parser.add_argument("--runs", type=int, default=40, help="conversations of each check")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ps", choices=names(), action="append")
    parser.add_argument("--check", default="", help="a part of the names of the checks")
    arguments = parser.parse_args()
    begin, number, counts = time.monotonic(), 0, Counter()
    for escape in fuzz(arguments.ps or list(names()), arguments.runs, arguments.seed, arguments.check):
        number += 1
        counts.update([escape] if escape else [])
    for escape, often in sorted(counts.items(), key=lambda item: (item[0].ps, item[0].exercise, item[0].check, -item[1])):
        print(f"{often:5} {escape}")
    checks = {(escape.ps, escape.check) for escape in counts}
    print(f"{time.monotonic() - begin:.0f} s")
    beside = sum(counts.values())
    print(f"odd answers: {number} conversations, {beside} ended otherwise than by a verdict, in {len(checks)} checks")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
