"""The real formgrader over HTTP: the page of a submission shows a student's text and does not run it."""

import html
import urllib.error
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import quote

import pytest

from arena.challenge.report import ASSIGNMENT, PLAYED, ChallengeReport
from autograder.gradebook.feedback.publish import publish
from autograder.gradebook.marking import FIRST
from autograder.gradebook.recording.challenge import CELL, record_challenge
from autograder.selftest.leaks import leaks
from tests.formgrader_server import TOKEN, jupyter_server

PS = "ps2_uct"
ATTACK = "<script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3)) <b id='ex2_5'>bold</b>"


class Live(HTMLParser):
    """Collects everything that a browser would run, and the ids of the page's elements."""

    def __init__(self) -> None:
        super().__init__()
        self.acts: list[str] = []
        self.ids: list[str] = []
        self.text: list[str] = []
        self.in_script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.in_script = tag == "script"
        for name, value in attributes:
            self.ids += [value] if name == "id" else []
            if name.startswith("on") or (value or "").strip().startswith("javascript:"):
                self.acts.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self.in_script = False

    def handle_data(self, data: str) -> None:
        (self.acts if self.in_script else self.text).append(data)


@pytest.fixture
def formgrader(small_class, tmp_path) -> Iterator[str]:
    with jupyter_server(small_class.folder, tmp_path / "home") as address:
        yield address


def get(address: str, path: str) -> str:
    with urllib.request.urlopen(f"{address}{path}?token={TOKEN}", timeout=60) as answer:
        return answer.read().decode("utf-8")


@pytest.mark.usefixtures("repetition")
def test_a_script_in_an_answer_is_text(small_class, formgrader):
    small_class.hand_in("ada", {"ex2_13": f"{ATTACK}\n\n# ex2_6", "ex2_5_code": f"# {ATTACK}"})
    small_class.record(ada=small_class.report("ada", failed=("2.5",), note=ATTACK))
    with small_class.gradebook() as gradebook:
        page_id = gradebook.find_submission_notebook(PS, PS, "ada").id
    page = get(formgrader, f"/formgrader/submissions/{page_id}/")
    live = Live()
    live.feed(page)
    assert not [act for act in live.acts if "alert(" in act]
    text = "".join(live.text)
    assert text.count("<script>alert(1)</script>") == 3  # the answer, the code, the note
    assert "2.5 backpropagate   NOT YET" in text
    assert live.ids.count("ex2_5") == 1 and live.ids.count("ex2_6") == 1  # only formgrader's own score boxes
    assert "https://" not in page and "default-src 'self'" in page  # nothing comes from another place


@pytest.mark.usefixtures("repetition")
def test_the_marker_sees_the_rubric_and_three_graded_examples_and_the_student_sees_none(small_class, formgrader):
    small_class.hand_in("ada", {"ex2_13": "My answer."})
    small_class.record(ada=small_class.report("ada"))
    publish(small_class.folder, PS)
    with small_class.gradebook() as gradebook:
        page_id = gradebook.find_submission_notebook(PS, PS, "ada").id
    page = get(formgrader, f"/formgrader/submissions/{page_id}/")
    assert page.count(FIRST) == 1 and page.index("My answer.") < page.index(FIRST)
    guide = page[page.index('id="ex2_13-marking"'):]
    assert all(f"<summary>A {kind} answer: " in guide for kind in ("full", "middling", "weak"))
    assert guide.count("<td") > 50 and "Does c matter more when more of the game is still to come?" in guide
    shown = small_class.page()
    assert "My answer." in shown and "A guess with a reason" in shown  # the rubric is the lesson's
    assert "middling" not in shown and "-marking" not in shown and "marking" not in shown
    assert leaks(small_class.folder / "feedback") == leaks(small_class.folder / "release") == []


NAMES = ["o'brien", "{{7*7}}", "`${alert(1)}`", "&quot;;alert(1)//", "\\u0022;alert(1)", "';alert(1)", "javascript:alert(1)"]


@pytest.mark.usefixtures("repetition")
def test_a_name_is_only_a_name_in_every_page_of_formgrader(small_class, formgrader):
    for name in NAMES:
        small_class.hand_in(name)
    small_class.record(**{name: small_class.report(name) for name in NAMES})
    for name in NAMES:
        with small_class.gradebook() as gradebook:
            page_id = gradebook.find_submission_notebook(PS, PS, name).id
        pages = [f"/formgrader/submissions/{page_id}/", f"/formgrader/manage_students/{quote(name, safe='')}/"]
        for page in [get(formgrader, path) for path in pages]:
            live = Live()
            live.feed(page)
            assert "alert(1)" not in "".join(live.acts).replace(f'"{name}"', "")  # in a script it is one constant
            assert html.unescape(name) in "".join(live.text)
        assert f'student_id = "{name}"' in page


@pytest.mark.usefixtures("repetition")
def test_the_challenge_is_a_submission_like_any_other(small_class, formgrader):
    report = ChallengeReport("ps3_connect_four", "a" * 64, PLAYED, "", 63.5, simulations=400)
    record_challenge(small_class.folder, {"ada": report})
    with small_class.gradebook() as gradebook:
        page_id = gradebook.find_submission_notebook(ASSIGNMENT, ASSIGNMENT, "ada").id
    live = Live()
    live.feed(get(formgrader, f"/formgrader/submissions/{page_id}/"))
    assert "63.5 of 100 points" in "".join(live.text) and live.ids.count(CELL) == 1  # its score box
    assert ASSIGNMENT in get(formgrader, "/formgrader/api/assignments")
