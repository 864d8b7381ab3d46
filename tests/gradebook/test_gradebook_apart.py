"""An error in recording, rendering or exporting one submission affects only this submission; so does its cost."""

import csv
import errno
import os
import re
import shutil
from collections import defaultdict
from dataclasses import replace

import pytest

from arena.challenge.ladder import load_ladder
from arena.challenge.report import PLAYED, ChallengeReport
from autograder.course.challenge import exam_pages
from autograder.course.challenge.class_exams import Challenge, Result
from autograder.course.feedback import feedback
from autograder.course.pipeline import grade_course
from autograder.gradebook import preprocessors
from autograder.gradebook.course import CourseError
from autograder.gradebook.feedback import filters
from autograder.gradebook.feedback import publish as feedback_module
from autograder.gradebook.feedback.filters import safe_markdown
from autograder.gradebook.feedback.safe_html import without_pictures
from autograder.gradebook.recording import challenge as challenge_module
from autograder.gradebook.recording import planning
from autograder.gradebook.recording import record as record_module
from autograder.gradebook.recording.clean import REPLACED, UNSHOWN
from autograder.gradebook.recording.record import Recording
from autograder.limited_child import OverLimit
from autograder.submission.read import read
from tests.gradebook.tools import growth

PS = "ps2_uct"
SECRET = "what bob wrote"


class Ours(Exception):
    """A fault of ours, with a student's text in its message."""


def failing_for_bob(step, when):
    """The step, which raises when `when` says so."""
    def failing(*args, **kwargs):
        if when(*args, **kwargs):
            raise Ours(SECRET)
        return step(*args, **kwargs)
    return failing


def class_of_three(small_class):
    for student in ("ada", "bob", "cyd"):
        small_class.hand_in(student, {"ex2_13": f"The answer of {student}."}, timestamp="2026-02-03 10:11:12 UTC")
    (small_class.folder / "submitted/bob" / PS / "submission_secret.txt").write_text("bob's")
    return {student: small_class.report(student) for student in ("ada", "bob", "cyd")}


def recorded(small_class, reports):
    """Record, and return (changes, troubles, refused)."""
    with Recording(small_class.folder, PS) as recording:
        recording.take((student, None, report) for student, report in reports.items())
        changes = recording.finish()
    recording.forget()
    return changes, dict(recording.failures), recording.refused


def test_a_notebook_that_cannot_be_made_is_recorded_without_the_work(small_class, monkeypatch):
    reports = class_of_three(small_class)
    making = failing_for_bob(record_module.clean_notebook, lambda release, work, report: report is reports["bob"])
    monkeypatch.setattr(record_module, "clean_notebook", making)
    changes, failures, refused = recorded(small_class, reports)
    assert {change.student for change in changes} == {"ada", "bob", "cyd"} and not refused
    assert list(failures) == ["bob"] and "raised Ours in " in failures["bob"][0] and SECRET not in failures["bob"][0]
    assert [row["raw_score"] for row in small_class.export()] == ["100.0"] * 3
    assert UNSHOWN in small_class.autograded("bob").cells[0].source
    assert small_class.cell("ada", "ex2_13").source == "The answer of ada."
    assert feedback(small_class.folder, PS) == ["ada", "bob", "cyd"]
    assert UNSHOWN in small_class.page("bob")
    monkeypatch.undo()  # after the repair the next run shows it, and the points do not change
    changes, failures, _ = recorded(small_class, reports)
    assert (changes, failures) == ([], {}) and small_class.cell("bob", "ex2_13").source == "The answer of bob."


def test_work_that_cannot_be_read_again_is_shown_without_it_and_the_next_run_mends_that(small_class, monkeypatch):
    reports = class_of_three(small_class)

    def unreadable(payload):
        work = read(payload)
        return replace(work, cells=(), failure="took too much memory") if work.sha256 == reports["bob"].sha256 else work

    monkeypatch.setattr(record_module, "read", unreadable)
    _, failures, refused = recorded(small_class, reports)
    assert list(failures) == ["bob"] and not refused and UNSHOWN in small_class.autograded("bob").cells[0].source
    monkeypatch.undo()
    assert recorded(small_class, reports)[:2] == ([], {})
    assert small_class.cell("bob", "ex2_13").source == "The answer of bob."


def test_work_that_was_replaced_for_a_moment_is_recorded_again(small_class):
    reports = class_of_three(small_class)
    path = small_class.folder / "submitted/bob" / PS / f"{PS}.ipynb"
    content = path.read_bytes()
    path.write_bytes(content.replace(b"The answer of bob.", b"Half of an answer."))
    recorded(small_class, reports)
    assert REPLACED in small_class.autograded("bob").cells[0].source
    path.write_bytes(content)
    recorded(small_class, reports)
    assert small_class.cell("bob", "ex2_13").source == "The answer of bob."


