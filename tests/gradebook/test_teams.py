"""Teams: one hand-in, a mark and a page for each member, and nothing of it at anybody else."""

import csv
import json

import pytest

from autograder.course.feedback import feedback
from autograder.course.roster import list_submissions
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import prepare, taken_away
from autograder.gradebook.extension import extend
from autograder.gradebook.recording.record import Recording
from autograder.grading.report import Report
from tests.commands import autograder_here
from tests.gradebook.conftest import PS, SmallClass
from tests.gradebook.returning import Returning
from tests.students import hand_in, own_answers, stub

COURSE = f"[course]\nsets = ['{PS}']\n[due]\n{PS} = 2026-02-03T12:00:00\n[late]\npercent_per_day = 10\n"
TEAMS = "id,team\nada,red\nbob,red\n"
ON_TIME, LATE = "2026-02-03 11:00:00 UTC", "2026-02-04 13:00:00 UTC"  # the second is two days begun
ANSWER = "ex2_13"


@pytest.fixture
def course(small_class: SmallClass) -> SmallClass:
    (small_class.folder / "course.toml").write_text(COURSE)
    (small_class.folder / "roster.csv").write_text("id,more_days\nada,\nbob,\ncyd,\n")
    (small_class.folder / "teams.csv").write_text(TEAMS)
    prepare(small_class.folder, PS)
    return small_class


def run(course: SmallClass, **failed: tuple[str, ...]) -> list[str]:
    """Record everybody who has handed in or is in a team, as a run does; return the remarks."""
    listed = list_submissions(course.folder, PS)
    reports: dict[str, Report] = {}
    for entry in listed.entries:
        owner = entry.folder.parent.name
        reports[entry.student] = course.report(owner, failed.get(owner, ()))
        ReportStore(course.folder, PS).put(entry.student, reports[entry.student], {})
    with Recording(course.folder, PS) as recording:
        recording.take((student, None, report) for student, report in reports.items())
        recording.finish()
    recording.forget()
    assert not recording.failures
    return [*listed.remarks, *recording.remarks]


def marks(course: SmallClass) -> dict[str, float]:
    return {row["student_id"]: float(row["score"]) for row in course.export() if row["timestamp"]}


def page_of(course: SmallClass, student: str) -> str:
    return (course.folder / "feedback" / student / PS / "index.html").read_text(encoding="utf-8")


def test_both_have_the_mark_and_a_page_and_nobody_is_missing(course: SmallClass) -> None:
    course.hand_in("ada", timestamp=ON_TIME)
    (course.folder / "submitted" / "ada" / PS / "submission_secret.txt").write_text("ada's own")
    course.hand_in("cyd", timestamp=ON_TIME)
    assert run(course, ada=("2.5",)) == [] and list_submissions(course.folder, PS).missing == ()
    assert marks(course) == {"ada": 90.0, "bob": 90.0, "cyd": 100.0}
    feedback(course.folder, PS)
    assert "In a team with bob: handed in by you." in page_of(course, "ada")
    assert "In a team with ada: handed in by ada." in page_of(course, "bob") and "In a team" not in page_of(course, "cyd")
    secrets = {student: (course.folder / "feedback" / student / PS / "submission_secret.txt").read_text()
               for student in ("ada", "bob", "cyd")}
    assert secrets["ada"] == "ada's own" and len(set(secrets.values())) == 3  # with hers, she would fetch his page
    assert [entry.student for entry in list_submissions(course.folder, PS).works] == ["ada", "cyd"]
    assert not (course.folder / "submitted" / "bob").exists()  # the grader writes nothing there


def test_of_two_hand_ins_the_last_one_counts_for_both_and_staff_are_told(course: SmallClass) -> None:
    course.hand_in("ada", timestamp=ON_TIME)
    course.hand_in("bob", {ANSWER: "later"}, timestamp="2026-02-03 11:30:00 UTC")
    remark, _ = run(course, bob=("2.5",))  # and that cyd has handed in nothing
    assert remark == "'ada' and 'bob' are a team, and each has handed in: the last hand-in counts for all of them, that of 'bob'"
    assert marks(course) == {"ada": 90.0, "bob": 90.0}
    course.hand_in("ada", timestamp="2026-02-03 11:45:00 UTC")
    run(course)
    assert marks(course) == {"ada": 100.0, "bob": 100.0}


