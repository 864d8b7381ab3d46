"""What tests of the gradebook ask about its pages, and how they run its commands."""

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from autograder.gradebook import course as courses
from autograder.paths import REPOSITORY


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess:
    """Run this Python in a folder, with the repository importable."""
    courses.tools_on_path()
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


class _Tags(HTMLParser):
    """Collects every tag with its attributes, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))


def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    """The tags of a page: (name, attributes)."""
    parser = _Tags()
    parser.feed(page)
    parser.close()
    return parser.tags


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times longer work takes on twice as much, measured twice, each time by the root: 2 is linear, 4 quadratic.

    The fastest of three counts, in CPU time, so that a busy machine gives the same; work of no measurable time gives 1.
    """
    def seconds(size: int) -> float:
        taken = []
        for _ in range(3):
            before = time.process_time()
            work(size)
            taken.append(time.process_time() - before)
        return min(taken)

    small, large = seconds(size), seconds(4 * size)
    return math.sqrt(large / small) if large > 0.02 else 1.0