def test_whoever_nbgrader_refuses_twice_has_a_small_page_and_the_others_have_everything(small_class, monkeypatch):
    reports = class_of_three(small_class)
    saying = failing_for_bob(preprocessors.say, lambda notebook, report: report is reports["bob"])
    monkeypatch.setattr(preprocessors, "say", saying)
    changes, failures, refused = recorded(small_class, reports)
    assert refused == {"bob"} and "could not record it (raised Ours in preprocessors.py" in failures["bob"][0]
    assert {change.student for change in changes} == {"ada", "cyd"}
    assert SECRET in (small_class.folder / ".work/nbgrader.log").read_text()
    assert feedback(small_class.folder, PS, failures=failures) == ["ada", "cyd"]
    assert "Your points are not affected" in small_class.page("bob")
    assert (small_class.folder / "feedback/bob" / PS / "submission_secret.txt").read_text() == "bob's"
    monkeypatch.undo()
    changes, failures, refused = recorded(small_class, reports)
    assert {change.student for change in changes} == {"bob"} and not failures and not refused
    assert feedback(small_class.folder, PS) == ["bob"] and "The answer of bob." in small_class.page("bob")


def test_whoever_cannot_even_be_planned_is_refused_alone(small_class, monkeypatch):
    reports = class_of_three(small_class)
    reading = failing_for_bob(planning.side_files, lambda course, student, *rest: student == "bob")
    monkeypatch.setattr(planning, "side_files", reading)
    changes, failed = planning.plan(small_class.folder, PS, reports)
    assert {change.student for change in changes} == {"ada", "cyd"} and "raised Ours" in failed["bob"]
    changes, failures, refused = recorded(small_class, reports)
    assert refused == {"bob"} and "raised Ours" in failures["bob"][0]
    assert {change.student for change in changes} == {"ada", "cyd"} == set(small_class.standings())


def test_a_challenge_that_cannot_be_recorded_or_shown_is_one_students(small_class, monkeypatch):
    report = ChallengeReport("ps3_connect_four", "a" * 64, PLAYED, "", 63.5, simulations=400)
    reports, failures = {"ada": report, "bob": replace(report, sha256="b" * 64)}, defaultdict(list)
    writing = failing_for_bob(challenge_module._write, lambda gradebook, student, report: student == "bob")
    monkeypatch.setattr(challenge_module, "_write", writing)
    challenge_module.record_challenge(small_class.folder, reports, failures)
    assert list(failures) == ["bob"] and "challenge could not be recorded (raised Ours" in failures["bob"][0]
    assert [row["student_id"] for row in small_class.export() if row["score"] == "63.5"] == ["ada"]
    making = failing_for_bob(exam_pages.challenge_page, lambda student, report, measured, ladder: student == "bob")
    monkeypatch.setattr(exam_pages, "challenge_page", making)
    challenge = Challenge(load_ladder(), {student: Result(None, report) for student, report in reports.items()})
    assert exam_pages.write_challenge_pages(small_class.folder, challenge, failures) == ["ada", "bob"]
    page = (small_class.folder / "feedback/bob/challenge/challenge.html").read_text(encoding="utf-8")
    assert "63.5 of 100 points" in page and "could not be made" in page and len(failures["bob"]) == 2


def test_a_page_that_cannot_be_made_is_a_small_page(small_class, monkeypatch):
    reports = class_of_three(small_class)
    recorded(small_class, reports)
    steps = feedback_module.Feedback.convert
    monkeypatch.setattr(feedback_module.Feedback, "convert", failing_for_bob(steps, lambda maker, name: "/bob/" in name))
    failures = defaultdict(list)
    feedback(small_class.folder, PS, failures=failures)
    assert list(failures) == ["bob"] and "raised Ours" in failures["bob"][0]
    assert "could not be shown" in small_class.page("bob") and "The answer of cyd." in small_class.page("cyd")
    monkeypatch.undo()
    assert feedback(small_class.folder, PS) == ["bob"] and "The answer of bob." in small_class.page("bob")


@pytest.mark.parametrize("refusal", [OSError(errno.ENOSPC, "No space left on device"), CourseError("of everybody")])
def test_the_trouble_of_everybody_still_stops(small_class, monkeypatch, refusal):
    reports = class_of_three(small_class)

    def full(notebook, report):
        raise refusal

    monkeypatch.setattr(preprocessors, "say", full)
    with pytest.raises(CourseError):
        recorded(small_class, reports)


def test_words_of_a_full_disk_in_a_submission_stop_nobody(small_class, monkeypatch):
    """an error's message can contain a student's text: only its type tells whose fault it is"""
    monkeypatch.setitem(globals(), "SECRET", "No space left on device: database or disk is full")
    test_whoever_nbgrader_refuses_twice_has_a_small_page_and_the_others_have_everything(small_class, monkeypatch)


