"""Feedback pages, nbgrader's own commands, the exchange."""

import hashlib
import html
from html.parser import HTMLParser

import pytest

from autograder.gradebook.feedback import feedback
from autograder.gradebook.safe_html import TAGS, highlight, safe_markdown
from autograder.grading.edition import course_secret
from autograder.grading.grade import Settings, grade_submission

PS = "ps2_uct"
ATTACK = "<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) <b id='ex2_5' class='modal'>bold</b>"


def page(small_class, student):
    return (small_class.folder / "feedback" / student / PS / f"{PS}.html").read_text(encoding="utf-8")


def two_students(small_class):
    small_class.hand_in("ada", {"ex2_13": ATTACK, "ex2_5_code": f"# {ATTACK}"})
    small_class.hand_in("bob")
    reports = {"ada": small_class.report("ada", failed=("2.5", "joint")), "bob": small_class.report("bob")}
    small_class.record(**reports)
    return reports


def test_the_page_says_what_the_report_says(small_class):
    two_students(small_class)
    assert feedback(small_class.folder, PS) == ["ada", "bob"]
    text = page(small_class, "ada")
    assert "(Score: 85.0 / 105.0)" in text
    assert "NOT YET" in text and "the property of 2.5" in text and "who is to move?" in text


def test_what_a_student_wrote_does_not_act(small_class):
    two_students(small_class)
    feedback(small_class.folder, PS)
    text = page(small_class, "ada")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    for live in ("<script>alert(1)", "<img src=x", "<img src=\"x\"", "href=\"javascript:", "class=\"modal\"", "id=\"ex2_5\""):
        assert live not in text, live


def test_only_pages_that_would_say_something_else_are_made(small_class):
    reports = two_students(small_class)
    feedback(small_class.folder, PS)
    assert feedback(small_class.folder, PS) == []
    small_class.mark_by_hand("bob", "ex2_13", 3.0)
    assert feedback(small_class.folder, PS) == ["bob"]
    assert "(Score: 103.0 / 105.0)" in page(small_class, "bob")
    small_class.record(ada=small_class.report("ada"), bob=reports["bob"])
    assert feedback(small_class.folder, PS) == ["ada"]
    (small_class.folder / "feedback/bob" / PS / f"{PS}.html").write_text("torn")
    assert feedback(small_class.folder, PS) == ["bob"]


def test_nbgraders_own_command_makes_the_same_scores_and_runs_nothing(small_class, tmp_path):
    proof = tmp_path / "ran"
    code = f"open({str(proof)!r}, 'w')"
    small_class.hand_in("ada", {"ex2_5_code": code, "ex2_13": ATTACK}, timestamp="2026-02-03 10:11:12 UTC")
    report = small_class.report("ada", failed=("2.5", "joint"))
    path = small_class.folder / "reports" / "ada" / f"{PS}.json"
    path.parent.mkdir(parents=True)
    path.write_text(report.to_json(), encoding="utf-8")
    done = small_class.nbgrader("autograde", PS)
    assert done.returncode == 0, done.stderr
    plain, notebook = small_class.standings(), small_class.autograded("ada")
    assert [row["raw_score"] for row in small_class.export()] == ["85.0"]
    assert not proof.exists()
    assert small_class.record(ada=report) == []  # nothing left to do
    with small_class.gradebook() as gradebook:
        gradebook.remove_submission(PS, "ada")
    small_class.record(ada=report)
    assert (small_class.standings(), small_class.autograded("ada")) == (plain, notebook)


def test_nbgraders_feedback_command_is_as_careful(small_class):
    two_students(small_class)
    done = small_class.nbgrader("generate_feedback", PS)
    assert done.returncode == 0, done.stderr
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page(small_class, "ada")
    assert "<script>alert(1)" not in page(small_class, "ada")


