"""The pages of a class in a browser: an instructor sorts, filters, finds, hides names, exports and prints."""

import csv
import io
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from autograder.course.class_report import write_class_report
from autograder.csv_text import neutral
from autograder.selftest.endurance.invented_class import invented_course, invented_reports, names
from tests.browser.looks import fits, no_serious_fault, screenshot
from tests.speeds import again

pytestmark = pytest.mark.usefixtures("processes")

PS, OTHER = "ps2_uct", "ps1_games"
HOSTILE = ("<script>alert(1)<|script>", "=cmd()|'A0", "\u202egnp.exe", "\u05d0\u05d1\u05d2", "x" * 240, "a\"b' onclick=alert(1)")
MIB = 2**20
EVERYBODY = names(34)
STUDENTS = EVERYBODY[:30]  # who has handed in the second set


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sets of a class of thirty; four have not handed in the second."""
    folder = tmp_path_factory.mktemp("class") / "search-2026"
    invented_course(folder, OTHER, EVERYBODY, missing=())
    invented_course(folder, PS, STUDENTS, runs=3, missing=tuple(EVERYBODY[30:]))
    return folder


@pytest.fixture
def page(browser_page: Page, course: Path) -> Page:
    """The page of a set."""
    browser_page.goto(f"file://{course}/report/{PS}.html")
    return browser_page


def column(page: Page, at: int) -> list[str]:
    """The texts of a column of the students that are shown."""
    return page.eval_on_selector_all(
        "table.students tbody tr:not([hidden])", f"rows => rows.map((row) => row.cells[{at}].innerText.trim())")


def everybody_is_shown(page: Page) -> None:
    """Wait for it: the page follows a changed address a moment later."""
    expect(page.get_by_role("status")).to_have_text("30 of 30 students shown")
    assert len(column(page, 0)) == 30


@pytest.mark.parametrize("scheme, name", [("light", PS), again("dark", PS), again("light", "index"), again("dark", "index")])
def test_the_pages_have_no_serious_fault_and_fit(new_page, course, scheme, name):
    page = new_page(color_scheme=scheme)
    page.goto(f"file://{course}/report/{name}.html")
    no_serious_fault(page)
    fits(page)
    screenshot(page, f"class-report-{name}-{scheme}")
    screenshot(page, f"class-report-{name}-{scheme}-whole", whole=True)
    page.set_viewport_size({"width": 360, "height": 800})
    screenshot(page, f"class-report-{name}-{scheme}-360", whole=True)


def test_any_column_sorts_and_says_so(page):
    points = page.get_by_role("columnheader", name="points").locator("button").last
    points.click()
    rising = [float(text) for text in column(page, 1)]
    assert rising == sorted(rising)
    points.press("Enter")
    assert [float(text) for text in column(page, 1)] == rising[::-1]
    sorted_by = page.locator("table.students th[aria-sort]")
    assert sorted_by.count() == 1 and sorted_by.get_attribute("aria-sort") == "descending"
    for at in range(page.locator("table.students thead th").count()):
        page.locator("table.students thead th").nth(at).locator("button").click()
        assert len(column(page, 0)) == 30
    page.locator("table.students thead th").first.locator("button").click()
    assert column(page, 0) == STUDENTS or column(page, 0) == STUDENTS[::-1]


def test_a_filter_shows_the_students_with_an_outcome(page):
    everything = column(page, 4)
    page.locator("select[name=exercise]").select_option("4")
    page.get_by_label("Outcome").select_option("not yet")
    assert set(column(page, 4)) == {"not yet"} and len(column(page, 4)) == everything.count("not yet") > 0
    assert page.get_by_role("status").inner_text() == f"{everything.count('not yet')} of 30 students shown"
    page.get_by_role("button", name="Show all").click()
    assert column(page, 4) == everything


def test_a_student_is_found_by_a_part_of_the_name(page):
    page.get_by_label("Find a student").fill("ADA")
    assert column(page, 0) == [name for name in STUDENTS if "ada" in name]


def test_the_students_of_a_property_are_shown_in_the_table(page):
    lost = page.locator("details.who").first
    lost.locator("summary").click()
    who = lost.locator("a").all_inner_texts()
    lost.get_by_role("button").click()
    assert column(page, 0) == who and len(who) > 1
    lost.locator("a").first.click()
    everybody_is_shown(page)
    expect(page).to_have_url(re.compile(re.escape(lost.locator("a").first.get_attribute("href")) + "$"))


def test_hidden_names_are_nowhere(page, course):
    page.get_by_role("button", name="Hide names").click()
    shown = page.inner_text("body")
    assert not [name for name in EVERYBODY if re.search(rf"\b{name}\b", shown)]
    assert column(page, 0) == [f"student {number}" for number in range(1, 31)]
    no_serious_fault(page)
    screenshot(page, "class-report-nameless", whole=True)
    rows = exported(page)
    assert [row[0] for row in rows[1:]] == column(page, 0) and "note" not in rows[0]
    page.get_by_role("button", name="Hide names").click()
    assert column(page, 0) == STUDENTS


def test_names_are_beside_the_ids_are_found_and_exported_and_hidden_with_them(new_page, tmp_path):
    """only jun has none in the roster; the names of the others are odd, and long"""
    course, few, full = tmp_path / "autumn", names(12), [f"Zoë \u05d0\u05d0\u05d0 =von Nr{at:02}" for at in range(12)]
    course.mkdir()
    rows = [f'{id},"{name}",' for id, name in zip(few, full, strict=True) if id != "jun"] + ["zz,Nowhere,Seen"]
    (course / "roster.csv").write_text("id,first_name,last_name\n" + "\n".join(rows) + "\n", encoding="utf-8")
    summary = invented_course(course, PS, few, missing=("zz",))
    summary.remarks = [f"{few[0]!r}: a remark"]
    summary.to_mark = {few[1]: ("ex2_13",)}
    write_class_report(summary)
    for name in (PS, "index"):
        page = new_page()
        page.goto(f"file://{course}/report/{name}.html")
        assert column(page, 0)[1] == f"{few[1]}\n{full[1]}" and "Nowhere Seen" in page.text_content("body")
        assert column(page, 0)[few.index("jun")] == "jun"
        if name == PS:
            assert f"{few[0]!r} ({full[0]}): a remark" in page.inner_text("body") and f"{few[1]} {full[1]} (ex2_13)" in (
                page.inner_text("body"))
        page.get_by_label("Find a student").fill("NR03")
        assert column(page, 0) == [f"{few[3]}\n{full[3]}"]
        page.get_by_role("button", name="Show all").click()
        header, *lines = exported(page)
        assert header[:2] == ["student", "name"] and [line[0] for line in lines[:12]] == few
        assert lines[3][1] == neutral(full[3]) and lines[few.index("jun")][1] == ""
        no_serious_fault(page)
        fits(page)
        screenshot(page, f"class-report-{name}-with-names", whole=True)
        page.get_by_role("button", name="Hide names").click()
        shown = page.inner_text("body")
        assert not [name for name in (*few, *full, "Nowhere") if re.search(rf"\b{re.escape(name)}\b", shown)]
        assert "name" not in exported(page)[0]


def exported(page: Page) -> list[list[str]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as CSV").click()
    return list(csv.reader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))


def test_the_export_holds_what_is_shown_in_its_order(page):
    page.get_by_label("Outcome").select_option("too slow")
    page.get_by_role("columnheader", name="points").locator("button").last.click()
    header, *rows = exported(page)
    assert header[:4] == ["student", "points", "2.0", "2.1"]
    assert [row[0] for row in rows] == column(page, 0) and [row[1] for row in rows] == column(page, 1)


def test_what_is_sorted_found_and_filtered_stands_in_the_address(page):
    page.get_by_label("Find a student").fill("a")
    page.get_by_label("Outcome").select_option("not yet")
    page.get_by_role("columnheader", name="points").locator("button").last.click()
    shown = column(page, 0)
    expect(page).to_have_url(re.compile("#find=a&outcome=n&sort=points$"))
    address = page.url
    assert 0 < len(shown) < 30
    page.goto("about:blank")
    page.goto(address)
    assert column(page, 0) == shown and page.locator("[aria-sort=ascending]").get_attribute("data-name") == "points"
    page.get_by_role("button", name="Hide names").click()
    expect(page).not_to_have_url(re.compile("find"))  # a name that was looked for is hidden too
    page.get_by_role("button", name="Show all").click()
    page.goto(f"{address.partition('#')[0]}#sort=nobody&outcome=q&exercise=99")
    everybody_is_shown(page)


def test_a_class_of_thirty_is_printed_on_four_sheets(page):
    sheets = re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True))
    assert 1 <= len(sheets) <= 4


def test_a_print_has_every_row_and_no_tools(page):
    page.emulate_media(media="print")
    assert not page.get_by_role("button", name="Export as CSV").is_visible()
    assert len(column(page, 0)) == 30
    page.set_viewport_size({"width": 1000, "height": 800})
    screenshot(page, "class-report-print", whole=True)


def test_without_a_script_the_page_has_every_row(new_page, course):
    page = new_page(java_script_enabled=False)
    page.goto(f"file://{course}/report/{PS}.html")
    assert page.locator("table.students tbody tr").count() == 30
    assert not page.get_by_role("button").count()
    page.locator("details summary").first.click()
    assert page.locator("details a").first.is_visible()


def test_the_front_page_finds_a_student_in_all_sets(browser_page, course):
    browser_page.goto(f"file://{course}/report/index.html")
    assert len(column(browser_page, 0)) == 34
    browser_page.get_by_label("Find a student").fill(names(34)[0])
    assert len(column(browser_page, 0)) >= 1
    assert exported(browser_page)[0] == ["student", OTHER, PS, "sum"]


def test_hostile_names_are_text_and_their_export_has_no_formula(browser_page, tmp_path):
    students = sorted(HOSTILE)
    invented_course(tmp_path / "course", PS, students, missing=("y" * 10_000, *HOSTILE))
    browser_page.goto(f"file://{tmp_path}/course/report/{PS}.html")
    fits(browser_page)
    shown = column(browser_page, 0)
    assert any("<script>" in name for name in shown) and len(shown) == len(students)
    assert browser_page.locator("script").count() == 1
    rows = exported(browser_page)
    assert sorted(row[0] for row in rows[1:]) == sorted(neutral(name) for name in shown)
    browser_page.goto(f"file://{tmp_path}/course/report/index.html")
    fits(browser_page)


@pytest.mark.usefixtures("whole_world")
def test_a_class_of_a_thousand_is_a_page_of_less_than_three_megabytes(new_page, tmp_path):
    """it opens in about a second; `make bench ONLY=class_page` measures it"""
    invented_course(tmp_path / "course", PS, names(1000), runs=2)
    path = tmp_path / "course" / "report" / f"{PS}.html"
    page = new_page()
    begin = time.monotonic()
    page.goto(f"file://{path}")
    page.get_by_text("1000 of 1000 students shown").wait_for()
    seconds = time.monotonic() - begin
    print(f"{path.stat().st_size / MIB:.2f} MiB, opened in {seconds:.2f} s")
    assert path.stat().st_size < 3_000_000
    assert page.locator("table.students tbody tr").count() == 1000


def test_the_same_class_is_invented_again():
    assert invented_reports(PS, names(20)) == invented_reports(PS, names(20))
