"""The leaderboard of a tournament: handles, ratings with intervals, and every game. It contains no student's name."""

from dataclasses import replace
from typing import Any

from markupsafe import Markup

from arena.challenge.kinds import IMPROVED, NETWORK, OPEN, UCT
from arena.result import Fault, PlayedGame
from arena.show.connect_four import diagram
from autograder.csv_text import csv_text
from autograder.gradebook.policy.people_names import Names
from autograder.pages.environment import RESULTS, environment
from autograder.pages.replay_data import address_of, data_of_games, viewer_parts
from autograder.tournament.meeting import Meeting, MeetingResult
from autograder.tournament.participants import BOT, Participant
from autograder.tournament.pseudonyms import slug
from autograder.tournament.tournament import Standing, Table

WIDTH = 360  # the width of the ratings' bars, in pixels
CLASSES = {BOT: "ladder", UCT: "search", IMPROVED: "improved", NETWORK: "network", OPEN: "open"}


def leaderboard(table: Table) -> dict[str, str]:
    """Return the pages of a leaderboard by file name: index.html, and one page for each player."""
    games = {page_of(standing.participant): _games(table, standing) for standing in table.standings}
    return {"index.html": _index(table)} | games


def page_of(participant: Participant) -> str:
    """Return the file name of a player's page."""
    return f"{slug(participant.handle).replace('(', '').replace(')', '')}.html"


def class_of(standing: Standing) -> str:
    """Return the class of a player: "ladder", "search", "improved", "network" or "open"."""
    return CLASSES[OPEN] if standing.open_class else CLASSES[standing.participant.kind]


def _index(table: Table) -> str:
    scale = Scale.of(table)
    rows = [{"place": place, "standing": standing, "class": class_of(standing), "page": page_of(standing.participant),
             "bar": Markup(scale.bar(standing)), "beyond": bool(standing.overruns)}
            for place, standing in enumerate(table.standings, 1)]
    return environment().get_template("leaderboard.html").render(
        table=table, rows=rows, axis=Markup(scale.axis()), games=sum(len(played.games) for _, played in table.results),
        students=sum(standing.participant.kind != BOT for standing in table.standings),
    )


class Scale:
    """The common scale of all rating bars."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    @classmethod
    def of(cls, table: Table) -> "Scale":
        """Return a scale that contains every rating, and every interval up to 300 points beyond the ratings."""
        values = [standing.rating.value for standing in table.standings]
        low = max(min(standing.rating.low for standing in table.standings), min(values) - 300)
        high = min(max(standing.rating.high for standing in table.standings), max(values) + 300)
        return cls(low - 20, high + 20)

    def x(self, rating: float) -> float:
        """Return the place of a rating in pixels; a rating outside the scale is at the edge."""
        return round(WIDTH * min(1.0, max(0.0, (rating - self.low) / (self.high - self.low))), 1)

    def marks(self) -> list[int]:
        """Return the ratings at which a line is drawn: round numbers, at most nine."""
        step = next(step for step in (100, 200, 400, 500, 1000, 2000, 5000, 10**6) if (self.high - self.low) / step <= 8)
        first = int(-(-self.low // step)) * step
        return list(range(first, int(self.high) + 1, step))

    def bar(self, standing: Standing) -> str:
        """Return a rating with its interval as SVG; an arrow means that the interval continues beyond the edge."""
        rating = standing.rating
        low, middle, high = self.x(rating.low), self.x(rating.value), self.x(rating.high)
        lines = "".join(f'<line x1="{self.x(mark)}" x2="{self.x(mark)}" y1="0" y2="22" class="grid"/>' for mark in self.marks())
        lines += '<path d="M0 11 l7 -5 v10 z" class="beyond"/>' if rating.low < self.low else ""
        lines += f'<path d="M{WIDTH} 11 l-7 -5 v10 z" class="beyond"/>' if rating.high > self.high else ""
        return (f'<svg width="{WIDTH}" height="22" viewBox="0 0 {WIDTH} 22" role="img">'
                f'<title>{rating.value:.0f}, between {rating.low:.0f} and {rating.high:.0f}</title>{lines}'
                f'<line x1="{low}" x2="{high}" y1="11" y2="11" class="interval"/>'
                f'<circle cx="{middle}" cy="11" r="5" class="{class_of(standing)}"/></svg>')

    def axis(self) -> str:
        """Return the numbers above the bars as SVG."""
        texts = "".join(f'<text x="{min(WIDTH - 14, max(14, self.x(mark)))}" y="13" text-anchor="middle">{mark}</text>'
                        for mark in self.marks())
        return f'<svg width="{WIDTH}" height="18" viewBox="0 0 {WIDTH} 18" class="axis">{texts}</svg>'


def _games(table: Table, standing: Standing) -> str:
    """Return a player's page: all of its games."""
    mine = standing.participant
    played: dict[str, list[PlayedGame]] = {}
    meetings = [_meeting(mine, meeting, result, played) for meeting, result in table.results
                if mine.id in (meeting.first.id, meeting.second.id)]
    place = 1 + [other.participant.id for other in table.standings].index(mine.id)
    return environment().get_template("games.html").render(
        standing=standing, place=place, players=len(table.standings), class_=class_of(standing), meetings=meetings,
        games_data=data_of_games(mine.handle, played), **viewer_parts(),
    )


def _meeting(mine: Participant, meeting: Meeting, result: MeetingResult, played: dict[str, list[PlayedGame]]) -> dict[str, Any]:
    """Return what the page shows of a meeting; its games are added to `played`, by opponent."""
    side = 0 if meeting.first.id == mine.id else 1
    other = (meeting.second, meeting.first)[side]
    points = 2 - result.points if side else result.points
    shown = []
    for game in (_seen_by(side, game) for game in result.games):
        games = played.setdefault(other.handle, [])
        shown.append({"picture": Markup(diagram(game)), "words": _words(game),
                      "step": address_of(other.handle, len(games), game.num_opening)})
        games.append(game)
    return {"other": other.handle, "page": page_of(other), "points": f"{points:g}", "games": shown}


def _seen_by(side: int, game: PlayedGame) -> PlayedGame:
    """Return a game with the colour and the score of one side. The page is for everybody: why a game was lost is not on it."""
    fault = Fault(0, "by a fault") if game.fault else None
    return replace(game, colour=game.colour ^ side, score=1 - game.score if side else game.score, fault=fault)


def _words(game: PlayedGame) -> str:
    how = f" {game.fault.reason}" if game.fault else ""
    return f"{'XO'[game.colour]}: {RESULTS[game.score]}{how}, {len(game.actions)} moves"


def players_table(table: Table, names: Names) -> str:
    """Return the students behind the handles, and the faults in their games: for the instructor only."""
    header = ["student", "problem_set", "handle", "class", "place", "rating", "low", "high", "won", "drawn", "lost",
              "lost_off_the_board", "overruns", "not_counted"]
    students = [_player(place, standing) for place, standing in enumerate(table.standings, 1) if standing.participant.kind != BOT]
    return csv_text(names.header(header), map(names.cells, students))


def _player(place: int, standing: Standing) -> list[str]:
    who, rating = standing.participant, standing.rating
    figures = [place, rating.value, rating.low, rating.high, standing.won, standing.drawn, standing.lost]
    lost = "; ".join(f"{count} x {reason}" for reason, count in sorted(standing.faults.items()))
    overruns = "; ".join(standing.overruns)
    return [who.student, who.ps, who.handle, class_of(standing), *map(str, figures), lost, overruns, str(standing.uncounted)]
