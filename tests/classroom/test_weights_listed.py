"""The grading of ps5 compares the weights beside the submissions and lists those that are close, but takes no point."""

import numpy as np
import pytest

from autograder.course.pipeline import grade_course
from autograder.course.summary import Summary
from tests.students import hand_in, stub

pytestmark = pytest.mark.usefixtures("processes")

PS = "ps5_alphazero"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    course, rng = tmp_path_factory.mktemp("weights"), np.random.default_rng(3)
    weights = {"hidden.weight": rng.normal(size=(64, 200)).astype(np.float32)}
    brought = {"ada": weights, "bela": {"renamed": 3 * weights["hidden.weight"]}, "carl": {"w": rng.normal(size=(64, 200))}}
    for student in (*brought, "dora", "emil"):
        folder = hand_in(course, student, PS, stub(PS))
        if student in brought:
            np.savez(folder / "weights.npz", **brought[student])
    hand_in(course, "emil", PS, b"\x80\x04 a pickle", "weights.npz")
    return grade_course(course, PS, 2, feedback=False)


@pytest.mark.usefixtures("repetition")
def test_near_weights_and_unreadable_ones_are_on_the_instructors_page(graded: Summary) -> None:
    page = graded.set_page.read_text()
    for words in ("the weights.npz of &#39;ada&#39; is near that of &#39;bela&#39;", "is a pickle, which is never opened here"):
        assert words in page
    assert not any("carl" in remark for remark in graded.remarks)


@pytest.mark.usefixtures("repetition")
def test_the_table_has_everybody_who_brought_weights(graded: Summary) -> None:
    rows = [row.split(",") for row in (graded.course / "weights.csv").read_text().splitlines()]
    assert rows[0] == ["student", "nearest", "distance", "remark"]
    assert [(row[0], row[3]) for row in rows[1:]] == [("ada", "near"), ("bela", "near"), ("carl", "")]


@pytest.mark.usefixtures("repetition")
def test_no_report_says_a_word_of_it(graded: Summary) -> None:
    reports = {(graded.course / "reports" / student / f"{PS}.json").read_bytes() for student in ("ada", "carl", "dora")}
    assert len(reports) == 1 and graded.faults == 0  # with close weights, with own weights, without any
