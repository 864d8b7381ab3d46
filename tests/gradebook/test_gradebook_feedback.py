"""Feedback pages, nbgrader's own commands, the exchange."""

import hashlib
import html
import re
from collections import defaultdict
from pathlib import Path

import nbgrader
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.preprocessors import GetGrades
from nbgrader.utils import notebook_hash

from autograder.course.feedback import feedback
from autograder.gradebook.feedback import publish
from autograder.gradebook.feedback.exporter import GetAllGrades
from autograder.gradebook.feedback.filters import safe_code as highlight
from autograder.gradebook.feedback.filters import safe_markdown
from autograder.gradebook.feedback.safe_html import TAGS, TOKEN_CLASSES
from autograder.grading.config import Settings
from autograder.grading.edition import course_secret
from autograder.grading.grade import grade_submission
from autograder.problem_sets.source import load
from tests.gradebook.tools import tags

PS = "ps2_uct"
DOT = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
ATTACK = "<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) <b id='ex2_5' class='modal'>bold</b>"


def two_students(small_class):
    small_class.hand_in("ada", {"ex2_13": ATTACK, "ex2_5_code": f"# {ATTACK}"})
    small_class.hand_in("bob")
    reports = {"ada": small_class.report("ada", failed=("2.5", "joint")), "bob": small_class.report("bob")}
    small_class.record(**reports)
    return reports


def test_the_page_says_what_the_report_says(small_class):
    two_students(small_class)
    assert feedback(small_class.folder, PS) == ["ada", "bob"]
    text = small_class.page("ada")
    assert "(Score: 85.0 / 105.0)" in text
    assert "NOT YET" in text and "the property of 2.5" in text and "who is to move?" in text


def test_what_a_student_wrote_does_not_act(small_class):
    two_students(small_class)
    feedback(small_class.folder, PS)
    text = small_class.page("ada")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    for live in ("<script>alert(1)", "<img src=x", "<img src=\"x\"", "href=\"javascript:", "class=\"modal\"", "id=\"ex2_5\""):
        assert live not in text, live


def test_only_pages_that_would_say_something_else_are_made(small_class):
    reports = two_students(small_class)
    feedback(small_class.folder, PS)
    assert feedback(small_class.folder, PS) == []
    small_class.mark_by_hand("bob", "ex2_13", 3.0)
    assert feedback(small_class.folder, PS) == ["bob"]
    assert "(Score: 103.0 / 105.0)" in small_class.page("bob")
    small_class.record(ada=small_class.report("ada"), bob=reports["bob"])
    assert feedback(small_class.folder, PS) == ["ada"]
    (small_class.folder / "feedback/bob" / PS / f"{PS}.html").write_text("torn")
    assert feedback(small_class.folder, PS) == ["bob"]


@pytest.mark.usefixtures("whole_world")
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


@pytest.mark.usefixtures("repetition")
def test_nbgraders_feedback_command_is_as_careful(small_class):
    two_students(small_class)
    done = small_class.nbgrader("generate_feedback", PS)
    assert done.returncode == 0, done.stderr
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in small_class.page("ada")
    assert "<script>alert(1)" not in small_class.page("ada")


def test_the_cheaper_steps_make_the_pages_of_nbgraders_own_steps(small_class, monkeypatch):
    """with marks, a comment and extra credit by hand, pictures, and a student's words"""
    two_students(small_class)
    small_class.mark_by_hand("ada", "ex2_13", 3.0)
    with small_class.gradebook() as gradebook:
        gradebook.find_comment("ex2_13", PS, PS, "ada").manual_comment = f"well done {ATTACK}"
        gradebook.find_grade("ex2_5", PS, PS, "bob").extra_credit = 1.5
        gradebook.db.commit()
    assert feedback(small_class.folder, PS) == ["ada", "bob"]
    ours = [small_class.page(student) for student in ("ada", "bob")]
    assert "well done" in ours[0]
    for student in ("ada", "bob"):
        (small_class.folder / "feedback" / student / PS / f"{PS}.html").unlink()
    used = []
    monkeypatch.setattr(publish, "FeedbackExporter", HTMLExporter)
    monkeypatch.setattr(GetAllGrades, "_get_score", lambda *given: used.append(GetGrades._get_score(*given)))
    monkeypatch.setattr(GetAllGrades, "_get_comment", lambda *given: used.append(GetGrades._get_comment(*given)))
    assert feedback(small_class.folder, PS) == ["ada", "bob"]
    assert used, "nbgrader's own step has run"
    assert [small_class.page(student) for student in ("ada", "bob")] == ours


