"""The number of workers that fit: the cores that a container pays for, and the memory that is free."""

import os
from pathlib import Path

import pytest

from autograder.workers import capacity

ALLOWED = len(os.sched_getaffinity(0))


@pytest.mark.parametrize("text, expected", [
    ("max 100000\n", ALLOWED),
    ("100000 100000\n", 1),
    ("50000 100000\n", 1),  # half a core still has one worker
    (f"{1000 * ALLOWED}00000 100000\n", ALLOWED),
    ("", ALLOWED),
    ("nonsense\n", ALLOWED),
])  # fmt: skip
def test_a_container_s_quota_limits_the_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: int) -> None:
    monkeypatch.setattr(capacity, "CPU_MAX", tmp_path / "cpu.max")
    assert capacity.cores() == ALLOWED  # no such file
    (tmp_path / "cpu.max").write_text(text)
    assert capacity.cores() == expected and 1 <= capacity.workers_that_fit() <= expected


def test_a_quota_of_one_and_a_half_cores_is_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "CPU_MAX", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)))
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    assert capacity.cores() == 2
