"""The solver `bitbully` as a process of its own, for comparisons only.

It is under the AGPL and no part of this project: it is looked for in an environment to be thrown away, and whoever
compares installs it there.
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
    """bitbully is not installed; the text says how it is."""


class BitBully:
    """A bitbully without its book; it ends with the `with` block.

    Raises:
        Missing: it is not installed.
    """

    def __init__(self, python: Path = PYTHON) -> None:
        if not python.exists() or subprocess.run([python, "-c", "import bitbully.bitbully_core"], capture_output=True).returncode:
            raise Missing(f"bitbully is not there to compare with; to install it: {INSTALL}")
        self._process = subprocess.Popen([python, "-c", _WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdin and self._process.stdout  # they are pipes
        self._asked, self._told = self._process.stdin, self._process.stdout

    def __enter__(self) -> "BitBully":
        return self

    def __exit__(self, *_: object) -> None:
        self._asked.close()
        self._process.wait()

    def scores(self, lines: Sequence[Sequence[int]]) -> tuple[list[int], float]:
        """Return the exact score of the position after each line of moves, in our convention, and the CPU seconds in all."""
        self._asked.write(json.dumps([list(line) for line in lines]) + "\n")
        self._asked.flush()
        scores, seconds = json.loads(self._told.readline())
        return scores, seconds
