"""The real formgrader, by clicks: a score and a comment are saved, survive the next grading, and are on the student's page.

The server is started as docs/instructors.md says. Formgrader's pages load their scripts and styles from the server itself, so no
request needs to be blocked; `new_page` fails the test if one leaves the machine.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from autograder.problem_sets import build
from autograder.problem_sets.source import load
from tests.browser.looks import screenshot
from tests.commands import output_of
from tests.formgrader_server import TOKEN, jupyter_server
from tests.students import hand_in
from tests.tables import rows_of

pytestmark = pytest.mark.usefixtures("whole_world")

PS, STUDENT = "ps2_uct", "ada"
FONT = "console: Loading the font "
SCORE, COMMENT = "3", "A good reason; see also <b>exercise 2.7</b>."


def hand_in_notebook(course: Path, edit: str) -> None:
    """Hand in the solution as a notebook, with some words more in its first exercise."""
    notebook = nbformat.reads(build(load(PS), solution=True)[0], as_version=4)
    code = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "ex2_0_code")
    code.source += f"\n{edit}\n"
    hand_in(course, STUDENT, PS, nbformat.writes(notebook), f"{PS}.ipynb")


def grade(course: Path) -> None:
    """Grade the class, as `make grade` does."""
    output_of("grade", course, "--ps", PS, "--workers", "1")


@pytest.fixture(scope="module")
def course(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of one, graded."""
    folder = Path(shutil.copytree(prepared, tmp_path_factory.mktemp("formgrader") / "course"))
    hand_in_notebook(folder, "# the first hand-in")
    grade(folder)
    return folder


@pytest.fixture
def server(course: Path, tmp_path: Path) -> Iterator[str]:
    with jupyter_server(course, tmp_path / "home") as address:
        yield address


def open_submission(page: Page, server: str) -> None:
    """Go to the only submission by clicks, from formgrader's list of assignments."""
    page.goto(f"{server}/formgrader/gradebook?token={TOKEN}")
    page.get_by_role("link", name=PS, exact=True).click()     # the assignment
    page.get_by_role("link", name=PS, exact=True).click()     # its notebook
    page.get_by_role("link", name="Submission #1").click()
    expect(page.locator("#ex2_13")).to_be_visible()
    expect(page.locator("#ex2_5")).to_have_attribute("placeholder", re.compile(r"\d"))     # the scores have been loaded


def enter(page: Page, field: str, words: str, address: str) -> None:
    """Type into a field of the submission, leave it, and wait until formgrader has saved it."""
    with page.expect_response(lambda answer: address in answer.url and answer.request.method in ("PUT", "POST")) as saved:
        page.locator(field).fill(words)
        page.locator("body").click(position={"x": 5, "y": 300})
    assert saved.value.ok


def test_a_score_and_a_comment_survive_a_regrade_and_reach_the_student(
    course: Path, server: str, new_page: Callable[..., Page]
) -> None:
    page = new_page()
    open_submission(page, server)
    enter(page, "#ex2_13", SCORE, "/formgrader/api/grade/")
    enter(page, "#ex2_13-comment", COMMENT, "/formgrader/api/comment/")
    guide = page.locator("#ex2_13-marking")  # beside the answer: the rubric to be seen at once, the examples to be unfolded
    for line in ("A guess with a reason", "The measurement", "Luck", "The cause and its limit"):
        expect(guide.locator("li", has_text=line)).to_be_visible()
    example = guide.locator("details", has_text="A weak answer: 1 of 5")
    expect(example.get_by_text("Exploration is important")).to_be_hidden()
    example.locator("summary").click()
    expect(example.get_by_text("Exploration is important")).to_be_visible()
    below = page.evaluate("document.querySelector('#ex2_13-marking').getBoundingClientRect().top"
                          " - document.querySelector('#ex2_13-comment').getBoundingClientRect().bottom")
    assert 0 < below < 100     # pixels
    guide.scroll_into_view_if_needed()
    screenshot(page, "formgrader")

    hand_in_notebook(course, "# the second hand-in")
    grade(course)

    open_submission(page, server)
    expect(page.locator("#ex2_13")).to_have_value(SCORE)
    expect(page.locator("#ex2_13-comment")).to_have_value(COMMENT)

    student = new_page()
    student.goto((course / "feedback" / STUDENT / PS / "index.html").as_uri())
    answer = student.locator("section.exercise", has=student.locator("h3", has_text="question 2.13"))
    expect(answer).to_contain_text("3 points by hand")
    expect(answer.locator(".by-hand")).to_have_text(COMMENT)
    notebook = new_page()
    notebook.goto((course / "feedback" / STUDENT / PS / f"{PS}.html").as_uri())
    expect(notebook.locator("body")).to_contain_text("A good reason")
    expect(notebook.locator("body")).not_to_contain_text("A weak answer")
    # nbconvert's style names fonts for symbols that the page does not show; its policy refuses to load them
    notebook.faults = [fault for fault in notebook.faults if not fault.startswith(FONT)]     # type: ignore[attr-defined]


