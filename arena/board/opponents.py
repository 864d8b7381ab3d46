"""The opponents on the board: searches whose thoughts can be watched, and players that are asked for a move."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.board import engines
from arena.board.minds import UCT, Asked, Mind
from arena.board.own_tree import Watched, kept_by
from arena.board.positions import GAMES, Position
from arena.board.truth import TooDeep, Truth, connect_four_judge, exact_judge, is_too_deep
from arena.challenge.ladder import Ladder
from arena.match import Player
from arena.players.random import RandomPlayer

NOBODY = "nobody"
DEFAULT_SIMULATIONS = 400
LADDER_GAME = "connect_four"  # which the bots of the ladder play
ThinkAbout = Callable[[Position, int, random.Random], Mind]


@dataclass(frozen=True)
class Opponent:
    """An opponent of one game.

    Attributes:
        key: its name in requests.
        name, description: its name for readers, and a few words about it.
        think: (position, budget, rng) -> the mind that thinks about the next move. It raises engines.Loading while something
            is being loaded, and UserError if it cannot play here.
        simulations: the budget at first; 0 if the opponent has none.
        fixed: whether the budget cannot be changed.
    """

    key: str
    name: str
    description: str
    think: ThinkAbout
    simulations: int = 0
    fixed: bool = False

    @property
    def adjustable(self) -> bool:
        """Whether the reader may choose the budget."""
        return self.simulations > 0 and not self.fixed


def shipped(game: str) -> list[Opponent]:
    """Return the opponents of a game that every student has, the first of them the usual one."""
    opponents = [
        Opponent("uct", "UCT", "tree search with random games", think_uct, DEFAULT_SIMULATIONS),
        *(Opponent(net, f"AlphaZero (trained for {trained})", "tree search with the priors and values of a network",
                   _think_puct(net), DEFAULT_SIMULATIONS) for net, trained in engines.SHIPPED[game].items()),
        *(Opponent(f"{net}-alone", f"Network (trained for {trained})", "a network without a search", _think_prior(net))
          for net, trained in engines.SHIPPED[game].items()),
        Opponent("random", "Random", "any legal move", _think_random),
    ]  # fmt: skip
    if game != "othello":
        opponents.insert(-1, Opponent("perfect", "Perfect", "never makes a mistake", think_truth))
    return [*opponents, Opponent(NOBODY, "Nobody", "you play both sides", _think_nothing)]


def bots(ladder: Ladder) -> list[Opponent]:
    """Return the bots of the ladder that search, the easiest first; the one that plays at random is on every board."""
    return [Opponent(rung.name.casefold(), rung.name, "UCT, a bot of the ladder", _think_as_bot, rung.simulations, fixed=True)
            for rung in ladder.rungs if rung.simulations]


def _think_as_bot(position: Position, simulations: int, rng: random.Random) -> Mind:
    """Return the search of the bots, `arena.players.uct`, in the form that can be watched."""
    return UCT(position.game, position.state, rng, root_first=True)


def think_uct(position: Position, simulations: int, rng: random.Random) -> Mind:
    """Return plain UCT."""
    return UCT(position.game, position.state, rng)


def _think_puct(name: str) -> ThinkAbout:
    def think(position: Position, simulations: int, rng: random.Random) -> Mind:
        return engines.shipped_net(position.name, name).get().puct(position.state)

    return think


def _think_prior(name: str) -> ThinkAbout:
    def think(position: Position, simulations: int, rng: random.Random) -> Mind:
        return engines.shipped_net(position.name, name).get().prior(position.state)

    return think


def think_truth(position: Position, simulations: int, rng: random.Random) -> Mind:
    """Return the solver, where the end of the game is near enough for it."""
    if position.name == "connect_four":
        return Truth(position, connect_four_judge(engines.perfect().get()), rng)
    return TooDeep(position) if is_too_deep(position) else Truth(position, exact_judge(position.game), rng)


def _think_random(position: Position, simulations: int, rng: random.Random) -> Mind:
    return Asked(position, lambda: RandomPlayer(position.game).choose(position.state, 0, rng), "Random")


def _think_nothing(position: Position, simulations: int, rng: random.Random) -> Mind:
    raise AssertionError("where nobody is the opponent, it is never the opponent's turn")


def asking(player: Player, whose: str) -> ThinkAbout:
    """Return the `think` of a player of `arena.match`; if it keeps its tree, the board shows what it thought."""
    remembering = _Remembering(player)

    def think(position: Position, simulations: int, rng: random.Random) -> Mind:
        return Watched(position, lambda: remembering.choose(position, simulations, rng), lambda: kept_by(player), whose)

    return think


class _Remembering:
    """A player that may remember a game: it learns of the moves that it has not seen, and of a new game after a step back."""

    def __init__(self, player: Player) -> None:
        self._player: Any = player
        self._seen: tuple[int, ...] | None = None  # None: no game has begun

    def choose(self, position: Position, simulations: int, rng: random.Random) -> int:
        seen, self._seen = self._seen, None  # after an exception, a new game begins
        if seen is None or position.actions[: len(seen)] != seen:
            seen = ()
            if hasattr(self._player, "new_game"):
                self._player.new_game()
        if hasattr(self._player, "observe"):
            for played in position.actions[len(seen):]:
                self._player.observe(played)
        action: int = self._player.choose(position.state, simulations, rng)
        self._seen = position.actions
        return action


def catalogue(more: Callable[[str], Sequence[Opponent]]) -> dict[str, list[Opponent]]:
    """Return the opponents of every game: those of `more(game)` first, then those that ship."""
    return {game: [*more(game), *shipped(game)] for game in GAMES}
