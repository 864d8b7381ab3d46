"""Follow one submission and one player through the code, and draw their ways: `make figures` runs it.

A real course of one student is graded in this process, sandbox included, while every call is watched. A file is on the way if
one of its functions gets the submission as an argument, or a record that contains it, or its text, which has a mark. The files
inside the sandbox cannot be watched, so they are listed here. The way ends where the report is written.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import graphviz

from arena.challenge.ladder import Ladder, load_ladder
from arena.challenge.report import ChallengeReport
from autograder.challenge.exam.referee import RefereedPlayer
from autograder.challenge.exam.whole_exam import run_exam_of
from autograder.challenge.model import Conditions, ExamResult
from autograder.challenge.player.sandboxed import SandboxedPlayer
from autograder.cli import class_commands
from autograder.course.pipeline import grade_course
from autograder.course.storage.report_store import ReportStore
from autograder.grading.config import Graded
from autograder.grading.report import Report
from autograder.grading.submission_runner import SubmissionRunner, close_idle
from autograder.paths import REPOSITORY
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from autograder.submission.discover import Entry
from autograder.submission.payload import Payload, read_payload
from autograder.submission.read import Submission

FOLDER = REPOSITORY / "docs" / "figures"
PS, PLAYERS_SET = "ps2_uct", "ps3_connect_four"
SUBMISSION = (Entry, Payload, Submission, SubmissionRunner, Graded, Report)
PLAYER = (Payload, Submission, SandboxedPlayer, RefereedPlayer, ExamResult, ChallengeReport)
MARK = "# the way of this submission"
INSIDE = ("autograder/sandbox/inside/worker.py", "autograder/sandbox/inside/loader.py")
COLOURS = {"cli": "#e9d8fd", "course": "#c6f6d5", "workers": "#feebc8", "grading": "#bee3f8", "challenge": "#bee3f8",
           "sandbox": "#fed7d7", "submission": "#fefcbf"}


@contextmanager
def watched(kinds: tuple[type, ...], until: CodeType | None = None) -> Iterator[list[str]]:
    """Yield the files whose functions get a value of these kinds, by first visit, until a call of `until` has ended."""
    files: list[str] = []
    over, ours = False, f"{REPOSITORY}/autograder/"

    def look(frame: FrameType, event: str, result: Any) -> None:
        nonlocal over
        code = frame.f_code
        if over or event not in ("call", "return") or not code.co_filename.startswith(ours):
            return
        name = code.co_filename.removeprefix(f"{REPOSITORY}/")
        if name not in files:
            values = [result] if event == "return" else list(frame.f_locals.values())
            if any(_holds(value, kinds) for value in values):
                files.append(name)
        over = code is until and event == "return"

    sys.setprofile(look)
    threading.setprofile(look)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def _holds(value: object, kinds: tuple[type, ...], depth: int = 3) -> bool:
    """Say whether a value is of one of the kinds, is the marked text, or is a record or sequence that contains one of them."""
    is_text = isinstance(value, str) and MARK in value or isinstance(value, bytes) and MARK.encode() in value
    if is_text or isinstance(value, kinds):
        return True
    if depth == 0:
        return False
    inner = value[:4] if isinstance(value, (tuple, list)) else vars(value).values() if _is_ours(value) else ()
    return any(_holds(entry, kinds, depth - 1) for entry in inner)


def _is_ours(value: object) -> bool:
    """Say whether a value is a record of the autograder."""
    return type(value).__module__.startswith("autograder.") and hasattr(value, "__dict__")


class InThisThread(Executor):
    """Runs each job at once in this thread: one process is watched, and a sandbox ends with the thread that started it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the job and return its result as a finished future."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def way_of_a_submission(folder: Path) -> list[str]:
    """Grade a course of one student in `folder`; return the files from the command line to the report."""
    work = folder / "submitted" / "ada" / PS
    close_idle()  # an idle sandbox from before would shorten the way
    work.mkdir(parents=True)
    (work / f"{PS}.py").write_text(f"{MARK}\n{build(load(PS), solution=True)[1]}")
    with watched(SUBMISSION, until=ReportStore.put.__code__) as files:
        grade_course(folder, PS, 1, InThisThread(), feedback=False)
    return [_name(class_commands.__file__), *_with_inside(files)]


def way_of_a_player(folder: Path) -> list[str]:
    """Hold the exam of our own player with a ladder of one easy rung; return the files from the worker to the report."""
    close_idle()
    (folder / f"{PLAYERS_SET}.py").write_text(f"{MARK}\n{build(load(PLAYERS_SET), solution=True)[1]}")
    with watched(PLAYER) as files:
        run_exam_of(read_payload(folder, PLAYERS_SET), Conditions(b"an edition", _easy(load_ladder())))
    return _with_inside(files)


def _with_inside(files: list[str]) -> list[str]:
    """Insert the files inside the sandbox after the last file that communicates with it."""
    last = max(place for place, name in enumerate(files) if name.startswith("autograder/sandbox/"))
    return [*files[: last + 1], *INSIDE, *files[last + 1 :]]


def _easy(ladder: Ladder) -> Ladder:
    rung = replace(ladder.rungs[0], games=2, fail=0.001, pass_=0.002)  # the first pair of games decides
    return replace(ladder, rungs=(rung,), highest=rung.name, student_simulations=5, error_odds=1.001,
                   perfect=replace(ladder.perfect, games=2), quality=replace(ladder.quality, each=1))


def _name(file: str | None) -> str:
    return str(Path(str(file)).relative_to(REPOSITORY))


def drawn(files: list[str]) -> graphviz.Digraph:
    """Return a picture of a way: a frame for each package, a box for each file, numbered in the order of the first visit."""
    dot = graphviz.Digraph(graph_attr={"rankdir": "LR", "nodesep": "0.12", "ranksep": "0.35", "fontname": "Helvetica"},
                           node_attr={"shape": "box", "style": "filled,rounded", "fontname": "Helvetica", "fontsize": "11",
                                      "height": "0.3", "margin": "0.1,0.04"}, edge_attr={"color": "#718096", "arrowsize": "0.7"})
    packages: dict[str, list[tuple[int, str]]] = {}
    for number, name in enumerate(files, 1):
        package, _, rest = name.removeprefix("autograder/").removesuffix(".py").partition("/")
        packages.setdefault(package, []).append((number, rest))
    for package, inside in packages.items():
        with dot.subgraph(name=f"cluster_{package}") as frame:
            frame.attr(label=package, style="rounded", color="#a0aec0", fontsize="12")
            for number, rest in inside:
                frame.node(str(number), f"{number}  {rest}", fillcolor=COLOURS.get(package, "#edf2f7"))
    for number in range(1, len(files)):
        # an arrow without a constraint starts no new column, which makes the picture three times as narrow
        dot.edge(str(number), str(number + 1), constraint="true" if number % 3 else "false")
    return dot


def main() -> None:
    """Draw both ways and print their files."""
    for name, way in (("way_of_a_submission", way_of_a_submission), ("way_of_a_player", way_of_a_player)):
        with tempfile.TemporaryDirectory() as folder:
            files = way(Path(folder))
        (FOLDER / f"{name}.svg").write_bytes(drawn(files).pipe(format="svg"))
        print(f"wrote {FOLDER / name}.svg", *files, sep="\n    ")


if __name__ == "__main__":
    main()
