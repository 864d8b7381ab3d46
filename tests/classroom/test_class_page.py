"""The class page: all students, all exercises, every word of a student shown as text."""

import re
from html.parser import HTMLParser

from made import report

from autograder.pages.charts import histogram
from autograder.pages.course.class_page import class_page, class_script

OUTCOMES = {"2.0": "passed", "2.1": "not yet", "2.2": "not written", "2.3": "too slow", "joint": "grader fault"}


class Tables(HTMLParser):
    """Collects the text of table cells row by row, and every opened tag."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[tuple[str, dict]] = []
        self.inside = False

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data.strip()


def read(page: str) -> Tables:
    tables = Tables()
    tables.feed(page)
    return tables


def page_of(course, reports, remarks=()):
    return class_page(course, "ps2_uct", "Problem set 2", reports, list(remarks))


def test_every_student_has_a_row_with_the_outcome_of_each_exercise_in_words(tmp_path):
    tables = read(page_of(tmp_path, {"ada": report(OUTCOMES), "bela": report(dict.fromkeys(OUTCOMES, "passed"))}))
    rows = {row[0]: row for row in tables.rows}
    assert rows["ada"][1:7] == ["10 + 10 undecided", "passed", "not yet", "not written", "too slow", "grader fault: undecided"]
    assert rows["bela"][1:7] == ["50"] + ["passed"] * 5
    assert rows["passed"][2:7] == ["100 %", "50 %", "50 %", "50 %", "50 %"]


def test_nothing_that_a_student_chose_becomes_markup(tmp_path):
    evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
    page = page_of(tmp_path, {evil: report(OUTCOMES, note=evil)}, [evil]).replace(str(class_script()[0]), "")
    assert "<script" not in page and "<img" not in page
    assert {tag for tag, _ in read(page).tags}.isdisjoint({"script", "img", "iframe", "object"})
    assert not any(name.startswith("on") for _, attributes in read(page).tags for name in attributes)


def test_links_survive_odd_folder_names(tmp_path):
    name = "o'hara #1 100%"
    feedback = tmp_path / "feedback" / name / "ps2_uct" / "ps2_uct.html"
    feedback.parent.mkdir(parents=True)
    feedback.touch()
    links = [attributes["href"] for tag, attributes in read(page_of(tmp_path, {name: report(OUTCOMES)})).tags if tag == "a"]
    assert "../feedback/o%27hara%20%231%20100%25/ps2_uct/ps2_uct.html" in links


def test_a_student_without_feedback_has_no_dead_link(tmp_path):
    links = [attributes["href"] for tag, attributes in read(page_of(tmp_path, {"ada": report(OUTCOMES)})).tags if tag == "a"]
    assert [link for link in links if not link.startswith("#")] == ["../reports/ada/ps2_uct.json"]


def test_grader_faults_are_loud_and_only_there_when_there_are_some(tmp_path):
    assert re.search(r"1 grader fault\.", page_of(tmp_path, {"ada": report(OUTCOMES)}))
    assert 'class="alarm"' not in page_of(tmp_path, {"ada": report({"2.0": "passed"})})


def test_the_histogram_counts_everybody_once_and_full_marks_apart():
    scores = [0.0, 9.9, 10.0, 55.0, 99.0, 100.0, 100.0]
    bins = histogram(scores)
    assert dict(bins) == {
        "0–9": 2, "10–19": 1, "20–29": 0, "30–39": 0, "40–49": 0, "50–59": 1,
        "60–69": 0, "70–79": 0, "80–89": 0, "90–99": 1, "100": 2,
    }
    assert sum(count for _, count in bins) == len(scores)
