"""The exercises of a set measured: numbers that one can work out by hand, and a picture of them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grading.report import ExerciseReport, Report
from autograder.pages.course.class_page import class_page
from autograder.pages.course.items import LEAST, by_id, items, picture
from autograder.pages.short_report import ShortReport


def report(*passes: bool, extra: bool = False, fault: bool = False) -> Report:
    """A report on exercises 1.1, 1.2 and so on, of ten points each; with `extra` the last one is optional."""
    exercises = tuple(
        ExerciseReport(f"1.{place}", f"exercise {place}", "grader fault" if fault else "passed" if ok else "not yet",
                       None if fault else 10.0 * ok, 10.0, ())
        for place, ok in enumerate(passes))
    if extra:
        exercises = (*exercises[:-1], replace(exercises[-1], extra=True))
    return Report("ps2_uct", "notebook", "0" * 64, 0.0, 10.0 * len(passes), "", ()).with_exercises(exercises)


def test_an_exercise_that_only_strong_students_pass_tells_apart_and_one_that_is_passed_by_lot_does_not() -> None:
    """5 of 10 pass the first two; of both halves 2 of 5 pass the last: 0 for it, and for the others 2.5 / (0.5 * 7) = 5 / 7"""
    reports = [report(strong, strong, lucky < 2) for strong in (True, False) for lucky in range(5)]
    first, second, lot = items(reports)
    assert [item.passed for item in (first, second, lot)] == [0.5, 0.5, 0.4]
    assert lot.apart == pytest.approx(0) and first.apart == second.apart == pytest.approx(5 / 7)


def test_an_exercise_that_weak_students_pass_is_below_zero() -> None:
    reports = [report(strong, strong, not strong) for strong in (True, False) for _ in range(5)]
    assert items(reports)[2].apart == -1.0


def test_few_submissions_and_what_all_pass_have_no_number_and_faults_do_not_count() -> None:
    few = [report(True, False)] + [report(False, True)] * (LEAST - 2)
    assert [item.apart for item in items([*few, report(True, True, fault=True)])] == [None, None]
    assert items([*few, report(False, True, fault=True)])[0].passed == 1 / (LEAST - 1)
    assert [item.apart for item in items([report(True, True)] * LEAST)] == [None, None]
    assert items([report(True, fault=True)]) == [] and picture([]) is None and items([]) == []


def test_the_points_of_an_optional_exercise_are_not_taken_off() -> None:
    reports = [report(strong, lucky < 2, extra=True) for strong in (True, False) for lucky in range(5)]
    assert abs(items(reports)[1].apart or 0.0) < 1e-12


def test_a_mend_is_a_pass_at_the_hand_in_after_a_hint() -> None:
    def history(*letters: str) -> list[ShortReport]:
        return [ShortReport(0.0, 0.0, each, f"{number}{each}") for number, each in enumerate(letters)]

    same = [ShortReport(0.0, 0.0, "nn", "same"), ShortReport(0.0, 0.0, "pp", "same")]  # other checks, not another hand-in
    histories = [history("nw", "pp"), history("sn", "nn", "pp"), history("n"), history("nnn", "ppp"), same]
    first, second = items([report(True, True)], histories)
    assert (first.told, first.mended) == (3, 2)  # n to p; s to n, n to p
    assert (second.told, second.mended) == (2, 1)  # what was not written had no hint


def test_the_picture_has_every_exercise_once_and_keeps_its_labels_apart(tmp_path: Path) -> None:
    reports = {f"s{strong}{lucky}": report(strong, strong, lucky < 2) for strong in (True, False) for lucky in range(5)}
    shown = items(reports.values())
    drawn = str(picture(shown))
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)">(1\.\d)</text>', drawn)
    assert sorted(id for *_, id in labels) == ["1.0", "1.1", "1.2"] and len({(x, y) for x, y, _ in labels}) == 3
    places = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)
    assert places[0] == places[1] and float(places[2][1]) > float(places[0][1])  # further down: tells less
    assert "1.2: 40 % pass, +0.00" in drawn.replace("-0.00", "+0.00")
    page = class_page(tmp_path, "ps2_uct", "Set 2", reports, [])
    assert 'class="items"' in page and f"{by_id(shown)['1.0'].apart:+.2f}</td>" in page
    few = dict(list(reports.items())[:3])
    assert 'class="items"' not in class_page(tmp_path, "ps2_uct", "Set 2", few, [])
