"""The documentation site, built as `make docs` builds it and opened from its folder."""

import ast
import html
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from autograder.problem_sets.leaks import refuse_leaks
from autograder.problem_sets.source import load, names, released
from autograder.selftest.leaks import leaks
from docs.site.docstrings import to_rst
from docs.site.games import with_viewer
from docs.site.glossary import Meaning, glossary
from docs.site.mathml import mathml
from docs.site.stage import without_dead_links
from tests.browser.documentation import BUILT as SITE
from tests.browser.documentation import RUN
from tests.browser.looks import fits, no_serious_fault

ROOT = Path(__file__).resolve().parents[2]
SHOWN = ["index.html", "lessons/ps2_uct.html", "glossary.html", "reference/games.html", "docs/instructors.html",
         "docs/challenge.html"]


@pytest.fixture(scope="module")
def site(documentation: Path) -> Path:
    return documentation


class Contents(HTMLParser):
    """What a page links to, the names within it, its pictures and its visible text."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.pictures: list[dict[str, str | None]] = []
        self.text = ""
        self.policies: list[str] = []
        self._silent = 0
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        value_of = dict(attributes)
        self.links += [value_of[name] or "" for name in ("href", "src") if name in value_of]
        self.ids |= {value_of[name] or "" for name in ("id", "name") if name in value_of}
        self.pictures += [value_of] if tag == "img" else []
        self.policies += [value_of["content"] or ""] if value_of.get("http-equiv") == "Content-Security-Policy" else []
        self._silent += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        self.text += "" if self._silent else data


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Contents]:
    return {page: Contents(page) for page in sorted(site.rglob("*.html"))}


@pytest.mark.usefixtures("processes")
def test_every_link_within_the_site_leads_somewhere(pages: dict[Path, Contents]) -> None:
    lost = []
    for page, contents in pages.items():
        for link in contents.links:
            parts = urlsplit(link)
            if parts.scheme or link in ("", "#"):
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            known = pages.get(target / "index.html" if target.is_dir() else target)
            if not target.exists() or (parts.fragment and known and unquote(parts.fragment) not in known.ids):
                lost.append(f"{page.relative_to(SITE)}: {link}")
    assert lost == []


@pytest.mark.usefixtures("processes")
def test_nothing_is_loaded_from_elsewhere_and_every_page_says_so(pages: dict[Path, Contents]) -> None:
    for page, contents in pages.items():
        text = page.read_text()
        assert not re.findall(r"""<(?:script|img|iframe|link)[^>]*(?:src|href)=["']?(?:https?:)?//""", text), page
        assert len(contents.policies) == 1 and "default-src 'none'" in contents.policies[0]
        assert not re.findall(r"""\son\w+=["']""", text)  # no script in an attribute, which the policy would refuse


def texts(pages: dict[Path, Contents]) -> Iterator[tuple[str, str]]:
    """Every line that a reader can see, and its page."""
    for page, contents in pages.items():
        yield from ((line, str(page.relative_to(SITE))) for line in contents.text.splitlines())
    for file in sorted(SITE.rglob("*.ipynb")) + sorted(SITE.rglob("*.py")) + [SITE / "searchindex.js"]:
        yield from ((line, file.name) for line in file.read_text().splitlines())


@pytest.mark.usefixtures("processes")
def test_no_line_of_a_solution_can_be_read(pages: dict[Path, Contents]) -> None:
    shown = list(texts(pages))
    given = " ".join(" ".join(cell.stub for name in names() for cell in load(name).cells).split())  # another set may give it
    for name in released():
        cells = [cell for cell in load(name).cells if cell.role == "exercise"]
        own = [line for cell in cells for line in set(cell.solution.split("\n")) - set(cell.stub.split("\n"))]
        assert len(own) > 50
        refuse_leaks([(line, name) for line in own if " ".join(line.split()) not in given], shown)


@pytest.mark.usefixtures("processes")
def test_no_line_of_the_staff_s_is_in_the_site(site: Path) -> None:
    assert leaks(site) == []


def spoken(file: Path) -> Iterator[str]:
    """The hints in a file of hidden checks: of a mark, of `ask`, of `recognise`."""
    for node in ast.walk(ast.parse(file.read_text())):
        called = node.func if isinstance(node, ast.Call) else None
        if getattr(called, "attr", getattr(called, "id", "")) in ("hint", "ask", "recognise"):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.endswith("?"):
                    yield inner.value


