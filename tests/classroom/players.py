"""A course folder with graded players: submissions of ps3 with one change each, and a ladder that is soon finished."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import numpy as np

from arena.challenge.ladder import LADDER
from autograder.course.storage.report_store import ReportStore
from autograder.grading.report import Outcome, Report
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from autograder.submission.payload import read_payload

PS = "ps3_connect_four"
SIMULATIONS = 7  # of a student's player in these exams; so a change can tell an exam from a hidden check
TWIST = """
honest = uct


def uct(game, state, rng, *, simulations=None, **more):
    {twist}
    return honest(game, state, rng, simulations=simulations, **more)
"""


@lru_cache(maxsize=2)
def solution(ps: str = PS) -> str:
    return build(load(ps), solution=True)[1]


def module(twist: str = "") -> str:
    """The solved module; `twist` is a statement before every search."""
    return f"{solution()}\n\n# %%\n{TWIST.format(twist=twist)}\n" if twist else solution()


def quick_ladder(highest: str = "Random", **changed: object) -> str:
    """Our ladder with cheaper exams: few simulations, few games, few positions."""
    text = LADDER.read_text()
    values = {"student_simulations": SIMULATIONS, "highest": f'"{highest}"', "games": 40, "each": 2, **changed}
    for key, value in values.items():
        text = re.sub(rf"^{key} = \S+", f"{key} = {value}", text, flags=re.M)
    return text


def hand_in(course: Path, student: str, text: str, joint: str = Outcome.PASSED, ps: str = PS) -> Path:
    """Put a module into submitted/ and its report, with only the joint check, into the report folder; return its folder."""
    work = course / "submitted" / student / ps
    work.mkdir(parents=True, exist_ok=True)
    (work / f"{ps}.py").write_text(text)
    report = Report.unjudged(load(ps), read_payload(work, ps).sha256, form="module", note="", outcome=joint)
    ReportStore(course, ps).put(student, report, {})
    return work


def save_weights(folder: Path, channels: int = 32) -> None:
    """Put weights.npz into a folder: random weights of the lesson's network; with another size they do not fit."""
    rng = np.random.default_rng(5)
    shapes = {"conv1": (channels, 2, 3, 3), "conv2": (channels, channels, 3, 3), "hidden": (64, 42 * channels),
              "policy_head": (7, 64), "value_head": (1, 64)}
    arrays = {f"{name}.weight": rng.normal(0, np.prod(shape[1:]) ** -0.5, shape).astype(np.float32)
              for name, shape in shapes.items()}
    biases = {f"{name}.bias": np.zeros(shape[0], np.float32) for name, shape in shapes.items()}
    np.savez(folder / "weights.npz", **arrays, **biases)


def a_course(folder: Path, players: dict[str, str], highest: str = "Random", **changed: object) -> Path:
    """A course with these players, the twist by student; the twist NOT_YET is a player whose joint check failed."""
    folder.mkdir(parents=True)
    (folder / "rungs.toml").write_text(quick_ladder(highest, **changed))
    for student, twist in players.items():
        is_ready = twist != Outcome.NOT_YET
        hand_in(folder, student, module(twist if is_ready else ""), Outcome.PASSED if is_ready else Outcome.NOT_YET)
    return folder


def graded(course: Path) -> dict[str, Report]:
    """The stored reports, by student."""
    store = ReportStore(course, PS)
    return {folder.name: store.get(folder.name) for folder in (course / "submitted").iterdir()}