@pytest.mark.parametrize("whose", ["ada", "bob"])
def test_more_time_for_one_is_more_time_for_the_team(course: SmallClass, whose: str) -> None:
    course.hand_in("ada", timestamp=LATE)
    run(course)
    assert marks(course) == {"ada": 80.0, "bob": 80.0}
    extend(course.folder, PS, {whose: 24})
    run(course)
    assert marks(course) == {"ada": 90.0, "bob": 90.0}
    (course.folder / "roster.csv").write_text(f"id,more_days\n{whose},1\ncyd,\n{'ada' if whose == 'bob' else 'bob'},\n")
    run(course)
    assert marks(course) == {"ada": 100.0, "bob": 100.0}
    (course.folder / "teams.csv").unlink()  # each alone again: the other one has no more time
    course.hand_in("bob", timestamp=LATE)
    run(course)
    assert marks(course) == {whose: 100.0, "ada" if whose == "bob" else "bob": 80.0}


def test_each_pays_with_tokens_of_their_own(course: SmallClass) -> None:
    (course.folder / "course.toml").write_text(COURSE + "[tokens]\neach = 2\n")
    course.hand_in("ada", timestamp=LATE)
    run(course)
    assert marks(course) == {"ada": 100.0, "bob": 100.0}
    spent = [json.loads(line) for line in (course.folder / "log.jsonl").read_text().splitlines()]
    assert [(entry["student"], entry["tokens"]) for entry in spent] == [("ada", 2), ("bob", 2)]


def test_a_mark_by_hand_for_one_is_a_mark_for_both_and_two_are_told(course: SmallClass) -> None:
    course.hand_in("ada", {ANSWER: "what we found"}, timestamp=LATE)
    course.hand_in("cyd", {ANSWER: "what we found"}, timestamp=LATE)  # equal work, and no team
    run(course)
    course.mark_by_hand("bob", ANSWER, 4.0)
    with course.gradebook() as gradebook:
        gradebook.find_comment(ANSWER, PS, PS, "bob").manual_comment = "a clear plot"
        gradebook.db.commit()
    assert run(course) == []
    assert marks(course) == {"ada": pytest.approx(83.2), "bob": pytest.approx(83.2), "cyd": pytest.approx(80.0)}
    with course.gradebook() as gradebook:
        assert gradebook.find_comment(ANSWER, PS, PS, "ada").manual_comment == "a clear plot"
        assert gradebook.find_comment(ANSWER, PS, PS, "cyd").manual_comment is None
    course.mark_by_hand("ada", ANSWER, 3.0)
    (remark,) = run(course)
    assert remark == ("one hand-in of a team, two marks for ex2_13: 'ada' has 3.0, 'bob' has 4.0. "
                      "Correct one of them in formgrader")


def test_a_mark_that_is_corrected_where_it_was_entered_is_corrected_for_both(course: SmallClass) -> None:
    course.hand_in("ada", {ANSWER: "what we found"}, timestamp=ON_TIME)

    def enter(student: str, score: float | None, comment: str | None = None) -> list[tuple[float | None, bool, str | None]]:
        with course.gradebook() as gradebook:
            grade = gradebook.find_grade(ANSWER, PS, PS, student)
            grade.manual_score, grade.needs_manual_grade = score, score is None
            gradebook.find_comment(ANSWER, PS, PS, student).manual_comment = comment
            gradebook.db.commit()
        assert run(course) == ["no submission from 'cyd'"]
        with course.gradebook() as gradebook:
            rows = [(gradebook.find_grade(ANSWER, PS, PS, member), gradebook.find_comment(ANSWER, PS, PS, member))
                    for member in ("ada", "bob")]
            return [(grade.manual_score, grade.needs_manual_grade, comment.manual_comment) for grade, comment in rows]

    run(course)
    assert enter("bob", 4.0, "good") == [(4.0, False, "good")] * 2
    assert enter("bob", 2.5, "good, but short") == [(2.5, False, "good, but short")] * 2
    assert enter("bob", None) == [(None, True, None)] * 2  # an emptied box stays empty
    assert enter("bob", 3.0) == [(3.0, False, None)] * 2
    course.mark_by_hand("ada", ANSWER, 1.0)
    assert "'ada' has 1.0, 'bob' has 3.0" in run(course)[-1]
    course.mark_by_hand("bob", ANSWER, 1.0)
    assert run(course) == ["no submission from 'cyd'"]
    (course.folder / "teams.csv").write_text("id,team\nada,red\ncyd,red\n")  # another team: nobody's mark is taken away
    run(course)
    assert [course.grade_row(student, ANSWER)["manual_score"] for student in ("ada", "bob", "cyd")] == [1.0] * 3


