"""What is on the first screen of each page, on a desk and on a phone, light and dark: the best thing, and no fault.

`python -m scripts.looks` runs these tests with screenshots, and keeps them for docs/looks.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.challenge.ladder import load_ladder
from arena.challenge.report import ChallengeReport
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.grade import grade_submission
from autograder.grading.report import Report
from autograder.pages.student.challenge_page import challenge_page
from autograder.pages.student.report_page import report_page
from autograder.problem_sets.source import load
from autograder.selftest.demo.submission_maker import SubmissionMaker
from autograder.selftest.endurance.invented_class import invented_course, names
from scripts.site import Parts, assemble
from tests.board_server import running_server
from tests.browser.looks import fits, no_serious_fault, screenshot
from tests.browser.test_feedback_pages import played
from tests.browser.test_readme_page import readme_html
from tests.speeds import again

pytestmark = pytest.mark.usefixtures("processes")

PS = "ps2_uct"
SIZES = {1440: 900, 390: 844}
# By page, what must be seen without scrolling: on a desk, and on a phone.
SEEN = {
    "site": (["h1", "header a >> nth=0", "figure img", ".cards a >> nth=6"], ["h1", "header a >> nth=0", ".cards a >> nth=0"]),
    "readme": (["h1", "picture img", "text=make grade PS=ps2_uct"], ["h1"]),
    "class": (["text=For the next lesson", "text=Required: “ >> nth=0", "#help", "td.p >> nth=0"],
              [".phone a >> nth=1", "text=Required: “ >> nth=0"]),
    "student": ([".points", "text=What to do next", ".gain >> nth=0", "#tree", ".tree >> nth=0"],
                [".points", ".phone a", "text=What to do next", ".gain >> nth=0"]),
    "challenge": (
        [".numbers dd", ".rungs tbody tr >> nth=7", "#viewer-head", ".squares", ".chart svg >> nth=0", ".worst"],
        [".numbers dd", ".rungs tbody tr >> nth=7", "#viewer-head", ".squares"]),
    "board": ([".intro", ".squares", ".chart svg >> nth=0", ".minds table"],
              [".intro", ".squares", ".minds .differs"]),
}


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The address of each page."""
    folder = tmp_path_factory.mktemp("first-screens")
    invented_course(folder / "course", PS, names(30), missing=())
    challenge = challenge_page("wen", climbed(), None, load_ladder())
    texts = {"readme": readme_html(), "student": student_page(folder), "challenge": challenge}
    files = {name: folder / f"{name}.html" for name in texts} | {"class": folder / "course" / "report" / f"{PS}.html"}
    for name, text in texts.items():
        files[name].write_text(text, encoding="utf-8")
    files["site"] = front_page(folder, folder / "course", texts["student"], challenge)
    with running_server() as server:
        yield {name: Path(file).as_uri() for name, file in files.items()} | {"board": server.url}


def climbed() -> ChallengeReport:
    """A challenge that ends at the fourth bot; the games of the first and the third are those of the second."""
    report, ladder = played(), load_ladder()
    sand, stone = report.rungs
    first, third = (replace(sand, name=rung.name, simulations=rung.simulations, points=rung.points, max_points=rung.points)
                    for rung in (ladder.rung("Random"), ladder.rung("Pebble")))
    return replace(report, points=65.0, rungs=(first, sand, third, stone))


def student_page(folder: Path) -> str:
    """What a student reads about the second submission, in which one mistake of three is mended; graded as in a course."""
    maker = SubmissionMaker(PS)
    kept = {"2.6": "the logarithm of the child's visits", "2.9": "the rollout is for the player above"}
    mended = {"2.5": "backpropagate does not flip the sign"}

    def graded(mistakes: dict[str, str]) -> Report:
        written = maker.solutions | {id: maker.wrong[id, name].code for id, name in mistakes.items()}
        hand_in = folder / f"with {len(mistakes)} mistakes"
        hand_in.mkdir()
        notebook = maker.filled(maker.stub, {id: text for id, text in written.items() if id != "2.11"})
        (hand_in / f"{PS}.ipynb").write_text(notebook, encoding="utf-8")
        return grade_submission(hand_in, PS, Settings(public_secret())).report

    before, now = graded(kept | mended), graded(kept)
    return report_page("wen", load(PS), now, before, {id: maker.wrong[id, name].code for id, name in kept.items()})


def front_page(folder: Path, course: Path, student: str, challenge: str) -> Path:
    """The front page of a site with all its parts, which are empty here; tests/browser/test_site.py opens real ones."""
    for part in ("docs", "tab/files", "board"):
        (folder / part).mkdir(parents=True)
    for ps in (PS, "ps3_connect_four"):
        (folder / "tab" / "files" / f"{ps}.ipynb").touch()
    for name, text in {f"{PS}/index": student, "challenge/challenge": challenge}.items():
        page = course / "feedback" / "wen" / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    parts = Parts(folder / "docs", {PS: course}, folder / "tab", folder / "board")
    assemble(parts, folder / "site", "https://example.org/you/mcts")
    return folder / "site" / "index.html"


LOOKS = [(page, width, scheme) for page in SEEN for width in SIZES for scheme in ("light", "dark")]


@pytest.mark.parametrize("name, width, scheme", [
    look if look[1:] in {(1440, "light"), (390, "dark")} else again(*look) for look in LOOKS])
def test_the_best_thing_is_on_the_first_screen(
    addresses: dict[str, str], new_page: Callable[..., Page], name: str, width: int, scheme: str
) -> None:
    motion = "no-preference" if name == "readme" else "reduce"  # the moving picture is what most readers see
    page = new_page(width=width, height=SIZES[width], color_scheme=scheme, reduced_motion=motion)
    page.goto(addresses[name])
    if name == "board":
        expect(page.locator(".minds thead")).to_contain_text("30 simulations", timeout=120_000)
    desk, phone = SEEN[name]
    for selector in desk if width == 1440 else phone:
        box = page.locator(selector).first.bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] < SIZES[width] - 40, (selector, box)
    fits(page, (width,))
    if name != "readme":  # GitHub's own page is around it
        no_serious_fault(page)
    screenshot(page, f"look_{name}_{width}_{scheme}")