def test_a_class_run_ends_with_everybodys_grades_pages_and_tables(small_class, monkeypatch):
    reports = class_of_three(small_class)
    assert reports
    making = failing_for_bob(record_module.clean_notebook, lambda release, work, report: "bob" in str(work.cells))
    monkeypatch.setattr(record_module, "clean_notebook", making)
    steps = feedback_module.Feedback.convert
    monkeypatch.setattr(feedback_module.Feedback, "convert", failing_for_bob(steps, lambda maker, name: "/bob/" in name))
    summary = grade_course(small_class.folder, PS, workers=1)
    assert summary.faults == 1 and list(summary.failures) == ["bob"]
    with (small_class.folder / "grades.csv").open(newline="") as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["ada", "bob", "cyd"]
    board = summary.set_page.read_text(encoding="utf-8")
    assert "notebook could not be shown" in board and "feedback page could not be made" in board and SECRET not in board
    assert "The answer of ada." in small_class.page("ada") and "The answer of cyd." in small_class.page("cyd")
    assert re.search(r"<strong>0 of 100 points", small_class.page("bob"))
    monkeypatch.undo()
    mended = grade_course(small_class.folder, PS, workers=1)
    assert mended.faults == 0 and not mended.failures and "The answer of bob." in small_class.page("bob")
    assert not any("earlier marks" in remark for remark in mended.remarks)
    shutil.rmtree(small_class.folder / "submitted" / "bob")  # it was another person's work
    (remark,) = [remark for remark in grade_course(small_class.folder, PS, workers=1).remarks if "earlier marks" in remark]
    assert f"submitted/ no longer has work on {PS} from 'bob': " in remark


# -- the cost of rendering -----------------------------------------------------------------------------------------------


@pytest.fixture
def slow(monkeypatch):
    """Rendering that has no end, fills memory or dies, for a text that asks for it; other tests are not affected."""
    render = filters.render_markdown

    def rendered(source):
        while source.startswith("forever"):
            pass
        if source.startswith("memory"):
            raise MemoryError
        if source.startswith("crash") and os.getpid() != rendering_process:
            os.abort()
        if source.startswith("crash"):
            raise RecursionError
        return render(source)

    rendering_process = os.getpid()
    monkeypatch.setattr(filters, "render_markdown", rendered)
    monkeypatch.setattr(filters, "_kept", {})
    monkeypatch.setattr(filters, "QUICK_S", 0.2)
    monkeypatch.setattr(filters, "TEXT_S", 0.3)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("kind", ["forever", "memory", "crash"])
def test_a_text_that_cannot_be_rendered_is_shown_as_it_is_beside_the_others(slow, kind):
    cells = [{"cell_type": "markdown", "source": f"{kind} *{number}* <b>"} for number in range(3)]
    notebook = {"cells": [*cells, {"cell_type": "markdown", "source": "*honest*"}]}
    assert safe_markdown(f"{kind} *1* <b>", notebook=notebook) == f"<pre>{kind} *1* &lt;b&gt;</pre>"
    assert safe_markdown("*honest*", notebook=notebook) == "<p><em>honest</em></p>\n"


@pytest.mark.usefixtures("processes")
def test_one_page_has_only_so_much_time(slow, monkeypatch):
    monkeypatch.setattr(filters, "PAGE_S", 0.5)
    tried = []

    def counted(*arguments, within=filters.within):
        tried.append(arguments)
        return within(*arguments)

    monkeypatch.setattr(filters, "within", counted)
    cells = [{"cell_type": "markdown", "source": f"forever {number}"} for number in range(50)]
    safe_markdown("forever 0", notebook={"cells": cells})
    assert len(tried) == 2  # 0.3 s each of 0.5 s


def test_an_honest_page_needs_no_child(monkeypatch):
    def child(*arguments):
        raise OverLimit("time", "there was a child")

    monkeypatch.setattr(filters, "within", child)
    monkeypatch.setattr(filters, "_kept", {})
    assert safe_markdown("an *honest* answer") == "<p>an <em>honest</em> answer</p>\n"


PIECES = ["data:image/png;base64,", "data:image/png;base64,+ a\n", "data:image/", "A", "=", "data:image/gif;base64,A=="]


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("piece", PIECES)
def test_pictures_are_found_in_linear_time(piece):
    assert growth(lambda size: without_pictures("data:image/png;base64," + piece * (size // len(piece))), 500_000) < 3


def test_what_looks_like_a_picture_counts_as_text():
    assert safe_markdown("data:image/png;base64,\n" + "+ a\n" * 20_000).startswith("<pre>")
