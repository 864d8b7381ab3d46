"""No page loads anything from another place, and a name or a note in it is only a name or a note."""

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.challenge.ladder import load_ladder
from arena.challenge.report import PLAYED, ChallengeReport, RungReport
from autograder.course.feedback import feedback
from autograder.course.similarity import SimilarPairs
from autograder.gradebook.recording.planning import unfit
from autograder.pages.course.class_page import Background, class_page, class_script
from autograder.pages.course.course_page import course_page
from autograder.pages.course.set_record import SetRecord
from autograder.pages.course.similarity_page import similarity_page
from autograder.pages.environment import TEMPLATES
from autograder.pages.short_report import ShortReport
from autograder.pages.student.challenge_page import challenge_page
from autograder.pages.student.small_page import small_page
from autograder.plain_text import plain_text
from autograder.problem_sets.source import load
from autograder.similarity.identical import Identical
from tests.gradebook.tools import tags

PS = "ps2_uct"
BASE = re.compile(r'{% extends "(page|tables)\.html" %}')
PARTS = {"viewer.html", "table_tools.html", "identical.html"}  # of pages
SCRIPTS = ({}, {"type": "module"}, {"type": "application/json", "id": "games-data"})  # inline, and named by hash in the policy
ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//|\s*(?!data:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
LOADING = ("src", "href", "srcset", "data", "poster", "action", "formaction", "background", "xlink:href", "ping", "manifest")
HOSTILE = [
    "<script>alert(1)</script>", "a' onmouseover='alert(1)", 'a" onmouseover="alert(1)', "{{ 7 * 7 }}", "{% raw %}",
    "`${alert(1)}`", "javascript:alert(1)", "&quot; x=&quot;", "a\u202eb", "\u2066x", "a\x9b31mb", "\x1b[2J", "\u3164", "=1+1",
    "\u05d0\u05d1", "a\u2028b",
]


def elsewhere(page: str) -> list[str]:
    """Everything that a browser loads from another place when it shows a page; a link in a text is loaded only by a click."""
    loaded = [
        f"<{tag} {name}={value!r}>" for tag, attributes in tags(page) for name, value in attributes.items()
        if name in LOADING and ELSEWHERE.match(value or "") and (tag, name) != ("a", "href")
    ]
    styles = " ".join(re.findall(r"<style[^>]*>(.*?)</style>", page, re.DOTALL))
    places = re.findall(r"url\(\s*['\"]?([^)'\"]*)", styles) + re.findall(r"@import\s+['\"]?([^;'\"]*)", styles)
    return loaded + [place for place in places if ELSEWHERE.match(place)]


def test_what_looks_for_loads_would_notice_them():
    assert elsewhere('<a href="https://x.y">x</a><img src="data:image/png;base64,x"><style>a { b: url(x.png) }</style>') == []
    for page in ('<script src="https://x.y/z.js"></script>', "<link href='//x.y/z.css'>", '<img src="http://x">',
                 "<style>@import 'https://x.y';</style>", "<style>a { b: url( //x.y/z ) }</style>", "<iframe src=ftp://x></iframe>"):
        assert len(elsewhere(page)) == 1, page


@pytest.fixture
def with_a_script(small_class):
    """A class of one, whose text by hand wants to run a script and to load a picture."""
    small_class.hand_in("ada", {"ex2_13": "$x^2$ <script src=https://x.y></script> ![x](https://x.y/z.png)"})
    small_class.record(ada=small_class.report("ada"))
    return small_class


def runs_nothing_and_loads_nothing(page):
    return (elsewhere(page) == [] and "script" not in {tag for tag, _ in tags(page)}
            and "default-src 'none'" in page and "$x^2$" in page)


def test_a_page_of_feedback_runs_nothing_and_loads_nothing(with_a_script):
    feedback(with_a_script.folder, PS)
    assert runs_nothing_and_loads_nothing(with_a_script.page())


