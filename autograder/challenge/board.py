"""The playable board in the checkout: the student's own player is an opponent in its sandbox."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from arena.board.command import first_game
from arena.board.command import play as play_board
from arena.board.opponents import LADDER_GAME, Opponent, asking
from arena.challenge.ladder import Ladder, load_ladder
from autograder.challenge.player.sandboxed import SandboxedPlayer
from autograder.challenge.practice import LOADING, is_sandboxed, player_at


def play(game: str, moves: str, player: Path | None, console: Console, *, port: int | None = None, browser: bool = True) -> None:
    """Serve the board until Ctrl-C; see `arena.board.command.play`.

    Args:
        player: a submission of ps3, or of ps5 with weights.npz beside it; None: no player of one's own.

    Raises:
        UserError: the game, the position or the player does not exist, or the port is taken.
    """
    ladder, own = load_ladder(), None
    if player is not None:
        sandboxed = is_sandboxed(console.print)
        with console.status(LOADING):
            own = player_at(player, ladder, sandboxed)
    opponents = [own_opponent(own, ladder)] if own else []
    try:
        play_board(first_game(game, own is not None), moves, lambda name: opponents if name == LADDER_GAME else [],
                   port=port, browser=browser, tell=lambda line: console.print(line, markup=False, highlight=False))
    finally:
        if own is not None:
            own.end()
            own.runner.close()


def own_opponent(player: SandboxedPlayer, ladder: Ladder) -> Opponent:
    """Return a student's player as an opponent; the limits of CPU time are those of the exam."""
    where = "in the sandbox" if player.runner.sandboxed else "without a sandbox"
    description = f"{player.kind} of your file, {where}; at most {ladder.move_cpu_s:g} s a move"
    return Opponent("own", "Your player", description, asking(player, "your player"), ladder.student_simulations)