def test_a_mark_of_an_earlier_answer_goes_to_nobody(course: SmallClass) -> None:
    (course.folder / "teams.csv").unlink()
    course.hand_in("bob", {ANSWER: "my own answer"}, timestamp=ON_TIME)
    run(course)
    course.mark_by_hand("bob", ANSWER, 5.0)
    (course.folder / "teams.csv").write_text(TEAMS)
    course.hand_in("ada", {ANSWER: "another answer"}, timestamp="2026-02-03 11:30:00 UTC")
    run(course)
    assert course.grade_row("ada", ANSWER)["manual_score"] is None
    course.mark_by_hand("ada", ANSWER, 1.0)
    run(course)
    assert [course.grade_row(student, ANSWER)["manual_score"] for student in ("ada", "bob")] == [1.0, 1.0]


def test_a_team_that_ends_keeps_what_was_recorded_and_says_so(course: SmallClass) -> None:
    course.hand_in("ada", timestamp=ON_TIME)
    run(course)
    assert taken_away(course.folder, PS) == []
    (course.folder / "teams.csv").write_text(f"id,team,set\nada,red,\nbob,red,\nada,,{PS}\nbob,,{PS}\n")
    assert [entry.student for entry in list_submissions(course.folder, PS).entries] == ["ada"]
    run(course, ada=("2.5",))
    assert taken_away(course.folder, PS) == ["bob"]  # the run names him and that his mark stays
    assert marks(course) == {"ada": 90.0, "bob": 100.0}
    course.hand_in("bob", timestamp=LATE)
    run(course)
    assert marks(course) == {"ada": 100.0, "bob": 80.0}


def said(*words: object, status: int = 0) -> str:
    done = autograder_here(*words)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.usefixtures("processes", "whole_world")
def test_the_commands_of_a_class_with_a_team(course: SmallClass) -> None:
    """ada and bob are a team; cyd has her work, and is a team with bob in the last set; zoe is in no table"""
    folder = course.folder
    (folder / "teams.csv").write_text(TEAMS.replace("\n", ",\n").replace("team,", "team,set") + (
        "ada,,ps5_alphazero\nbob,blue,ps5_alphazero\ncyd,blue,ps5_alphazero\n"))
    (folder / "roster.csv").write_text("id,first_name,last_name,email\nada,Ada,Lovelace,a@uni.example\nbob,Bob,,b@uni.example\n"
                                       "cyd,Cyd,,\nzoe,Zoe,,\n")
    answers = "\n\n".join(own_answers(PS, 0))
    for student in ("ada", "cyd"):
        hand_in(folder, student, PS, stub(PS, answers))
    printed = said("grade", folder, "--ps", PS)
    assert "graded 3 of 3 submissions, 0 grader faults" in printed and "no submission from 'zoe' (Zoe)" in printed
    assert said("staff", "roster", folder, "--ps", PS).splitlines()[-2:] == [
        "a team: ada (Ada Lovelace) and bob (Bob), handed in by ada", f"2 submissions of {PS}"]
    reports = [json.loads((folder / "reports" / student / f"{PS}.json").read_text()) for student in ("ada", "bob", "cyd")]
    assert reports[0] == reports[1] == reports[2]
    assert "handed in by ada" in (folder / "report" / f"{PS}.html").read_text()
    assert "In a team with ada: handed in by ada." in page_of(course, "bob")
    with (folder / "final.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["ada"][PS] == rows["bob"][PS] and f"{PS}: in a team with bob" in rows["ada"]["note"]
    assert "1 pair to look at" in said("similarity", folder, "--ps", PS)
    pairs = (folder / "report" / f"similarity-{PS}.csv").read_text().splitlines()[1:]
    assert [row.split(",")[:2] for row in pairs] == [["ada", "cyd"]]
    assert "one team in" not in (folder / "report" / f"similarity-{PS}.html").read_text()
    printed = said("return", folder, "mail", "--ps", PS)
    assert f"{PS}, for mail: 3 pages, 0 left out, 1 not handed in" in printed
    printed = said("return", folder, "canvas", "--ps", PS, status=2)
    assert "left out: bob (Bob): is in a team with ada, who handed in" in printed
    done = Returning(course).download({f"Ada Lovelace_7_assignsubmission_file/{PS}.py": stub(PS, answers)})
    said("collect", folder, done, "--ps", PS)
    said("grade", folder, "--ps", PS)
    printed = said("return", folder, "moodle", "--ps", PS, status=1)
    assert "no hand-in of their own has their number on Moodle: bob, cyd; give Moodle's own worksheet" in printed
    (folder / "teams.csv").write_text("id,team\nada,red\nbob,red\neve,red\n")
    assert "line 4: 'eve' is not in roster.csv" in said("grade", folder, "--ps", PS, status=2)
