"""The page that a student reads first: what it says, in which order, and that a student's text is only text in it."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from test_gradebook_pages import ELSEWHERE, HOSTILE, LOADING, elsewhere
from typer.testing import CliRunner

from autograder.cli.app import app
from autograder.course.feedback import feedback
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.marks.final_marks import final_rows, write_final
from autograder.gradebook.marks.read_marks import read_marks
from autograder.grading.report import Check, Outcome, Report
from autograder.pages.course.class_page import Background, class_page
from autograder.pages.student import report_page as module
from autograder.pages.student.report_page import ByHand, marked_lines, report_page
from autograder.plain_text import plain_text
from autograder.problem_sets.source import load
from tests.gradebook.tools import tags

PS = "ps2_uct"


def text_of(page: str) -> str:
    """The words of a page, in their order."""
    body = page.split("<body>")[1]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", body)))


def made(report: Report, **given: object) -> str:
    return report_page("ada", load(PS), report, **given)


def with_outcomes(report: Report, **outcomes: Outcome) -> Report:
    """The report with other outcomes, by id with an underscore for the dot."""
    outcome_by_id = {id.replace("_", "."): outcome for id, outcome in outcomes.items()}
    exercises = [replace(exercise, outcome=outcome_by_id[exercise.id],
                         points=0.0 if outcome_by_id[exercise.id] != Outcome.PASSED else exercise.max_points,
                         checks=tuple(replace(check, outcome=outcome_by_id[exercise.id]) for check in exercise.checks))
                 if exercise.id in outcome_by_id else exercise for exercise in report.exercises]
    return replace(report, exercises=tuple(exercises), points=sum(exercise.points or 0.0 for exercise in exercises))


@pytest.fixture
def report(small_class) -> Report:
    """A report in which everything passes."""
    small_class.hand_in("ada")
    return small_class.report("ada")


def test_the_first_screen_says_what_to_do_next_by_what_it_gains(report):
    lost = with_outcomes(report, **{"2_5": Outcome.NOT_YET, "2_9": Outcome.NOT_WRITTEN, "2_2": Outcome.TOO_SLOW})
    worth = {exercise.id: exercise.max_points for exercise in lost.exercises}
    steps = text_of(made(lost)).split("What to do next")[1].split("Exercise by exercise")[0]
    gains = [(float(gain), id) for gain, id in re.findall(r"\+([\d.]+) points (2\.\d+)", steps)]
    assert gains == sorted([(worth[id], id) for id in ("2.5", "2.9", "2.2")], key=lambda gain: -gain[0])
    assert "the property of 2.5 who is to move?" in steps and module.TO_WRITE in steps and module.SLOW in steps
    assert f"{lost.points:g} of 100 points" in text_of(made(lost)) and "9 of 12" not in steps


def test_what_waits_for_others_comes_last_however_much_it_gains(report):
    lost = with_outcomes(report, **{"2_1": Outcome.NOT_YET, "joint": Outcome.NOT_YET})
    joint = replace(lost.exercises[-1], waits_for=("2.1",), max_points=50.0)
    steps = text_of(made(replace(lost, exercises=(*lost.exercises[:-1], joint)))).split("What to do next")[1]
    assert steps.index("2.1") < steps.index("joint check: everything together")
    assert "as soon as the exercises that it needs pass" in steps


def test_the_bar_of_exercises_has_a_legend_of_the_outcomes_that_occur(report):
    lost = with_outcomes(report, **{"2_1": Outcome.NOT_YET, "2_2": Outcome.TOO_SLOW, "joint": Outcome.NOT_YET})
    waiting = replace(lost, exercises=(*lost.exercises[:-1], replace(lost.exercises[-1], waits_for=("2.1",))))
    for shown, words in ((report, ["passed", "not written"]),     # the optional exercise
                         (waiting, ["passed", "not yet", "not written", "too slow", "waits for other exercises"])):
        key = made(shown).split('<p class="key">A field is an exercise, as wide as its points.')[1].split("</p>")[0]
        assert re.findall(r"</i>(.*?)</span>", key) == words
    assert 'title="joint everything together: waits"' in made(waiting)


def test_whoever_has_everything_is_told_so(report):
    words = text_of(made(report))
    assert "Everything passes." in words and "What to do next" not in words


def test_an_exercise_shows_its_first_lost_property_with_the_hint_and_the_others_by_name(report):
    checks = (Check("test_a", "holds", Outcome.PASSED), Check("test_b", "is lost silently", Outcome.NOT_YET),
              Check("test_c", "is lost with words", Outcome.NOT_YET, "Which way round?"))
    lost = with_outcomes(report, **{"2_5": Outcome.NOT_YET})
    exercises = tuple(replace(exercise, checks=checks) if exercise.id == "2.5" else exercise for exercise in lost.exercises)
    section = made(replace(lost, exercises=exercises)).split('id="ex-2-5"')[1].split("</section>")[0]
    words = text_of(f"<body>{section}")
    assert words.index("is lost with words Which way round?") < words.index("1 other property does not hold is lost silently")
    assert "1 property holds holds" in words


def test_code_in_the_words_of_a_check_is_code_and_nothing_else_is(report):
    line = "without `evaluate` and `a < b` a <b>node</b> has one `"
    lost = with_outcomes(report, **{"2_5": Outcome.NOT_YET})
    checks = (Check("test_a", line, Outcome.NOT_YET),)
    exercises = tuple(replace(exercise, checks=checks) if exercise.id == "2.5" else exercise for exercise in lost.exercises)
    page = made(replace(lost, exercises=exercises))
    assert "without <code>evaluate</code> and <code>a &lt; b</code> a &lt;b&gt;node&lt;/b&gt; has one `" in page


def test_the_statement_that_raised_is_marked_in_the_student_s_own_lines(report):
    hint = "IndexError in cell 3, line 4: `return values[9]`. Who is to move?"
    lost = with_outcomes(report, **{"2_5": Outcome.NOT_YET})
    exercises = tuple(replace(exercise, checks=(replace(exercise.checks[0], hint=hint),)) if exercise.id == "2.5" else exercise
                      for exercise in lost.exercises)
    source = "def f(values):\n    if values:\n        return values[9]\n    return values[9]"
    page = made(replace(lost, exercises=exercises), sources={"2.5": source})
    marked = re.findall(r'<tr class="mark"><td class="n">(\d+)</td><td dir="ltr">(.*?)</td>', page)
    assert marked == [("4", "    return values[9]")]
    assert marked_lines(["x = 1", "y = 2"], "no quotation here") == set()
    assert marked_lines(["x = 1", "y = 2", "x = 1"], "ValueError in cell 3, line 40: `x = 1`") == {1, 3}  # another cell's line 40


def test_an_exception_is_told_by_its_kind_its_line_and_its_statement_and_nothing_else(report):
    lost = with_outcomes(report, **{"2_5": Outcome.NOT_YET})
    checks = (Check("test_a", "a property", Outcome.NOT_YET, "KeyError in cell 3, line 1: `x = seen[key]`"),
              Check("test_b", "another property", Outcome.NOT_YET))
    exercises = tuple(replace(exercise, checks=checks) if exercise.id == "2.5" else exercise for exercise in lost.exercises)
    section = made(replace(lost, exercises=exercises)).split('id="ex-2-5"')[1].split("</section>")[0]
    words = text_of(f"<body>{section}").strip().removeprefix(">").strip()
    assert words == ("2.5 backpropagate not yet 0 of 10 Required: a property KeyError in cell 3, line 1: x = seen[key] "
                     "1 other property does not hold another property")
    assert "<code>x = seen[key]</code>" in section


def test_what_changed_since_the_submission_before(report):
    before = replace(with_outcomes(report, **{"2_5": Outcome.NOT_YET, "2_6": Outcome.NOT_YET}), sha256="another")
    now = with_outcomes(report, **{"2_6": Outcome.NOT_YET, "2_7": Outcome.NOT_YET})
    words = text_of(made(now, before=before))
    assert f"{before.points:g} → {now.points:g} points. Gained: 2.5 backpropagate. Lost: 2.7" in words
    assert "Since your last submission" not in text_of(made(now, before=replace(before, sha256=now.sha256)))


def test_marks_comments_and_penalty_stand_in_it(report):
    by_hand = ByHand({"question 2.13": 3.0, "2.5": 4.5}, {"question 2.13": "A <b>good</b> reason.", "2.6": "Ask me."}, 101.5, 5.0)
    words = text_of(made(report, by_hand=by_hand))
    assert "96.5 points: 100 of 100 · by hand +1.5 · late: 5 taken off" in words
    assert "Mark by hand: 4.5" in words and "Ask me." in words and "A <b>good</b> reason." in words


def test_the_page_shows_the_sum_that_counts_and_its_parts(report):
    extra = replace(report, exercises=tuple(replace(each, points=5.0) if each.extra else each for each in report.exercises))
    assert extra.extra_points == 5
    for version, by_hand, shown in (
        (extra, ByHand(score=105.0, penalty=21.0), "84 points: 100 of 100, plus 5 extra · late: 21 taken off"),
        (extra, ByHand(score=105.0), "105 points: 100 of 100, plus 5 extra 14 of"),
        (report, ByHand({"2.5": 7.0}, {}, 97.0), "97 points: 100 of 100 · by hand -3 14 of"),
        (report, ByHand(score=100.0, penalty=100.0), "0 points: 100 of 100 · late: 100 taken off 14 of"),
        (report, ByHand(score=100.0), "100 of 100 points 14 of"), (extra, None, "100 of 100 points, plus 5 extra 14 of"),
    ):
        words = text_of(made(version, by_hand=by_hand))
        assert shown in words and (" points: " in words) == (" points: " in shown)


def test_all_pages_and_tables_ask_for_the_marks_by_hand_that_the_gradebook_asks_for(small_class):
    """cyd's answer has its mark, dan's changed after it; eve's mark of an exercise hides other points than before"""
    store, everybody = ReportStore(small_class.folder, PS), ("ada", "bob", "cyd", "dan", "eve")

    def run(answers: dict[str, str], failed: tuple[str, ...]) -> None:
        for student in everybody:
            small_class.hand_in(student, {"ex2_13": answers[student]} if student in answers else {})
            store.put(student, small_class.report(student, failed if student == "eve" else ()), {})
        small_class.record(**{student: store.get(student) for student in everybody})

    run(dict.fromkeys(("ada", "cyd", "dan"), "My experiment."), failed=())
    for student, cell in {"cyd": "ex2_13", "dan": "ex2_13", "eve": "ex2_5"}.items():
        small_class.mark_by_hand(student, cell, 3.0)
    run({"ada": "My experiment.", "cyd": "My experiment.", "dan": "Another one."}, failed=("2.5",))
    feedback(small_class.folder, PS)
    with small_class.gradebook() as gradebook:
        asked = {student: tuple(grade.name for grade in gradebook.find_submission_notebook(PS, PS, student).grades
                                if grade.needs_manual_grade) for student in everybody}
        marks = read_marks(small_class.folder, gradebook)
    assert asked == {"ada": ("ex2_13",), "bob": (), "cyd": (), "dan": ("ex2_13",), "eve": ("ex2_5",)}
    waiting = {student: cells for student, cells in asked.items() if cells}
    assert marks.to_mark(PS) == waiting
    write_final(small_class.folder, marks)
    rows = final_rows(small_class.folder)
    assert {student for student in rows if "1 to be marked by hand" in rows[student]["note"]} == set(waiting)
    shown = {"ada": "Still to be marked by hand: question 2.13.",
             "dan": "3 points by hand for an earlier answer, not marked again",
             "eve": "Mark by hand: 3 , still to be looked at again"}
    for student in everybody:
        words = text_of((small_class.folder / "feedback" / student / PS / "index.html").read_text())
        assert any(sentence in words for sentence in shown.values()) == (student in waiting)
        assert shown.get(student, "") in words
    assert "Not answered, 0 points by hand: question 2.13." in text_of(
        (small_class.folder / "feedback" / "bob" / PS / "index.html").read_text())
    page = class_page(small_class.folder, PS, "", store.all(), [], background=Background(to_mark=marks.to_mark(PS)))
    assert "3 submissions, in formgrader under Manual Grading : ada (ex2_13), dan (ex2_13), eve (ex2_5)" in text_of(page)


