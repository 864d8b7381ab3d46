"""A place among the exercises that run on this host, held for one game at a time; and a game again where the host failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from autograder.challenge.player.sandboxed import SandboxedPlayer
from autograder.sandbox.host.host_lock import HostLock

Played = TypeVar("Played")
MOST_REPLAYS = 3  # of one exam or meeting: a host that fails more often cannot judge it


class HostFailure(BaseException):
    """The host, not a student's player, ended a game: nobody's loss, and no ordinary exception that a match would count."""


class HostBusy(HostFailure):
    """The host lets even our own player wait: to play the same again here would only wait again."""


class Place:
    """The place of all students' players that meet in one game.

    It is taken when a game begins and given up before the next one, together with every process of the game: nobody's
    process works on while others believe that they are alone, and nobody waits here for longer than a game lasts.
    """

    def __init__(self) -> None:
        self.replays = 0
        self._company: HostLock | None = None
        self._players: list[SandboxedPlayer] = []

    def take(self, player: SandboxedPlayer) -> None:
        """Take the place for a player's new game; the game before is over then, for whoever it met too."""
        if any(one is player for one in self._players):
            self.leave()
        self._players.append(player)
        self.enter()

    def enter(self) -> HostLock:
        """Take the place before there is a player: the first one is tried."""
        if self._company is None:
            self._company = HostLock()
        return self._company

    def leave(self) -> None:
        """End the processes of the game, then give up the place."""
        self._give_up()
        self._players = []

    @contextmanager
    def alone(self) -> Iterator[None]:
        """End the processes of the game and wait until the others have finished; until the end of the block none begins."""
        self._end_all()
        company = self.enter()
        try:
            with company.alone():
                yield
        finally:
            self._give_up()

    def hold(self, play: Callable[[], Played]) -> Played:
        """Play something, once more when the host failed, and leave.

        Raises:
            HostFailure: the host failed again, has failed too often before, or is too busy.
        """
        try:
            try:
                return play()
            except HostBusy:
                raise
            except HostFailure:
                self.replays += 1
                if self.replays > MOST_REPLAYS:
                    raise
                self.leave()
                return play()
        finally:
            self.leave()

    def _give_up(self) -> None:
        self._end_all()
        host_lock, self._company = self._company, None
        if host_lock is not None:
            host_lock.leave()

    def _end_all(self) -> None:
        for player in self._players:
            player.end()
