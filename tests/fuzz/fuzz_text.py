"""Fuzz the code that reads students' text in the grader's own processes: notebooks, modules, markdown, weights, names, labels.

    python -m tests.fuzz.fuzz_text --inputs 1000000 --seed 1
    python -m tests.fuzz.fuzz_text --only 1/4711              # one input again, by its seed and number

Every input must give a value of the promised type or one of our own sentences; nothing may be raised, no child of ours may
crash, and its CPU time must be in proportion to its length. `make test` runs a short one (tests/fuzz/).
"""

from __future__ import annotations

import argparse
import faulthandler
import mmap
import os
import random
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.text_inputs import KINDS, SHARES, length

ROUND = 5_000  # inputs of one process: an input that crashes it is found by its number, and the next process continues
# An input may take this many times the time of the longest ordinary input, and this many times their time for each of its
# letters; both are measured on this machine.
FREE, FACTOR = 20, 40
Pace = tuple[float, float]  # CPU time of the longest ordinary input of a kind, and of one of its letters
MOST_SHOWN = 10


@dataclass
class Tally:
    """The results for inputs. slowest: (share of the allowed time, name of the input)."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")

    def join(self, other: Tally) -> None:
        self.outcomes.update(other.outcomes)
        self.faults += other.faults
        self.slowest = max(self.slowest, other.slowest)

    @property
    def inputs(self) -> int:
        return sum(self.outcomes.values())


def made(seed: int, number: int, kind: str | None = None) -> tuple[str, Any]:
    """Return the kind and the input of this number, always the same."""
    rng = random.Random(f"{seed}/{number}")
    drawn = rng.choices(list(SHARES), list(SHARES.values()))[0]
    kind = kind or drawn
    return kind, KINDS[kind][0](rng)


def pace(kind: str, room: Path) -> Pace:
    """Return how long ordinary inputs of a kind take on this machine."""
    taken, letters = [], 1
    for number in range(46):
        _, value = made(0, number, kind)
        spent = _cpu_s(kind, value, room)
        if number >= 6:  # the first ones pay for imports and first-time work
            letters += length(value)
            taken.append(spent)
    return max(taken), sum(taken) / letters


def fuzz(seed: int, numbers: range, paces: dict[str, Pace], room: Path, kind: str | None = None, mark: Any = None) -> Tally:
    """Examine these inputs in this process.

    Args:
        mark: called with every number before its input begins.
    """
    tally = Tally()
    for number in numbers:
        if mark is not None:
            mark(number)
        own, value = made(seed, number, kind)
        what = f"{seed}/{number} ({own}, {length(value):,} letters)"
        start = time.process_time()
        try:
            outcome = KINDS[own][1](value, room)
        except Exception:
            tally.outcomes[f"{own}: fault"] += 1
            tally.faults.append(f"{what}:\n{traceback.format_exc(limit=-4)}")
            continue
        longest, letter = paces[own]
        allowed = FREE * longest + FACTOR * letter * length(value)
        spent = time.process_time() - start
        for _ in range(3):  # again, before a result is blamed on the input and not on a busy machine
            if spent <= allowed:
                break
            spent = min(spent, _cpu_s(own, value, room))
        tally.outcomes[f"{own}: {outcome}"] += 1
        tally.slowest = max(tally.slowest, (spent / allowed, f"{what} {1000 * spent:.0f} ms of {1000 * allowed:.0f}"))
        if spent > allowed:
            tally.faults.append(f"{what} took {1000 * spent:.0f} ms; {1000 * allowed:.0f} are in proportion")
    return tally


def _cpu_s(kind: str, value: Any, room: Path) -> float:
    start = time.process_time()
    KINDS[kind][1](value, room)
    return time.process_time() - start


@contextmanager
def own_room() -> Iterator[Path]:
    """Yield a folder in memory, if the machine has one: every input of a submission is written there."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="fuzz-text-", dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)


def _a_round(seed: int, numbers: range, paces: dict[str, Pace], room: Path, kind: str | None) -> Tally:
    """Examine inputs in a child; an input that ends the child is a fault, and the inputs after it are still examined."""
    from autograder.limited_child import OverLimit, within

    shared = mmap.mmap(-1, 8)

    def mark(number: int) -> None:
        shared[:8] = number.to_bytes(8, "little")

    try:
        return within(3_600.0, 4_096, fuzz, seed, numbers, paces, room, kind, mark)
    except OverLimit as error:
        last = int.from_bytes(shared[:8], "little")
        tally = Tally(Counter({"ended the process": 1}), [f"{seed}/{last}: {error} {error.place}"])
        for others in (range(numbers.start, last), range(last + 1, numbers.stop)):
            if others:
                tally.join(_a_round(seed, others, paces, room, kind))
        return tally


def run(inputs: int, seed: int, kind: str | None) -> Tally:
    """Fuzz this many inputs, and print the progress."""
    total, start = Tally(), time.monotonic()
    with own_room() as room:
        paces = {name: pace(name, room) for name in KINDS if kind in (None, name)}
        for first in range(0, inputs, ROUND):
            tally = _a_round(seed, range(first, min(first + ROUND, inputs)), paces, room, kind)
            for fault in tally.faults[:MOST_SHOWN]:
                print(f"fault: {fault}", flush=True)
            total.join(tally)
            print(f"{total.inputs:,} inputs in {time.monotonic() - start:,.0f} s, {len(total.faults)} faults", flush=True)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description="Fuzz what reads students' text.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS))
    parser.add_argument("--only", metavar="SEED/NUMBER", help="examine one input again, here, and show it")
    arguments = parser.parse_args()
    if arguments.only:
        faulthandler.enable()
        seed, number = map(int, arguments.only.split("/"))
        kind, value = made(seed, number, arguments.kind)
        print(kind, repr(value)[:3_000], flush=True)
        with own_room() as room:
            print(KINDS[kind][1](value, room))
        return
    total = run(arguments.inputs, arguments.seed, arguments.kind)
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(total.outcomes.items()))
    print(f"fuzz_text: {total.inputs:,} inputs of seed {arguments.seed}, {len(total.faults)} faults; {counts}; "
          f"slowest: {total.slowest[1]} ({100 * total.slowest[0]:.0f} %)")
    raise SystemExit(1 if total.faults or total.inputs < arguments.inputs else 0)


if __name__ == "__main__":
    main()