def test_a_cell_that_the_gradebook_does_not_have_is_said_in_nbgraders_words(small_class):
    two_students(small_class)
    with small_class.gradebook() as gradebook:
        gradebook.db.delete(gradebook.find_comment("ex2_13", PS, PS, "ada"))
        gradebook.db.commit()
    failures = defaultdict(list)
    assert feedback(small_class.folder, PS, failures=failures) == ["ada", "bob"]
    assert list(failures) == ["ada"] and "MissingEntry" in failures["ada"][0]


def with_exchange(small_class, folder: Path) -> Path:
    """Give the class an exchange of its own, and return it."""
    exchange = folder / "exchange"
    exchange.mkdir(mode=0o777)
    exchange.chmod(0o777)
    with (small_class.folder / "nbgrader_config.py").open("a") as file:
        file.write(f"c.Exchange.root = {str(exchange)!r}\n")
    return exchange


@pytest.mark.usefixtures("repetition")
def test_the_exchange_finds_the_feedback_by_the_submissions_secret(small_class, tmp_path):
    exchange = with_exchange(small_class, tmp_path)
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
    assert {path.stat().st_mode & 0o777 for path in (exchange / "course" / "feedback").iterdir()} == {0o644}
    assert (small_class.folder / "feedback" / "ada" / PS / f"{PS}.html").stat().st_mode & 0o077 == 0


def test_safe_markdown_keeps_what_a_lesson_needs():
    text = safe_markdown(
        "# Title\n\n*yes* `code` $a<b$\n\n|a|b|\n|--|--|\n|1|2|\n\n- one\n\n```python\nx = 1\n```\n\n"
        f"[link](https://example.org) ![dot]({DOT})"
    )
    for piece in ("<h1>", "<em>yes</em>", "<code>code</code>", "<th>a</th>", "<li>one", 'class="highlight"',
                  'href="https://example.org"', f'src="{DOT}"'):
        assert piece in text, piece


@pytest.mark.parametrize("attack", [
    ATTACK, "<iframe src=//x></iframe>", "<svg onload=alert(1)>", "<a href='data:text/html,x'>x</a>", "<style>*{}</style>",
    "![x](https://example.org/seen.png)", "<form action=/><input name=x></form>", "<a href=' javascript:alert(1)'>x</a>",
    "<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>", "<a class='anchor-link' onclick=alert(1)>x",
    "<div onclick=alert(1) style='position:fixed' id=ex2_5 class='panel nbgrader_cell'>x</div>", "$<img src=x onerror=alert(1)>$",
    "<span class='btn btn-success'>10 / 10</span>", "<span class=btn>x</span>", "<div class=row>x</div>", "<p class=n>x</p>",
    "<b title='Score: 10'>x</b>", "<h4 align=right>x</h4>", "<a href='#ex2_5' title=x>Test cell</a>", "<a name=top>x</a>",
    "<a href='mailto:x@y.z?subject=s&body=b'>x</a>", "<a href='ftp://x'>x</a>", "<a href='//x.y'>x</a>",
    "<a href='/formgrader'>x</a>",
    "<a href='https://user:pass@x.y'>x</a>", "<a href='https:\\\\x.y'>x</a>",
    "<a target=_top ping=//x href='https://x.y z'>x</a>",
    "<table><tr><td colspan=1000000 rowspan=65534>x</td><td width=9999999>y</td></tr></table>", "<ol start=-99999999><li>x</ol>",
    "<img width=999999999 height=999999999 src='data:image/png;base64,iVBORw0KGgo='>", "<img srcset='//x/y.png 2x' src=''>",
    "<details ontoggle=alert(1) open name=x><summary onclick=alert(1)>x</summary></details>",
    "<kbd accesskey=x tabindex=1>x</kbd>",
    "<table background='//x/y.png'><tr><td>x</td></tr></table>", "<q cite='//x'>x</q>", "<blockquote cite='//x'>x</blockquote>",
])
def test_safe_markdown_stops_what_acts(attack):
    for tag, attributes in tags(safe_markdown(attack)):
        assert tag in TAGS
        assert not attributes, (tag, attributes)


