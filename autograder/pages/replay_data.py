"""What a page needs to step through games: the viewer's script and style, its data, and small pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from urllib.parse import quote

from markupsafe import Markup

from arena.board.bundle import bundle, compact, static
from arena.board.inline import data_text
from arena.challenge.report import ChallengeReport, game_of, line_of
from arena.games.connect_four import HEIGHT
from arena.result import PlayedGame
from autograder.pages.environment import RESULTS
from autograder.pages.inline_script import inline_script

NOT_ENCODED = "!~*'()"  # beside letters, digits and -_., by encodeURIComponent
MOST_PICTURES = 150  # of one page, 0.4 kB each; the games beyond are lines of text


@cache
def viewer_parts() -> dict[str, Markup]:
    """Return what a page with the viewer has in its head and at its end, by the names in the templates."""
    script, source = inline_script(bundle("replay.js"))
    return {"script": script, "script_source": source, "viewer_style": Markup(compact(static("viewer.css")))}


def data_of(report: ChallengeReport, *, alone: bool = False) -> Markup:
    """Return what a page knows of a challenge beside the lines of its games, as JSON that can stand in the page.

    alone: whether the page is about other things: then it has no lines, and keys step only while the focus is in the viewer.
    matches: [{name, values: {number of the game: letters}, and alone, games: [lines as `line_of` writes them]}]
    worst: [[match, game, number, values, sentence]]
    """
    matches, places = [], {}
    for place, match in enumerate(report.matches):
        places[match.name] = place
        values = {number: letters for number, letters in enumerate(match.values) if letters}
        matches.append({"name": match.name, "values": values} | ({"games": match.games} if alone else {}))
    worst = [[places[mistake.rung], mistake.game, mistake.number, mistake.values, mistake.sentence]
             for mistake in report.mistakes if mistake.rung in places]
    return Markup(data_text({"alone": alone, "matches": matches, "worst": worst}))


def data_of_games(me: str, games: Mapping[str, Sequence[PlayedGame]]) -> Markup:
    """Return a player's games in the same form, by opponent, without values; the page says `me` and not "you"."""
    matches = [{"name": name, "games": [*map(line_of, played)], "values": {}} for name, played in games.items()]
    return Markup(data_text({"me": me, "matches": matches, "worst": []}))


def address_of(match: str, game: int, ply: int) -> str:
    """Return the address of a position within the page; games are counted from 0."""
    return f"#{quote(match, safe=NOT_ENCODED)}-{game + 1}/{ply}"


def pictures(report: ChallengeReport) -> dict[str, list[tuple[str, Markup]]]:
    """Return pictures of final positions with their captions, by opponent: MOST_PICTURES, games that were not won first."""
    played = [(match.name, number, game_of(line))
              for match in reversed(report.matches) for number, line in enumerate(match.games, 1)]
    chosen = sorted(played, key=lambda entry: entry[2].score == 1.0)[:MOST_PICTURES]
    pictures: dict[str, list[tuple[str, Markup]]] = {}
    for name, number, game in chosen:
        result = RESULTS[game.score]
        pictures.setdefault(name, []).append((f"game {number}, {'XO'[game.colour]}, {result}", Markup(small_picture(game))))
    return pictures


def small_picture(game: PlayedGame) -> str:
    """Return the final position as SVG: X a disc, O a ring, which is a disc upon a disc; the page's style has the colours."""
    heights: dict[int, int] = {}
    stones: list[list[str]] = [[], []]
    for number, column in enumerate(game.actions):
        row = heights[column] = heights.get(column, 0) + 1
        stones[number % 2].append(f"M{column} {HEIGHT - row}h0")
    first, second = map("".join, stones)
    paths = f'<path d="{first}"/><path d="{second}"/><path d="{second}"/>'
    return f'<svg viewBox="-.5 -.5 7 6" aria-hidden="true">{paths}</svg>'
