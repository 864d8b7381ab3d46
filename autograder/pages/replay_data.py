"""What a page needs to step through games: the viewer's script and style, its data, and small pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from urllib.parse import quote

from markupsafe import Markup

from arena.board.bundle import bundle, compact, static
from arena.board.inline import data_text
from arena.challenge.report import ChallengeReport, game_of, line_of
from arena.games.connect_four import HEIGHT, WIDTH
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
    for place, (name, number, game) in enumerate(chosen):
        words = f"game {number}, {'XO'[game.colour]}, {RESULTS[game.score]}"
        pictures.setdefault(name, []).append((words, Markup(small_picture(game, f"o{place}"))))
    return pictures


def small_picture(game: PlayedGame, name: str) -> str:
    """Return the final position as SVG: X a disc, O a ring, which is a disc upon a disc; the page's style has the colours.

    Every stone is a dot of a dotted line up its column, which is shorter than a disc of its own. The first path is all stones,
    the second those of O, which `use` draws again, and smaller; `name` is its id in the page.
    """
    columns = [""] * WIDTH
    for number, column in enumerate(game.actions):
        columns[column] += "XO"[number % 2]
    stones = "".join(_dots(place, 0, len(column)) for place, column in enumerate(columns) if column)
    runs = [(place, run) for place, column in enumerate(columns) for run in re.finditer("O+", column)]
    rings = "".join(_dots(place, run.start(), len(run[0])) for place, run in runs)
    return (f'<svg viewBox="-.5 0 7 6" aria-hidden="true"><path d="{stones}"/><path id="{name}" d="{rings}"/>'
            f'<use href="#{name}"/></svg>')


def _dots(column: int, row: int, number: int) -> str:
    """Return a line up `number` squares of a column from the lower edge of `row`; the style has a dot in the middle of each."""
    return f"M{column} {HEIGHT - row}v-{number}"