@pytest.mark.usefixtures("processes")
def test_no_hint_of_a_hidden_check_can_be_read(pages: dict[Path, Contents]) -> None:
    given = " ".join(" ".join(cell.stub for name in names() for cell in load(name).cells).split()).casefold()
    hints = {hint for file in (ROOT / "tests" / "hidden").rglob("*.py") for hint in spoken(file)}
    secret = {hint for hint in hints if " ".join(hint.split()).casefold() not in given}
    assert len(secret) > 200
    shown = " ".join(" ".join(contents.text for contents in pages.values()).split()).casefold()
    assert sorted(hint for hint in secret if " ".join(hint.split()).casefold() in shown) == []


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("name", names())
def test_a_lesson_has_its_stubs_its_formulas_and_its_pictures(pages: dict[Path, Contents], name: str) -> None:
    page = SITE / "lessons" / f"{name}.html"
    contents = pages[page]
    assert contents.text.count("is not written yet") >= len(load(name).exercises)
    assert [picture for picture in contents.pictures if not picture.get("alt")] == []
    assert "<math" in page.read_text() and not re.search(r"\\(frac|sqrt|text|ln|sum)\b", contents.text)
    if name == RUN:
        assert len(contents.pictures) >= 3 and "everything together   passed" in contents.text
    assert (SITE / "lessons" / f"{name}.html").stat().st_size < 2**21
    files = sorted(Path(link).name for link in contents.links if link.endswith((".ipynb", ".py")))
    assert files == [f"{name}.ipynb", f"{name}.py"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_page_is_readable_on_a_phone_and_by_a_screen_reader(
    site: Path, new_page: Callable[..., Page], name: str, scheme: str
) -> None:
    page = new_page(color_scheme=scheme)
    page.goto((site / name).as_uri())
    fits(page)
    assert page.faults == []
    no_serious_fault(page)
    page.faults.clear()  # axe reads the style sheets, which the policy forbids to scripts


def test_the_page_of_the_challenge_has_recorded_games_to_step_through(site: Path, browser_page: Page) -> None:
    """where GitHub has a picture; keys step inside the box, and elsewhere they scroll the page"""
    browser_page.goto((site / "docs" / "challenge.html").as_uri())
    viewer, stones = browser_page.locator("#viewer"), browser_page.locator(".square:not(.empty)")
    expect(viewer.locator(".slip")).not_to_have_count(0)
    assert browser_page.locator("img[src*=challenge_viewer]").count() == 0
    before = stones.count()
    browser_page.keyboard.press("Home")
    expect(stones).to_have_count(before)
    viewer.get_by_role("button", name="one move on").click()
    expect(stones).to_have_count(before + 1)
    browser_page.keyboard.press("Home")
    expect(stones).to_have_count(0)
    browser_page.keyboard.press("w")
    expect(viewer.locator(".worst")).to_contain_text("Worst move 2 of")
    browser_page.reload()
    expect(viewer.locator(".worst")).to_contain_text("Worst move 2 of")


def test_a_page_without_the_picture_of_the_viewer_is_an_error() -> None:
    with pytest.raises(ValueError, match="must have this picture once"):
        with_viewer("no picture")


def test_search_works_without_a_server(site: Path, browser_page: Page) -> None:
    browser_page.goto((site / "index.html").as_uri())
    browser_page.get_by_placeholder("Search").first.fill("rollout")
    browser_page.keyboard.press("Enter")
    first = browser_page.locator("#search-results li a").first
    first.wait_for()
    first.click()
    browser_page.wait_for_load_state()
    assert "rollout" in browser_page.content()


@pytest.mark.parametrize("typed, page, answer", [
    ("ChatGPT", "docs/language_models", "What is allowed"),
    ("timeout too slow", "docs/faq_students", "more processor time than its limit"),
    ("how many tries", "docs/faq_students", "As often as your course allows"),
    ("no dot", "docs/faq_students", "Graphviz"),
    ("Windows", "docs/faq_students", "run on Windows, macOS and Linux"),
    ("plagiarism", "docs/faq_instructors", "make similarity"),
    ("resubmit", "docs/faq_instructors", "Only new work is graded"),
    ("hidden test is wrong", "docs/faq_instructors", "excuse it"),
    ("late penalty", "docs/faq_instructors", "staff extend"),
    ("public solutions", "docs/faq_instructors", "Full points for a copied solution"),
    ("license", "docs/faq_visitors", "MIT"),
    ("GPU", "docs/faq_visitors", "No GPU is needed"),
    ("how strong is the network", "docs/faq_visitors", "mistakes at solved"),
    ("play against AlphaZero", "docs/faq_visitors", "make play"),
    ("without installing", "docs/faq_visitors", "Colab and Binder"),
])
def test_the_search_answers_what_people_type(site: Path, browser_page: Page, typed: str, page: str, answer: str) -> None:
    """among the first three pages that it names"""
    browser_page.goto(f"{(site / 'search.html').as_uri()}?q={quote(typed)}")
    links = browser_page.locator("#search-results li a")
    links.first.wait_for()
    results = [urlsplit(link.get_attribute("href") or "").path.removesuffix(".html") for link in links.all()]
    assert page in [*dict.fromkeys(results)][:3], results[:8]
    assert answer in " ".join(Contents(site / f"{page}.html").text.split())


def test_the_front_page_has_a_door_for_each_reader(site: Path, browser_page: Page) -> None:
    browser_page.goto((site / "index.html").as_uri())
    doors = browser_page.locator(".door").all_inner_texts()
    who = ["You are a student", "You teach the course", "You look around", "You change the code"]
    assert [door.split("\n")[0] for door in doors] == who


def test_code_can_be_copied_and_outputs_have_no_button(site: Path, browser_page: Page) -> None:
    browser_page.goto((site / "lessons" / "ps2_uct.html").as_uri())
    assert browser_page.locator("div.highlight-python button.copybtn").count() > 20
    assert browser_page.locator("div.output button.copybtn").count() == 0


@pytest.mark.parametrize("tex, wanted", [
    (r"\frac{W}{n}", "<mfrac>"), (r"\arg\max_a n_a", "<mo>arg</mo>"), (r"\sum_{i=1}^N x_i", "<munderover>"), (r"\ln N", "mspace"),
])
def test_a_formula_is_typeset_without_a_script(tex: str, wanted: str) -> None:
    assert wanted in mathml(tex, block=True) and "\\" not in re.sub(r'alttext="[^"]*"', "", mathml(tex, block=False))


def test_a_command_that_the_converter_does_not_know_is_an_error() -> None:
    with pytest.raises(ValueError, match="not known"):
        mathml(r"\nonsense{x}", block=False)


def test_a_docstring_keeps_its_examples_and_its_stars() -> None:
    given = ["Return `x*y` of *args and node_.", "", "    python -m arena", "", "Args:", "    x: a number.", "- one", "- **two**"]
    assert to_rst(given) == ["Return ``x*y`` of \\*args and node\\_.", "", "::", "", "    python -m arena", "",
                             "Args:", "    x: a number.", "", "- one", "- **two**", ""]  # fmt: skip


def test_the_fields_in_a_docstring_are_a_list() -> None:
    assert to_rst(["points: the sum.", "tree: what was built;", "    it may be None."]) == [
        "- points: the sum.", "- tree: what was built;", "  it may be None.", ""]  # fmt: skip


def test_a_link_to_a_file_that_the_site_has_not_becomes_its_path() -> None:
    text = "[here](b.md), [the file](../x/y.py), [y.py](../x/y.py#L3) and [out](https://example.org)"
    kept = "[here](b.md), the file (`x/y.py`), `x/y.py` and [out](https://example.org)"
    assert without_dead_links(text, "docs/a.md", {"docs/b.md"}) == kept


def test_a_word_has_one_entry_with_all_its_meanings() -> None:
    rows = [Meaning(("policy", "$p$"), "numbers", "A"), Meaning(("policy",), "a rule", "B"),
            Meaning(("state", "policy"), "both", "C")]
    text = glossary(rows)
    assert re.findall(r"^\S.*$", text, re.MULTILINE) == ["policy", "state"]
    assert "  $p$: numbers\n  (A)" in text and "  a rule\n  (B)" in text and text.count("*state, policy*: both") == 1
    assert html.escape(text) == text.replace("'", "&#x27;")
