"""Recorded games on the viewer, where a page of docs shows a picture of it: GitHub has the picture, the site has the games."""

from markupsafe import Markup

from arena.challenge.report import ChallengeReport
from autograder.pages.environment import environment
from autograder.pages.replay_data import data_of, viewer_parts
from autograder.paths import REPOSITORY

PICTURE = "![A game, stepped to a worst move, with exact values](figures/challenge_viewer.png)"
GAMES = REPOSITORY / "docs" / "figures" / "challenge_games.json"  # scripts/recorded_games.py
HEAD = "Games of our own search against Pebble"
NOTE = """<p class="soft">Played at home with the solution of problem set 3; you see them as its author would. Inside the box the
arrow keys step, Home and End go to the first and the last position, w to the next worst move, v shows the exact values.</p>"""


def with_viewer(page: str) -> str:
    """Return a page in Markdown with the viewer in place of its picture.

    Raises:
        ValueError: the page has no such picture any more.
    """
    if page.count(PICTURE) != 1:
        raise ValueError(f"the page must have this picture once: {PICTURE}")
    return page.replace(PICTURE, f"``````{{raw}} html\n{_viewer()}\n``````")


def _viewer() -> str:
    report, parts = ChallengeReport.from_json(GAMES.read_text(encoding="utf-8")), viewer_parts()
    viewer = vars(environment().get_template("viewer.html").module)["viewer"]
    section = viewer(HEAD, caller=lambda: Markup(NOTE))
    return (f"<style>{parts['viewer_style']}</style>{section}"
            f'<script type="application/json" id="games-data">{data_of(report, alone=True)}</script>{parts["script"]}')
