"""A course folder with graded players: submissions of ps3 with one change each, and a ladder that is soon finished."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from autograder.course.storage.report_store import ReportStore
from autograder.grading.report import Outcome, Report
from autograder.problem_sets.source import load
from autograder.submission.payload import read_payload
from tests.ladders import SIMULATIONS, quick_ladder
from tests.students import hand_in, solved

PS = "ps3_connect_four"
ILLEGAL = f"if simulations == {SIMULATIONS}: return 9, honest(game, state, rng, simulations=1)[1]"  # in an exam alone
TWIST = """
honest = uct


def uct(game, state, rng, *, simulations=None, **more):
    {twist}
    return honest(game, state, rng, simulations=simulations, **more)
"""


def module(twist: str = "") -> str:
    """The solved module; `twist` is a statement before every search."""
    return solved(PS, TWIST.format(twist=twist) if twist else "")


def hand_in_player(course: Path, student: str, text: str, joint: str = Outcome.PASSED, ps: str = PS) -> Path:
    """Hand in a module, and put its report, with only the joint check, into the report folder; return the folder of the work."""
    work = hand_in(course, student, ps, text)
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
        hand_in_player(folder, student, module(twist if is_ready else ""), Outcome.PASSED if is_ready else Outcome.NOT_YET)
    return folder


def graded(course: Path) -> dict[str, Report]:
    """The stored reports, by student."""
    store = ReportStore(course, PS)
    return {folder.name: store.get(folder.name) for folder in (course / "submitted").iterdir()}
