"""Keep the games that docs/challenge.md shows on the site: those of the worst moves in a report of `arena challenge`, valued.

    arena challenge ps3_connect_four --rung Pebble
    python -m scripts.recorded_games challenge.json
"""

import sys
from dataclasses import replace
from pathlib import Path

from arena.challenge.report import ChallengeReport, RungReport, game_of
from arena.players.solver import Solver
from arena.result import MatchResult
from autograder.challenge.exam.exact_values import exact_values
from autograder.paths import REPOSITORY

KEPT = REPOSITORY / "docs" / "figures" / "challenge_games.json"


def main(path: str) -> None:
    """Write a report with these games alone."""
    report = ChallengeReport.from_json(Path(path).read_text(encoding="utf-8"))
    rungs = [kept for rung in report.rungs if (kept := _worst_of(rung, report)).games]
    places = {(rung.name, game): place for rung in report.rungs for place, game in enumerate(_numbers(rung, report))}
    mistakes = tuple(replace(mistake, game=places[mistake.rung, mistake.game]) for mistake in report.mistakes)
    KEPT.write_text(replace(report, rungs=tuple(rungs), mistakes=mistakes).to_json(), encoding="utf-8")
    print(f"wrote {KEPT}: {sum(len(rung.games) for rung in rungs)} games")


def _numbers(rung: RungReport, report: ChallengeReport) -> list[int]:
    """Return the numbers of the games against a bot in which there is one of the worst moves, from 0."""
    return sorted({mistake.game for mistake in report.mistakes if mistake.rung == rung.name})


def _worst_of(rung: RungReport, report: ChallengeReport) -> RungReport:
    games = tuple(rung.games[number] for number in _numbers(rung, report))
    match = MatchResult(("you", rung.name), tuple(map(game_of, games)))
    return replace(rung, games=games, values=exact_values([(rung.name, match)], Solver(18))[rung.name])


if __name__ == "__main__":
    main(*sys.argv[1:])
