"""The leaderboard and the page of similar submissions in a browser: light and dark, narrow and wide, hostile names as text."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.games import ConnectFour
from arena.match import play_match
from arena.players.random import RandomPlayer
from autograder.course.challenge.tournament import write_leaderboard
from autograder.course.similarity import look_over
from autograder.pages.course.leaderboard import CLASSES
from autograder.tournament.meeting import Meeting, MeetingResult
from autograder.tournament.participants import Participant
from autograder.tournament.rating import Rating
from autograder.tournament.tournament import Standing, Table
from tests.browser.looks import SCHEMES, fits, no_serious_fault, screenshot
from tests.students import hand_in, own_answers, stub

pytestmark = pytest.mark.usefixtures("processes")

PS = "ps2_uct"
COPIERS = ("<script>alert(1)<\u2215script>", "=HYPERLINK(1)")


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return leaderboard_in(tmp_path_factory.mktemp("tournament"))


def leaderboard_in(folder: Path) -> Path:
    """A leaderboard with a player of every class; each has met each with both colours."""
    sides = [Participant(f"{kind}/1", f"Player {name} {'x' * 40 * (name == 'open')}", kind, "0" * 64, 30)
             for kind, name in CLASSES.items()]
    standings = [Standing(participant, Rating(1000 + 90 * place, 900 + 60 * place, 1100 + 130 * place))
                 for place, participant in enumerate(sides)]
    game, results = ConnectFour(), []
    player = RandomPlayer(game)
    for place, first in enumerate(standings):
        for second in standings[:place]:
            played = play_match(game, player, player, 2, 1, place, progress=False).games
            results.append((Meeting(first.participant, second.participant, (), 0), MeetingResult(played)))
            for result in played:
                first.won, second.lost = first.won + (result.score == 1), second.lost + (result.score == 1)
                first.lost, second.won = first.lost + (result.score == 0), second.won + (result.score == 0)
    return write_leaderboard(folder, Table(tuple(standings[::-1]), tuple(results), 3, "Sand", 0))


@pytest.fixture(scope="module")
def similar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return similar_in(tmp_path_factory.mktemp("class"))


def similar_in(course: Path) -> Path:
    """The page of a class in which two with hostile names have handed in the same work."""
    for student, number in [*((name, 0) for name in COPIERS), *((f"own{number}", number) for number in range(1, 9))]:
        hand_in(course, student, PS, stub(PS) + "".join(f"\n\n# %%\n{code}" for code in own_answers(PS, number)))
    return look_over(course, PS).page


@pytest.mark.first_shows
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_leaderboard_has_no_serious_fault_and_fits(new_page, board, scheme):
    page = new_page(color_scheme=scheme)
    page.goto(f"file://{board}")
    no_serious_fault(page)
    fits(page)
    screenshot(page, f"leaderboard-{scheme}", whole=True)
    page.get_by_role("link", name="Player search").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Player search")
    assert page.locator("figure svg").count() == 2 * (len(CLASSES) - 1)  # two games against each other player
    page.get_by_role("link", name="step through").nth(1).click()
    expect(page.locator(".moves .opening")).to_have_count(page.locator(".square:not(.empty)").count())
    page.keyboard.press("End")
    expect(page.locator(".status")).to_contain_text(re.compile("The end: (Player search +(won|lost)|a draw)"))
    expect(page.locator(".square:not(.empty)")).to_have_count(page.locator(".moves button").count())
    no_serious_fault(page)
    fits(page)
    page.get_by_role("link", name="Leaderboard").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Leaderboard")


def test_every_class_of_players_has_a_colour_and_a_word_of_explanation(browser_page, board):
    browser_page.goto(f"file://{board}")
    fill = "dot => getComputedStyle(dot).fill"
    colours = {kind: browser_page.locator(f"circle.{kind}").evaluate(fill) for kind in CLASSES.values()}
    assert len(set(colours.values())) == len(colours), colours
    explained = " ".join(browser_page.locator("dt").all_inner_texts()).lower()
    assert [kind for kind in CLASSES.values() if kind not in explained] == []


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_page_of_similar_submissions_has_no_serious_fault_and_fits(new_page, similar, scheme):
    page = new_page(color_scheme=scheme)
    page.goto(f"file://{similar}")
    no_serious_fault(page)
    fits(page)
    screenshot(page, f"similar-{scheme}", whole=True)


def test_hostile_names_are_text_and_the_shared_code_is_marked_on_both_sides(browser_page, similar):
    browser_page.goto(f"file://{similar}")
    named = [text.strip() for text in browser_page.locator("tbody td bdi").all_inner_texts()]
    assert set(COPIERS) == set(named)
    pair = browser_page.locator("details", has=browser_page.locator("#pair-1"))
    assert pair.get_attribute("open") is not None
    for side in (0, 1):
        assert pair.locator(".sides").first.locator("pre").nth(side).locator("mark").count() > 0
    pair.locator("summary").press("Enter")
    assert pair.get_attribute("open") is None