@pytest.mark.parametrize("words", [*HOSTILE, "x" * 10_000])
def test_a_name_a_note_and_code_are_only_text(report, words):
    lost = with_outcomes(replace(report, note=words), **{"2_5": Outcome.NOT_YET})
    page = report_page(words, load(PS), lost, None, {"2.5": f"def f():\n    {words}"}, ByHand(comments={"2.5": words}))
    plain = [tag for tag, _ in tags(made(lost, sources={"2.5": "def f():\n    x"}, by_hand=ByHand(comments={"2.5": "x"})))]
    assert [tag for tag, _ in tags(page)] == plain and elsewhere(page) == []
    assert plain_text(words)[:40] in unescape(page)
    assert not [1 for _, attributes in tags(page) for name in attributes if name.startswith("on") or (
        name in LOADING and ELSEWHERE.match(attributes[name] or ""))]


def test_a_class_gets_its_pages_once_and_anew_where_something_changed(small_class):
    store = ReportStore(small_class.folder, PS)
    for student in ("ada", "bob"):
        small_class.hand_in(student, {"ex2_5_code": "def backpropagate(node, value):\n    return 1 / 0"})
        store.put(student, small_class.report(student, failed=("2.5", "joint")), {})
    small_class.record(**{student: store.get(student) for student in ("ada", "bob")})
    feedback(small_class.folder, PS)
    pages = {student: small_class.folder / "feedback" / student / PS / "index.html" for student in ("ada", "bob")}
    assert "return 1 / 0" in pages["ada"].read_text() and f'href="{PS}.html"' in pages["ada"].read_text()
    before = {student: page.stat().st_mtime_ns for student, page in pages.items()}
    feedback(small_class.folder, PS)
    assert before == {student: page.stat().st_mtime_ns for student, page in pages.items()}
    small_class.mark_by_hand("bob", "ex2_13", 3.0)
    pages["ada"].unlink()
    feedback(small_class.folder, PS)
    assert "question 2.13" in text_of(pages["bob"].read_text()) and pages["ada"].is_file()
    small_class.hand_in("ada", {"ex2_5_code": "def backpropagate(node, value):\n    pass"})
    assert store.put("ada", small_class.report("ada"), {})
    small_class.record(ada=store.get("ada"), bob=store.get("bob"))
    feedback(small_class.folder, PS)
    words = text_of(pages["ada"].read_text())
    assert "85 → 100 points. Gained: 2.5" in words and "Everything passes." in words
    assert store.before("ada").points == 85 and store.before("bob") is None