@pytest.mark.usefixtures("processes")
def test_only_what_colours_code_has_a_class():
    page = safe_markdown("```python\ndef f():\n    return 1  # x\n```\n\n<span class='k'>if</span><span class='hll'>x</span>")
    given = {(tag, value) for tag, attributes in tags(page) for name, value in attributes.items() if name == "class"}
    assert ("div", "highlight") in given and ("span", "k") in given
    assert {value for tag, value in given if tag == "span"} <= TOKEN_CLASSES and {tag for tag, _ in given} == {"div", "span"}
    assert not TOKEN_CLASSES & BOOTSTRAP and "btn" not in TOKEN_CLASSES


BOOTSTRAP = set(re.findall(r"\.([a-z][\w-]*)", Path(nbgrader.__file__).parent.joinpath(
    "server_extensions/formgrader/static/node_modules/bootstrap/dist/css/bootstrap.min.css").read_text(encoding="utf-8")))


@pytest.mark.usefixtures("processes")
def test_what_a_few_letters_unfold_to_is_shown_as_it_is():
    """each of these unclosed tags is opened again in every paragraph"""
    page = safe_markdown("".join(f"<b a{number}>" for number in range(300)) + "<p>x" * 1_000)
    assert page.startswith("<pre>") and len(page) < 30_000


@pytest.mark.usefixtures("processes")
def test_controls_in_a_text_are_shown_and_do_not_act():
    for page in (safe_markdown("a\u202eb\x9b\x1b[2Jc"), highlight("a\u202eb\x9b\x1b[2Jc")):
        assert not set(page) & set("\u202e\x9b\x1b") and "\ufffd" in page


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("render", [safe_markdown, highlight])
@pytest.mark.parametrize("piece", [".", "<div>", "\\\\(a ", "\\begin{a}", "```\n"])
def test_a_text_made_to_be_rendered_for_hours_is_shown_as_it_is(render, piece):
    page = render(piece * 20_000)  # the worst one took minutes
    assert page.count("<pre>") == 1 and html.escape(piece.strip()) in page


@pytest.mark.usefixtures("whole_world")
def test_nbgraders_own_command_grades_when_there_is_no_report(small_class):
    work = small_class.hand_in("ada", timestamp="2026-02-03 10:11:12 UTC")
    solved = (small_class.folder / "source" / PS / f"{PS}.ipynb").read_bytes()
    (work / f"{PS}.ipynb").write_bytes(solved)
    done = small_class.nbgrader("autograde", PS)
    assert done.returncode == 0, done.stderr
    assert [row["raw_score"] for row in small_class.export()] == [str(100.0 + load(PS).extra_points)]
    report = grade_submission(work, PS, Settings(secret=course_secret(small_class.folder))).report
    assert report.points == 100.0
    assert small_class.record(ada=report) == []


@pytest.mark.usefixtures("whole_world")
def test_nbgrader_releases_feedback_of_work_that_came_without_a_timestamp(small_class, tmp_path):
    """a collected zip has neither timestamp nor secret; whoever has a secret fetches by it, and nobody by a guess"""
    exchange = with_exchange(small_class, tmp_path)
    small_class.hand_in("ada")
    (small_class.hand_in("bob") / "submission_secret.txt").write_text("of bob")
    small_class.record(ada=small_class.report("ada"), bob=small_class.report("bob"))
    feedback(small_class.folder, PS)
    before = {path: path.read_bytes() for path in (small_class.folder / "feedback").rglob("*") if path.is_file()}
    feedback(small_class.folder, PS)
    assert before == {path: path.read_bytes() for path in (small_class.folder / "feedback").rglob("*") if path.is_file()}
    done = small_class.nbgrader("release_feedback", PS)
    assert done.returncode == 0, done.stderr
    released = {path.stem for path in exchange.rglob("feedback/*.html")}
    assert len(released) == 2 and notebook_hash(secret="of bob", notebook_id=PS) in released
