"""A place among the exercises that run on this host, taken for one game at a time; after a host failure, play again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from autograder.challenge.player.sandboxed import SandboxedPlayer
from autograder.sandbox.host.host_lock import HostLock

Played = TypeVar("Played")
MOST_REPLAYS = 3  # in one exam or meeting: a host that fails more often cannot judge it


class HostFailure(BaseException):
    """The host, not a student's player, ended a game. A BaseException, because a match counts an Exception as a loss."""


class HostBusy(HostFailure):
    """Even our own player has to wait for the host: another try on this host would wait again."""


class Place:
    """The place that all students' players of one game share.

    It is taken when a game begins. Before the next game, all processes of the game end and the place is released. So no
    process goes on while another exercise has the host to itself, and no exercise waits longer than one game.
    """

    def __init__(self) -> None:
        self.replays = 0
        self._company: HostLock | None = None
        self._players: list[SandboxedPlayer] = []

    def take(self, player: SandboxedPlayer) -> None:
        """Take the place for a player's new game; this ends the game before, for its opponent as well."""
        if any(held is player for held in self._players):
            self.leave()
        self._players.append(player)
        self.enter()

    def enter(self) -> HostLock:
        """Take the place if it is not taken yet, also before the first player is made."""
        if self._company is None:
            self._company = HostLock()
        return self._company

    def leave(self) -> None:
        """End the processes of the game, then release the place."""
        self._give_up()
        self._players = []

    @contextmanager
    def alone(self) -> Iterator[None]:
        """End the processes of the game and wait for the other exercises to finish; none begins before the block ends."""
        self._end_all()
        company = self.enter()
        try:
            with company.alone():
                yield
        finally:
            self._give_up()

    def hold(self, play: Callable[[], Played]) -> Played:
        """Call `play`, once more after a failure of the host, and leave the place.

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