def test_a_page_that_cannot_be_made_stops_nobody(small_class, monkeypatch):
    store = ReportStore(small_class.folder, PS)
    for student in ("ada", "bob"):
        small_class.hand_in(student)
        store.put(student, small_class.report(student), {})
    small_class.record(ada=store.get("ada"), bob=store.get("bob"))
    make = module.report_page

    def broken(student: str, *rest: object) -> str:
        return 1 / 0 if student == "ada" else make(student, *rest)

    monkeypatch.setattr("autograder.course.feedback.report_page", broken)
    failures: dict[str, list[str]] = {"ada": []}
    feedback(small_class.folder, PS, failures=failures)
    assert "first feedback page could not be made" in failures["ada"][0]
    assert "100 of 100 points" in text_of((small_class.folder / "feedback/ada" / PS / "index.html").read_text())
    assert "Everything passes." in (small_class.folder / "feedback/bob" / PS / "index.html").read_text()


def test_the_command_writes_the_page_of_one_report(small_class, report, tmp_path: Path):
    file = tmp_path / "reports" / "ada" / f"{PS}.json"
    file.parent.mkdir(parents=True)
    file.write_text(with_outcomes(report, **{"2_5": Outcome.NOT_YET}).to_json())
    folder = small_class.hand_in("ada", {"ex2_5_code": "def backpropagate(node, value):\n    return 'mine'"})
    done = CliRunner().invoke(app, ["page", str(file), "--submission", str(folder)])
    assert done.exit_code == 0 and done.output.strip() == str(file.with_suffix(".html")), done.output
    words = text_of(file.with_suffix(".html").read_text())
    assert "ada" in words and "return 'mine'" in words and "the property of 2.5" in words
    wrongs = {"is not a report": [str(tmp_path / "none.json")], "is a folder": [str(file), "--to", str(tmp_path)]}
    for sentence, wrong in wrongs.items():
        refused = CliRunner().invoke(app, ["page", *wrong])
        assert refused.exit_code != 0 and sentence in str(refused.exception), refused.output