def test_the_exchange_finds_the_feedback_by_the_submissions_secret(small_class, tmp_path):
    exchange = tmp_path / "exchange"
    exchange.mkdir(mode=0o777)
    exchange.chmod(0o777)
    with (small_class.folder / "nbgrader_config.py").open("a") as file:
        file.write(f"c.Exchange.root = {str(exchange)!r}\n")
    for student in ("ada", "module"):
        work = small_class.hand_in(student, timestamp="2026-02-03 10:11:12 UTC")
        (work / "submission_secret.txt").write_text(f"secret of {student}")
    (small_class.folder / "submitted/module" / PS / f"{PS}.ipynb").unlink()
    (small_class.folder / "submitted/module" / PS / f"{PS}.py").write_text("# the module form\n")
    small_class.record(ada=small_class.report("ada"), module=small_class.report("module", form="module"))
    feedback(small_class.folder, PS)
    done = small_class.nbgrader("release_feedback", PS)
    assert done.returncode == 0, done.stderr
    wanted = {hashlib.md5(f"secret of {student}{PS}".encode()).hexdigest() + ".html" for student in ("ada", "module")}
    assert {path.name for path in (exchange / "course" / "feedback").iterdir()} == wanted


def test_safe_markdown_keeps_what_a_lesson_needs():
    text = safe_markdown(
        "# Title\n\n*yes* `code` $a<b$\n\n|a|b|\n|--|--|\n|1|2|\n\n- one\n\n```python\nx = 1\n```\n\n"
        "[link](https://example.org) ![dot](data:image/png;base64,iVBORw0KGgo=)"
    )
    for piece in ("<h1>", "<em>yes</em>", "<code>code</code>", "<th>a</th>", "<li>one", 'class="highlight"',
                  'href="https://example.org"', 'src="data:image/png;base64,iVBORw0KGgo="'):
        assert piece in text, piece


class Tags(HTMLParser):
    """Every tag with its attributes, as a browser takes them."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.mark.parametrize("attack", [
    ATTACK, "<iframe src=//x></iframe>", "<svg onload=alert(1)>", "<a href='data:text/html,x'>x</a>", "<style>*{}</style>",
    "![x](https://example.org/seen.png)", "<form action=/><input name=x></form>", "<a href=' javascript:alert(1)'>x</a>",
    "<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>", "<a class='anchor-link' onclick=alert(1)>x",
    "<div onclick=alert(1) style='position:fixed' id=ex2_5 class='panel nbgrader_cell'>x</div>", "$<img src=x onerror=alert(1)>$",
])
def test_safe_markdown_stops_what_acts(attack):
    for tag, attributes in Tags(safe_markdown(attack)).found:
        assert tag in TAGS
        assert not set(attributes) - {"class", "href", "src", "alt", "title"}
        assert attributes.get("href", "https://example.org") == "https://example.org"
        assert "src" not in attributes and attributes.get("class") in (None, "highlight")


@pytest.mark.parametrize("render", [safe_markdown, highlight])
@pytest.mark.parametrize("piece", [".", "<div>", "\\\\(a ", "\\begin{a}", "```\n"])
def test_a_text_made_to_be_rendered_for_hours_is_shown_as_it_is(render, piece):
    page = render(piece * 20_000)  # the worst took minutes
    assert page.count("<pre>") == 1 and html.escape(piece.strip()) in page


def test_nbgraders_own_command_grades_when_there_is_no_report(small_class):
    work = small_class.hand_in("ada", timestamp="2026-02-03 10:11:12 UTC")
    solved = (small_class.folder / "source" / PS / f"{PS}.ipynb").read_bytes()
    (work / f"{PS}.ipynb").write_bytes(solved)
    done = small_class.nbgrader("autograde", PS)
    assert done.returncode == 0, done.stderr
    assert [row["raw_score"] for row in small_class.export()] == ["100.0"]
    report = grade_submission(work, PS, Settings(secret=course_secret(small_class.folder))).report
    assert report.points == 100.0
    assert small_class.record(ada=report) == []
