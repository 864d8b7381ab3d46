"""One game of a report in the terminal, move by move; the solver marks the mistakes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from arena.challenge.report import ChallengeReport, RungReport, game_of
from arena.errors import UserError
from arena.files import read_regular
from arena.games import ConnectFour, after
from arena.near_miss import meant_or_listed
from arena.result import PlayedGame

GAME = ConnectFour()
LARGEST_REPORT_BYTES = 16 * 2**20
RESULTS = {1.0: "won", 0.5: "drew", 0.0: "lost"}
CELL = 18  # characters of a board and its title
WITHOUT_SOLVER = "the solver is compiled with numba, which is not installed: no mistake is marked (python -m pip install numba)"


def replay(path: Path, rung: str | None, number: int, tell: Callable[[str], None] = print) -> None:
    """Show one game of a report: the board after every move, and a sentence for each mistake.

    Args:
        path: the challenge.json that `arena challenge` saved, or reports/<student>/challenge.json of a course.
        rung: the opponent's name; None: the last opponent.
        number: the number of the game, from 1.

    Raises:
        UserError: the report, the rung or the game does not exist.
    """
    match = _match(_read(path), rung)
    if not 1 <= number <= len(match.games):
        raise UserError(f"{match.name} has no game {number}; choose from 1 to {len(match.games)}")
    game = game_of(match.games[number - 1])
    end = f": {game.fault.reason}" if game.fault else ""
    tell(f"{match.name}, game {number}: you were {'XO'[game.colour]} and {RESULTS[game.score]}{end}")
    sentences = _mistakes(game)
    boards = [_board(game, place, place in (sentences or {})) for place in range(game.num_opening, len(game.actions) + 1)]
    abreast = max(1, shutil.get_terminal_size().columns // CELL)
    for begin in range(0, len(boards), abreast):
        tell("")
        for line in zip(*boards[begin : begin + abreast], strict=True):
            tell("".join(f"{text:<{CELL}}" for text in line).rstrip())
    tell("")
    for sentence in [WITHOUT_SOLVER] if sentences is None else sentences.values() or ["none of your moves was a mistake"]:
        tell(sentence)


def _mistakes(game: PlayedGame) -> dict[int, str] | None:
    """Return a sentence for each mistake, by the number of the move; None without numba."""
    if not find_spec("numba"):
        return None
    from arena.challenge.mistakes import mistakes
    from arena.players.perfect import PerfectPlayer

    return {mistake.number: mistake.sentence() for mistake in mistakes(game, PerfectPlayer())}


def _read(path: Path) -> ChallengeReport:
    content = read_regular(path, LARGEST_REPORT_BYTES)
    if content is None:
        raise UserError(f"no report was found at {path}; give the challenge.json that `arena challenge` saved, or "
                        "reports/<student>/challenge.json of the course")
    try:
        return ChallengeReport.from_json(content.decode())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path} is not a report of the challenge") from error


def _match(report: ChallengeReport, rung: str | None) -> RungReport:
    if not report.matches:
        raise UserError(f"nothing was played: {report.note}")
    if rung is None:
        return report.matches[-1]
    named = {match.name.casefold(): match for match in report.matches}
    if rung.casefold() not in named:
        raise UserError(f"no match was played against {rung!r}{meant_or_listed(rung, (match.name for match in report.matches))}")
    return named[rung.casefold()]


def _board(game: PlayedGame, place: int, is_mistake: bool) -> list[str]:
    """Return a title and the lines of the board after `place` moves."""
    if place == game.num_opening:
        title = f"{place}: opening"
    else:
        title = f"{place}: {'XO'[(place - 1) % 2]} {game.actions[place - 1]}{' mistake' if is_mistake else ''}"
    return [title, *GAME.text(after(GAME, game.actions[:place])).splitlines(), ""]
