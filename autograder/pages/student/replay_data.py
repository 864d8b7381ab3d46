"""What the page of a challenge needs to step through games: the data for its script, and small pictures."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from arena.board.inline import data_text
from arena.challenge.report import ChallengeReport, game_of
from arena.games.connect_four import HEIGHT
from arena.result import PlayedGame
from autograder.pages.environment import RESULTS
from autograder.plain_text import plain_text

MOST_PICTURES = 150  # of one page, 0.4 kB each; the games beyond are lines of text


def data_of(report: ChallengeReport) -> Markup:
    """Return all games, their values and the worst moves as JSON that can stand in a page.

    matches: [{name, games: [[opening, colour, result, moves, values, reason]]}]
    worst: [[match, game, number, values, sentence]]
    """
    matches, places = [], {}
    for place, match in enumerate(report.matches):
        values = dict(enumerate(match.values))
        places[match.name] = place
        matches.append({"name": match.name, "games": [
            [*_parts(line), values.get(number, ""), _reason(line)] for number, line in enumerate(match.games)
        ]})
    worst = [[places[mistake.rung], mistake.game, mistake.number, mistake.values, mistake.sentence]
             for mistake in report.mistakes if mistake.rung in places]
    return Markup(data_text({"matches": matches, "worst": worst}))


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
    """Return the final position as SVG: X a disc, O a ring; the page's style has the colours."""
    heights: dict[int, int] = {}
    stones: list[list[str]] = [[], []]
    for number, column in enumerate(game.actions):
        row = heights[column] = heights.get(column, 0) + 1
        stones[number % 2].append(f"M{column} {HEIGHT - row}h0")
    first, second = map("".join, stones)
    paths = f'<path d="{first}"/><path class="o" d="{second}"/><path class="i" d="{second}"/>'
    return f'<svg viewBox="-.5 -.5 7 6" aria-hidden="true">{paths}</svg>'


def _parts(line: str) -> Iterable[int | str]:
    """Return the opening's length, the colour, the result and the moves of a line of the report."""
    opening, colour, result, moves, *_ = line.split(" ", 4)
    return int(opening), colour, result, "" if moves == "-" else moves


def _reason(line: str) -> str:
    """Return why a game was lost off the board, or ""."""
    fault = game_of(line).fault
    return plain_text(fault.reason) if fault else ""