@pytest.mark.usefixtures("whole_world")
def test_nor_does_a_page_that_nbgraders_own_command_makes(with_a_script):
    done = with_a_script.nbgrader("generate_feedback", PS)
    assert done.returncode == 0, done.stderr
    assert runs_nothing_and_loads_nothing(with_a_script.page())


def test_every_page_of_ours_forbids_the_browser_to_load_anything():
    for template in TEMPLATES.iterdir():
        text = template.read_text(encoding="utf-8")
        is_page = template.name not in PARTS
        assert "default-src 'none'" in text if template.name == "page.html" else not is_page or BASE.match(text), template.name
        assert elsewhere(text) == [] and "|safe" not in text.replace(" ", ""), template.name
        assert text.count("<script") == (template.name in ("challenge.html", "games.html")), template.name  # their data


def test_the_one_script_of_a_challenge_page_is_allowed_by_its_hash():
    game = "6 X lost 30303060"
    match = RungReport("Stone", 400, "failed", 0.0, 10.0, 0.0, (0.0, 0.4), -7.0, (0, 0), (0, 0), (1, 0), {}, (game,))
    page = challenge_page("ada", ChallengeReport("ps3_connect_four", "a" * 64, PLAYED, "", rungs=(match,)), None, load_ladder())
    data, script = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert re.findall(r"script-src '([^']*)'\"", page) == [f"sha256-{allowed}"]
    assert json.loads(data)["matches"][0]["name"] == "Stone"


def pages_with(name, small_class):
    """Every kind of page with a name, and a note, of a student."""
    small_class.hand_in("ada")
    report = small_class.report("ada", note=name)
    ours = Identical(("2.4",), {name: ("2.4",)}, 2, (name,))
    page = class_page(small_class.folder, PS, "T", {name: report}, [name], background=Background(identical=ours))
    yield page.replace(str(class_script()[0]), "")
    record = SetRecord(PS, "T", 100.0, {name: ShortReport.of(report)}, missing=(name,))
    yield course_page(small_class.folder, [record], {}, {}).replace(str(class_script()[0]), "")
    yield small_page(name, load(PS), report)
    match = RungReport("Stone", 400, "failed", 0.0, 10.0, 0.0, (0.0, 0.4), -7.0, (0, 0), (0, 0), (1, 0), {name: 1},
                       (f"6 X lost 303030 {name}",))
    challenge = ChallengeReport("ps3_connect_four", "a" * 64, PLAYED, name, 1.0, simulations=400, rungs=(match,))
    played = replace(challenge, overruns=(name,))
    yield challenge_page(name, played, None, load_ladder())
    yield similarity_page(SimilarPairs(PS, "T", (), 2, 0, ((name, name),), ours, Path("page.html"), Path("page.csv")))


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_a_hostile_name_or_note_is_text(small_class, name):
    for page in pages_with(name, small_class):
        assert elsewhere(page) == []
        for tag, attributes in tags(page):
            assert tag != "img" and (tag != "script" or attributes in SCRIPTS)
            assert not any(key.startswith("on") for key in attributes), (tag, attributes)
            assert not (attributes.get("href") or "").startswith("javascript:")
        assert not set(page) & set("\u202e\u2066\x9b\x1b\u2028"), "it acts on the text around it"
        shown = [html.unescape(text) for text in re.findall(r"<bdi>(.*?)</bdi>", page)]
        assert plain_text(name) in shown, "it stands apart, so that its direction of writing ends with it"


@pytest.mark.parametrize("name", ["o'brien", "a & b", "{{7*7}}", "`x`", "javascript:x", "\u05d0\u05d1", "zoë", "a\\b", "李"])
def test_names_that_no_page_of_formgrader_runs_are_graded(name):
    assert unfit(name) is None


UNFIT = ['a"b', "<b>", "a>b", "a\u202eb", "a\u200bb", "a\x9bb", "a\u00a0b", "a\u2028b", "a\nb", "a\ufeff", "\u3000"]


@pytest.mark.parametrize("name", UNFIT)
def test_names_that_it_would_run_or_that_turn_its_text_are_not(name):
    assert "rename the folder" in unfit(name)
