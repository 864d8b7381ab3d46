"""Files that are complete or not there, and tables whose text no spreadsheet runs."""

import csv
import os
import re
import stat

import pytest

from arena.files import read_regular, write_atomic, write_if_changed
from autograder.csv_text import neutral
from autograder.gradebook.tables import Change, write_changes, write_grades
from autograder.selftest.attack.pages import begins_formula, formulas
from tests.gradebook.tools import growth


def test_a_file_is_replaced_with_its_mode_and_nothing_stays_beside_it(tmp_path):
    path = tmp_path / "folder" / "secret"
    write_atomic(path, b"old", mode=0o600)
    write_atomic(path, "new \u2713\n", mode=0o600)
    assert path.read_text(encoding="utf-8") == "new \u2713\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == ["secret"]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    write_atomic(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomic(path, "\ud800")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_link_is_replaced_and_its_target_untouched(tmp_path):
    (tmp_path / "target").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_atomic(tmp_path / "link", "mine")
    assert (tmp_path / "target").read_text() == "precious"
    assert not (tmp_path / "link").is_symlink()


def test_an_equal_file_keeps_its_time(tmp_path):
    path = tmp_path / "file"
    assert write_if_changed(path, "same")
    before = path.stat().st_mtime_ns
    assert not write_if_changed(path, "same")
    assert path.stat().st_mtime_ns == before
    assert write_if_changed(path, "sam")


def test_only_regular_files_are_read(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    assert read_regular(tmp_path / "file", 5) == b"12345"
    assert read_regular(tmp_path / "file", 4) is None
    for name in ("link", "pipe", "absent", ".", "nul\0byte"):
        assert read_regular(f"{tmp_path}/{name}", 100) is None, name


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_changes_come_in_the_order_of_the_exercises(tmp_path):
    changes = [
        Change("bob", "joint", 5.0, 0.0, "suite"), Change("bob", "2.10", "undecided", 8.0, "fault"),
        Change("bob", "2.9", 0.0, 14.0, "edition", hidden_by=7.5), Change("ada", "2.12", 1.0, 0.0, "submission"),
        Change("ada", "2.11", None, 9.0, "submission"),  # first points change nothing
    ]
    write_changes(tmp_path, "ps2_uct", changes)
    assert rows(tmp_path / "changes.csv")[1:] == [
        ["ada", "ps2_uct", "2.12", "1", "0", "submission", ""], ["bob", "ps2_uct", "2.9", "0", "14", "edition", "7.5"],
        ["bob", "ps2_uct", "2.10", "undecided", "8", "fault", ""], ["bob", "ps2_uct", "joint", "5", "0", "suite", ""],
    ]


def test_no_changes_are_a_header_alone(tmp_path):
    write_changes(tmp_path, "ps2_uct", [])
    assert len(rows(tmp_path / "changes.csv")) == 1


def test_a_row_of_grades(small_class):
    small_class.hand_in("ada")
    report = small_class.report("ada", failed=("2.5", "joint"), note="line one\nline two")
    write_grades(small_class.folder, {"ada": report})
    header, row = rows(small_class.folder / "grades.csv")
    cells = dict(zip(header, row, strict=True))
    assert (cells["student"], cells["problem_set"], cells["2.5"], cells["2.9"]) == ("ada", "ps2_uct", "0", "14")
    assert (cells["total"], cells["max"], cells["outcomes"]) == ("85", "100", "12 passed, 2 not yet, 1 not written")
    assert cells["note"] == "line one line two"
    assert header[2:-5][-3:] == ["2.14", "2.15", "joint"]


FORMULAS = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", " =1+1", "\uff1dcmd", "\u3000\uff1dcmd", "\u2212\u200b1"]


@pytest.mark.parametrize("name", FORMULAS)
def test_a_name_is_never_a_formula(small_class, name):
    small_class.hand_in("ada")
    report = small_class.report("ada", note=f"ada;{name}")
    write_grades(small_class.folder, {name: report, "ada": report})
    write_changes(small_class.folder, "ps2_uct", [Change(name, "2.5", 0.0, 1.0, "submission")])
    assert len(rows(small_class.folder / "changes.csv")) == 2
    assert list(formulas(small_class.folder)) == []
    assert "ada" in [row[0] for row in rows(small_class.folder / "grades.csv")]


BEFORE = ["", " ", "\u00a0", "\u3000", "\u2003", "\u200b", "\ufeff", "\u202e", "\t", "\r", "\n", "\x00", "\x1b[0m", "\x85",
          "\u2028", "\u3164", "\u2800", "'", '"', "\ufe0f", "\u0301", "\ud800", "a;", "a; ", 'a;"', "a|", "a\t", "a;\u200b "]


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("before", BEFORE, ids=ascii)
def test_no_letter_before_a_formula_keeps_it_one(before):
    """nor a letter that is compatible with one: the test looks through all of Unicode"""
    starts = [chr(number) for number in range(0x110000) if begins_formula(chr(number))]
    assert {"=", "+", "-", "@", "|", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe63", "\u2212"} <= set(starts)
    for start in starts:
        cell = neutral(f"{before}{start}cmd|' /C calc'!A0")
        assert not any(map(begins_formula, re.split("[;\t|\n\r]", cell)[:2])), (before, start, cell)


@pytest.mark.parametrize("text", ["ada", "zoë", "o'brien", "", "a - b", "x = 1", "7.5", "a; b", "11 passed, 2 not yet", "李=四"])
def test_an_honest_cell_stays_as_it_is(text):
    assert neutral(text) == text


@pytest.mark.usefixtures("computing")
@pytest.mark.first_shows
@pytest.mark.parametrize("piece", [" ", ";", "; ", "'", "\t", "|", "\u3164"])
def test_a_cell_is_made_harmless_in_linear_time(piece):
    assert growth(lambda size: neutral(piece * size + "a"), 100_000) < 3
