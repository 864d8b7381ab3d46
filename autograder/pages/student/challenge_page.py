"""A student's page of the challenge: the results on the ladder, the worst moves as pictures, every game to step through."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from arena.board.known_address import position_link
from arena.challenge.kinds import NETWORK, UCT
from arena.challenge.ladder import PERFECT, Ladder, Rung
from arena.challenge.report import PLAYED, ChallengeReport, MistakeReport, RungReport, game_of
from arena.challenge.sprt import PASSED
from arena.games import ConnectFour, after
from arena.shipped import set_number
from arena.show.connect_four import position_svg
from autograder.challenge.exam.exact_values import FROM_STONES, FROM_STONES_WON, MOST_POSITIONS
from autograder.challenge.model import Measured
from autograder.pages.environment import RESULTS, environment
from autograder.pages.replay_data import address_of, data_of, pictures, viewer_parts
from autograder.pages.student.ladder_svg import SIGNS, ladder_svg
from autograder.problem_sets.source import facts_of, names

GAME = ConnectFour()
PLAYERS = {UCT: "your <code>uct</code>", NETWORK: "your network"}


def challenge_page(student: str, report: ChallengeReport, measured: Measured | None, ladder: Ladder) -> str:
    """Return the page as HTML; the student's words and the reasons of lost games are shown as plain text."""
    shown, next_rung = pictures(report), _next_rung(report, ladder)
    return environment().get_template("challenge.html").render(
        student=student,
        report=report,
        is_played=report.outcome == PLAYED,
        player=Markup(_player(report.player)),
        speed=_two_digits(measured.simulations_per_second) if measured else "",
        rungs=_rungs(report, ladder), signs=SIGNS,
        next_name=next_rung.name if next_rung else "", standing=_standing(report, ladder, next_rung),
        highest=ladder.highest if ladder.highest != ladder.rungs[-1].name else "",
        in_reach=_in_reach(report, ladder),
        strata=_strata(report, ladder),
        mistakes=[_mistake(report, mistake) for mistake in report.mistakes],
        matches=report.matches,
        ladder_picture=ladder_svg(report, ladder),
        pictures=shown, pictured=sum(map(len, shown.values())), games=sum(len(match.games) for match in report.matches),
        games_data=data_of(report), **viewer_parts(),
        values_from=FROM_STONES, values_from_won=FROM_STONES_WON, most_values=f"{MOST_POSITIONS:,}",
    )


def _in_reach(report: ChallengeReport, ladder: Ladder) -> float:
    """Return the points that a player can have in a class which plays up to the ladder's highest rung."""
    if ladder.highest == ladder.rungs[-1].name:
        return report.max_points
    return sum(rung.points for rung in ladder.climbed) + ladder.quality.points


def short_challenge_page(student: str, report: ChallengeReport) -> str:
    """Return the page of a student whose full page could not be made."""
    return environment().get_template("short_challenge.html").render(student=student, report=report)


def _player(ps: str) -> str:
    player = PLAYERS.get(facts_of(ps).player) if ps in names() else None
    return f"{player} of problem set {set_number(ps)}" if player else "your player"


def _rungs(report: ChallengeReport, ladder: Ladder) -> list[dict[str, Any]]:
    """Return the ladder as rows, the highest bot on top, and below them the part of the points that no bot gives."""
    played, quality = {match.name: match for match in report.matches}, report.quality
    open_rung = {rung.name: "not reached" if rung in ladder.climbed else "not in this class" for rung in ladder.rungs}
    return [
        _row(PERFECT, "–", ladder.perfect.points, played.get(PERFECT), "for games not lost"),
        *(_row(rung.name, f"{rung.simulations:,}" if rung.simulations else "–", rung.points, played.get(rung.name),
               open_rung[rung.name]) for rung in reversed(ladder.rungs)),
        _row("Move quality", "", ladder.quality.points, None, "" if quality else "not judged")
        | {"points": quality.points if quality else 0},
    ]


def _row(name: str, simulations: str, most: float, match: RungReport | None, unplayed: str) -> dict[str, Any]:
    return {"name": name, "simulations": simulations, "verdict": match.verdict if match else "", "unplayed": unplayed,
            "points": match.points if match else 0, "most": most}


def _next_rung(report: ChallengeReport, ladder: Ladder) -> Rung | None:
    """Return the lowest rung of the class that the student has not passed; None if all are passed, or nothing was played."""
    if report.outcome != PLAYED:
        return None
    passed = {match.name for match in report.rungs if match.verdict == PASSED}
    return next((rung for rung in ladder.climbed if rung.name not in passed), None)


def _standing(report: ChallengeReport, ladder: Ladder, rung: Rung | None) -> list[str]:
    """Say where the student stands on the ladder, and what the next rung needs; nothing if no match was played."""
    if report.outcome != PLAYED:
        return []
    beaten = [match.name for match in report.rungs if match.verdict == PASSED]
    if rung is None:
        return [f"You have beaten every bot{'' if ladder.highest == ladder.rungs[-1].name else ' that this class plays'}."]
    score = next((f" Yours was {match.score:.2f}." for match in report.rungs if match.name == rung.name), "")
    return [f"You have beaten {len(beaten) or 'none'} of {len(ladder.climbed)} bots{': ' if beaten else ''}{', '.join(beaten)}.",
            f"Next: {rung.needs}.{score}"]


def _strata(report: ChallengeReport, ladder: Ladder) -> list[dict[str, Any]]:
    """The mistake rates of the student and of a random player."""
    if report.quality is None:
        return []
    return [
        {"name": stratum, "rate": rate, "percent": f"{100 * rate:.0f} %",
         "random": f"{100 * ladder.quality.random.get(stratum, 0):.0f} %"}
        for stratum, rate in report.quality.rates.items()
    ]


def _mistake(report: ChallengeReport, mistake: MistakeReport) -> dict[str, Any]:
    """One picture: the position before the move, and the change of result by the move."""
    match = next(match for match in report.matches if match.name == mistake.rung)
    game = game_of(match.games[mistake.game])
    before = game.actions[: mistake.number - 1]
    state, moves = after(GAME, before), "".join(map(str, before))
    return {
        "picture": Markup(position_svg(state, mistake.played, mistake.best, mistake.sentence)),
        "sentence": mistake.sentence,
        "where": f"game {mistake.game + 1} against {mistake.rung}, you are {'XO'[game.colour]}",
        "result": RESULTS[game.score],
        "number": mistake.number,
        "moves": moves,
        "step": address_of(mistake.rung, mistake.game, mistake.number - 1),
        "link": position_link("connect_four", moves),
    }


def _two_digits(number: float) -> str:
    """Return a measured number, rounded to two digits: 48,000."""
    return f"{float(f'{number:.2g}'):,.0f}" if number else ""