MARKERS = {"kim": "3", "lee": "4.5"}  # and the score that each enters
SECOND = "1"


def test_assistants_mark_what_was_dealt_to_them_as_their_page_says(
    prepared: Path, tmp_path: Path, new_page: Callable[..., Page]
) -> None:
    """each opens the addresses of the table, sees an answer without a name, enters a score; a second mark is told"""
    course = Path(shutil.copytree(prepared, tmp_path / "course"))
    notebook = nbformat.reads(build(load(PS), solution=True)[0], as_version=4)
    cell = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "ex2_13")
    for student in ("ada", "bela"):
        cell.source = f"The {student[0]}-answer: more simulations, fewer mistakes."
        hand_in(course, student, PS, nbformat.writes(notebook), f"{PS}.ipynb")
    grade(course)
    output_of("staff", "deal", course, "--among", ",".join(MARKERS), "--twice", "1", "--ps", PS)
    tables = {marker: course / "dealt" / f"{PS}-{marker}.csv" for marker in MARKERS}
    entered: dict[str, tuple[str, str]] = {}  # by the letter of the answer: who marked it, and the score
    seconds: list[tuple[str, str, str]] = []  # marker, letter, key
    for marker, score in MARKERS.items():
        with jupyter_server(course, tmp_path / f"home-{marker}", LOGNAME=marker) as server:
            page = new_page()
            page.goto(f"{server}/formgrader?token={TOKEN}")
            for row in rows_of(tables[marker]):
                page.goto(f"{server}/{row['page']}")
                expect(page.locator("#ex2_5")).to_have_attribute("placeholder", re.compile(r"\d"))
                shown = page.locator("body").inner_text()
                letter = re.search(r"The (\w)-answer", shown)[1]  # type: ignore[index]
                assert "ada" not in shown.split() and "bela" not in shown.split(), "marking is blind"
                expect(page.locator(f"#{row['question']}-marking")).to_contain_text("A guess with a reason")
                if row["mark"] == "second":
                    seconds.append((marker, letter, row["id"]))
                else:
                    enter(page, f"#{row['question']}", score, "/formgrader/api/grade/")
                    entered[letter] = marker, score
    ((marker, letter, key),) = seconds
    assert entered.keys() == {"a", "b"} and {who for who, _ in entered.values()} == set(MARKERS)
    lines = [f"{row['id']},{SECOND if row['id'] == key else ''}" for row in rows_of(tables[marker])]
    tables[marker].write_text("id,score\n" + "\n".join(lines) + "\n")
    assert "1 second mark" in output_of("staff", "second", course, tables[marker], "--ps", PS)
    grade(course)

    page = new_page()
    page.goto((course / "report" / f"{PS}.html").as_uri())
    told = page.locator("section, main").first.inner_text()
    first = entered[letter][1]
    assert f"has {first} and, from {marker}, {SECOND}: talk about it" in told
    for who in MARKERS:
        expect(page.locator("tr", has=page.get_by_role("rowheader", name=who, exact=True))).to_contain_text("1")
    for student in ("ada", "bela"):
        page.goto((course / "feedback" / student / PS / "index.html").as_uri())
        answer = page.locator("section.exercise", has=page.locator("h3", has_text="question 2.13"))
        expect(answer).to_contain_text(f"{entered[student[0]][1]} points by hand")
