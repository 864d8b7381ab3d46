"""2.11: a whole game, every move by search."""

from random import Random
from typing import Any

import pytest

from arena.games import TicTacToe, ToyGame
from tests.hidden.ps2_uct.oracle import draw_fan

pytestmark = pytest.mark.exercise("2.11")

GAME = TicTacToe()


class Reports:
    """An `on_move` that keeps what it is told; wrong calls are kept too, and found out later."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, *arguments: Any) -> None:
        self.calls.append(arguments)

    @property
    def actions(self) -> list[Any]:
        return [call[1] if len(call) == 2 else None for call in self.calls]

    def roots(self, number: int) -> list[Any]:
        """The reported roots, when there are so many reports and each is a root and an action."""
        assert [len(call) for call in self.calls] == [2] * number
        return [call[0] for call in self.calls]


def replay(game: Any, actions: list[int]) -> list[Any]:
    """The states of this game from its start; every action must be legal, and the last one must end it."""
    states = [game.start()]
    for action in actions:
        assert action in game.legal_actions(states[-1])
        states.append(game.play(states[-1], action))
    assert game.outcome(states[-1]) is not None
    return states


@pytest.mark.hint("when is a game over?")
def test_a_whole_game_is_played(student, edition):
    """every action is legal where it is played, and the last one ends the game"""
    for _ in range(3):
        replay(GAME, student.self_play(GAME, edition.randint(4, 9), 1.0, student.rng(edition.getrandbits(30))))


@pytest.mark.hint("which tree belongs to which move?")
def test_every_move_is_reported_with_its_own_tree(student, edition):
    """before each move `on_move` gets the tree that was searched there, with all its simulations, and the move"""
    simulations, reports = edition.randint(8, 14), Reports()
    actions = student.self_play(GAME, simulations, 1.0, student.rng(edition.getrandbits(30)), reports)
    states = replay(GAME, actions)
    assert reports.actions == actions
    roots = reports.roots(len(actions))
    assert [student.children(root) == {} for root in roots] == [False] * len(roots)
    assert [root.state for root in roots] == states[:-1]
    assert [root.num_visits for root in roots] == [simulations] * len(roots)


@pytest.mark.hint("who chooses the moves of the second player?")
def test_both_players_play_well(student, edition):
    """both players find the move that does not lose at once"""
    #   at every ply one of three moves goes on, the other two hand the other player a win
    good = [edition.randrange(3) for _ in range(6)]
    moves = {f"s{p}": [f"s{p + 1}" if a == good[p] else f"lost{p}.{a}" for a in range(3)] for p in range(6)}
    ends = {f"lost{p}.{a}": 1.0 for p in range(6) for a in range(3) if a != good[p]}
    game = ToyGame(moves, {**ends, "s6": -1.0})
    assert student.self_play(game, 40, 1.0, student.rng(edition.getrandbits(30))) == good


@pytest.mark.hint("what does `search` get from you?")
def test_simulations_and_exploration_are_handed_on(student, edition):
    """the search uses the given number of simulations and the given exploration"""
    for c in (0.0, 0.4, 3.0):
        known = None
        while known is None:
            simulations, fan = edition.randint(10, 18), draw_fan(edition, [1, 2, 3, 4])
            known = fan.uct(simulations, c, rollout=True)
        reports = Reports()
        actions = student.self_play(fan.game, simulations, c, student.rng(edition.getrandbits(30)), reports)
        replay(fan.game, actions)
        children = student.children(reports.roots(len(actions))[0])
        assert [children[action].num_visits for action in sorted(children)] == known[0]


@pytest.mark.hint("where do your random numbers come from?")
def test_a_game_repeats_with_its_rng(student, edition):
    """the same rng plays the same game again, and other rngs other games"""
    seed = edition.getrandbits(30)

    def games(first: int) -> list[list[int]]:
        return [student.self_play(GAME, 3, 1.0, student.rng(first + number)) for number in range(4)]

    played = games(seed)
    # With three simulations the first three moves are close to random: four equal games of four once in 1e11 tries.
    assert played == games(seed)
    assert played != games(seed + 4)
