"""The solver `bitbully` in a separate process, for comparisons only.

bitbully is under the AGPL and no part of this project. The comparison looks for it in a separate environment; anyone who
compares installs it there, and may delete the environment afterwards.
"""
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

PYTHON = Path("build/bitbully/bin/python")
INSTALL = f"python3 -m venv {PYTHON.parents[1]} && {PYTHON.parent}/pip install bitbully==0.0.79"
_WORKER = """
import json, sys, time
from bitbully.bitbully_core import BitBullyCore, BoardCore
solver = BitBullyCore()
for line in sys.stdin:
    boards = []
    for moves in json.loads(line):
        boards.append(BoardCore())
        for column in moves:
            boards[-1].play(column)
    start = time.process_time()
    scores = [solver.mtdf(board, 0) for board in boards]
    print(json.dumps([scores, time.process_time() - start]), flush=True)
"""


class Missing(Exception):
    """bitbully is not installed; the text says how to install it."""


class BitBully:
    """bitbully without its book; it ends with the `with` block.

    Raises:
        Missing: bitbully is not installed.
    """

    def __init__(self, python: Path = PYTHON) -> None:
        if not python.exists() or subprocess.run([python, "-c", "import bitbully.bitbully_core"], capture_output=True).returncode:
            raise Missing(f"bitbully is not installed; to install it: {INSTALL}")
        self._process = subprocess.Popen([python, "-c", _WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdin and self._process.stdout  # they are pipes
        self._requests, self._replies = self._process.stdin, self._process.stdout

    def __enter__(self) -> "BitBully":
        return self

    def __exit__(self, *_: object) -> None:
        self._requests.close()
        self._process.wait()

    def scores(self, lines: Sequence[Sequence[int]]) -> tuple[list[int], float]:
        """Return the exact score after each line of moves, in our convention, and the total of CPU seconds."""
        self._requests.write(json.dumps([list(line) for line in lines]) + "\n")
        self._requests.flush()
        scores, seconds = json.loads(self._replies.readline())
        return scores, seconds
