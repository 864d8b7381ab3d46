"""A dropped exercise in the real gradebook: nothing of it counts anywhere, and all of it is there again afterwards."""

import csv
from datetime import UTC, datetime

from autograder.course.feedback import feedback
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import prepare
from autograder.gradebook.marks.final_marks import FinalMarks
from autograder.gradebook.marks.platforms import canvas_table
from autograder.gradebook.marks.read_marks import read_marks
from autograder.grading.dropped_exercises import drop, read_dropped, read_entries, write_dropped
from autograder.problem_sets.source import load
from tests.gradebook.conftest import PS, SmallClass

WORTH = load(PS).exercise("2.5").points


def run(course: SmallClass) -> tuple[FinalMarks, list]:
    """What a run does with two students, of whom bob fails 2.5; the marks, and the changes of points."""
    prepare(course.folder, PS)
    store, dropped = ReportStore(course.folder, PS), read_dropped(course.folder, PS)
    for student, failed in {"ada": (), "bob": ("2.5",)}.items():
        store.put(student, drop(course.report(student, failed), dropped), {})
    changes = course.record(**store.all())
    feedback(course.folder, PS)
    with course.gradebook() as gradebook:
        return read_marks(course.folder, gradebook, datetime(2026, 3, 1, tzinfo=UTC)), changes


def everywhere(course: SmallClass, marks: FinalMarks) -> dict[str, list[float]]:
    """By student the mark of our table, nbgrader's export and Canvas, and the maxima of the first two."""
    exported = {row["student_id"]: row for row in course.export()}
    canvas = {row["SIS Login ID"]: row for row in csv.DictReader(canvas_table(marks).text.splitlines())}
    return {student: [marks.final(student, PS), float(exported[student]["score"]), float(canvas[student][PS]),
                      marks.assignments[PS], float(exported[student]["max_score"])] for student in ("ada", "bob")}


def test_what_is_dropped_counts_nowhere_and_comes_back(small_class):
    for student in ("ada", "bob"):
        small_class.hand_in(student)
    (small_class.folder / "autograded" / "nobody" / PS).mkdir(parents=True)  # of whom the gradebook knows nothing
    marks, _ = run(small_class)
    small_class.mark_by_hand("bob", "ex2_5", 3)
    whole = marks.assignments[PS]
    write_dropped(small_class.folder, PS, "2.5", "not taught")
    marks, changes = run(small_class)
    assert everywhere(small_class, marks) == dict.fromkeys(("ada", "bob"), [100 - WORTH] * 3 + [whole - WORTH] * 2)
    assert [(change.student, change.old, change.new, change.cause) for change in changes] == [("ada", WORTH, 0, "dropped")]
    assert read_entries(small_class.folder, PS)["2.5"]["by_hand"] == {"bob": [3, None]}
    page = (small_class.folder / "feedback" / "bob" / PS / "index.html").read_text()
    assert f"of {100 - WORTH} points" in page and "does not count" in page and "13 of 13 exercises pass" in page
    assert f"{100 - WORTH} points" in small_class.page("bob")

    small_class.mark_by_hand("ada", "ex2_5", 2)  # nothing of it counts, whenever it is entered
    assert run(small_class)[0].final("ada", PS) == 100 - WORTH

    write_dropped(small_class.folder, PS, "2.5", "it was taught", undo=True)
    marks, changes = run(small_class)
    back = {"ada": 100 - WORTH + 2, "bob": 100 - WORTH + 3}
    assert everywhere(small_class, marks) == {student: [mark] * 3 + [whole] * 2 for student, mark in back.items()}
    assert [change.cause for change in changes] == ["dropped"] and read_entries(small_class.folder, PS) == {}
