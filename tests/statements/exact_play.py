"""What the exact values of a small game are, for statements about searches in it."""

from functools import cache

from arena.games.game import Game, State


@cache
def exact(game: Game, state: State) -> float:
    """The result against every defence, for the player to move."""
    outcome = game.outcome(state)
    return outcome if outcome is not None else max(-exact(game, game.play(state, action)) for action in game.legal_actions(state))


def is_right(game: Game, state: State, action: int) -> bool:
    """Whether no other action is better."""
    return -exact(game, game.play(state, action)) == exact(game, state)


def wins_at_once(game: Game, state: State) -> set[int]:
    return {action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1}
