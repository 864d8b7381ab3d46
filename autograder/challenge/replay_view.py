"""One game of a report in the terminal, move by move; the solver marks the mistakes."""

from __future__ import annotations

from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from arena.errors import UserError
from arena.files import read_regular
from arena.games import ConnectFour, after
from arena.players.perfect import PerfectPlayer
from arena.result import PlayedGame
from arena.waiting import waiting
from autograder.challenge.exam.mistakes import mistakes
from autograder.challenge.report import ChallengeReport, RungReport, game_of

GAME = ConnectFour()
LARGEST_REPORT_BYTES = 16 * 2**20
RESULTS = {1.0: "won", 0.5: "drew", 0.0: "lost"}


def replay(path: Path, rung: str | None, number: int, console: Console) -> None:
    """Print one game of a report.

    Args:
        path: reports/<student>/challenge.json.
        rung: the opponent's name; None: the last opponent.
        number: the number of the game, from 1.

    Raises:
        UserError: the report, the rung or the game does not exist.
    """
    match = _match(_read(path), rung)
    if not 1 <= number <= len(match.games):
        raise UserError(f"there is no game {number} against {match.name}: there are 1 to {len(match.games)}")
    game = game_of(match.games[number - 1])
    end = f": {game.fault.reason}" if game.fault else ""
    console.print(f"{match.name}, game {number}: you were {'XO'[game.colour]} and {RESULTS[game.score]}{end}", markup=False)
    with waiting("the solver looks at the game"):
        found = {mistake.number: mistake.sentence() for mistake in mistakes(game, PerfectPlayer())}
    console.print(Columns([_board(game, place, place in found) for place in range(game.num_opening, len(game.actions) + 1)]))
    for sentence in found.values():
        console.print(sentence, markup=False, highlight=False)
    if not found:
        console.print("none of your moves was a mistake", highlight=False)


def _read(path: Path) -> ChallengeReport:
    content = read_regular(path, LARGEST_REPORT_BYTES)
    if content is None:
        raise UserError(f"there is no report at {path}; give reports/<student>/challenge.json of the course")
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
        raise UserError(f"nothing was played against {rung!r}; there are {', '.join(match.name for match in report.matches)}")
    return named[rung.casefold()]


def _board(game: PlayedGame, place: int, is_mistake: bool) -> Panel:
    """The board after `place` moves."""
    state = after(GAME, game.actions[:place])
    if place == game.num_opening:
        title = f"{place}: opening"
    else:
        title = f"{place}: {'XO'[(place - 1) % 2]} {game.actions[place - 1]}{' ✗' if is_mistake else ''}"
    return Panel(Text(GAME.text(state)), title=title, width=19, border_style="red" if is_mistake else "dim")
