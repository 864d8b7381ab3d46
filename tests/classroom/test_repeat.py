"""`python -m autograder repeat` must notice a report that differs, and a point that is lost."""

import pytest

from autograder.selftest import repeat

SAME = {"sha256": "a", "lost": [], "edition": "", "hash_seed": 1}


def counted(monkeypatch, *rows: dict) -> repeat.Tally:
    monkeypatch.setattr(repeat, "_in_a_process", lambda ps, room, start, number: [rows[start // 5]] * number)
    return repeat.repeat("ps2_uct", 5 * len(rows))


@pytest.mark.usefixtures("processes")
def test_equal_reports_with_all_points_are_sound(monkeypatch):
    tally = counted(monkeypatch, SAME, SAME, SAME)
    assert tally.sound and tally.done == 15 and tally.under_load == 10 and tally.hash_seeds == 3
    assert "15 gradings" in tally.line() and "0 failures, all reports the same" in tally.line()


@pytest.mark.usefixtures("processes")
def test_another_report_or_a_lost_point_is_not_sound(monkeypatch):
    assert not counted(monkeypatch, SAME, SAME | {"sha256": "b"}).sound
    tally = counted(monkeypatch, SAME, SAME | {"lost": ["2.4 test_it (not yet)"], "edition": "repeat 5"})
    assert not tally.sound
    assert tally.losses == ["edition 'repeat 5', hash seed 1: 2.4 test_it (not yet)"] * 5


@pytest.mark.usefixtures("processes")
def test_a_process_that_ends_is_a_loss(monkeypatch, tmp_path):
    rows = repeat._in_a_process("ps0_nothing", str(tmp_path), 5, 5)
    assert [row["hash_seed"] for row in rows] == [2] and rows[0]["lost"][0].startswith("the grader ended: ")


@pytest.mark.usefixtures("repetition")
def test_the_solution_is_graded_in_two_editions(monkeypatch):
    monkeypatch.setattr(repeat.os, "cpu_count", lambda: None)
    tally = repeat.repeat("ps2_uct", 2)
    assert tally.sound and tally.done == 2, tally.losses
