"""Who gave a score by hand is in the course's log, and two people who do not agree are told."""

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from autograder.gradebook.markers import disagreements, log_mark, scores, who_marks
from autograder.log import log, read_log
from tests.formgrader_server import TOKEN, jupyter_server
from tests.gradebook.conftest import PS, SmallClass


def mark(course: Path, who: str, score: float | None, answer: str = "", cell: str = "ex2_13", ps: str = PS) -> None:
    log(course, "mark", who=who, ps=ps, student="ada", cell=cell, old=None, new=score, answer=answer)


def test_two_scores_of_two_people_are_told_and_one_persons_are_not(tmp_path):
    mark(tmp_path, "bob", 3)
    mark(tmp_path, "bob", 5)
    assert disagreements(tmp_path, PS) == []
    mark(tmp_path, "cy\x1b[31m", 1)
    (sentence,) = disagreements(tmp_path, PS)
    assert sentence.startswith("'ada' ex2_13: bob gave 5 (20") and "gave 1 (" in sentence
    assert "\x1b" not in sentence and "gave 3" not in sentence
    assert disagreements(tmp_path, "ps1_games") == []
    mark(tmp_path, "bob", 1)
    assert disagreements(tmp_path, PS) == []


def test_an_emptied_box_and_another_answer_end_a_disagreement(tmp_path):
    for last in ({"score": None}, {"score": 2, "answer": "of another hand-in"}):
        mark(tmp_path, "bob", 5)
        mark(tmp_path, "cy", 1)
        assert len(disagreements(tmp_path, PS)) == 1
        mark(tmp_path, "cy", **last)
        assert disagreements(tmp_path, PS) == []


def test_a_damaged_line_of_the_log_hides_no_other(tmp_path):
    with (tmp_path / "log.jsonl").open("w") as file:
        file.write('{"command": "mark"}\nnot JSON\n[1]\n{"command": "mark", "who": "x", "when": 1, "ps": "ps2_uct"}\n')
    mark(tmp_path, "bob", 5)
    mark(tmp_path, "cy", 1)
    assert len(disagreements(tmp_path, PS)) == 1


def test_a_hub_names_the_person_and_without_one_it_is_the_unix_user(monkeypatch):
    class User:
        username = "bob"

    monkeypatch.delenv("JUPYTERHUB_API_URL", raising=False)
    monkeypatch.setenv("LOGNAME", "cy")
    assert who_marks(User()) == "cy"  # the name of a user by token is drawn
    monkeypatch.setenv("JUPYTERHUB_API_URL", "http://127.0.0.1:8081/hub/api")
    assert [who_marks(user) for user in (User(), {"name": "bob"}, None)] == ["bob", "bob", "cy"]


def test_a_score_by_hand_is_logged_where_it_changed(small_class: SmallClass):
    small_class.hand_in("ada", {"ex2_13": "My answer."})
    small_class.record(ada=small_class.report("ada"))
    with small_class.gradebook() as gradebook:
        grade = gradebook.find_grade("ex2_13", PS, PS, "ada")
        for score in (5.0, 5.0, 1.0):
            before, grade.manual_score = scores(grade), score
            log_mark(small_class.folder, grade, before, f"marker {score:g}")
        before, grade.extra_credit = scores(grade), 2.0
        log_mark(small_class.folder, grade, before, "marker 1")
    kept = [{key: entry.get(key) for key in ("who", "student", "cell", "old", "new", "new_extra")}
            for entry in read_log(small_class.folder, "mark")]
    assert [list(entry.values()) for entry in kept] == [
        ["marker 5", "ada", "ex2_13", None, 5.0, None], ["marker 1", "ada", "ex2_13", 5.0, 1.0, None],
        ["marker 1", "ada", "ex2_13", 1.0, 1.0, 2.0]]
    assert len(disagreements(small_class.folder, PS)) == 1
    small_class.hand_in("ada", {"ex2_13": "Another answer."})
    small_class.record(ada=small_class.report("ada"))
    assert disagreements(small_class.folder, PS) == []  # they were scores of an earlier answer


def put(address: str, grade_id: str, **content: object) -> int:
    """Store a score as formgrader's page does; return the status."""
    request = urllib.request.Request(f"{address}/formgrader/api/grade/{grade_id}", json.dumps(content).encode(), method="PUT")
    request.add_header("Authorization", f"token {TOKEN}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.usefixtures("repetition")
def test_formgrader_logs_each_score_and_stores_none_that_it_cannot_log(small_class: SmallClass, tmp_path):
    small_class.hand_in("ada", {"ex2_13": "My answer."})
    small_class.record(ada=small_class.report("ada"))
    grade = small_class.grade_row("ada", "ex2_13")
    with jupyter_server(small_class.folder, tmp_path / "home", LOGNAME="cy") as address:
        assert put(address, grade["id"], manual_score=4, extra_credit=None) == 200
        assert put(address, grade["id"], manual_score=4, extra_credit=None) == 200  # nothing new
        assert put(address, "nothing", manual_score=4) == 404
        (line,) = read_log(small_class.folder, "mark")
        (small_class.folder / "log.jsonl").unlink()
        (small_class.folder / "log.jsonl").mkdir()  # nobody can write a line
        assert put(address, grade["id"], manual_score=1, extra_credit=None) == 500
    assert (line["who"], line["student"], line["cell"], line["old"], line["new"]) == ("cy", "ada", "ex2_13", None, 4)
    kept = small_class.grade_row("ada", "ex2_13")
    assert kept["manual_score"] == 4 and not kept["needs_manual_grade"]
