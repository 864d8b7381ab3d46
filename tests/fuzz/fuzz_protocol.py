"""Fuzz the decoder of the protocol: any bytes of a worker give a value or a ProtocolError, within the promised memory.

    python -m tests.fuzz.fuzz_protocol record        # real messages, from grading our solutions
    python -m tests.fuzz.fuzz_protocol run 10000000  # starting from these, guided by coverage; needs atheris
    python -m tests.fuzz.fuzz_protocol covered       # the lines of the decoder that the inputs reach so far

Seeds, the inputs that reached new lines, and an input that failed are in build/fuzz/. docs/fuzzing.md describes the
results of the long runs; `make test` runs a short one (tests/unit/test_fuzz_protocol.py).
"""

from __future__ import annotations

import argparse
import atexit
import hashlib
import importlib.util
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from autograder.sandbox import codec
from autograder.sandbox.codec import decoding, encoding
from tests.fuzz.protocol_inputs import ODD_VALUES, examine, mutated, spans

ROOM = Path(__file__).resolve().parents[2] / "build" / "fuzz"
SEEDS, CORPUS = ROOM / "seeds", ROOM / "corpus"
ROUND = 250_000  # inputs of one process
LONGEST, SHORT = 768, 160  # bytes of an input: room for hundreds of items; in most rounds fewer, enough for everything else
LONG_ROUND_EACH = 8
WEIGHED_ONE_IN = 32  # by the input's checksum; `covered` weighs the kept ones again
ROOM_BYTES = 128 * 2**20  # of address space beyond the amount at the start: a count that is believed would need more
PER_SHAPE = 2  # recorded messages that differ only in their numbers


def record(sets: list[str]) -> None:
    """Grade our solutions and keep the workers' answers, two messages of each shape."""
    from autograder.cli.one_folder import build_forms, grade_folder
    from autograder.problem_sets.source import names

    decode, shapes = codec.decode, Counter()

    def keeping(data: bytes, from_handle: Any = None, special: Any = None, start: int = 0) -> Any:
        message = bytes(data[start:])
        if len(message) <= LONGEST:
            # its tags, and its number of values by powers of two: these make it a different message for a decoder
            known = spans(message)
            tags = frozenset(message[first] for first, _ in known)
            shapes[shape := (tags, len(known).bit_length(), len(message).bit_length())] += 1
            if shapes[shape] <= PER_SHAPE:
                (SEEDS / hashlib.sha256(message).hexdigest()[:16]).write_bytes(message)
        return decode(data, from_handle, special, start)

    SEEDS.mkdir(parents=True, exist_ok=True)
    codec.decode = keeping
    try:
        for ps in sets or names():
            with tempfile.TemporaryDirectory() as room:
                build_forms(ps, True, Path(room) / f"{ps}.py", None)
                report = grade_folder(Path(room), ps)
            print(f"{ps}: {report.points:g} points, {sum(shapes.values()):,} messages of {len(shapes)} shapes so far", flush=True)
    finally:
        codec.decode = decode
    print(f"{len(list(SEEDS.iterdir()))} seeds in {SEEDS}")


