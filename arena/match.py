"""Games between two players: a single game, or a match that shows which player is stronger."""

import random
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, Protocol, TypeAlias

from arena.games.game import Game, IllegalMove, State, after, result_for
from arena.progress import Progress
from arena.result import Fault, MatchResult, PlayedGame

__all__ = ["LostGame", "MatchPlayer", "MatchResult", "Player", "play_game", "play_match", "random_openings"]


class LostGame(Exception):
    """A player has lost this game by a mistake, not on the board; the text is the reason, a sentence for its author."""


class Player(Protocol):
    """A player picks an action; `simulations` is the budget of a searching player for it.

    A player with memory may have two more methods: a match calls `new_game()` before every game, and `observe(action)`
    after every move, also after the player's own moves and the moves of the opening.
    """

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return a legal action; `simulations` is the budget of the move."""
        ...


MatchPlayer: TypeAlias = Player | Callable[[], Player]


def play_game(game: Game, players: tuple[Player, Player], simulations: int, rng: random.Random) -> tuple[list[int], float]:
    """Play from `game.start()` to the end; `players[0]` moves first.

    Returns:
        the actions in the order of play, and the result for `players[0]`: +1 win, 0 draw, -1 loss.

    Raises:
        IllegalMove: a player chose an action that is not legal.
    """
    state = game.start()
    actions: list[int] = []
    while game.outcome(state) is None:
        actions.append(players[game.player(state)].choose(state, simulations, rng))
        state = game.play(state, actions[-1])
    return actions, result_for(game, state, 0)


def play_match(game: Game, first: MatchPlayer, second: MatchPlayer, num_games: int, simulations: int | tuple[int, int], seed: int,
               *, openings: int | Sequence[Sequence[int]] = 4, progress: bool | None = None) -> MatchResult:
    """Play `num_games` games, half of them with each colour, and return the result of `first`.

    Each opening is played twice, once with each colour, because an opening may favour one colour. Every player has its
    own generator in every game, made from the seed: the draws of one player do not change those of the other. An illegal
    move, or an exception in the player's code, loses that game, and the result keeps the reason.

    Args:
        first, second: players; or functions without arguments that make a player (a class, say), called once for every
            game. A player that remembers a game must come as such a function, or have `new_game()`.
        num_games: an even number.
        simulations: the budget of a move, for both, or (for `first`, for `second`).
        openings: the number of random moves at the start of each pair of games; or the openings themselves, lists of
            actions, used in turn.
        progress: show a line of progress; None: only in a notebook or a terminal.

    Raises:
        ValueError: `num_games` is odd or below 2, `openings` is empty, an opening ends the game, or three budgets are given.
        NotImplementedError: an exercise that a player needs is not written yet.
    """
    if num_games < 2 or num_games % 2:
        raise ValueError(f"an even number of games is needed, both colours for each opening, not {num_games}")
    if isinstance(openings, (int, Integral)):  # numpy's integers are Integral, and not int
        lines = random_openings(game, num_games // 2, int(openings), random.Random(f"openings {seed}"))
    else:
        lines = [list(line) for line in openings]
        if not lines:
            raise ValueError("no opening: give [[]] to begin every game at the start")
        if any(game.outcome(after(game, line)) is not None for line in lines):
            raise ValueError("an opening must not end the game")
    budgets = tuple(simulations) if not isinstance(simulations, (int, Integral)) else (int(simulations),) * 2
    if len(budgets) != 2:
        raise ValueError(f"one budget for both players or one for each is needed, not {len(budgets)}")
    bar = Progress(num_games, "match", progress)
    games: list[PlayedGame] = []
    for number in range(num_games):
        sides = ((first, budgets[0], random.Random(f"first {seed} {number}")),
                    (second, budgets[1], random.Random(f"second {seed} {number}")))
        games.append(_match_game(game, sides, number % 2, lines[number // 2 % len(lines)]))
        bar.step(f"score {sum(played.score for played in games) / len(games):.3f}")
    return MatchResult((_name(first), _name(second)), tuple(games))


def random_openings(game: Game, count: int, plies: int, rng: random.Random) -> list[list[int]]:
    """Return `count` openings of `plies` random moves that do not end the game.

    A position comes a second time only when new ones are hard to find: two players without random choices would play the
    same game twice.

    Raises:
        ValueError: random games of `plies` moves are over too often.
    """
    openings: list[list[int]] = []
    seen: set[State] = set()
    over = repeated = 0
    while len(openings) < count:
        state = game.start()
        actions: list[int] = []
        while len(actions) < plies and game.outcome(state) is None:
            actions.append(rng.choice(game.legal_actions(state)))
            state = game.play(state, actions[-1])
        if game.outcome(state) is not None:
            over += 1
            if over > 100 * (len(openings) + 1):
                raise ValueError(f"after {plies} random moves nearly every game is over: take shorter openings")
        elif state in seen and repeated < 50:  # 50 times in a row no new position: accept a repeated one
            repeated += 1
        else:
            openings.append(actions)
            seen.add(state)
            repeated = 0 if repeated < 50 else repeated
    return openings


def _match_game(game: Game, sides: tuple[tuple[MatchPlayer, int, random.Random], ...], colour: int,
                opening: Sequence[int]) -> PlayedGame:
    """Play one game of a match; `sides` are (who, budget, rng) of `first` and `second`, `colour` is that of `first`."""
    state = game.start()
    actions: list[int] = []
    at_work = 0  # whose code runs: 0 `first`, 1 `second`; if it raises, that player has lost
    try:
        players: list[Any] = []
        for number, (side, _, _) in enumerate(sides):
            at_work = number
            players.append(side if hasattr(side, "choose") and not isinstance(side, type) else side())
            if hasattr(players[-1], "new_game"):
                players[-1].new_game()
        while len(actions) < len(opening) or game.outcome(state) is None:
            if len(actions) < len(opening):
                action = opening[len(actions)]
            else:
                at_work = game.player(state) ^ colour
                _, budget, rng = sides[at_work]
                action = players[at_work].choose(state, budget, rng)
            state = game.play(state, action)
            actions.append(int(action))
            for number, player in enumerate(players):
                at_work = number
                if hasattr(player, "observe"):
                    player.observe(actions[-1])
    except NotImplementedError:
        raise  # an unwritten exercise is not a lost game: the match cannot begin
    except Exception as error:
        return PlayedGame(tuple(actions), len(opening), colour, float(at_work), Fault(at_work, reason_of(error)))
    return PlayedGame(tuple(actions), len(opening), colour, (result_for(game, state, colour) + 1) / 2)


def reason_of(error: Exception) -> str:
    """Return one line about a player's mistake; for an illegal move or a LostGame, without the name of the exception."""
    try:
        words = (str(error).strip().splitlines() or [""])[0].rstrip(":")
    except Exception:  # the text of an exception comes from the player's code too, and may raise
        words = ""
    return words if isinstance(error, (IllegalMove, LostGame)) else f"{type(error).__name__}: {words}".rstrip(": ")


def _name(side: MatchPlayer) -> str:
    """Return the name of a side: its own `name`, else the name of its function or class."""
    return str(getattr(side, "name", None) or getattr(side, "__name__", None) or type(side).__name__)