def run(runs: int, seed: int) -> None:
    """Fuzz this many inputs, in rounds; ends with status 1 after the first input that shows a fault, kept in build/fuzz/.

    Each round is a separate process: the fuzzer itself loses a hundred bytes with every input, and the limit of memory must
    catch the memory of the decoder.
    """
    if importlib.util.find_spec("atheris") is None:
        raise SystemExit("fuzz_protocol: atheris is not installed; pip install atheris (Python 3.11 to 3.13)")
    if not SEEDS.is_dir():
        raise SystemExit(f"fuzz_protocol: no recorded messages in {SEEDS}; first: python -m tests.fuzz.fuzz_protocol record")
    CORPUS.mkdir(parents=True, exist_ok=True)
    total, start, peak_mib = Counter(), time.monotonic(), 0.0
    for number in range(-(-runs // ROUND)):
        inputs = min(ROUND, runs - number * ROUND)
        longest = LONGEST if number % LONG_ROUND_EACH == 0 else SHORT
        command = [sys.executable, "-m", "tests.fuzz.fuzz_protocol", "round", str(inputs), str(seed + number), str(longest)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{done.stdout[-3000:]}{done.stderr[-3000:]}\nround {number} (seed {seed + number}) found the above")
        figures = json.loads(done.stdout.splitlines()[-1])
        peak_mib = max(peak_mib, figures.pop("peak_mib"))
        total.update(figures)
        seconds = time.monotonic() - start
        print(f"{total['inputs']:,} inputs in {seconds:,.0f} s, {total['cpu_s']:,.0f} s of CPU time: {total['values']:,} values, "
              f"{total['weighed']:,} weighed, {len(list(CORPUS.iterdir())):,} kept, at most {peak_mib:.0f} MiB", flush=True)


def fuzz_a_round(runs: int, seed: int, longest: int) -> None:
    """Fuzz in this process, and print the result as a line of JSON; the fuzzer ends the process at a fault."""
    import atheris

    with atheris.instrument_imports(include=["autograder.sandbox.codec"]):
        for module in (encoding, decoding, codec):
            importlib.reload(module)
    others = [*ODD_VALUES, *sorted({piece for path in SEEDS.iterdir() for piece in _pieces(path.read_bytes())})]
    tally = {"inputs": 0, "values": 0, "weighed": 0}

    def mutate(data: bytes, most: int, mutation_seed: int) -> bytes:
        rng = random.Random(mutation_seed)
        if rng.random() < 0.4:
            return atheris.Mutate(data, most)
        return mutated(bytes(data), rng, others)[:most]

    def one_input(data: bytes) -> None:
        weigh = zlib.crc32(data) % WEIGHED_ONE_IN == 0
        tally["inputs"] += 1
        tally["weighed"] += weigh
        tally["values"] += examine(data, weigh=weigh)

    def print_figures() -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        print(json.dumps({**tally, "cpu_s": usage.ru_utime + usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024}), flush=True)

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + ROOM_BYTES, hard))
    atexit.register(print_figures)
    options = [f"-atheris_runs={runs}", f"-max_len={longest}", f"-seed={seed}", f"-artifact_prefix={ROOM}/", "-len_control=0",
               "-rss_limit_mb=0", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options, str(CORPUS), str(SEEDS)], one_input, custom_mutator=mutate)
    atheris.Fuzz()


def _pieces(message: bytes) -> Iterator[bytes]:
    yield from (message[start:end] for start, end in spans(message) if end - start <= 64)


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def covered() -> None:
    """Decode all kept inputs, and print the lines of the decoder that no input reaches."""
    inputs = [path.read_bytes() for folder in (SEEDS, CORPUS) if folder.is_dir() for path in sorted(folder.iterdir())]
    functions = [decoding.decode, decoding._key, decoding._no_handle, decoding.frame_size,
                 *(method for method in vars(decoding._Decoder).values() if hasattr(method, "__code__"))]
    codes = {code for function in functions for code in _codes(function.__code__)}
    reached: set[int] = set()

    def look(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code not in codes:
            return None
        if event == "line":
            reached.add(frame.f_lineno)
        return look

    sys.settrace(look)
    try:
        for data in inputs:
            examine(data)
    finally:
        sys.settrace(None)
    lines = {line for code in codes for _, _, line in code.co_lines() if line and line != code.co_firstlineno}
    text = Path(decoding.__file__).read_text().splitlines()
    for line in sorted(lines - reached):
        print(f"not reached: {line}: {text[line - 1].strip()}")
    print(f"{len(inputs):,} inputs reach {len(lines & reached)} of the decoder's {len(lines)} lines")


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fuzz the decoder of the protocol.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record", help="keep what workers answer while our solutions are graded").add_argument("ps", nargs="*")
    runs = commands.add_parser("run", help="fuzz, guided by coverage")
    runs.add_argument("runs", type=int)
    runs.add_argument("--seed", type=int, default=1)
    subparser = commands.add_parser("round", help="what `run` starts again and again")
    for name in ("runs", "seed", "longest"):
        subparser.add_argument(name, type=int)
    commands.add_parser("covered", help="lines of the decoder that the inputs so far reach")
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.ps)
    elif arguments.command == "run":
        run(arguments.runs, arguments.seed)
    elif arguments.command == "round":
        fuzz_a_round(arguments.runs, arguments.seed, arguments.longest)
    else:
        covered()


if __name__ == "__main__":
    main()
